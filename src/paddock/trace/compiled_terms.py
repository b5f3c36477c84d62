"""Expressions of a program as expressions of Python, for loops that the interpreter runs often (`compiled_loops.py`).

Booleans, integers and bit-vectors are computed in place; for all other functions, the generated text calls those that
the interpreter applies. Of maps, single elements are read.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from paddock.ir.expr import App, Expr, Extract, Fn, Lit, Op, Scope, Var
from paddock.ir.program import Program, built_in
from paddock.ir.types import BOOL, INT, STRING, Bv, Map
from paddock.ir.walk import children
from paddock.trace.builtins import operation
from paddock.trace.evaluate import operator_on
from paddock.trace.values import Undecided

_LONGEST = 3000  # characters of a term
_MOST_NESTED = 90  # parentheses, which Python limits

# What an operator is in Python, on Booleans, integers and bit-vectors; `M` is the largest number of the width, `S` the
# bit of the sign.
_BIT_VECTORS: Mapping[str, str] = {
    "bvadd": "({0} + {1} & {M})",
    "bvsub": "({0} - {1} & {M})",
    "bvmul": "({0} * {1} & {M})",
    "bvand": "({0} & {1})",
    "bvor": "({0} | {1})",
    "bvxor": "({0} ^ {1})",
    "bvnot": "({0} ^ {M})",
    "bvneg": "(-{0} & {M})",
    "bvult": "({0} < {1})",
    "bvule": "({0} <= {1})",
    "bvugt": "({0} > {1})",
    "bvuge": "({0} >= {1})",
    "bvslt": "(({0} ^ {S}) < ({1} ^ {S}))",
    "bvsle": "(({0} ^ {S}) <= ({1} ^ {S}))",
    "bvsgt": "(({0} ^ {S}) > ({1} ^ {S}))",
    "bvsge": "(({0} ^ {S}) >= ({1} ^ {S}))",
}
_LOGIC: Mapping[Op, str] = {
    Op.NOT: "(not {0})",
    Op.AND: "({0} and {1})",
    Op.OR: "({0} or {1})",
    Op.IMPLIES: "(not {0} or {1})",
    Op.IFF: "({0} is {1})",
    Op.ITE: "({1} if {0} else {2})",
}
_EQUALITY: Mapping[Op, str] = {Op.EQ: "({0} == {1})", Op.NE: "({0} != {1})"}
_INTEGERS: Mapping[Op, str] = {
    Op.ADD: "({0} + {1})",
    Op.SUB: "({0} - {1})",
    Op.MUL: "({0} * {1})",
    Op.NEG: "(-{0})",
    Op.LT: "({0} < {1})",
    Op.LE: "({0} <= {1})",
    Op.GT: "({0} > {1})",
    Op.GE: "({0} >= {1})",
}


class NotCompiled(Exception):
    """There is something that is left to the interpreter."""


class Terms:
    """Writes terms. `names` are those of variables in the text; `helpers` are the functions that it calls, by name."""

    def __init__(self, program: Program, is_open: Callable[[Var], bool]) -> None:
        self._program = program
        self.is_open = is_open  # of a map, whether it has no default: what is not among its entries cannot be read
        self.names: dict[Var, str] = {}
        self.helpers: dict[str, Callable[..., object]] = {}
        self._called: dict[object, str] = {}

    def name(self, var: Var) -> str:
        return self.names.setdefault(var, f"v{len(self.names)}")

    def text(self, root: Expr, unknown: Collection[Var]) -> str:
        """A term. Raises `NotCompiled` if it has something that cannot be written, or a variable that is unknown."""
        done: dict[Expr, str] = {}
        stack = [root]
        while stack:
            node = stack[-1]
            parts = self._parts(node)
            missing = [part for part in parts if part not in done]
            if missing:
                stack += missing
                continue
            stack.pop()
            done[node] = self._written(node, [done[part] for part in parts], unknown)
            if len(done[node]) > _LONGEST or done[node].count("(") > _MOST_NESTED:
                raise NotCompiled
        return done[root]

    def _parts(self, node: Expr) -> tuple[Expr, ...]:
        if isinstance(node, App) and node.op is Op.SELECT:
            return node.args[1:]
        return children(node) if isinstance(node, App) else ()

    def _written(self, node: Expr, parts: list[str], unknown: Collection[Var]) -> str:
        match node:
            case Lit(value) if isinstance(value, int) and node.type is not STRING:
                return repr(value)
            case Var(scope=Scope.LOCAL | Scope.GLOBAL) if node not in unknown and not isinstance(node.type, Map):
                return self.name(node)
            case App(Op.SELECT, (Var() as map_, *_)) if is_plain_map(map_) and map_ not in unknown:
                name = self.name(map_)
                is_open = self.is_open(map_)
                return f"{name}[{index(parts)}]" if is_open else f"{name}.get({index(parts)}, {default_name(name)})"
            case App(Extract(high, low), _):
                return f"({parts[0]} >> {low} & {(1 << (high - low)) - 1})"
            case App(Fn(name), args):
                return self._function(name, args, parts)
            case App(Op() as op, args) if op not in (Op.STORE, Op.OLD, Op.SELECT):
                return self._operator(op, node, args, parts)
        raise NotCompiled

    def _function(self, name: str, args: tuple[Expr, ...], parts: list[str]) -> str:
        function = self._program.function_named[name]
        text = built_in(function)
        if text is None:
            raise NotCompiled
        if text in _BIT_VECTORS and len(args) <= 2 and isinstance(args[0].type, Bv):
            width = args[0].type.width
            return _BIT_VECTORS[text].format(*parts, M=(1 << width) - 1, S=1 << (width - 1) if width else 0)
        params = [p.var.type for p in function.params]
        return self._helper(name, lambda: operation(text, params, function.result), parts)

    def _operator(self, op: Op, node: App, args: tuple[Expr, ...], parts: list[str]) -> str:
        template = _LOGIC.get(op)
        if op is Op.ITE and isinstance(node.type, Map):
            raise NotCompiled
        plain = all(isinstance(a.type, Bv) or a.type in (BOOL, INT) for a in args)
        if template is None and plain:
            template = _EQUALITY.get(op) or (_INTEGERS.get(op) if args[0].type is INT else None)
        if template is not None:
            return template.format(*parts)
        if any(isinstance(a.type, Map) for a in args):
            raise NotCompiled
        types = tuple(a.type for a in args)
        return self._helper((op, types, node.type), lambda: operator_on(op, types, node.type), parts)

    def _helper(self, key: object, find: Callable[[], Callable[..., object]], parts: list[str]) -> str:
        """A call of a function as the interpreter has it."""
        if key not in self._called:
            self._called[key] = f"f{len(self._called)}"
            try:
                self.helpers[self._called[key]] = find()
            except Undecided:
                raise NotCompiled from None
        return f"{self._called[key]}(world, {index(parts)})"


def index(parts: list[str]) -> str:
    """A tuple."""
    return f"({', '.join(parts)},)"


def default_name(map_: str) -> str:
    """What the default of a map is called, beside its entries."""
    return f"{map_}d"


def is_plain_map(var: Var) -> bool:
    """Whether a variable holds a map whose elements are compared at once."""
    return isinstance(var.type, Map) and not isinstance(var.type.range, Map)
