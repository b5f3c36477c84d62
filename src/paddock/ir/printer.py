"""Prints programs as Boogie: any Boogie tool reads the text, and our parser reads it back to the same program.

Parentheses are printed only where Boogie's precedences need them. Text is made of pieces, which are strings
and expressions yet to be written; one loop with an explicit stack turns them into strings, so an expression
may be as deep as memory allows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from paddock.ir.expr import (
    App,
    Attribute,
    Attributes,
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
    SetField,
    Var,
)
from paddock.ir.lexical import literal_text, quoted
from paddock.ir.program import (
    Axiom,
    Clause,
    Constant,
    Datatype,
    Function,
    Implementation,
    Procedure,
    Program,
    TypeDecl,
    VarDecl,
)
from paddock.ir.statement_ids import with_distinct_ids
from paddock.ir.stmt import Assert, Assign, Assume, Block, Call, Goto, Havoc, ParCall, Statement, Transfer, Yield
from paddock.ir.types import Basic, Bv, Float, Map, Named, Type, TypeVar

# An expression, alone or with the kinds of expression that may stand in its place without parentheses.
Piece = str | Expr | tuple[Expr, int]

# --- precedence ----------------------------------------------------------------------------------

# The kinds of expression, one bit each, from loosest to tightest.
_IFF, _IMPLIES, _AND, _OR, _RELATION, _CONCAT, _SUM, _PRODUCT, _POWER, _IS, _NOT, _NEG, _FLOAT, _ATOM = (
    1 << n for n in range(14)
)
_ANY = (1 << 14) - 1


def _above(kind: int) -> int:
    """All kinds that bind tighter than this one."""
    return _ANY & ~((kind << 1) - 1)


# How an infix operator is written: its text, its kind, what may stand bare on its left and on its right.
_Infix = tuple[str, int, int, int]


def _left(op: Op, kind: int, tighter: int | None = None) -> _Infix:
    right = _above(kind) if tighter is None else tighter
    return f" {op.value} ", kind, kind | right, right


_LOGICAL_OPERAND = _above(_OR)
_COMPARED = _above(_RELATION)

_INFIX: dict[object, _Infix] = {
    Op.IFF: _left(Op.IFF, _IFF),
    Op.IMPLIES: (" ==> ", _IMPLIES, _above(_IMPLIES), _IMPLIES | _above(_IMPLIES)),
    Op.AND: _left(Op.AND, _AND, _LOGICAL_OPERAND),  # Boogie refuses && and || side by side
    Op.OR: _left(Op.OR, _OR, _LOGICAL_OPERAND),
    **{op: (f" {op.value} ", _RELATION, _COMPARED, _COMPARED) for op in (Op.EQ, Op.NE, Op.LT, Op.LE, Op.GT, Op.GE)},
    Op.CONCAT: _left(Op.CONCAT, _CONCAT),
    Op.ADD: _left(Op.ADD, _SUM),
    Op.SUB: _left(Op.SUB, _SUM),
    Op.MUL: _left(Op.MUL, _PRODUCT),
    Op.DIV: _left(Op.DIV, _PRODUCT),
    Op.MOD: _left(Op.MOD, _PRODUCT),
    Op.RDIV: _left(Op.RDIV, _PRODUCT),
    # Boogie reads -x ** y as (-x) ** y, people do not: the base is always put in parentheses.
    Op.POW: (" ** ", _POWER, _FLOAT | _ATOM, _POWER | _NEG | _FLOAT | _ATOM),
}

# Tools disagree on whether `is` binds tighter than the unary operators, so the two never meet bare.
_TESTED = _FLOAT | _ATOM
_NEGATED = _ATOM  # `-` must not fuse with another `-` or with a float literal
_INVERTED = _NOT | _FLOAT | _ATOM
_POSTFIXED = _FLOAT | _ATOM

# --- expressions ---------------------------------------------------------------------------------


def _separated(pieces: Iterable[Piece], separator: str = ", ") -> list[Piece]:
    result: list[Piece] = []
    for piece in pieces:
        if result:
            result.append(separator)
        result.append(piece)
    return result


def _attribute(attribute: Attribute) -> list[Piece]:
    if not attribute.params:
        return [f"{{:{quoted(attribute.name)}}}"]
    params = _separated(p if isinstance(p, Expr) else f'"{p}"' for p in attribute.params)
    return [f"{{:{quoted(attribute.name)} ", *params, "}"]


def _attributes(attributes: Attributes) -> list[Piece]:
    """The attributes, each with a space behind it."""
    return [piece for attribute in attributes for piece in (*_attribute(attribute), " ")]


def _binder(binder: Binder) -> list[Piece]:
    result: list[Piece] = [f"({binder.kind.value} "]
    for n, var in enumerate(binder.vars):
        if n:
            result.append(", ")
        if n < len(binder.var_attributes):  # there is one for each in a valid program; messages show others too
            result += _attributes(binder.var_attributes[n])
        result.append(f"{quoted(var.name)}: {type_text(var.type)}")
    result.append(" :: ")
    result += _attributes(binder.attributes)
    for trigger in binder.triggers:
        result.append("{ " if trigger.positive else "{:nopats ")
        result += _separated(trigger.terms)
        result.append(" } " if trigger.positive else "} ")
    result += [binder.body, ")"]
    return result


def _let(let: Let) -> list[Piece]:
    names = ", ".join(quoted(v.name) for v in let.vars)
    return [f"(var {names} := ", *_separated(let.values), "; ", *_attributes(let.attributes), let.body, ")"]


def _application(app: App) -> tuple[int, list[Piece]]:
    """The kind and the pieces of an application that is not infix."""
    match app.op, app.args:
        case Op.NOT, (operand,):
            return _NOT, ["!", (operand, _INVERTED)]
        case Op.NEG, (operand,):
            return _NEG, ["-", (operand, _NEGATED)]
        case Op.ITE, (condition, then, otherwise):
            return _ATOM, ["(if ", condition, " then ", then, " else ", otherwise, ")"]
        case Op.SELECT, (map_, *indices):
            return _ATOM, [(map_, _POSTFIXED), "[", *_separated(indices), "]"]
        case Op.STORE, (map_, *indices, value):
            return _ATOM, [(map_, _POSTFIXED), "[", *_separated(indices), " := ", value, "]"]
        case Extract(high, low), (operand,):
            return _ATOM, [(operand, _POSTFIXED), f"[{high}:{low}]"]
        case Fn(name) | Construct(name), args:
            return _ATOM, [f"{quoted(name)}(", *_separated(args), ")"]
        case Is(name), (operand,):
            return _IS, [(operand, _TESTED), f" is {quoted(name)}"]
        case GetField(name), (operand,):
            return _ATOM, [(operand, _POSTFIXED), f"->{quoted(name)}"]
        case SetField(name), (operand, value):
            return _ATOM, [(operand, _POSTFIXED), f"->({quoted(name)} := ", value, ")"]
        case op, args:
            # `old`, `int` and `real`; also what has too few arguments, so that messages can show it.
            name = op.value if isinstance(op, Op) else type(op).__name__
            return _ATOM, [f"{name}(", *_separated(args), ")"]


def _literal(literal: Lit) -> tuple[int, str]:
    text = literal_text(literal)
    if not isinstance(literal.type, Float):
        return _ATOM, text
    return (_NEG if text[0] == "-" else _FLOAT), text


def _strings(pieces: Sequence[Piece]) -> Iterator[str]:
    """The text of the pieces, bit by bit."""
    stack: list[Piece] = list(reversed(pieces))
    while stack:
        piece = stack.pop()
        if isinstance(piece, str):
            yield piece
            continue
        expr, bare = piece if isinstance(piece, tuple) else (piece, _ANY)
        if isinstance(expr, Var):
            yield quoted(expr.name)
            continue
        inner: list[Piece]
        if isinstance(expr, App):
            infix = _INFIX.get(expr.op)
            if infix is not None and len(expr.args) == 2:
                text, kind, left, right = infix
                first, second = expr.args
                inner = [(first, left), text, (second, right)]
            else:
                kind, inner = _application(expr)
        elif isinstance(expr, Lit):
            kind, text = _literal(expr)
            inner = [text]
        elif isinstance(expr, Binder):
            kind, inner = _ATOM, _binder(expr)
        else:
            assert isinstance(expr, Let)
            kind, inner = _ATOM, _let(expr)
        if not kind & bare:
            stack.append(")")
            yield "("
        inner.reverse()
        stack += inner


def _text(pieces: Sequence[Piece]) -> str:
    return "".join(_strings(pieces))


def expr_text(expr: Expr) -> str:
    return _text([expr])


def short_text(expr: Expr, length: int = 100) -> str:
    """The start of the text. Unlike the whole of it, it is quickly made of an expression with much sharing."""
    text = "".join(islice(_strings([expr]), length + 1))
    return text if len(text) <= length else text[:length] + "…"


# --- types ---------------------------------------------------------------------------------------


def type_text(type_: Type) -> str:
    if isinstance(type_, Basic):
        return type_.name
    out: list[str] = []
    stack: list[str | Type] = [type_]
    while stack:
        match stack.pop():
            case str(text):
                out.append(text)
            case Basic(name):
                out.append(name)
            case TypeVar(name) | Named(name, ()):
                out.append(quoted(name))
            case Bv(width):
                out.append(f"bv{width}")
            case Float(significand, exponent):
                out.append(f"float{significand}e{exponent}")
            case Map(domain, range_):
                stack += [range_, "]"]
                for n, part in enumerate(reversed(domain)):
                    stack += [",", part] if n else [part]
                out.append("[")
            case Named(name, args):
                for arg in reversed(args):
                    compound = isinstance(arg, Map) or (isinstance(arg, Named) and arg.args)
                    stack += [")", arg, " ("] if compound else [arg, " "]
                out.append(quoted(name))
    return "".join(out)


# --- statements ----------------------------------------------------------------------------------


def _names(vars_: Iterable[Var]) -> str:
    return ", ".join(quoted(v.name) for v in vars_)


def _call(call: Call) -> list[Piece]:
    results = f"{_names(call.results)} := " if call.results else ""
    return [*_attributes(call.attributes), f"{results}{quoted(call.procedure)}(", *_separated(call.args), ")"]


def _statement(statement: Statement | Transfer) -> list[Piece]:
    match statement:
        case Assume(condition, attributes):
            return ["assume ", *_attributes(attributes), condition, ";"]
        case Assert(condition, attributes):
            return ["assert ", *_attributes(attributes), condition, ";"]
        case Assign(targets, values, attributes):
            return [f"{_names(targets)} := ", *_attributes(attributes), *_separated(values), ";"]
        case Havoc(targets):
            return [f"havoc {_names(targets)};"]
        case Call():
            start = f"{'async ' if statement.asynchronous else ''}{'free ' if statement.free else ''}call "
            return [start, *_call(statement), ";"]
        case ParCall(calls):
            result: list[Piece] = []
            for call in calls:
                result += [" | " if result else "par ", *_call(call)]
            return [*result, ";"]
        case Goto(labels, attributes):
            return ["goto ", *_attributes(attributes), f"{', '.join(map(quoted, labels))};"]
        case _:
            keyword = "yield" if isinstance(statement, Yield) else "return"
            return [keyword, *(piece for a in statement.attributes for piece in (" ", *_attribute(a))), ";"]


def statement_text(statement: Statement | Transfer) -> str:
    """One statement or transfer with its semicolon, not indented."""
    return _text(_statement(statement))


def _block(block: Block, out: list[str]) -> None:
    out.append(f"  {quoted(block.label)}:\n")
    for statement in block.statements:
        out.append("    ")
        out += _strings(_statement(statement))
        out.append("\n")
    out.append("    ")
    out += _strings(_statement(block.transfer))
    out.append("\n")


# --- declarations --------------------------------------------------------------------------------


def _variable(declaration: VarDecl) -> list[Piece]:
    """`{:attr} name: type where condition`, as in every declaration of a variable; no name for an anonymous one."""
    name = f"{quoted(declaration.name)}: " if declaration.name else ""
    where: list[Piece] = [" where ", declaration.where] if declaration.where is not None else []
    return [*_attributes(declaration.attributes), f"{name}{type_text(declaration.var.type)}", *where]


def _variables(declarations: Sequence[VarDecl]) -> list[Piece]:
    result: list[Piece] = []
    for declaration in declarations:
        if result:
            result.append(", ")
        result += _variable(declaration)
    return result


def _type_declaration(declaration: TypeDecl) -> list[Piece]:
    words = " ".join(map(quoted, (declaration.name, *declaration.params)))
    definition = f" = {type_text(declaration.definition)}" if declaration.definition is not None else ""
    return ["type ", *_attributes(declaration.attributes), f"{words}{definition};"]


def _datatype(datatype: Datatype) -> list[Piece]:
    result: list[Piece] = ["datatype ", *_attributes(datatype.attributes), f"{quoted(datatype.name)} {{"]
    for n, constructor in enumerate(datatype.constructors):
        result += [",\n  " if n else "\n  ", f"{quoted(constructor.name)}(", *_variables(constructor.fields), ")"]
    return [*result, "\n}"]


def _constant(constant: Constant) -> list[Piece]:
    unique = "unique " if constant.unique else ""
    var = constant.var
    return ["const ", *_attributes(constant.attributes), f"{unique}{quoted(var.name)}: {type_text(var.type)};"]


def _function(function: Function) -> list[Piece]:
    head = ["function ", *_attributes(function.attributes), f"{quoted(function.name)}("]
    result = [*head, *_variables(function.params), f"): {type_text(function.result)}"]
    return [*result, ";"] if function.body is None else [*result, "\n{\n  ", function.body, "\n}"]


def _axiom(axiom: Axiom) -> list[Piece]:
    return ["axiom ", *_attributes(axiom.attributes), axiom.condition, ";"]


def _global(declaration: VarDecl) -> list[Piece]:
    return ["var ", *_variable(declaration), ";"]


def _clause(kind: str, clause: Clause) -> list[Piece]:
    start = f"\n  {'free ' if clause.free else ''}{kind} "
    return [start, *_attributes(clause.attributes), clause.condition, ";"]


def _signature(
    keyword: str, attributes: Attributes, name: str, params: list[Piece], results: list[Piece]
) -> list[Piece]:
    returns = [" returns (", *results, ")"] if results else []
    return [f"{keyword} ", *_attributes(attributes), f"{quoted(name)}(", *params, ")", *returns]


def _contract(procedure: Procedure) -> list[Piece]:
    params, results = _variables(procedure.params), _variables(procedure.results)
    result = [*_signature("procedure", procedure.attributes, procedure.name, params, results), ";"]
    for clause in procedure.requires:
        result += _clause("requires", clause)
    if procedure.modifies:
        result.append(f"\n  modifies {_names(procedure.modifies)};")
    for clause in procedure.ensures:
        result += _clause("ensures", clause)
    return [*result, "\n"]


def _implementation(procedure: Procedure, implementation: Implementation, out: list[str]) -> None:
    # Attributes and `where` of the formals stand at the procedure; Boogie refuses `where` here.
    params, results = (
        _separated(f"{quoted(v.name)}: {type_text(v.var.type)}" for v in formals)
        for formals in (procedure.params, procedure.results)
    )
    out += _strings(_signature("implementation", implementation.attributes, procedure.name, params, results))
    out.append("\n{\n")
    for local in implementation.locals:
        out += _strings(["  var ", *_variable(local), ";\n"])
    for n, block in enumerate(implementation.blocks):
        if n or implementation.locals:
            out.append("\n")
        _block(block, out)
    out.append("}\n")


def _procedure(procedure: Procedure, out: list[str]) -> None:
    out += _strings(_contract(procedure))
    for implementation in procedure.implementations:
        out.append("\n")
        _implementation(procedure, implementation, out)


def procedure_text(procedure: Procedure) -> str:
    """A procedure's declaration with its contract, and then its implementations."""
    out: list[str] = []
    _procedure(procedure, out)
    return "".join(out)


def program_text(program: Program) -> str:
    """The program: types, datatypes, constants, functions, axioms, globals and procedures, in this order."""
    program = with_distinct_ids(program)
    out: list[str] = []
    groups: list[list[list[Piece]]] = [
        [_type_declaration(d) for d in program.types],
        [_datatype(d) for d in program.datatypes],
        [_constant(d) for d in program.constants],
        [_function(d) for d in program.functions],
        [_axiom(d) for d in program.axioms],
        [_global(d) for d in program.globals],
    ]
    for group in groups:
        if group and out:
            out.append("\n")
        for pieces in group:
            out += _strings(pieces)
            out.append("\n")
    for procedure in program.procedures:
        if out:
            out.append("\n")
        _procedure(procedure, out)
    return "".join(out)
