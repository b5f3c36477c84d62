from __future__ import annotations

from collections.abc import Sequence

from paddock.ir.types import BOOL, INT, Bv, Type
from paddock.trace.explore import every_run, explore
from paddock.trace.interpreter import Limits
from paddock.trace.run import Blocked, Cut, Failed, Outcome, Returned
from paddock.trace.values import Value
from tests.unit.trace.boogie_text import program_of


def domain(type_: Type) -> Sequence[Value]:
    values: dict[Type, Sequence[Value]] = {BOOL: (False, True), INT: (0, 1, 2), Bv(2): (0, 1, 2, 3)}
    return values.get(type_, ())


def kinds(outcomes: set[Outcome]) -> set[str]:
    return {type(o).__name__ for o in outcomes}


def test_all_outcomes_are_found() -> None:
    program = program_of(
        """
        procedure main(x: int, b: bool) {
          if (b) { assume x > 0; assert x != 2; } else { if (x == 1) { assert false; } }
        }
        """
    )
    outcomes = explore(program, "main", domain)
    assert kinds(outcomes) == {"Returned", "Failed", "Blocked"}
    assert len([o for o in outcomes if isinstance(o, Failed)]) == 2


def test_a_program_without_failure() -> None:
    program = program_of("procedure main(x: int) { var y: int; y := x * x; assert y >= x || x == 0; }")
    assert explore(program, None, domain) == {Returned()}


def test_values_that_are_never_read_are_not_chosen() -> None:
    program = program_of("var g: int; procedure main(a: int) { var b, c: int; c := b; assert true; }")
    assert len(list(every_run(program, "main", domain))) == 3


def test_every_combination_is_tried_once() -> None:
    program = program_of("procedure main(a: int, b: bv2) { var n: int; if (a == 0) { n := 0; } assume b == b; }")
    runs = list(every_run(program, "main", domain))
    # Of the two branches, the one that does not fit is blocked.
    assert len([r for r in runs if r.outcome == Returned()]) == 3 * 4
    assert len([r for r in runs if isinstance(r.outcome, Blocked)]) == 3


def test_recursion_is_cut_at_the_bound() -> None:
    program = program_of(
        """
        var n: int;
        procedure f() modifies n; { n := n + 1; if (*) { call f(); } }
        procedure main() modifies n; { n := 0; call f(); assert n < 3; }
        """
    )
    assert kinds(explore(program, "main", domain, Limits(recursion=2))) == {"Returned", "Cut"}
    assert kinds(explore(program, "main", domain, Limits(recursion=3))) == {"Returned", "Cut", "Failed"}


def test_too_many_runs() -> None:
    program = program_of("procedure main(a: int, b: int, c: int) { assert a + b + c < 100; }")
    assert explore(program, "main", domain, runs=26) == {Returned(), Cut("runs")}
    assert explore(program, "main", domain, runs=27) == {Returned()}
