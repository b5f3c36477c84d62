"""The interpreter's arithmetic and Z3's simplifier agree on ground terms: each SMT-LIB function by itself, and
the IR's operators nested in each other."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paddock.ir.expr import App, Attribute, Expr, Extract, Fn, Let, Lit, Op, Scope, Var
from paddock.ir.program import Function, Program, VarDecl
from paddock.ir.types import BOOL, INT, REAL, RMODE, STRING, Bv, Float, Map, Type
from paddock.trace import floats
from paddock.trace.evaluate import evaluate
from paddock.trace.values import Env
from paddock.trace.world import World
from tests.property.examples import examples
from tests.property.smt_text import expr_text, literal_text, z3_says

B4, B8, F, G = Bv(4), Bv(8), Float(3, 3), Float(5, 4)
SINGLE = Float(24, 8)
M = Map((INT,), INT)


def values(type_: Type) -> st.SearchStrategy[object]:
    match type_:
        case Bv(width):
            return st.integers(0, (1 << width) - 1)
        case Float():
            return st.integers(0, (1 << floats.width(type_)) - 1).map(lambda bits: floats.canonical(bits, type_))
    return {
        BOOL: st.booleans(),
        INT: st.integers(-20, 20),
        REAL: st.fractions(-20, 20, max_denominator=8),
        RMODE: st.sampled_from(["RNE", "RNA", "RTP", "RTN", "RTZ"]),
        STRING: st.text("ab01", max_size=4),
    }[type_]


def binary(names: str, type_: Type, result: Type | None = None) -> list[tuple[str, tuple[Type, ...], Type]]:
    return [(name, (type_, type_), result or type_) for name in names.split()]


FUNCTIONS: list[tuple[str, tuple[Type, ...], Type]] = [
    *binary("+ - *", INT),
    *binary("+ - *", REAL),
    *binary("< <= > >= = distinct", INT, BOOL),
    *binary("and or => xor = distinct", BOOL),
    ("not", (BOOL,), BOOL),
    ("ite", (BOOL, INT, INT), INT),
    ("abs", (INT,), INT),
    ("-", (INT,), INT),
    ("to_real", (INT,), REAL),
    ("to_int", (REAL,), INT),
    ("is_int", (REAL,), BOOL),
    *binary("bvand bvor bvxor bvnand bvnor bvxnor bvadd bvsub bvmul bvudiv bvurem bvsdiv bvsrem bvsmod", B4),
    *binary("bvshl bvlshr bvashr ext_rotate_left ext_rotate_right", B4),
    *binary("bvult bvule bvugt bvuge bvslt bvsle bvsgt bvsge = distinct", B4, BOOL),
    *binary("bvuaddo bvsaddo bvusubo bvssubo bvumulo bvsmulo bvsdivo", B4, BOOL),
    ("bvnego", (B4,), BOOL),
    ("bvcomp", (B4, B4), Bv(1)),
    ("bvnot", (B4,), B4),
    ("bvneg", (B4,), B4),
    ("bvredor", (B4,), Bv(1)),
    ("bvredand", (B4,), Bv(1)),
    ("concat", (B4, B8), Bv(12)),
    ("(_ extract 6 3)", (B8,), B4),
    ("(_ rotate_left 5)", (B4,), B4),
    ("(_ rotate_right 3)", (B4,), B4),
    ("(_ zero_extend 4)", (B4,), B8),
    ("(_ sign_extend 4)", (B4,), B8),
    ("(_ repeat 2)", (B4,), B8),
    ("bv2nat", (B4,), INT),
    ("ubv_to_int", (B4,), INT),
    ("sbv_to_int", (B4,), INT),
    ("(_ int2bv 4)", (INT,), B4),
    ("(_ int_to_bv 4)", (INT,), B4),
    *((name, (RMODE, f, f), f) for f in (F, SINGLE) for name in ("fp.add", "fp.sub", "fp.mul", "fp.div")),
    *((name, (RMODE, f), f) for f in (F, SINGLE) for name in ("fp.sqrt", "fp.roundToIntegral")),
    ("fp.fma", (RMODE, F, F, F), F),
    ("fp.fma", (RMODE, SINGLE, SINGLE, SINGLE), SINGLE),
    ("fp.add RTP", (F, F), F),
    *binary("fp.rem", G),
    *binary("fp.min fp.max", F),
    *binary("fp.eq fp.lt fp.leq fp.gt fp.geq = distinct", F, BOOL),
    ("fp.neg", (F,), F),
    ("fp.abs", (F,), F),
    *((f"fp.is{c}", (F,), BOOL) for c in ("Normal", "Subnormal", "Zero", "Infinite", "NaN", "Negative", "Positive")),
    ("(_ to_fp 3 3)", (RMODE, G), F),
    ("(_ to_fp 4 5)", (RMODE, F), G),
    ("(_ to_fp 3 3)", (Bv(6),), F),
    ("(_ to_fp 3 3)", (RMODE, B8), F),
    ("(_ to_fp_unsigned 3 3)", (RMODE, B8), F),
    ("(_ to_fp 3 3)", (RMODE, REAL), F),
    ("(_ to_fp 3 3) RTN", (REAL,), F),
    ("(_ fp.to_ubv 4)", (RMODE, F), B4),
    ("(_ fp.to_sbv 4)", (RMODE, F), B4),
    ("fp.to_real", (F,), REAL),
    ("fp", (Bv(1), Bv(3), Bv(2)), F),
    *binary("str.++", STRING),
    *binary("str.< str.<= str.prefixof str.suffixof str.contains =", STRING, BOOL),
    ("str.len", (STRING,), INT),
    ("str.at", (STRING, INT), STRING),
    ("str.substr", (STRING, INT, INT), STRING),
    ("str.indexof", (STRING, STRING, INT), INT),
    ("str.replace", (STRING, STRING, STRING), STRING),
    ("str.to_int", (STRING,), INT),
    ("str.from_int", (INT,), STRING),
    ("str.to_code", (STRING,), INT),
    ("str.is_digit", (STRING,), BOOL),
]

# SMT-LIB leaves some of the results of these open, or Z3 does not simplify all of them.
PARTIAL = ("fp.min", "fp.max", "fp.to_real", "(_ fp.to_ubv 4)", "(_ fp.to_sbv 4)", "str.<", "str.<=")


def builtin(name: str, text: str, params: tuple[Type, ...], result: Type) -> Function:
    formals = tuple(VarDecl(Var(f"x{i}", t, Scope.BOUND)) for i, t in enumerate(params))
    return Function(name, formals, result, attributes=(Attribute("builtin", (text,)),))


@pytest.mark.parametrize(("text", "params", "result"), FUNCTIONS, ids=lambda x: x if isinstance(x, str) else "")
def test_each_function_agrees(text: str, params: tuple[Type, ...], result: Type) -> None:
    program = Program(functions=(builtin("f", text, params, result),))
    decided = []

    @settings(max_examples=15)
    @given(st.tuples(*map(values, params)))
    def agrees(args: tuple[object, ...]) -> None:
        literals = tuple(Lit(a, t) for a, t in zip(args, params, strict=True))  # type: ignore[arg-type]
        value = evaluate(App(Fn("f"), literals, result), Env(), World(program))
        verdict = z3_says(f"({text} {' '.join(map(literal_text, args, params))})", value, result)
        assert verdict or (verdict is None and text in PARTIAL)
        decided.append(verdict is not None)

    agrees()
    assert any(decided)


@pytest.mark.parametrize("divisor", [-3, -1, 1, 3])
@pytest.mark.parametrize("name", ["div", "mod", "rem"])
def test_integer_division_agrees(name: str, divisor: int) -> None:
    program = Program(functions=(builtin("f", name, (INT, INT), INT),))
    for dividend in range(-7, 8):
        value = evaluate(App(Fn("f"), (Lit(dividend, INT), Lit(divisor, INT)), INT), Env(), World(program))
        assert z3_says(f"({name} {literal_text(dividend, INT)} {literal_text(divisor, INT)})", value, INT)


# --- nested terms ----------------------------------------------------------------------------------

CONSTANT_MAP = builtin("constant_map", "MapConst", (INT,), M)
NESTED = Program(functions=(CONSTANT_MAP,))


def app(op: object, *args: st.SearchStrategy[Expr], type_: Type) -> st.SearchStrategy[Expr]:
    return st.tuples(*args).map(lambda a: App(op, a, type_))  # type: ignore[arg-type]


def square_let(parts: tuple[Expr, Expr]) -> Expr:
    bound = Var("x", INT, Scope.BOUND)
    body = App(Op.ADD, (App(Op.MUL, (bound, bound), INT), parts[1]), INT)
    return Let((bound,), (parts[0],), (), body, INT)


@cache
def terms(type_: Type, depth: int) -> st.SearchStrategy[Expr]:
    literal = values(type_).map(lambda v: Lit(v, type_)) if type_ is not M else terms(INT, 0).map(constant_map)  # type: ignore[arg-type]
    if depth == 0:
        return literal
    sub = {t: terms(t, depth - 1) for t in (BOOL, INT, REAL, B4, F, M)}
    same = sub[type_]
    choices = [literal, app(Op.ITE, sub[BOOL], same, same, type_=type_)]
    if type_ is BOOL:
        choices.append(app(Op.NOT, same, type_=BOOL))
        choices += [app(op, same, same, type_=BOOL) for op in (Op.AND, Op.OR, Op.IMPLIES, Op.IFF)]
        for t in (INT, REAL, F):
            choices += [app(op, sub[t], sub[t], type_=BOOL) for op in (Op.LT, Op.LE, Op.GT, Op.GE, Op.EQ, Op.NE)]
        choices.append(app(Op.EQ, sub[B4], sub[B4], type_=BOOL))
    elif type_ in (INT, REAL, F):
        choices.append(app(Op.NEG, same, type_=type_))
        choices += [app(op, same, same, type_=type_) for op in (Op.ADD, Op.SUB, Op.MUL)]
        nonzero = values(type_).filter(bool).map(lambda v: Lit(v, type_))  # type: ignore[arg-type]
        if type_ is INT:
            choices += [app(op, same, nonzero, type_=INT) for op in (Op.DIV, Op.MOD)]
            choices.append(app(Op.TO_INT, sub[REAL], type_=INT))
            choices.append(app(Op.SELECT, sub[M], same, type_=INT))
            choices.append(st.tuples(same, same).map(square_let))
        else:
            choices.append(app(Op.RDIV, same, nonzero, type_=type_))
        if type_ is REAL:
            choices.append(app(Op.TO_REAL, sub[INT], type_=REAL))
            choices.append(app(Op.RDIV, sub[INT], values(INT).filter(bool).map(lambda v: Lit(v, INT)), type_=REAL))  # type: ignore[arg-type]
    elif type_ is B4:
        choices.append(app(Op.CONCAT, *[app(Extract(3, 1), same, type_=Bv(2))] * 2, type_=B4))
    else:
        choices.append(app(Op.STORE, same, sub[INT], sub[INT], type_=M))
    return st.one_of(choices)


def constant_map(element: Expr) -> Expr:
    return App(Fn("constant_map"), (element,), M)


@examples(120, 2000)
@given(st.sampled_from([BOOL, INT, REAL, B4, F]).flatmap(lambda t: terms(t, 4)))
def test_nested_terms_agree(term: Expr) -> None:
    value = evaluate(term, Env(), World(NESTED))
    assert isinstance(value, bool | int | Fraction)
    assert z3_says(expr_text(term, {"constant_map": "MapConst"}), value, term.type)
