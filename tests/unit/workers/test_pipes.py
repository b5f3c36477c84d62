"""Pipes between a process and its copy: messages come as wholes, and the end is seen."""

from __future__ import annotations

import os
import time

import pytest

from paddock.workers.pipes import LARGEST, pipe


def test_messages_come_in_order_and_as_wholes() -> None:
    reader, writer = pipe()
    sent = [b"", b"one", bytes(LARGEST)]
    for message in sent:
        writer.send_bytes(message)
    assert [reader.recv_bytes() for _ in sent] == sent
    assert not reader.poll()
    writer.close()
    reader.close()


def test_the_end_is_seen_when_the_other_process_is_gone() -> None:
    reader, writer = pipe()
    child = os.fork()
    if child == 0:
        writer.send_bytes(b"from the child")
        os._exit(0)
    writer.close()
    assert reader.poll(60)
    assert reader.recv_bytes() == b"from the child"
    assert reader.poll(None)
    with pytest.raises(EOFError):
        reader.recv_bytes()
    os.waitpid(child, 0)
    reader.close()
    reader.close()  # once more does no harm
    with pytest.raises(OSError, match="Bad file descriptor"):
        reader.recv_bytes()


def test_waiting_ends_when_the_time_is_up() -> None:
    reader, writer = pipe()
    started = time.monotonic()
    assert not reader.poll(0.05)
    assert time.monotonic() - started >= 0.04
    reader.close()
    with pytest.raises(BrokenPipeError):
        writer.send_bytes(b"which is read by no one")
    writer.close()
