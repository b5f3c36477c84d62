"""Conditions over the interface of a function in C's terms, in the notation of ACSL: `\\result >= \\old(count)`.

Bits have no sign in the IR, and operators have: where a variable's type does not say what an operator means, a cast
does. What is about memory, or about variables that are not the author's, has no such text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from paddock.frontends.c import types as c
from paddock.frontends.c.show import ShownFunction
from paddock.ir.expr import App, Expr, Fn, Lit, Op, Scope, Var
from paddock.ir.program import Program, built_in
from paddock.ir.types import BOOL, Bv
from paddock.ir.walk import children

MOST_STEPS = 2_000

_NAMES = {8: "char", 16: "short", 32: "int", 64: "long"}
_SIMPLE = {Op.AND: "&&", Op.OR: "||", Op.IMPLIES: "==>", Op.IFF: "<==>", Op.EQ: "==", Op.NE: "!="}
_COMPARED = {"lt": "<", "le": "<=", "gt": ">", "ge": ">="}
_COMPUTED = {"bvadd": "+", "bvsub": "-", "bvmul": "*", "bvand": "&", "bvor": "|", "bvxor": "^"}
_NAME = re.compile(r"[A-Za-z_]\w*\Z")
_COMPARISON = re.compile(r"bv([su])(lt|le|gt|ge)\Z")

# A text, whether it is a single word, and what it is taken for: signed, unsigned, or just bits.
_Shown = tuple[str, bool, bool | None]


class _NoText(Exception):
    """There is no such text."""


def c_condition(condition: Expr, function: ShownFunction, program: Program, visible: Mapping[Var, str]) -> str | None:
    """A condition of a function as ACSL; None if it has no text in C's terms."""
    names = {scalar.var: _scalar(scalar.name, scalar.type) for scalar in function.parameters}
    names |= {scalar.var: _scalar(f"\\result{scalar.name}", scalar.type) for scalar in function.results}
    names |= {var: (name, True, None) for var, name in visible.items()}
    made: dict[Expr, _Shown] = {}
    stack = [condition]
    steps = 0
    try:
        while stack:
            node = stack[-1]
            steps += 1
            missing = [part for part in children(node) if part not in made]
            if steps > MOST_STEPS:
                return None
            if missing:
                stack += missing
                continue
            made[stack.pop()] = _shown(node, [made[part] for part in children(node)], names, program)
    except _NoText:
        return None
    return made[condition][0]


def _scalar(name: str, type_: c.CType) -> _Shown:
    return name, True, type_.signed if isinstance(type_, c.IntType) else None


def _shown(node: Expr, parts: Sequence[_Shown], names: Mapping[Var, _Shown], program: Program) -> _Shown:
    match node:
        case Lit(bool(value)):
            return ("\\true" if value else "\\false"), True, None
        case Lit(int(value), Bv(width)):
            return str(value - (1 << width) if value >= 1 << (width - 1) else value), True, True
        case Var() if node in names:
            return names[node]
        case Var(name, _, Scope.GLOBAL) if _NAME.match(name):
            return name, True, None
        case App(Op.OLD, _):
            return f"\\old({parts[0][0]})", True, parts[0][2]
        case App(Op.NOT, _):
            return f"!{_word(parts[0])}", True, None
        case App(Op() as op, (left, _)) if op in _SIMPLE and left.type is BOOL:
            return f"{_word(parts[0])} {_SIMPLE[op]} {_word(parts[1])}", False, None
        case App(Op.EQ | Op.NE as op, (left, right)) if isinstance(left.type, Bv):
            known = [part[2] for part, arg in zip(parts, (left, right), strict=True) if not isinstance(arg, Lit)]
            signed = next((sign for sign in known if sign is not None), True)
            return _compared(_SIMPLE[op], parts, (left, right), signed, left.type.width)
        case App(Fn(name), (left, _)) if isinstance(left.type, Bv):
            return _applied(built_in(program.function_named[name]) or "", parts, node.args, left.type.width)
        case _:
            raise _NoText


def _applied(builtin: str, parts: Sequence[_Shown], args: Sequence[Expr], width: int) -> _Shown:
    """An operator on bits, on operands of the sign that it means."""
    if (found := _COMPARISON.match(builtin)) is not None:
        return _compared(_COMPARED[found[2]], parts, args, found[1] == "s", width)
    if builtin in _COMPUTED:
        return f"{_word(parts[0])} {_COMPUTED[builtin]} {_word(parts[1])}", False, None
    raise _NoText


def _compared(op: str, parts: Sequence[_Shown], args: Sequence[Expr], signed: bool, width: int) -> _Shown:
    left, right = (_of_sign(part, arg, signed, width) for part, arg in zip(parts, args, strict=True))
    return f"{left} {op} {right}", False, None


def _of_sign(part: _Shown, arg: Expr, signed: bool, width: int) -> str:
    if isinstance(arg, Lit) and not signed:
        return f"{arg.value}u"
    if part[2] is signed:
        return _word(part)
    if width not in _NAMES:
        raise _NoText
    return f"({'' if signed else 'unsigned '}{_NAMES[width]}){_word(part)}"


def _word(part: _Shown) -> str:
    return part[0] if part[1] else f"({part[0]})"
