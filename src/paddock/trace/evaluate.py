"""The value of an expression in a state and a world, with SMT-LIB's meaning, computed without a solver.

Each node that needs the values of others is a generator that asks for them one by one; one loop runs
the generators on an explicit stack, so neither deep expressions nor recursive functions deepen
Python's stack. What cannot be determined is carried along as `Undecided` and need not matter: `false && …` is false.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from typing import TYPE_CHECKING

from paddock.frozen import replace
from paddock.ir.expr import (
    App,
    Binder,
    Construct,
    Expr,
    Extract,
    Fn,
    GetField,
    Is,
    Let,
    Lit,
    Op,
    Quantifier,
    Scope,
    SetField,
    Var,
)
from paddock.ir.lexical import unescape
from paddock.ir.program import Constructor, Function, built_in
from paddock.ir.types import STRING, Float, Map, Type
from paddock.trace.builtins import Operation, operation
from paddock.trace.values import (
    DataValue,
    Env,
    Index,
    LambdaValue,
    Later,
    MapValue,
    Undecided,
    Value,
    map_of,
)
from paddock.trace.world import World

if TYPE_CHECKING:
    from paddock.trace.quantifiers import Plan

DEFAULT_FUEL = 100_000

# What the IR's own operators are called in SMT-LIB.
_NAMES: Mapping[Op, str] = {
    Op.NOT: "not",
    Op.NEG: "-",
    Op.IFF: "=",
    Op.EQ: "=",
    Op.NE: "distinct",
    Op.LT: "<",
    Op.LE: "<=",
    Op.GT: ">",
    Op.GE: ">=",
    Op.ADD: "+",
    Op.SUB: "-",
    Op.MUL: "*",
    Op.DIV: "div",
    Op.MOD: "mod",
    Op.RDIV: "/",
    Op.POW: "^",
    Op.CONCAT: "concat",
    Op.TO_INT: "to_int",
    Op.TO_REAL: "to_real",
}

# Boogie rounds to nearest, and orders floats as IEEE 754 does; `==` is equality of values, as of any type.
_FLOAT_NAMES: Mapping[Op, str] = {
    Op.NEG: "fp.neg",
    Op.LT: "fp.lt",
    Op.LE: "fp.leq",
    Op.GT: "fp.gt",
    Op.GE: "fp.geq",
    Op.ADD: "fp.add RNE",
    Op.SUB: "fp.sub RNE",
    Op.MUL: "fp.mul RNE",
    Op.RDIV: "fp.div RNE",
}

_Result = Value | Undecided


class _Place:
    """A state, what is bound in it, and the values found in it so far. A place inside of a binder has only the values
    of that binder: others are those of the place `around`."""

    __slots__ = ("around", "bound", "env", "known", "past")

    def __init__(self, env: Env, bound: Mapping[Var, Value] | None = None, around: _Place | None = None) -> None:
        self.env = env
        self.bound = env.bound if bound is None else bound
        self.around = around
        self.known: dict[Expr, _Result] = {}
        self.past: _Place | None = None

    def with_bound(self, vars_: tuple[Var, ...], values: Index) -> _Place:
        return _Place(self.env, dict(zip(vars_, values, strict=True)), self)

    def bound_value(self, var: Var) -> Value | None:
        place: _Place | None = self
        while place is not None and var not in place.bound:
            place = place.around
        return None if place is None else place.bound[var]

    def all_bound(self) -> dict[Var, Value]:
        places = [self]
        while (around := places[-1].around) is not None:
            places.append(around)
        return {var: value for place in reversed(places) for var, value in place.bound.items()}

    def before(self) -> _Place:
        """The place in which the argument of `old` is read."""
        if self.env.globals is self.env.old:
            return self
        if self.past is None:
            self.past = _Place(replace(self.env, globals=self.env.old), self.bound, self.around)
        return self.past


_Steps = Generator[tuple[Expr, _Place], _Result, _Result]


def evaluate(expr: Expr, env: Env, world: World) -> Value:
    """The value of `expr`; raises `Undecided` if it cannot be determined."""
    return Evaluator(world).evaluate(expr, env)


def _arguments(node: App, place: _Place) -> Generator[tuple[Expr, _Place], _Result, Index]:
    args: list[Value] = []
    for arg in node.args:
        value = yield arg, place
        if isinstance(value, Undecided):
            raise Undecided(value.reason)
        args.append(value)
    return tuple(args)


def _and_or(node: App, place: _Place) -> _Steps:
    """`&&` and `||` as Kleene has them: one side can settle it, whatever the other is."""
    settling = node.op is Op.OR
    left = yield node.args[0], place
    if left is settling:
        return settling
    right = yield node.args[1], place
    if right is settling:
        return settling
    return left if isinstance(left, Undecided) else right


def _implies(node: App, place: _Place) -> _Steps:
    left = yield node.args[0], place
    if left is False:
        return True
    right = yield node.args[1], place
    return left if isinstance(left, Undecided) and right is not True else right


def _ite(node: App, place: _Place) -> _Steps:
    condition = yield node.args[0], place
    if isinstance(condition, Undecided):
        return condition
    return (yield node.args[1 if condition else 2], place)


def _old(node: App, place: _Place) -> _Steps:
    return (yield node.args[0], place.before())


def _let(node: Let, place: _Place) -> _Steps:
    values: list[Value] = []
    for expr in node.values:
        value = yield expr, place
        if isinstance(value, Undecided):
            return value
        values.append(value)
    return (yield node.body, place.with_bound(node.vars, tuple(values)))


def _store(node: App, place: _Place) -> _Steps:
    args = yield from _arguments(node, place)
    map_ = args[0]
    assert isinstance(map_, MapValue | LambdaValue)
    return map_.store(args[1:-1], args[-1])


class Evaluator:
    """Evaluates expressions of one program; `fuel` is how many bodies of functions and quantifiers one
    expression may enter."""

    def __init__(self, world: World, fuel: int = DEFAULT_FUEL) -> None:
        self.world = world
        self.fuel = fuel
        self._left = fuel
        self._operations: dict[tuple[Op, Type, Type], Operation] = {}
        self._builtins: dict[str, Operation | None] = {}
        self._plans: dict[Expr, Plan] = {}

    def evaluate(self, expr: Expr, env: Env) -> Value:
        """The value of `expr`; raises `Undecided` if it cannot be determined."""
        self._left = self.fuel
        result = self._run(expr, _Place(env))
        if isinstance(result, Undecided):
            raise Undecided(result.reason)
        return result

    def _run(self, node: Expr, place: _Place) -> _Result:
        waiting: list[tuple[_Steps, dict[Expr, _Result], Expr]] = []
        result: _Result | None
        while True:
            result = place.known.get(node)
            if result is None:
                if isinstance(node, Lit | Var):
                    result = self._leaf(node, place)
                else:
                    waiting.append((self._steps(node, place), place.known, node))
            # Hand the result to the node that waits for it; None starts one that has just come.
            while waiting:
                steps, known, asker = waiting[-1]
                try:
                    node, place = steps.send(result)  # type: ignore[arg-type]
                    break
                except StopIteration as end:
                    result = end.value
                except Undecided as undecided:
                    result = Undecided(undecided.reason)  # without the traceback, which keeps frames alive
                assert result is not None
                known[asker] = result
                waiting.pop()
            else:
                assert result is not None
                return result

    def _leaf(self, node: Lit | Var, place: _Place) -> _Result:
        if isinstance(node, Lit):
            return unescape(node.value) if node.type is STRING and isinstance(node.value, str) else node.value
        env = place.env
        value: Value | Later | None
        try:
            match node.scope:
                case Scope.LOCAL:
                    value = env.locals.get(node.name)
                case Scope.GLOBAL:
                    value = env.globals.get(node.name)
                case Scope.BOUND:
                    value = place.bound_value(node)
                case Scope.CONST:
                    value = self.world.constant(node.name)
            if isinstance(value, Later):
                value = value.force()
        except Undecided as undecided:
            return undecided
        return Undecided(f"{node.name} has no value") if value is None else value

    def _steps(self, node: Expr, place: _Place) -> _Steps:
        if isinstance(node, App):
            if isinstance(node.op, Op):
                lazy = self._select if node.op is Op.SELECT else _LAZY.get(node.op)
                return lazy(node, place) if lazy else self._strict(node, node.op, place)
            return self._parameterised(node, place)
        if isinstance(node, Let):
            return _let(node, place)
        assert isinstance(node, Binder)
        return self._lambda(node, place) if node.kind is Quantifier.LAMBDA else self._quantified(node, place)

    # --- operators ---------------------------------------------------------------------------------

    def _strict(self, node: App, op: Op, place: _Place) -> _Steps:
        # Most nodes are of this kind, so the loop of `_arguments` is written out.
        args: list[Value] = []
        for arg in node.args:
            value = yield arg, place
            if isinstance(value, Undecided):
                return value
            args.append(value)
        key = (op, node.args[0].type, node.args[-1].type)
        found = self._operations.get(key)
        if found is None:
            found = self._operations[key] = operator_on(op, tuple(a.type for a in node.args), node.type)
        return found(self.world, tuple(args))

    def _select(self, node: App, place: _Place) -> _Steps:
        args = yield from _arguments(node, place)
        map_, index = args[0], args[1:]
        if isinstance(map_, MapValue):
            return map_.select(index)
        assert isinstance(map_, LambdaValue)
        if index in map_.entries:
            return map_.entries[index]
        self._burn()
        return (yield map_.binder.body, _Place(map_.env).with_bound(map_.binder.vars, index))

    def _parameterised(self, node: App, place: _Place) -> _Steps:
        args = yield from _arguments(node, place)
        match node.op:
            case Fn(name):
                return (yield from self._function(self.world.program.function_named[name], args))
            case Extract(high, low):
                (bits,) = args
                assert isinstance(bits, int)
                return bits >> low & (1 << (high - low)) - 1
            case Construct(name):
                return DataValue(self.world.program.constructor_named[name][1], args)
            case Is(name):
                (data,) = args
                return isinstance(data, DataValue) and data.constructor.name == name
            case GetField(name):
                return self._get_field(args[0], name, node.type)
            case SetField(name):
                return self._set_field(args[0], name, args[1], node.type)
            case _:
                raise TypeError(f"not an operator: {node.op}")

    def _get_field(self, data: Value, field: str, type_: Type) -> Value:
        assert isinstance(data, DataValue)
        at = _position(data.constructor, field)
        if at is not None:
            return data.fields[at]
        datatype, _ = self.world.program.constructor_named[data.constructor.name]
        return self.world.unspecified(f"->{field}", (data,), (datatype.type,), type_)

    def _set_field(self, data: Value, field: str, new: Value, type_: Type) -> Value:
        assert isinstance(data, DataValue)
        constructors = (*self.world.domains.constructors(type_), data.constructor)
        # The datum's own constructor if it has the field, else the last that has it: engines must do likewise.
        constructor = [c for c in constructors if _position(c, field) is not None][-1]
        fields = [new if f.name == field else self._get_field(data, f.name, f.var.type) for f in constructor.fields]
        return DataValue(constructor, tuple(fields))

    # --- functions and binders ---------------------------------------------------------------------

    def _burn(self) -> None:
        if self._left <= 0:
            raise Undecided("an expression that takes too many steps to evaluate")
        self._left -= 1

    def _operation(self, function: Function) -> Operation | None:
        if function.name not in self._builtins:
            self._builtins[function.name] = _builtin(function)
        return self._builtins[function.name]

    def _has_table(self, name: str) -> bool:
        function = self.world.program.function_named[name]
        return function.body is None and self._operation(function) is None

    def _function(self, function: Function, args: Index) -> _Steps:
        known = self._operation(function)
        if known is not None:
            return known(self.world, args)
        if function.body is None:
            return self.world.function(function.name, args)
        self._burn()
        bound = {p.var: a for p, a in zip(function.params, args, strict=True)}
        return (yield function.body, _Place(Env(bound=bound)))

    def _quantified(self, node: Binder, place: _Place) -> _Steps:
        """A `forall` is false by one instance that is false, and true only if all that matter were seen."""
        from paddock.trace.quantifiers import instances, plan  # which few programs need

        if node not in self._plans:
            self._plans[node] = plan(node, self._has_table)
        plan_ = self._plans[node]
        known: list[Value | None] = []
        for term in plan_.terms:
            value = yield term, place
            known.append(None if isinstance(value, Undecided) else value)
        values, complete = instances(plan_, known, self.world)
        undecided = None if complete else Undecided(f"a quantifier over {', '.join(str(v.type) for v in node.vars)}")
        universal = node.kind is Quantifier.FORALL
        for index in values:
            self._burn()
            instance = yield node.body, place.with_bound(node.vars, index)
            if isinstance(instance, Undecided):
                undecided = undecided or instance
            elif instance is not universal:
                return not universal
        return undecided or universal

    def _lambda(self, node: Binder, place: _Place) -> _Steps:
        from paddock.trace.quantifiers import all_indices

        assert isinstance(node.type, Map)
        env = place.env
        indices = all_indices(node.type.domain, self.world.domains)
        entries: dict[Index, Value] = {}
        for index in indices or ():
            self._burn()
            value = yield node.body, place.with_bound(node.vars, index)
            if isinstance(value, Undecided):
                break
            entries[index] = value
        else:
            if entries:
                default = next(iter(entries.values()))
                return map_of(default, entries, self.world.domains.index_size(node.type))
        # The state goes on changing; the lambda keeps the one it was written in.
        state = {"globals": dict(env.globals), "locals": dict(env.locals), "old": dict(env.old)}
        return LambdaValue(node, replace(env, bound=place.all_bound(), **state))


# Operators that do not need the values of all their operands, and those on maps.
_LAZY: Mapping[Op, Callable[[App, _Place], _Steps]] = {
    Op.AND: _and_or,
    Op.OR: _and_or,
    Op.IMPLIES: _implies,
    Op.ITE: _ite,
    Op.OLD: _old,
    Op.STORE: _store,
}


def operator_on(op: Op, params: tuple[Type, ...], result: Type) -> Operation:
    """What computes an operator on values of these types; raises `Undecided` if that is not known."""
    if not isinstance(params[0], Float) or op in (Op.EQ, Op.NE):
        return operation(_NAMES[op], params, result)
    if op not in _FLOAT_NAMES:
        raise Undecided(f"the operator {op.value} on floats")
    return operation(_FLOAT_NAMES[op], params, result)


def _builtin(function: Function) -> Operation | None:
    """The function of SMT-LIB that a declaration stands for, if it has such an attribute."""
    text = built_in(function)
    return None if text is None else operation(text, [p.var.type for p in function.params], function.result)


def _position(constructor: Constructor, field: str) -> int | None:
    return next((i for i, f in enumerate(constructor.fields) if f.name == field), None)
