"""The operators of terms: SMT-LIB's vocabulary, with the sort that each result has.

An operator's value is its SMT-LIB name, so a program's `{:builtin "bvadd"}` or `{:bvbuiltin "(_ zero_extend 8)"}`
is looked up by `builtin`. Operators with several forms (`-`, `to_fp`) distinguish them by their arguments.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from paddock.digits import integer
from paddock.solvers.sorts import BOOL, INT, REAL, REGEX, STRING, ArraySort, BitVecSort, FloatSort, Sort


class Op(Enum):
    NOT = "not"
    AND = "and"
    OR = "or"
    XOR = "xor"
    IMPLIES = "=>"
    EQ = "="
    DISTINCT = "distinct"
    ITE = "ite"

    ADD = "+"
    SUB = "-"  # with one argument: negation
    MUL = "*"
    DIV = "div"
    MOD = "mod"
    REM = "rem"  # not standard: the remainder with the divisor's sign, as in Z3
    ABS = "abs"
    RDIV = "/"
    POWER = "^"  # not standard
    LT = "<"
    LE = "<="
    GT = ">"
    GE = ">="
    TO_REAL = "to_real"
    TO_INT = "to_int"
    IS_INT = "is_int"

    SELECT = "select"  # the array, then its indices
    STORE = "store"  # the array, its indices, the value

    CONCAT = "concat"
    EXTRACT = "extract"  # indices: the highest bit, the lowest bit
    REPEAT = "repeat"
    ZERO_EXTEND = "zero_extend"
    SIGN_EXTEND = "sign_extend"
    ROTATE_LEFT = "rotate_left"
    ROTATE_RIGHT = "rotate_right"
    BVNOT = "bvnot"
    BVNEG = "bvneg"
    BVAND = "bvand"
    BVOR = "bvor"
    BVXOR = "bvxor"
    BVNAND = "bvnand"
    BVNOR = "bvnor"
    BVXNOR = "bvxnor"
    BVADD = "bvadd"
    BVSUB = "bvsub"
    BVMUL = "bvmul"
    BVUDIV = "bvudiv"
    BVUREM = "bvurem"
    BVSDIV = "bvsdiv"
    BVSREM = "bvsrem"
    BVSMOD = "bvsmod"
    BVSHL = "bvshl"
    BVLSHR = "bvlshr"
    BVASHR = "bvashr"
    BVCOMP = "bvcomp"
    BVULT = "bvult"
    BVULE = "bvule"
    BVUGT = "bvugt"
    BVUGE = "bvuge"
    BVSLT = "bvslt"
    BVSLE = "bvsle"
    BVSGT = "bvsgt"
    BVSGE = "bvsge"
    BV_TO_NAT = "bv2nat"
    BV_TO_INT = "sbv_to_int"  # two's complement
    INT_TO_BV = "int2bv"

    FP = "fp"  # sign, exponent and significand as bit-vectors
    FP_ABS = "fp.abs"
    FP_NEG = "fp.neg"
    FP_ADD = "fp.add"
    FP_SUB = "fp.sub"
    FP_MUL = "fp.mul"
    FP_DIV = "fp.div"
    FP_FMA = "fp.fma"
    FP_SQRT = "fp.sqrt"
    FP_REM = "fp.rem"
    FP_ROUND = "fp.roundToIntegral"
    FP_MIN = "fp.min"
    FP_MAX = "fp.max"
    FP_LEQ = "fp.leq"
    FP_LT = "fp.lt"
    FP_GEQ = "fp.geq"
    FP_GT = "fp.gt"
    FP_EQ = "fp.eq"
    FP_IS_NORMAL = "fp.isNormal"
    FP_IS_SUBNORMAL = "fp.isSubnormal"
    FP_IS_ZERO = "fp.isZero"
    FP_IS_INFINITE = "fp.isInfinite"
    FP_IS_NAN = "fp.isNaN"
    FP_IS_NEGATIVE = "fp.isNegative"
    FP_IS_POSITIVE = "fp.isPositive"
    TO_FP = "to_fp"  # indices: exponent, significand; of bits, or by a rounding mode of a float, real or signed bits
    TO_FP_UNSIGNED = "to_fp_unsigned"
    FP_TO_UBV = "fp.to_ubv"
    FP_TO_SBV = "fp.to_sbv"
    FP_TO_REAL = "fp.to_real"

    STR_CONCAT = "str.++"
    STR_LEN = "str.len"
    STR_LT = "str.<"
    STR_LE = "str.<="
    STR_AT = "str.at"
    STR_SUBSTR = "str.substr"
    STR_PREFIXOF = "str.prefixof"
    STR_SUFFIXOF = "str.suffixof"
    STR_CONTAINS = "str.contains"
    STR_INDEXOF = "str.indexof"
    STR_REPLACE = "str.replace"
    STR_REPLACE_ALL = "str.replace_all"
    STR_REPLACE_RE = "str.replace_re"
    STR_REPLACE_RE_ALL = "str.replace_re_all"
    STR_IS_DIGIT = "str.is_digit"
    STR_TO_CODE = "str.to_code"
    STR_FROM_CODE = "str.from_code"
    STR_TO_INT = "str.to_int"
    STR_FROM_INT = "str.from_int"
    STR_TO_RE = "str.to_re"
    STR_IN_RE = "str.in_re"
    RE_NONE = "re.none"
    RE_ALL = "re.all"
    RE_ALLCHAR = "re.allchar"
    RE_CONCAT = "re.++"
    RE_UNION = "re.union"
    RE_INTER = "re.inter"
    RE_STAR = "re.*"
    RE_PLUS = "re.+"
    RE_OPT = "re.opt"
    RE_RANGE = "re.range"
    RE_COMP = "re.comp"
    RE_DIFF = "re.diff"
    RE_POWER = "re.^"
    RE_LOOP = "re.loop"

    # Members are singletons; hashing by identity is several times faster than Enum's own hash.
    __hash__ = object.__hash__


# Other spellings in use: of SMT-LIB 2.7, of its older versions, and of solvers.
_ALIASES = {
    "implies": Op.IMPLIES,
    "iff": Op.EQ,
    "bv2int": Op.BV_TO_NAT,
    "ubv_to_int": Op.BV_TO_NAT,
    "nat2bv": Op.INT_TO_BV,
    "int_to_bv": Op.INT_TO_BV,
    "fp.le": Op.FP_LEQ,
    "fp.ge": Op.FP_GEQ,
    "str.to.int": Op.STR_TO_INT,
    "int.to.str": Op.STR_FROM_INT,
    "str.in.re": Op.STR_IN_RE,
    "str.to.re": Op.STR_TO_RE,
    "str.from-int": Op.STR_FROM_INT,
    "str.to-int": Op.STR_TO_INT,
    "re.nostr": Op.RE_NONE,
    "re.empty": Op.RE_NONE,
    "re.full": Op.RE_ALL,
    "re.complement": Op.RE_COMP,
    # of sequences; those of characters are strings, and there are no others
    "seq.++": Op.STR_CONCAT,
    "seq.len": Op.STR_LEN,
    "seq.at": Op.STR_AT,
    "seq.extract": Op.STR_SUBSTR,
    "seq.prefixof": Op.STR_PREFIXOF,
    "seq.suffixof": Op.STR_SUFFIXOF,
    "seq.contains": Op.STR_CONTAINS,
    "seq.indexof": Op.STR_INDEXOF,
    "seq.replace": Op.STR_REPLACE,
    "seq.replace_all": Op.STR_REPLACE_ALL,
    "seq.in.re": Op.STR_IN_RE,
    "seq.to.re": Op.STR_TO_RE,
}
_NAMES = {**{op.value: op for op in Op}, **_ALIASES}

_INDEX_COUNT = {
    **dict.fromkeys(
        (
            Op.REPEAT,
            Op.ZERO_EXTEND,
            Op.SIGN_EXTEND,
            Op.ROTATE_LEFT,
            Op.ROTATE_RIGHT,
            Op.INT_TO_BV,
            Op.FP_TO_UBV,
            Op.FP_TO_SBV,
            Op.RE_POWER,
        ),
        1,
    ),
    **dict.fromkeys((Op.EXTRACT, Op.TO_FP, Op.TO_FP_UNSIGNED, Op.RE_LOOP), 2),
}


def builtin(text: str) -> tuple[Op, tuple[int, ...]] | None:
    """The operator that SMT-LIB text such as `bvadd` or `(_ extract 7 0)` names, with its indices."""
    words = text.replace("(", " ( ").replace(")", " ) ").split()
    if len(words) >= 5 and words[:2] == ["(", "_"] and words[-1] == ")":
        words = words[2:-1]
    name, numerals = (words[0], words[1:]) if words else ("", [])
    op = _NAMES.get(name)
    if op is None or not all(n.isdecimal() for n in numerals) or len(numerals) != _INDEX_COUNT.get(op, 0):
        return None
    return op, tuple(map(integer, numerals))


_PREDICATES = (
    *(Op.NOT, Op.AND, Op.OR, Op.XOR, Op.IMPLIES, Op.EQ, Op.DISTINCT, Op.LT, Op.LE, Op.GT, Op.GE, Op.IS_INT),
    *(Op.BVULT, Op.BVULE, Op.BVUGT, Op.BVUGE, Op.BVSLT, Op.BVSLE, Op.BVSGT, Op.BVSGE),
    *(Op.FP_LEQ, Op.FP_LT, Op.FP_GEQ, Op.FP_GT, Op.FP_EQ, Op.FP_IS_NORMAL, Op.FP_IS_SUBNORMAL, Op.FP_IS_ZERO),
    *(Op.FP_IS_INFINITE, Op.FP_IS_NAN, Op.FP_IS_NEGATIVE, Op.FP_IS_POSITIVE),
    *(Op.STR_LT, Op.STR_LE, Op.STR_PREFIXOF, Op.STR_SUFFIXOF, Op.STR_CONTAINS, Op.STR_IS_DIGIT, Op.STR_IN_RE),
)
_TO_INT = (Op.TO_INT, Op.BV_TO_NAT, Op.BV_TO_INT, Op.STR_LEN, Op.STR_INDEXOF, Op.STR_TO_CODE, Op.STR_TO_INT)
_FIXED: dict[Op, Sort] = {
    **dict.fromkeys(_PREDICATES, BOOL),
    **dict.fromkeys(_TO_INT, INT),
    **dict.fromkeys((Op.RDIV, Op.TO_REAL, Op.FP_TO_REAL), REAL),
    **dict.fromkeys((Op.STR_FROM_CODE, Op.STR_FROM_INT), STRING),
    **dict.fromkeys((Op.STR_TO_RE, Op.RE_NONE, Op.RE_ALL, Op.RE_ALLCHAR, Op.RE_RANGE), REGEX),
    Op.BVCOMP: BitVecSort(1),
}
_BY_SECOND = frozenset((Op.ITE, Op.FP_ADD, Op.FP_SUB, Op.FP_MUL, Op.FP_DIV, Op.FP_FMA, Op.FP_SQRT, Op.FP_ROUND))


def result_sort(op: Op, args: Sequence[Sort], indices: Sequence[int] = ()) -> Sort:
    """The sort of the operator's result on well-sorted arguments."""
    fixed = _FIXED.get(op)
    if fixed is not None:
        return fixed
    if op in _BY_SECOND:
        return args[1]
    match op:
        case Op.SELECT:
            array = args[0]
            assert isinstance(array, ArraySort)
            return array.range
        case Op.CONCAT:
            return BitVecSort(sum(_width(a) for a in args))
        case Op.EXTRACT:
            return BitVecSort(indices[0] - indices[1] + 1)
        case Op.REPEAT:
            return BitVecSort(_width(args[0]) * indices[0])
        case Op.ZERO_EXTEND | Op.SIGN_EXTEND:
            return BitVecSort(_width(args[0]) + indices[0])
        case Op.INT_TO_BV | Op.FP_TO_UBV | Op.FP_TO_SBV:
            return BitVecSort(indices[0])
        case Op.FP:
            return FloatSort(_width(args[1]), _width(args[2]) + 1)
        case Op.TO_FP | Op.TO_FP_UNSIGNED:
            return FloatSort(indices[0], indices[1])
        case _:
            return args[0]


def _width(sort: Sort) -> int:
    assert isinstance(sort, BitVecSort)
    return sort.width
