"""The names that a program declares, with their places: for hovering, definitions and the outline of a document."""

from __future__ import annotations

import re
from collections.abc import Iterator

from paddock.frozen import frozen, replace
from paddock.ir.expr import Var
from paddock.ir.origin import Origin
from paddock.ir.printer import procedure_text, type_text
from paddock.ir.program import Function, Procedure, Program, VarDecl

LONGEST_HEAD = 20  # lines

_WORD_OF_C = re.compile(r"[A-Za-z_]\w*")
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
    """The symbols of a program, in the order of the source. Where the program is not Boogie, what is shown is the line
    that declares something, and of a function the globals that it may change."""
    is_boogie = program.language is None or getattr(program.language, "name", "") == "Boogie"
    found = list(_declared(program) if is_boogie else _in_source(program, lines))
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


def _in_source(program: Program, lines: list[str]) -> Iterator[Symbol]:
    """What a program in another language declares, by the words that stand there."""

    def line_at(origin: Origin) -> str:
        return lines[origin.line - 1] if 0 < origin.line <= len(lines) else ""

    def named(declared: VarDecl, kind: str, inside: str = "") -> Iterator[Symbol]:
        line = line_at(declared.origin)
        word = _WORD_OF_C.match(line, declared.origin.column - 1) if declared.origin.column else None
        if word is not None:
            yield Symbol(word[0], kind, declared.origin, line.strip(), inside)

    for declared in program.globals:
        yield from named(declared, "variable")
    own = {g.name for g in program.globals if _WORD_OF_C.fullmatch(g.name)}
    for procedure in program.procedures:
        line = line_at(procedure.origin)
        if not re.search(rf"\b{re.escape(procedure.name)}\b", line):
            continue
        changed = ", ".join(var.name for var in procedure.modifies if var.name in own)
        shown = f"{line.strip()}\n// may change {changed}" if changed else line.strip()
        yield Symbol(procedure.name, "procedure", procedure.origin, shown)
        yield from _parameters(procedure, lines)
        for body in procedure.implementations:
            for local in body.locals:
                yield from named(local, "local", procedure.name)


def _parameters(procedure: Procedure, lines: list[str]) -> Iterator[Symbol]:
    """The parameters of a function, where its head has their names, which may be several lines long."""
    for parameter in procedure.params:
        for number in range(procedure.origin.line, min(procedure.origin.line + LONGEST_HEAD, len(lines) + 1)):
            line = lines[number - 1]
            start = procedure.origin.column - 1 if number == procedure.origin.line else 0
            found = re.compile(rf"\b{re.escape(parameter.name)}\b(?=\s*[,)\[])").search(line, start)
            if found is not None:
                place = Origin(procedure.origin.file, number, found.start() + 1)
                yield Symbol(parameter.name, "local", place, line.strip(), procedure.name)
            if found is not None or "{" in line:
                break


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
    before = [symbol for symbol in local if symbol.origin.line <= line][-1:]  # it hides those before it
    return next(iter([*before, *local, *(symbol for symbol in named if not symbol.inside)]), None)
