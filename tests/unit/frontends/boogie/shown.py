"""Surface syntax as short S-expressions, so that tests can state the shape they expect."""

from __future__ import annotations

from dataclasses import fields

from paddock.frontends.boogie import syntax as s
from paddock.ir.types import BOOL, INT, REAL


def shown(node: object) -> str:
    """Recursive: for the small inputs of tests only."""
    match node:
        case None:
            return "_"
        case bool():
            return "yes" if node else "no"
        case str():
            return repr(node)
        case list():
            return "[" + " ".join(map(shown, node)) + "]"
        case s.Name(_, name):
            return name
        case s.Literal(_, value, type_):
            return str(value).lower() if type_ in (INT, BOOL, REAL) else f"{value}:{type_}"
        case s.Operation(_, op, args):
            return f"({op.value} {' '.join(map(shown, args))})"
        case s.FunctionCall(_, name, args):
            return f"{name}({', '.join(map(shown, args))})"
        case s.Select(_, map_, indices):
            return f"(select {shown(map_)} {shown(indices)})"
        case s.Store(_, map_, indices, value):
            return f"(store {shown(map_)} {shown(indices)} {shown(value)})"
        case s.BvExtract(_, operand, high, low):
            return f"(extract {shown(operand)} {high} {low})"
        case s.FieldAccess(_, operand, field):
            return f"(get {shown(operand)} {field})"
        case s.FieldUpdate(_, operand, field, value):
            return f"(set {shown(operand)} {field} {shown(value)})"
        case s.IsConstructor(_, operand, constructor):
            return f"(is {shown(operand)} {constructor})"
        case s.Coercion(_, operand, type_):
            return f"(as {shown(operand)} {shown(type_)})"
        case s.NamedType(_, name, args):
            return f"({name} {' '.join(map(shown, args))})" if args else name
        case s.MapType(_, params, domain, range_):
            binder = f"<{' '.join(params)}>" if params else ""
            return f"{binder}[{' '.join(map(shown, domain))}]{shown(range_)}"
        case s.AttributeSyntax(_, name, params):
            return "{:" + " ".join([name, *map(shown, params)]) + "}"
        case s.TriggerSyntax(_, terms, positive):
            return ("{" if positive else "{no ") + " ".join(map(shown, terms)) + "}"
        case s.Binding(_, name, type_, where, attributes):
            clause = f" where {shown(where)}" if where is not None else ""
            return "".join(map(shown, attributes)) + (f"{name}: {shown(type_)}" if type_ else name) + clause
        case s.Quantified(_, kind, type_params, variables, attributes, triggers, body):
            head = kind.value + (f"<{' '.join(type_params)}>" if type_params else "")
            return f"({head} {shown(variables)} {shown(attributes)} {shown(triggers)} {shown(body)})"
        case s.LetIn(_, variables, values, attributes, body):
            return f"(let {shown(variables)} {shown(values)} {shown(attributes)} {shown(body)})"
        case _:
            values = [getattr(node, f.name) for f in fields(node) if f.name not in ("pos", "name_pos", "end")]  # type: ignore[arg-type]
            name = type(node).__name__.removesuffix("Syntax")
            return f"({' '.join([name, *(v if isinstance(v, str) else shown(v) for v in values)])})"
