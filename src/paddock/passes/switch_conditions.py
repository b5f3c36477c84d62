"""Conditions of the user get switches: Boolean constants without which assumptions say nothing, and assertions fail.

    implementation P(x: int)                     const needed: bool; const needed#1: bool;
    {                                            implementation P(x: int)
      start:                                     {
        assume x > 0;                              start:
        err := !(x >= 0);                            assume needed ==> x > 0;
        return;                                      err := !(x >= 0) || !needed#1;
    }                                                return;
                                                 }

For programs in which a search has stated its question. A proof under the assumption that all switches are true needs
those conditions whose switches are in the solver's core. Facts, which were found out from these conditions, go.
"""

from __future__ import annotations

from paddock.frozen import frozen, replace
from paddock.ir.build import FALSE, implies, not_, or_
from paddock.ir.entry import entry_name
from paddock.ir.expr import Scope, Var
from paddock.ir.names import FreshNames
from paddock.ir.origin import AssertionId, Origin, Role
from paddock.ir.program import Constant, Implementation, Procedure, Program
from paddock.ir.stmt import Assign, Assume, Block, Statement
from paddock.ir.types import BOOL

Place = tuple[str, int, int]


@frozen
class Switched:
    """The program, the switches of assumptions by their places, and those of assertions."""

    program: Program
    assumptions: dict[Place, Var]
    assertions: dict[AssertionId, Var]


def switch_conditions(program: Program) -> Switched:
    """The program with a switch for each assumption and each assertion of the source."""
    return _Switching(program).run()


class _Switching:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.fresh = FreshNames(program.top_level_names())
        self.error_bits = {g.var for g in program.globals if g.origin.role is Role.ERROR_BIT}
        self.entry = entry_name(program)
        self.assumptions: dict[Place, Var] = {}
        self.assertions: dict[AssertionId, Var] = {}

    def run(self) -> Switched:
        axioms = tuple(
            replace(axiom, condition=implies(self._of_place(axiom.origin), axiom.condition))
            if _is_own(axiom.origin)
            else axiom
            for axiom in self.program.axioms
        )
        procedures = tuple(map(self._procedure, self.program.procedures))
        made = (*self.assumptions.values(), *self.assertions.values())
        constants = (*self.program.constants, *map(Constant, made))
        program = replace(self.program, axioms=axioms, procedures=procedures, constants=constants)
        return Switched(program, self.assumptions, self.assertions)

    def _procedure(self, procedure: Procedure) -> Procedure:
        requires = procedure.requires
        if procedure.name == self.entry:
            requires = tuple(
                replace(clause, condition=implies(self._of_place(clause.origin), clause.condition))
                for clause in requires
            )
        return replace(procedure, requires=requires, implementations=tuple(map(self._body, procedure.implementations)))

    def _body(self, body: Implementation) -> Implementation:
        return replace(body, blocks=tuple(map(self._block, body.blocks)))

    def _block(self, block: Block) -> Block:
        kept = (s for s in block.statements if s.origin.role is not Role.FACT)
        return replace(block, statements=tuple(map(self._statement, kept)))

    def _statement(self, statement: Statement) -> Statement:
        match statement:
            case Assume(condition) if _is_own(statement.origin) and not statement.attributes and condition is not FALSE:
                return replace(statement, condition=implies(self._of_place(statement.origin), condition))
            case Assign((bit,), (failed,)) if bit in self.error_bits and statement.origin.assertion is not None:
                if statement.origin.assertion not in self.assertions:
                    self.assertions[statement.origin.assertion] = self._switch()
                off = not_(self.assertions[statement.origin.assertion])
                return replace(statement, values=(or_(failed, off),))
            case _:
                return statement

    def _of_place(self, origin: Origin) -> Var:
        place = origin.file, origin.line, origin.column
        if place not in self.assumptions:
            self.assumptions[place] = self._switch()
        return self.assumptions[place]

    def _switch(self) -> Var:
        return Var(self.fresh("needed"), BOOL, Scope.CONST)


def _is_own(origin: Origin) -> bool:
    return bool(origin.line) and origin.role is None
