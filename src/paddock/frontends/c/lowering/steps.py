"""Computations that do not deepen Python's stack, however deep a program nests."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, TypeVar

Result = TypeVar("Result")

# A computation that may ask for the result of another one by yielding it.
Steps = Generator["Steps[Any]", Any, Result]


def run(steps: Steps[Result]) -> Result:
    """The result of a computation; however deep it nests, Python's stack does not."""
    stack: list[Steps[Any]] = [steps]
    result: Any = None
    while stack:
        try:
            asked = stack[-1].send(result)
        except StopIteration as end:
            stack.pop()
            result = end.value
        else:
            stack.append(asked)
            result = None
    return result  # type: ignore[no-any-return]
