"""The plan of a check, and that `--as-searched` shows what is solved."""

from __future__ import annotations

from typing import Any

import pytest

import paddock
from paddock import Options, program_text
from paddock.driver import implications, pipeline
from paddock.driver.plan import CheckPlan
from paddock.engines.inlining import search

LOCK = """
var s: int;
procedure main(n: int) modifies s;
{
  var i: int;
  s := 0;
  i := 0;
  while (i < n) invariant s == 0; { call Pair(i); i := i + 1; }
}
procedure Pair(i: int) modifies s; { call Acquire(); if (i != 3) { call Release(); } }
procedure Acquire() modifies s; { assert s == 0; s := 1; }
procedure Release() modifies s; { assert s == 1; s := 0; }
"""

WAYS: list[dict[str, Any]] = [
    {},
    {"facts": False},
    {"deep_asserts": False},
    {"engine": "alternating"},
    {"all_assertions": True},
    {"all_assertions": True, "independent": True},
    {"all_assertions": True, "implications": True},
    {"unwinding_assertions": True, "unwind": 2},
    {"goal": "return"},
    {"houdini": True},
    {"track": ("s",), "refine": "alg2"},
]


@pytest.mark.parametrize("way", WAYS[:-1], ids=str)
def test_what_is_shown_as_searched_is_what_is_solved(way: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    solved = []
    opened = search.opened

    def recorded(program: paddock.Program, *further: Any) -> Any:
        solved.append(program_text(program))
        return opened(program, *further)

    monkeypatch.setattr("paddock.engines.inlining.search.opened", recorded)
    monkeypatch.setattr("paddock.engines.implications.checking.opened", recorded)
    options = Options.of(**way)
    paddock.check(paddock.load(LOCK), options)
    assert solved[0] == program_text(pipeline.as_searched(paddock.load(LOCK), options))


@pytest.mark.parametrize("way", WAYS[:-1], ids=str)
def test_what_is_shown_as_searched_can_be_read_again(way: dict[str, Any]) -> None:
    shown = program_text(pipeline.as_searched(paddock.load(LOCK), Options.of(**way)))
    assert program_text(paddock.load(shown)) == shown


def test_refinement_searches_several_programs() -> None:
    with pytest.raises(paddock.InputError, match="each iteration"):
        pipeline.as_searched(paddock.load(LOCK), Options.of(**WAYS[-1]))


def test_the_plan_has_what_the_options_ask_for() -> None:
    def names(**options: Any) -> list[str]:
        plan = CheckPlan(Options.of(**options))
        return [p.name for p in (plan.identified + plan.entered + plan.preparation + plan.lifting("assertion")).passes]

    usual = names()
    assert usual[0] == "mark-entry"
    assert "bound-loops" in usual
    assert usual[-2:] == ["deep-asserts", "prune"]
    assert "unwinding-assertions" in names(unwinding_assertions=True)
    assert "bound-loops" not in names(constant_loops=False)
    assert "deep-asserts" not in names(engine="alternating")
    assert "watch-assertions" in names(all_assertions=True, independent=True)
    assert "user-candidates" in names(houdini=True)
    assert "track-globals" in names(track=("s",), refine="alg2")


def test_implications_are_looked_for_in_the_program_that_a_check_searches() -> None:
    program = paddock.load(
        """
        var x: int;
        procedure Other() modifies x; { x := 1; }
        procedure main() modifies x; { x := 0; async call Other(); yield; while (x < 3) { x := x + 1; } assert x == 3; }
        """
    )
    read, ready = implications.prepared_program(program, Options()), pipeline.made_ready(program, Options())
    assert (read.original, read.prepared) == (ready.original, ready.prepared)
