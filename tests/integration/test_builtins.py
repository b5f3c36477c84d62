"""Every function of SMT-LIB that a program can name: the solvers and the interpreter agree on what it means.

For each there is a value that it must have (proved, by the solver), and a program that fails where it has that value:
the solver finds the arguments, and the interpreter confirms them, or the verdict would be `unknown`.
"""

from __future__ import annotations

from importlib.util import find_spec

import pytest

import paddock
from paddock import Options, Verdict
from paddock.solvers.ops import Op

# The builtin's text, the types of its arguments, that of its result; arguments and the value for them.
Row = tuple[str, str, str, str, str]

BIT_VECTORS: list[Row] = [
    ("bvnot", "bv4", "bv4", "12bv4", "3bv4"),
    ("bvneg", "bv4", "bv4", "12bv4", "4bv4"),
    ("bvand", "bv4 bv4", "bv4", "12bv4 10bv4", "8bv4"),
    ("bvor", "bv4 bv4", "bv4", "12bv4 10bv4", "14bv4"),
    ("bvxor", "bv4 bv4", "bv4", "12bv4 10bv4", "6bv4"),
    ("bvnand", "bv4 bv4", "bv4", "12bv4 10bv4", "7bv4"),
    ("bvnor", "bv4 bv4", "bv4", "12bv4 10bv4", "1bv4"),
    ("bvxnor", "bv4 bv4", "bv4", "12bv4 10bv4", "9bv4"),
    ("bvadd", "bv8 bv8", "bv8", "200bv8 100bv8", "44bv8"),
    ("bvsub", "bv8 bv8", "bv8", "7bv8 200bv8", "63bv8"),
    ("bvmul", "bv8 bv8", "bv8", "200bv8 7bv8", "120bv8"),
    ("bvudiv", "bv8 bv8", "bv8", "200bv8 7bv8", "28bv8"),
    ("bvudiv", "bv8 bv8", "bv8", "200bv8 0bv8", "255bv8"),
    ("bvurem", "bv8 bv8", "bv8", "200bv8 7bv8", "4bv8"),
    ("bvurem", "bv8 bv8", "bv8", "200bv8 0bv8", "200bv8"),
    ("bvsdiv", "bv8 bv8", "bv8", "199bv8 7bv8", "248bv8"),
    ("bvsdiv", "bv8 bv8", "bv8", "128bv8 255bv8", "128bv8"),
    ("bvsdiv", "bv8 bv8", "bv8", "199bv8 0bv8", "1bv8"),
    ("bvsrem", "bv8 bv8", "bv8", "199bv8 7bv8", "255bv8"),
    ("bvsrem", "bv8 bv8", "bv8", "199bv8 0bv8", "199bv8"),
    ("bvsmod", "bv8 bv8", "bv8", "199bv8 7bv8", "6bv8"),
    ("bvsmod", "bv8 bv8", "bv8", "7bv8 253bv8", "254bv8"),
    ("bvshl", "bv8 bv8", "bv8", "129bv8 3bv8", "8bv8"),
    ("bvshl", "bv8 bv8", "bv8", "1bv8 8bv8", "0bv8"),
    ("bvlshr", "bv8 bv8", "bv8", "129bv8 3bv8", "16bv8"),
    ("bvashr", "bv8 bv8", "bv8", "129bv8 3bv8", "240bv8"),
    ("bvashr", "bv8 bv8", "bv8", "128bv8 200bv8", "255bv8"),
    ("bvcomp", "bv4 bv4", "bv1", "12bv4 12bv4", "1bv1"),
    ("bvult", "bv8 bv8", "bool", "200bv8 7bv8", "false"),
    ("bvule", "bv8 bv8", "bool", "7bv8 7bv8", "true"),
    ("bvugt", "bv8 bv8", "bool", "200bv8 7bv8", "true"),
    ("bvuge", "bv8 bv8", "bool", "7bv8 200bv8", "false"),
    ("bvslt", "bv8 bv8", "bool", "200bv8 7bv8", "true"),
    ("bvsle", "bv8 bv8", "bool", "7bv8 200bv8", "false"),
    ("bvsgt", "bv8 bv8", "bool", "7bv8 200bv8", "true"),
    ("bvsge", "bv8 bv8", "bool", "200bv8 200bv8", "true"),
    ("concat", "bv4 bv4", "bv8", "12bv4 10bv4", "202bv8"),
    ("(_ extract 6 3)", "bv8", "bv4", "200bv8", "9bv4"),
    ("(_ repeat 2)", "bv4", "bv8", "12bv4", "204bv8"),
    ("(_ zero_extend 4)", "bv4", "bv8", "12bv4", "12bv8"),
    ("(_ sign_extend 4)", "bv4", "bv8", "12bv4", "252bv8"),
    ("sign_extend 4", "bv4", "bv8", "12bv4", "252bv8"),
    ("(_ rotate_left 1)", "bv4", "bv4", "12bv4", "9bv4"),
    ("(_ rotate_right 5)", "bv4", "bv4", "12bv4", "6bv4"),
    ("bv2nat", "bv4", "int", "12bv4", "12"),
    ("sbv_to_int", "bv4", "int", "12bv4", "-4"),
    ("(_ int2bv 4)", "int", "bv4", "-3", "13bv4"),
]

NUMBERS: list[Row] = [
    ("+", "int int", "int", "2 3", "5"),
    ("-", "int int", "int", "2 3", "-1"),
    ("-", "int", "int", "2", "-2"),
    ("*", "int int", "int", "-2 3", "-6"),
    ("div", "int int", "int", "-7 2", "-4"),
    ("mod", "int int", "int", "-7 -2", "1"),
    ("rem", "int int", "int", "7 -2", "-1"),
    ("abs", "int", "int", "-7", "7"),
    ("/", "real real", "real", "1.0 4.0", "0.25"),
    ("to_real", "int", "real", "2", "2.0"),
    ("to_int", "real", "int", "-0.5", "-1"),
    ("is_int", "real", "bool", "0.5", "false"),
    ("<", "int int", "bool", "1 1", "false"),
    ("<=", "int int", "bool", "1 1", "true"),
    (">", "real real", "bool", "1.0 0.5", "true"),
    (">=", "real real", "bool", "0.5 1.0", "false"),
]

BOOLEANS: list[Row] = [
    ("not", "bool", "bool", "true", "false"),
    ("and", "bool bool", "bool", "true false", "false"),
    ("or", "bool bool", "bool", "true false", "true"),
    ("xor", "bool bool", "bool", "true true", "false"),
    ("=>", "bool bool", "bool", "true false", "false"),
    ("=", "int int", "bool", "1 1", "true"),
    ("distinct", "int int int", "bool", "1 2 1", "false"),
    ("ite", "bool int int", "int", "false 1 2", "2"),
]

# In a format so small that a solver inverts even a square root in no time.
_F = "float5e4"
FLOATS: list[Row] = [
    ("fp.abs", _F, _F, "-0x1.8e0f5e4", "0x1.8e0f5e4"),
    ("fp.neg", _F, _F, "0x1.8e0f5e4", "-0x1.8e0f5e4"),
    ("fp.add", f"rmode {_F} {_F}", _F, "RNE 0x1.8e0f5e4 0x0.8e0f5e4", "0x2.0e0f5e4"),
    ("fp.add RTP", f"{_F} {_F}", _F, "0x1.0e0f5e4 0x0.08e0f5e4", "0x1.1e0f5e4"),
    ("fp.sub", f"rmode {_F} {_F}", _F, "RTZ 0x1.8e0f5e4 0x2.0e0f5e4", "-0x0.8e0f5e4"),
    ("fp.mul", f"rmode {_F} {_F}", _F, "RNA 0x1.8e0f5e4 0x1.8e0f5e4", "0x2.4e0f5e4"),
    ("fp.div", f"rmode {_F} {_F}", _F, "RTN 0x3.0e0f5e4 0x2.0e0f5e4", "0x1.8e0f5e4"),
    ("fp.fma", f"rmode {_F} {_F} {_F}", _F, "RNE 0x1.8e0f5e4 0x2.0e0f5e4 0x1.0e0f5e4", "0x4.0e0f5e4"),
    ("fp.sqrt", f"rmode {_F}", _F, "RNE 0x2.4e0f5e4", "0x1.8e0f5e4"),
    ("fp.rem", f"{_F} {_F}", _F, "0x3.8e0f5e4 0x2.0e0f5e4", "-0x0.8e0f5e4"),
    ("fp.roundToIntegral", f"rmode {_F}", _F, "RNE 0x2.8e0f5e4", "0x2.0e0f5e4"),
    ("fp.roundToIntegral", f"rmode {_F}", _F, "RNA 0x2.8e0f5e4", "0x3.0e0f5e4"),
    ("fp.min", f"{_F} {_F}", _F, "0x1.8e0f5e4 -0x2.0e0f5e4", "-0x2.0e0f5e4"),
    ("fp.max", f"{_F} {_F}", _F, "0x1.8e0f5e4 0NaN5e4", "0x1.8e0f5e4"),
    ("fp.leq", f"{_F} {_F}", "bool", "0x0.0e0f5e4 -0x0.0e0f5e4", "true"),
    ("fp.lt", f"{_F} {_F}", "bool", "0-oo5e4 0x0.0e0f5e4", "true"),
    ("fp.geq", f"{_F} {_F}", "bool", "0NaN5e4 0NaN5e4", "false"),
    ("fp.gt", f"{_F} {_F}", "bool", "0+oo5e4 0x1.8e0f5e4", "true"),
    ("fp.eq", f"{_F} {_F}", "bool", "0NaN5e4 0NaN5e4", "false"),
    ("fp.isNormal", _F, "bool", "0x1.8e0f5e4", "true"),
    ("fp.isSubnormal", _F, "bool", "0x0.01e0f5e4", "true"),
    ("fp.isZero", _F, "bool", "-0x0.0e0f5e4", "true"),
    ("fp.isInfinite", _F, "bool", "0-oo5e4", "true"),
    ("fp.isNaN", _F, "bool", "0NaN5e4", "true"),
    ("fp.isNegative", _F, "bool", "0NaN5e4", "false"),
    ("fp.isPositive", _F, "bool", "0x0.0e0f5e4", "true"),
    ("fp", "bv1 bv4 bv4", _F, "1bv1 7bv4 8bv4", "-0x1.8e0f5e4"),
    ("(_ to_fp 4 5)", "bv9", _F, "120bv9", "0x1.8e0f5e4"),
    ("(_ to_fp 4 5)", "rmode float24e8", _F, "RNE 0x1.8e0f24e8", "0x1.8e0f5e4"),
    ("(_ to_fp 4 5)", "rmode bv4", _F, "RNE 13bv4", "-0x3.0e0f5e4"),
    ("(_ to_fp_unsigned 4 5)", "rmode bv4", _F, "RNE 13bv4", "0xD.0e0f5e4"),
    ("(_ fp.to_ubv 4)", f"rmode {_F}", "bv4", "RTP 0x2.8e0f5e4", "3bv4"),
    ("(_ fp.to_sbv 4) RTN", _F, "bv4", "-0x2.8e0f5e4", "13bv4"),
    ("fp.to_real", _F, "real", "-0x2.8e0f5e4", "-2.5"),
]

STRINGS: list[Row] = [
    ("str.++", "string string", "string", '"ab" "c"', '"abc"'),
    ("str.len", "string", "int", '"abc"', "3"),
    ("str.<", "string string", "bool", '"ab" "b"', "true"),
    ("str.<=", "string string", "bool", '"b" "ab"', "false"),
    ("str.at", "string int", "string", '"abc" 1', '"b"'),
    ("str.at", "string int", "string", '"abc" 3', '""'),
    ("str.substr", "string int int", "string", '"abcd" 1 2', '"bc"'),
    ("str.prefixof", "string string", "bool", '"ab" "abc"', "true"),
    ("str.suffixof", "string string", "bool", '"ab" "abc"', "false"),
    ("str.contains", "string string", "bool", '"abc" "b"', "true"),
    ("str.indexof", "string string int", "int", '"abab" "b" 2', "3"),
    ("str.replace", "string string string", "string", '"abab" "b" "c"', '"acab"'),
    ("str.replace_all", "string string string", "string", '"abab" "b" "c"', '"acac"'),
    ("str.is_digit", "string", "bool", '"7"', "true"),
    ("str.to_code", "string", "int", '"a"', "97"),
    ("str.from_code", "int", "string", "98", '"b"'),
    ("str.to_int", "string", "int", '"042"', "42"),
    ("str.from_int", "int", "string", "42", '"42"'),
]

# Regular expressions are no values, so they are used at once; the interpreter does not know them.
REGULAR = {
    "str.to_re", "str.in_re", "str.replace_re", "str.replace_re_all", "re.none", "re.all", "re.allchar", "re.++",
    "re.union", "re.inter", "re.*", "re.+", "re.opt", "re.range", "re.comp", "re.diff", "re.^", "re.loop",
}  # fmt: skip
ELSEWHERE = {"^", "select", "store"}  # in `theories/`, as operators of the language

ROWS = BIT_VECTORS + NUMBERS + BOOLEANS + FLOATS + STRINGS
SOLVERS = ["z3", "cvc5"] if find_spec("cvc5") else ["z3"]

# cvc5 has floats of the usual formats only, and Z3 does not find strings in which something is replaced everywhere.
BEYOND = {"cvc5": FLOATS, "z3": [row for row in STRINGS if row[0] == "str.replace_all"]}


def text(row: Row) -> str:
    builtin, params, result, args, value = row
    types = params.split()
    variables = [f"x{n}" for n in range(len(types))]
    equal = "==" if result != "bool" else "<==>"
    return f"""
function {{:builtin "{builtin}"}} f({", ".join(types)}): {result};
procedure holds() {{ assert f({", ".join(args.split())}) {equal} {value}; }}
procedure fails({", ".join(f"{v}: {t}" for v, t in zip(variables, types, strict=True))})
{{ assert !(f({", ".join(variables)}) {equal} {value}); }}
"""


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]}({row[3].replace(' ', ', ')})")
def test_builtin(row: Row, solver: str) -> None:
    if row in BEYOND[solver]:
        pytest.skip(f"{solver} cannot do this")
    program = paddock.load(text(row))
    for entry, verdict in (("holds", Verdict.PROVED), ("fails", Verdict.BUG)):
        result = paddock.check(program, Options.of(entry=entry, solver=solver, timeout=600))
        assert result.verdict is verdict, result.reason


def test_none_is_left_out() -> None:
    names = {row[0].replace("(_ ", "").split()[0] for row in ROWS}
    assert {op.value for op in Op} - REGULAR - ELSEWHERE <= names
