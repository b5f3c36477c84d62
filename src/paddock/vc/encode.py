"""From IR expressions to solver terms.

One walk with an explicit stack. Functions marked `{:inline}` or `{:define}` and `let` are expanded on the way: inside
of them, variables stand for terms, so nothing is copied. What a program declares (sorts, datatypes, functions,
constants) is declared in the solver when it is first used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from paddock.ir.build import binder
from paddock.ir.expr import (
    App,
    Binder,
    Construct,
    Expr,
    Extract,
    Fn,
    GetField,
    Is,
    Let,
    Lit,
    Op,
    Quantifier,
    Scope,
    SetField,
    Trigger,
    Var,
)
from paddock.ir.graph import strongly_connected_components
from paddock.ir.lexical import unescape
from paddock.ir.origin import InputError
from paddock.ir.program import Function, Program, find_attribute
from paddock.ir.types import BOOL, INT, REAL, REGEX, RMODE, STRING, Basic, Bv, Float, Map, Named, Type, parts
from paddock.ir.walk import subterms
from paddock.solvers import sorts
from paddock.solvers.interface import Function as SolverFunction
from paddock.solvers.interface import Term, Terms
from paddock.solvers.ops import Op as SmtOp
from paddock.solvers.sorts import Sort
from paddock.vc.builtins import Builtin, builtin
from paddock.vc.datatypes import Datatypes

DEEPEST_TYPE = 100
MOST_EXPANSIONS = 20_000

# Gives a local or global variable its value.
Lookup = Callable[[Var], Term]

_BASIC: Mapping[Type, Sort] = {
    BOOL: sorts.BOOL,
    INT: sorts.INT,
    REAL: sorts.REAL,
    RMODE: sorts.ROUNDING_MODE,
    STRING: sorts.STRING,
    REGEX: sorts.REGEX,
}

PLAIN: Mapping[object, SmtOp] = {
    Op.NOT: SmtOp.NOT,
    Op.NEG: SmtOp.SUB,
    Op.AND: SmtOp.AND,
    Op.OR: SmtOp.OR,
    Op.IMPLIES: SmtOp.IMPLIES,
    Op.IFF: SmtOp.EQ,
    Op.EQ: SmtOp.EQ,
    Op.NE: SmtOp.DISTINCT,
    Op.LT: SmtOp.LT,
    Op.LE: SmtOp.LE,
    Op.GT: SmtOp.GT,
    Op.GE: SmtOp.GE,
    Op.ADD: SmtOp.ADD,
    Op.SUB: SmtOp.SUB,
    Op.MUL: SmtOp.MUL,
    Op.DIV: SmtOp.DIV,
    Op.MOD: SmtOp.MOD,
    Op.POW: SmtOp.POWER,
    Op.CONCAT: SmtOp.CONCAT,
    Op.ITE: SmtOp.ITE,
    Op.SELECT: SmtOp.SELECT,
    Op.STORE: SmtOp.STORE,
    Op.TO_INT: SmtOp.TO_INT,
    Op.TO_REAL: SmtOp.TO_REAL,
}

# Boogie's operators on floats are IEEE's, rounding to nearest; but `==` is equality of values, as of any type.
ON_FLOATS: Mapping[object, SmtOp] = {
    Op.LT: SmtOp.FP_LT,
    Op.LE: SmtOp.FP_LEQ,
    Op.GT: SmtOp.FP_GT,
    Op.GE: SmtOp.FP_GEQ,
    Op.NEG: SmtOp.FP_NEG,
    Op.ADD: SmtOp.FP_ADD,
    Op.SUB: SmtOp.FP_SUB,
    Op.MUL: SmtOp.FP_MUL,
    Op.RDIV: SmtOp.FP_DIV,
}
ROUNDED = (SmtOp.FP_ADD, SmtOp.FP_SUB, SmtOp.FP_MUL, SmtOp.FP_DIV)


class TooManyExpansions(Exception):
    """Functions, replaced by their bodies, would make too large a formula."""


class Encoder:
    """Encodes the expressions of one program in one solver. Functions that are marked so are replaced by their bodies;
    with `expand_all`, all that are not recursive, which may raise `TooManyExpansions`."""

    def __init__(self, program: Program, terms: Terms, *, expand_all: bool = False) -> None:
        self.program = program
        self.terms = terms
        self._sorts: dict[Type, Sort] = {}
        self._functions: dict[str, SolverFunction] = {}
        self._builtins: dict[str, Builtin | None] = {}
        self._literals: dict[Expr, Term] = {}
        self._names: dict[Var, Term] = {}  # constants, and the usual variables of binders
        self._expansions: dict[tuple[str, tuple[Term, ...]], Term] = {}
        self._expandable = _expandable(program, expand_all)
        self._most_expansions = MOST_EXPANSIONS if expand_all else None
        self.datatypes = Datatypes(program, terms, self.sort)
        for var, value in _defined_constants(program):
            self._names[var] = self._literal(value)

    # --- declarations ----------------------------------------------------------------------------

    def sort(self, type_: Type) -> Sort:
        sort = self._sorts.get(type_)
        if sort is None:
            sort = self._sorts[type_] = self._new_sort(type_)
        return sort

    def _new_sort(self, type_: Type) -> Sort:
        if _is_too_deep(type_):
            raise InputError(f"a type is nested more than {DEEPEST_TYPE} deep: solvers cannot take it")
        match type_:
            case Basic():
                return _BASIC[type_]
            case Bv(width):
                return sorts.BitVecSort(width)
            case Float(significand, exponent):
                return sorts.FloatSort(exponent, significand)
            case Map(domain, range_):
                return sorts.ArraySort(tuple(self.sort(d) for d in domain), self.sort(range_))
            case Named(name) if name in self.program.datatype_named:
                return sorts.DatatypeSort(name)
            case _:
                return sorts.UninterpretedSort(str(type_))

    def function(self, name: str) -> SolverFunction:
        found = self._functions.get(name)
        if found is None:
            declaration = self.program.function_named[name]
            domain = [self.sort(p.var.type) for p in declaration.params]
            found = self.terms.declare_function(name, domain, self.sort(declaration.result))
            self._functions[name] = found
        return found

    def named(self, var: Var) -> Term:
        """The term for a constant, or the usual one for a bound variable."""
        term = self._names.get(var)
        if term is None:
            make = self.terms.variable if var.scope is Scope.BOUND else self.terms.constant
            term = self._names[var] = make(var.name, self.sort(var.type))
        return term

    def known_constants(self) -> dict[Var, Term]:
        """The program's constants that have been used, with their terms."""
        return {v: t for v, t in self._names.items() if v.scope is Scope.CONST}

    def known_functions(self) -> dict[str, SolverFunction]:
        """The program's uninterpreted functions that have been used."""
        return dict(self._functions)

    def axioms(self) -> list[Term]:
        """What holds of the program's constants and functions."""
        conditions = [a.condition for a in self.program.axioms]
        for function in self.program.functions:
            if function.body is not None and function.name not in self._expandable and not self._builtin(function):
                conditions.append(_definition(function))
        terms = [self.encode(c, _no_variables, _no_variables) for c in conditions]
        unique: dict[Type, list[Term]] = {}
        for constant in self.program.constants:
            if constant.unique:
                unique.setdefault(constant.var.type, []).append(self.named(constant.var))
        return terms + [self.terms.app(SmtOp.DISTINCT, group) for group in unique.values() if len(group) > 1]

    # --- expressions -----------------------------------------------------------------------------

    def encode(self, root: Expr, now: Lookup, before: Lookup) -> Term:
        """The term for `root` with the variables' values `now`, and `before` inside of `old`."""
        outermost = _Place(now, before)
        stack: list[tuple[Expr, _Place]] = [(root, outermost)]
        while stack:
            node, place = stack[-1]
            done = place.done
            if node in done:
                stack.pop()
            elif isinstance(node, App):
                if node.op is Op.OLD:
                    if node.args[0] in place.past.done:
                        done[node] = place.past.done[node.args[0]]
                    else:
                        stack.append((node.args[0], place.past))
                elif missing := [(a, place) for a in node.args if a not in done]:
                    stack.extend(missing)
                elif isinstance(node.op, Fn) and node.op.name in self._expandable:
                    self._expand(node, node.op.name, place, stack)
                else:
                    done[node] = self._apply(node, [done[a] for a in node.args])
            elif isinstance(node, Var):
                match node.scope:
                    case Scope.LOCAL | Scope.GLOBAL:
                        done[node] = place.now(node)
                    case Scope.BOUND:
                        done[node] = place.bound[node]
                    case Scope.CONST:
                        done[node] = self.named(node)
            elif isinstance(node, Lit):
                done[node] = self._literal(node)
            elif isinstance(node, Let):
                if missing := [(v, place) for v in node.values if v not in done]:
                    stack.extend(missing)
                elif (within := place.inner) is None:
                    within = place.enter(dict(zip(node.vars, [done[v] for v in node.values], strict=True)))
                    stack.append((node.body, within))
                else:
                    done[node] = within.done[node.body]
                    place.leave()
            else:
                assert isinstance(node, Binder)
                if (within := place.inner) is None:
                    within = place.enter({v: self._variable(v, place) for v in node.vars}, place.is_plain)
                    stack.extend((p, within) for p in (node.body, *_trigger_terms(node)))
                else:
                    done[node] = self._binder(node, within)
                    place.leave()
        return outermost.done[root]

    def _expand(self, node: App, name: str, place: _Place, stack: list[tuple[Expr, _Place]]) -> None:
        """Encode the application of a function through its body, once for the same arguments."""
        args = tuple([place.done[a] for a in node.args])
        term = self._expansions.get((name, args))
        function = self._expandable[name]
        assert function.body is not None
        if term is None and place.inner is not None:
            term = self._expansions[name, args] = place.inner.done[function.body]
            place.inner = None
        if term is None:
            if len(self._expansions) == self._most_expansions:
                raise TooManyExpansions
            place.inner = _Place(_no_variables, _no_variables, is_plain=False)
            place.inner.bound.update(zip((p.var for p in function.params), args, strict=True))
            stack.append((function.body, place.inner))
        else:
            place.done[node] = term

    def _variable(self, var: Var, place: _Place) -> Term:
        """What a binder binds. Terms that come from outside may contain the usual variable of this name."""
        is_usual = place.is_plain and var not in place.bound
        return self.named(var) if is_usual else self.terms.variable(var.name, self.sort(var.type))

    def _literal(self, node: Lit) -> Term:
        term = self._literals.get(node)
        if term is None:
            value = unescape(node.value) if node.type is STRING and isinstance(node.value, str) else node.value
            term = self._literals[node] = self.terms.literal(value, self.sort(node.type))
        return term

    def _apply(self, node: App, args: list[Term]) -> Term:
        op, terms = node.op, self.terms
        plain = PLAIN.get(op)
        if plain is not None and (op not in ON_FLOATS or not isinstance(node.args[0].type, Float)):
            return terms.app(plain, args)
        match op:
            case Fn(name):
                function = self.program.function_named[name]
                built_in = self._builtin(function)
                if built_in is not None:
                    return built_in(terms, args)
                return terms.apply(self.function(name), args)
            case Extract(high, low):
                return terms.app(SmtOp.EXTRACT, args, (high - 1, low))
            case Construct(constructor):
                return self.datatypes.construct(constructor, args)
            case Is(constructor):
                return self.datatypes.is_made_by(constructor, args[0])
            case GetField(field):
                return self.datatypes.get_field(node.args[0].type, field, args[0])
            case SetField(field):
                return self.datatypes.set_field(node.type, field, *args)
            case Op.RDIV if not isinstance(node.args[0].type, Float) and not isinstance(node.args[1].type, Float):
                reals = [
                    terms.app(SmtOp.TO_REAL, (a,)) if e.type is INT else a for e, a in zip(node.args, args, strict=True)
                ]
                return terms.app(SmtOp.RDIV, reals)
            case _ if op in ON_FLOATS:
                on_floats = ON_FLOATS[op]
                mode = [terms.literal("RNE", sorts.ROUNDING_MODE)] if on_floats in ROUNDED else []
                return terms.app(on_floats, [*mode, *args])
            case _:
                return terms.app(PLAIN[op], args)

    def _builtin(self, function: Function) -> Builtin | None:
        if function.name not in self._builtins:
            self._builtins[function.name] = builtin(function, self.sort)
        return self._builtins[function.name]

    # --- binders ---------------------------------------------------------------------------------

    def _binder(self, node: Binder, within: _Place) -> Term:
        variables = [within.bound[v] for v in node.vars]
        done = within.done
        body = done[node.body]
        if node.kind is Quantifier.LAMBDA:
            return self.terms.lambda_(variables, body)
        weight = find_attribute(node.attributes, "weight")
        name = find_attribute(node.attributes, "qid")
        return self.terms.quantify(
            node.kind is Quantifier.FORALL,
            variables,
            body,
            patterns=[[done[t] for t in trigger.terms] for trigger in node.triggers if trigger.positive],
            no_patterns=[done[t] for trigger in node.triggers if not trigger.positive for t in trigger.terms],
            weight=_number(weight.params[0]) if weight and weight.params else 1,
            name=str(name.params[0]) if name and name.params else "",
        )


class _Place:
    """Where an expression is encoded: the values of its variables, and the terms found so far.

    The walk is in one place at a time, so all that are within each other share what is `bound`: `enter` adds to it and
    `leave` takes it back. A place is plain if no variable around it stands for a term.
    """

    __slots__ = ("_past", "_shadowed", "before", "bound", "done", "inner", "is_plain", "now")

    def __init__(
        self, now: Lookup, before: Lookup, bound: dict[Var, Term] | None = None, *, is_plain: bool = True
    ) -> None:
        self.now = now
        self.before = before
        self.bound = {} if bound is None else bound
        self.is_plain = is_plain
        self.done: dict[Expr, Term] = {}
        self.inner: _Place | None = None  # where the walk is while it is in a part of an expression of this place
        self._shadowed: dict[Var, Term | None] = {}
        self._past: _Place | None = None

    def enter(self, values: dict[Var, Term], is_plain: bool = False) -> _Place:
        """The place inside of a binder that gives its variables these values."""
        self.inner = _Place(self.now, self.before, self.bound, is_plain=is_plain)
        self.inner._shadowed = {v: self.bound.get(v) for v in values}
        self.bound.update(values)
        return self.inner

    def leave(self) -> None:
        """End the stay in the inner place."""
        assert self.inner is not None
        for var, term in self.inner._shadowed.items():
            if term is None:
                del self.bound[var]
            else:
                self.bound[var] = term
        self.inner = None

    @property
    def past(self) -> _Place:
        """The place inside of `old`."""
        if self._past is None:
            self._past = _Place(self.before, self.before, self.bound, is_plain=self.is_plain)
        return self._past


def _trigger_terms(node: Binder) -> Iterator[Expr]:
    return (term for trigger in node.triggers for term in trigger.terms)


def _number(param: str | Expr) -> int:
    return param.value if isinstance(param, Lit) and isinstance(param.value, int) else 1


def _is_too_deep(type_: Type) -> bool:
    """Whether a type is nested deeper than solvers, and the recursion over sorts, can stand."""
    level = {type_}
    for _ in range(DEEPEST_TYPE):
        level = {part for t in level for part in parts(t)}
        if not level:
            return False
    return True


def _defined_constants(program: Program) -> Iterator[tuple[Var, Lit]]:
    """The constants that an axiom `c == 3` gives a value; the first such axiom counts."""
    seen: set[Var] = set()
    for axiom in program.axioms:
        match axiom.condition:
            case App(Op.EQ, (Var(scope=Scope.CONST) as var, Lit() as value)) if var not in seen:
                seen.add(var)
                yield var, value


def _no_variables(var: Var) -> Term:
    raise AssertionError(f"{var.name} in an axiom or a function")


def _definition(function: Function) -> Expr:
    """`(forall x :: {f(x)} f(x) == body)`, as Boogie reads a function with a body."""
    assert function.body is not None
    variables = [p.var for p in function.params]
    application = App(Fn(function.name), tuple(variables), function.result)
    same = App(Op.IFF if function.result is BOOL else Op.EQ, (application, function.body), BOOL)
    if not variables:
        return same
    return binder(Quantifier.FORALL, variables, same, [Trigger((application,))])


def _functions_in(expr: Expr) -> list[str]:
    return [e.op.name for e in subterms([expr]) if isinstance(e, App) and isinstance(e.op, Fn)]


def _expandable(program: Program, all_: bool) -> dict[str, Function]:
    """The functions that are replaced by their bodies: all or those marked so, if not defined through themselves."""

    def is_marked(f: Function) -> bool:
        return any(find_attribute(f.attributes, a) for a in ("inline", "define"))

    marked = {f.name: f for f in program.functions if f.body is not None and (all_ or is_marked(f))}
    calls = {
        name: [n for n in _functions_in(f.body) if n in marked] for name, f in marked.items() if f.body is not None
    }
    recursive = {
        name
        for group in strongly_connected_components(calls)
        for name in group
        if len(group) > 1 or name in calls[name]
    }
    return {name: f for name, f in marked.items() if name not in recursive}
