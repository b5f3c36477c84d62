"""Statements of small trees as blocks, and objects that begin and end."""

from __future__ import annotations

from paddock.frontends.c import tree as t
from paddock.frontends.c import types as c
from paddock.frontends.c.lowering.program import lower
from paddock.frontends.c.lowering.settings import Settings
from paddock.ir.printer import procedure_text
from tests.unit.frontends.c.lowering.trees import (
    AT,
    address,
    assign,
    block,
    evaluate,
    number,
    read,
    small,
    truth,
    unit,
    variable,
)

X = variable("x")


def test_if() -> None:
    low = small()
    low.done(low.low.statements.run(t.If(AT, truth(read(X)), evaluate(assign(X, number(1))), None)))
    assert low.emitted == [
        *("start:", "goto then.1, else.1;"),
        *("then.1:", "assume {:partition} x != 0bv32;", "x := 1bv32;", "goto endif.1;"),
        *("else.1:", "assume {:partition} x == 0bv32;", "goto endif.1;", "endif.1:"),
    ]


def test_a_loop_stays_a_cycle_and_break_leaves_it() -> None:
    low = small()
    body = block(t.If(AT, truth(read(X)), t.Break(AT), t.Continue(AT)))
    low.done(low.low.statements.run(t.While(AT, truth(number(1)), body)))
    text = "\n".join(low.emitted)
    assert "then.1:\nassume {:partition} x != 0bv32;\ngoto while.after.1;" in text
    assert "else.1:\nassume {:partition} x == 0bv32;\ngoto while.head.1;" in text


def test_switch() -> None:
    low = small()
    case, default = t.Case(AT, 1, 3), t.Default(AT)
    body = block(case, evaluate(assign(X, number(7))), t.Break(AT), default)
    switch = t.Switch(AT, read(X), body)
    small_program = small(switch)
    small_program.done(small_program.low.statements.run(switch))
    text = "\n".join(small_program.emitted)
    assert "goto case.1.chosen, switch.else.1;" in text
    assert "assume {:partition} bvsge.bv32.bv32(x, 1bv32) && bvsle.bv32.bv32(x, 3bv32);\ngoto case.1;" in text
    assert "x := 7bv32;\ngoto switch.after.1;\ndefault.1:" in text
    assert low.emitted == ["start:"]


def test_what_a_block_declares_ends_with_it() -> None:
    p = variable("p", c.PointerType(c.INT))
    inner = block(t.Declare(AT, X, None), evaluate(assign(p, address(X))))
    low = small(inner, evaluate(read(t.Dereference(c.INT, AT, read(p)))), checks="pointer")
    low.done(low.low.statements.run(inner))
    lives = [line for line in low.emitted if line.startswith("object#live")]
    assert [line.rsplit(":= ", 1)[1] for line in lives] == ["true];", "false];"]


def test_goto() -> None:
    program = unit(t.Goto(AT, "end"), evaluate(assign(X, number(1))), t.Label(AT, "end", "end"), t.Return(AT, None))
    (main,) = lower(program, Settings()).program.procedures
    assert "x := 1bv32" not in procedure_text(main)  # is never reached
    assert "return;" in procedure_text(main)
