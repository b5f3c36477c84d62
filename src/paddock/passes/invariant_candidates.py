"""Candidate invariants at the heads of loops, for a proof to keep or to drop.

    start: x := 5; goto head;            start:  x := 5; goto before;
    head:  goto body, done;              before: x.start := x; goto head;
    body:  x := x + 8; goto head;        head:   assert keep ==> x & 7 == 5; … assume keep ==> x & 7 == 5; …

`keep` is an existential constant (see `candidates.py`). Whoever takes this for a proof finds a set of them for which no
assertion of the result fails, those of the candidates among them: then none of the program fails, and the candidates of
the set are invariants. What is guessed is in `analysis/invariants.py`. A candidate about all elements of an array is
asserted of an element with an arbitrary index and assumed of those that the loop reads: a first violation at any index
would be one at the arbitrary one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import ClassVar

from paddock.analysis.invariants import Clues, Guesses, Operations, clues, enumerated, indices_read
from paddock.analysis.value_tuples import tuples_at
from paddock.frozen import frozen, replace
from paddock.ir.build import TRUE, implies
from paddock.ir.cfg import Cfg, Loop
from paddock.ir.expr import Attribute, Expr, Scope, Var
from paddock.ir.modref import assigned, mod_ref
from paddock.ir.names import FreshNames
from paddock.ir.origin import AssertionId, Made, Origin, Role
from paddock.ir.program import Constant, Function, Implementation, Procedure, Program, VarDecl, local_var
from paddock.ir.rewriting import calls_in, declared_in, with_successors
from paddock.ir.stmt import Assert, Assign, Assume, Block, Goto, Statement
from paddock.ir.types import BOOL, Type
from paddock.ir.walk import substitute, variables
from paddock.passes.reducible import made_reducible

_NAME = "invariant-candidates"
_CANDIDATE = Made(_NAME, Role.CANDIDATE, "candidate")
_ROLE = "candidate invariant"


@frozen
class Claim:
    """A candidate: the procedure, the place of the loop, and the condition. If it `is_at_start`, it
    holds whenever the head is reached, else after what the head assumes first."""

    procedure: str
    origin: Origin
    condition: Expr
    is_at_start: bool


@frozen
class Invariants:
    """Candidates that hold, and the functions of the program that they are about."""

    claims: tuple[Claim, ...]
    functions: tuple[Function, ...]


@frozen
class Offered:
    """A program with candidates: the guard of each assertion that is one, and what each guard is for."""

    program: Program
    guards: dict[AssertionId, Var]
    claims: dict[Var, Claim]


def invariant_candidates(program: Program, loops: Iterable[Origin] | None = None, *, rich: bool = False) -> Offered:
    """The program with candidates for the loops whose heads are at some places, or for all."""
    return _Offering(program, None if loops is None else frozenset(loops), rich).offered()


class _Offering:
    """One rewriting."""

    def __init__(self, program: Program, loops: frozenset[Origin] | None, rich: bool) -> None:
        self._given = program
        self._loops = loops
        self._rich = rich
        self._operations = Operations(program)
        self._changes = mod_ref(program)
        declared = (d.name for p in program.procedures for d in declared_in(p))
        self._names = FreshNames({*declared, *program.top_level_names()})
        self._guards: dict[AssertionId, Var] = {}
        self._claimed: dict[Var, Claim] = {}
        self._elements: dict[Type, Var] = {}

    def offered(self) -> Offered:
        procedures = tuple(self._with_candidates(p) for p in self._given.procedures)
        mark = (Attribute("existential", (TRUE,)),)
        constants = [Constant(guard, attributes=mark) for guard in self._guards.values()]
        constants += map(Constant, self._elements.values())
        program = replace(
            self._given,
            procedures=procedures,
            constants=(*self._given.constants, *constants),
            functions=(*self._given.functions, *self._operations.new),
        )
        return Offered(program, self._guards, self._claimed)

    def _guarded(self, origin: Origin) -> tuple[Var, Origin]:
        """A new guard, and the origin of the assertion that it guards."""
        guard = Var(self._names("keep"), BOOL, Scope.CONST)
        identity = AssertionId(origin.file, origin.line, origin.column, _ROLE, len(self._guards) + 1)
        self._guards[identity] = guard
        return guard, origin.by(_CANDIDATE).asserting(identity)

    def _element(self, type_: Type) -> Var:
        """The arbitrary index of a type."""
        if type_ not in self._elements:
            self._elements[type_] = Var(self._names("element"), type_, Scope.CONST)
        return self._elements[type_]

    def _changed(self, statements: Iterable[Statement]) -> list[Var]:
        """The variables that statements may change."""
        found: dict[Var, None] = {}
        for statement in statements:
            found.update(dict.fromkeys(assigned(statement)))
            for call in calls_in(statement):
                found.update(dict.fromkeys(self._changes[call.procedure].modifies))
        return list(found)

    def _with_candidates(self, procedure: Procedure) -> Procedure:
        return replace(
            procedure, implementations=tuple(self._body(i, procedure.name) for i in procedure.implementations)
        )

    def _body(self, body: Implementation, procedure: str) -> Implementation:
        if not Cfg(body).loops:
            return body
        if not Cfg(body).is_reducible:
            body = made_reducible(body, procedure)
        cfg = Cfg(body)
        wanted = [x for x in cfg.loops if self._loops is None or cfg.blocks[x.head].origin in self._loops]
        known, labels = clues(body, self._operations), FreshNames(cfg.blocks)
        heads = [loop.head for loop in wanted]
        states = tuples_at(cfg.blocks, cfg.entry, heads, enumerated(known), lambda s: self._changed([s]))
        new = {x.head: self._loop(procedure, cfg, x, known, labels(x.head), states.get(x.head)) for x in wanted}
        into = {(entry, head): loop.blocks[0].label for head, loop in new.items() for entry in loop.entries}
        blocks = [b for block in body.blocks for b in (new[block.label].blocks if block.label in new else (block,))]
        return replace(
            body,
            locals=(*body.locals, *(VarDecl(var) for loop in new.values() for var in loop.starts)),
            blocks=tuple(_redirected(b, into) for b in blocks),
        )

    def _loop(
        self, procedure: str, cfg: Cfg, loop: Loop, known: Clues, before: str, states: Expr | None
    ) -> _WithCandidates:
        head = cfg.blocks[loop.head]
        starts: dict[Var, Var] = {}

        def start(var: Var) -> Var:
            if var not in starts:
                starts[var] = local_var(self._names(f"{var.name}.start"), var.type)
            return starts[var]

        inside = [s for label in loop.body for s in cfg.blocks[label].statements]
        guesses = Guesses(inside, self._changed(inside), known, self._operations, start, self._element)
        offered = guesses.rich() if self._rich else guesses.simple()
        offered = offered if states is None else [states, *offered]
        first = 1 if head.statements and isinstance(head.statements[0], Assume) else 0  # what a jump depends on
        is_at_start = not first or head.statements[0].origin.role is Role.FACT  # which holds anyway
        made_of = [Claim(procedure, head.origin, condition, is_at_start) for condition in offered]
        claims = self._claims(made_of, indices_read(inside), head.origin)
        statements = (*head.statements[:first], *claims, *head.statements[first:])
        made = head.origin.by(Made(_NAME, Role.NEW_BLOCK))
        kept = (Assign(tuple(starts.values()), tuple(starts), origin=made),) if starts else ()
        return _WithCandidates(
            (Block(before, kept, Goto((loop.head,), origin=made), made), replace(head, statements=statements)),
            tuple(starts.values()),
            tuple(p for p in cfg.predecessors[loop.head] if p not in loop.body),
        )

    def _claims(self, offered: Sequence[Claim], indices: Sequence[Expr], origin: Origin) -> Iterator[Statement]:
        """All candidates, asserted and then assumed."""
        assumed: list[Expr] = []
        for claim in offered:
            guess = claim.condition
            guard, place = self._guarded(origin)
            self._claimed[guard] = claim
            yield Assert(implies(guard, guess), origin=place)
            assumed.append(implies(guard, guess))
            for element in self._elements.values():
                if element in variables(guess):
                    assumed += (
                        implies(guard, substitute(guess, {element: index}))
                        for index in indices
                        if index.type is element.type
                    )
        for condition in assumed:
            yield Assume(condition, origin=origin.by(_CANDIDATE))


@frozen
class _WithCandidates:
    """The head of a loop with candidates and the block before it, the variables that have values from there, and the
    blocks from which the loop is entered."""

    blocks: tuple[Block, ...]
    starts: tuple[Var, ...]
    entries: tuple[str, ...]


def _redirected(block: Block, into: Mapping[tuple[str, str], str]) -> Block:
    targets = tuple(into.get((block.label, target), target) for target in block.successors)
    return block if targets == block.successors else with_successors(block, targets)


@frozen
class InvariantCandidates:
    """The pass `invariant-candidates`."""

    name: ClassVar[str] = "invariant-candidates"
    summary: ClassVar[str] = "candidate invariants at the heads of loops, with guards"

    rich: bool = False

    def __call__(self, program: Program) -> Program:
        return invariant_candidates(program, rich=self.rich).program
