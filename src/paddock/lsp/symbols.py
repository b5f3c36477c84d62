"""The names that a program declares, with their places: for hovering, definitions and the outline of a document."""

from __future__ import annotations

import re
from collections.abc import Iterator

from paddock.frozen import frozen, replace
from paddock.ir.expr import Var
from paddock.ir.origin import Origin
from paddock.ir.printer import procedure_text, type_text
from paddock.ir.program import Function, Program, VarDecl

_WORD = re.compile(r"[A-Za-z_'~#$^.?`][\w'~#$^.?`]*")


@frozen
class Symbol:
    """A name that is declared: what it is, where, what a hover shows, and in which procedure it is known, if not in
    all."""

    name: str
    kind: str  # procedure, function, variable, constant, type, or local
    origin: Origin
    shown: str
    inside: str = ""


def symbols_of(program: Program, lines: list[str]) -> list[Symbol]:
    """The symbols of a program, in the order of the source. Where the program is not Boogie, what is shown of a
    function is the line that declares it."""
    is_boogie = program.language is None or getattr(program.language, "name", "") == "Boogie"
    found = list(_declared(program) if is_boogie else _functions(program, lines))
    return sorted((s for s in found if s.origin.line), key=lambda s: (s.origin.line, s.origin.column))


def _declared(program: Program) -> Iterator[Symbol]:
    for type_ in program.types:
        yield Symbol(type_.name, "type", type_.origin, f"type {type_.name};")
    for datatype in program.datatypes:
        yield Symbol(datatype.name, "type", datatype.origin, f"datatype {datatype.name};")
    for constant in program.constants:
        unique = "unique " if constant.unique else ""
        yield Symbol(constant.name, "constant", constant.origin, f"const {unique}{_typed(constant.var)};")
    for function in program.functions:
        yield Symbol(function.name, "function", function.origin, _signature(function))
    for declared in program.globals:
        yield Symbol(declared.name, "variable", declared.origin, f"var {_typed(declared.var)};")
    for procedure in program.procedures:
        head = procedure_text(replace(procedure, implementations=())).rstrip()
        yield Symbol(procedure.name, "procedure", procedure.origin, head)
        owned = (*procedure.params, *procedure.results, *(v for i in procedure.implementations for v in i.locals))
        for local in owned:
            yield Symbol(local.name, "local", local.origin, f"var {_typed(local.var)};", procedure.name)


def _functions(program: Program, lines: list[str]) -> Iterator[Symbol]:
    """The functions of a program in another language, with the lines that declare them."""
    for procedure in program.procedures:
        line = procedure.origin.line
        if 0 < line <= len(lines) and re.search(rf"\b{re.escape(procedure.name)}\b", lines[line - 1]):
            yield Symbol(procedure.name, "procedure", procedure.origin, lines[line - 1].strip())


def _typed(var: Var) -> str:
    return f"{var.name}: {type_text(var.type)}"


def _signature(function: Function) -> str:
    def param(declared: VarDecl) -> str:
        text = type_text(declared.var.type)
        return f"{declared.name}: {text}" if declared.name else text

    return f"function {function.name}({', '.join(map(param, function.params))}): {type_text(function.result)};"


def word_at(line: str, character: int) -> str:
    """The name that a character of a line is in."""
    return next((m[0] for m in _WORD.finditer(line) if m.start() <= character <= m.end()), "")


def symbol_at(symbols: list[Symbol], word: str, line: int) -> Symbol | None:
    """What a word means on a line (counted from 1): a local name of the procedure around it, else one of all."""
    around = ""
    for symbol in symbols:
        if symbol.kind == "procedure" and symbol.origin.line <= line:
            around = symbol.name
    named = [symbol for symbol in symbols if symbol.name == word]
    local = [symbol for symbol in named if symbol.inside == around and symbol.inside]
    return next(iter([*local, *(symbol for symbol in named if not symbol.inside)]), None)
