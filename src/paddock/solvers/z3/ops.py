"""Which function of Z3's C interface makes each operator.

`builders` gives for every operator a function from arguments and indices to a term; the operators that C
has no function for are spelled out with others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from paddock.solvers.ops import Op
from paddock.solvers.z3.library import Library, packed

Build = Callable[[Sequence[Any]], Any]
BuildIndexed = Callable[[Sequence[Any], Sequence[int]], Any]

_UNARY = {
    Op.NOT: "not",
    Op.ABS: "abs",
    Op.TO_REAL: "int2real",
    Op.TO_INT: "real2int",
    Op.IS_INT: "is_int",
    Op.BVNOT: "bvnot",
    Op.BVNEG: "bvneg",
    Op.FP_ABS: "fpa_abs",
    Op.FP_NEG: "fpa_neg",
    Op.FP_IS_NORMAL: "fpa_is_normal",
    Op.FP_IS_SUBNORMAL: "fpa_is_subnormal",
    Op.FP_IS_ZERO: "fpa_is_zero",
    Op.FP_IS_INFINITE: "fpa_is_infinite",
    Op.FP_IS_NAN: "fpa_is_nan",
    Op.FP_IS_NEGATIVE: "fpa_is_negative",
    Op.FP_IS_POSITIVE: "fpa_is_positive",
    Op.FP_TO_REAL: "fpa_to_real",
    Op.STR_LEN: "seq_length",
    Op.STR_TO_CODE: "string_to_code",
    Op.STR_FROM_CODE: "string_from_code",
    Op.STR_TO_INT: "str_to_int",
    Op.STR_FROM_INT: "int_to_str",
    Op.STR_TO_RE: "seq_to_re",
    Op.RE_STAR: "re_star",
    Op.RE_PLUS: "re_plus",
    Op.RE_OPT: "re_option",
    Op.RE_COMP: "re_complement",
}

_BINARY = {
    Op.XOR: "xor",
    Op.IMPLIES: "implies",
    Op.EQ: "eq",
    Op.DIV: "div",
    Op.MOD: "mod",
    Op.REM: "rem",
    Op.RDIV: "div",
    Op.POWER: "power",
    Op.LT: "lt",
    Op.LE: "le",
    Op.GT: "gt",
    Op.GE: "ge",
    Op.CONCAT: "concat",
    **{op: op.value for op in Op if op.value.startswith("bv") and op not in (*_UNARY, Op.BV_TO_NAT, Op.BVCOMP)},
    Op.FP_SQRT: "fpa_sqrt",
    Op.FP_REM: "fpa_rem",
    Op.FP_ROUND: "fpa_round_to_integral",
    Op.FP_MIN: "fpa_min",
    Op.FP_MAX: "fpa_max",
    Op.FP_LEQ: "fpa_leq",
    Op.FP_LT: "fpa_lt",
    Op.FP_GEQ: "fpa_geq",
    Op.FP_GT: "fpa_gt",
    Op.FP_EQ: "fpa_eq",
    Op.STR_LT: "str_lt",
    Op.STR_LE: "str_le",
    Op.STR_AT: "seq_at",
    Op.STR_PREFIXOF: "seq_prefix",
    Op.STR_SUFFIXOF: "seq_suffix",
    Op.STR_CONTAINS: "seq_contains",
    Op.STR_IN_RE: "seq_in_re",
    Op.RE_RANGE: "re_range",
    Op.RE_DIFF: "re_diff",
}

_TERNARY = {
    Op.ITE: "ite",
    Op.FP: "fpa_fp",
    Op.FP_ADD: "fpa_add",
    Op.FP_SUB: "fpa_sub",
    Op.FP_MUL: "fpa_mul",
    Op.FP_DIV: "fpa_div",
    Op.STR_SUBSTR: "seq_extract",
    Op.STR_INDEXOF: "seq_index",
    Op.STR_REPLACE: "seq_replace",
    Op.STR_REPLACE_ALL: "seq_replace_all",
    Op.STR_REPLACE_RE: "seq_replace_re",
    Op.STR_REPLACE_RE_ALL: "seq_replace_re_all",
}

_VARIADIC = {
    Op.AND: "and",
    Op.OR: "or",
    Op.DISTINCT: "distinct",
    Op.ADD: "add",
    Op.MUL: "mul",
    Op.STR_CONCAT: "seq_concat",
    Op.RE_CONCAT: "re_concat",
    Op.RE_UNION: "re_union",
    Op.RE_INTER: "re_intersect",
}

# Operators whose single index comes before the argument in C.
_INDEX_FIRST = {
    Op.REPEAT: "repeat",
    Op.ZERO_EXTEND: "zero_ext",
    Op.SIGN_EXTEND: "sign_ext",
    Op.ROTATE_LEFT: "rotate_left",
    Op.ROTATE_RIGHT: "rotate_right",
    Op.INT_TO_BV: "int2bv",
}

_REAL_SORT, _FLOAT_SORT = 3, 9  # Z3_sort_kind


def builders(library: Library, context: int) -> tuple[dict[Op, Build], dict[Op, BuildIndexed]]:
    """The builders of the operators without and with indices, for one context."""

    def unary(name: str) -> Build:
        make = library.function(f"mk_{name}", "ppp")

        def build(args: Sequence[Any]) -> Any:
            (a,) = args
            return make(context, a)

        return build

    def binary(name: str) -> Build:
        make = library.function(f"mk_{name}", "pppp")

        def build(args: Sequence[Any]) -> Any:
            a, b = args
            return make(context, a, b)

        return build

    def ternary(name: str) -> Build:
        make = library.function(f"mk_{name}", "ppppp")

        def build(args: Sequence[Any]) -> Any:
            a, b, c = args
            return make(context, a, b, c)

        return build

    def variadic(name: str) -> Build:
        make = library.function(f"mk_{name}", "ppup")

        def build(args: Sequence[Any]) -> Any:
            return make(context, len(args), packed(args))

        return build

    def index_first(name: str) -> BuildIndexed:
        make = library.function(f"mk_{name}", "ppup")

        def build(args: Sequence[Any], indices: Sequence[int]) -> Any:
            (a,), (n,) = args, indices
            return make(context, n, a)

        return build

    plain: dict[Op, Build] = {}
    for table, kind in ((_UNARY, unary), (_BINARY, binary), (_TERNARY, ternary), (_VARIADIC, variadic)):
        plain.update((op, kind(name)) for op, name in table.items())
    indexed = {op: index_first(name) for op, name in _INDEX_FIRST.items()}
    _add_special(library, context, plain)
    _add_special_indexed(library, context, indexed)
    return plain, indexed


def _add_special(library: Library, context: int, plain: dict[Op, Build]) -> None:
    negate, subtract = library.function("mk_unary_minus", "ppp"), library.function("mk_sub", "ppup")
    select, select_n = library.function("mk_select", "pppp"), library.function("mk_select_n", "pppup")
    store, store_n = library.function("mk_store", "ppppp"), library.function("mk_store_n", "pppupp")
    fma, to_int = library.function("mk_fpa_fma", "pppppp"), library.function("mk_bv2int", "pppb")
    numeral, bit = library.function("mk_int", "ppip"), library.function("mk_bv_sort", "ppu")(context, 1)
    int_sort = library.function("mk_int_sort", "pp")(context)
    string_sort = library.function("mk_string_sort", "pp")(context)
    regex_sort = library.function("mk_re_sort", "ppp")(context, string_sort)
    equal, ite, both = plain[Op.EQ], plain[Op.ITE], plain[Op.AND]

    def build_sub(args: Sequence[Any]) -> Any:
        return negate(context, args[0]) if len(args) == 1 else subtract(context, len(args), packed(args))

    def build_select(args: Sequence[Any]) -> Any:
        if len(args) == 2:
            return select(context, args[0], args[1])
        return select_n(context, args[0], len(args) - 1, packed(args[1:]))

    def build_store(args: Sequence[Any]) -> Any:
        if len(args) == 3:
            return store(context, args[0], args[1], args[2])
        return store_n(context, args[0], len(args) - 2, packed(args[1:-1]), args[-1])

    def build_fma(args: Sequence[Any]) -> Any:
        mode, a, b, c = args
        return fma(context, mode, a, b, c)

    def build_is_digit(args: Sequence[Any]) -> Any:
        code = plain[Op.STR_TO_CODE](args)
        first, last = (numeral(context, ord(c), int_sort) for c in "09")
        return both((plain[Op.LE]((first, code)), plain[Op.LE]((code, last))))

    def conversion(signed: bool) -> Build:
        def build(args: Sequence[Any]) -> Any:
            (a,) = args
            return to_int(context, a, signed)

        return build

    def regex_constant(name: str) -> Build:
        make = library.function(f"mk_{name}", "ppp")
        return lambda args: make(context, regex_sort)

    plain[Op.SUB] = build_sub
    plain[Op.SELECT], plain[Op.STORE] = build_select, build_store
    plain[Op.FP_FMA] = build_fma
    plain[Op.BV_TO_NAT], plain[Op.BV_TO_INT] = conversion(False), conversion(True)
    plain[Op.BVCOMP] = lambda args: ite((equal(args), numeral(context, 1, bit), numeral(context, 0, bit)))
    plain[Op.STR_IS_DIGIT] = build_is_digit
    plain[Op.RE_NONE], plain[Op.RE_ALL] = regex_constant("re_empty"), regex_constant("re_full")
    plain[Op.RE_ALLCHAR] = regex_constant("re_allchar")


def _add_special_indexed(library: Library, context: int, indexed: dict[Op, BuildIndexed]) -> None:
    extract, float_sort = library.function("mk_extract", "ppuup"), library.function("mk_fpa_sort", "ppuu")
    sort_of, kind_of = library.function("get_sort", "ppp"), library.function("get_sort_kind", "upp")
    of_bits = library.function("mk_fpa_to_fp_bv", "pppp")
    of_float, of_real, of_signed, of_unsigned = (
        library.function(f"mk_fpa_to_fp_{source}", "ppppp") for source in ("float", "real", "signed", "unsigned")
    )
    power, loop = library.function("mk_re_power", "pppu"), library.function("mk_re_loop", "pppuu")

    def build_to_fp(args: Sequence[Any], indices: Sequence[int]) -> Any:
        target = float_sort(context, *indices)
        if len(args) == 1:
            return of_bits(context, args[0], target)
        mode, source = args
        kind = kind_of(context, sort_of(context, source))
        make = {_FLOAT_SORT: of_float, _REAL_SORT: of_real}.get(kind, of_signed)
        return make(context, mode, source, target)

    def to_bits(name: str) -> BuildIndexed:
        make = library.function(f"mk_{name}", "ppppu")

        def build(args: Sequence[Any], indices: Sequence[int]) -> Any:
            (mode, a), (width,) = args, indices
            return make(context, mode, a, width)

        return build

    indexed[Op.EXTRACT] = lambda args, indices: extract(context, *indices, *args)
    indexed[Op.TO_FP] = build_to_fp
    indexed[Op.TO_FP_UNSIGNED] = lambda args, indices: of_unsigned(context, *args, float_sort(context, *indices))
    indexed[Op.FP_TO_UBV], indexed[Op.FP_TO_SBV] = to_bits("fpa_to_ubv"), to_bits("fpa_to_sbv")
    indexed[Op.RE_POWER] = lambda args, indices: power(context, *args, *indices)
    indexed[Op.RE_LOOP] = lambda args, indices: loop(context, *args, *indices)
