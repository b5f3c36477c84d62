"""Every place where threads may be switched becomes a `yield`, in the language of the deep-asserts paper (§IV).

    x := 1; y := y + 1; t := t + 1;                  x := 1; yield; y := y + 1; t := t + 1;
    async call P(y);                        →        yield; async call {:switch} P(y);
    call corral_atomic_begin();                      yield;
    y := 0; y := 1;                                  y := 0; y := 1;
    call corral_atomic_end();

where y is shared and neither x nor t is. In a program without `yield`, threads are preempted before each statement
that touches a shared global (see `sharing.py`), outside atomic sections; what touches no shared global commutes with
all that other threads do. `{:switch}` says that a new thread may run before its creator goes on. In a program with
`yield`, threads are switched there only; a `yield` that nothing can come of is left out. In how many atomic sections
a thread is, is kept in a variable where it is not known otherwise. Numbers of threads, `par` and waiting for
threads are spelled out (see `thread_identity.py`).

Where an asynchronous call is marked `{:accesses}`, each access to a shared global is a step of its own in all threads
(see `single_accesses.py`).

A program that starts no thread has no `yield` afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from paddock.analysis.atomicity import BEGIN, BEGINNINGS, END, NESTED_BEGIN, OUTSIDE, SECTIONS, Atomicity, States
from paddock.analysis.commitment import Commitment
from paddock.analysis.sharing import Access, Sharing
from paddock.frozen import frozen, replace
from paddock.ir.build import arith, eq, int_lit, not_
from paddock.ir.entry import entry_name
from paddock.ir.expr import Attribute, Expr, Op, Var
from paddock.ir.names import FreshNames
from paddock.ir.origin import Origin
from paddock.ir.program import Implementation, Procedure, Program, VarDecl, global_var, is_marked
from paddock.ir.rewriting import variables_in, with_prologue
from paddock.ir.stmt import Assign, Assume, Block, Call, Goto, ParCall, Return, Statement, Transfer, Yield
from paddock.ir.threads import ACCESSES, THREAD_LOCAL, has_threads, is_unswitched, statements_in
from paddock.ir.types import INT
from paddock.passes.infer_modifies import infer_modifies
from paddock.passes.single_accesses import single_accesses
from paddock.passes.thread_identity import HELPER, Locals, ThreadIdentity

_NAME = "explicit-yields"
YIELD = "corral_yield"


def explicit_yields(program: Program, preemptive: bool | None = None) -> Program:
    """The program with all switches of threads as `yield` or `{:switch}`. None: threads are preempted if there is no
    `yield`."""
    if not has_threads(program):
        return _without_yields(program)
    if preemptive is None:
        preemptive = not any(_is_yield(s) for p in program.procedures for s in statements_in(p))
    rewriting = _Rewriting(program, preemptive, has_flag=False)
    explicit = rewriting.program()
    # Whether the flag is needed is known when all bodies have been looked at.
    return _Rewriting(program, preemptive, has_flag=True).program() if rewriting.needs_flag else explicit


def _is_yield(statement: Statement) -> bool:
    return isinstance(statement, Yield) or (isinstance(statement, Call) and statement.procedure == YIELD)


def _without_yields(program: Program) -> Program:
    def block(b: Block) -> Block:
        kept = tuple(s for s in b.statements if not isinstance(s, Yield))
        return b if len(kept) == len(b.statements) else replace(b, statements=kept)

    def procedure(p: Procedure) -> Procedure:
        if not any(isinstance(s, Yield) for s in statements_in(p)):
            return p
        bodies = tuple(replace(i, blocks=tuple(map(block, i.blocks))) for i in p.implementations)
        return replace(p, implementations=bodies)

    procedures = tuple(map(procedure, program.procedures))
    if all(new is old for new, old in zip(procedures, program.procedures, strict=True)):
        return program
    return replace(program, procedures=procedures)


class _Rewriting:
    def __init__(self, program: Program, preemptive: bool, has_flag: bool) -> None:
        self._program = program
        self._preemptive = preemptive
        self._entry = entry_name(program)
        self._sharing = Sharing(program)
        self._atomicity = Atomicity(program, self._sharing.roots)
        unswitched = frozenset(g.var for g in program.globals if is_unswitched(g))
        self._unswitched = unswitched
        self._switched = self._sharing.shared - unswitched
        self._accesses = any(
            is_marked(s.attributes, ACCESSES)
            for p in program.procedures
            for s in statements_in(p)
            if isinstance(s, Call)
        )
        self._committed = Commitment(self._sharing, self._atomicity).places if preemptive else set()
        self._beside = frozenset[str]().union(*self._sharing.beside_others.values())
        taken = {v.name for p in program.procedures for v in variables_in(p)}
        self._fresh = FreshNames(taken.union(program.top_level_names()))
        # In how many atomic sections a thread is, where that must be known.
        self._flag = global_var(self._fresh("atomic"), INT) if has_flag else None
        cleared = (
            ()
            if self._flag is None
            else (Assign((self._flag,), (int_lit(0),), origin=_origin(self._program, self._entry)),)
        )
        self._identity = ThreadIdentity(program, self._fresh, cleared)
        self._untouched = _untouched(program, self._sharing)
        self.needs_flag = False

    def program(self) -> Program:
        procedures = tuple(map(self._procedure, self._program.procedures))
        procedures = self._identity.with_targets(procedures)
        globals_ = (*self._program.globals, *self._identity.globals, *self._flag_declaration())
        functions = (*self._program.functions, *self._identity.functions)
        return infer_modifies(replace(self._program, functions=functions, globals=globals_, procedures=procedures))

    def _flag_declaration(self) -> Iterator[VarDecl]:
        if self._flag is not None:
            yield VarDecl(self._flag, attributes=(Attribute(THREAD_LOCAL),), origin=_origin(self._program, self._entry))

    def _procedure(self, procedure: Procedure) -> Procedure:
        bodies = tuple(self._body(procedure, i) for i in procedure.implementations)
        if procedure.name == self._entry:
            start = self._identity.at_entry(procedure.origin)
            bodies = tuple(with_prologue(i, start) for i in bodies)
        return replace(procedure, implementations=bodies)

    def _body(self, procedure: Procedure, implementation: Implementation) -> Implementation:
        declared = (*procedure.params, *procedure.results, *implementation.locals)
        visible = {v.name for v in variables_in(implementation)}.union(d.name for d in declared)
        locals_ = Locals(FreshNames(visible.union(self._program.top_level_names())))
        labels = FreshNames(b.label for b in implementation.blocks)
        blocks: list[Block] = []
        for block in implementation.blocks:
            writing = _Writing(block, labels, blocks)
            for index, statement in enumerate(block.statements):
                states = self._atomicity.at(procedure.name, block.label, index)
                is_beside = self._is_beside(procedure.name, block.label, index)
                place = (procedure.name, block.label, index)
                if place in self._committed and self._sharing.access(statement).touched.isdisjoint(self._unswitched):
                    self._yield(statement.origin, states, writing)
                writing.is_fresh = place in self._untouched
                self._statement(statement, states, is_beside, writing, locals_)
            states = self._atomicity.at(procedure.name, block.label, len(block.statements))
            if (procedure.name, block.label, len(block.statements)) in self._committed:
                self._yield(block.transfer.origin, states, writing)
            elif isinstance(block.transfer, Return):
                is_beside = self._is_beside(procedure.name, block.label, len(block.statements))
                self._before(self._sharing.leaving(procedure), block.transfer.origin, states, is_beside, writing)
            writing.end(block.transfer)
        return replace(implementation, locals=(*implementation.locals, *locals_.declared), blocks=tuple(blocks))

    def _is_beside(self, procedure: str, label: str, index: int) -> bool:
        """Whether there may be other threads when a statement is executed."""
        if procedure == self._entry and self._sharing.alone:
            return (label, index) not in self._sharing.alone
        return procedure in self._beside

    def _statement(
        self, statement: Statement, states: States, is_beside: bool, writing: _Writing, locals_: Locals
    ) -> None:
        if _is_yield(statement):
            if not self._preemptive and is_beside:
                self._yield(statement.origin, states, writing, statement)
            return
        statement = self._with_loads_apart(statement, states, is_beside, writing, locals_)
        self._before(self._sharing.access(statement), statement.origin, states, is_beside, writing)
        match statement:
            case Call(procedure=name) if name in SECTIONS and not statement.asynchronous:
                if name in BEGINNINGS and self._preemptive and is_beside and self._sharing.shared:
                    self._yield(statement.origin, states, writing)
                if self._flag is not None:
                    sections = _sections_after(name, self._flag)
                    writing.add(Assign((self._flag,), (sections,), origin=statement.origin.by(HELPER)))
            case Call(asynchronous=True):
                writing.add(*self._identity.started(statement, self._preemptive and states == OUTSIDE))
            case ParCall():
                starting, waiting = self._identity.arms(statement, locals_)
                writing.add(*starting, *waiting)
            case Call():
                expanded = self._identity.primitive(statement)
                if expanded is not None:
                    writing.add(*expanded)
                else:
                    self._call(statement, states, is_beside, writing, locals_)
            case _:
                writing.add(statement)

    def _with_loads_apart(
        self, statement: Statement, states: States, is_beside: bool, writing: _Writing, locals_: Locals
    ) -> Statement:
        """The rest of a statement after its loads, if each is a step of its own."""
        if not (self._accesses and self._preemptive and is_beside and 0 in states):
            return statement

        def keep(term: Expr) -> Var:
            return locals_("read", term.type, statement.origin)

        loads, rest = single_accesses(statement, self._switched, keep)
        for load in loads:
            made = replace(load, origin=load.origin.by(HELPER).noted(0))
            self._before(self._sharing.access(made), load.origin, states, is_beside, writing)
            writing.add(made)
        return rest

    def _call(self, call: Call, states: States, is_beside: bool, writing: _Writing, locals_: Locals) -> None:
        """A call in the same thread. Results that go to shared globals are another access."""
        shared = [r for r in call.results if r in self._sharing.shared]
        if not (
            self._preemptive and shared and is_beside and self._program.procedure_named[call.procedure].implementations
        ):
            writing.add(call)
            return
        kept = {r: locals_(r.name, r.type, call.origin) for r in shared}
        writing.add(replace(call, results=tuple(kept.get(r, r) for r in call.results)))
        made = call.origin.by(HELPER)
        self._before(Access(writes=frozenset(shared)), call.origin, states, is_beside, writing)
        writing.add(Assign(tuple(kept), tuple(kept.values()), origin=made))

    def _before(self, access: Access, origin: Origin, states: States, is_beside: bool, writing: _Writing) -> None:
        """A switch before something that touches globals, if it matters."""
        if self._preemptive and is_beside and not access.touched.isdisjoint(self._switched):
            self._yield(origin, states, writing)
        writing.is_fresh = False

    def _yield(self, origin: Origin, states: States, writing: _Writing, given: Statement | None = None) -> None:
        """A switch, but for threads inside an atomic section."""
        if writing.is_switchable:
            return
        switch = given if isinstance(given, Yield) else Yield(origin=origin.by(HELPER))
        if states == OUTSIDE:
            writing.add(switch)
        elif 0 in states:
            self.needs_flag = True
            if self._flag is not None:
                writing.unless(self._flag, switch)


def _origin(program: Program, entry: str) -> Origin:
    """The origin of what is added for the whole program."""
    return program.procedure_named[entry].origin.by(HELPER)


class _Writing:
    """The blocks that a block of the source becomes."""

    def __init__(self, block: Block, labels: FreshNames, blocks: list[Block]) -> None:
        self._block = block
        self._labels = labels
        self._blocks = blocks
        self._label = block.label
        self._origin = block.origin
        self._statements: list[Statement] = []
        self.is_fresh = False

    @property
    def is_switchable(self) -> bool:
        """Whether another `yield` would be of no use: the last statement is one, or the thread has just started."""
        return self.is_fresh or (bool(self._statements) and isinstance(self._statements[-1], Yield))

    def add(self, *statements: Statement) -> None:
        self._statements += statements

    def unless(self, flag: Var, statement: Statement) -> None:
        """A statement that is executed if a variable is zero."""
        origin = statement.origin.by(HELPER)
        outside, inside, after = (self._labels(self._block.label) for _ in range(3))
        self.end(Goto((outside, inside), origin=origin))
        onward = Goto((after,), origin=origin)
        is_outside = eq(flag, int_lit(0))
        self._blocks.append(Block(outside, (Assume(is_outside, origin=origin), statement), onward, origin))
        self._blocks.append(Block(inside, (Assume(not_(is_outside), origin=origin),), onward, origin))
        self._label, self._statements, self._origin = after, [], origin

    def end(self, transfer: Transfer) -> None:
        self._blocks.append(Block(self._label, tuple(self._statements), transfer, self._origin))


def _sections_after(primitive: str, before: Var) -> Expr:
    """In how many atomic sections a thread is after it begins or ends one."""
    if primitive in (BEGIN, END):
        return int_lit(int(primitive == BEGIN))
    return arith(Op.ADD if primitive == NESTED_BEGIN else Op.SUB, before, int_lit(1))


def _untouched(program: Program, sharing: Sharing) -> frozenset[tuple[str, str, int]]:
    """Where a thread has touched nothing that is shared since it was started, the next statement included: it might as
    well start later. Only procedures that are not called otherwise are looked at."""
    statements = (s for p in program.procedures for s in statements_in(p))
    called = {s.procedure for s in statements if isinstance(s, Call) and not s.asynchronous}
    found: set[tuple[str, str, int]] = set()
    for root in sharing.roots[1:]:
        body = program.procedure_named[root].body
        if body is None or root in called or root == sharing.entry:
            continue
        block = body.blocks[0]
        if any(block.label in b.successors for b in body.blocks):
            continue
        for index, statement in enumerate(block.statements):
            found.add((root, block.label, index))
            touched = sharing.access(statement).touched
            if not touched.isdisjoint(sharing.shared) or isinstance(statement, Call | ParCall):
                break
    return frozenset(found)


@frozen
class ExplicitYields:
    """The pass `explicit-yields`."""

    preemptive: str = "auto"  # or yes, or no: whether threads are switched before all shared accesses
    name: ClassVar[str] = "explicit-yields"
    summary: ClassVar[str] = "all places where threads may be switched, as yield"

    def __call__(self, program: Program) -> Program:
        return explicit_yields(program, {"yes": True, "no": False}.get(self.preemptive))
