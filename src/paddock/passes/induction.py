"""Loops by k-induction, as in the combined-case rule of Donaldson, Haller, Kroening and Rümmer (SAS 2011).

    head: goto body, done;          k iterations as they are; then any state; k iterations in which
    body: …; goto head;             nothing fails and the loop goes on; and one that is as it is,
    done: …                         but does not come back to the head

If no assertion of the result can fail, none of the program can, however often its loops run: a first violation is in
one of the first k iterations, or after k others in which nothing fails, and so is where a loop is left. The other
direction does not hold, since any state is more than what iterations lead to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import ClassVar

from paddock.frozen import frozen, replace
from paddock.ir.cfg import Cfg, Loop
from paddock.ir.expr import Attribute, Var
from paddock.ir.modref import ModRef, assigned, mod_ref
from paddock.ir.names import FreshNames
from paddock.ir.origin import Made, Origin, Role
from paddock.ir.program import Implementation, Procedure, Program, VarDecl, local_var
from paddock.ir.rewriting import calls_in, declared_in, with_successors
from paddock.ir.stmt import Assert, Assign, Assume, Block, Call, Goto, Havoc, Statement
from paddock.passes.reducible import made_reducible

MADE = Made("induction", Role.NEW_BLOCK)


def induction(program: Program, k: int, loops: Iterable[Origin] | None = None) -> Program:
    """The program with loops by k-induction: those whose heads are at some places, or all."""
    return _Inductive(program, k, None if loops is None else frozenset(loops)).program()


class _Inductive:
    """One rewriting."""

    def __init__(self, program: Program, k: int, loops: frozenset[Origin] | None) -> None:
        self._given = program
        self.k = k
        self._loops = loops
        self._changes: Mapping[str, ModRef] = mod_ref(program)
        self._outer = [d.name for group in (program.globals, program.constants) for d in group]
        self._names = FreshNames([p.name for p in program.procedures])
        self._holding: dict[str, str] = {}  # procedures in which nothing fails, by those that they are copies of
        self._copied_from: dict[str, str] = {}  # the other way round

    def program(self) -> Program:
        done = {p.name: self._rewritten(p) for p in self._given.procedures}
        copies: dict[str, Procedure] = {}
        while missing := [name for name in self._holding if name not in copies]:
            for name in missing:
                copies[name] = self._copied(done[name])
        return replace(self._given, procedures=(*done.values(), *copies.values()))

    def _rewritten(self, procedure: Procedure) -> Procedure:
        names = FreshNames([*self._outer, *(d.name for d in declared_in(procedure))])
        bodies = tuple(self._unwound(i, procedure.name, names) for i in procedure.implementations)
        return replace(procedure, implementations=bodies)

    def _unwound(self, body: Implementation, procedure: str, names: FreshNames) -> Implementation:
        if not Cfg(body).is_reducible:
            body = made_reducible(body, procedure)
        while (loop := self._next(body)) is not None:
            body = _Unwinding(self, body, loop, names).result()
        return body

    def _next(self, body: Implementation) -> Loop | None:
        """A loop that is to be rewritten, with no such loop in it."""
        cfg = Cfg(body)
        wanted = [x for x in cfg.loops if self._loops is None or cfg.blocks[x.head].origin in self._loops]
        outer = {parent.head for x in wanted for parent in _around(x)}
        return next((x for x in wanted if x.head not in outer), None)

    def changed(self, statements: Iterable[Statement]) -> dict[Var, None]:
        """The variables that statements may change."""
        found: dict[Var, None] = {}
        for statement in statements:
            found.update(dict.fromkeys(assigned(statement)))
            for call in calls_in(statement):
                called = self._copied_from.get(call.procedure, call.procedure)
                found.update(dict.fromkeys(self._changes[called].modifies))
        return found

    def holding(self, statement: Statement) -> Statement:
        """A statement on executions on which nothing fails in it."""
        if isinstance(statement, Assert):
            return Assume(statement.condition, statement.attributes, statement.origin)
        if isinstance(statement, Call) and self._may_fail(statement.procedure):
            if statement.procedure not in self._holding:
                copy = self._holding[statement.procedure] = self._names(statement.procedure)
                self._copied_from[copy] = statement.procedure
            return replace(statement, procedure=self._holding[statement.procedure])
        return statement

    def _may_fail(self, name: str) -> bool:
        given = self._given.procedure_named.get(name)  # there is none for copies in which nothing fails
        return given is not None and bool(given.implementations)

    def _copied(self, procedure: Procedure) -> Procedure:
        def block(given: Block) -> Block:
            return replace(given, statements=tuple(map(self.holding, given.statements)))

        bodies = tuple(
            replace(i, blocks=tuple(map(block, i.blocks)), attributes=_without_entry(i.attributes))
            for i in procedure.implementations
        )
        attributes = _without_entry(procedure.attributes)
        return replace(procedure, name=self._holding[procedure.name], implementations=bodies, attributes=attributes)


class _Unwinding:
    """One loop of a body, of which there are 2k + 1 copies afterwards. The first has the labels of the loop, so that
    jumps to it need not change."""

    def __init__(self, inductive: _Inductive, body: Implementation, loop: Loop, names: FreshNames) -> None:
        self._inductive = inductive
        self._body = body
        self._loop = loop
        self._inside = set(loop.body)
        self._blocks = {b.label: b for b in body.blocks}
        self._labels = FreshNames(self._blocks)
        self._names = names

    def result(self) -> Implementation:
        k, loop = self._inductive.k, self._loop
        first = [{label: label for label in loop.body}, *(self._fresh() for _ in range(k - 1))]
        then, last = [self._fresh() for _ in range(k)], self._fresh()
        middle = self._labels(loop.head)
        heads = [labels[loop.head] for labels in (*first[1:],)] + [middle]
        new = {b.label: b for labels, head in zip(first, heads, strict=True) for b in self._copy(labels, head)}
        any_state, fresh = self._any_state(middle, then[0][loop.head])
        new[middle] = any_state
        heads = [labels[loop.head] for labels in (*then[1:], last)]
        for labels, head in zip(then, heads, strict=True):
            new.update((b.label, b) for b in self._copy(labels, head, holding=True))
        new.update((b.label, b) for b in self._copy(last, None))
        blocks: list[Block] = []
        for block in self._body.blocks:
            if block.label not in self._inside:
                blocks.append(block)
            elif block.label == loop.head:
                blocks += new.values()
        return replace(self._body, locals=(*self._body.locals, *fresh), blocks=tuple(blocks))

    def _fresh(self) -> dict[str, str]:
        return {label: self._labels(label) for label in self._loop.body}

    def _copy(self, labels: Mapping[str, str], head: str | None, *, holding: bool = False) -> Iterator[Block]:
        """A copy of the loop that goes on at some head, or nowhere; if nothing fails, the loop is not left either."""
        for label in self._loop.body:
            block = self._blocks[label]
            targets = []
            for target in block.successors:
                if target == self._loop.head:
                    targets += [] if head is None else [head]
                elif target in self._inside:
                    targets.append(labels[target])
                elif not holding:
                    targets.append(target)
            statements = tuple(map(self._inductive.holding, block.statements)) if holding else block.statements
            yield with_successors(replace(block, label=labels[label], statements=statements), tuple(targets))

    def _any_state(self, label: str, head: str) -> tuple[Block, list[VarDecl]]:
        """A block after which all that the loop changes is arbitrary, whatever is declared of it."""
        origin = self._blocks[self._loop.head].origin.by(MADE)
        statements = (s for inner in self._loop.body for s in self._blocks[inner].statements)
        changed = list(self._inductive.changed(statements))
        fresh = [VarDecl(local_var(self._names(var.name), var.type)) for var in changed]
        values = tuple(declared.var for declared in fresh)
        chosen = (Havoc(values, origin=origin), Assign(tuple(changed), values, origin=origin)) if changed else ()
        return Block(label, chosen, Goto((head,), origin=origin), origin), fresh


def _without_entry(attributes: tuple[Attribute, ...]) -> tuple[Attribute, ...]:
    """Attributes of a copy, which is not where the program starts."""
    return tuple([a for a in attributes if a.name != "entrypoint"])


def _around(loop: Loop) -> Iterator[Loop]:
    while loop.parent is not None:
        loop = loop.parent
        yield loop


@frozen
class Induction:
    """The pass `induction`."""

    name: ClassVar[str] = "induction"
    summary: ClassVar[str] = "loops by k-induction: without assertions that fail, there are none in the program"

    k: int = 1

    def __call__(self, program: Program) -> Program:
        return induction(program, self.k)
