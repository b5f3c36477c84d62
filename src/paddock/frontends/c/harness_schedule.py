"""The schedule of a run with threads, for a harness: what each thread accesses and calls in each of its contexts.

Accesses are counted by object, since compilers may order them in another way inside of an expression. What is no global
is counted as one; reads of a thread's own locals are counted only where others get at locals, as in few programs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from importlib import resources

from paddock.frontends.c import types as c
from paddock.frontends.c.library.threads import DONE, FAMILIES, KNOWN
from paddock.frontends.c.show import SET_UP, Object, Presentation, ShownFunction
from paddock.frontends.c.symbols import is_model
from paddock.frozen import field, frozen, mutable
from paddock.ir.expr import App, Expr, Op, Scope, Var
from paddock.ir.program import Program
from paddock.ir.stmt import Assert, Assign, Assume, Call, Havoc
from paddock.ir.threads import ENDED, is_bookkeeping
from paddock.ir.walk import subterms
from paddock.trace.run import Failed, Kind, Run, Step
from paddock.trace.states import States

# Functions in which a thread waits after it has done something: two events.
TWO_PHASES = ("pthread_cond_wait", "pthread_cond_timedwait", "pthread_barrier_wait", "cnd_wait", "cnd_timedwait")
_CREATES = ("pthread_create", "thrd_create")
_EXITS = ("pthread_exit", "thrd_exit")
_OTHER = ""  # what is no global
_OWN_READ = ("own", False)  # a read of what is no global, but a local of the thread
_NONE = -1  # no thread
_LATER = " wakes"  # the second event of a function with two phases

Event = tuple[str, bool] | str  # an object and whether it is written; or a function


@mutable
class Schedule:
    """The contexts of a run: the thread of each, how often each event happens in it, and where it blocks for good."""

    threads: list[int] = field(default_factory=list)
    events: list[Counter[Event]] = field(default_factory=list)
    stuck: dict[int, str] = field(default_factory=dict)  # the function in which a context ends, by its number
    objects: dict[str, Object] = field(default_factory=dict)  # those that are counted
    functions: dict[str, c.FunctionType] = field(default_factory=dict)  # those of the library that the program has
    results: dict[str, list[int]] = field(default_factory=dict)  # what those with two phases return, in order
    is_deadlock: bool = False
    shares_locals: bool = False  # threads get at locals of others


def schedule_of(run: Run, program: Program, presentation: Presentation) -> Schedule | None:
    """The schedule of a run; None if it has one thread only."""
    if not any(step.thread for step in run.steps):
        return None
    return _Reader(run, program, presentation).read()


@mutable
class _Thread:
    calls: list[ShownFunction | None] = field(default_factory=list)
    library: int | None = None  # how deep the call of a function of the library is that the program has made
    done: bool = False  # whether the event of that call has happened


@frozen
class _Position:
    """A statement that accesses something, to tell a loop from a struct that is copied."""

    event: Event
    origin: tuple[str, int, int]
    thread: int


class _Reader:
    def __init__(self, run: Run, program: Program, presentation: Presentation) -> None:
        self.run, self.shown = run, presentation
        self.states = States(run, program)
        of_library = filter(_is_of_library, presentation.functions.values())
        self.schedule = Schedule(functions={f.name: f.type for f in of_library})
        self.hidden = {g.name for g in program.globals if is_bookkeeping(g, ENDED)} | {DONE, *KNOWN.values()}
        self.threads: dict[int, _Thread] = {0: _Thread()}
        self.owners: dict[int, tuple[int, int]] = {}  # the ends of locals and the threads that have them, by start
        self.arbitrary: tuple[Var, ...] = ()
        self.last: _Position | None = None
        self.last_at: set[tuple[str, str, int]] = set()
        self.globals = {o.start: o for o in presentation.objects if o.symbol.isidentifier()}

    def read(self) -> Schedule:
        schedule = self.schedule
        for step in self.run.steps:
            while len(schedule.threads) <= step.context:
                schedule.threads.append(step.thread)
                schedule.events.append(Counter())
            schedule.threads[step.context] = step.thread
            self._take(step, self.threads.setdefault(step.thread, _Thread()))
            self.states.advance(step)
        for events in schedule.events:
            own = events.pop(_OWN_READ, 0)
            events[_OTHER, False] += own if schedule.shares_locals else 0
        outcome = self.run.outcome
        if isinstance(outcome, Failed) and isinstance(outcome.what, Assert) and _kind(outcome.what) == "deadlock":
            schedule.is_deadlock = True
            for number, thread in self.threads.items():
                if thread.library is not None and (function := thread.calls[thread.library]) is not None:
                    contexts = [n for n, t in enumerate(schedule.threads) if t == number]
                    self._blocks(contexts[-1], function.name)
        return schedule

    def _blocks(self, context: int, function: str) -> None:
        """A thread is blocked for good in a function: that is no event."""
        if function in TWO_PHASES:
            self.schedule.stuck[context] = function + _LATER
            return
        self.schedule.stuck[context] = function
        events = self.schedule.events[context]
        events[function] = max(0, events[function] - 1)

    def _take(self, step: Step, thread: _Thread) -> None:
        if step.statement is not None:
            note = self.shown.notes[step.statement.origin.note]
            if note.kind == "allocate" and note.watches[0].text and isinstance(step.statement, Assign):
                start, size = step.values.get(step.statement.targets[0].name), note.watches[0].holes[0][0]
                length = self.states.value(size)
                if isinstance(start, int) and isinstance(length, int):
                    self.owners[start] = start + length, step.thread
        match step.kind:
            case Kind.CALL if isinstance(step.statement, Call):
                function = self.shown.functions.get(step.statement.procedure)
                thread.calls.append(function)
                if thread.library is None and function is not None and _is_of_library(function):
                    thread.library, thread.done = len(thread.calls) - 1, False
            case Kind.RETURN if thread.calls:
                self._return(step, thread)
            case Kind.THREAD:
                self._call_happens(step, thread)
            case _ if step.statement is not None:
                self._statement(step, thread)

    def _return(self, step: Step, thread: _Thread) -> None:
        if thread.library == len(thread.calls) - 1:
            function = thread.calls[-1]
            assert function is not None
            self._call_happens(step, thread)
            if function.name in TWO_PHASES:
                self.schedule.events[step.context][function.name + _LATER] += 1
                (result,) = (step.values.get(r.var.name) for r in function.results)
                self.schedule.results.setdefault(function.name, []).append(result if isinstance(result, int) else 0)
            thread.library = None
        thread.calls.pop()

    def _call_happens(self, step: Step, thread: _Thread) -> None:
        if thread.library is None or thread.done:
            return
        function = thread.calls[thread.library]
        assert function is not None
        thread.done = True
        self.schedule.events[step.context][function.name] += 1

    def _statement(self, step: Step, thread: _Thread) -> None:
        statement = step.statement
        assert statement is not None
        if thread.library is not None:
            touched = _variables(statement)
            if any(v.scope is Scope.GLOBAL and v.name in self.hidden for v in touched):
                self._call_happens(step, thread)
            if is_model(statement.origin):
                return
        if isinstance(statement, Havoc):
            self.arbitrary = statement.targets
        if is_model(statement.origin) or not isinstance(statement, Assign) or step.label == SET_UP:
            return
        events = dict.fromkeys(self._accesses(statement, step.thread))
        at = (step.procedure, step.label, step.index)
        for event in events:
            origin = statement.origin
            position = _Position(event, (origin.file, origin.line, origin.column), step.thread)
            if position == self.last and at not in self.last_at:
                self.last_at.add(at)  # another part of the same struct
                continue
            self.last, self.last_at = position, {at}
            self.schedule.events[step.context][event] += 1

    def _accesses(self, statement: Assign, thread: int) -> Iterator[Event]:
        """What a statement reads and writes that others can know."""
        terms = list(subterms(statement.values))
        indexed = [t for t in terms if isinstance(t, App) and t.op in (Op.SELECT, Op.STORE)]
        bases = {t.args[0] for t in indexed}
        for access in indexed:
            # What is arbitrary at first is not written by the program.
            if isinstance(base := access.args[0], Var) and access.args[-1] not in self.arbitrary:
                yield from self._access(base, access.args[1], access.op is Op.STORE, thread)
        for term in terms:
            if isinstance(term, Var) and term not in bases:
                yield from self._access(term, None, False, thread)
        for target in statement.targets:
            if target.name in self.shown.plain:
                yield from self._access(target, None, True, thread)

    def _access(self, var: Var, address: Expr | None, writes: bool, thread: int) -> Iterator[Event]:
        if var.scope is not Scope.GLOBAL:
            return
        if (plain := self.shown.plain.get(var.name)) is not None:
            if plain.symbol.isidentifier():
                self.schedule.objects[plain.symbol] = plain
                yield plain.symbol, writes
            return
        at = None if address is None or not var.name.startswith("mem#") else self.states.value(address)
        if not isinstance(at, int):
            return
        object_ = _containing(self.globals.values(), at)
        if object_ is not None:
            self.schedule.objects[object_.symbol] = object_
            yield object_.symbol, writes
        elif (owner := self._owner(at)) == thread:
            if not writes:  # compilers initialise locals in one way or another
                yield _OWN_READ
        elif owner != _NONE:
            self.schedule.shares_locals |= owner is not None
            yield _OTHER, writes

    def _owner(self, at: int) -> int | None:
        """The thread that has a local at an address; none has what was allocated, and what the hooks leave out."""
        for start, (end, owner) in self.owners.items():
            if start <= at < end:
                return owner
        constant = _containing(self.shown.objects, at)
        return None if constant is None else 0 if constant.is_local else _NONE


def _containing(objects: Iterable[Object], at: int) -> Object | None:
    return next((o for o in objects if o.start <= at < o.start + max(o.size, 1)), None)


def _is_of_library(function: ShownFunction) -> bool:
    return function.hidden and function.name.startswith((*FAMILIES, "call_once"))


def _variables(statement: object) -> Iterator[Var]:
    exprs: Sequence[Expr] = ()
    if isinstance(statement, Assign):
        exprs = (*statement.targets, *statement.values)
    elif isinstance(statement, Assume):
        exprs = (statement.condition,)
    yield from (term for term in subterms(exprs) if isinstance(term, Var))


def _kind(assertion: Assert) -> str:
    return next((str(a.params[0]) for a in assertion.attributes if a.name == "kind" and a.params), "")


# --- what is written ------------------------------------------------------------------------------------------------


def schedule_lines(schedule: Schedule, declared: dict[str, tuple[str, str, str]]) -> Iterator[str]:
    """The code that makes a schedule happen. `declared` has, for each function, its result, what it is called with, and
    the arguments that hand that on."""
    calls = [name for f in schedule.functions for name in ((f, f + _LATER) if f in TWO_PHASES else (f,))]
    events: list[Event] = [(_OTHER, False), (_OTHER, True)]
    events += [(symbol, writes) for symbol in schedule.objects for writes in (False, True)]
    first = len(events)
    events += calls
    numbers = {event: n for n, event in enumerate(events)}
    yield ""
    for name in ("init", "wait", "post"):
        prefix = "__real_" if f"sem_{name}" in schedule.functions else ""
        yield f"#define SEM_{name.upper()} {prefix}sem_{name}"
    of_context = schedule.threads
    yield f"enum {{ CONTEXTS = {len(of_context)}, THREADS = {max(of_context) + 1}, EVENTS = {len(events)} }};"
    yield f"enum {{ OBJECTS = {len(schedule.objects)}, FIRST_CALL = {first}, DEADLOCK = {int(schedule.is_deadlock)} }};"
    yield f"enum {{ COUNTS_LOCALS = {int(schedule.shares_locals)} }};"
    yield f"static const int of_context[CONTEXTS] = {{{', '.join(map(str, of_context))}}};"
    stuck = (numbers[schedule.stuck[n]] if n in schedule.stuck else -1 for n in range(len(of_context)))
    yield f"static const int stuck[CONTEXTS] = {{{', '.join(map(str, stuck))}}};"
    yield "static const struct {"
    yield "  char *start;"
    yield "  unsigned long size;"
    yield "} objects[OBJECTS + 1] = {"
    for symbol, object_ in schedule.objects.items():
        yield f"  {{(char *){symbol}, {object_.size}}},"
    yield "};"
    yield "static int allowed[CONTEXTS][EVENTS] = {"
    for number, counted in enumerate(schedule.events):
        parts = ", ".join(
            f"[{numbers[event]}] = {count}" for event, count in counted.items() if event in numbers and count
        )
        yield f"  [{number}] = {{{parts or 0}}},"
    yield "};"
    yield ""
    text = (resources.files("paddock.frontends.c") / "runtime" / "schedule.c").read_text(encoding="utf-8")
    yield from text.splitlines()
    for name in schedule.functions:
        yield ""
        yield from _wrapper(name, numbers, schedule.results.get(name, []), *declared[name])


def _wrapper(
    name: str, numbers: dict[Event, int], results: Sequence[int], head: str, real: str, arguments: str
) -> Iterator[str]:
    """A function that waits for its turn, and does then what the library does."""
    number = numbers[name]
    call = f"__real_{name}({arguments})"
    yield f"extern {real};"
    yield f"{head} {{"
    if name in _CREATES:
        function, argument = ("p2", "p3") if name == "pthread_create" else ("p1", "p2")
        given = arguments.replace(function, "(void *)run").replace(argument, f"started({function}, {argument})")
        yield f"  happens({number});"
        yield f"  return __real_{name}({given});"
    elif name in _EXITS:
        yield "  ends();"
        yield f"  {call};"
    elif name in TWO_PHASES:
        signed = (r if r < 1 << 31 else r - (1 << 32) for r in (*results, 0))
        yield f"  static const int results[] = {{{', '.join(map(str, signed))}}};"
        yield "  static unsigned calls;"
        yield f"  happens({number});"
        unlock = lock = ""
        if "barrier" not in name:
            prefix = "mtx" if name.startswith("cnd") else "pthread_mutex"
            unlock, lock = (_real(f"{prefix}_{what}", numbers) for what in ("unlock", "lock"))
            yield f"  {unlock}(p1);"
        yield f"  if (happens({numbers[name + _LATER]})) {{"
        if lock:
            yield f"    {lock}(p1);"
        yield f"    return {call};"
        yield "  }"
        if lock:
            yield f"  {lock}(p1);"
        yield f"  return calls < {len(results)} ? results[calls++] : 0;"
    else:
        yield f"  happens({number});"
        yield f"  {'' if head.startswith('void ') and not head.startswith('void *') else 'return '}{call};"
    yield "}"


def _real(name: str, numbers: dict[Event, int]) -> str:
    """What a function of the library is called in the harness."""
    return f"__real_{name}" if name in numbers else name
