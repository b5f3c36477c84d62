"""Reading C in tests, and a short notation for what comes out.

A name is a place, `[x]` what is in it, `a&` a pointer to the first element of `a`, `(T: e)` an implicit conversion to
`T`, and `(T) e` one that is written. A condition is `e?`.
"""

from __future__ import annotations

from paddock.frontends.c import tree as t
from paddock.frontends.c.clang.parse import parse
from paddock.frontends.c.flags import Flags
from paddock.frontends.c.types import LP64, DataModel
from paddock.frontends.c.walk import children
from paddock.ir.origin import InputError

Kind = t.ConversionKind


def read(*texts: str, model: DataModel = LP64, **flags: object) -> t.Unit:
    """The program that texts make, each a file: `1.c`, `2.c`, …"""
    files = [(f"{number}.c", text) for number, text in enumerate(texts, 1)]
    return parse(files, Flags(model, **flags))  # type: ignore[arg-type]


def error(*texts: str, **flags: object) -> str:
    """What is said about a program that is wrong."""
    try:
        read(*texts, **flags)  # type: ignore[arg-type]
    except InputError as problem:
        return str(problem)
    raise AssertionError("nothing is wrong")


def body(text: str, name: str = "f", model: DataModel = LP64) -> tuple[t.Statement, ...]:
    """The statements of a function of a program."""
    function = read(text, model=model).function(name)
    assert function is not None and function.body is not None
    return function.body.statements


def expression(text: str, declarations: str = "", model: DataModel = LP64) -> t.Expression:
    """An expression, after declarations."""
    last = body(f"{declarations}\nvoid f(void) {{ {text}; }}", model=model)[-1]
    assert isinstance(last, t.Evaluate)
    return last.expression


def sketched(text: str, declarations: str = "", model: DataModel = LP64) -> str:
    """An expression, after declarations, in the short notation."""
    return sketch(expression(text, declarations, model))


def sketch(node: t.Expression | t.Initialiser) -> str:
    match node:
        case t.Initialiser():
            items = ", ".join(f"{_path(item)}{sketch(item.value)}" for item in node.items)
            return items if node.complete else f"{{{items}}}"
        case t.IntegerConstant():
            return str(node.value)
        case t.LabelAddress():
            return f"&&{node.label}"
        case t.FloatConstant():
            return str(float(node.value))
        case t.StringLiteral():
            return repr(bytes(node.units))[1:] if max(node.units) < 256 else str(node.units)
        case t.VariableUse():
            return node.variable.unique
        case t.FunctionUse():
            return node.name
        case t.OldValue():
            return "old"
        case t.Conversion():
            return _conversion(node)
        case t.AddressOf():
            return f"&{sketch(node.place)}"
        case t.Dereference():
            return f"*{sketch(node.pointer)}"
        case t.Index():
            return f"{sketch(node.pointer)}[{sketch(node.index)}]"
        case t.Member():
            return f"{sketch(node.record)}.{node.field.name}"
        case t.Unary():
            return f"{node.operator.value}{sketch(node.operand)}"
        case t.Binary():
            return f"({sketch(node.left)} {node.operator.value} {sketch(node.right)})"
        case t.PointerOffset():
            return f"({sketch(node.pointer)} {'-' if node.backwards else '+'}> {sketch(node.index)})"
        case t.PointerDifference():
            return f"({sketch(node.left)} -> {sketch(node.right)})"
        case t.Logical():
            return f"({sketch(node.left)} {'&&' if node.conjunction else '||'} {sketch(node.right)})"
        case t.Conditional():
            return f"({sketch(node.condition)} {sketch(node.then)} : {sketch(node.otherwise)})"
        case t.Comma():
            return f"({sketch(node.first)}, {sketch(node.second)})"
        case t.Assignment():
            return f"{sketch(node.target)} = {sketch(node.value)}"
        case t.Update():
            return f"{sketch(node.target)} := {sketch(node.value)}{' was old' * node.yields_old}"
        case t.Call():
            return f"{sketch(node.function)}({', '.join(map(sketch, node.arguments))})"
        case t.VariadicArgument():
            return f"va_arg({sketch(node.list)}, {node.type})"
        case t.CompoundLiteral():
            return f"{node.variable.unique}{sketch(node.initialiser)}"
        case t.StatementExpression():
            inside = " ".join(map(sketch_statement, node.statements))
            return f"({{{inside} {sketch(node.value) if node.value else ''}}})"
        case t.UnsupportedExpression():
            return f"<{node.construct}>"
    raise TypeError(node)


def _conversion(node: t.Conversion) -> str:
    match node:
        case t.Conversion(kind=Kind.LOAD):
            return f"[{sketch(node.operand)}]"
        case t.Conversion(kind=Kind.DECAY):
            return f"{sketch(node.operand)}&"
        case t.Conversion(kind=Kind.BOOLEAN, written=False):
            return f"{sketch(node.operand)}?"
        case _:
            return f"({node.type}{') ' if node.written else ': '}{sketch(node.operand)}{')' * (not node.written)}"


def _path(item: t.InitialiserItem) -> str:
    steps = "".join(f"[{step}]" if isinstance(step, int) else f".{step.name}" for step in item.path)
    return f"{steps} = " if steps else ""


def sketch_statement(node: t.Statement) -> str:
    match node:
        case t.Declare():
            start = f" = {sketch(node.initialiser)}" if node.initialiser else ""
            return f"{node.variable.type} {node.variable.unique}{start};"
        case t.Evaluate():
            return f"{sketch(node.expression)};"
        case t.Case():
            return f"case {node.low}:" if node.low == node.high else f"case {node.low} ... {node.high}:"
        case t.Label():
            return f"{node.name}:"
        case t.ComputedGoto(target=target):
            return f"goto *{sketch(target)};"
        case t.Goto():
            return f"goto {node.label};"
        case t.Block():
            return f"{{ {' '.join(map(sketch_statement, node.statements))} }}"
        case t.For():
            first = " ".join(map(sketch_statement, node.first))
            middle = f"{sketch(node.condition) if node.condition else ''}; {sketch(node.step) if node.step else ''}"
            return f"For {first}; {middle}: {sketch_statement(node.body)}"
        case t.UnsupportedStatement():
            return f"<{node.construct}>;"
    parts = [sketch(p) if isinstance(p, t.Expression) else sketch_statement(p) for p in children(node)]
    return f"{' '.join([type(node).__name__, *parts])};"
