from __future__ import annotations

import pytest

from paddock.ir.origin import InputError
from paddock.ir.stmt import Assert, Call
from paddock.passes.abstract_globals import (
    abstract_globals,
    abstracted,
    marked_globals,
    parameterise_globals,
    parameterised,
    with_marked_globals,
)
from tests.unit.passes.transforming import check_becomes, program, statements

GLOBALS = "var {:track} s: int; var g: int; var b: bool;"


def check_statements(before: str, after: str, locals_: str = "", added: str = "") -> None:
    """Check what becomes of statements in which `s` is tracked and `g` and `b` are not."""

    def text(modified: str, declared: str, code: str) -> str:
        return f"""{GLOBALS}
        procedure P(n: int) returns (r: int);
        procedure main(); modifies {modified};
        implementation main() {{ {declared} start: {code} return; }}"""

    check_becomes(abstract_globals, text("s, g, b", locals_, before), text("s", locals_ + added, after))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("g := 1;", ""),
        ("g := s;", ""),
        ("s := 1;", "s := 1;"),
        ("s := s + 1;", "s := s + 1;"),
        ("s := g;", "havoc s;"),
        ("s := old(g);", "havoc s;"),
        ("s, g := g, s;", "havoc s;"),
        ("assume s > 0;", "assume s > 0;"),
        ("assume g > 0;", ""),
        ("assume s > 0 || b;", ""),
        ("assume (exists i: int :: i > old(g));", ""),
        ('assert {:id "a"} s > 0;', 'assert {:id "a"} s > 0;'),
        ("havoc g;", ""),
        ("havoc g, s, b;", "havoc s;"),
        ("call s := P(s);", "call s := P(s);"),
    ],
)
def test_what_is_not_tracked_is_forgotten(before: str, after: str) -> None:
    check_statements(before, after)


def test_locals_are_kept_and_values_are_taken_before_any_target_changes() -> None:
    check_statements("x, y := g, x;", "y := x; havoc x;", "var x, y: int;")


def test_an_assertion_about_what_is_not_tracked_may_fail_or_hold() -> None:
    check_statements(
        "assert g > s; assert b;", "havoc any; assert any; havoc any#1; assert any#1;", added="var any, any#1: bool;"
    )


def test_arguments_and_results_that_are_not_tracked_are_arbitrary() -> None:
    check_statements("call g := P(g + s);", "havoc any; call any#1 := P(any);", added="var any, any#1: int;")


def test_what_contracts_and_where_clauses_say_of_untracked_globals_is_forgotten() -> None:
    check_becomes(
        abstract_globals,
        """
        var {:track} s: int where s > 0; var g: int where g > s;
        procedure P(n: int);
          free requires n > 0; free requires g > 0; modifies s, g; free ensures s > old(s); ensures g > 0;
        procedure main(); modifies s, g;
        implementation main() { start: call P(s); havoc g; return; }
        """,
        """
        var {:track} s: int; var g: int;
        procedure P(n: int); modifies s; free ensures s > 0; free ensures s > old(s);
        procedure main(); modifies s;
        implementation main() { start: assume s > 0; call P(s); return; }
        """,
    )


def test_names_that_are_taken_are_avoided() -> None:
    check_becomes(
        abstract_globals,
        """
        var b: bool; const any: int; function any#1(): int;
        procedure main();
        implementation main() { var any#2: int; start: assert b; return; }
        """,
        """
        var b: bool; const any: int; function any#1(): int;
        procedure main();
        implementation main() { var any#2: int; var any#3: bool; start: havoc any#3; assert any#3; return; }
        """,
    )


def test_blocks_calls_and_assertions_stay_where_they_are() -> None:
    before = program(
        GLOBALS
        + """
        procedure P(n: int) returns (r: int);
        implementation P(n: int) returns (r: int) { start: assert n > g; call r := P(g); assert r > 0; return; }
        procedure main(); modifies g;
        implementation main() { start: goto left, right; left: call g := P(g); goto right; right: assert b; return; }
        """
    )
    after = abstracted(before, ())
    for old, new in zip(before.procedures, after.procedures, strict=True):
        for a, b in zip(old.implementations[0].blocks, new.implementations[0].blocks, strict=True):
            assert (a.label, a.transfer) == (b.label, b.transfer)
            origins = [[s.origin for s in x.statements if isinstance(s, Call | Assert)] for x in (a, b)]
            assert origins[0] == origins[1]


def test_nothing_changes_where_all_is_tracked() -> None:
    before = program(GLOBALS + "procedure main(); implementation main() { start: assert g > s; return; }")
    assert abstracted(before, [g.var for g in before.globals]) is before


def test_the_parameterised_form_has_a_constant_for_each_global_that_need_not_be_tracked() -> None:
    check_becomes(
        parameterise_globals,
        GLOBALS
        + """
        procedure P(n: int) returns (r: int); modifies g; free ensures g > 0 && b;
        procedure main(); modifies g, b, s;
        implementation main()
        {
          start: s := g; g := s; assume b || g > 0; assert g > s; havoc b; call g := P(g); assume s > 0; return;
        }
        """,
        """
        const track_g: bool;
        const track_b: bool;
        """
        + GLOBALS
        + """
        procedure P(n: int) returns (r: int); modifies g; free ensures track_b && track_g ==> g > 0 && b;
        procedure main(); modifies g, b, s;
        implementation main()
        {
          var any: int;
          var any#1: bool;
          var any#2: int;
          start:
            havoc any; s := (if track_g then g else any);
            g := s;
            assume track_b && track_g ==> b || g > 0;
            havoc any#1; assert (if track_g then g > s else any#1);
            havoc b;
            havoc any#2; call g := P((if track_g then g else any#2));
            assume s > 0;
            return;
        }
        """,
    )


def test_constants_decide_about_globals_by_name() -> None:
    before = program(GLOBALS + "const track_g: bool; procedure main(); implementation main() { start: return; }")
    found = parameterised(before, marked_globals(before))
    assert {g.name: c.name for g, c in found.decides.items()} == {"g": "track_g#1", "b": "track_b"}


# --- which globals are tracked ---------------------------------------------------------------------


def test_globals_are_marked_by_name() -> None:
    before = program(GLOBALS + "procedure main(); implementation main() { start: assert b; return; }")
    marked = with_marked_globals(before, ["b", "g"])
    assert [g.name for g in marked_globals(marked)] == ["g", "b"]
    assert [g.name for g in marked_globals(before)] == ["s"]
    (statement,) = statements(abstract_globals(marked), "main")
    assert statement in statements(marked, "main")


def test_names_of_no_global_are_refused_where_they_are_in_the_list() -> None:
    before = program("var locked: bool; const c: int; procedure main(); implementation main() { start: return; }")
    with pytest.raises(InputError) as caught:
        with_marked_globals(before, ["locked", "lokced", "c"])
    assert str(caught.value).splitlines() == [
        "--tune track:1:8: error: there is no global variable `lokced`",
        "  locked,lokced,c",
        "         ^",
        "  did you mean `locked`?",
        "--tune track:1:15: error: there is no global variable `c`",
        "  locked,lokced,c",
        "                ^",
    ]
