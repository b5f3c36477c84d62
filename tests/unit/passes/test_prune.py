from __future__ import annotations

import pytest

from paddock.ir.origin import InputError
from paddock.passes.prune import prune
from tests.unit.passes.transforming import check_becomes, program, transformed


def test_unreachable_procedures_blocks_and_globals() -> None:
    check_becomes(
        prune,
        """
        var used: int;
        var unused: int;
        var only_in_dead_code: int;
        procedure main();
          modifies used, unused, only_in_dead_code;
        implementation main()
        {
          start: call P(); return;
          dead: only_in_dead_code := 1; call Q(); goto start;
        }
        procedure P();
          modifies used;
        implementation P() { a: used := 1; call P(); return; }
        procedure Q();
          modifies only_in_dead_code;
        implementation Q() { a: only_in_dead_code := 1; return; }
        """,
        """
        var used: int;
        procedure main();
          modifies used;
        implementation main() { start: call P(); return; }
        procedure P();
          modifies used;
        implementation P() { a: used := 1; call P(); return; }
        """,
    )


def test_what_counts_as_mentioning_a_global() -> None:
    result = transformed(
        prune,
        """
        var in_ensures: int;
        var in_attribute: int;
        var in_where: int;
        var with_where: int where with_where > in_where;
        var in_local_where: int;
        var havocked: int;
        var in_result: int;
        var nowhere: int;
        procedure P() returns (r: int);
          free ensures r > in_ensures;
        procedure main();
          modifies havocked, in_result;
        implementation main()
        {
          var x: int where x > in_local_where;
          start: assume {:print in_attribute} true; havoc havocked; call in_result := P(); return;
        }
        """,
    )
    assert {g.name for g in program("var nowhere: int;").globals} == {"nowhere"}
    assert "nowhere" not in result.global_named
    assert len(result.globals) == 7


def test_asynchronous_and_parallel_calls_reach() -> None:
    result = transformed(
        prune,
        """
        procedure A(); procedure B(); procedure C(); procedure D();
        procedure main();
        implementation main() { start: async call A(); par B() | C(); return; }
        """,
    )
    assert [p.name for p in result.procedures] == ["A", "B", "C", "main"]


def test_a_program_needs_an_entry() -> None:
    with pytest.raises(InputError):
        prune(program("procedure P(); implementation P() { a: return; }"))


def test_nothing_to_prune() -> None:
    before = program("var g: int; procedure main(); modifies g; implementation main() { a: g := 1; return; }")
    assert prune(before) == before
