"""What the tests of this room share: an instance of a procedure's formula, and asking what it allows."""

# ruff: noqa: PT009  (`Solver.assert_` has nothing to do with unittest)

from __future__ import annotations

from collections.abc import Callable

from paddock.frontends.boogie import Source, load
from paddock.ir.expr import Var
from paddock.ir.program import Procedure, Program, is_loop
from paddock.ir.stmt import Assume
from paddock.solvers.interface import Status, Term
from paddock.solvers.ops import Op
from paddock.solvers.z3.solver import Z3Solver
from paddock.vc.templates import Templates


def program_of(text: str) -> Program:
    return load([Source(text, "test.bpl")])


class Instance:
    """One instance of a procedure's formula, entered unless it says otherwise."""

    def __init__(
        self,
        text: str,
        procedure: str = "P",
        entry: str = "main",
        entered: bool = True,
        serves_one: Callable[[Procedure], bool] = is_loop,
    ) -> None:
        self.solver = Z3Solver()
        self.templates = Templates(program_of(text), entry, self.solver.terms, serves_one)
        self.template = self.templates[procedure]
        for axiom in self.templates.encoder.axioms():
            self.solver.assert_(axiom)
        sort = self.templates.encoder.sort
        named = zip(self.template.names, self.template.types, strict=True)
        self.constants = [self.solver.terms.fresh(name, sort(type_)) for name, type_ in named]
        self.solver.assert_(self.solver.terms.instantiate(self.template.formula, self.constants))
        if entered:
            self.solver.assert_(self.constants[0])

    def allows(self, condition: str) -> bool:
        """Whether there are values for which a condition holds in which `in_g` and `out_g` stand for what goes in and
        comes out, and the label of a block for whether it is visited."""
        face = self.template.interface
        variables = [f"in_{v.name}" for v in face.inputs] + [f"out_{v.name}" for v in face.outputs]
        terms: dict[str, Term] = dict(zip(variables, self.constants[1:], strict=False))
        types = {n: str(v.type) for n, v in zip(variables, (*face.inputs, *face.outputs), strict=True)}
        for block, control in zip(self.template.passive.blocks, self.template.block_control, strict=True):
            terms[block.label], types[block.label] = self.constants[control], "bool"
        parameters = ", ".join(f"{name}: {type_}" for name, type_ in types.items())
        body = program_of(f"procedure probe({parameters}) {{ assume {condition}; }}").procedure_named["probe"].body
        assert body is not None
        (statement,) = body.blocks[0].statements
        assert isinstance(statement, Assume)

        def value(var: Var) -> Term:
            return terms[var.name]

        encoder = self.templates.encoder
        asked = self.solver.terms.fresh("asked", encoder.sort(statement.condition.type))
        self.solver.assert_(
            self.solver.terms.app(Op.IMPLIES, (asked, encoder.encode(statement.condition, value, value)))
        )
        return self.solver.check([asked]).status is Status.SAT
