"""Assertions that can be turned off even where the globals in their conditions are forgotten.

    assume e || check_P;                     ok := e;  assume ok || check_P;
    err := !e;                               err := !ok;

The switch of an assertion (see the pass `switch-assertions`) says that its condition holds or that it may fail. Said of
a value in a local, instead of an expression, that outlives an abstraction which forgets the globals in the condition.
"""

from __future__ import annotations

from collections.abc import Iterator

from paddock.frozen import replace
from paddock.ir.build import not_, or_
from paddock.ir.expr import App, Expr, Op, Var
from paddock.ir.names import FreshNames
from paddock.ir.origin import Origin, Role
from paddock.ir.program import Implementation, Procedure, Program, VarDecl, local_var
from paddock.ir.stmt import Assign, Assume, Block, Statement
from paddock.ir.types import BOOL
from paddock.passes.abstract_globals import fresh_names
from paddock.passes.switch_assertions import SWITCHED

# What stands for the condition of an assertion and for its negation, by where it is.
_Values = dict[tuple[Origin, Expr], Expr]


def with_named_conditions(program: Program) -> Program:
    """The program, stated as a question, with the conditions of its switched assertions in locals."""
    fresh = fresh_names(program)
    return replace(program, procedures=tuple(_named(p, fresh) for p in program.procedures))


def _named(procedure: Procedure, fresh: FreshNames) -> Procedure:
    implementations = tuple(_Body(i, fresh).named() for i in procedure.implementations)
    return replace(procedure, implementations=implementations)


class _Body:
    def __init__(self, implementation: Implementation, fresh: FreshNames) -> None:
        self._implementation = implementation
        self._values: _Values = {}
        self._locals: list[VarDecl] = []
        for block in implementation.blocks:
            for statement in block.statements:
                match statement:
                    case Assume(App(Op.OR, (condition, _)), origin=origin) if origin.role is Role.SWITCH:
                        ok = local_var(fresh("ok"), BOOL)
                        self._locals.append(VarDecl(ok, origin=origin))
                        self._values |= {(origin, condition): ok, (origin, not_(condition)): not_(ok)}

    def named(self) -> Implementation:
        if not self._values:
            return self._implementation
        blocks = tuple(replace(b, statements=tuple(self._statements(b))) for b in self._implementation.blocks)
        return replace(self._implementation, locals=(*self._implementation.locals, *self._locals), blocks=blocks)

    def _statements(self, block: Block) -> Iterator[Statement]:
        for statement in block.statements:
            place = statement.origin.by(SWITCHED)
            match statement:
                case Assume(App(Op.OR, (condition, switch)), origin=origin) if origin.role is Role.SWITCH:
                    ok = self._values[place, condition]
                    assert isinstance(ok, Var)
                    yield Assign((ok,), (condition,), origin=origin)
                    yield replace(statement, condition=or_(ok, switch))
                case Assume(condition) if (place, condition) in self._values:
                    # Where an assertion is a branch of its own: see `failing_returns`.
                    yield replace(statement, condition=self._values[place, condition])
                case Assign(_, (value,)) if (place, value) in self._values:
                    yield replace(statement, values=(self._values[place, value],))
                case _:
                    yield statement
