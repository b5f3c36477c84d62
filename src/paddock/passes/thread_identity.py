"""Numbers of threads, waiting for threads, and `par`, in terms of asynchronous calls and variables.

    async call P(5);                             threads := threads + 1; child := threads; ended[child] := false;
                                                 async call P(5, child);
    call t := corral_getChildThreadID();         t := child;
    call corral_thread_join(t);                  yield; assume ended[t];
    par x := Q(1) | R();                         … async call Q(1, child); q := child; … yield;
                                                 assume ended[q] && ended[r]; x := Q_x[q];

The thread that is started learns its number as one more argument and says where it ends that it has ended. Numbers are
counted; where they are neither integers nor bit-vectors, they are some that no thread has had.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from paddock.frozen import field, mutable, replace
from paddock.ir.build import FALSE, TRUE, and_, arith, bv_lit, eq, int_lit, not_, select, store
from paddock.ir.expr import App, Attribute, Attributes, Expr, Fn, Op, Scope, Var
from paddock.ir.names import FreshNames
from paddock.ir.origin import Diagnostic, InputError, Made, Origin, Role
from paddock.ir.program import Function, Implementation, Procedure, Program, VarDecl, global_var, local_var
from paddock.ir.rewriting import with_prologue
from paddock.ir.stmt import Assign, Assume, Block, Call, Havoc, ParCall, Return, Statement, Yield
from paddock.ir.threads import ENDED, SWITCH, THREAD, THREAD_LOCAL, statements_in
from paddock.ir.types import BOOL, INT, Bv, Map, Type

GET, GET_CHILD = "corral_getThreadID", "corral_getChildThreadID"
JOIN, JOIN_ALL = "corral_thread_join", "corral_thread_join_all"
EXIT = "corral_thread_exit"

_NAME = "explicit-yields"
HELPER = Made(_NAME, Role.BOOKKEEPING)

# How many parameters and results each has.
_SHAPES = {GET: (0, 1), GET_CHILD: (0, 1), JOIN: (1, 0), JOIN_ALL: (0, 0), EXIT: (0, 0)}


@mutable
class Locals:
    """New locals of a body."""

    fresh: FreshNames
    declared: list[VarDecl] = field(default_factory=list)

    def __call__(self, name: str, type_: Type, origin: Origin) -> Var:
        var = local_var(self.fresh(name), type_)
        self.declared.append(VarDecl(var, origin=origin.by(HELPER)))
        return var


class _Numbering:
    """Numbers for threads: counted, or, where they are neither integers nor bit-vectors, some that no thread has had.
    `count` says how many there are, or which have been used; bit-vectors are counted by the function `plus`."""

    def __init__(self, type_: Type, count: Var, plus: Function | None) -> None:
        self._type = type_
        self._count = count
        self._plus = plus

    def assign(self, target: Var, made: Origin, first: bool = False) -> Iterator[Statement]:
        """Give a variable a new number."""
        if self._count.type is self._type:
            value: Expr = self._one
            if not first and self._plus is None:
                value = arith(Op.ADD, self._count, self._one)
            elif not first and self._plus is not None:
                value = App(Fn(self._plus.name), (self._count, self._one), self._type)
            yield Assign((self._count,), (value,), origin=made)
            yield Assign((target,), (self._count,), origin=made)
        else:
            yield Havoc((target,), made)
            yield Assume(not_(select(self._count, target)), origin=made)
            yield Assign((self._count,), (store(self._count, (target,), TRUE),), origin=made)

    @property
    def _one(self) -> Expr:
        return bv_lit(1, self._type.width) if isinstance(self._type, Bv) else int_lit(1)


class _Ends:
    """Which threads have ended, by their numbers, and how many are running: variables, if a program asks for that."""

    def __init__(self, ended: Var | None, running: Var | None) -> None:
        self.ended = ended
        self.running = running

    def noted(self, number: Var, has_ended: Expr, change: Op, made: Origin) -> list[Statement]:
        """What is done where a thread starts or ends: whether it has ended, and one more or less is running."""
        statements: list[Statement] = []
        if self.ended is not None:
            statements.append(Assign((self.ended,), (store(self.ended, (number,), has_ended),), origin=made))
        if self.running is not None:
            statements.append(Assign((self.running,), (arith(change, self.running, int_lit(1)),), origin=made))
        return statements


class ThreadIdentity:
    """The numbers of a program's threads, if it needs any. What is `first` is done first in all threads."""

    def __init__(self, program: Program, fresh: FreshNames, first: tuple[Statement, ...] = ()) -> None:
        self._program = program
        self._first = first
        used = [s for p in program.procedures for s in statements_in(p)]
        called = {s.procedure for s in used if isinstance(s, Call)}
        named = [program.procedure_named[n] for n in _SHAPES if n in called and _is_primitive(program, n)]
        self._asked = {p.name for p in named}
        has_par = any(isinstance(s, ParCall) for s in used)
        self.is_needed = bool(self._asked) or has_par
        self.type = _type_of(named)
        self.globals: list[VarDecl] = []
        self.functions: list[Function] = []
        self._fresh = fresh
        self._results: dict[tuple[str, str], Var] = {}
        self._targets: dict[str, str] = {}
        self._plainly_called = {s.procedure for s in used if isinstance(s, Call) and not s.asynchronous}
        if not self.is_needed:
            return
        origin = named[0].origin if named else program.procedures[0].origin
        self._self = self._global("thread", self.type, origin, local=True)
        self._child = self._global("child_thread", self.type, origin, local=True)
        plus: Function | None = None
        if isinstance(self.type, Bv):
            params = tuple(VarDecl(Var(name, self.type, Scope.BOUND)) for name in ("x", "y"))
            builtin = (Attribute("bvbuiltin", ("bvadd",)),)
            plus = Function(fresh("plus"), params, self.type, attributes=builtin, origin=origin.by(HELPER))
            self.functions.append(plus)
        counted = self.type is INT or plus is not None
        count = self._global("threads", self.type if counted else Map((self.type,), BOOL), origin)
        self._numbers = _Numbering(self.type, count, plus)
        waits = JOIN in self._asked or has_par
        ended = self._global(ENDED, Map((self.type,), BOOL), origin) if waits else None
        running = self._global("running", INT, origin) if JOIN_ALL in self._asked else None
        self._ends = _Ends(ended, running)

    def _global(self, name: str, type_: Type, origin: Origin, local: bool = False) -> Var:
        var = global_var(self._fresh(name), type_)
        attributes = (Attribute(THREAD, (name,)), *((Attribute(THREAD_LOCAL),) if local else ()))
        self.globals.append(VarDecl(var, attributes=attributes, origin=origin.by(HELPER)))
        return var

    # --- statements --------------------------------------------------------------------------------

    def at_entry(self, origin: Origin) -> tuple[Statement, ...]:
        """What the entry does first."""
        if not self.is_needed:
            return self._first
        made = origin.by(HELPER)
        statements = [*self._first, *self._numbers.assign(self._self, made, first=True)]
        if self._ends.running is not None:
            statements.append(Assign((self._ends.running,), (int_lit(1),), origin=made))
        return tuple(statements)

    def started(self, call: Call, switch: bool) -> tuple[Statement, ...]:
        """What an asynchronous call becomes."""
        attributes = (*call.attributes, Attribute(SWITCH)) if switch else call.attributes
        target = self.target_of(call.procedure)
        plain = replace(call, procedure=target, asynchronous=True, results=(), attributes=attributes)
        if not self.is_needed:
            return (plain,)
        made = call.origin.by(HELPER)
        statements = list(self._numbers.assign(self._child, made))
        statements += self._ends.noted(self._child, FALSE, Op.ADD, made)
        return (*statements, replace(plain, args=(*call.args, self._child)))

    def arms(self, par: ParCall, locals_: Locals) -> tuple[list[Statement], list[Statement]]:
        """What starts the arms of a `par`, and what is done when all have ended."""
        assert self._ends.ended is not None
        made = par.origin.by(HELPER)
        values = [a for call in par.calls for a in call.args]
        kept = [locals_("argument", a.type, made) for a in values]
        starting: list[Statement] = [Assign(tuple(kept), tuple(values), origin=made)] if kept else []
        rest = iter(kept)
        numbers: list[Var] = []
        for call in par.calls:
            args: tuple[Expr, ...] = tuple(next(rest) for _ in call.args)
            starting += self.started(replace(call, args=args), switch=True)
            numbers.append(locals_("arm", self.type, made))
            starting.append(Assign((numbers[-1],), (self._child,), origin=made))
        waiting: list[Statement] = [Yield(origin=made)]
        waiting.append(Assume(and_(*(select(self._ends.ended, n) for n in numbers)), origin=made))
        targets: list[Var] = []
        results: list[Expr] = []
        for call, number in zip(par.calls, numbers, strict=True):
            for target, result in zip(call.results, self._program.procedure_named[call.procedure].results, strict=True):
                targets.append(target)
                results.append(select(self._result(call.procedure, result), number))
        if targets:
            waiting.append(Assign(tuple(targets), tuple(results), origin=made))
        return starting, waiting

    def _result(self, procedure: str, result: VarDecl) -> Var:
        """What has the results of threads, by their numbers."""
        key = (procedure, result.name)
        if key not in self._results:
            type_ = Map((self.type,), result.var.type)
            self._results[key] = self._global(f"{procedure}_{result.name}", type_, result.origin)
        return self._results[key]

    def primitive(self, call: Call) -> tuple[Statement, ...] | None:
        """What a call of one of Corral's procedures becomes; None if it is none of them."""
        if call.procedure not in self._asked or call.asynchronous:
            return None
        made = call.origin.by(HELPER)
        if call.procedure in (GET, GET_CHILD):
            source = self._self if call.procedure == GET else self._child
            return (Assign(call.results, (source,), call.attributes, call.origin),)
        if call.procedure == JOIN:
            assert self._ends.ended is not None
            return (Yield(origin=made), Assume(select(self._ends.ended, call.args[0]), call.attributes, call.origin))
        if call.procedure == EXIT:
            return (*self._ends.noted(self._self, TRUE, Op.SUB, made), Yield(origin=made))
        assert self._ends.running is not None
        return (Yield(origin=made), Assume(eq(self._ends.running, int_lit(1)), call.attributes, call.origin))

    # --- procedures in which threads start ---------------------------------------------------------

    def target_of(self, name: str) -> str:
        """The procedure in which a thread starts that is to run `name`: that itself, if it may be changed."""
        if name not in self._targets:
            is_changed = (self.is_needed or self._first) and name in self._plainly_called
            needs_body = not self._program.procedure_named[name].implementations
            self._targets[name] = self._fresh(f"{name}_thread") if is_changed or needs_body else name
        return self._targets[name]

    def with_targets(self, procedures: Sequence[Procedure]) -> tuple[Procedure, ...]:
        """The procedures, with those in which threads start made for that."""
        found: list[Procedure] = []
        for procedure in procedures:
            target = self._targets.get(procedure.name)
            if target is None or target != procedure.name:
                found.append(procedure)
            if target is not None:
                found.append(self._target(procedure, target))
        return tuple(found)

    def _target(self, procedure: Procedure, name: str) -> Procedure:
        made = procedure.origin.by(HELPER)
        given = procedure
        attributes: Attributes = tuple(a for a in procedure.attributes if a.name != "entrypoint")
        if not procedure.implementations:
            procedure = _calling(procedure, made)
        procedure = replace(
            procedure, name=name, attributes=attributes if name != procedure.name else procedure.attributes
        )
        if not self.is_needed:
            starting = tuple(with_prologue(i, self._first) for i in procedure.implementations)
            return replace(procedure, implementations=starting)
        fresh = FreshNames(
            (
                *(d.name for i in procedure.implementations for d in i.locals),
                *(d.name for d in (*procedure.params, *procedure.results)),
                *self._program.top_level_names(),
                *(g.name for g in self.globals),
            )
        )
        number = local_var(fresh("number"), self.type)
        bodies = tuple(self._threaded(given, i, number, made) for i in procedure.implementations)
        params = (*procedure.params, VarDecl(number, origin=made))
        return replace(procedure, params=params, implementations=bodies)

    def _threaded(
        self, procedure: Procedure, implementation: Implementation, number: Var, made: Origin
    ) -> Implementation:
        """A body that knows its number and says that it has ended."""
        start = (*self._first, Assign((self._self,), (number,), origin=made))
        end: list[Statement] = []
        for result in procedure.results:
            if (var := self._results.get((procedure.name, result.name))) is not None:
                end.append(Assign((var,), (store(var, (number,), result.var),), origin=made))
        end += self._ends.noted(number, TRUE, Op.SUB, made)

        def ending(block: Block) -> Block:
            if not isinstance(block.transfer, Return):
                return block
            return replace(block, statements=(*block.statements, *end))

        ended = replace(implementation, blocks=tuple(map(ending, implementation.blocks)))
        return with_prologue(ended, start)


def _type_of(named: Sequence[Procedure]) -> Type:
    """The type of numbers of threads."""
    types: dict[Type, Procedure] = {}
    for procedure in named:
        if (len(procedure.params), len(procedure.results)) != _SHAPES[procedure.name]:
            params, results = _SHAPES[procedure.name]
            hint = f"it has {params} parameters and {results} results"
            raise InputError(Diagnostic(f"'{procedure.name}' is not declared as it is", procedure.origin, hint=hint))
        for declaration in (*procedure.params, *procedure.results):
            types.setdefault(declaration.var.type, procedure)
    if len(types) > 1:
        wrong = list(types.values())[1]
        message = f"'{wrong.name}' has another type for threads than '{next(iter(types.values())).name}'"
        raise InputError(Diagnostic(message, wrong.origin))
    return next(iter(types), INT)


def _calling(procedure: Procedure, made: Origin) -> Procedure:
    """A procedure that calls one without a body. It is the thread that its preconditions are checked for."""
    args = tuple(d.var for d in procedure.params)
    results = tuple(d.var for d in procedure.results)
    call = Call(procedure.name, args, results, free=True, origin=made)
    body = Implementation((), (Block("start", (call,), Return(origin=made), made),), origin=made)
    return replace(procedure, ensures=(), implementations=(body,))


def _is_primitive(program: Program, name: str) -> bool:
    procedure = program.procedure_named.get(name)
    return procedure is not None and not procedure.implementations
