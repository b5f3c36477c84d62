"""Values from a Z3 model.

Z3 gives an array as stores on a constant array or as the graph of one of the model's functions; both become
default and entries. An array that it gives by a formula over the index is sampled: it is exact at the indices that
the formula names and around them, with one value for all others, which need not be right. Reading is iterative, so
neither a long store chain nor a long list overflows the stack.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise, product
from math import prod
from typing import Any

from paddock.digits import quotient, rational
from paddock.solvers.interface import Function, SolverFailure, Term
from paddock.solvers.reading import Plan, leaf, read
from paddock.solvers.sorts import FloatSort
from paddock.solvers.values import (
    DataValue,
    ElementValue,
    FunctionTable,
    OpaqueValue,
    Value,
    array_value,
    canonical_nan,
)
from paddock.solvers.z3.context import Z3Context
from paddock.solvers.z3.library import packed

# Z3_sort_kind
_UNINTERPRETED, _BOOL, _INT, _REAL, _BV, _ARRAY, _DATATYPE, _FLOAT, _ROUNDING_MODE, _SEQ = (
    0,
    1,
    2,
    3,
    4,
    5,
    6,
    9,
    10,
    11,
)
# Z3_decl_kind
_STORE, _CONST_ARRAY, _CONSTRUCTOR, _RNE = 0x300, 0x302, 0x800, 0xB000
_MODES = ("RNE", "RNA", "RTP", "RTN", "RTZ")  # in the order of Z3_decl_kind
_NUMERAL, _APP, _VARIABLE = 0, 1, 2  # Z3_ast_kind; quantifiers and lambdas have a greater one
_TRUE = 1  # Z3_lbool

_MOST_SAMPLES = 4096  # of an array that a formula defines
_FEW = 255  # bit-vectors up to this are all looked at
_GAP = 64  # between numbers that a formula names, such a gap is filled


class _Nodes:
    """How to look at Z3's terms: what they are, their parts, and the numbers and names that they hold."""

    def __init__(self, context: Z3Context) -> None:
        bound = context.bound
        self.sort, self.sort_kind = bound("get_sort", "ppp"), bound("get_sort_kind", "upp")
        self.kind = bound("get_ast_kind", "upp")
        self.decl, self.decl_kind = bound("get_app_decl", "ppp"), bound("get_decl_kind", "upp")
        self.is_as_array = bound("is_as_array", "bpp")
        self._arg_count, self._arg = bound("get_app_num_args", "upp"), bound("get_app_arg", "pppu")
        self._numeral_text = bound("get_numeral_string", "spp")
        self._symbol_text, self._decl_name = bound("get_symbol_string", "spp"), bound("get_decl_name", "ppp")

    def args(self, node: Any) -> list[Any]:
        return [self._arg(node, i) for i in range(self._arg_count(node))]

    def number(self, node: Any) -> Fraction:
        return rational(self._numeral_text(node).decode())

    def name(self, decl: Any) -> str:
        name: bytes = self._symbol_text(self._decl_name(decl))
        return name.decode(errors="replace")


class Z3Model:
    """A model that Z3 holds. `handle` is 0 once it is no longer the solver's last one."""

    def __init__(self, context: Z3Context, handle: int) -> None:
        self._context = context
        self.handle = handle
        bound = context.bound
        self._eval = context.library.function("model_eval", "bpppbp")
        self._result = ctypes.c_void_p()
        self._result_reference = ctypes.byref(self._result)
        self._bool_value = bound("get_bool_value", "ipp")
        self._nodes = _Nodes(context)

    def value(self, term: Term) -> Value:
        result = self._evaluate(term)
        # Most terms that an engine asks for are control flow: a short way for them.
        truth = self._bool_value(result)
        return truth == _TRUE if truth else self._read(result)

    def values(self, terms: Sequence[Term]) -> list[Value]:
        return [self.value(term) for term in terms]

    def function(self, function: Function) -> FunctionTable:
        self._check_current()
        interpretation = self._context.bound("model_get_func_interp", "pppp")(self.handle, function)
        if not interpretation:
            return FunctionTable({}, None)
        rows, default = self._graph(interpretation)
        entries = {tuple(self._read(a) for a in args): self._read(value) for args, value in rows}
        return FunctionTable(entries, None if default is None else self._read(default))

    def _check_current(self) -> None:
        if not self.handle:
            raise SolverFailure("Z3: the model is gone, for the solver has been used since")

    def _evaluate(self, term: Any) -> Any:
        self._check_current()
        self._eval(self._context.handle, self.handle, term, True, self._result_reference)
        self._context.check_errors()
        return self._result.value

    def _graph(self, interpretation: Any) -> tuple[list[tuple[list[Any], Any]], Any]:
        """A function's rows of arguments and value, and its value elsewhere."""
        bound = self._context.bound
        entry_arg_count, entry_arg = bound("func_entry_get_num_args", "upp"), bound("func_entry_get_arg", "pppu")
        entry_value, get_entry = bound("func_entry_get_value", "ppp"), bound("func_interp_get_entry", "pppu")
        keep, drop = bound("func_entry_inc_ref", "-pp"), bound("func_entry_dec_ref", "-pp")
        bound("func_interp_inc_ref", "-pp")(interpretation)
        rows = []
        for i in range(bound("func_interp_get_num_entries", "upp")(interpretation)):
            entry = get_entry(interpretation, i)
            keep(entry)
            rows.append(([entry_arg(entry, k) for k in range(entry_arg_count(entry))], entry_value(entry)))
            drop(entry)
        default = bound("func_interp_get_else", "ppp")(interpretation)
        bound("func_interp_dec_ref", "-pp")(interpretation)
        return rows, default

    def _read(self, node: Any) -> Value:
        """The value that an evaluated term denotes."""
        return read(node, self._plan, lambda n: n)

    def _plan(self, node: Any) -> Plan[Any]:
        sort = self._nodes.sort(node)
        kind = self._nodes.sort_kind(sort)
        if kind == _BOOL:
            truth = self._bool_value(node)
            return leaf(truth == _TRUE) if truth else self._opaque(node)
        if kind in (_INT, _REAL, _BV) and self._nodes.kind(node) == _NUMERAL:
            number = self._nodes.number(node)
            return leaf(number if kind == _REAL else int(number))
        if kind == _FLOAT:
            return self._float(node, sort)
        if kind == _SEQ and self._context.bound("is_string", "bpp")(node):
            return leaf(self._string(node))
        if kind == _ARRAY:
            return self._array(node, sort)
        if self._nodes.kind(node) > _APP:
            return self._opaque(node)
        decl = self._nodes.decl(node)
        if kind == _ROUNDING_MODE and 0 <= self._nodes.decl_kind(decl) - _RNE < len(_MODES):
            return leaf(_MODES[self._nodes.decl_kind(decl) - _RNE])
        if kind == _UNINTERPRETED:
            # Z3 names the elements of the sort T in a model T!val!0, T!val!1, …
            sort_name, _, index = self._nodes.name(decl).rpartition("!val!")
            return leaf(ElementValue(sort_name, int(index))) if index.isdecimal() else self._opaque(node)
        if kind == _DATATYPE and self._nodes.decl_kind(decl) == _CONSTRUCTOR:
            name = self._nodes.name(decl)
            return Plan(self._nodes.args(node), lambda fields: DataValue(name, tuple(fields)))
        return self._opaque(node)

    def _array(self, node: Any, sort: Any) -> Plan[Any]:
        whole = node
        stores: list[list[Any]] = []  # indices, then the value; the outermost store first
        default = None
        while self._nodes.kind(node) == _APP and self._nodes.decl_kind(self._nodes.decl(node)) == _STORE:
            array, *store = self._nodes.args(node)
            stores.append(store)
            node = array
        if self._nodes.kind(node) == _APP and self._nodes.decl_kind(self._nodes.decl(node)) == _CONST_ARRAY:
            default = self._nodes.args(node)[0]
        elif self._nodes.is_as_array(node):
            decl = self._context.bound("get_as_array_func_decl", "ppp")(node)
            rows, default = self._graph(self._context.bound("model_get_func_interp", "pppp")(self.handle, decl))
            stores += [[*args, value] for args, value in rows]
        if default is None or self._constants_in(default) is None:
            sampled = self._sampled(node, sort, default)
            if not sampled:
                return self._opaque(whole)
            stores += sampled
            default = sampled[-1][-1]
        stores.reverse()

        def assemble(parts: list[Value]) -> Value:
            rest = iter(parts)
            values = [[next(rest) for _ in store] for store in stores]
            return array_value(next(rest), [(tuple(indices), value) for *indices, value in values])

        return Plan([part for store in stores for part in store] + [default], assemble)

    def _sampled(self, array: Any, sort: Any, formula: Any) -> list[list[Any]]:
        """Indices of an array that a formula (or else a lambda) defines, with the values there: enough for one that is
        constant between the indices that the formula names. The last index is, if possible, none of those. Empty if
        there are no such indices, or too many."""
        bound = self._context.bound
        if formula is None:
            if self._nodes.kind(array) <= _VARIABLE:
                return []
            formula = bound("get_quantifier_body", "ppp")(array)
        named = self._constants_in(formula, with_variables=True) or []
        domain, select = bound("get_array_sort_domain_n", "pppu"), bound("mk_select_n", "pppup")
        arity = bound("get_array_arity", "upp")(sort)
        choices = [self._indices(domain(sort, i), named) for i in range(arity)]
        if prod(map(len, choices)) > _MOST_SAMPLES:
            return []
        return [[*i, self._evaluate(select(array, arity, packed(i)))] for i in product(*choices)]

    def _indices(self, sort: Any, named: Sequence[Any]) -> list[Any]:
        """Indices of a sort among which an array may change its value if these constants are all that its formula
        names."""
        bound = self._context.bound
        kind = self._nodes.sort_kind(sort)
        if kind == _BOOL:
            return [bound("mk_false", "pp")(), bound("mk_true", "pp")()]
        here = [c for c in named if self._nodes.sort(c) == sort]
        if kind not in (_INT, _REAL, _BV):
            return here
        numbers = [self._nodes.number(c) for c in here if self._nodes.kind(c) == _NUMERAL]
        around = numbers_around(numbers)
        if kind == _BV:
            most = (1 << bound("get_bv_sort_size", "upp")(sort)) - 1
            # Z3 cuts bit-vectors into pieces, so the formula need not name where the value changes.
            around = list(map(Fraction, range(most + 1))) if most <= _FEW else [n for n in around if 0 <= n <= most]
        return [self._context.bound("mk_numeral", "ppsp")(quotient(n).encode(), sort) for n in around]

    def _constants_in(self, formula: Any, *, with_variables: bool = False) -> list[Any] | None:
        """The constants in a term, in a fixed order; None if it has variables and may not."""
        bound = self._context.bound
        found: dict[Any, None] = {}
        seen = set[Any]()
        stack = [formula]
        while stack:
            node = stack.pop()
            if node in seen:
                continue
            seen.add(node)
            kind = self._nodes.kind(node)
            if kind == _VARIABLE:
                if not with_variables:
                    return None
            elif kind > _VARIABLE:
                stack.append(bound("get_quantifier_body", "ppp")(node))
            elif kind == _NUMERAL or not (args := self._nodes.args(node)):
                found[node] = None
            else:
                stack += args
        return list(found)

    def _float(self, node: Any, sort: Any) -> Plan[Any]:
        bound = self._context.bound
        if not bound("fpa_is_numeral", "bpp")(node):
            return self._opaque(node)
        if bound("fpa_is_numeral_nan", "bpp")(node):
            ours = FloatSort(bound("fpa_get_ebits", "upp")(sort), bound("fpa_get_sbits", "upp")(sort))
            return leaf(canonical_nan(ours))
        bits = bound("simplify", "ppp")(bound("mk_fpa_to_ieee_bv", "ppp")(node))
        return leaf(int(self._nodes.number(bits)))

    def _string(self, node: Any) -> str:
        length = self._context.bound("get_string_length", "upp")(node)
        codes = (ctypes.c_uint * length)()
        self._context.bound("get_string_contents", "-ppup")(node, length, codes)
        return "".join(map(chr, codes))

    def _opaque(self, node: Any) -> Plan[Any]:
        text: bytes = self._context.bound("ast_to_string", "spp")(node)
        return leaf(OpaqueValue(text.decode(errors="replace")))


def numbers_around(named: Sequence[Fraction]) -> list[Fraction]:
    """Numbers, their neighbours and what is in small gaps between them, in order; the last is beyond all of them."""
    numbers = sorted({n + step for n in named for step in (-1, 0, 1)} or {Fraction(0)})
    filled = numbers[:1]
    for low, high in pairwise(numbers):
        if 1 < high - low <= _GAP:
            filled += [low + step for step in range(1, int(high - low))]
        filled.append(high)
    return [*filled, filled[-1] + 1]
