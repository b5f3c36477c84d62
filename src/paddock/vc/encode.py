"""From IR expressions to solver terms.

One walk with an explicit stack. Functions marked `{:inline}` or `{:define}` and `let` are expanded on the way
by substitution in the IR, where terms are shared, so nothing is copied. What a program declares (sorts,
datatypes, functions, constants) is declared in the solver when it is first used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from paddock.ir.build import binder, eq
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
from paddock.ir.walk import substitute, subterms
from paddock.solvers import sorts
from paddock.solvers.interface import Constructor, Solver, Term
from paddock.solvers.interface import Function as SolverFunction
from paddock.solvers.ops import Op as SmtOp
from paddock.solvers.sorts import ConstructorDecl, DatatypeDecl, Sort
from paddock.vc.builtins import Builtin, builtin

DEEPEST_TYPE = 100

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

_PLAIN: Mapping[object, SmtOp] = {
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

# Boogie's operators on floats are IEEE's, rounding to nearest: NaN differs from itself, +0 equals -0.
_ON_FLOATS: Mapping[object, SmtOp] = {
    Op.EQ: SmtOp.FP_EQ,
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
_ROUNDED = (SmtOp.FP_ADD, SmtOp.FP_SUB, SmtOp.FP_MUL, SmtOp.FP_DIV)


class Encoder:
    """Encodes the expressions of one program in one solver."""

    def __init__(self, program: Program, solver: Solver) -> None:
        self.program = program
        self.solver = solver
        self._sorts: dict[Type, Sort] = {}
        self._functions: dict[str, SolverFunction] = {}
        self._builtins: dict[str, Builtin | None] = {}
        self._literals: dict[Expr, Term] = {}
        self._names: dict[Var, Term] = {}  # constants and bound variables
        self._expansions: dict[Expr, Expr] = {}
        self._expandable = _expandable(program)
        self._constructors = self._declare_datatypes()
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

    def _declare_datatypes(self) -> dict[str, Constructor]:
        """The constructors by name. Datatypes are declared first of all, since any sort may contain one."""
        declarations = []
        for datatype in self.program.datatypes:
            constructors = [
                ConstructorDecl(c.name, tuple((f.name, self.sort(f.var.type)) for f in c.fields))
                for c in datatype.constructors
            ]
            declarations.append(DatatypeDecl(datatype.name, tuple(constructors)))
        return self.solver.declare_datatypes(declarations) if declarations else {}

    def function(self, name: str) -> SolverFunction:
        found = self._functions.get(name)
        if found is None:
            declaration = self.program.function_named[name]
            domain = [self.sort(p.var.type) for p in declaration.params]
            found = self.solver.declare_function(name, domain, self.sort(declaration.result))
            self._functions[name] = found
        return found

    def named(self, var: Var) -> Term:
        """The term for a constant or a bound variable."""
        term = self._names.get(var)
        if term is None:
            make = self.solver.variable if var.scope is Scope.BOUND else self.solver.constant
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
        return terms + [self.solver.app(SmtOp.DISTINCT, group) for group in unique.values() if len(group) > 1]

    # --- expressions -----------------------------------------------------------------------------

    def encode(self, root: Expr, now: Lookup, before: Lookup) -> Term:
        """The term for `root` with the variables' values `now`, and `before` inside of `old`."""
        done: dict[Expr, Term] = {}
        stack = [root]
        while stack:
            node = stack[-1]
            if node in done:
                stack.pop()
                continue
            if isinstance(node, App):
                op = node.op
                if op is Op.OLD:
                    # What is inside of `old` is all in the old state: this is no deeper than one level.
                    done[node] = self.encode(node.args[0], before, before)
                    continue
                if isinstance(op, Fn) and op.name in self._expandable:
                    self._instead(node, self._expanded, done, stack)
                    continue
                missing = [a for a in node.args if a not in done]
                if missing:
                    stack.extend(missing)
                else:
                    done[node] = self._apply(node, [done[a] for a in node.args])
            elif isinstance(node, Var):
                program_variable = node.scope is Scope.LOCAL or node.scope is Scope.GLOBAL
                done[node] = now(node) if program_variable else self.named(node)
            elif isinstance(node, Lit):
                done[node] = self._literal(node)
            elif isinstance(node, Let):
                self._instead(node, _substituted_let, done, stack)
            else:
                assert isinstance(node, Binder)
                parts = [node.body, *(t for trigger in node.triggers for t in trigger.terms)]
                missing = [p for p in parts if p not in done]
                if missing:
                    stack.extend(missing)
                else:
                    done[node] = self._binder(node, done)
        return done[root]

    def _instead(self, node: Expr, expand: Callable[..., Expr], done: dict[Expr, Term], stack: list[Expr]) -> None:
        """Encode `node` through what it expands to."""
        expanded = self._expansions.get(node)
        if expanded is None:
            expanded = self._expansions[node] = expand(node)
        if expanded in done:
            done[node] = done[expanded]
        else:
            stack.append(expanded)

    def _expanded(self, node: App) -> Expr:
        assert isinstance(node.op, Fn)
        function = self._expandable[node.op.name]
        assert function.body is not None
        return substitute(function.body, dict(zip((p.var for p in function.params), node.args, strict=True)))

    def _literal(self, node: Lit) -> Term:
        term = self._literals.get(node)
        if term is None:
            value = unescape(node.value) if node.type is STRING and isinstance(node.value, str) else node.value
            term = self._literals[node] = self.solver.literal(value, self.sort(node.type))
        return term

    def _apply(self, node: App, args: list[Term]) -> Term:
        op, solver = node.op, self.solver
        plain = _PLAIN.get(op)
        if plain is not None and not isinstance(node.args[0].type, Float):
            return solver.app(plain, args)
        match op:
            case Fn(name):
                function = self.program.function_named[name]
                built_in = self._builtin(function)
                if built_in is not None:
                    return built_in(solver, args)
                return solver.apply(self.function(name), args)
            case Extract(high, low):
                return solver.app(SmtOp.EXTRACT, args, (high - 1, low))
            case Construct(constructor):
                return self.construct(constructor, args)
            case Is(constructor):
                return solver.apply(self._constructors[constructor].test, args)
            case GetField(field):
                return self.get_field(node.args[0].type, field, args[0])
            case SetField(field):
                return self._set_field(node.type, field, *args)
            case Op.RDIV if not isinstance(node.args[0].type, Float) and not isinstance(node.args[1].type, Float):
                reals = [
                    solver.app(SmtOp.TO_REAL, (a,)) if e.type is INT else a
                    for e, a in zip(node.args, args, strict=True)
                ]
                return solver.app(SmtOp.RDIV, reals)
            case Op.NE:
                return solver.app(SmtOp.NOT, (solver.app(SmtOp.FP_EQ, args),))
            case _ if op in _ON_FLOATS:
                on_floats = _ON_FLOATS[op]
                mode = [solver.literal("RNE", sorts.ROUNDING_MODE)] if on_floats in _ROUNDED else []
                return solver.app(on_floats, [*mode, *args])
            case _:
                return solver.app(_PLAIN[op], args)

    def _builtin(self, function: Function) -> Builtin | None:
        if function.name not in self._builtins:
            self._builtins[function.name] = builtin(function, self.sort)
        return self._builtins[function.name]

    # --- datatypes -------------------------------------------------------------------------------

    def construct(self, constructor: str, fields: Sequence[Term]) -> Term:
        """A datum."""
        return self.solver.apply(self._constructors[constructor].make, fields)

    def _having(self, type_: Type, field: str) -> list[tuple[Constructor, int]]:
        """The constructors of a datatype that have a field, and where."""
        assert isinstance(type_, Named)
        found = []
        for constructor in self.program.datatype_named[type_.name].constructors:
            names = [f.name for f in constructor.fields]
            if field in names:
                found.append((self._constructors[constructor.name], names.index(field)))
        return found

    def _by_constructor(self, value: Term, cases: Sequence[tuple[Constructor, Term]]) -> Term:
        """The case of the constructor that `value` is built with; the last one if it is none of them."""
        result = cases[-1][1]
        for constructor, case in reversed(cases[:-1]):
            test = self.solver.apply(constructor.test, (value,))
            result = self.solver.app(SmtOp.ITE, (test, case, result))
        return result

    def get_field(self, type_: Type, field: str, value: Term) -> Term:
        """A field of a datum of this type."""
        cases = [(c, self.solver.apply(c.selectors[n], (value,))) for c, n in self._having(type_, field)]
        return self._by_constructor(value, cases)

    def _set_field(self, type_: Type, field: str, value: Term, new: Term) -> Term:
        apply = self.solver.apply
        cases = []
        for constructor, position in self._having(type_, field):
            fields = [apply(s, (value,)) for s in constructor.selectors]
            fields[position] = new
            cases.append((constructor, apply(constructor.make, fields)))
        return self._by_constructor(value, cases)

    # --- binders ---------------------------------------------------------------------------------

    def _binder(self, node: Binder, done: dict[Expr, Term]) -> Term:
        variables = [self.named(v) for v in node.vars]
        body = done[node.body]
        if node.kind is Quantifier.LAMBDA:
            return self.solver.lambda_(variables, body)
        weight = find_attribute(node.attributes, "weight")
        name = find_attribute(node.attributes, "qid")
        return self.solver.quantify(
            node.kind is Quantifier.FORALL,
            variables,
            body,
            patterns=[[done[t] for t in trigger.terms] for trigger in node.triggers if trigger.positive],
            no_patterns=[done[t] for trigger in node.triggers if not trigger.positive for t in trigger.terms],
            weight=_number(weight.params[0]) if weight and weight.params else 1,
            name=str(name.params[0]) if name and name.params else "",
        )


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
    """The constants that an axiom `c == 3` gives a value; the first such axiom counts. Equal floats need not be the
    same."""
    seen: set[Var] = set()
    for axiom in program.axioms:
        match axiom.condition:
            case App(Op.EQ, (Var(scope=Scope.CONST) as var, Lit() as value)) if not (
                isinstance(var.type, Float) or var in seen
            ):
                seen.add(var)
                yield var, value


def _no_variables(var: Var) -> Term:
    raise AssertionError(f"{var.name} in an axiom")


def _substituted_let(node: Let) -> Expr:
    return substitute(node.body, dict(zip(node.vars, node.values, strict=True)))


def _definition(function: Function) -> Expr:
    """`(forall x :: {f(x)} f(x) == body)`, as Boogie reads a function with a body."""
    assert function.body is not None
    variables = [p.var for p in function.params]
    application = App(Fn(function.name), tuple(variables), function.result)
    same = eq(application, function.body)
    if function.result is BOOL:
        same = App(Op.IFF, same.args, BOOL) if isinstance(same, App) else same
    if not variables:
        return same
    return binder(Quantifier.FORALL, variables, same, [Trigger((application,))])


def _functions_in(expr: Expr) -> list[str]:
    return [e.op.name for e in subterms([expr]) if isinstance(e, App) and isinstance(e.op, Fn)]


def _expandable(program: Program) -> dict[str, Function]:
    """The functions that are replaced by their bodies: marked so, and not defined through themselves."""
    marked = {
        f.name: f
        for f in program.functions
        if f.body is not None and any(find_attribute(f.attributes, a) for a in ("inline", "define"))
    }
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
