from __future__ import annotations

from paddock.ir.entry import entry_name
from paddock.ir.origin import IN_SOURCE, Role
from paddock.ir.stmt import Assert, Assign
from paddock.passes.error_bit import error_bit
from tests.unit.passes.transforming import check_becomes, statements, transformed


def test_assertions_set_the_bit_and_leave() -> None:
    check_becomes(
        error_bit,
        """
        var g: int;
        procedure P();
          modifies g;
          ensures g > 0;
          free ensures g > 1;
        implementation P() { start: g := 3; assert g > 2; call Q(); return; }
        procedure Q();
          free ensures g > 7;
        implementation Q() { start: return; }
        procedure main();
          modifies g;
        implementation main() { start: call P(); call Q(); goto a, b; a: return; b: assert g < 9; return; }
        """,
        """
        var g: int;
        var err: bool;
        procedure P();
          modifies g, err;
          free ensures err || g > 0;
          free ensures err || g > 1;
        implementation P()
        {
          start:   g := 3; err := !(g > 2); goto failed, start#1;
          start#1: assume !err; call Q(); err := !(g > 0); goto failed, start#2;
          start#2: assume !err; return;
          failed:  assume err; return;
        }
        procedure Q();
          free ensures g > 7;
        implementation Q() { start: return; }
        procedure main();
          modifies g, err;
        implementation main()
        {
          start:   err := false; call P(); goto failed, start#1;
          start#1: assume !err; call Q(); goto a, b;
          a:       goto exit;
          b:       err := !(g < 9); goto failed, b#1;
          b#1:     assume !err; goto exit;
          failed:  assume err; goto exit;
          exit:    assert !err; return;
        }
        """,
    )


def test_the_only_assertion_is_at_the_exit_of_the_entry() -> None:
    result = transformed(
        error_bit,
        """
        procedure P(n: int);
        implementation P(n: int) { start: call Q(n); return; }
        procedure Q(n: int);
        implementation Q(n: int) { start: goto a, b; a: call P(n - 1); return; b: assert n > 0; return; }
        procedure {:entrypoint} main();
        implementation main() { start: call P(3); return; }
        """,
    )
    assert [p.name for p in result.procedures for s in statements(result, p.name) if isinstance(s, Assert)] == ["main"]


def test_an_entry_that_is_called_gets_another_one_in_front() -> None:
    check_becomes(
        error_bit,
        """
        procedure main(n: int);
        implementation main(n: int) { start: assert n > 0; call main(n - 1); return; }
        """,
        """
        var err: bool;
        procedure main(n: int);
          modifies err;
        implementation main(n: int)
        {
          start:   err := !(n > 0); goto failed, start#1;
          start#1: assume !err; call main(n - 1); goto failed, start#2;
          start#2: assume !err; return;
          failed:  assume err; return;
        }
        procedure main_entry(n: int);
          modifies err;
        implementation {:entrypoint} main_entry(n: int)
        {
          start:   err := false; free call main(n); goto failed, start#1;
          start#1: assume !err; goto exit;
          failed:  assume err; goto exit;
          exit:    assert !err; return;
        }
        """,
    )


def test_names_that_are_taken() -> None:
    result = transformed(
        error_bit,
        """
        var err: int;
        procedure main();
        implementation main()
        {
          var err#1: bool;
          exit: assert err#1; goto failed;
          failed: assert (exists err#2: int :: err#2 == err); goto exit, end;
          end: return;
        }
        """,
    )
    assert [g.name for g in result.globals] == ["err", "err#3"]


def test_a_loop_through_the_first_block_does_not_reset_the_bit() -> None:
    check_becomes(
        error_bit,
        """
        procedure main(x: int);
        implementation main(x: int) { start: assert x > 0; goto start, end; end: return; }
        """,
        """
        var err: bool;
        procedure main(x: int);
          modifies err;
        implementation main(x: int)
        {
          start#2: err := false; goto start;
          start:   err := !(x > 0); goto failed, start#1;
          start#1: assume !err; goto start, end;
          end:     goto exit;
          failed:  assume err; goto exit;
          exit:    assert !err; return;
        }
        """,
    )


def test_the_assignment_keeps_origin_and_attributes_of_the_assertion() -> None:
    result = transformed(
        error_bit,
        """
        procedure main(x: int);
        implementation main(x: int)
        {
          start:
            assert {:id 3} x > 0;
            return;
        }
        """,
    )
    assign = next(s for s in statements(result, "main") if isinstance(s, Assign) and s.attributes)
    assert (assign.origin.line, assign.origin.column, assign.origin.provenance) == (6, 13, IN_SOURCE)
    final = next(s for s in statements(result, "main") if isinstance(s, Assert))
    assert final.origin.role is Role.NEW_BLOCK


def test_a_program_without_assertions_asserts_that_the_bit_is_clear() -> None:
    result = transformed(error_bit, "procedure main(); implementation main() { start: return; }")
    assert entry_name(result) == "main"
    assert [str(s.condition) for s in statements(result, "main") if isinstance(s, Assert)] == ["!err"]


def test_parallel_and_asynchronous_calls_are_followed_by_a_test() -> None:
    result = transformed(
        error_bit,
        """
        procedure P();
        implementation P() { start: assert false; return; }
        procedure Q();
        implementation Q() { start: return; }
        procedure main();
        implementation main() { start: par Q() | P(); async call P(); par Q() | Q(); return; }
        """,
    )
    body = result.procedure_named["main"].body
    assert body is not None
    assert [b.label for b in body.blocks if "failed" in b.successors] == ["start", "start#1"]


def test_what_is_known_to_hold_when_a_procedure_fails_becomes_a_postcondition() -> None:
    result = transformed(
        error_bit,
        """
        const on: bool;
        procedure {:can_fail on} P();
        implementation P() { start: assert false; return; }
        procedure {:can_fail on} Q();
        implementation Q() { start: return; }
        procedure main();
        implementation main() { start: call P(); call Q(); return; }
        """,
    )
    ensures = {p.name: [(c.free, str(c.condition)) for c in p.ensures] for p in result.procedures}
    assert ensures == {"P": [(True, "err ==> on")], "Q": [], "main": []}


def test_a_block_of_many_assertions() -> None:
    many = 2000
    text = "procedure main(x: int); implementation main(x: int) { start: " + "assert x > 0; " * many + "return; }"
    result = transformed(error_bit, text)
    body = result.procedure_named["main"].body
    assert body is not None
    assert len(body.blocks) == many + 3
