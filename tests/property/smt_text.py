"""Ground expressions as SMT-LIB text, for Z3 to evaluate. Written from the standard alone, and for tests only."""

from __future__ import annotations

from fractions import Fraction

import z3

from paddock.ir.expr import App, Expr, Extract, Fn, Let, Lit, Op, Var
from paddock.ir.types import BOOL, INT, REAL, STRING, Bv, Float, Map, Type

_OPERATORS = {
    Op.NOT: "not", Op.NEG: "-", Op.AND: "and", Op.OR: "or", Op.IMPLIES: "=>", Op.IFF: "=", Op.EQ: "=",
    Op.NE: "distinct", Op.LT: "<", Op.LE: "<=", Op.GT: ">", Op.GE: ">=", Op.ADD: "+", Op.SUB: "-",
    Op.MUL: "*", Op.DIV: "div", Op.MOD: "mod", Op.RDIV: "/", Op.CONCAT: "concat", Op.ITE: "ite",
    Op.SELECT: "select", Op.STORE: "store", Op.TO_INT: "to_int", Op.TO_REAL: "to_real",
}  # fmt: skip

_FLOAT_OPERATORS = {
    Op.NEG: "fp.neg", Op.LT: "fp.lt", Op.LE: "fp.leq", Op.GT: "fp.gt", Op.GE: "fp.geq",
    Op.ADD: "fp.add RNE", Op.SUB: "fp.sub RNE", Op.MUL: "fp.mul RNE", Op.RDIV: "fp.div RNE",
}  # fmt: skip


def sort_text(type_: Type) -> str:
    match type_:
        case Bv(width):
            return f"(_ BitVec {width})"
        case Float(significand, exponent):
            return f"(_ FloatingPoint {exponent} {significand})"
        case Map((domain,), range_):
            return f"(Array {sort_text(domain)} {sort_text(range_)})"
        case _:
            return {BOOL: "Bool", INT: "Int", REAL: "Real", STRING: "String"}[type_]


def literal_text(value: object, type_: Type) -> str:
    match type_, value:
        case Float(significand, exponent), int(bits):
            if bits & ~(1 << (significand + exponent - 1)) > ((1 << exponent) - 1) << (significand - 1):
                return f"(_ NaN {exponent} {significand})"
            digits = format(bits, f"0{significand + exponent}b")
            return f"(fp #b{digits[0]} #b{digits[1 : 1 + exponent]} #b{digits[1 + exponent :]})"
        case Bv(width), int(bits):
            return f"(_ bv{bits} {width})"
        case _, bool(truth):
            return "true" if truth else "false"
        case _, int(n):
            return str(n) if n >= 0 else f"(- {-n})"
        case _, Fraction() as x:
            text = f"(/ {abs(x.numerator)}.0 {x.denominator}.0)"
            return text if x >= 0 else f"(- {text})"
        case _, str(text):
            return f'"{text}"' if type_ is STRING else text
        case _:
            raise AssertionError(value)


def expr_text(expr: Expr, builtins: dict[str, str]) -> str:
    """The text of an expression; `builtins` has the SMT-LIB text of each declared function."""
    match expr:
        case Lit(value, type_):
            return literal_text(value, type_)
        case Var(name):
            return name
        case Let(vars_, values, _, body):
            bindings = " ".join(f"({v.name} {expr_text(e, builtins)})" for v, e in zip(vars_, values, strict=True))
            return f"(let ({bindings}) {expr_text(body, builtins)})"
        case App(op, args, type_):
            texts = " ".join(expr_text(a, builtins) for a in args)
            match op:
                case Extract(high, low):
                    return f"((_ extract {high - 1} {low}) {texts})"
                case Fn(name) if builtins[name] == "MapConst":
                    return f"((as const {sort_text(type_)}) {texts})"
                case Fn(name):
                    return f"({builtins[name]} {texts})"
                case Op() if isinstance(args[0].type, Float) and op in _FLOAT_OPERATORS:
                    return f"({_FLOAT_OPERATORS[op]} {texts})"
                case Op():
                    return f"({_OPERATORS[op]} {texts})"
    raise AssertionError(expr)


def z3_says(term: str, value: object, type_: Type) -> bool | None:
    """Whether Z3's simplifier makes `term` this value; None if it leaves that open."""
    formula = z3.parse_smt2_string(f"(assert (= {term} {literal_text(value, type_)}))")[0]
    result = z3.simplify(formula)
    return True if z3.is_true(result) else False if z3.is_false(result) else None
