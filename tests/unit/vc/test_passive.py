"""Blocks in order, interfaces, and which variables are still needed where."""

from __future__ import annotations

from paddock.ir.modref import mod_ref
from paddock.vc.passive import PassiveProcedure, interface
from tests.unit.vc.instances import program_of


def passive(text: str, name: str = "P") -> PassiveProcedure:
    program = program_of(text)
    effects = mod_ref(program)
    faces = {p.name: interface(p, effects[p.name]) for p in program.procedures}
    return PassiveProcedure(program, program.procedure_named[name], faces)


def live(procedure: PassiveProcedure) -> dict[str, set[str]]:
    return {b.label: {v.name for v in alive} for b, alive in zip(procedure.blocks, procedure.live, strict=True)}


def test_blocks_come_in_topological_order_without_dead_ones() -> None:
    procedure = passive("procedure P() { a: goto d, b; dead: goto d; d: return; b: goto c, d; c: goto d; }")
    labels = [b.label for b in procedure.blocks]
    assert labels[0] == "a" and labels[-1] == "d" and set(labels) == set("abcd")
    assert labels.index("b") < labels.index("c")
    assert all(s > n for n, successors in enumerate(procedure.successors) for s in successors)
    assert all(p < n for n, predecessors in enumerate(procedure.predecessors) for p in predecessors)


def test_live_variables() -> None:
    procedure = passive(
        """
        procedure P(x: int) returns (r: int) {
          var a, b, c: int;
          start: a := x; b := 1; c := b; goto left, right;
          left: r := a; goto end;
          right: havoc a; r := b; goto end;
          end: r := r + x; return;
        }
        """
    )
    assert live(procedure) == {"start": {"x"}, "left": {"a", "x"}, "right": {"b", "x"}, "end": {"r", "x"}}


def test_what_is_assigned_in_vain_needs_nothing() -> None:
    procedure = passive("procedure P(x: int) { var a, b: int; s: goto t; t: a := x; b := a; return; }")
    assert live(procedure) == {"s": set(), "t": set()}


def test_a_call_needs_what_the_callee_reads_and_promises() -> None:
    procedure = passive(
        """
        var g, h, k: int;
        procedure P() returns (r: int) { s: goto t; t: call r := Q(k); goto u; u: return; }
        procedure Q(x: int) returns (y: int);
          free ensures y == g;
        """
    )
    assert live(procedure) == {"s": {"g", "k"}, "t": {"g", "k"}, "u": {"r"}}


def test_what_a_callee_overwrites_goes_in_all_the_same() -> None:
    """It may not do so on every path."""
    text = "var g: int; procedure P() modifies g; { s: goto t; t: call Q(); return; } procedure Q(); modifies g;"
    assert live(passive(text))["s"] == {"g"}
    face = passive(text).interface
    assert [v.name for v in face.globals_in] == ["g"] == [v.name for v in face.globals_out]
