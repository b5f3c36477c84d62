from __future__ import annotations

from paddock.ir.build import TRUE, arith, eq, int_lit
from paddock.ir.expr import Attribute, Expr, Op, Scope, Var
from paddock.ir.program import Implementation, local_var
from paddock.ir.rewriting import (
    expressions_in,
    map_expressions,
    substituting,
    variables_in,
    with_prologue,
    with_successors,
)
from paddock.ir.stmt import Assert, Assign, Assume, Block, Call, Goto, Havoc, ParCall, Return, Statement, Yield
from paddock.ir.types import INT
from tests.unit.passes.transforming import program

X, Y, Z = (local_var(name, INT) for name in "xyz")
NOTE = (Attribute("note", ("text", X)),)
NOTE_Z = (Attribute("note", ("text", Z)),)
EQ = eq(X, Y)
EQ_Z = eq(Z, Y)

EVERY_STATEMENT: list[tuple[Statement, Statement]] = [
    (Assume(EQ, NOTE), Assume(EQ_Z, NOTE_Z)),
    (Assert(EQ, NOTE), Assert(EQ_Z, NOTE_Z)),
    (Assign((X, Y), (Y, X), NOTE), Assign((Z, Y), (Y, Z), NOTE_Z)),
    (Havoc((Y, X)), Havoc((Y, Z))),
    (Call("P", (X,), (X,), attributes=NOTE), Call("P", (Z,), (Z,), attributes=NOTE_Z)),
    (ParCall((Call("P", (X,)), Call("Q", (), (X,)))), ParCall((Call("P", (Z,)), Call("Q", (), (Z,))))),
    (Yield(NOTE), Yield(NOTE_Z)),
]


def test_every_kind_of_statement_is_mapped() -> None:
    for before, after in EVERY_STATEMENT:
        assert map_expressions(before, substituting({X: Z})) == after
        assert X in variables_in(before)
        assert X not in variables_in(after)


def test_transfers_and_blocks_are_mapped() -> None:
    block = Block("a", (Assume(EQ),), Goto(("b",), NOTE))
    assert map_expressions(block, substituting({X: Z})) == Block("a", (Assume(EQ_Z),), Goto(("b",), NOTE_Z))
    assert map_expressions(Return(NOTE), substituting({X: Z})) == Return(NOTE_Z)


def test_what_does_not_change_is_the_same_object() -> None:
    block = Block("a", tuple(before for before, _ in EVERY_STATEMENT), Return(NOTE))
    assert map_expressions(block, lambda e: e) is block
    changed = map_expressions(block, lambda e: eq(Y, Y) if e is EQ else e)
    assert changed.statements[2] is block.statements[2]


def test_a_whole_procedure_is_mapped() -> None:
    (before,) = program(
        """
        procedure {:p 1} P(x: int where x > 1) returns (y: int);
          requires {:q 1} x > 1;
          ensures y > 1;
        implementation {:r 1} P(x: int) returns (y: int)
        {
          var {:s 1} t: int where t > 1;
          a: assume {:t 1} t > 1; return;
        }
        """
    ).procedures

    def one_becomes_two(expr: Expr) -> Expr:
        return arith(Op.ADD, expr, int_lit(0)) if expr == int_lit(1) else expr

    found = list(expressions_in(before))
    assert found.count(int_lit(1)) == 5
    after = map_expressions(before, one_becomes_two)
    assert int_lit(1) not in list(expressions_in(after))


def test_variables_include_bound_ones() -> None:
    (axiom,) = program("axiom (forall k: int :: k > 0);").axioms
    assert variables_in(Assume(axiom.condition)) == {Var("k", INT, Scope.BOUND)}


def test_prologue_runs_once() -> None:
    start = (Assume(TRUE),)
    straight = Implementation((), (Block("a", (Assume(EQ),), Return()),))
    assert with_prologue(straight, start).blocks == (Block("a", (Assume(TRUE), Assume(EQ)), Return()),)
    looping = Implementation((), (Block("start", (), Goto(("start",))),))
    assert with_prologue(looping, start).blocks == (Block("start#1", start, Goto(("start",))), *looping.blocks)
    assert with_prologue(looping, ()) is looping


def test_a_block_without_successors_is_blocked() -> None:
    block = Block("a", (Assume(TRUE),), Goto(("b", "c"), NOTE))
    assert with_successors(block, ("c",)).transfer == Goto(("c",), NOTE)
    blocked = with_successors(block, ())
    assert [str(s.condition) for s in blocked.statements if isinstance(s, Assume)] == ["true", "false"]
    assert blocked.transfer == Return(NOTE)
