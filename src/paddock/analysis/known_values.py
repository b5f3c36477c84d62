"""What expressions come to where some variables have known values.

Values are Booleans, integers, bit-vectors as unsigned integers, and maps as far as their elements are known. Functions
are looked into where they have a small body, and computed with where they stand for an operator of the solver's on
bit-vectors.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice

from paddock.analysis.known_maps import Index, KnownMap
from paddock.ir import bitvectors
from paddock.ir.expr import App, Binder, Expr, Extract, Fn, Lit, Op, Quantifier, Var
from paddock.ir.graph import postorder
from paddock.ir.program import Function, Program, built_in
from paddock.ir.types import BOOL, INT, Bv
from paddock.ir.walk import rewrite, substitute, subterms

Value = bool | int | KnownMap
Known = Mapping[Var, Value]

_Operation = Callable[..., Value | None]
# A term: what to apply to which of the terms before; or a variable with what it is where it is not known; or a value.
_Step = tuple[Var | None, Value | None, _Operation | None, tuple[int, ...]]

_LARGEST = 200  # nodes; longer expressions are not worth it
_UNFOLDINGS = 3  # how deep the bodies of functions are looked into, where they apply functions in turn
_WIDEST = 256  # bits; products grow without end


class Evaluator:
    """Evaluates the expressions of a program. It knows the constants for which an axiom gives the value."""

    def __init__(self, program: Program) -> None:
        self._functions = program.function_named
        self._steps: dict[Expr, list[_Step]] = {}
        self._constants: dict[Var, Value] = {}
        for axiom in program.axioms:
            for condition in conjuncts(axiom.condition):
                for var, value in self.equalities(condition, {}):
                    self._constants.setdefault(var, value)
        self._steps.clear()  # those that are not aware of all constants

    def value(self, expr: Expr, known: Known) -> Value | None:
        """The value of an expression; None if it is not known."""
        steps = self._steps.get(expr)
        if steps is None:
            steps = self._steps[expr] = self._compiled(expr)
        values: list[Value | None] = []
        for var, value, operation, args in steps:
            if operation is not None:
                values.append(operation(*[values[arg] for arg in args]))
            else:
                values.append(value if var is None else known.get(var, value))
        return values[-1] if values else None

    def equalities(self, condition: Expr, known: Known) -> Iterator[tuple[Var, Value]]:
        """The variables whose values become known when a condition is assumed that is no conjunction."""
        match condition:
            case Var():
                yield condition, True
            case App(Op.NOT, (Var() as var,)):
                yield var, False
            case App(Op.EQ | Op.IFF, (a, b)):
                for side, other in ((a, b), (b, a)):
                    if isinstance(side, Var) and (value := self.value(other, known)) is not None:
                        yield side, value

    def _compiled(self, expr: Expr) -> list[_Step]:
        """The terms to evaluate in this order, the whole at last; none if the expression is too large."""
        for _ in range(_UNFOLDINGS):
            unfolded = rewrite(expr, self._unfolded) if _is_small(expr) else expr
            if unfolded is expr:
                break
            expr = unfolded
        if not _is_small(expr):
            return []
        terms = postorder({e: _needed_by(e) for e in subterms([expr])}, [expr])
        position = {term: n for n, term in enumerate(terms)}
        return [self._step(term, position) for term in terms]

    def _step(self, term: Expr, position: Mapping[Expr, int]) -> _Step:
        match term:
            case Var():
                return term, self._constants.get(term), None, ()
            case Lit(bool(value) | int(value), type_) if type_ is BOOL or type_ is INT or isinstance(type_, Bv):
                return None, value, None, ()
            case App(op, args):
                function = self._functions.get(op.name) if isinstance(op, Fn) else None
                operation = _operation(op, term) if function is None else _built_in(function, term)
                return None, None, operation, tuple(position[arg] for arg in args) if operation else ()
            case Binder(Quantifier.LAMBDA):
                free = _captured(term)
                return None, None, self._lambda(term, free), tuple(position[var] for var in free)
            case _:
                return None, None, None, ()

    def _lambda(self, term: Binder, free: tuple[Var, ...]) -> _Operation:
        """What makes a map of the values of the free variables of a lambda."""

        def made(*values: Value | None) -> KnownMap:
            captured: dict[Var, Value] = {v: value for v, value in zip(free, values, strict=True) if value is not None}

            def element(index: Index) -> Value | None:
                return self.value(term.body, captured | dict(zip(term.vars, index, strict=True)))  # type: ignore[arg-type]

            inner = [value for value in captured.values() if isinstance(value, KnownMap)]
            return KnownMap(computed=element, inner=inner).shallow()

        return made

    def _unfolded(self, expr: Expr) -> Expr:
        match expr:
            case App(Fn(name), args) if (function := self._functions.get(name)) and function.body is not None:
                if _is_small(function.body):
                    return substitute(function.body, {p.var: a for p, a in zip(function.params, args, strict=True)})
        return expr


def conjuncts(condition: Expr) -> Iterator[Expr]:
    """Conditions that together say the same, none of them a conjunction."""
    stack = [condition]
    while stack:
        match stack.pop():
            case App(Op.AND, (a, b)):
                stack += [b, a]
            case App(Op.NOT, (App(Op.OR, (a, b)),)):
                stack += [App(Op.NOT, (b,), BOOL), App(Op.NOT, (a,), BOOL)]
            case App(Op.NOT, (App(Op.NOT, (a,)),)):
                stack.append(a)
            case other:
                yield other


def common(states: Sequence[Known]) -> dict[Var, Value]:
    """What is known in all of some states."""
    first, *rest = states
    known: dict[Var, Value] = {}
    for var, value in first.items():
        both: Value | None = value
        for state in rest:
            other = state.get(var)
            if isinstance(both, KnownMap) and isinstance(other, KnownMap):
                both = both if both is other else both.common(other)
            elif both != other:
                both = None
        if both is not None:
            known[var] = both
    return known


def _is_small(expr: Expr) -> bool:
    return sum(1 for _ in islice(subterms([expr]), _LARGEST + 1)) <= _LARGEST


def _needed_by(term: Expr) -> tuple[Expr, ...]:
    """The terms whose values a term is computed from."""
    match term:
        case App(_, args):
            return args
        case Binder(Quantifier.LAMBDA):
            return _captured(term)
        case _:
            return ()


def _captured(term: Binder) -> tuple[Var, ...]:
    """The variables that occur in a lambda, but for its own."""
    return tuple(e for e in subterms([term.body]) if isinstance(e, Var) and e not in term.vars)


def _operation(op: object, term: App) -> _Operation | None:
    """What an operator of the IR does; None if nothing is known of that."""
    match op:
        case Extract(high, low):
            return _strict(lambda a: a >> low & (1 << (high - low)) - 1)
        case Op.CONCAT:
            return _strict(bitvectors.function("concat", (), [arg.type for arg in term.args], term.type))
        case Op():
            return _OPERATIONS.get(op)
        case _:
            return None


def _strict(function: Callable[..., Value | None] | None) -> _Operation | None:
    """The function where all arguments are known; large numbers are not worth it."""
    if function is None:
        return None

    def applied(*args: Value | None) -> Value | None:
        if None in args:
            return None
        value = function(*args)
        return None if isinstance(value, int) and value.bit_length() > _WIDEST else value

    return applied


def _and(*args: Value | None) -> Value | None:
    if False in args:
        return False
    return None if None in args else True


def _or(*args: Value | None) -> Value | None:
    if True in args:
        return True
    return None if None in args else False


def _implies(a: Value | None, b: Value | None) -> Value | None:
    return _or(None if a is None else not a, b)


def _choice(condition: Value | None, then: Value | None, otherwise: Value | None) -> Value | None:
    if condition is None:
        return then if then == otherwise else None
    return then if condition else otherwise


def _equal(a: Value | None, b: Value | None) -> Value | None:
    if a is None or b is None:
        return None
    # Maps that are not the same may still be equal.
    return True if a is b else None if isinstance(a, KnownMap) else a == b


def _select(map_: Value | None, *index: Value | None) -> Value | None:
    if not isinstance(map_, KnownMap) or None in index:
        return None
    return map_.element(index)  # type: ignore[return-value]


def _store(map_: Value | None, *args: Value | None) -> Value | None:
    *index, value = args
    if None in index:
        return None  # any element may be another now
    before = map_ if isinstance(map_, KnownMap) else KnownMap(None)
    return before.stored(tuple(index), value)


def _quotient(a: int, b: int) -> int | None:
    """Euclidean, as in SMT-LIB."""
    if b == 0:
        return None
    return a // b if b > 0 else -(a // -b)


def _remainder(a: int, b: int) -> int | None:
    return None if b == 0 else a % abs(b)


_OPERATIONS: dict[Op, _Operation | None] = {
    Op.AND: _and,
    Op.OR: _or,
    Op.IMPLIES: _implies,
    Op.ITE: _choice,
    Op.EQ: _equal,
    Op.IFF: _equal,
    Op.NE: lambda a, b: None if (same := _equal(a, b)) is None else not same,
    Op.SELECT: _select,
    Op.STORE: _store,
    Op.NOT: _strict(lambda a: not a),
    Op.NEG: _strict(lambda a: -a),
    Op.ADD: _strict(lambda a, b: a + b),
    Op.SUB: _strict(lambda a, b: a - b),
    Op.MUL: _strict(lambda a, b: a * b),
    Op.DIV: _strict(_quotient),
    Op.MOD: _strict(_remainder),
    Op.LT: _strict(lambda a, b: a < b),
    Op.LE: _strict(lambda a, b: a <= b),
    Op.GT: _strict(lambda a, b: a > b),
    Op.GE: _strict(lambda a, b: a >= b),
}


def _built_in(function: Function, term: App) -> _Operation | None:
    """What a function does that its attribute says is an operator of the solver's."""
    text = built_in(function)
    if text is None:
        return None
    if text == "MapConst" or text.startswith("(as const"):
        return KnownMap
    # `bvadd`, `(_ extract 7 0)`, or the older `sign_extend 8`
    read = re.fullmatch(r"\(_ (\w+)((?: \d+)+)\)|(\w+)((?: \d+)*)", text)
    if read is None:
        return None
    name, numbers = read[1] or read[3], (read[2] or read[4] or "").split()
    return _strict(bitvectors.function(name, tuple(map(int, numbers)), [arg.type for arg in term.args], term.type))
