"""Building Z3's terms in a context of their own.

Templates are bodies over de Bruijn variables, instantiated by one call of `Z3_substitute_vars`.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, cast

from paddock.digits import quotient
from paddock.solvers.interface import Constructor, Function, LiteralValue, SolverFailure, Template, Term
from paddock.solvers.ops import Op
from paddock.solvers.sorts import (
    BOOL,
    ROUNDING_MODE,
    STRING,
    ArraySort,
    BitVecSort,
    DatatypeDecl,
    FloatSort,
    Sort,
)
from paddock.solvers.values import ROUNDING_MODES, is_nan
from paddock.solvers.z3.context import Z3Context
from paddock.solvers.z3.library import packed
from paddock.solvers.z3.ops import builders
from paddock.solvers.z3.sorts import Z3Sorts

_SMALL = 1 << 62  # numerals below this are passed as machine integers
_PRODUCTS = (Op.MUL, Op.DIV, Op.MOD, Op.REM, Op.RDIV)
_POWERS = (Op.POWER, Op.FP_TO_REAL)


class _Z3Template(NamedTuple):
    body: Any
    arity: int


class _Calls:
    """The functions of the library that are called most, ready to be called with the context first."""

    def __init__(self, context: Z3Context) -> None:
        function = context.library.function
        self.symbol = function("mk_string_symbol", "pps")
        self.constant = function("mk_const", "pppp")
        self.fresh = function("mk_fresh_const", "ppsp")
        self.apply = function("mk_app", "pppup")
        self.integer = function("mk_int64", "ppqp")
        self.numeral = function("mk_numeral", "ppsp")
        self.substitute = function("substitute_vars", "pppup")
        self.quantifier = function("mk_quantifier_const_ex", "ppbuppupupupp")
        self.lambda_ = function("mk_lambda_const", "ppupp")
        self.truth = {True: context.bound("mk_true", "pp")(), False: context.bound("mk_false", "pp")()}


class Z3Terms:
    """What builds terms in a context. `is_linear` says that no unknowns are multiplied, nor divided by one, nor is
    anything raised to a power."""

    def __init__(self) -> None:
        self.context = Z3Context()
        self._handle = self.context.handle
        self._errors = self.context.errors
        self._sorts = Z3Sorts(self.context)
        self._calls = _Calls(self.context)
        self._plain, self._indexed = builders(self.context.library, self._handle)
        self.has_quantifiers = False
        self.is_linear = True
        is_number = self.context.bound("is_numeral_ast", "bpp")
        self._plain.update((op, _watched(self, op, self._plain[op], is_number)) for op in (*_PRODUCTS, *_POWERS))

    def constant(self, name: str, sort: Sort) -> Term:
        calls, handle = self._calls, self._handle
        term: Term = calls.constant(handle, calls.symbol(handle, name.encode()), self._sorts.of(sort))
        return term

    def fresh(self, name: str, sort: Sort) -> Term:
        term: Term = self._calls.fresh(self._handle, name.encode(), self._sorts.of(sort))
        return term

    # Binding abstracts constants, so a variable is a constant that nothing else can name.
    variable = fresh

    def literal(self, value: LiteralValue, sort: Sort) -> Term:
        term: Term
        bound = self.context.bound
        if sort is BOOL:
            term = self._calls.truth[bool(value)]
        elif isinstance(sort, FloatSort):
            term = self._float(int(value), sort)
        elif sort is ROUNDING_MODE:
            term = bound(f"mk_fpa_{ROUNDING_MODES[str(value)].lower()}", "pp")()
        elif sort is STRING:
            codes = (ctypes.c_uint * len(str(value)))(*map(ord, str(value)))
            term = bound("mk_u32string", "ppup")(len(codes), codes)
        elif isinstance(value, int) and -_SMALL < value < _SMALL:
            term = self._calls.integer(self._handle, value, self._sorts.of(sort))
        else:
            term = self._calls.numeral(self._handle, quotient(Fraction(value)).encode(), self._sorts.of(sort))
        if self._errors:
            raise self.context.failed()
        return term

    def _float(self, bits: int, sort: FloatSort) -> Any:
        if is_nan(bits, sort):
            return self.context.bound("mk_fpa_nan", "ppp")(self._sorts.of(sort))
        fraction = sort.significand - 1
        parts = ((bits >> (sort.width - 1), 1), (bits >> fraction, sort.exponent), (bits, fraction))
        return self.app(Op.FP, [self.literal(part % (1 << width), BitVecSort(width)) for part, width in parts])

    def app(self, op: Op, args: Sequence[Term], indices: Sequence[int] = ()) -> Term:
        term: Term = self._indexed[op](args, indices) if indices else self._plain[op](args)
        if self._errors:
            raise self.context.failed()
        return term

    def const_array(self, sort: Sort, value: Term) -> Term:
        assert isinstance(sort, ArraySort)
        if len(sort.domain) > 1:
            return self.lambda_([self.variable("i", index) for index in sort.domain], value)
        term: Term = self.context.bound("mk_const_array", "pppp")(self._sorts.of(sort.domain[0]), value)
        self.context.check_errors()
        return term

    def declare_function(self, name: str, domain: Sequence[Sort], range_: Sort) -> Function:
        declare = self.context.bound("mk_func_decl", "pppupp")
        sorts = [self._sorts.of(s) for s in domain]
        function: Function = declare(self.context.symbol(name), len(sorts), packed(sorts), self._sorts.of(range_))
        self.context.check_errors()
        return function

    def apply(self, function: Function, args: Sequence[Term]) -> Term:
        term: Term = self._calls.apply(self._handle, function, len(args), packed(args))
        if self._errors:
            raise self.context.failed()
        return term

    def declare_datatypes(self, datatypes: Sequence[DatatypeDecl]) -> dict[str, Constructor]:
        return self._sorts.declare(datatypes)

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
        self.has_quantifiers = True
        make_pattern = self.context.bound("mk_pattern", "ppup")
        pattern_handles = [make_pattern(len(pattern), packed(pattern)) for pattern in patterns]
        self.context.check_errors()
        empty = self.context.symbol("")
        names = self.context.symbol(name) if name else empty, empty
        head = self._handle, universal, weight, *names, len(variables), packed(variables)

        def quantified(chosen: Sequence[Any]) -> Term:
            avoided = () if chosen else no_patterns  # Z3 takes one or the other
            hints = len(chosen), packed(chosen), len(avoided), packed(avoided)
            term: Term = self._calls.quantifier(*head, *hints, body)
            return term

        term = quantified(pattern_handles)
        if self._errors and pattern_handles:
            # Z3 refuses patterns in which a formula is an argument; then the choice is its own.
            self._errors.clear()
            term = quantified([])
        self.context.check_errors()
        return term

    def lambda_(self, variables: Sequence[Term], body: Term) -> Term:
        term: Term = self._calls.lambda_(self._handle, len(variables), packed(variables), body)
        self.context.check_errors()
        return term

    def template(self, parameters: Sequence[Term], body: Term) -> Template:
        # Z3 turns the constants that a lambda binds into de Bruijn variables, under inner binders too.
        inner: Any = body
        if parameters:
            inner = self.context.bound("get_quantifier_body", "ppp")(self.lambda_(parameters, body))
        return Template(_Z3Template(inner, len(parameters)))

    def instantiate(self, template: Template, args: Sequence[Term]) -> Term:
        body, arity = cast(_Z3Template, template)
        if len(args) != arity:
            raise SolverFailure(f"Z3: a template of {arity} parameters has {len(args)} arguments")
        # The last parameter is the innermost, with index 0.
        term: Term = self._calls.substitute(self._handle, body, arity, packed(args[::-1]))
        if self._errors:
            raise self.context.failed()
        return term


def _watched(
    terms: Z3Terms, op: Op, build: Callable[[Sequence[Any]], Any], is_number: Callable[[Any], bool]
) -> Callable[[Sequence[Any]], Any]:
    """What builds an operator, and notes that the terms are not linear any more."""

    def watched(args: Sequence[Any]) -> Any:
        if terms.is_linear:
            unknowns = [n for n, arg in enumerate(args) if not is_number(arg)]
            few = len(unknowns) < 2 if op is Op.MUL else unknowns in ([], [0])
            terms.is_linear = few and op not in _POWERS
        return build(args)

    return watched
