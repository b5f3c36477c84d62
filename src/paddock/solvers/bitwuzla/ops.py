"""Which kind of Bitwuzla's each operator is. Names only, so that this module does not need Bitwuzla."""

from __future__ import annotations

from paddock.solvers.ops import Op

KINDS = {
    Op.NOT: "NOT",
    Op.AND: "AND",
    Op.OR: "OR",
    Op.XOR: "XOR",
    Op.IMPLIES: "IMPLIES",
    Op.EQ: "EQUAL",
    Op.DISTINCT: "DISTINCT",
    Op.ITE: "ITE",
    Op.SELECT: "ARRAY_SELECT",
    Op.STORE: "ARRAY_STORE",
    **{
        op: f"BV_{op.value.removeprefix('bv').upper()}"
        for op in Op
        if op.value.startswith("bv") and op.value != "bv2nat"
    },
    Op.BVLSHR: "BV_SHR",
    Op.CONCAT: "BV_CONCAT",
    Op.EXTRACT: "BV_EXTRACT",
    Op.REPEAT: "BV_REPEAT",
    Op.ZERO_EXTEND: "BV_ZERO_EXTEND",
    Op.SIGN_EXTEND: "BV_SIGN_EXTEND",
    Op.ROTATE_LEFT: "BV_ROLI",
    Op.ROTATE_RIGHT: "BV_RORI",
    Op.FP: "FP_FP",
    Op.FP_ABS: "FP_ABS",
    Op.FP_NEG: "FP_NEG",
    Op.FP_ADD: "FP_ADD",
    Op.FP_SUB: "FP_SUB",
    Op.FP_MUL: "FP_MUL",
    Op.FP_DIV: "FP_DIV",
    Op.FP_FMA: "FP_FMA",
    Op.FP_SQRT: "FP_SQRT",
    Op.FP_REM: "FP_REM",
    Op.FP_ROUND: "FP_RTI",
    Op.FP_MIN: "FP_MIN",
    Op.FP_MAX: "FP_MAX",
    Op.FP_LEQ: "FP_LEQ",
    Op.FP_LT: "FP_LT",
    Op.FP_GEQ: "FP_GEQ",
    Op.FP_GT: "FP_GT",
    Op.FP_EQ: "FP_EQUAL",
    Op.FP_IS_NORMAL: "FP_IS_NORMAL",
    Op.FP_IS_SUBNORMAL: "FP_IS_SUBNORMAL",
    Op.FP_IS_ZERO: "FP_IS_ZERO",
    Op.FP_IS_INFINITE: "FP_IS_INF",
    Op.FP_IS_NAN: "FP_IS_NAN",
    Op.FP_IS_NEGATIVE: "FP_IS_NEG",
    Op.FP_IS_POSITIVE: "FP_IS_POS",
    Op.TO_FP: "FP_TO_FP_FROM_SBV",
    Op.TO_FP_UNSIGNED: "FP_TO_FP_FROM_UBV",
    Op.FP_TO_UBV: "FP_TO_UBV",
    Op.FP_TO_SBV: "FP_TO_SBV",
}
