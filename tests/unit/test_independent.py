"""`--independent`: what reports say of it, what C programs do behind a failure, and what cannot be judged so."""

from __future__ import annotations

from pathlib import Path

import pytest

import paddock
from paddock import InputError, Options, Verdict
from paddock.report.formats.check.json import json_object
from paddock.report.formats.check.text import render as result_text

ORDERED = Options.of(all_assertions=True)
INDEPENDENT = Options.of(all_assertions=True, independent=True)
THREE = "procedure main(x: int) { assert x == 5; assert x >= 5; assert x >= 0; }"


def verdicts(program: paddock.Program, options: Options = INDEPENDENT) -> list[str]:
    return [a.verdict.value for a in paddock.check(program, options).assertions]


def c_program(folder: Path, text: str, options: Options = INDEPENDENT) -> paddock.Program:
    file = folder / "p.c"
    file.write_text("#include <stdlib.h>\nint __VERIFIER_nondet_int(void); void reach_error(void);\n" + text)
    return paddock.load(file, options=options)


def test_reports_say_which_meaning_was_used() -> None:
    for options, said in (
        (ORDERED, "each judged where those before it hold"),
        (INDEPENDENT, "each judged as if the others were not there"),
    ):
        result = paddock.check(paddock.load(THREE), options)
        assert json_object(result)["independent"] is options.task.independent
        assert said in result_text(result)


def test_what_holds_anyway_is_proved() -> None:
    text = "procedure main(x: int) { assert x == 5; if (x > 0) { assert x >= 1; } assert x * 0 == 0; }"
    assert verdicts(paddock.load(text)) == ["bug", "proved", "proved"]


def test_an_assertion_in_a_loop_fails_where_it_fails_first() -> None:
    text = "procedure main() { var i: int; i := 0; while (i < 5) { assert i > 9; assert i != 3; i := i + 1; } }"
    result = paddock.check(paddock.load(text), INDEPENDENT)
    assert [a.verdict for a in result.assertions] == [Verdict.BUG, Verdict.BUG]
    assert [len([s for s in a.trace if s.text == "i := i + 1;"]) for a in result.assertions] == [0, 3]


def test_implications_are_by_what_cannot_fail() -> None:
    text = """
    procedure main(x: int, y: int) {
      assume y > 7;
      assert {:id "a"} x > 2; assert {:id "b"} x > 1; assert {:id "c"} y > 3; assert {:id "d"} y > 2;
    }
    """
    options = Options.of(all_assertions=True, independent=True, implications=True, order="forward")
    result = paddock.check(paddock.load(text), options)
    assert [(a.id, a.verdict.value, a.how) for a in result.assertions] == [
        ("a", "bug", "checked"),
        ("b", "bug", "checked"),
        ("c", "proved", "checked"),
        ("d", "proved", "implied by c"),
    ]


def test_a_wrapper_that_does_more_when_it_fails_is_none(tmp_path: Path) -> None:
    text = """
    int g;
    void stops(int c) { if (!c) { reach_error(); abort(); } }
    int tells(int c) { if (!c) { reach_error(); return 7; } return 1; }
    void notes(int c) { if (!c) { reach_error(); g = 1; } }
    int main(void) {
      int x = __VERIFIER_nondet_int();
      stops(x > 1);
      int told = tells(x > 2);
      notes(x > 3);
      if (told == 7 && g == 1 && x == 2) reach_error();
      return 0;
    }
    """
    result = paddock.check(c_program(tmp_path, text), INDEPENDENT)
    bugs = {(a.procedure, a.text) for a in result.assertions if a.verdict is Verdict.BUG}
    assert ("main", "x > 1") in bugs
    assert {p for p, _ in bugs} == {"main", "tells", "notes"}
    assert len(bugs) == len(result.assertions) == 4


def test_a_c_program_must_be_loaded_for_it(tmp_path: Path) -> None:
    text = "int main(void) { int x = __VERIFIER_nondet_int(); if (x) reach_error(); if (x > 1) reach_error(); }"
    assert verdicts(c_program(tmp_path, text)) == ["bug", "bug"]
    with pytest.raises(InputError, match="loaded without --independent"):
        paddock.check(c_program(tmp_path, text, ORDERED), INDEPENDENT)
