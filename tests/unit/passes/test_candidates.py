from __future__ import annotations

import pytest

from paddock.ir.origin import InputError
from paddock.ir.printer import program_text
from paddock.passes.candidates import NewCandidates, guard_of, guards, offered, resolved, unguarded, without_candidates
from paddock.passes.error_bit import error_bit
from tests.unit.passes.transforming import check_becomes, program, transformed

GUARDED = """
const {:existential true} b: bool;
const {:existential true} c: bool;
const other: bool;
var g: int;
procedure P(x: int);
  requires b ==> x > 0;
  requires other ==> x > 1;
  modifies g;
  ensures g > 2 ==> c ==> g > x;
implementation P(x: int)
{
  start: goto head;
  head: assert b ==> g > 0; assert g > 1; goto head, end;
  end: return;
}
"""


def test_nothing_that_is_guarded_is_asserted() -> None:
    check_becomes(
        offered,
        GUARDED,
        """
        const {:existential true} b: bool;
        const {:existential true} c: bool;
        const other: bool;
        var g: int;
        procedure P(x: int);
          free requires b ==> x > 0;
          requires other ==> x > 1;
          modifies g;
          free ensures g > 2 ==> c ==> g > x;
        implementation P(x: int)
        {
          start: goto head;
          head: assume b ==> g > 0; assert g > 1; goto head, end;
          end: return;
        }
        """,
    )


def test_what_is_kept_becomes_plain_and_the_rest_goes() -> None:
    check_becomes(
        lambda p: resolved(offered(p), [v for v in guards(p) if v.name == "c"]),
        GUARDED,
        """
        const other: bool;
        var g: int;
        procedure P(x: int);
          requires other ==> x > 1;
          modifies g;
          free ensures g > 2 ==> g > x;
        implementation P(x: int)
        {
          start: goto head;
          head: assert g > 1; goto head, end;
          end: return;
        }
        """,
    )


def test_without_candidates_nothing_is_left_of_them() -> None:
    text = program_text(transformed(without_candidates, GUARDED))
    assert "==> g" not in text
    assert "existential" not in text
    assert "other ==> x > 1" in text


def test_programs_without_candidates_stay_as_they_are() -> None:
    plain = program("const {:existential false} b: bool; procedure main() { assert b ==> true; }")
    assert offered(plain) is plain
    assert without_candidates(plain) is plain


def test_the_guard_of_a_condition() -> None:
    procedure = program(GUARDED).procedure_named["P"]
    known = guards(program(GUARDED))
    (first, second), (third,) = procedure.requires, procedure.ensures
    assert guard_of(first.condition, known) is next(iter(known))
    assert guard_of(second.condition, known) is None
    guard = guard_of(third.condition, known)
    assert guard is list(known)[1]
    assert str(unguarded(third.condition, guard)) == "g > 2 ==> g > x"


@pytest.mark.parametrize(
    "wrong",
    [
        "procedure main() { assume b; }",
        "procedure main() { assert b || true; }",
        "procedure main() { assert b ==> c; }",
        "procedure main() { var x: bool; x := b; }",
        "procedure main() { if (b) { } }",
        "procedure main(); requires !b;",
        "axiom b ==> true;",
        "function f(): bool { b }",
        "var x: bool where x == b;",
        "procedure main(x: bool where b) { }",
        "procedure P(x: bool); procedure main() { call P(b); }",
    ],
)
def test_existential_constants_are_guards_only(wrong: str) -> None:
    before = program("const {:existential true} b: bool;\nconst {:existential true} c: bool;\n" + wrong)
    for read in (offered, without_candidates):
        with pytest.raises(InputError, match="is used other than as the guard of a condition") as caught:
            read(before)
        assert caught.value.diagnostics[0].origin.line == 3


def test_existential_constants_are_booleans() -> None:
    with pytest.raises(InputError, match=r"test.bpl:1:.*'n' must be a bool, not int"):
        offered(program("const {:existential true} n: int; procedure main() { }"))


def test_new_candidates_are_said_of_executions_without_an_error() -> None:
    before = error_bit(
        program(
            "var g: int; procedure P() modifies g; { assert g > 0; } procedure Q() { } procedure main() modifies g; "
            "{ call P(); call Q(); }"
        )
    )
    new = NewCandidates(before)
    clause = program("var g: int; procedure R(); ensures g > 0;").procedures[0].ensures[0]
    for _ in range(2):  # the second time makes no difference
        new.ensure(before.procedure_named["P"], clause.condition, clause.origin)
        new.ensure(before.procedure_named["Q"], clause.condition, clause.origin)
        new.require(before.procedure_named["P"], clause.condition, clause.origin)
    after = new.program()
    said = {p.name: [str(c.condition) for c in (*p.requires, *p.ensures)] for p in after.procedures}
    assert said == {
        "P": ["keep_P#1 ==> g > 0", "err || (keep_P ==> g > 0)"],
        "Q": ["keep_Q ==> g > 0"],
        "main": [],
    }
    assert [v.name for v in guards(after)] == ["keep_P", "keep_Q", "keep_P#1"]
