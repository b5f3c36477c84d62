"""Executions in which all threads are blocked, as assertions that fail.

    assume !lock;                       goto on, blocked;
                                    on: assume !lock;
                               blocked: section { assume lock; stuck := stuck + 1; assert stuck != live; }
                                        assume stuck < 0;
    lock := false;                      lock := false; assume stuck == 0;
    async call P(x);                    live := live + 1; async call P(x);
    return;                             assume stuck == 0; live := live - 1; return;

A thread waits where it assumes something about globals that the program changes, while there may be others, and where
it joins threads. In a deadlock all threads come to such places one after the other: each says that it is blocked, and
stays there. What others write once a thread has said so might unblock it, so none goes on after that: nothing is
reported then. `live` is the number of threads that have not ended; where P is called by others, too, threads start in a
procedure that calls it.

An assumption after a write in its atomic section (or since the last `yield`, where threads are switched there only) is
none to wait at: it rules the execution out. So are those that say which way a branch goes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from paddock.analysis.atomicity import BEGIN, END, NESTED_BEGIN, NESTED_END, OUTSIDE, Atomicity
from paddock.analysis.sharing import Sharing
from paddock.frozen import frozen, replace
from paddock.ir.build import TRUE, arith, compare, eq, int_lit, ne, not_, select, store
from paddock.ir.entry import entry_name
from paddock.ir.expr import Attribute, Expr, Op, Var
from paddock.ir.names import FreshNames
from paddock.ir.origin import Diagnostic, InputError, Made, Origin, Role
from paddock.ir.program import Implementation, Procedure, Program, VarDecl, global_var, is_marked, local_var
from paddock.ir.rewriting import calls_in, declared_in, variables_in, with_prologue
from paddock.ir.stmt import Assert, Assign, Assume, Block, Call, Goto, Havoc, ParCall, Return, Statement, Yield
from paddock.ir.threads import ACCESSES, has_threads, statements_in
from paddock.ir.types import BOOL, INT, Map, Type
from paddock.passes.infer_modifies import infer_modifies
from paddock.passes.thread_identity import GET, JOIN, JOIN_ALL

KIND = "deadlock"
_MADE = Made("deadlock-assertions", Role.BOOKKEEPING)
_PARTITION = "partition"  # of an assumption: it says which way a branch goes


def deadlock_assertions(program: Program, preemptive: bool | None = None) -> Program:
    """The program in which it fails that all threads are blocked; `preemptive` as for the pass `explicit-yields`. A
    program whose accesses are steps has its own checks."""
    statements = [s for p in program.procedures for s in statements_in(p)]
    marked = (is_marked(s.attributes, ACCESSES) for s in statements if isinstance(s, Call))
    if not has_threads(program) or any(marked):
        return program
    several = next((s for s in statements if isinstance(s, ParCall)), None)
    if several is not None:
        raise InputError(Diagnostic("'par' is not supported with the check for deadlocks", several.origin))
    if preemptive is None:
        preemptive = not any(isinstance(s, Yield) for s in statements)
    return _Rewriting(program, preemptive).program()


class _Waits:
    """Where threads wait, and what may unblock them."""

    def __init__(self, program: Program, preemptive: bool) -> None:
        self.preemptive = preemptive
        self.sharing = Sharing(program)
        self.atomicity = Atomicity(program, self.sharing.roots)
        self._beside = frozenset[str]().union(*self.sharing.beside_others.values())
        statements = (s for p in program.procedures for s in statements_in(p))
        written = frozenset[Var]().union(*(self.sharing.access(s).writes for s in statements))
        self._changing = written - self.sharing.local

    def at(self, procedure: str, block: Block, index: int) -> Expr | None:
        """What a thread waits for at an assumption, if it does."""
        statement = block.statements[index]
        match statement:
            case Assume(condition=condition):
                touched = self.sharing.access(statement).touched
                if is_marked(statement.attributes, _PARTITION) or touched.isdisjoint(self._changing):
                    return None
                may_wait = self._is_beside(procedure, block.label, index) and self._has_not_begun(
                    procedure, block, index
                )
                return condition if may_wait else None
            case _:
                return None

    def _is_beside(self, procedure: str, label: str, index: int) -> bool:
        """Whether there may be other threads."""
        if procedure == self.sharing.entry and self.sharing.alone:
            return (label, index) not in self.sharing.alone
        return procedure in self._beside

    def _has_not_begun(self, procedure: str, block: Block, index: int) -> bool:
        """Whether a step that begins here, or before it in the block, has written nothing that others know."""
        states = self.atomicity.at(procedure, block.label, index)
        if self.preemptive and states == OUTSIDE:
            return True
        if 0 in states and states != OUTSIDE:
            return False
        for earlier in reversed(block.statements[:index]):
            is_start = isinstance(earlier, Yield) or (isinstance(earlier, Call) and earlier.procedure == BEGIN)
            if is_start:
                return isinstance(earlier, Yield) is (states == OUTSIDE)
            if isinstance(earlier, Call) or self.unblocks(earlier):
                return False
        return False

    def unblocks(self, statement: Statement) -> bool:
        return not self.sharing.access(statement).writes.isdisjoint(self._changing)


class _Rewriting:
    def __init__(self, program: Program, preemptive: bool) -> None:
        self.given = program
        self.waits = _Waits(program, preemptive)
        self.entry = entry_name(program)
        taken = {v.name for p in program.procedures for v in variables_in(p)}
        self.fresh = FreshNames(taken.union(program.top_level_names()))
        self.stuck, self.live = (global_var(self.fresh(name), INT) for name in ("stuck", "live"))
        join = program.procedure_named.get(JOIN)
        self.number: Type | None = join.params[0].var.type if join is not None and join.params else None
        self.done = None if self.number is None else global_var(self.fresh("done"), Map((self.number,), BOOL))
        statements = [s for p in program.procedures for s in statements_in(p)]
        started = {c.procedure for s in statements for c in calls_in(s) if c.asynchronous}
        called = {c.procedure for s in statements for c in calls_in(s) if not c.asynchronous}
        # Where the entry is called by others, too, its end is not that of the first thread: that is never counted down.
        with_body = {name for name in started if program.procedure_named[name].implementations}
        self.ending = (with_body - called - {self.entry}) | ({self.entry} - called - started)
        self.targets = {name: self.fresh(f"{name}_live") for name in sorted(started - self.ending)}

    def program(self) -> Program:
        procedures = [self._procedure(p) for p in self.given.procedures]
        procedures += [self._target(self.given.procedure_named[p], name) for p, name in self.targets.items()]
        known = self.given.procedure_named
        declared = [Procedure(name) for name in (NESTED_BEGIN, NESTED_END) if name not in known]
        if self.number is not None and GET not in known:
            declared.append(Procedure(GET, (), (VarDecl(local_var("t", self.number)),)))
        origin = self.given.procedure_named[self.entry].origin.by(_MADE)
        added = [self.stuck, self.live, *([self.done] if self.done is not None else [])]
        globals_ = (*self.given.globals, *(VarDecl(var, origin=origin) for var in added))
        return infer_modifies(replace(self.given, globals=globals_, procedures=(*procedures, *declared)))

    def _procedure(self, procedure: Procedure) -> Procedure:
        bodies = tuple(self._body(procedure, i) for i in procedure.implementations)
        if procedure.name == self.entry:
            made = procedure.origin.by(_MADE)
            start = Assign((self.stuck, self.live), (int_lit(0), int_lit(1)), origin=made)
            bodies = tuple(with_prologue(i, (start,)) for i in bodies)
        return replace(procedure, implementations=bodies)

    def _body(self, procedure: Procedure, body: Implementation) -> Implementation:
        labels = FreshNames(b.label for b in body.blocks)
        blocks: list[Block] = []
        ends = procedure.name in self.ending
        taken = {v.name for v in variables_in(body)}.union(d.name for d in declared_in(procedure))
        me = None if self.number is None or not ends else local_var(FreshNames(taken)("me"), self.number)
        for block in body.blocks:
            label, written = block.label, list[Statement]()
            for index, statement in enumerate(block.statements):
                awaited = self._awaited(procedure.name, block, index)
                if awaited is not None:
                    inside = self.waits.atomicity.at(procedure.name, block.label, index) != OUTSIDE
                    on, blocked = labels(f"{block.label}_on"), labels(f"{block.label}_blocked")
                    made = statement.origin.by(_MADE)
                    blocks.append(Block(label, tuple(written), Goto((on, blocked), origin=made), block.origin))
                    blocks.append(self._blocked(blocked, awaited, inside, statement.origin))
                    label, written = on, []
                written += self._statement(statement)
            if ends and isinstance(block.transfer, Return):
                written += self._end(me, block.transfer.origin)
            blocks.append(replace(block, label=label, statements=tuple(written)))
        more = () if me is None else (VarDecl(me, origin=procedure.origin.by(_MADE)),)
        return replace(body, locals=(*body.locals, *more), blocks=tuple(blocks))

    # --- waiting -----------------------------------------------------------------------------------

    def _awaited(self, procedure: str, block: Block, index: int) -> Expr | None:
        """What a thread waits for at a statement, if it does."""
        match block.statements[index]:
            case Call(procedure=name, args=(number,)) if name == JOIN and self.done is not None:
                return select(self.done, number)
            case Call(procedure=name) if name == JOIN_ALL:
                return eq(self.live, int_lit(1))
            case _:
                return self.waits.at(procedure, block, index)

    def _blocked(self, label: str, awaited: Expr, inside: bool, origin: Origin) -> Block:
        """A thread says that it is blocked, in one step, and stays there."""
        made = origin.by(_MADE)
        attributes = (Attribute("kind", (KIND,)), Attribute("msg", ("all threads are blocked",)))
        statements: list[Statement] = [] if inside else [Call(NESTED_BEGIN, (), (), origin=made)]
        statements += [
            Assume(not_(awaited), origin=made),
            Assign((self.stuck,), (arith(Op.ADD, self.stuck, int_lit(1)),), origin=made),
            Assert(ne(self.stuck, self.live), attributes, origin.by(Made(KIND, Role.CHECK))),
            Call(END if inside else NESTED_END, (), (), origin=made),
        ]
        if not self.waits.preemptive:
            statements.append(Yield(origin=made))
        statements.append(Assume(compare(Op.LT, self.stuck, int_lit(0)), origin=made))
        return Block(label, tuple(statements), Return(origin=made), made)

    def _statement(self, statement: Statement) -> Sequence[Statement]:
        made = statement.origin.by(_MADE)
        if isinstance(statement, Call) and statement.asynchronous:
            more = Assign((self.live,), (arith(Op.ADD, self.live, int_lit(1)),), origin=made)
            return more, replace(statement, procedure=self.targets.get(statement.procedure, statement.procedure))
        if isinstance(statement, Assign | Havoc | Call) and self.waits.unblocks(statement):
            return statement, self._none_is_stuck(made)
        return (statement,)

    def _none_is_stuck(self, made: Origin) -> Statement:
        return Assume(eq(self.stuck, int_lit(0)), origin=made)

    # --- threads -----------------------------------------------------------------------------------

    def _target(self, callee: Procedure, name: str) -> Procedure:
        """What a thread starts in: it calls what it is to run, and counts itself out."""
        made = callee.origin.by(_MADE)
        taken = {d.name for d in (*callee.params, *callee.results)}
        me = None if self.number is None else local_var(FreshNames(taken)("me"), self.number)
        args, results = (tuple(d.var for d in group) for group in (callee.params, callee.results))
        statements: list[Statement] = [Call(callee.name, args, results, free=True, origin=made)]
        statements += self._end(me, made)
        block = Block("start", tuple(statements), Return(origin=made), made)
        locals_ = () if me is None else (VarDecl(me, origin=made),)
        body = Implementation(locals_, (block,), origin=made)
        attributes = tuple(a for a in callee.attributes if a.name != "entrypoint")
        return replace(callee, name=name, attributes=attributes, ensures=(), implementations=(body,))

    def _end(self, me: Var | None, origin: Origin) -> list[Statement]:
        made = origin.by(_MADE)
        statements: list[Statement] = []
        if me is not None and self.done is not None:
            statements.append(Call(GET, (), (me,), origin=made))
            statements.append(Assign((self.done,), (store(self.done, (me,), TRUE),), origin=made))
        less = Assign((self.live,), (arith(Op.SUB, self.live, int_lit(1)),), origin=made)
        return [*statements, self._none_is_stuck(made), less]


@frozen
class DeadlockAssertions:
    """The pass `deadlock-assertions`."""

    preemptive: str = "auto"  # or yes, or no: as for explicit-yields
    name: ClassVar[str] = "deadlock-assertions"
    summary: ClassVar[str] = "executions in which all threads are blocked, as assertions that fail"

    def __call__(self, program: Program) -> Program:
        return deadlock_assertions(program, {"yes": True, "no": False}.get(self.preemptive))
