"""A region as a program of its own (Akhundov et al., Verification by Gambling on Program Slices, §2 and §4.1).

    procedure main()                            procedure main_region_head()
    {                                           {
      var i, s: int;                              var i, s: int;
      start: i := 0; s := 0; goto head;           region: goto head;
      head:  goto body, done;            becomes  head:   goto body;
      body:  assume i < 9; i := i + 1;            body:   assume i < 9; i := i + 1;
             assert i > 0; goto head;                     assert i > 0; return;
      done:  return;                            }
    }

Its variables are arbitrary at its head, jumps back to the head and out of the region end the run. A procedure is one as
it stands, called with arbitrary arguments that satisfy its preconditions in an arbitrary state.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, count
from types import MappingProxyType
from typing import TypeVar

from paddock.engines.regions.tree import Region
from paddock.frozen import frozen, replace
from paddock.ir.entry import with_entry
from paddock.ir.expr import Attribute, Expr, Scope, Var
from paddock.ir.names import FreshNames
from paddock.ir.origin import NOWHERE, AssertionId, Made, Origin, Role
from paddock.ir.program import Implementation, Procedure, Program, VarDecl, local_var
from paddock.ir.rewriting import (
    assuming,
    declared_in,
    map_expressions,
    variables_in,
    with_prologue,
    with_snapshots,
)
from paddock.ir.stmt import Assert, Assume, Block, Goto, Havoc, Return, Statement
from paddock.passes.prune import prune

LABEL = "region"
EXTRACTED = Made("regions")  # all that is added here
CANDIDATE = Made("regions", Role.CANDIDATE, "candidate")  # these are numbered
S = TypeVar("S", bound=Statement)


def extracted(program: Program, region: Region, known: Iterable[Statement] = ()) -> Program:
    """The program that starts at the head of a region, after what is `known` has been assumed and assigned, and ends
    where it is left."""
    procedure = program.procedure_named[region.procedure]
    known = _visible(program, procedure, known)
    if region.head is None:
        return prune(with_entry(_with_requirements(program, procedure, known), procedure.name))
    return _starting_in(program, _LoopProcedure(program, procedure, region).running_once(known))


@frozen
class Cut:
    """A loop in a loop, as if it had run for some time: it may have done anything to the variables that it writes.
    Candidates for its invariants are assumed then, and claimed where it starts and where it would start again."""

    written: tuple[Var, ...]
    candidates: tuple[Expr, ...] = ()


def inductive(
    program: Program,
    region: Region,
    inner: Mapping[Region, Cut],
    known: Iterable[Statement],
    on_entry: Iterable[Statement],
    candidates: Iterable[Expr],
) -> tuple[Program, Program, Program]:
    """A loop as it is taken out, with candidates for invariants as assumptions at its head and at those of loops in it,
    which are cut; and the programs in which the candidates are asserted where the loop is entered, after `on_entry`,
    and after an iteration. In the last one, calls do whatever their contracts allow."""
    procedure = program.procedure_named[region.procedure]
    known, on_entry = _visible(program, procedure, known), _visible(program, procedure, on_entry)
    numbers, guessed = count(1), region.origin.by(CANDIDATE)
    which = guessed.identity()

    def guesses(conditions: Iterable[Expr]) -> list[Assume]:
        made = [Assume(c, origin=guessed.asserting(replace(which, nth=next(numbers)))) for c in conditions]
        return _visible(program, procedure, made)

    own = guesses(candidates)
    cuts = {r: (cut.written, guesses(cut.candidates)) for r, cut in inner.items()}
    guessing = _LoopProcedure(program, procedure, region, cuts).running_once((*known, *own))
    loop = _LoopProcedure(program, assuming(procedure), region, cuts)
    entry, step = loop.claiming(on_entry, own), loop.running_once((*known, *own), own)
    bodiless = replace(program, procedures=tuple(replace(p, implementations=()) for p in program.procedures))
    return _starting_in(program, guessing), _starting_in(bodiless, entry), _starting_in(bodiless, step)


def is_candidate(source: AssertionId) -> bool:
    return source.role == str(CANDIDATE)


def without_candidates(program: Program, dropped: Collection[AssertionId]) -> Program:
    """The program that neither assumes nor asserts some candidates."""

    def block(b: Block) -> Block:
        return replace(b, statements=tuple(s for s in b.statements if s.origin.identity() not in dropped))

    return _with_blocks(program, block)


def _visible(program: Program, procedure: Procedure, statements: Iterable[S]) -> list[S]:
    """The statements on variables that the procedure can name."""
    visible = {d.var for d in (*program.globals, *declared_in(procedure))}
    fixed = (Scope.CONST, Scope.BOUND)
    return [s for s in statements if all(v in visible or v.scope in fixed for v in variables_in(s))]


def _starting_in(program: Program, procedure: Procedure) -> Program:
    return prune(with_entry(replace(program, procedures=(*program.procedures, procedure)), procedure.name))


def assuming_known(program: Program, known: Collection[AssertionId]) -> Program:
    """The program that assumes those assertions that are known to hold; the same object if there are none."""
    holding = set(known)

    def statement(s: Statement) -> Statement:
        if isinstance(s, Assert) and s.origin.identity() in holding:
            return Assume(s.condition, origin=s.origin.by(EXTRACTED))
        return s

    if not holding:
        return program
    return _with_blocks(program, lambda b: replace(b, statements=tuple(map(statement, b.statements))))


def with_judged(program: Program, ids: Mapping[AssertionId, str], *, assume_others: bool) -> Program:
    """The program with those assertions that have ids, under these. The others are assumptions, or left out."""

    def statements(block: Block) -> Iterable[Statement]:
        for statement in block.statements:
            if not isinstance(statement, Assert):
                yield statement
                continue
            given = ids.get(statement.origin.identity())
            if given is not None:
                others = tuple(a for a in statement.attributes if a.name != "id")
                yield replace(statement, attributes=(Attribute("id", (given,)), *others))
            elif assume_others:
                yield Assume(statement.condition, origin=statement.origin.by(EXTRACTED))

    return _with_blocks(program, lambda block: replace(block, statements=tuple(statements(block))))


def _with_blocks(program: Program, f: Callable[[Block], Block]) -> Program:
    def with_body(procedure: Procedure) -> Procedure:
        bodies = (replace(i, blocks=tuple(map(f, i.blocks))) for i in procedure.implementations)
        return replace(procedure, implementations=tuple(bodies))

    return replace(program, procedures=tuple(map(with_body, program.procedures)))


def _with_requirements(program: Program, procedure: Procedure, known: Iterable[Statement]) -> Program:
    """The program in which what is known comes first where a procedure starts."""
    body = procedure.body
    assert body is not None
    assumed = with_prologue(body, _made_here(known, procedure.origin.by(EXTRACTED)))
    new = replace(procedure, implementations=(assumed,))
    return replace(program, procedures=tuple(new if p is procedure else p for p in program.procedures))


def _made_here(known: Iterable[Statement], origin: Origin) -> tuple[Statement, ...]:
    return tuple(replace(s, origin=origin) if s.origin == NOWHERE else s for s in known)


class _LoopProcedure:
    """A procedure that is made of the body of a loop. The loops `inner` in it are cut: given are the variables that
    they write, and what is assumed afterwards."""

    def __init__(
        self,
        program: Program,
        procedure: Procedure,
        region: Region,
        inner: Mapping[Region, tuple[Sequence[Var], Sequence[Assume]]] = MappingProxyType({}),
    ) -> None:
        body = procedure.body
        assert body is not None and region.head is not None
        self.program, self.procedure, self.region = program, procedure, region
        self.head = region.head
        self.origin = region.origin.by(EXTRACTED)
        self.declared = [d.var for d in (*procedure.params, *procedure.results, *body.locals)]
        self.labels = FreshNames(region.blocks)
        inside = set(region.blocks)
        self._blocks = [block for block in body.blocks if block.label in inside]
        self._successors = {b.label: [t for t in b.successors if t in inside] for b in self._blocks}
        self._inner = {
            r.head: (set(r.blocks), tuple(written), assumed) for r, (written, assumed) in inner.items() if r.head
        }
        self._taken = FreshNames(v.name for v in variables_in(procedure))
        self._snapshots: dict[Var, Var] = {}
        self._without_old: dict[Expr, Expr] = {}

    def claiming(self, known: Iterable[Statement], guesses: Sequence[Assume]) -> Procedure:
        """The procedure that claims what is guessed where the loop is entered, in a state of which something is
        known."""
        claims = self._claims(guesses)
        return self._made([self._block(LABEL, known, *(block.label for block in claims)), *claims])

    def running_once(self, known: Iterable[Statement], guesses: Sequence[Assume] | None = None) -> Procedure:
        """The procedure that runs the body of the loop from a state of which something is known. If there are guesses,
        claims what is guessed wherever a loop starts again, and where one inside starts."""
        start = self._block(LABEL, known, self.head)
        claims: dict[str, list[Block]] = {}
        if guesses is not None:
            claims = {head: self._claims(assumed) for head, (_, _, assumed) in self._inner.items()}
            claims[self.head] = self._claims(guesses)
        return self._made([start, *self._iteration(claims), *chain.from_iterable(claims.values())])

    def _claims(self, guesses: Sequence[Assume]) -> list[Block]:
        """Blocks that claim what is guessed, each without regard to the others: one that fails must not make others
        true."""
        return [self._block("claim", (Assert(guess.condition, origin=guess.origin),)) for guess in guesses]

    def _block(self, label: str, statements: Iterable[Statement], *targets: str) -> Block:
        transfer = Goto(targets, origin=self.origin) if targets else Return(origin=self.origin)
        return Block(self.labels(label), _made_here(statements, self.origin), transfer, self.origin)

    def _iteration(self, claims: Mapping[str, Sequence[Block]]) -> list[Block]:
        """The blocks of the loop. Jumps out of it end the run; so do jumps back to a head, but for what is claimed
        there."""

        def targets(label: str) -> Iterator[str]:
            for target in self._successors[label]:
                yield from (block.label for block in claims.get(target, ()))
                if not self._jumps_back(label, target):
                    yield target

        def within(block: Block) -> Block:
            inside = tuple(dict.fromkeys(targets(block.label)))
            origin = block.transfer.origin
            transfer = Goto(inside, origin=origin) if inside else Return(origin=origin)
            _, written, assumed = self._inner.get(block.label, (None, (), ()))
            forgetting = (Havoc(written, self.origin),) if written else ()
            return replace(block, statements=(*forgetting, *assumed, *block.statements), transfer=transfer)

        return [within(block) for block in self._blocks]

    def _jumps_back(self, label: str, target: str) -> bool:
        """Whether a jump goes back to the head of the loop, or of one that is cut."""
        return target == self.head or (target in self._inner and label in self._inner[target][0])

    def _made(self, blocks: Iterable[Block]) -> Procedure:
        blocks = [map_expressions(block, self._at_entry) for block in blocks]
        mentioned = variables_in(*blocks)
        own = [var for var in (*self.declared, *self._snapshots.values()) if var in mentioned]
        return Procedure(
            FreshNames(self.program.top_level_names())(f"{self.procedure.name}_region_{self.head}"),
            modifies=self.procedure.modifies,
            implementations=(
                Implementation(tuple(VarDecl(v, origin=self.origin) for v in own), tuple(blocks), origin=self.origin),
            ),
            attributes=(Attribute("region", (self.procedure.name, self.head)),),
            origin=self.origin,
        )

    def _at_entry(self, expr: Expr) -> Expr:
        return with_snapshots(expr, self._snapshot, self._without_old)

    def _snapshot(self, var: Var) -> Var:
        """What a global was when the procedure started: anything, but the same wherever it is asked for."""
        if var not in self._snapshots:
            self._snapshots[var] = local_var(self._taken(f"old_{var.name}"), var.type)
        return self._snapshots[var]
