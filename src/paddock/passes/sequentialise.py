"""A concurrent program as a sequential one, under a bound on contexts (Lal and Reps, FMSD 2009; Corral paper, §4).

    var x: int;                                    var x, x#2, round, last_round, failed: int;
    implementation P()                             implementation P()
    {                                              {
      start: yield;                                  start: havoc next; assume round <= next <= 3; round := next;
             x := x + 1;                                    goto stopped, start#1;
             return;                                 start#1: assume round <= last_round;
    }                                                       x, x#2 := (if round == 1 then x + 1 else x), …; return;
    implementation main()                            stopped: assume round > last_round; return;
    {                                              }
      start: async call P();                       implementation main()
             assert x == 0; return;                { start: … call P(); round := saved; … }
    }

Threads run in rounds, and there is a copy of the shared globals for each round. A thread is run through all its rounds
where it is started, as a call: on the first copy as long as it is in round 1, then on the second, and so on. So in each
round a thread comes after those that it has started. What the copies of later rounds hold at first is a guess. A thread
may stop for good at each `yield`, by going to a round that there is not. What the entry ends with counts only if each
round ended with what the next one was guessed to start with.

An assertion that fails says which it is and in which round. Nothing that comes later matters: threads that are run
afterwards stop before that round, and rounds from there on need not be consistent. Where all is over, there is an
assertion for each of the program, that it is not the one that failed.

A thread that may run at once (`{:switch}`, see `explicit_yields.py`) starts in the round of its creator, others in the
next one; there is one more round then, so that these, too, have as many contexts as they are given.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from paddock.analysis.sharing import Sharing
from paddock.frozen import frozen, replace
from paddock.ir.build import and_, arith, compare, eq, implies, int_lit, ite, ne, not_, or_
from paddock.ir.callgraph import CallGraph
from paddock.ir.entry import entry_name, with_entry
from paddock.ir.expr import App, Expr, Op, Var
from paddock.ir.graph import reachable
from paddock.ir.names import FreshNames
from paddock.ir.origin import AssertionId, Copy, Diagnostic, InputError, Made, Origin, Role
from paddock.ir.program import Implementation, Procedure, Program, VarDecl, global_var, is_marked, local_var
from paddock.ir.rewriting import map_expressions, substituting, variables_in
from paddock.ir.stmt import Assert, Assign, Assume, Block, Call, Goto, Havoc, Return, Statement, Transfer, Yield
from paddock.ir.threads import SWITCH, has_threads, is_thread_local, starts_thread, statements_in
from paddock.ir.types import INT, Type
from paddock.ir.walk import children, rebuild
from paddock.passes.check_specs import check_specs
from paddock.passes.infer_modifies import infer_modifies
from paddock.passes.merge_implementations import merge_implementations

_NAME = "sequentialise"
_HELPER = Made(_NAME)
_SCHEDULE = Made(_NAME, Role.SCHEDULE)
_THREAD = Made(_NAME, Role.THREAD)
_SPLIT = Made(_NAME, Role.SPLIT)
_NEW_BLOCK = Made(_NAME, Role.NEW_BLOCK)


def sequentialise(program: Program, contexts: int = 2) -> Program:
    """The sequential program; the same object if no thread is started. Contracts are spelled out first."""
    if contexts < 1:
        raise InputError(f"the pass {_NAME} needs at least one context a thread, not {contexts}")
    if not has_threads(program):
        return program
    return _Sequentialisation(check_specs(merge_implementations(program)), contexts).program()


def rounds_for(program: Program, contexts: int) -> int:
    """How many rounds it takes to give each thread so many contexts."""
    started = [s for p in program.procedures for s in statements_in(p) if starts_thread(s)]
    at_once = all(isinstance(s, Call) and is_marked(s.attributes, SWITCH) for s in started)
    return contexts if at_once else contexts + 1


class _Sequentialisation:
    def __init__(self, program: Program, contexts: int) -> None:
        self.given = program
        self.rounds = rounds_for(program, contexts)
        self.entry = entry_name(program)
        taken = {v.name for p in program.procedures for v in variables_in(p)}
        self.fresh = FreshNames(taken.union(program.top_level_names()))
        sharing = Sharing(program)
        self.roots = frozenset(sharing.roots[1:])
        self.own = [g.var for g in program.globals if is_thread_local(g)]
        self.copied = [g.var for g in program.globals if g.var in sharing.shared]
        self.round, self.last, self.failed = (
            global_var(self.fresh(name), INT) for name in ("round", "last_round", "failed")
        )
        self.copies = {g: [g, *self._more(g)] for g in self.copied}
        self.current = substituting({g: self._at(copies) for g, copies in self.copies.items()})
        self.stopping = _stopping(program)
        self.numbers: dict[AssertionId, int] = {}
        self.asserted: list[Assert] = []

    def _more(self, var: Var) -> list[Var]:
        """The copies of a global for the second round and later."""
        return [global_var(self.fresh(f"{var.name}#{n}"), var.type) for n in range(2, self.rounds + 1)]

    def _at(self, copies: Sequence[Expr]) -> Expr:
        """The copy of the round in which the thread is."""
        value = copies[-1]
        for n in range(len(copies) - 1, 0, -1):
            value = ite(eq(self.round, int_lit(n)), copies[n - 1], value)
        return value

    def number(self, assertion: Assert) -> int:
        """The number by which an assertion says that it has failed."""
        identity = assertion.origin.identity()
        if identity not in self.numbers:
            self.numbers[identity] = len(self.numbers) + 1
            self.asserted.append(assertion)
        return self.numbers[identity]

    def program(self) -> Program:
        procedures = tuple(map(self._procedure, self.given.procedures))
        outer = self._outer(self.given.procedure_named[self.entry])
        origin = outer.origin.by(_HELPER)
        declared: list[VarDecl] = []
        for declaration in self.given.globals:
            declared.append(declaration)
            more = self.copies.get(declaration.var, [])[1:]
            declared += [VarDecl(var, attributes=declaration.attributes, origin=origin) for var in more]
        declared += [VarDecl(var, origin=origin) for var in (self.round, self.last, self.failed)]
        new = replace(self.given, globals=tuple(declared), procedures=(*procedures, outer))
        return infer_modifies(with_entry(new, outer.name))

    # --- procedures --------------------------------------------------------------------------------

    def _procedure(self, procedure: Procedure) -> Procedure:
        if not procedure.implementations:
            return self._without_body(procedure)
        name = procedure.name
        # What a thread starts with is stated where it is started.
        requires = () if name in self.roots else tuple(map_expressions(c, self.current) for c in procedure.requires)
        ensures = tuple(map_expressions(c, self.current) for c in procedure.ensures)
        if name in self.stopping:
            ensures = tuple(replace(c, condition=or_(self.is_stopped, c.condition)) for c in ensures)
        bodies = tuple(_Body(self, procedure, i).written() for i in procedure.implementations)
        return replace(procedure, requires=requires, ensures=ensures, implementations=bodies)

    def _without_body(self, procedure: Procedure) -> Procedure:
        """What changes shared globals gives their new values as results."""
        outs = self.outs(procedure)
        # `old` is evaluated where nothing has changed yet, which for shared globals is where the procedure ends, too.
        ensures = tuple(replace(c, condition=self.current(_with_outs(c.condition, outs))) for c in procedure.ensures)
        results = (
            *procedure.results,
            *(VarDecl(out, origin=procedure.origin.by(Copy("", g.name))) for g, out in outs.items()),
        )
        return replace(
            procedure,
            results=results,
            requires=tuple(map_expressions(c, self.current) for c in procedure.requires),
            modifies=tuple(g for g in procedure.modifies if g not in outs),
            ensures=ensures,
        )

    def outs(self, procedure: Procedure) -> dict[Var, Var]:
        """The results by which a procedure without a body gives the new values of shared globals."""
        if procedure.implementations:
            return {}
        taken = {d.name for d in (*procedure.params, *procedure.results)}
        fresh = FreshNames(taken.union(self.given.top_level_names()))
        return {g: local_var(fresh(f"{g.name}_out"), g.type) for g in procedure.modifies if g in self.copies}

    @property
    def is_stopped(self) -> Expr:
        return compare(Op.GT, self.round, self.last)

    @property
    def goes_on(self) -> Expr:
        return compare(Op.LE, self.round, self.last)

    # --- the entry ---------------------------------------------------------------------------------

    def _outer(self, inner: Procedure) -> Procedure:
        """The new entry: it runs the threads, and asks whether what they did fits together and something failed."""
        origin = inner.origin.by(_NEW_BLOCK)
        locals_: list[VarDecl] = []
        guessed: list[tuple[Var, Var]] = []
        consistent: list[Expr] = []
        names = FreshNames((*(d.name for d in (*inner.params, *inner.results)), *self.given.top_level_names()))
        for g, copies in self.copies.items():
            for n in range(1, self.rounds):
                guess = local_var(names(f"{g.name}_{n + 1}"), g.type)
                locals_.append(VarDecl(guess, origin=origin))
                guessed.append((guess, copies[n]))
                counts = compare(Op.LE, int_lit(n), self.last)
                consistent.append(implies(counts, eq(copies[n - 1], guess)))
        start: list[Statement] = [
            Assign((self.round, self.last, self.failed), (int_lit(1), int_lit(self.rounds), int_lit(0)), origin=origin)
        ]
        if guessed:
            start.append(Assign(tuple(v for v, _ in guessed), tuple(c for _, c in guessed), origin=origin))
        args, results = (tuple(d.var for d in group) for group in (inner.params, inner.results))
        start.append(Call(inner.name, args, results, free=True, origin=inner.origin.by(_HELPER)))
        start += [Assume(condition, origin=origin) for condition in consistent]
        start += [Assert(ne(self.failed, int_lit(self.number(a))), a.attributes, a.origin) for a in self.asserted]
        body = Implementation(
            tuple(locals_), (Block("start", tuple(start), Return(origin=origin), origin),), origin=origin
        )
        return Procedure(
            self.fresh(f"{inner.name}_rounds"),
            params=tuple(_plain(d) for d in inner.params),
            results=tuple(_plain(d) for d in inner.results),
            implementations=(body,),
            origin=inner.origin.by(_HELPER),
        )


def _stopping(program: Program) -> frozenset[str]:
    """The procedures that a thread may stop in."""
    own = (
        p.name
        for p in program.procedures
        if any(isinstance(s, Yield | Assert) or starts_thread(s) for s in statements_in(p))
    )
    return frozenset(reachable(CallGraph(program).callers, own))


def _plain(declaration: VarDecl) -> VarDecl:
    return replace(declaration, where=None, attributes=())


def _with_outs(condition: Expr, outs: dict[Var, Var]) -> Expr:
    """A postcondition about results in place of globals; what is under `old` stays."""
    # Outside `old`, from the root down; a part that is shared with what is under `old` is another one there.
    done: dict[Expr, Expr] = {}
    stack = [condition]
    while stack:
        node = stack[-1]
        if node in done:
            stack.pop()
            continue
        if isinstance(node, App) and node.op is Op.OLD:
            done[node] = node
            continue
        if isinstance(node, Var):
            done[node] = outs.get(node, node)
            continue
        missing = [c for c in children(node) if c not in done]
        if missing:
            stack += missing
            continue
        done[node] = rebuild(node, tuple(done[c] for c in children(node)))
    return done[condition]


class _Body:
    """A body while it is rewritten."""

    def __init__(self, whole: _Sequentialisation, procedure: Procedure, implementation: Implementation) -> None:
        self.whole = whole
        self.implementation = implementation
        declared = (*procedure.params, *procedure.results, *implementation.locals)
        visible = {v.name for v in variables_in(implementation)}.union(d.name for d in declared)
        added = {v.name for copies in whole.copies.values() for v in copies}
        added |= {whole.round.name, whole.last.name, whole.failed.name}
        self.names = FreshNames(visible.union(whole.given.top_level_names(), added))
        self.labels = FreshNames(b.label for b in implementation.blocks)
        self.locals: dict[str, VarDecl] = {}
        self.blocks: list[Block] = []
        self.stopped = self.labels("stopped")
        self.label, self.origin, self.source = "", implementation.origin, ""
        self.statements: list[Statement] = []

    def written(self) -> Implementation:
        for block in self.implementation.blocks:
            self.label, self.origin, self.source = block.label, block.origin, block.label
            self.statements = []
            for statement in block.statements:
                self._statement(statement)
            self._end(map_expressions(block.transfer, self.whole.current))
        origin = self.implementation.origin.by(_NEW_BLOCK)
        if any(self.stopped in b.successors for b in self.blocks):
            stop = (Assume(self.whole.is_stopped, origin=origin),)
            self.blocks.append(Block(self.stopped, stop, Return(origin=origin), origin))
        locals_ = (*self.implementation.locals, *self.locals.values())
        return replace(self.implementation, locals=locals_, blocks=tuple(self.blocks))

    def _end(self, transfer: Transfer) -> None:
        self.blocks.append(Block(self.label, tuple(self.statements), transfer, self.origin))

    def _local(self, name: str, type_: Type, origin: Origin) -> Var:
        """A local of the body, one for each name and type."""
        key = f"{name}: {type_}"
        if key not in self.locals:
            self.locals[key] = VarDecl(local_var(self.names(name), type_), origin=origin.by(_HELPER))
        return self.locals[key].var

    def _add(self, *statements: Statement) -> None:
        self.statements += statements

    def _statement(self, statement: Statement) -> None:
        whole = self.whole
        match statement:
            case Assume():
                self._add(map_expressions(statement, whole.current))
            case Assert():
                self._assert(map_expressions(statement, whole.current))
            case Assign(targets=targets, values=values):
                new = tuple(whole.current(v) for v in values)
                self._add(self._assigned(targets, new, statement))
            case Havoc(targets=targets):
                self._havoc(statement, targets)
            case Yield():
                self._yield(statement.origin)
            case Call(asynchronous=True):
                self._start(statement)
            case Call():
                self._call(statement)
            case _:
                hint = "run explicit-yields before"
                raise InputError(Diagnostic(f"the pass {_NAME} knows no 'par'", statement.origin, hint=hint))

    def _assigned(self, targets: Sequence[Var], values: Sequence[Expr], like: Statement) -> Assign:
        """An assignment in which shared globals change in the round of the thread only."""
        new_targets: list[Var] = []
        new_values: list[Expr] = []
        for target, value in zip(targets, values, strict=True):
            copies = self.whole.copies.get(target)
            if copies is None or len(copies) == 1:
                new_targets.append(target)
                new_values.append(value)
                continue
            for n, copy in enumerate(copies, 1):
                new_targets.append(copy)
                new_values.append(ite(eq(self.whole.round, int_lit(n)), value, copy))
        attributes = like.attributes if isinstance(like, Assign) else ()
        return Assign(tuple(new_targets), tuple(new_values), attributes, like.origin)

    def _havoc(self, statement: Havoc, targets: Sequence[Var]) -> None:
        shared = [t for t in targets if len(self.whole.copies.get(t, ())) > 1]
        anything = {t: self._local(f"any_{t.name}", t.type, statement.origin) for t in shared}
        self._add(replace(statement, targets=tuple(anything.get(t, t) for t in targets)))
        if shared:
            made = replace(statement, origin=statement.origin.by(_HELPER))
            self._add(self._assigned(shared, [anything[t] for t in shared], made))

    def _assert(self, statement: Assert) -> None:
        whole = self.whole
        failing, here = self.labels(self.source), self.labels(self.source)
        origin = statement.origin
        self._end(Goto((failing, here), origin=origin.by(_SPLIT)))
        made = origin.by(_NEW_BLOCK)
        first = eq(whole.failed, int_lit(0))
        self.blocks.append(
            Block(
                failing,
                (
                    Assume(and_(first, not_(statement.condition)), origin=made),
                    Assign(
                        (whole.failed, whole.last),
                        (int_lit(whole.number(statement)), arith(Op.SUB, whole.round, int_lit(1))),
                        origin=made,
                    ),
                ),
                Return(origin=made),
                made,
            )
        )
        self.label, self.statements = here, [Assume(statement.condition, origin=origin.by(_HELPER))]

    def _yield(self, origin: Origin) -> None:
        self._advance(self.whole.round, origin.by(_SCHEDULE), ())
        self._go_on(origin)

    def _advance(self, first: Expr, origin: Origin, arbitrary: Sequence[Var]) -> None:
        """Go to some round from `first` on, or to the one behind the last, to stop."""
        following = self._local("next_round", INT, origin)
        latest = int_lit(self.whole.rounds + 1)
        made = origin.by(_HELPER)
        chosen = and_(compare(Op.LE, first, following), compare(Op.LE, following, latest))
        self._add(
            Havoc((*arbitrary, following), origin),
            Assume(chosen, origin=made),
            Assign((self.whole.round,), (following,), origin=made),
        )

    def _go_on(self, origin: Origin) -> None:
        """Leave if the thread has stopped."""
        here = self.labels(self.source)
        split = origin.by(_SPLIT)
        self._end(Goto((self.stopped, here), origin=split))
        self.label, self.statements = here, [Assume(self.whole.goes_on, origin=split)]

    def _started_as(self, callee: Procedure, call: Call) -> list[Statement]:
        """What is known where a thread starts: what its procedure requires was checked, or is assumed, there."""
        if callee.name not in self.whole.roots:
            return []
        actual = substituting({d.var: a for d, a in zip(callee.params, call.args, strict=True)})
        return [
            Assume(self.whole.current(actual(c.condition)), origin=call.origin.by(_HELPER)) for c in callee.requires
        ]

    def _start(self, call: Call) -> None:
        """Run a thread where it is started: through all its rounds, and back to that of its creator."""
        whole = self.whole
        made = call.origin.by(_HELPER)
        callee = whole.given.procedure_named[call.procedure]
        self._add(*self._started_as(callee, call))
        ignored = tuple(self._local(f"ignored_{r.name}", r.var.type, made) for r in callee.results)
        kept = [self._local(f"argument_{n}", a.type, made) for n, a in enumerate(call.args)]
        saved = [self._local(f"saved_{v.name}", v.type, made) for v in (whole.round, *whole.own)]
        values = (*(whole.current(a) for a in call.args), whole.round, *whole.own)
        self._add(Assign((*kept, *saved), values, origin=made))
        at_once = is_marked(call.attributes, SWITCH)
        first = whole.round if at_once else arith(Op.ADD, whole.round, int_lit(1))
        self._advance(first, call.origin.by(_THREAD), whole.own)
        run, skip, back = (self.labels(self.source) for _ in range(3))
        split, new = call.origin.by(_SPLIT), call.origin.by(_NEW_BLOCK)
        self._end(Goto((run, skip), origin=split))
        origin = replace(call.origin, provenance=_THREAD)
        plain = Call(call.procedure, tuple(kept), ignored, free=call.free, origin=origin)
        onward = Goto((back,), origin=split)
        self.blocks.append(Block(run, (Assume(whole.goes_on, origin=new), plain), onward, new))
        self.blocks.append(Block(skip, (Assume(whole.is_stopped, origin=new),), onward, new))
        self.label = back
        self.statements = [Assign((whole.round, *whole.own), tuple(saved), origin=new)]
        # The thread may have failed in the round in which it was started.
        self._go_on(call.origin)

    def _call(self, call: Call) -> None:
        whole = self.whole
        callee = whole.given.procedure_named[call.procedure]
        self._add(*self._started_as(callee, call))
        outs = whole.outs(callee)
        shared = [r for r in call.results if r in whole.copies]  # what is given back by a thread that stops is nothing
        kept = {r: self._local(f"result_{r.name}", r.type, call.origin) for r in shared}
        more = {g: self._local(f"any_{g.name}", g.type, call.origin) for g in outs}
        results = (*(kept.get(r, r) for r in call.results), *more.values())
        args = tuple(map(whole.current, call.args))
        attributes = map_expressions(call, whole.current).attributes
        self._add(replace(call, args=args, results=results, attributes=attributes))
        if call.procedure in whole.stopping:
            self._go_on(call.origin)
        written = {**more, **kept}
        if written:
            made = Havoc((), call.origin.by(_HELPER))
            self._add(self._assigned(list(written), list(written.values()), made))


@frozen
class Sequentialise:
    """The pass `sequentialise`."""

    contexts: int = 2  # of each thread, at most
    name: ClassVar[str] = "sequentialise"
    summary: ClassVar[str] = "a concurrent program as a sequential one, under a bound on contexts"

    def __call__(self, program: Program) -> Program:
        return sequentialise(program, self.contexts)
