from __future__ import annotations

from paddock.ir.cfg import Cfg
from paddock.ir.origin import IN_SOURCE
from paddock.ir.program import Program
from paddock.ir.stmt import Assert
from paddock.passes.check_specs import check_specs
from paddock.passes.extract_loops import extract_loops
from tests.unit.passes.transforming import check_becomes, program, statements, transformed


def has_loops(program: Program) -> bool:
    bodies = [i for p in program.procedures for i in p.implementations]
    return any(Cfg(body).loops or not Cfg(body).is_reducible for body in bodies)


def test_a_loop_over_locals_globals_and_parameters() -> None:
    check_becomes(
        extract_loops,
        """
        var g: int;
        var h: int;
        procedure P(n: int, unused: int) returns (sum: int);
          modifies g;
        implementation P(n: int, unused: int) returns (sum: int)
        {
          var i: int;
          var elsewhere: int;
          start: sum := 0; i := 0; elsewhere := 1; goto head;
          head:  goto body, end;
          body:  assume i < n; sum, i := sum + h, i + 1; g := g + 1; goto head;
          end:   assume i >= n; return;
        }
        """,
        """
        var g: int;
        var h: int;
        procedure P(n: int, unused: int) returns (sum: int);
          modifies g;
        implementation P(n: int, unused: int) returns (sum: int)
        {
          var i: int;
          var elsewhere: int;
          start: sum := 0; i := 0; elsewhere := 1; goto head;
          head:  call sum, i := P_loop_head(n, sum, i); goto body, end;
          body:  assume i < n; sum, i := sum + h, i + 1; g := g + 1; assume false; return;
          end:   assume i >= n; return;
        }
        procedure {:loop "P", "head"} P_loop_head(n: int, in_sum: int, in_i: int) returns (sum: int, i: int);
          modifies g;
        implementation P_loop_head(n: int, in_sum: int, in_i: int) returns (sum: int, i: int)
        {
          enter: sum, i := in_sum, in_i; goto head, done;
          head:  goto body;
          body:  assume i < n; sum, i := sum + h, i + 1; g := g + 1; goto again;
          again: call sum, i := P_loop_head(n, sum, i); return;
          done:  return;
        }
        """,
    )


def test_nested_loops() -> None:
    check_becomes(
        extract_loops,
        """
        procedure P() returns (x: int, y: int);
        implementation P() returns (x: int, y: int)
        {
          outer: x := x + 1; goto inner;
          inner: goto body, next;
          body:  y := y + 1; assert y < 5; goto inner;
          next:  goto outer, end;
          end:   return;
        }
        """,
        """
        procedure P() returns (x: int, y: int);
        implementation P() returns (x: int, y: int)
        {
          outer: call x, y := P_loop_outer(x, y); x := x + 1; goto inner;
          inner: call y := P_loop_inner(y); goto body, next;
          body:  y := y + 1; assert y < 5; assume false; return;
          next:  goto end;
          end:   return;
        }
        procedure {:loop "P", "inner"} P_loop_inner(in_y: int) returns (y: int);
        implementation P_loop_inner(in_y: int) returns (y: int)
        {
          enter: y := in_y; goto inner, done;
          inner: goto body;
          body:  y := y + 1; assert y < 5; goto again;
          again: call y := P_loop_inner(y); return;
          done:  return;
        }
        procedure {:loop "P", "outer"} P_loop_outer(in_x: int, in_y: int) returns (x: int, y: int);
        implementation P_loop_outer(in_x: int, in_y: int) returns (x: int, y: int)
        {
          enter: x, y := in_x, in_y; goto outer, done;
          outer: x := x + 1; goto inner;
          inner: call y := P_loop_inner(y); goto next;
          next:  goto again;
          again: call x, y := P_loop_outer(x, y); return;
          done:  return;
        }
        """,
    )


def test_self_loop_on_the_entry_block_with_nothing_to_carry() -> None:
    check_becomes(
        extract_loops,
        """
        procedure P();
        implementation P() { a: goto a; }
        """,
        """
        procedure P();
        implementation P() { a: call P_loop_a(); assume false; return; }
        procedure {:loop "P", "a"} P_loop_a();
        implementation P_loop_a()
        {
          enter: goto a, done;
          a:     goto again;
          again: call P_loop_a(); return;
          done:  return;
        }
        """,
    )


def test_two_back_edges_several_exits_and_a_jump_between_loops() -> None:
    check_becomes(
        extract_loops,
        """
        var g: int;
        procedure P();
          modifies g;
        implementation P()
        {
          start: goto one;
          one:   g := 1; goto left, right;
          left:  g := 2; goto one, two, out;
          right: g := 3; goto one, out;
          two:   g := 4; goto two, one_more;
          one_more: goto two;
          out:   return;
        }
        """,
        """
        var g: int;
        procedure P();
          modifies g;
        implementation P()
        {
          start: goto one;
          one:   call P_loop_one(); g := 1; goto left, right;
          left:  g := 2; goto two, out;
          right: g := 3; goto out;
          two:   call P_loop_two(); g := 4; goto one_more;
          one_more: assume false; return;
          out:   return;
        }
        procedure {:loop "P", "two"} P_loop_two();
          modifies g;
        implementation P_loop_two()
        {
          enter: goto two, done;
          two:   g := 4; goto again, one_more;
          one_more: goto again;
          again: call P_loop_two(); return;
          done:  return;
        }
        procedure {:loop "P", "one"} P_loop_one();
          modifies g;
        implementation P_loop_one()
        {
          enter: goto one, done;
          one:   g := 1; goto left, right;
          right: g := 3; goto again;
          left:  g := 2; goto again;
          again: call P_loop_one(); return;
          done:  return;
        }
        """,
    )


def test_old_means_the_entry_of_the_original_procedure() -> None:
    check_becomes(
        extract_loops,
        """
        var g: int;
        var m: [int]int;
        procedure P(n: int);
          modifies g;
        implementation P(n: int)
        {
          var i: int;
          start: goto outer;
          outer: goto inner, end;
          inner: g := g + old(g + m[i]); assert (forall k: int :: old(m)[k] == old(old(m[k + n]))); goto inner, outer;
          end:   assert g > old(g); return;
        }
        """,
        """
        var g: int;
        var m: [int]int;
        procedure P(n: int);
          modifies g;
        implementation P(n: int)
        {
          var i: int;
          var old_g: int;
          var old_m: [int]int;
          start: old_g, old_m := g, m; goto outer;
          outer: call P_loop_outer(n, i, old_g, old_m); goto inner, end;
          inner: call P_loop_inner(n, i, old_g, old_m); g := g + old(g + m[i]);
                 assert (forall k: int :: old(m)[k] == old(old(m[k + n]))); assume false; return;
          end:   assert g > old(g); return;
        }
        procedure {:loop "P", "inner"} P_loop_inner(n: int, i: int, old_g: int, old_m: [int]int);
          modifies g;
        implementation P_loop_inner(n: int, i: int, old_g: int, old_m: [int]int)
        {
          enter: goto inner, done;
          inner: g := g + (old_g + old_m[i]); assert (forall k: int :: old_m[k] == old_m[k + n]); goto again;
          again: call P_loop_inner(n, i, old_g, old_m); return;
          done:  return;
        }
        procedure {:loop "P", "outer"} P_loop_outer(n: int, i: int, old_g: int, old_m: [int]int);
          modifies g;
        implementation P_loop_outer(n: int, i: int, old_g: int, old_m: [int]int)
        {
          enter: goto outer, done;
          outer: goto inner;
          inner: call P_loop_inner(n, i, old_g, old_m); g := g + (old_g + old_m[i]);
                 assert (forall k: int :: old_m[k] == old_m[k + n]); goto again;
          again: call P_loop_outer(n, i, old_g, old_m); return;
          done:  return;
        }
        """,
    )


def test_where_clauses_of_locals_hold_after_havoc_in_the_loop_procedure() -> None:
    check_becomes(
        extract_loops,
        """
        var g: int where g > 0;
        procedure P(n: int);
          modifies g;
        implementation P(n: int)
        {
          var low: int;
          var x: int where low < x;
          head: havoc x, g; goto head, end;
          end:  return;
        }
        """,
        """
        var g: int where g > 0;
        procedure P(n: int);
          modifies g;
        implementation P(n: int)
        {
          var low: int;
          var x: int where low < x;
          head: call x := P_loop_head(low, x); havoc x, g; goto end;
          end:  return;
        }
        procedure {:loop "P", "head"} P_loop_head(low: int, in_x: int) returns (x: int);
          modifies g;
        implementation P_loop_head(low: int, in_x: int) returns (x: int)
        {
          enter: x := in_x; goto head, done;
          head:  havoc x, g; assume low < x; goto again;
          again: call x := P_loop_head(low, x); return;
          done:  return;
        }
        """,
    )


def test_calls_in_loops_bring_their_effects() -> None:
    result = transformed(
        extract_loops,
        """
        var b: int;
        var a: int;
        procedure Q() returns (r: int);
          modifies a;
        procedure P();
          modifies a, b;
        implementation P()
        {
          var t: int; var u: int;
          head: call t := Q(); par t := Q() | u := Q(); havoc b; goto head, end;
          end: return;
        }
        """,
    )
    loop = result.procedure_named["P_loop_head"]
    assert [v.name for v in loop.modifies] == ["b", "a"]
    assert [d.name for d in loop.results] == ["t", "u"]


def test_names_that_are_taken() -> None:
    result = transformed(
        extract_loops,
        """
        var in_x: int;
        procedure P_loop_head();
        procedure P(in_y: int) returns (x: int, y: int);
        implementation P(in_y: int) returns (x: int, y: int)
        {
          head: x := x + in_x; y := y + in_y; goto enter;
          enter: goto done; done: goto again, end; again: goto head;
          end: return;
        }
        """,
    )
    loop = result.procedure_named["P_loop_head#1"]
    assert [d.name for d in loop.params] == ["in_y", "in_x#1", "in_y#1"]


def test_a_local_that_shadows_a_global_which_the_loop_modifies() -> None:
    transformed(
        extract_loops,
        """
        var g: int;
        procedure Q();
          modifies g;
        procedure P();
          modifies g;
        implementation P() { var g: bool; head: call Q(); g := !g; goto head, end; end: return; }
        """,
    )


def test_variables_in_attributes_are_carried() -> None:
    result = transformed(
        extract_loops,
        """
        procedure P();
        implementation P()
        {
          var {:kind "int"} {:limit y} x: int;
          var y: int;
          head: assume {:print x} true; goto head, end;
          end: return;
        }
        """,
    )
    (param,) = result.procedure_named["P_loop_head"].params
    assert (param.name, [a.name for a in param.attributes]) == ("x", ["kind"])


def test_a_procedure_without_loops_is_the_same_object() -> None:
    before = program(
        """
        procedure P();
        implementation P() { a: goto c; b: goto c; c: return; }
        procedure Q();
        implementation Q() { a: goto a; }
        """
    )
    after = extract_loops(before)
    assert after.procedure_named["P"] is before.procedure_named["P"]
    assert len(after.procedures) == 3


def test_unreachable_blocks_of_a_procedure_with_a_cycle_are_dropped() -> None:
    check_becomes(
        extract_loops,
        """
        procedure P();
        implementation P() { a: return; b: goto c, a; c: goto b; }
        """,
        """
        procedure P();
        implementation P() { a: return; }
        """,
    )


def test_assertions_keep_their_origins_in_both_copies() -> None:
    result = transformed(
        extract_loops,
        """
        procedure P(x: int);
        implementation P(x: int)
        {
          head:
            assert {:id 1} x > 0;
            goto head;
        }
        """,
    )
    for name in ("P", "P_loop_head"):
        (check,) = (s for s in statements(result, name) if isinstance(s, Assert))
        assert (check.origin.line, check.origin.provenance, check.attributes[0].name) == (6, IN_SOURCE, "id")


def test_irreducible_loops_are_split_first() -> None:
    result = transformed(
        extract_loops,
        """
        procedure P() returns (x: int);
        implementation P() returns (x: int)
        {
          start: goto a, b;
          a: x := 1; goto b, end;
          b: x := 2; goto a, end;
          end: return;
        }
        """,
    )
    assert not has_loops(result)
    assert [p.name for p in result.procedures] == ["P", "P_loop_a"]


def test_every_implementation_is_treated() -> None:
    result = transformed(
        extract_loops,
        """
        procedure P();
        implementation P() { a: goto a; }
        implementation P() { a: goto a, b; b: return; }
        """,
    )
    assert [p.name for p in result.procedures] == ["P", "P_loop_a", "P_loop_a#1"]
    assert not has_loops(result)


def test_after_check_specs() -> None:
    result = transformed(
        lambda p: extract_loops(check_specs(p)),
        """
        procedure P() returns (x: int);
          ensures x > 0;
        implementation P() returns (x: int)
        {
          var y: int where y > x;
          while (x < 3) invariant x >= 0; { havoc y; x := y; }
        }
        """,
    )
    assert not has_loops(result)


def test_loops_nested_many_levels_deep() -> None:
    depth = 100
    heads = "".join(f"h{n}: x := x + {n}; goto h{n + 1}; " for n in range(depth))
    tails = "".join(f"t{n}: goto h{n}, t{n - 1}; " for n in reversed(range(1, depth)))
    text = f"""
        procedure P() returns (x: int);
        implementation P() returns (x: int) {{ {heads} h{depth}: goto t{depth - 1}; {tails} t0: return; }}
    """
    result = extract_loops(program(text))
    assert len(result.procedures) == depth
    assert not has_loops(result)


def test_loops_that_run_whole_inner_loops_stay_small() -> None:
    depth = 1100
    text = "".join(f"while (x < {n}) {{ " for n in range(depth))
    result = extract_loops(
        program(f"procedure P(); implementation P() {{ var x: int; {text} x := x + 1; {'}' * depth} }}")
    )
    assert len(result.procedures) == depth + 1
    assert max(len(p.implementations[0].blocks) for p in result.procedures[1:]) < 10


def test_long_chains_of_blocks_and_loops() -> None:
    length = 2000
    blocks = "".join(f"b{n}: goto b{n}, b{n + 1}; " for n in range(length))
    result = extract_loops(program(f"procedure P(); implementation P() {{ {blocks} b{length}: return; }}"))
    assert len(result.procedures) == length + 1
    assert not has_loops(result)
