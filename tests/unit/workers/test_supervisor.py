"""Messages of child processes."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from paddock.workers.supervisor import Child, Send, end

LARGE = "x" * 5_000_000  # far more than a pipe holds


def _say(messages: list[Any], send: Send) -> None:
    for message in messages:
        send(message)


@pytest.fixture
def saying(request: pytest.FixtureRequest) -> Iterator[Child]:
    child = Child(partial(_say, request.param))
    yield child
    end([child])


def _all_of(child: Child) -> list[Any]:
    received = []
    try:
        while True:
            received += child.receive()
    except EOFError:
        return received


@pytest.mark.parametrize("saying", [[], ["", None, 3], [LARGE, "more", LARGE]], indirect=True)
def test_messages_come_whole_and_in_order(saying: Child, request: pytest.FixtureRequest) -> None:
    assert _all_of(saying) == request.node.callspec.params["saying"]


@pytest.mark.parametrize("saying", [[LARGE]], indirect=True)
def test_the_rest_of_a_message_is_not_waited_for(saying: Child) -> None:
    assert saying.receive() == []
    os.kill(saying.pid, signal.SIGSTOP)
    while saying.connection.poll():
        assert saying.receive() == []
