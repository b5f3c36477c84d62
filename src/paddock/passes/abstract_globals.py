"""Variable abstraction: globals that are not tracked are forgotten (Corral, CAV 2012, Fig. 3; parameterised, Fig. 5).

    var {:track} s: int;  var g: int;
    procedure P(x: int) returns (y: int);      procedure P(x: int) returns (y: int);
      modifies g;  free ensures y > g;

    s := g + 1;                                havoc s;
    g := s;
    assume g > s;
    assert s > g;                              havoc any;  assert any;
    call g := P(g);                            havoc any#1;  call any#2 := P(any#1);

Whatever mentions a forgotten global has any value, so the result can do all that the program can, and more. Where the
paper asserts `false`, here an assertion *may* fail: what comes behind it matters when assertions are judged one by one.
Locals are always kept, and so are blocks, calls and assertions: a path of one program is a path of the other.

The parameterised form has a Boolean constant a global, which says whether it is tracked:

    assume g > s;                              assume track_g ==> g > s;
    s := g + 1;                                havoc any;  s := (if track_g then g + 1 else any);
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import ClassVar

from paddock.frozen import frozen, replace
from paddock.ir.build import FALSE, TRUE, and_, implies, ite
from paddock.ir.expr import Attribute, Expr, Scope, Var
from paddock.ir.names import FreshNames
from paddock.ir.origin import Diagnostic, InputError, Made, Origin
from paddock.ir.program import (
    Clause,
    Constant,
    Implementation,
    Procedure,
    Program,
    VarDecl,
    find_attribute,
    local_var,
)
from paddock.ir.rewriting import declared_in
from paddock.ir.spelling import did_you_mean
from paddock.ir.stmt import Assert, Assign, Assume, Block, Call, Havoc, ParCall, Statement
from paddock.ir.types import BOOL, Type
from paddock.ir.walk import variables
from paddock.passes.check_specs import check_specs

MARK = "track"

# When each global is tracked: `true`, `false`, or what decides it. Those that are not in it always are.
Tracking = Mapping[Var, Expr]


def abstract_globals(program: Program) -> Program:
    """The program that forgets all globals but those marked `{:track}`. Contracts are spelled out first."""
    return abstracted(check_specs(program), marked_globals(program))


def parameterise_globals(program: Program) -> Program:
    """The program with a constant for each global that is not marked `{:track}`, which says whether it is tracked."""
    return parameterised(check_specs(program), marked_globals(program)).program


def marked_globals(program: Program) -> tuple[Var, ...]:
    """The globals marked `{:track}`."""
    return tuple(g.var for g in program.globals if find_attribute(g.attributes, MARK))


def with_marked_globals(program: Program, names: Sequence[str]) -> Program:
    """The program in which these globals, and no others, are marked `{:track}`. Raises `InputError` for other names."""
    wrong = [_no_global(names, n, program) for n, name in enumerate(names) if name not in program.global_named]
    if wrong:
        raise InputError(wrong)

    def marked(declaration: VarDecl) -> VarDecl:
        others = tuple(a for a in declaration.attributes if a.name != MARK)
        return replace(declaration, attributes=(Attribute(MARK), *others) if declaration.name in names else others)

    return replace(program, globals=tuple(map(marked, program.globals)))


def _no_global(names: Sequence[str], n: int, program: Program) -> Diagnostic:
    """What is wrong with the n-th name of a list, where in the list it is."""
    place = Origin("--tune track", 1, len(",".join((*names[:n], ""))) + 1)
    hint = did_you_mean(names[n], program.global_named, "`")
    return Diagnostic(f"there is no global variable `{names[n]}`", place, ",".join(names), hint)


class GlobalVars:
    """The globals in expressions, sorted by name (the paper's *GlobalVars*): the same for every abstraction."""

    def __init__(self) -> None:
        self._found: dict[Expr, tuple[Var, ...]] = {}

    def __call__(self, expr: Expr) -> tuple[Var, ...]:
        found = self._found.get(expr)
        if found is None:
            globals_ = (v for v in variables(expr) if v.scope is Scope.GLOBAL)
            found = self._found[expr] = tuple(sorted(globals_, key=lambda v: v.name))
        return found


def abstracted(program: Program, tracked: Iterable[Var], global_vars: GlobalVars | None = None) -> Program:
    """The program that forgets all its globals but these; the same object if that is none. All contracts are free.
    Whoever abstracts a program often may keep the globals in its expressions."""
    kept = set(tracked)
    tracking = {g.var: FALSE for g in program.globals if g.var not in kept}
    return _applied(program, tracking, fresh_names(program), global_vars)


@frozen
class Parameterised:
    """A program that forgets the globals whose constants in `decides` are false."""

    program: Program
    decides: Mapping[Var, Var]


def parameterised(program: Program, tracked: Iterable[Var]) -> Parameterised:
    """The program with a constant for each of its globals but these, which are tracked. All contracts are free."""
    kept, fresh = set(tracked), fresh_names(program)
    constants, decides = [], {}
    for declaration in program.globals:
        if declaration.var not in kept:
            constant = Var(fresh(f"track_{declaration.name}"), BOOL, Scope.CONST)
            constants.append(Constant(constant, origin=declaration.origin.by(Made("parameterise-globals"))))
            decides[declaration.var] = constant
    abstract = _applied(program, decides, fresh)
    return Parameterised(replace(abstract, constants=(*program.constants, *constants)), decides)


def fresh_names(program: Program) -> FreshNames:
    """Names that are not declared; those that binders use do not matter, for nothing is added inside of them."""
    declared = {d.name for p in program.procedures for d in declared_in(p)}
    return FreshNames(declared.union(program.top_level_names()))


def _applied(program: Program, tracking: Tracking, fresh: FreshNames, global_vars: GlobalVars | None = None) -> Program:
    if not tracking:
        return program
    tracked = _Tracked(tracking, global_vars or GlobalVars())
    return replace(program, procedures=tuple(_procedure(p, tracked, fresh) for p in program.procedures))


class _Tracked:
    """The paper's *Tracked*: when an expression is tracked. That is `true` or `false` itself where it is known."""

    def __init__(self, tracking: Tracking, global_vars: GlobalVars) -> None:
        self._tracking = tracking
        self._global_vars = global_vars

    def __call__(self, expr: Expr) -> Expr:
        parts = [self._tracking[v] for v in self._global_vars(expr) if v in self._tracking]
        return FALSE if FALSE in parts else and_(*(p for p in parts if p is not TRUE))


def _procedure(procedure: Procedure, tracked: _Tracked, fresh: FreshNames) -> Procedure:
    return replace(
        procedure,
        requires=tuple(_clauses(procedure.requires, tracked)),
        ensures=tuple(_clauses(procedure.ensures, tracked)),
        modifies=tuple(g for g in procedure.modifies if tracked(g) is not FALSE),
        implementations=tuple(_Body(i, tracked, fresh).abstracted() for i in procedure.implementations),
    )


def _clauses(clauses: Iterable[Clause], tracked: _Tracked) -> Iterator[Clause]:
    for clause in clauses:
        condition = _weakened(clause.condition, tracked)
        if condition is not TRUE:
            yield clause if condition is clause.condition else replace(clause, condition=condition)


def _weakened(condition: Expr, tracked: _Tracked) -> Expr:
    """What is left of an assumption."""
    when = tracked(condition)
    if when is FALSE:
        return TRUE
    return condition if when is TRUE else implies(when, condition)


class _Body:
    """The abstraction of one implementation; it may need locals that have any value."""

    def __init__(self, implementation: Implementation, tracked: _Tracked, fresh: FreshNames) -> None:
        self._implementation = implementation
        self._tracked = tracked
        self._fresh = fresh
        self._locals: list[VarDecl] = []

    def abstracted(self) -> Implementation:
        blocks = tuple(map(self._block, self._implementation.blocks))
        return replace(self._implementation, locals=(*self._implementation.locals, *self._locals), blocks=blocks)

    def _block(self, block: Block) -> Block:
        statements = tuple(new for s in block.statements for new in self._statement(s))
        return replace(block, statements=statements)

    def _statement(self, statement: Statement) -> Iterator[Statement]:
        arbitrary: list[Var] = []
        after: Statement | None = None
        new: Statement | None = statement
        match statement:
            case Assume(condition):
                weakened = _weakened(condition, self._tracked)
                if weakened is TRUE:
                    new = None
                elif weakened is not condition:
                    new = replace(statement, condition=weakened)
            case Assert(condition):
                new = replace(statement, condition=self._value(condition, arbitrary, statement.origin))
            case Assign():
                new, after = self._assign(statement, arbitrary)
            case Havoc(targets):
                kept = tuple(t for t in targets if self._tracked(t) is not FALSE)
                new = replace(statement, targets=kept) if kept else None
            case Call():
                new = self._call(statement, arbitrary)
            case ParCall(calls):
                new = replace(statement, calls=tuple(self._call(c, arbitrary) for c in calls))
        if arbitrary:
            yield Havoc(tuple(arbitrary), statement.origin)
        if new is not None:
            yield new
        if after is not None:
            yield after

    def _assign(self, assign: Assign, arbitrary: list[Var]) -> tuple[Statement | None, Statement | None]:
        """The assignment of what is known, and the havoc of what is not; both may be missing."""
        targets, values, lost = [], [], []
        for target, value in zip(assign.targets, assign.values, strict=True):
            if self._tracked(target) is FALSE:
                continue
            if self._tracked(value) is FALSE:
                lost.append(target)
            else:
                targets.append(target)
                values.append(self._value(value, arbitrary, assign.origin))
        known = replace(assign, targets=tuple(targets), values=tuple(values)) if targets else None
        return known, Havoc(tuple(lost), assign.origin) if lost else None

    def _call(self, call: Call, arbitrary: list[Var]) -> Call:
        args = tuple(self._value(a, arbitrary, call.origin) for a in call.args)
        results = tuple(self._local(r.type, call.origin) if self._tracked(r) is FALSE else r for r in call.results)
        return replace(call, args=args, results=results)

    def _value(self, expr: Expr, arbitrary: list[Var], origin: Origin) -> Expr:
        """The expression where it is tracked, else any value: a local that is to be made arbitrary before."""
        when = self._tracked(expr)
        if when is TRUE:
            return expr
        anything = self._local(expr.type, origin)
        arbitrary.append(anything)
        return anything if when is FALSE else ite(when, expr, anything)

    def _local(self, type_: Type, origin: Origin) -> Var:
        var = local_var(self._fresh("any"), type_)
        self._locals.append(VarDecl(var, origin=origin))
        return var


@frozen
class AbstractGlobals:
    """The pass `abstract-globals`."""

    track: tuple[str, ...] = ()
    name: ClassVar[str] = "abstract-globals"
    summary: ClassVar[str] = "without the globals that are not marked {:track}: they are forgotten"

    def __call__(self, program: Program) -> Program:
        return abstract_globals(with_marked_globals(program, self.track) if self.track else program)


@frozen
class ParameteriseGlobals:
    """The pass `parameterise-globals`."""

    track: tuple[str, ...] = ()
    name: ClassVar[str] = "parameterise-globals"
    summary: ClassVar[str] = "with a constant a global that says whether it is tracked"

    def __call__(self, program: Program) -> Program:
        return parameterise_globals(with_marked_globals(program, self.track) if self.track else program)


@frozen
class TrackGlobals:
    """The pass `track-globals`."""

    track: tuple[str, ...] = ()
    name: ClassVar[str] = "track-globals"
    summary: ClassVar[str] = "with these globals, and no others, marked {:track}"

    def __call__(self, program: Program) -> Program:
        return with_marked_globals(program, self.track)
