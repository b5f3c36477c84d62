"""Values from the text of an SMT-LIB model, read by their sort.

Solvers differ in notation: `-5` or `(- 5)`, hexadecimal or binary, `T!val!0` or `(as @T_0 T)`, with or without `let`.
What is not understood is an `OpaqueValue`, never a guess.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from paddock.digits import integer, rational
from paddock.frozen import frozen
from paddock.solvers.reading import Plan, leaf, read
from paddock.solvers.sexpr import Sexpr, expression_text, string_value, symbol_name, without_lets
from paddock.solvers.sorts import (
    BOOL,
    INT,
    REAL,
    ROUNDING_MODE,
    STRING,
    ArraySort,
    BitVecSort,
    DatatypeSort,
    FloatSort,
    Sort,
    UninterpretedSort,
)
from paddock.solvers.values import (
    ROUNDING_MODES,
    DataValue,
    ElementValue,
    FunctionTable,
    OpaqueValue,
    Value,
    array_value,
    canonical_nan,
    is_nan,
)

# Name and field sorts of each constructor, by its symbol.
Constructors = Mapping[str, tuple[str, tuple[Sort, ...]]]

_DECIMAL = re.compile(r"\d+(\.\d+)?\Z")


@frozen
class Definition:
    """What a model says of a function: parameters and body, as text."""

    parameters: tuple[str, ...]
    body: Sexpr


class _Typed(NamedTuple):
    expression: Sexpr
    sort: Sort


class ValueReader:
    """Reads values. `definition` looks up the model's functions, which an array value may refer to."""

    def __init__(self, constructors: Constructors, definition: Callable[[str], Definition | None]) -> None:
        self._constructors = constructors
        self._definition = definition

    def read(self, expression: Sexpr, sort: Sort) -> Value:
        root = _Typed(without_lets(expression), sort)
        return read(root, self._plan, lambda node: (id(node.expression), node.sort))

    def function(self, definition: Definition, domain: Sequence[Sort], range_: Sort) -> FunctionTable:
        """The table of a function."""
        graph = _graph(definition)
        if graph is None:
            return FunctionTable({}, OpaqueValue(expression_text(definition.body)))
        entries: dict[tuple[Value, ...], Value] = {}
        for arguments, value in graph.rows:
            values = tuple(self.read(a, s) for a, s in zip(arguments, domain, strict=True))
            entries.setdefault(values, self.read(value, range_))
        return FunctionTable(entries, self.read(graph.default, range_))

    def _plan(self, node: _Typed) -> Plan[_Typed]:
        expression, sort = node
        if isinstance(expression, list) and len(expression) == 3 and expression[0] == "as":
            expression = expression[1]
        value: Value | None = None
        match sort:
            case BitVecSort():
                value = _bits(expression)
            case FloatSort():
                value = _float(expression, sort)
            case UninterpretedSort(name):
                value = _element(expression, name)
            case DatatypeSort():
                return self._datatype(expression)
            case ArraySort():
                return self._array(expression, sort)
            case _ if sort is BOOL:
                value = {"true": True, "false": False}.get(str(expression))
            case _ if sort is INT or sort is REAL:
                value = _number(expression)
                if value is not None and sort is INT:
                    value = int(value)
            case _ if sort is ROUNDING_MODE:
                value = ROUNDING_MODES.get(str(expression))
            case _ if sort is STRING and isinstance(expression, str) and expression.startswith('"'):
                value = string_value(expression)
        return leaf(value) if value is not None else _opaque(expression)

    def _datatype(self, expression: Sexpr) -> Plan[_Typed]:
        head, args = (expression, []) if isinstance(expression, str) else (expression[0], expression[1:])
        if isinstance(head, list) and len(head) == 3 and head[0] == "as":
            head = head[1]
        name, sorts = self._constructors.get(symbol_name(head), ("", ()))
        if not name or len(sorts) != len(args):
            return _opaque(expression)
        parts = [_Typed(a, s) for a, s in zip(args, sorts, strict=True)]
        return Plan(parts, lambda fields: DataValue(name, tuple(fields)))

    def _array(self, expression: Sexpr, sort: ArraySort) -> Plan[_Typed]:
        graph = self._array_graph(expression, len(sort.domain))
        if graph is None:
            return _opaque(expression)
        sorts = (*sort.domain, sort.range)
        rows = [(*indices, value) for indices, value in reversed(graph.rows)]
        parts = [_Typed(e, s) for row in rows for e, s in zip(row, sorts, strict=True)]

        def assemble(values: list[Value]) -> Value:
            rest = iter(values)
            stores = [[next(rest) for _ in sorts] for _ in rows]
            return array_value(next(rest), [(tuple(indices), value) for *indices, value in stores])

        return Plan([*parts, _Typed(graph.default, sort.range)], assemble)

    def _array_graph(self, expression: Sexpr, arity: int) -> _Graph | None:
        rows: list[tuple[list[Sexpr], Sexpr]] = []
        while isinstance(expression, list) and len(expression) == 4 and expression[0] == "store":
            _, expression, index, value = expression
            # Several indices are a tuple, `(tuple2 i j)`.
            indices = [index] if arity == 1 else list(index[1:])
            if len(indices) != arity:
                return None
            rows.append((indices, value))
        base: _Graph | None = None
        match expression:
            case [["as", "const", _], default]:
                base = _Graph([], default)
            case ["_", "as-array", str(name)]:
                definition = self._definition(symbol_name(name))
                base = _graph(definition) if definition else None
            case ["lambda", list(parameters), body]:
                base = _graph(Definition(tuple(str(p[0]) for p in parameters), body))
        if base is None or any(len(indices) != arity for indices, _ in base.rows):
            return None
        return _Graph(rows + base.rows, base.default)


class _Graph(NamedTuple):
    """A function's rows of arguments and value, the first that fits wins, and its value elsewhere."""

    rows: list[tuple[list[Sexpr], Sexpr]]
    default: Sexpr


def _graph(definition: Definition) -> _Graph | None:
    """The graph of a function whose body decides by the values of its arguments; None if it does otherwise."""
    parameters = definition.parameters
    rows: list[tuple[list[Sexpr], Sexpr]] = []
    partial: list[Sexpr] = []  # values where some arguments are given, the others arbitrary
    default: Sexpr | None = None
    stack: list[tuple[Sexpr, dict[str, Sexpr]]] = [(without_lets(definition.body), {})]
    while stack:
        body, known = stack.pop()
        match body:
            case ["ite", condition, then, otherwise]:
                pass
            # A predicate may be given by its condition alone.
            case ["or", condition, other]:
                then, otherwise = "true", other
            case ["or", condition, *others]:
                then, otherwise = "true", ["or", *others]
            case ["not", condition]:
                then, otherwise = "false", "true"
            case ["=" | "and", *_]:
                condition, then, otherwise = body, "true", "false"
            # A Boolean argument itself; of other sorts, the words for truth will not be understood.
            case str() if body in parameters and body not in known:
                condition, then, otherwise = body, "true", "false"
            case _:
                if _mentions(body, parameters):
                    return None
                if len(known) == len(parameters):
                    rows.append(([known[p] for p in parameters], body))
                elif known:
                    partial.append(body)
                else:
                    default = body
                continue
        arguments = _equalities(condition, parameters)
        if arguments is None:
            return None
        stack.append((otherwise, known | _complement(condition)))
        stack.append((then, known | arguments))
    if default is None:  # every path knows some argument: fine if that is all there are of a Boolean
        if partial or not rows:
            return None
        default = rows[-1][1]
    if any(value != default for value in partial):
        return None
    return _Graph(rows, default)


def _complement(condition: Sexpr) -> dict[str, Sexpr]:
    """What is known of a Boolean argument where the condition fails."""
    match condition:
        case ["not", str(name)]:
            return {name: "true"}
        case str(name):
            return {name: "false"}
        case _:
            return {}


def _equalities(condition: Sexpr, parameters: tuple[str, ...]) -> dict[str, Sexpr] | None:
    """The arguments that a condition such as `(and (= x 1) (= 2 y))` asks for."""
    known: dict[str, Sexpr] = {}
    conjuncts = condition[1:] if isinstance(condition, list) and condition[:1] == ["and"] else [condition]
    for conjunct in conjuncts:
        match conjunct:
            case ["=", str(name), value] if name in parameters:
                known[name] = value
            case ["=", value, str(name)] if name in parameters:
                known[name] = value
            case ["not", str(name)] if name in parameters:
                known[name] = "false"
            case str(name) if name in parameters:
                known[name] = "true"
            case _:
                return None
    return known


def _mentions(expression: Sexpr, names: tuple[str, ...]) -> bool:
    stack = [expression]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            if item in names:
                return True
        else:
            stack.extend(item)
    return False


def _opaque(expression: Sexpr) -> Plan[_Typed]:
    return leaf(OpaqueValue(expression_text(expression)))


def _number(expression: Sexpr) -> Fraction | None:
    """`5`, `-5`, `0.5`, `(- 5)`, `(/ 1 3)`, `(- (/ 1.0 3.0))`, …"""
    match expression:
        case ["-", ["/", top, bottom]]:
            number = _quotient(top, bottom)
            return None if number is None else -number
        case ["/", top, bottom]:
            return _quotient(top, bottom)
        case _:
            return _decimal(expression)


def _quotient(top: Sexpr, bottom: Sexpr) -> Fraction | None:
    numerator, denominator = _decimal(top), _decimal(bottom)
    return numerator / denominator if numerator is not None and denominator else None


def _decimal(expression: Sexpr) -> Fraction | None:
    match expression:
        case ["-", str(text)] if _DECIMAL.match(text):
            return -rational(text)
        case str(text) if _DECIMAL.match(text.removeprefix("-")):
            return rational(text)
        case _:
            return None


def _bits(expression: Sexpr) -> int | None:
    match expression:
        case str(text) if re.fullmatch(r"#b[01]+", text):
            return int(text[2:], 2)
        case str(text) if re.fullmatch(r"#x[0-9a-fA-F]+", text):
            return int(text[2:], 16)
        case ["_", str(text), _] if re.fullmatch(r"bv\d+", text):
            return integer(text[2:])
        case _:
            return None


def _float(expression: Sexpr, sort: FloatSort) -> int | None:
    sign_bit = 1 << (sort.width - 1)
    infinity = ((1 << sort.exponent) - 1) << (sort.significand - 1)
    match expression:
        case ["_", str(special), *_]:
            specials = {"+oo": infinity, "-oo": sign_bit | infinity, "+zero": 0, "-zero": sign_bit}
            return canonical_nan(sort) if special == "NaN" else specials.get(special)
        case ["fp", sign, exponent, significand]:
            s, e, m = _bits(sign), _bits(exponent), _bits(significand)
            if s is None or e is None or m is None:
                return None
            bits = (s << sort.exponent | e) << (sort.significand - 1) | m
            return canonical_nan(sort) if is_nan(bits, sort) else bits
        case _:
            return None


def _element(expression: Sexpr, sort: str) -> ElementValue | None:
    # Z3 calls elements T!val!0, cvc5 @T_0 or @uc_T_0.
    number = re.search(r"[!_](\d+)\Z", symbol_name(expression))
    return ElementValue(sort, integer(number[1])) if number else None
