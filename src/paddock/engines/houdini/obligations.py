"""What must be proved of one procedure for candidates to be kept, as a procedure that returns whether one is violated.

    procedure P(x: int);                        procedure P_obligations(x: int) returns (fails_b: bool, fails_c: bool);
      free requires a ==> x > 0;                  free requires a ==> x > 0;
      free ensures b ==> g > 0;
    implementation P(x: int)                    implementation P_obligations(x: int) returns (…)
    {                                           {
      start: g := x; call Q(g); return;           start:   fails_b, fails_c, g := false, false, x; goto fails, start#1;
                                                  fails:   fails_c := !(g > 1); return;
    }                                             start#1: call Q(g); fails_b := !(g > 0); return;
    procedure Q(y: int);                        }
      free requires c ==> y > 1;                procedure Q(y: int);  free requires c ==> y > 1;

So a candidate is assumed of calls and checked at exits if it is a postcondition, assumed at the start and checked at
calls if it is a precondition, and checked and then assumed where it stands in a body. The procedures that are called
have no bodies: each question is about one procedure only (Corral §4.2), but for callees that are to be inlined into it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import groupby

from paddock.frozen import frozen, replace
from paddock.ir.build import FALSE, not_, or_
from paddock.ir.expr import Expr, Var
from paddock.ir.names import FreshNames
from paddock.ir.program import Clause, Implementation, Procedure, Program, VarDecl, local_var
from paddock.ir.rewriting import map_expressions, substituting, variables_in, with_prologue
from paddock.ir.stmt import Assign, Assume, Block, Call, Goto, Return, Statement
from paddock.ir.types import BOOL
from paddock.passes.candidates import guard_of, unguarded

# Conditions that must hold at some point, with the guards of the candidates that say so.
_Due = list[tuple[Var, Expr]]


@frozen
class Obligations:
    """A program of one procedure, `name`, which returns with the result `fails[b]` set if the candidate of the guard b
    is violated. `assumed` are the guards of the candidates that it relies on."""

    program: Program
    name: str
    fails: Mapping[Var, Var]
    assumed: tuple[Var, ...]


def obligations(
    program: Program, procedure: Procedure, callees: Mapping[str, Procedure], guards: Collection[Var]
) -> Obligations:
    """The obligations of a procedure, whose callees have these contracts, for candidates with these guards."""
    return _Builder(program, procedure, callees, guards).build()


class _Builder:
    def __init__(
        self, program: Program, procedure: Procedure, callees: Mapping[str, Procedure], guards: Collection[Var]
    ) -> None:
        assert procedure.body is not None
        self.program = program
        self.procedure = procedure
        self.callees = callees
        self.guards = guards
        self.body: Implementation = procedure.body
        self.names = FreshNames(v.name for v in variables_in(procedure))
        self.labels = FreshNames(b.label for b in self.body.blocks)
        self.fails: dict[Var, Var] = {}
        self.assumed: dict[Var, None] = {}
        self.blocks: list[Block] = []

    def build(self) -> Obligations:
        self._assume_all(self.procedure.requires)
        for block in self.body.blocks:
            self._block(block)
        results = tuple(self.fails.values())
        body = replace(self.body, blocks=tuple(self.blocks))
        if results:
            body = with_prologue(body, (Assign(results, (FALSE,) * len(results)),))
        called = self._called()
        for callee in called:
            self._assume_all(self.callees[callee].ensures)
        name = FreshNames(called)(f"{self.procedure.name}_obligations")
        checking = replace(
            self.procedure,
            name=name,
            results=(*self.procedure.results, *map(VarDecl, results)),
            ensures=(),
            implementations=(body,),
        )
        program = replace(self.program, procedures=(checking, *(self.callees[c] for c in called)))
        return Obligations(program, name, self.fails, tuple(self.assumed))

    def _called(self) -> dict[str, None]:
        """What is called, also by callees that have bodies."""
        found: dict[str, None] = {}
        bodies = [self.body]
        while bodies:
            for block in bodies.pop().blocks:
                for callee in (s.procedure for s in block.statements if isinstance(s, Call)):
                    if callee not in found:
                        found[callee] = None
                        bodies += self.callees[callee].implementations
        return found

    def _assume_all(self, clauses: tuple[Clause, ...]) -> None:
        for clause in clauses:
            self._assume(clause.condition)

    def _assume(self, condition: Expr) -> Var | None:
        guard = guard_of(condition, self.guards)
        if guard is not None:
            self.assumed[guard] = None
        return guard

    def _block(self, block: Block) -> None:
        label, statements = block.label, list[Statement]()
        for _, group in groupby(block.statements, self._is_candidate):
            run = list(group)
            for statement, due in self._due(run):
                if due:
                    label, statements = self._check(label, statements, due, block)
                statements += statement
        if isinstance(block.transfer, Return):
            statements += self._at_exit()
        self.blocks.append(replace(block, label=label, statements=tuple(statements)))

    def _is_candidate(self, statement: Statement) -> bool:
        return isinstance(statement, Assume) and guard_of(statement.condition, self.guards) is not None

    def _due(self, run: list[Statement]) -> list[tuple[list[Statement], _Due]]:
        """The statements of a run, all candidates or none, each with what must hold before it. Candidates that follow
        one another are checked together: nothing changes between them."""
        if self._is_candidate(run[0]):
            conditions = [s.condition for s in run if isinstance(s, Assume)]
            found = [(g, c) for c in conditions if (g := self._assume(c)) is not None]
            return [(run, [(guard, unguarded(c, guard)) for guard, c in found])]
        return [([s], self._at_call(s) if isinstance(s, Call) else []) for s in run]

    def _at_call(self, call: Call) -> _Due:
        callee = self.callees[call.procedure]
        self._assume_all(callee.ensures)
        actual = substituting({d.var: arg for d, arg in zip(callee.params, call.args, strict=True)})
        due = []
        for clause in callee.requires:
            guard = self._assume(clause.condition)
            if guard is not None:
                due.append((guard, map_expressions(replace(clause, attributes=()), actual).condition))
        return [(guard, unguarded(condition, guard)) for guard, condition in due]

    def _at_exit(self) -> list[Statement]:
        """What is left of the contract: what is free anyway is assumed, and candidates are checked."""
        due: _Due = []
        statements: list[Statement] = []
        for clause in self.procedure.ensures:
            guard = guard_of(clause.condition, self.guards)
            if guard is None:
                statements.append(Assume(clause.condition, origin=clause.origin))
            else:
                due.append((guard, unguarded(clause.condition, guard)))
        if due:
            statements.append(self._violated(due))
        return statements

    def _check(self, label: str, statements: list[Statement], due: _Due, block: Block) -> tuple[str, list[Statement]]:
        """End a block with a way out for executions that violate what is due; returns where the others go on. The way
        out leads past the postconditions, which need not hold in the middle."""
        origin = block.origin
        way_out, going_on = self.labels("fails"), self.labels(block.label)
        self.blocks.append(Block(label, tuple(statements), Goto((way_out, going_on), origin=origin), origin))
        self.blocks.append(Block(way_out, (self._violated(due),), Return(origin=origin), origin))
        return going_on, []

    def _violated(self, due: _Due) -> Statement:
        violations: dict[Var, Expr] = {}
        for guard, condition in due:
            failed = self.fails.get(guard)
            if failed is None:
                failed = self.fails[guard] = local_var(self.names(f"fails_{guard.name}"), BOOL)
            violation = not_(condition)
            violations[failed] = or_(violations[failed], violation) if failed in violations else violation
        return Assign(tuple(violations), tuple(violations.values()))
