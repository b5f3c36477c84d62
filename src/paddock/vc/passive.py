"""What a procedure's formula is made from: its blocks in topological order, its interface, live variables.

DAG inlining (Lal and Qadeer, PLDI 2015), Fig. 8, gives every block a copy of every variable. Most of them
say nothing: only globals that the procedure or something it calls reads or writes belong to its interface,
and a variable needs a new name at a join only if it is used after it.
"""

from __future__ import annotations

from collections.abc import Iterable

from paddock.frozen import frozen
from paddock.ir.cfg import Cfg
from paddock.ir.expr import Expr, Scope, Var
from paddock.ir.modref import ModRef
from paddock.ir.program import Procedure, Program
from paddock.ir.stmt import Assert, Assign, Assume, Block, Call, Havoc, Return, Statement
from paddock.ir.walk import subterms


@frozen
class Interface:
    """How a procedure meets its callers: what goes in and what comes out, in this order."""

    globals_in: tuple[Var, ...]
    params: tuple[Var, ...]
    globals_out: tuple[Var, ...]
    results: tuple[Var, ...]

    @property
    def inputs(self) -> tuple[Var, ...]:
        return self.globals_in + self.params

    @property
    def outputs(self) -> tuple[Var, ...]:
        return self.globals_out + self.results


def interface(procedure: Procedure, effects: ModRef) -> Interface:
    # A global that is modified only on some paths keeps its value on the others, so it goes in as well.
    modified = set(effects.modifies)
    globals_in = effects.reads + tuple(v for v in effects.modifies if v not in set(effects.reads))
    return Interface(
        globals_in,
        tuple(p.var for p in procedure.params),
        tuple(v for v in effects.modifies if v in modified),
        tuple(r.var for r in procedure.results),
    )


class PassiveProcedure:
    """The reachable blocks of an acyclic body in topological order, with what is live at the start of each."""

    def __init__(self, program: Program, procedure: Procedure, interfaces: dict[str, Interface]) -> None:
        body = procedure.body
        assert body is not None
        self.program = program
        self.procedure = procedure
        self.interfaces = interfaces
        self.interface = interfaces[procedure.name]
        self.cfg = Cfg(body)
        order = self.cfg.reverse_postorder
        self.blocks: list[Block] = [self.cfg.blocks[label] for label in order]
        self.index = {label: n for n, label in enumerate(order)}
        self.successors = [[self.index[s] for s in self.cfg.successors[label]] for label in order]
        self.predecessors = [
            [self.index[p] for p in self.cfg.predecessors[label] if p in self.index] for label in order
        ]
        self.live = self._live()

    def _live(self) -> list[set[Var]]:
        """The variables whose value at the start of a block may still matter, for each block."""
        live: list[set[Var]] = [set() for _ in self.blocks]
        at_exit = set(self.interface.outputs) | self._read_at_exit()
        for n in range(len(self.blocks) - 1, -1, -1):
            block = self.blocks[n]
            alive: set[Var] = set(at_exit) if isinstance(block.transfer, Return) else set()
            for successor in self.successors[n]:
                alive |= live[successor]
            for statement in reversed(block.statements):
                self._step_back(statement, alive)
            live[n] = alive
        return live

    def _read_at_exit(self) -> set[Var]:
        return _mutable(clause.condition for clause in self.procedure.ensures)

    def _step_back(self, statement: Statement, alive: set[Var]) -> None:
        match statement:
            case Assume(condition) | Assert(condition):
                alive |= _mutable([condition])
            case Assign(targets, values):
                used = [v for t, v in zip(targets, values, strict=True) if t in alive]
                alive.difference_update(targets)
                alive |= _mutable(used)
            case Havoc(targets):
                alive.difference_update(targets)
            case Call(callee, args, results):
                called = self.program.procedure_named[callee]
                face = self.interfaces[callee]
                # What the callee promises may mention globals that it does not touch.
                promised = _mutable(c.condition for c in (*called.requires, *called.ensures))
                alive.difference_update(results)
                alive.difference_update(face.globals_out)
                alive |= _mutable(args)
                alive.update(face.globals_in)
                alive |= {v for v in promised if v.scope is Scope.GLOBAL}


def _mutable(roots: Iterable[Expr]) -> set[Var]:
    """The local and global variables that occur."""
    return {e for e in subterms(roots) if isinstance(e, Var) and (e.scope is Scope.LOCAL or e.scope is Scope.GLOBAL)}


def has_body(procedure: Procedure) -> bool:
    return bool(procedure.implementations)
