"""Building cvc5's sorts and terms, and reading its values.

Values are read from their SMT-LIB text, as from any other solver. Arrays of several indices take cvc5's tuples, and
lambdas become functions with an axiom.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any, NamedTuple, cast

from paddock.digits import digits, quotient
from paddock.solvers.cvc5.ops import KINDS
from paddock.solvers.derived import define_lambda, few_arguments, remainder
from paddock.solvers.interface import Constructor, Function, LiteralValue, SolverFailure, Template, Term
from paddock.solvers.ops import Op
from paddock.solvers.smtlib.text import literal_text, unused_name
from paddock.solvers.sorts import (
    BOOL,
    INT,
    REAL,
    REGEX,
    ROUNDING_MODE,
    STRING,
    ArraySort,
    BitVecSort,
    DatatypeDecl,
    DatatypeSort,
    FloatSort,
    Sort,
    UninterpretedSort,
)
from paddock.solvers.values import ROUNDING_MODES, is_nan

_MODES = {
    "RNE": "ROUND_NEAREST_TIES_TO_EVEN",
    "RNA": "ROUND_NEAREST_TIES_TO_AWAY",
    "RTP": "ROUND_TOWARD_POSITIVE",
    "RTN": "ROUND_TOWARD_NEGATIVE",
    "RTZ": "ROUND_TOWARD_ZERO",
}


_NATIVE_DEPTH = 2_000  # cvc5's substitution recurses: beyond some ten thousand levels it overflows the stack


class _Applicable(NamedTuple):
    """A function as cvc5 applies it: the kind of application, and the function's term."""

    kind: Any
    term: Any


class _Cvc5Template(NamedTuple):
    parameters: list[Any]
    body: Any
    deep: bool


@contextmanager
def failures() -> Iterator[None]:
    """What cvc5 complains about becomes a `SolverFailure`."""
    try:
        yield
    except (RuntimeError, ValueError, TypeError) as error:
        raise SolverFailure(f"cvc5: {error}") from None


class Cvc5Sorts:
    """The sorts of a manager of terms, each made once."""

    def __init__(self, manager: Any) -> None:
        self._manager = manager
        self._known: dict[Sort, Any] = {
            BOOL: manager.getBooleanSort(),
            INT: manager.getIntegerSort(),
            REAL: manager.getRealSort(),
            ROUNDING_MODE: manager.getRoundingModeSort(),
            STRING: manager.getStringSort(),
            REGEX: manager.getRegExpSort(),
        }
        self._taken: dict[str, int] = {}
        self.constructors: dict[str, tuple[str, tuple[Sort, ...]]] = {}  # name and field sorts by symbol

    def of(self, sort: Sort) -> Any:
        """cvc5's sort."""
        native = self._known.get(sort)
        if native is None:
            with failures():
                native = self._known[sort] = self._made(sort)
        return native

    def _made(self, sort: Sort) -> Any:
        manager = self._manager
        match sort:
            case BitVecSort(width):
                return manager.mkBitVectorSort(width)
            case FloatSort(exponent, significand):
                return manager.mkFloatingPointSort(exponent, significand)
            case ArraySort(domain, range_):
                indices = [self.of(s) for s in domain]
                index = indices[0] if len(indices) == 1 else manager.mkTupleSort(*indices)
                return manager.mkArraySort(index, self.of(range_))
            case UninterpretedSort(name):
                return manager.mkUninterpretedSort(name)
            case _:
                raise ValueError(f"the sort {sort} is not declared")

    def read(self, native: Any) -> Sort:
        """Our sort for one of cvc5's."""
        if native.isBitVector():
            return BitVecSort(native.getBitVectorSize())
        if native.isFloatingPoint():
            return FloatSort(native.getFloatingPointExponentSize(), native.getFloatingPointSignificandSize())
        # All other sorts were made here, together with those that they are made of.
        return next(ours for ours, theirs in self._known.items() if theirs == native)

    def declare(self, datatypes: Sequence[DatatypeDecl]) -> dict[str, Any]:
        """Makes datatypes that may refer to each other; gives cvc5's constructors by name."""
        manager, known = self._manager, dict(self._known)
        with failures():
            for datatype in datatypes:
                self._known[DatatypeSort(datatype.name)] = manager.mkUnresolvedDatatypeSort(datatype.name, 0)
            declarations = []
            for datatype in datatypes:
                declaration = manager.mkDatatypeDecl(datatype.name)
                for constructor in datatype.constructors:
                    symbol = unused_name(constructor.name, self._taken)
                    self.constructors[symbol] = (constructor.name, tuple(s for _, s in constructor.fields))
                    constructor_declaration = manager.mkDatatypeConstructorDecl(symbol)
                    for name, sort in constructor.fields:
                        constructor_declaration.addSelector(name, self.of(sort))
                    declaration.addConstructor(constructor_declaration)
                declarations.append(declaration)
            made = manager.mkDatatypeSorts(declarations)
        # What was made of unresolved sorts is made again; an uninterpreted sort would be another one then.
        self._known = known | {s: n for s, n in self._known.items() if isinstance(s, UninterpretedSort)}
        result: dict[str, Any] = {}
        for datatype, native in zip(datatypes, made, strict=True):
            self._known[DatatypeSort(datatype.name)] = native
            for constructor, theirs in zip(datatype.constructors, native.getDatatype(), strict=True):
                result[constructor.name] = theirs
        return result


class Cvc5Terms:
    """cvc5's terms, and the solver that axioms about them are asserted in."""

    def __init__(self, cvc5: Any) -> None:
        self._cvc5 = cvc5
        self.manager = cvc5.TermManager()
        self.solver = cvc5.Solver(self.manager)
        self.sorts = Cvc5Sorts(self.manager)
        self._kinds: dict[Op, Any] = {op: getattr(cvc5.Kind, name) for op, name in KINDS.items()}
        self._constants: dict[str, Any] = {}
        self._functions: dict[str, _Applicable] = {}
        self._lambda_count = 0

    def constant(self, name: str, sort: Sort) -> Term:
        term = self._constants.get(name)
        if term is None:
            term = self._constants[name] = self.manager.mkConst(self.sorts.of(sort), name)
        return cast(Term, term)

    def fresh(self, name: str, sort: Sort) -> Term:
        # Two constants of the same name are different ones to cvc5.
        return cast(Term, self.manager.mkConst(self.sorts.of(sort), name))

    def variable(self, name: str, sort: Sort) -> Term:
        return cast(Term, self.manager.mkVar(self.sorts.of(sort), name))

    def literal(self, value: LiteralValue, sort: Sort) -> Term:
        with failures():
            return cast(Term, self._literal(value, sort))

    def _literal(self, value: LiteralValue, sort: Sort) -> Any:
        manager = self.manager
        match sort:
            case BitVecSort(width):
                return manager.mkBitVector(width, digits(int(value) % (1 << width)), 10)
            case FloatSort(exponent, significand):
                if is_nan(int(value), sort):
                    return manager.mkFloatingPointNaN(exponent, significand)
                return manager.mkFloatingPoint(exponent, significand, self._literal(value, BitVecSort(sort.width)))
            case _ if sort is BOOL:
                return manager.mkBoolean(bool(value))
            case _ if sort is INT:
                return manager.mkInteger(digits(int(value)))
            case _ if sort is REAL:
                return manager.mkReal(quotient(Fraction(value)))
            case _ if sort is ROUNDING_MODE:
                return manager.mkRoundingMode(getattr(self._cvc5.RoundingMode, _MODES[ROUNDING_MODES[str(value)]]))
            case _:
                return manager.mkString(literal_text(value, sort)[1:-1].replace('""', '"'), True)

    def app(self, op: Op, args: Sequence[Term], indices: Sequence[int] = ()) -> Term:
        if len(args) < 2:
            simpler = few_arguments(self, op, args)
            if simpler is not None:
                return simpler
        if op is Op.REM:
            return remainder(self, *args)
        with failures():
            return cast(Term, self._app(op, cast(Sequence[Any], args), indices))

    def _app(self, op: Op, args: Sequence[Any], indices: Sequence[int]) -> Any:
        manager, kind = self.manager, self._kinds[op]
        match op:
            case Op.SELECT if len(args) > 2:
                args = (args[0], manager.mkTuple(list(args[1:])))
            case Op.STORE if len(args) > 3:
                args = (args[0], manager.mkTuple(list(args[1:-1])), args[-1])
            case Op.SUB if len(args) == 1:
                kind = self._cvc5.Kind.NEG
            case Op.TO_FP:
                kind = _conversion(self._cvc5.Kind, args) or kind
        return manager.mkTerm(manager.mkOp(kind, *indices) if indices else kind, *args)

    def const_array(self, sort: Sort, value: Term) -> Term:
        assert isinstance(sort, ArraySort)
        try:
            return cast(Term, self.manager.mkConstArray(self.sorts.of(sort), value))
        except RuntimeError:  # cvc5 takes values only
            return self.lambda_([self.variable("i", index) for index in sort.domain], value)

    def declare_function(self, name: str, domain: Sequence[Sort], range_: Sort) -> Function:
        function = self._functions.get(name)
        if function is None:
            sort = self.sorts.of(range_)
            if domain:
                sort = self.manager.mkFunctionSort([self.sorts.of(s) for s in domain], sort)
            function = _Applicable(self._cvc5.Kind.APPLY_UF, self.manager.mkConst(sort, name))
            self._functions[name] = function
        return Function(function)

    def declare_datatypes(self, datatypes: Sequence[DatatypeDecl]) -> dict[str, Constructor]:
        return {name: self._functions_of(constructor) for name, constructor in self.sorts.declare(datatypes).items()}

    def _functions_of(self, constructor: Any) -> Constructor:
        kinds = self._cvc5.Kind
        return Constructor(
            Function(_Applicable(kinds.APPLY_CONSTRUCTOR, constructor.getTerm())),
            Function(_Applicable(kinds.APPLY_TESTER, constructor.getTesterTerm())),
            tuple(Function(_Applicable(kinds.APPLY_SELECTOR, s.getTerm())) for s in constructor),
        )

    def apply(self, function: Function, args: Sequence[Term]) -> Term:
        kind, term = cast(_Applicable, function)
        if not args and kind == self._cvc5.Kind.APPLY_UF:
            return cast(Term, term)
        with failures():
            return cast(Term, self.manager.mkTerm(kind, term, *args))

    def quantify(
        self,
        universal: bool,
        variables: Sequence[Term],
        body: Term,
        *,
        patterns: Sequence[Sequence[Term]] = (),
        no_patterns: Sequence[Term] = (),
        weight: int = 1,
        name: str = "",
    ) -> Term:
        manager, kinds = self.manager, self._cvc5.Kind
        with failures():
            hints = [manager.mkTerm(kinds.INST_PATTERN, *pattern) for pattern in patterns]
            if not patterns:
                hints = [manager.mkTerm(kinds.INST_NO_PATTERN, t) for t in no_patterns]
            parts = [manager.mkTerm(kinds.VARIABLE_LIST, *variables), body]
            if hints:
                parts.append(manager.mkTerm(kinds.INST_PATTERN_LIST, *hints))
            return cast(Term, manager.mkTerm(kinds.FORALL if universal else kinds.EXISTS, *parts))

    def lambda_(self, variables: Sequence[Term], body: Term) -> Term:
        free = _free_variables(self._cvc5.Kind, body, variables)
        domain = tuple(self.sorts.read(v.getSort()) for v in cast(Sequence[Any], variables))
        sort = ArraySort(domain, self.sorts.read(cast(Any, body).getSort()))
        self.sorts.of(sort)
        name = f"lambda#{self._lambda_count}"
        self._lambda_count += 1
        return define_lambda(self, name, free, [self.sorts.read(v.getSort()) for v in free], variables, sort, body)

    def template(self, parameters: Sequence[Term], body: Term) -> Template:
        return Template(_Cvc5Template(list(parameters), body, _depth(body) > _NATIVE_DEPTH))

    def instantiate(self, template: Template, args: Sequence[Term]) -> Term:
        parameters, body, deep = cast(_Cvc5Template, template)
        if len(args) != len(parameters):
            raise SolverFailure(f"cvc5: a template of {len(parameters)} parameters has {len(args)} arguments")
        with failures():
            if deep:
                return cast(Term, _substitute(self.manager, body, dict(zip(parameters, args, strict=True))))
            return cast(Term, body.substitute(parameters, list(args)) if parameters else body)

    def assert_(self, term: Term) -> None:
        with failures():
            self.solver.assertFormula(term)


def _conversion(kinds: Any, args: Sequence[Any]) -> Any:
    """The kind of `to_fp` by what it converts from; None for a signed bit-vector."""
    if len(args) == 1:
        return kinds.FLOATINGPOINT_TO_FP_FROM_IEEE_BV
    source = args[1].getSort()
    if source.isFloatingPoint():
        return kinds.FLOATINGPOINT_TO_FP_FROM_FP
    return kinds.FLOATINGPOINT_TO_FP_FROM_REAL if source.isReal() else None


def _free_variables(kinds: Any, root: Any, bound: Sequence[Any]) -> list[Any]:
    """The variables that occur free but are not in `bound`, in the order found."""
    hidden = set(bound)
    found: dict[Any, None] = {}
    seen: set[Any] = set()
    stack = [root]
    while stack:
        term = stack.pop()
        if term in seen:
            continue
        seen.add(term)
        kind = term.getKind()
        if kind == kinds.VARIABLE:
            found[term] = None
        elif kind == kinds.VARIABLE_LIST:
            hidden.update(term)
        else:
            stack.extend(reversed(list(term)))
    return [v for v in found if v not in hidden]


def _substitute(manager: Any, root: Any, done: dict[Any, Any]) -> Any:
    """`root` with terms replaced as `done` says; what cvc5's own substitution does, without its recursion."""
    stack = [root]
    while stack:
        term = stack[-1]
        if term in done:
            stack.pop()
            continue
        parts = list(term)
        missing = [p for p in parts if p not in done]
        if missing:
            stack.extend(missing)
            continue
        stack.pop()
        done[term] = manager.mkTerm(term.getOp(), *[done[p] for p in parts]) if parts else term
    return done[root]


def _depth(root: Any) -> int:
    """How many levels the term has."""
    depths: dict[Any, int] = {}
    stack = [root]
    while stack:
        term = stack[-1]
        parts = [] if term in depths else list(term)
        missing = [p for p in parts if p not in depths]
        if missing:
            stack.extend(missing)
            continue
        stack.pop()
        if term not in depths:
            depths[term] = 1 + max((depths[p] for p in parts), default=0)
    return depths[root]
