"""The parts of the outer loop work together: each pair of them gives the verdicts that there are without."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

import paddock
from paddock import Options, Result, Verdict

# Assertions two calls deep, in a loop; `order` keeps the loop in step, and a global of the log does not matter.
DRIVER = """
var locked, order, written: int;

procedure main()
  modifies locked, order, written;
{
  locked, order := 0, 0;
  while (*) {
    call Serve(order);
    order := 1 - order;
  }
}

procedure Serve(turn: int)
  modifies locked, written;
{
  if (turn == 0) { call Acquire(); } else { call Release(); }
  call Log(turn);
}

procedure Acquire() modifies locked; { assert locked == 0; locked := 1; }
procedure Release() modifies locked; { assert locked == 1; locked := 0; }
procedure Log(turn: int) modifies written; { if (turn > 5) { written := 0; } written := written + 1; }
"""
BROKEN = DRIVER.replace("order := 1 - order;", "order := 0;")
RETURNS = {
    "assume locked == 0;": Verdict.BUG,
    "assume locked + order == 1;": Verdict.BOUNDED,
}

PARTS: dict[str, dict[str, Any]] = {
    "refine": {"refine": "alg2"},
    "core": {"refine": "core"},
    "deep-asserts": {"deep_asserts": True},
    "alternating": {"engine": "alternating"},
    "houdini": {"houdini": True},
    "all-assertions": {"all_assertions": True},
    "independent": {"all_assertions": True, "independent": True},
    "facts": {"facts": True},
}
PAIRS = [pair for pair in combinations(PARTS, 2) if pair != ("refine", "core")]


def checked(text: str, *parts: str, **further: Any) -> Result:
    options: dict[str, Any] = {"recursion_bound": 4, "facts": False, "deep_asserts": False}
    for part in parts:
        options |= PARTS[part]
    return paddock.check(paddock.load(text), Options.of(**(options | further)))


@pytest.mark.parametrize("parts", [*PAIRS, tuple(PARTS)], ids="+".join)
def test_a_program_without_a_bug(parts: tuple[str, ...]) -> None:
    result = checked(DRIVER, *parts)
    assert result.verdict in (Verdict.PROVED, Verdict.BOUNDED)
    assert {a.verdict for a in result.assertions} <= {Verdict.PROVED, Verdict.BOUNDED}


@pytest.mark.parametrize("parts", [*PAIRS, tuple(PARTS)], ids="+".join)
def test_a_program_with_a_bug(parts: tuple[str, ...]) -> None:
    result = checked(BROKEN, *parts)
    assert result.verdict is Verdict.BUG
    # The lock is taken twice: the second time fails.
    assert [s.kind for s in result.trace if s.procedure == "Acquire"] == ["statement", "fail"]
    if "all-assertions" in parts:
        release = next(a for a in result.assertions if a.procedure == "Release")
        assert release.verdict in (Verdict.PROVED, Verdict.BOUNDED)


@pytest.mark.parametrize("part", [p for p in PARTS if p not in ("refine", "all-assertions", "independent")])
@pytest.mark.parametrize("question", RETURNS)
def test_whether_a_program_returns(part: str, question: str) -> None:
    text = DRIVER.replace("order := 1 - order;\n  }", "order := 1 - order;\n  }\n  " + question)
    result = checked(text, "refine", part, goal="return")
    assert (result.verdict is Verdict.BUG) == (RETURNS[question] is Verdict.BUG)
