"""All assertions are lifted to the entry procedure (deep-asserts paper, §V, Fig. 4, for sequential programs).

    implementation main()                      implementation main()
    {                                          {
      start: call P(1); call P(2); return;       var P.x: int;
    }                                            start:   goto start#1, start#2;
                                                 start#1: P.x := 1; goto P;
                                                 start#2: call P(1); P.x := 2; goto P;
                                                 P:       goto P.start;
                                                 P.start: assert P.x > 0; assume false; return;
                                               }
    implementation P(x: int)                   implementation P(x: int)
    {                                          {
      start: assert x > 0; g := x; return;       start: assume x > 0; g := x; return;
    }                                          }

A call of a procedure that can fail returns, or it is the last one that the execution makes (see `split_failures.py`).
Nothing comes back from a last call, so there is a jump in its place, to one copy of the body for all of them. Only the
last iteration of a loop can fail (see `last_iteration.py`). Recursion that ends in a failure is a loop through copies
of bodies; it becomes a procedure that leads to the activation that fails:

    procedure {:recursion "P"} main_loop_P(…) returns (…);

Copies of blocks and variables say what they are copies of, so that the way back to the program before can be found.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from paddock.frozen import frozen, replace
from paddock.ir.build import eq, int_lit
from paddock.ir.callgraph import CallGraph
from paddock.ir.entry import entry_name
from paddock.ir.expr import Attribute, Expr, Var
from paddock.ir.graph import strongly_connected_components
from paddock.ir.names import FreshNames
from paddock.ir.origin import Copy, Made, Role
from paddock.ir.program import Implementation, Procedure, Program, VarDecl, local_var
from paddock.ir.rewriting import map_expressions, relabelled, substituting, variables_in, with_snapshots
from paddock.ir.stmt import Assert, Assign, Assume, Block, Call, Goto, Havoc, Statement
from paddock.ir.types import INT
from paddock.passes.extract_loops import extract_loops
from paddock.passes.last_iteration import failing_last
from paddock.passes.merge_implementations import merge_implementations
from paddock.passes.split_failures import Split, only_failing, require_sequential, split

_NAME = "deep-asserts"
_NEW = Made(_NAME, Role.NEW_BLOCK)


def deep_asserts(program: Program) -> Program:
    """The program with assertions in the entry only, and not in its loops. Contracts are spelled out first."""
    divided = split(merge_implementations(program))
    program, entry = divided.program, entry_name(divided.program)
    absorption = _Absorption(divided, entry)
    body = _trimmed(failing_last(absorption.body(), entry, _NAME))
    absorbed = set(divided.failing.values())
    kept = tuple(p for p in program.procedures if p.name not in absorbed)
    with_body = replace(program, procedures=tuple(_with_body(p, body) if p.name == entry else p for p in kept))
    return _with_recursion_apart(with_body, entry, absorption.recursion) if absorption.recursion else with_body


def _with_body(procedure: Procedure, body: Implementation) -> Procedure:
    return replace(procedure, implementations=(body,))


def _trimmed(body: Implementation) -> Implementation:
    """The body of the entry without what does not lead to an assertion."""
    return only_failing(body, lambda statement: isinstance(statement, Assert))


@frozen
class _Copy:
    """A procedure that only fails, as part of the entry: how its variables and blocks are called there, and where it
    starts. `recursion` is the loop that it belongs to, and its number among the procedures there."""

    home: str
    procedure: Procedure
    variables: Mapping[Var, Var]
    labels: Mapping[str, str]
    start: str
    recursion: _Recursion | None
    number: int


@frozen
class _Recursion:
    """Procedures that call each other, and the block that all calls of them lead to. With several, `next` says which
    of them is called."""

    head: str
    homes: tuple[str, ...]
    next: Var | None


class _Absorption:
    """The entry while it takes in the bodies of procedures that only fail."""

    def __init__(self, divided: Split, entry: str) -> None:
        program = divided.program
        self.entry = program.procedure_named[entry]
        body = self.entry.body
        assert body is not None
        self.implementation = body
        home = {failing: name for name, failing in divided.failing.items()}
        copied = [p for p in program.procedures if p.name in home]
        taken = {v.name for p in (self.entry, *copied) for v in variables_in(p)}
        self.names = FreshNames(taken.union(program.top_level_names()))
        self.labels = FreshNames(b.label for b in body.blocks)
        self.recursion: dict[str, _Recursion] = {}  # by the label of the head
        self.copies: dict[str, _Copy] = {}
        calls = CallGraph(program).callees
        graph = {p.name: [c for c in calls[p.name] if c in home] for p in copied}
        for component in reversed(strongly_connected_components(graph)):  # callers first
            recursive = len(component) > 1 or component[0] in graph[component[0]]
            starts = {name: self.labels(home[name]) for name in component}
            recursion = self._recursion([home[n] for n in component], starts[component[0]]) if recursive else None
            for number, name in enumerate(component):
                procedure = program.procedure_named[name]
                self.copies[name] = self._copy(home[name], procedure, starts[name], recursion, number)

    def _recursion(self, homes: Sequence[str], start: str) -> _Recursion:
        several = len(homes) > 1
        head = self.labels(f"{homes[0]}.recursion") if several else start
        selector = local_var(self.names(f"{homes[0]}.next"), INT) if several else None
        recursion = self.recursion[head] = _Recursion(head, tuple(homes), selector)
        return recursion

    def _copy(self, home: str, procedure: Procedure, start: str, recursion: _Recursion | None, number: int) -> _Copy:
        body = procedure.body
        assert body is not None
        declared = (*procedure.params, *body.locals)
        variables = {d.var: replace(d.var, name=self.names(f"{home}.{d.name}")) for d in declared}
        labels = {b.label: self.labels(f"{home}.{b.label}") for b in body.blocks}
        return _Copy(home, procedure, variables, labels, start, recursion, number)

    def body(self) -> Implementation:
        """The body of the entry with all that it may jump to."""
        locals_ = list(self.implementation.locals)
        blocks = [self._with_jump(b) for b in self.implementation.blocks]
        for recursion in self.recursion.values():
            if recursion.next is not None:
                origin = self.entry.origin.by(_NEW)
                locals_.append(VarDecl(recursion.next, origin=origin))
                members = (c.start for c in self.copies.values() if c.recursion is recursion)
                blocks.append(Block(recursion.head, (), Goto(tuple(members), origin=origin), origin))
        for copy in self.copies.values():
            locals_ += self._absorb(copy, blocks)
        return replace(self.implementation, locals=tuple(locals_), blocks=tuple(blocks))

    def _absorb(self, copy: _Copy, blocks: list[Block]) -> list[VarDecl]:
        """Add the blocks of a copy; returns its variables."""
        body = copy.procedure.body
        assert body is not None
        renamed = substituting(copy.variables)
        snapshots: dict[Var, Var] = {}
        done: dict[Expr, Expr] = {}

        def snapshot(var: Var) -> Var:
            if var not in snapshots:
                snapshots[var] = local_var(self.names(f"{copy.home}.old_{var.name}"), var.type)
            return snapshots[var]

        def moved(block: Block) -> Block:
            new = map_expressions(block, lambda e: renamed(with_snapshots(e, snapshot, done)))
            new = replace(relabelled(new, copy.labels), origin=block.origin.by(Copy(copy.home, block.label)))
            return self._with_jump(new)

        inside = [moved(b) for b in body.blocks]
        declared = [
            replace(map_expressions(d, renamed), origin=d.origin.by(Copy(copy.home, d.name)))
            for d in (*copy.procedure.params, *body.locals)
        ]
        origin = copy.procedure.origin.by(Copy(copy.home))
        blocks.append(
            Block(copy.start, self._starting(copy, body, snapshots), Goto((inside[0].label,), origin=origin), origin)
        )
        blocks += inside
        return declared + [VarDecl(v, origin=origin.by(_NEW)) for v in snapshots.values()]

    def _starting(self, copy: _Copy, body: Implementation, snapshots: Mapping[Var, Var]) -> tuple[Statement, ...]:
        """What is done where a copy starts: its locals become arbitrary, and what `old` refers to is kept."""
        origin = copy.procedure.origin.by(_NEW)
        statements: list[Statement] = []
        if copy.recursion is not None and copy.recursion.next is not None:
            statements.append(Assume(eq(copy.recursion.next, int_lit(copy.number)), origin=origin))
        if body.locals:
            statements.append(Havoc(tuple(copy.variables[d.var] for d in body.locals), origin))
        if snapshots:
            statements.append(Assign(tuple(snapshots.values()), tuple(snapshots), origin=origin))
        return tuple(statements)

    def _with_jump(self, block: Block) -> Block:
        """The block with a jump in place of a last call."""
        match block.statements:
            case (*before, Call() as call) if call.procedure in self.copies:
                copy = self.copies[call.procedure]
            case _:
                return block
        origin = call.origin.by(_NEW)
        targets = [copy.variables[p.var] for p in copy.procedure.params]
        values = list(call.args)
        target = copy.start
        if copy.recursion is not None:
            target = copy.recursion.head
            if copy.recursion.next is not None:
                targets.append(copy.recursion.next)
                values.append(int_lit(copy.number))
        if targets:
            before.append(Assign(tuple(targets), tuple(values), origin=origin))
        return Block(block.label, tuple(before), Goto((target,), origin=origin), block.origin)


def _with_recursion_apart(program: Program, entry: str, recursion: Mapping[str, _Recursion]) -> Program:
    """The program whose entry has no loops. Those that stand for recursion say so: they are bounded as that is."""
    bodies = {p.name: p.implementations for p in program.procedures if p.name != entry}
    stubs = (replace(p, implementations=()) if p.name in bodies else p for p in program.procedures)

    def restored(procedure: Procedure) -> Procedure:
        if procedure.name in bodies:
            return replace(procedure, implementations=bodies[procedure.name])
        if procedure.name == entry:
            return _with_body(procedure, _trimmed(procedure.implementations[0]))
        match procedure.attributes:
            case (Attribute("loop", (_, str(head))),) if head in recursion:
                return replace(procedure, attributes=_recursion_attributes(program, recursion[head]))
            case _:
                return procedure

    extracted = extract_loops(replace(program, procedures=tuple(stubs)))
    return replace(program, procedures=tuple(map(restored, extracted.procedures)))


def _recursion_attributes(program: Program, recursion: _Recursion) -> tuple[Attribute, ...]:
    homes = [program.procedure_named[home] for home in recursion.homes]
    deeper = (a for home in homes for a in home.attributes if a.name == "SIextraRecBound")
    return (Attribute("recursion", recursion.homes), *deeper)


@frozen
class DeepAsserts:
    """The pass `deep-asserts`."""

    name: ClassVar[str] = "deep-asserts"
    summary: ClassVar[str] = "all assertions in the entry procedure, outside loops"

    def __call__(self, program: Program) -> Program:
        require_sequential(program)
        return deep_asserts(program)
