"""From a solver's model to a path and a world that the interpreter can run."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from fractions import Fraction

from paddock.engines.inlining.graph import Node
from paddock.engines.inlining.instances import Inlining
from paddock.engines.value_terms import value_term
from paddock.ir.expr import Var
from paddock.ir.program import Function, Program
from paddock.ir.types import INT, REAL, Map, Type
from paddock.solvers import values as smt
from paddock.solvers.interface import Model, Term
from paddock.solvers.ops import Op
from paddock.solvers.ops import builtin as operator_named
from paddock.trace.domains import Domains
from paddock.trace.path import Activation, Path, Visit
from paddock.trace.values import DataValue, Index, MapValue, SortValue, Undecided, Value, map_of
from paddock.trace.world import World
from paddock.vc.encode import Encoder


class ModelValues:
    """Reads values of a program's types from a model."""

    def __init__(self, program: Program, model: Model) -> None:
        self.program = program
        self.model = model
        self.domains = Domains(program)

    def of(self, terms: Sequence[Term], types: Sequence[Type]) -> list[Value]:
        return [self.convert(v, t) for v, t in zip(self.model.values(terms), types, strict=True)]

    def convert(self, root: smt.Value, type_: Type) -> Value:
        """The interpreter's value for the solver's. Works inside out, since a list can be long."""
        done: list[Value] = []
        stack: list[tuple[smt.Value, Type, bool]] = [(root, type_, False)]
        while stack:
            value, wanted, parts_done = stack.pop()
            parts = self._parts(value, wanted)
            if parts and not parts_done:
                stack.append((value, wanted, True))
                stack.extend((v, t, False) for v, t in reversed(parts))
                continue
            taken = done[len(done) - len(parts) :]
            del done[len(done) - len(parts) :]
            done.append(self._made(value, wanted, taken))
        return done[0]

    def _parts(self, value: smt.Value, type_: Type) -> list[tuple[smt.Value, Type]]:
        match value, type_:
            case smt.ArrayValue(default, entries), Map(domain, range_):
                parts = [(default, range_)]
                for index, element in entries.items():
                    parts += [*zip(index, domain, strict=True), (element, range_)]
                return parts
            case smt.DataValue(constructor, fields), _:
                declared = self.program.constructor_named[constructor][1].fields
                return [(v, f.var.type) for v, f in zip(fields, declared, strict=True)]
            case _:
                return []

    def _made(self, value: smt.Value, type_: Type, parts: list[Value]) -> Value:
        match value:
            case smt.ArrayValue():
                assert isinstance(type_, Map)
                width = len(type_.domain) + 1
                rest = parts[1:]
                entries = {tuple(rest[n : n + width - 1]): rest[n + width - 1] for n in range(0, len(rest), width)}
                return map_of(parts[0], entries, self.domains.index_size(type_))
            case smt.DataValue(constructor):
                return DataValue(self.program.constructor_named[constructor][1], tuple(parts))
            case smt.ElementValue(_, index):
                return SortValue(type_, index)
            case smt.OpaqueValue(text):
                raise Undecided(f"the solver gives the value {text}")
            case _:
                return value


class ModelWorld(World):
    """The constants and functions of a program as a model has them, and what it makes of the cases in which SMT-LIB
    leaves an operator open."""

    def __init__(self, program: Program, encoder: Encoder, model: Model) -> None:
        self._encoder = encoder
        self._model = model
        self._values = values = ModelValues(program, model)
        known = encoder.known_constants()
        constants = values.of(list(known.values()), [v.type for v in known])
        functions = {}
        for name in encoder.known_functions():
            with suppress(Undecided):  # a table whose default is a formula: the model is asked as need be
                functions[name] = self._function(program.function_named[name])
        super().__init__(
            program,
            constants={v.name: c for v, c in zip(known, constants, strict=True)},
            functions=functions,
        )

    def _function(self, function: Function) -> MapValue:
        values, encoder = self._values, self._encoder
        types, result = [p.var.type for p in function.params], function.result
        if not types:
            (value,) = values.of([encoder.terms.apply(encoder.function(function.name), ())], [result])
            return MapValue(value)
        table = self._model.function(encoder.function(function.name))
        entries = {
            tuple(values.convert(a, t) for a, t in zip(args, types, strict=True)): values.convert(v, result)
            for args, v in table.entries.items()
        }
        default = values.domains.first(result) if table.default is None else values.convert(table.default, result)
        return map_of(default, entries)

    def table(self, name: str) -> MapValue | None:
        return super().table(name) if self._is_tabulated(name) else None

    def _is_tabulated(self, name: str) -> bool:
        return name in self._functions or name not in self._encoder.known_functions()

    def function(self, name: str, args: Index) -> Value:
        if self._is_tabulated(name):
            return super().function(name, args)
        declaration = self.program.function_named[name]
        types = [p.var.type for p in declaration.params]
        terms = [value_term(self._encoder, value, t) for value, t in zip(args, types, strict=True)]
        return self._values.of([self._encoder.terms.apply(self._encoder.function(name), terms)], [declaration.result])[
            0
        ]

    def division_by_zero(self, op: str, numerator: int | Fraction) -> Value:
        type_ = REAL if op == "/" else INT
        terms = [value_term(self._encoder, value, type_) for value in (numerator, Fraction(0) if op == "/" else 0)]
        return self._values.of([self._encoder.terms.app(Op(op), terms)], [type_])[0]

    def unspecified(self, op: str, args: Index, params: Sequence[Type], type_: Type) -> Value:
        terms = [value_term(self._encoder, value, t) for value, t in zip(args, params, strict=True)]
        if op.startswith("->"):
            term = self._encoder.datatypes.get_field(params[0], op.removeprefix("->"), terms[0])
        elif (named := operator_named(op)) is not None:
            term = self._encoder.terms.app(named[0], terms, named[1])
        else:
            return super().unspecified(op, args, params, type_)
        return self._values.of([term], [type_])[0]


def read_path(inlining: Inlining, model: Model) -> Path:
    """The path that a model takes. It does not follow calls that are open."""
    values = ModelValues(inlining.templates.program, model)
    root = inlining.root
    interface = inlining.template(root).interface
    given = inlining.constants[root][1 : 1 + len(interface.inputs)]
    inputs = dict(zip(interface.inputs, values.of(given, [v.type for v in interface.inputs]), strict=True))
    path = Path(Activation(root.shape.procedure), inputs)
    stack = [(root, path.root)]
    while stack:
        node, activation = stack.pop()
        stack += _read_activation(inlining, model, values, node, activation)
    return path


def _read_activation(
    inlining: Inlining, model: Model, values: ModelValues, node: Node, activation: Activation
) -> list[tuple[Node, Activation]]:
    """Fill in an activation; returns those it calls, which are still empty."""
    template, constants = inlining.template(node), inlining.constants[node]
    called: list[tuple[Node, Activation]] = []

    def read(parameters: dict[Var, int]) -> dict[Var, Value]:
        terms = [constants[n] for n in parameters.values()]
        return dict(zip(parameters, values.of(terms, [v.type for v in parameters]), strict=True))

    activation.initial = read(template.initial)
    for block in inlining.paths.blocks(model, node):
        visit = Visit(template.passive.blocks[block].label)
        for k, chosen in template.chosen[block].items():
            visit.values[k] = read({c.var: c.parameter for c in chosen})
        for edge, call in zip(node.edges, template.calls, strict=True):
            if call.block == block and edge.target is not None:
                inner = Activation(call.callee)
                visit.calls[call.statement] = inner
                called.append((edge.target, inner))
        activation.visits.append(visit)
    return called
