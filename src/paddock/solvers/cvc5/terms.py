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


class Cvc5Terms:
    """A cvc5 solver with its terms; what checks is in `cvc5_solver.py`."""

    def __init__(self, cvc5: Any) -> None:
        self._cvc5 = cvc5
        self._manager = manager = cvc5.TermManager()
        self._solver = cvc5.Solver(manager)
        self._kinds: dict[Op, Any] = {op: getattr(cvc5.Kind, name) for op, name in KINDS.items()}
        self._sorts: dict[Sort, Any] = {
            BOOL: manager.getBooleanSort(),
            INT: manager.getIntegerSort(),
            REAL: manager.getRealSort(),
            ROUNDING_MODE: manager.getRoundingModeSort(),
            STRING: manager.getStringSort(),
            REGEX: manager.getRegExpSort(),
        }
        self._constants: dict[str, Any] = {}
        self._functions: dict[str, _Applicable] = {}
        self._lambda_count = 0
        self._taken: dict[str, int] = {}
        self.constructors: dict[str, tuple[str, tuple[Sort, ...]]] = {}  # name and field sorts by symbol

    # Sorts

    def sort(self, sort: Sort) -> Any:
        """cvc5's sort."""
        native = self._sorts.get(sort)
        if native is None:
            with failures():
                native = self._sorts[sort] = self._make_sort(sort)
        return native

    def _make_sort(self, sort: Sort) -> Any:
        manager = self._manager
        match sort:
            case BitVecSort(width):
                return manager.mkBitVectorSort(width)
            case FloatSort(exponent, significand):
                return manager.mkFloatingPointSort(exponent, significand)
            case ArraySort(domain, range_):
                indices = [self.sort(s) for s in domain]
                index = indices[0] if len(indices) == 1 else manager.mkTupleSort(*indices)
                return manager.mkArraySort(index, self.sort(range_))
            case UninterpretedSort(name):
                return manager.mkUninterpretedSort(name)
            case _:
                raise ValueError(f"the sort {sort} is not declared")

    def sort_of(self, native: Any) -> Sort:
        """Our sort for one of cvc5's."""
        if native.isBitVector():
            return BitVecSort(native.getBitVectorSize())
        if native.isFloatingPoint():
            return FloatSort(native.getFloatingPointExponentSize(), native.getFloatingPointSignificandSize())
        # All other sorts were made by `sort`, together with those that they are made of.
        return next(ours for ours, theirs in self._sorts.items() if theirs == native)

    # Terms

    def constant(self, name: str, sort: Sort) -> Term:
        term = self._constants.get(name)
        if term is None:
            term = self._constants[name] = self._manager.mkConst(self.sort(sort), name)
        return cast(Term, term)

    def fresh(self, name: str, sort: Sort) -> Term:
        # Two constants of the same name are different ones to cvc5.
        return cast(Term, self._manager.mkConst(self.sort(sort), name))

    def variable(self, name: str, sort: Sort) -> Term:
        return cast(Term, self._manager.mkVar(self.sort(sort), name))

    def literal(self, value: LiteralValue, sort: Sort) -> Term:
        with failures():
            return cast(Term, self._literal(value, sort))

    def _literal(self, value: LiteralValue, sort: Sort) -> Any:
        manager = self._manager
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
        manager, kind = self._manager, self._kinds[op]
        match op:
            case Op.SELECT if len(args) > 2:
                args = (args[0], manager.mkTuple(list(args[1:])))
            case Op.STORE if len(args) > 3:
                args = (args[0], manager.mkTuple(list(args[1:-1])), args[-1])
            case Op.SUB if len(args) == 1:
                kind = self._cvc5.Kind.NEG
            case Op.TO_FP:
                kind = self._to_fp_kind(args)
        return manager.mkTerm(manager.mkOp(kind, *indices) if indices else kind, *args)

    def _to_fp_kind(self, args: Sequence[Any]) -> Any:
        kinds = self._cvc5.Kind
        if len(args) == 1:
            return kinds.FLOATINGPOINT_TO_FP_FROM_IEEE_BV
        source = args[1].getSort()
        if source.isFloatingPoint():
            return kinds.FLOATINGPOINT_TO_FP_FROM_FP
        return kinds.FLOATINGPOINT_TO_FP_FROM_REAL if source.isReal() else self._kinds[Op.TO_FP]

    def const_array(self, sort: Sort, value: Term) -> Term:
        assert isinstance(sort, ArraySort)
        try:
            return cast(Term, self._manager.mkConstArray(self.sort(sort), value))
        except RuntimeError:  # cvc5 takes values only
            return self.lambda_([self.variable("i", index) for index in sort.domain], value)

    def declare_function(self, name: str, domain: Sequence[Sort], range_: Sort) -> Function:
        function = self._functions.get(name)
        if function is None:
            sort = self.sort(range_)
            if domain:
                sort = self._manager.mkFunctionSort([self.sort(s) for s in domain], sort)
            function = _Applicable(self._cvc5.Kind.APPLY_UF, self._manager.mkConst(sort, name))
            self._functions[name] = function
        return Function(function)

    def declare_datatypes(self, datatypes: Sequence[DatatypeDecl]) -> dict[str, Constructor]:
        manager, known = self._manager, dict(self._sorts)
        with failures():
            for datatype in datatypes:
                self._sorts[DatatypeSort(datatype.name)] = manager.mkUnresolvedDatatypeSort(datatype.name, 0)
            declarations = []
            for datatype in datatypes:
                declaration = manager.mkDatatypeDecl(datatype.name)
                for constructor in datatype.constructors:
                    symbol = unused_name(constructor.name, self._taken)
                    self.constructors[symbol] = (constructor.name, tuple(s for _, s in constructor.fields))
                    constructor_declaration = manager.mkDatatypeConstructorDecl(symbol)
                    for name, sort in constructor.fields:
                        constructor_declaration.addSelector(name, self.sort(sort))
                    declaration.addConstructor(constructor_declaration)
                declarations.append(declaration)
            made = manager.mkDatatypeSorts(declarations)
        # What was made of unresolved sorts is made again; an uninterpreted sort would be another one then.
        self._sorts = known | {s: n for s, n in self._sorts.items() if isinstance(s, UninterpretedSort)}
        result: dict[str, Constructor] = {}
        for datatype, native in zip(datatypes, made, strict=True):
            self._sorts[DatatypeSort(datatype.name)] = native
            for constructor, theirs in zip(datatype.constructors, native.getDatatype(), strict=True):
                result[constructor.name] = self._functions_of(theirs)
        return result

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
            return cast(Term, self._manager.mkTerm(kind, term, *args))

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
        manager, kinds = self._manager, self._cvc5.Kind
        with failures():
            hints = [manager.mkTerm(kinds.INST_PATTERN, *pattern) for pattern in patterns]
            if not patterns:
                hints = [manager.mkTerm(kinds.INST_NO_PATTERN, t) for t in no_patterns]
            parts = [manager.mkTerm(kinds.VARIABLE_LIST, *variables), body]
            if hints:
                parts.append(manager.mkTerm(kinds.INST_PATTERN_LIST, *hints))
            return cast(Term, manager.mkTerm(kinds.FORALL if universal else kinds.EXISTS, *parts))

    def lambda_(self, variables: Sequence[Term], body: Term) -> Term:
        free = self._free_variables(body, variables)
        domain = tuple(self.sort_of(v.getSort()) for v in cast(Sequence[Any], variables))
        sort = ArraySort(domain, self.sort_of(cast(Any, body).getSort()))
        self.sort(sort)
        name = f"lambda#{self._lambda_count}"
        self._lambda_count += 1
        return define_lambda(self, name, free, [self.sort_of(v.getSort()) for v in free], variables, sort, body)

    def _free_variables(self, root: Any, bound: Sequence[Any]) -> list[Any]:
        """The variables that occur free but are not in `bound`, in the order found."""
        kinds = self._cvc5.Kind
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

    def template(self, parameters: Sequence[Term], body: Term) -> Template:
        return Template(_Cvc5Template(list(parameters), body, _depth(body) > _NATIVE_DEPTH))

    def instantiate(self, template: Template, args: Sequence[Term]) -> Term:
        parameters, body, deep = cast(_Cvc5Template, template)
        if len(args) != len(parameters):
            raise SolverFailure(f"cvc5: a template of {len(parameters)} parameters has {len(args)} arguments")
        with failures():
            if deep:
                return cast(Term, self._substitute(body, dict(zip(parameters, args, strict=True))))
            return cast(Term, body.substitute(parameters, list(args)) if parameters else body)

    def _substitute(self, root: Any, done: dict[Any, Any]) -> Any:
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
            done[term] = self._manager.mkTerm(term.getOp(), *[done[p] for p in parts]) if parts else term
        return done[root]

    def assert_(self, term: Term) -> None:
        with failures():
            self._solver.assertFormula(term)


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
