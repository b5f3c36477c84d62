"""Parsing of top-level declarations."""

from __future__ import annotations

from collections.abc import Callable

from paddock.frontends.boogie.cursor import Cursor, Failure
from paddock.frontends.boogie.lexer import END, NAMES
from paddock.frontends.boogie.parse_binding import formals, variables
from paddock.frontends.boogie.parse_expr import attributes, expression, read
from paddock.frontends.boogie.parse_stmt import body, is_measure, skip_measure
from paddock.frontends.boogie.parse_type import BASIC, type_, type_parameters
from paddock.frontends.boogie.syntax import (
    AttributeSyntax,
    AxiomSyntax,
    Binding,
    ClauseSyntax,
    ConstructorSyntax,
    ConstSyntax,
    DatatypeSyntax,
    DeclarationSyntax,
    FunctionSyntax,
    GlobalSyntax,
    ImplementationSyntax,
    NamedType,
    ProcedureSyntax,
    TypeDeclSyntax,
    TypeSyntax,
)

_SPECIFICATIONS = frozenset({"requires", "ensures", "modifies", "free"})
_MOVERS = frozenset({"left", "right", "both", "atomic"})
_CIVL_SPECIFICATIONS = frozenset({"refines", "creates", "asserts", "preserves"})


def declarations(c: Cursor) -> list[DeclarationSyntax]:
    """Reads all the declarations of a text; errors go to the cursor."""
    result: list[DeclarationSyntax] = []
    while c.kind != END:
        start, known_errors = c.at, len(c.problems.found)
        try:
            result += _declaration(c)
        except Failure as failure:
            c.report_failure(failure)
            c.at = _next_declaration(c, start)
        else:
            # Errors in a body often come with a brace too many: the rest of the body is not worth a message.
            if len(c.problems.found) > known_errors and not _begins_declaration(c, c.at):
                c.at = _next_declaration(c, c.at)
    return result


def templates(c: Cursor) -> list[DeclarationSyntax]:
    """Reads a text of candidates: clauses, which are one template together, and procedures without a body, each a
    template of its own."""
    name = f"candidates of {c.source.file}"  # no name that a program could use
    clauses = ProcedureSyntax(0, name, [], [], [], [], [], [], None, [])
    result: list[DeclarationSyntax] = [clauses]
    while c.kind != END and not c.is_lost:
        try:
            if c.kind in _SPECIFICATIONS and c.kind != "modifies":
                _specification(c, clauses)
            elif c.kind == "procedure":
                result += _procedure(c)
            else:
                raise c.expected("'requires', 'ensures' or 'procedure'")
        except Failure as failure:
            c.report_failure(failure)
    for template in result:
        assert isinstance(template, ProcedureSyntax)
        template.is_candidate = True
        if template.body is not None:
            c.report(template.pos, "a procedure in a file of candidates cannot have a body")
        if not any(a.name == "template" for a in template.attributes):
            template.attributes.append(AttributeSyntax(template.pos, "template", []))
    return result


def _declaration(c: Cursor) -> list[DeclarationSyntax]:
    kind = c.kind
    read_declaration = _DECLARATIONS.get(kind)
    if read_declaration is not None:
        return read_declaration(c)
    if kind in _MODIFIERS and c.kinds[c.at + 1] in _MODIFIERS[kind]:
        c.at += 1
        result = _DECLARATIONS[c.kind](c)
        for node in result:
            if isinstance(node, ProcedureSyntax):
                node.is_pure = True
        return result
    if _begins_civl(c, c.at):
        raise _no_civl(c)
    raise c.expected("a declaration")


def _next_declaration(c: Cursor, start: int) -> int:
    """Where to go on after a failure, at the cursor, in the declaration that begins at `start`."""
    failed, depth = c.at, 0
    at = start
    while c.kinds[at] != END:
        kind = c.kinds[at]
        if at >= failed and at > start:
            # A declaration cannot stand inside another, whatever the braces say; only axioms can, after `uses`.
            if c.begins_declaration(at) and (depth <= 0 or kind != "axiom"):
                return at
            if depth <= 0 and c.kinds[at - 1] in (";", "}") and _begins_declaration(c, at):
                return at
        if kind in ("{", "{:", "|{"):
            depth += 1
        elif kind == "}":
            depth -= 1
        at += 1
    return at


# --- types, constants, functions, axioms, variables ------------------------------------------------


def _types(c: Cursor) -> list[DeclarationSyntax]:
    """`type {:attribute} finite A a b, B = T;`."""
    c.advance()
    attached = attributes(c)
    if c.kind == "finite" and c.kinds[c.at + 1] in NAMES:
        c.at += 1
    result: list[DeclarationSyntax] = []
    while not result or c.accept(","):
        pos, name = c.pos, c.name("the name of a type")
        params: list[str] = []
        while c.kind in NAMES:
            params.append(c.name("a type parameter"))
        definition = type_(c) if c.accept("=") else None
        result.append(TypeDeclSyntax(pos, name, params, definition, attached))
    c.expect(";", "after the declaration of a type")
    return result


def _datatype(c: Cursor) -> list[DeclarationSyntax]:
    """`datatype D<a> { C(f: a), … }`."""
    c.advance()
    attached = attributes(c)
    pos, name = c.pos, c.name("the name of a datatype")
    type_params = type_parameters(c)
    c.expect("{", f"to begin the constructors of '{name}'")
    constructors: list[ConstructorSyntax] = []
    while not constructors or c.accept(","):
        constructor_pos, constructor = c.pos, c.name("the name of a constructor")
        fields = _formals(c, constructor, "a field of a datatype")
        constructors.append(ConstructorSyntax(constructor_pos, constructor, fields))
    c.expect("}", f"or ',' after a constructor of '{name}'")
    return [DatatypeSyntax(pos, name, type_params, constructors, attached)]


def _constants(c: Cursor) -> list[DeclarationSyntax]:
    """`const {:attribute} unique a, b: T;`."""
    c.advance()
    attached = attributes(c)
    unique = c.accept("unique")
    names = c.names("the name of a constant")
    c.expect(":", f"and a type after '{names[-1].name}'")
    type_of_all = type_(c)
    result: list[DeclarationSyntax] = [ConstSyntax(n.pos, n.name, type_of_all, unique, attached) for n in names]
    if c.kind in ("extends", "complete"):
        raise Failure(c.pos, f"'{c.kind}' on a constant (the partial order '<:') is not supported")
    if c.kind == "uses":
        return result + _uses(c)
    c.expect(";", "after the declaration of a constant")
    return result


def _uses(c: Cursor) -> list[DeclarationSyntax]:
    """`uses { axiom e; … }`: the axioms hold as all axioms do."""
    c.advance()
    c.expect("{", "after 'uses'")
    axioms: list[DeclarationSyntax] = []
    while not c.accept("}"):
        c.accept("hideable")
        if c.kind != "axiom":
            raise c.expected("an axiom or '}'")
        axioms += _axiom(c)
    return axioms


def _axiom(c: Cursor) -> list[DeclarationSyntax]:
    pos = c.advance()
    attached = attributes(c)
    condition = expression(c)
    c.expect(";", "after the axiom")
    return [AxiomSyntax(pos, condition, attached)]


def _function(c: Cursor) -> list[DeclarationSyntax]:
    """`function {:attribute} f<a>(x: a, y: T): U { body }`, or with `returns (r: U)`."""
    c.advance()
    attached = attributes(c)
    pos, name = c.pos, c.name("the name of a function")
    type_params = type_parameters(c)
    params = _function_parameters(c, name)
    if c.accept("returns"):
        c.expect("(", "after 'returns'")
        result = _function_parameter(c).type
        c.expect(")", f"after the result type of '{name}'")
    else:
        c.expect(":", f"or 'returns' after the parameters of '{name}'")
        result = type_(c)
    assert result is not None
    definition = None
    if c.accept("{"):
        definition = expression(c)
        c.expect("}", f"after the body of '{name}'")
    elif c.kind != "uses":
        c.expect(";", f"or a body after the declaration of '{name}'")
    function = FunctionSyntax(pos, name, type_params, params, result, definition, attached)
    return [function, *_uses(c)] if c.kind == "uses" else [function]


def _function_parameters(c: Cursor, function: str) -> list[Binding]:
    """Named or anonymous ones; `(x, y: T)` are two named parameters of type T."""
    c.expect("(", f"after '{function}'")
    params: list[Binding] = []
    if c.kind != ")":
        while not params or c.accept(","):
            params.append(_function_parameter(c))
    c.expect(")", f"or ',' after a parameter of '{function}'")
    if any(p.name for p in params):
        _name_all(c, params)
    return params


def _function_parameter(c: Cursor) -> Binding:
    """`{:attribute} x: T`, or `{:attribute} T` for a parameter with no name."""
    attached = attributes(c)
    pos = c.pos
    if c.kind in NAMES and c.kinds[c.at + 1] == ":":
        name = c.name("a parameter")
        c.at += 1
        return Binding(pos, name, type_(c), None, attached)
    anonymous = Binding(pos, "", type_(c), None, attached)
    if c.kind == ":":
        raise Failure(pos, "expected a name before ':', found a type")
    return anonymous


def _name_all(c: Cursor, params: list[Binding]) -> None:
    """What was read as a type before a named parameter is a name that shares the latter's type."""
    shared: TypeSyntax | None = None
    for param in reversed(params):
        if param.name:
            shared = param.type
            continue
        read_as = param.type
        if shared is None:
            c.report(param.pos, "the last parameter needs a type, as the others have names")
            return
        if not isinstance(read_as, NamedType) or read_as.args or read_as.name in BASIC:
            c.report(param.pos, "expected the name of a parameter, found a type")
            return
        param.name, param.type = read_as.name, shared


def _globals(c: Cursor) -> list[DeclarationSyntax]:
    return [GlobalSyntax(b.pos, b) for b in read(c, variables(c))]


# --- procedures and implementations --------------------------------------------------------------


def _formals(c: Cursor, of: str, no_where_on: str = "") -> list[Binding]:
    """`(x: T, y: U)`."""
    c.expect("(", f"after '{of}'")
    if c.accept(")"):
        return []
    result = read(c, formals(c, no_where_on))
    c.expect(")", f"or ',' after a variable of '{of}'")
    return result


def _results(c: Cursor, no_where_on: str = "") -> list[Binding]:
    return _formals(c, "returns", no_where_on) if c.accept("returns") else []


def _procedure(c: Cursor) -> list[DeclarationSyntax]:
    """`procedure {:attribute} P<a>(x: T) returns (r: U); requires e; …`, or without `;` and with a body."""
    c.advance()
    attached = attributes(c)
    pos, name = c.pos, c.name("the name of a procedure")
    type_params = type_parameters(c)
    params, results = _formals(c, name), _results(c)
    procedure = ProcedureSyntax(pos, name, type_params, params, results, [], [], [], None, attached)
    _specifications(c, procedure)
    if c.accept(";"):
        _specifications(c, procedure)
        if c.kind == "{":
            raise Failure(c.pos, f"'{name}' has a ';' after its signature, so it cannot have a body here")
    else:
        if c.kind != "{":
            raise c.expected(f"';', a specification or a body after the signature of '{name}'")
        procedure.body = body(c, name)
    return [procedure]


def _specifications(c: Cursor, procedure: ProcedureSyntax) -> None:
    while True:
        if c.kind in _SPECIFICATIONS:
            _specification(c, procedure)
        elif is_measure(c):
            skip_measure(c)
        elif c.kind in NAMES and c.texts[c.at] in _CIVL_SPECIFICATIONS:
            raise Failure(c.pos, f"Civl specifications ('{c.texts[c.at]}') are not supported")
        else:
            return


def _specification(c: Cursor, procedure: ProcedureSyntax) -> None:
    pos = c.pos
    free = c.accept("free")
    kind = c.kind
    if kind == "modifies" and not free:
        c.at += 1
        if c.kind != ";":
            procedure.modifies += c.names("a global variable")
        c.expect(";", "after the list of modified variables")
        return
    if kind not in ("requires", "ensures"):
        raise c.expected("'requires' or 'ensures' after 'free'")
    c.at += 1
    if c.kind == "call":
        raise Failure(c.pos, "Civl specifications (yield invariants) are not supported")
    attached = attributes(c)
    clause = ClauseSyntax(pos, expression(c), free, attached)
    c.expect(";", f"after the '{kind}' clause")
    (procedure.requires if kind == "requires" else procedure.ensures).append(clause)


def _implementation(c: Cursor) -> list[DeclarationSyntax]:
    """`implementation {:attribute} P<a>(x: T) returns (r: U) { … }`."""
    c.advance()
    attached: list[AttributeSyntax] = attributes(c)
    pos, name = c.pos, c.name("the name of a procedure")
    type_params = type_parameters(c)
    no_where_on = "the variables of an implementation; it belongs to the procedure"
    params, results = _formals(c, name, no_where_on), _results(c, no_where_on)
    return [ImplementationSyntax(pos, name, type_params, params, results, body(c, name), attached)]


# --- contextual words, and Civl --------------------------------------------------------------------


def _begins_declaration(c: Cursor, at: int) -> bool:
    kind = c.kinds[at]
    return kind in _DECLARATIONS or kind in _MODIFIERS or _begins_civl(c, at)


def _begins_civl(c: Cursor, at: int) -> bool:
    """Whether a declaration of Civl begins here: `yield procedure`, `async left action`, …"""
    words = c.texts[at : at + 4]
    while words and (words[0] in _MOVERS or words[0] in ("pure", "async", "yield")):
        if words[0] == "yield" and words[1:2] in (["procedure"], ["invariant"]):
            return True
        words = words[1:]
    return words[:1] == ["action"]


def _no_civl(c: Cursor) -> Failure:
    pos = c.pos
    start = c.at
    # The failure is put behind the keyword, which would otherwise seem to begin a declaration of its own.
    while c.texts[c.at] not in ("procedure", "invariant", "action"):
        c.at += 1
    c.at += 1
    return Failure(pos, f"Civl declarations ('{' '.join(c.texts[start : c.at])}') are not supported")


_DECLARATIONS: dict[str, Callable[[Cursor], list[DeclarationSyntax]]] = {
    "type": _types,
    "datatype": _datatype,
    "const": _constants,
    "function": _function,
    "axiom": _axiom,
    "var": _globals,
    "procedure": _procedure,
    "implementation": _implementation,
}

# Words that may stand before a declaration; of these, only `pure` changes anything.
_MODIFIERS = {"pure": ("procedure",), "revealed": ("function",), "hideable": ("axiom", "function")}
