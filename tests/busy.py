"""For tests of time limits: what a check gets done before its limit depends on what else the machine does."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import TypeVar

import pytest

from paddock.engines.outcome import Budget

T = TypeVar("T")

# No solver decides this soon, nor gives it up: it has to find two prime factors.
FACTORS = "gt(4294967296bv64, a) && gt(4294967296bv64, b) && mul(a, b) == 8670687648630721837bv64"
OPERATIONS = """
function {:bvbuiltin "bvmul"} mul(bv64, bv64): bv64;
function {:bvbuiltin "bvugt"} gt(bv64, bv64): bool;
"""
HARD = f"procedure main(a: bv64, b: bv64) {{ assert !({FACTORS}); }}{OPERATIONS}"


def time_ends_at_look(patch: pytest.MonkeyPatch, number: int) -> None:
    """Let every time limit be reached when an engine looks at the clock for the time of this number."""
    looks = count(1)
    patch.setattr(Budget, "is_spent", property(lambda _: next(looks) >= number))


def within_some_limit(check: Callable[[float], T], is_enough: Callable[[T], bool]) -> T:
    """What `check` gives under the first of a few growing time limits in which it got far enough, or under the last."""
    for seconds in (0.5, 2.0, 8.0):
        if is_enough(result := check(seconds)):
            return result
    return check(60.0)
