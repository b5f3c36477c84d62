"""Building Bitwuzla's sorts and terms.

It has no integers, reals, strings or datatypes, and arrays of one index only: what needs those is refused by name, so
that another solver can be asked. Substitution goes through a term level by level, without recursion.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, cast

from paddock.solvers.bitwuzla.ops import KINDS
from paddock.solvers.derived import few_arguments
from paddock.solvers.interface import (
    Constructor,
    Function,
    LiteralValue,
    SolverFailure,
    Template,
    Term,
    Unsupported,
)
from paddock.solvers.ops import Op
from paddock.solvers.sorts import (
    BOOL,
    ROUNDING_MODE,
    ArraySort,
    BitVecSort,
    DatatypeDecl,
    FloatSort,
    Sort,
    UninterpretedSort,
)
from paddock.solvers.values import ROUNDING_MODES, is_nan

_FORMATS = ((5, 11), (8, 24), (11, 53), (15, 113))  # of floats; others are experimental


class _Template(NamedTuple):
    parameters: list[Any]
    body: Any


@contextmanager
def failures() -> Iterator[None]:
    """What Bitwuzla complains about becomes a `SolverFailure`."""
    try:
        yield
    except SolverFailure:
        raise
    except Exception as error:  # its own exceptions have no common base but this one
        raise SolverFailure(f"bitwuzla: {error}") from None


class BitwuzlaSorts:
    """The sorts of a manager of terms, each made once."""

    def __init__(self, manager: Any) -> None:
        self._manager = manager
        self._native: dict[Sort, Any] = {BOOL: manager.mk_bool_sort(), ROUNDING_MODE: manager.mk_rm_sort()}
        self._ours: dict[Any, Sort] = {native: sort for sort, native in self._native.items()}

    def of(self, sort: Sort) -> Any:
        """Bitwuzla's sort."""
        native = self._native.get(sort)
        if native is None:
            with failures():
                native = self._native[sort] = self._made(sort)
                self._ours[native] = sort
        return native

    def read(self, native: Any) -> Sort:
        """Our sort for one of Bitwuzla's."""
        known = self._ours.get(native)
        if known is None:
            known = self._ours[native] = _read_sort(native)
        return known

    def _made(self, sort: Sort) -> Any:
        manager = self._manager
        match sort:
            case BitVecSort(width) if width:
                return manager.mk_bv_sort(width)
            case FloatSort(exponent, significand) if (exponent, significand) in _FORMATS:
                return manager.mk_fp_sort(exponent, significand)
            case ArraySort((index,), range_) if not isinstance(index, ArraySort) and not isinstance(range_, ArraySort):
                return manager.mk_array_sort(self.of(index), self.of(range_))
            case UninterpretedSort(name):
                return manager.mk_uninterpreted_sort(name)
            case _:
                raise Unsupported(f"bitwuzla: the sort {sort} is not supported")


class BitwuzlaTerms:
    """Bitwuzla's terms; what checks is in `solver.py`."""

    def __init__(self, bitwuzla: Any) -> None:
        self.library = bitwuzla
        self.manager = bitwuzla.TermManager()
        # Terms must not outlive their manager, but the garbage collector takes apart what refers to each other in any
        # order. So the manager, which is small without its terms, is never freed.
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(self.manager))
        self.sorts = BitwuzlaSorts(self.manager)
        self._kinds: dict[Op, Any] = {op: getattr(bitwuzla.Kind, name) for op, name in KINDS.items()}
        self._constants: dict[str, Any] = {}
        self._functions: dict[str, Any] = {}
        self._count = 0

    def constant(self, name: str, sort: Sort) -> Term:
        term = self._constants.get(name)
        if term is None:
            term = self._constants[name] = self.manager.mk_const(self.sorts.of(sort), name)
        return cast(Term, term)

    def fresh(self, name: str, sort: Sort) -> Term:
        self._count += 1
        return cast(Term, self.manager.mk_const(self.sorts.of(sort), f"{name}!{self._count}"))

    def variable(self, name: str, sort: Sort) -> Term:
        # Templates are instantiated by substitution, which takes constants as well as variables.
        return self.fresh(name, sort)

    def literal(self, value: LiteralValue, sort: Sort) -> Term:
        manager = self.manager
        match sort:
            case BitVecSort():
                return cast(Term, manager.mk_bv_value(self.sorts.of(sort), int(cast(int, value)) % (1 << sort.width)))
            case FloatSort():
                return cast(Term, self._float(cast(int, value), sort))
            case _ if sort is BOOL:
                return cast(Term, manager.mk_true() if value else manager.mk_false())
            case _ if sort is ROUNDING_MODE:
                mode = getattr(self.library.RoundingMode, ROUNDING_MODES[cast(str, value)])
                return cast(Term, manager.mk_rm_value(mode))
            case _:
                raise Unsupported(f"bitwuzla: literals of the sort {sort} are not supported")

    def _float(self, bits: int, sort: FloatSort) -> Any:
        native = self.sorts.of(sort)
        if is_nan(bits, sort):
            return self.manager.mk_fp_nan(native)
        fraction = sort.significand - 1
        parts = (
            (bits >> (sort.width - 1), 1),
            (bits >> fraction & ((1 << sort.exponent) - 1), sort.exponent),
            (bits & ((1 << fraction) - 1), fraction),
        )
        return self.manager.mk_fp_value(*[self.literal(value, BitVecSort(width)) for value, width in parts])

    def app(self, op: Op, args: Sequence[Term], indices: Sequence[int] = ()) -> Term:
        few = few_arguments(self, op, args)
        if few is not None:
            return few
        kind = self._kinds.get(op)
        if kind is None:
            raise Unsupported(f"bitwuzla: the operator {op.value} is not supported")
        if op is Op.TO_FP:
            kind = self._conversion(args)
        with failures():
            return cast(Term, self.manager.mk_term(kind, list(args), list(indices)))

    def _conversion(self, args: Sequence[Any]) -> Any:
        """What `to_fp` converts from is determined by its arguments."""
        kinds = self.library.Kind
        if len(args) == 1:
            return kinds.FP_TO_FP_FROM_BV
        return kinds.FP_TO_FP_FROM_FP if args[1].sort().is_fp() else kinds.FP_TO_FP_FROM_SBV

    def const_array(self, sort: Sort, value: Term) -> Term:
        with failures():
            return cast(Term, self.manager.mk_const_array(self.sorts.of(sort), value))

    def declare_function(self, name: str, domain: Sequence[Sort], range_: Sort) -> Function:
        function = self._functions.get(name)
        if function is None:
            sort = self.sorts.of(range_)
            with failures():
                if domain:
                    sort = self.manager.mk_fun_sort([self.sorts.of(s) for s in domain], sort)
                function = self._functions[name] = self.manager.mk_const(sort, name)
        return Function(function)

    def declare_datatypes(self, datatypes: Sequence[DatatypeDecl]) -> dict[str, Constructor]:
        if datatypes:
            raise Unsupported("bitwuzla: datatypes are not supported")
        return {}

    def apply(self, function: Function, args: Sequence[Term]) -> Term:
        if not args:
            return cast(Term, function)
        with failures():
            return cast(Term, self.manager.mk_term(self.library.Kind.APPLY, [function, *args]))

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
        raise Unsupported("bitwuzla: quantifiers are not supported")

    def lambda_(self, variables: Sequence[Term], body: Term) -> Term:
        raise Unsupported("bitwuzla: lambdas are not supported")

    def template(self, parameters: Sequence[Term], body: Term) -> Template:
        return Template(_Template(list(parameters), body))

    def instantiate(self, template: Template, args: Sequence[Term]) -> Term:
        parameters, root = cast(_Template, template)
        if len(args) != len(parameters):
            raise SolverFailure(f"bitwuzla: a template of {len(parameters)} parameters has {len(args)} arguments")
        done: dict[Any, Any] = dict(zip(parameters, args, strict=True))
        stack = [root]
        with failures():
            while stack:
                term = stack[-1]
                if term in done:
                    stack.pop()
                    continue
                parts = term.children()
                missing = [p for p in parts if p not in done]
                if missing:
                    stack += missing
                    continue
                stack.pop()
                new = [done[p] for p in parts]
                changed = any(a is not b for a, b in zip(new, parts, strict=True))
                done[term] = self._rebuilt(term, new) if changed else term
        return cast(Term, done[root])

    def _rebuilt(self, term: Any, parts: list[Any]) -> Any:
        if term.kind() == self.library.Kind.CONST_ARRAY:
            return self.manager.mk_const_array(term.sort(), parts[0])
        return self.manager.mk_term(term.kind(), parts, list(term.indices()))


def _read_sort(native: Any) -> Sort:
    if native.is_bv():
        return BitVecSort(native.bv_size())
    if native.is_fp():
        return FloatSort(native.fp_exp_size(), native.fp_sig_size())
    if native.is_array():
        return ArraySort((_read_sort(native.array_index()),), _read_sort(native.array_element()))
    if native.is_uninterpreted():
        return UninterpretedSort(native.uninterpreted_symbol())
    return ROUNDING_MODE if native.is_rm() else BOOL
