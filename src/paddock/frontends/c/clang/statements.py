"""Statements and local declarations of clang's tree as statements of ours, from the leaves up."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from paddock.frontends.c.clang import library as k
from paddock.frontends.c.clang.context import Context
from paddock.frontends.c.clang.places import parts_of_for
from paddock.frontends.c.clang.snapshot import Node
from paddock.frontends.c.clang.variable_arrays import VariableType, written_type
from paddock.frontends.c.conversions import condition, convert, promote
from paddock.frontends.c.initialisers import resolve
from paddock.frontends.c.tree import (
    Block,
    Break,
    Case,
    ComputedGoto,
    Continue,
    Declare,
    Default,
    DoWhile,
    Evaluate,
    Expression,
    For,
    Global,
    Goto,
    If,
    Initialiser,
    Label,
    Return,
    Statement,
    Storage,
    Switch,
    UnsupportedStatement,
    Variable,
    While,
)
from paddock.frontends.c.types import VOID, CType, IntType, decayed
from paddock.ir.origin import NOWHERE, Origin

_FOR = re.compile(rb"\bfor\b")
_ASSEMBLY = re.compile(rb"\b(?:__)?asm(?:__)?\b")
_JUMPING = re.compile(rb"(?:\s|volatile|inline|__)*goto\b")
_EMPTY = re.compile(rb'\s*(?:(?:__)?(?:volatile|inline|goto)(?:__)?\s*)*\(\s*""')


class StatementReader:
    """Makes the statements of a node whose children have theirs."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._switches: list[Node] = []  # around the current node
        self._written: dict[int, tuple[VariableType, list[Node], Node | None]] = {}  # by node
        self._makers: dict[int, Callable[[Node, Origin], list[Statement]]] = {
            k.UNEXPOSED_STMT: lambda node, origin: statements_of(node.children[-1]),  # one with attributes
            k.LABEL_STMT: self._label,
            k.COMPOUND_STMT: self._block,
            k.CASE_STMT: self._case,
            k.DEFAULT_STMT: lambda node, origin: _before(Default(origin), node),
            k.IF_STMT: self._if,
            k.SWITCH_STMT: self._switch,
            k.WHILE_STMT: self._while,
            k.DO_STMT: self._do,
            k.FOR_STMT: self._for,
            k.GOTO_STMT: self._goto,
            k.CONTINUE_STMT: lambda node, origin: [Continue(origin)],
            k.BREAK_STMT: lambda node, origin: [Break(origin)],
            k.RETURN_STMT: self._return,
            k.ASM_STMT: self._assembly,
            k.NULL_STMT: lambda node, origin: [],
            k.DECL_STMT: lambda node, origin: [s for child in node.children for s in child.statements or ()],
            k.VAR_DECL: self._variable,
            k.PARM_DECL: self._lengths,
            k.TYPEDEF_DECL: self._lengths,
            k.INDIRECT_GOTO_STMT: self._computed_goto,
        }

    def enter(self, node: Node) -> None:
        """Declare what the children may refer to, and leave out children that are not evaluated."""
        match node.kind:
            case k.SWITCH_STMT:
                self._switches.append(node)
            case k.VAR_DECL | k.PARM_DECL | k.TYPEDEF_DECL:
                self._declare(node)

    def leave(self, node: Node) -> None:
        """Make what the node means."""
        maker = self._makers.get(node.kind)
        if maker is not None:
            node.statements = maker(node, self._context.origin(node.cursor))
        elif k.FIRST_STMT <= node.kind <= k.LAST_STMT:
            node.statements = [self._unsupported(node, self._context.origin(node.cursor), "statement")]

    def _unsupported(self, node: Node, origin: Origin, construct: str) -> Statement:
        parts = tuple(child.expression for child in node.children if child.expression is not None)
        return UnsupportedStatement(origin, construct, parts)

    # ------------------------------------------------------------------------------------------ declarations

    def _declare(self, node: Node) -> None:
        """Make the variable before its initialiser is read, which may mention it."""
        context, lib, cursor = self._context, self._context.library, node.cursor
        origin = context.origin(cursor)
        name = context.spelling(cursor)
        if node.kind == k.TYPEDEF_DECL:
            type_ = lib.getTypedefDeclUnderlyingType(cursor)
        else:
            type_ = lib.getCursorType(cursor)
        storage = lib.Cursor_getStorageClass(cursor) if node.kind == k.VAR_DECL else 0
        written = written_type(context, type_, name, origin)
        initialised = node.kind == k.VAR_DECL and not lib.Cursor_isNull(lib.Cursor_getVarDeclInitializer(cursor))
        initialiser = node.children[-1] if initialised else None
        lengths = written.length_nodes(node.children[:-1] if initialised else node.children)
        self._written[id(node)] = written, lengths, initialiser
        context.attributes.of(cursor, [child.cursor for child in node.children])
        node.children = lengths + ([initialiser] if initialiser else [])
        if node.kind == k.TYPEDEF_DECL or not context.function_name or storage == k.STORAGE_EXTERN:
            return
        parameter = node.kind == k.PARM_DECL
        is_array = parameter and decayed(written.type) is not written.type
        made = Variable(
            name,
            name if storage == k.STORAGE_STATIC else context.local_name(name or "unnamed"),
            decayed(written.type) if parameter else written.type,
            Storage.PARAMETER if parameter else Storage.LOCAL,
            origin,
            *((False, False) if is_array else context.types.qualifiers(type_)),
        )
        if storage == k.STORAGE_STATIC:
            context.declared.static_local(cursor, made)
        else:
            context.declared.declare_local(cursor, made)

    def _lengths(self, node: Node, origin: Origin) -> list[Statement]:
        written, lengths, _ = self._written.pop(id(node))
        return written.declarations(lengths, origin)

    def _variable(self, node: Node, origin: Origin) -> list[Statement]:
        written, lengths, content = self._written.pop(id(node))
        before = written.declarations(lengths, origin)
        if self._context.library.Cursor_getStorageClass(node.cursor) == k.STORAGE_EXTERN:
            return before
        variable = self._context.declared.variable(node.cursor, origin).variable
        initialiser = self._initialiser(variable, content)
        if variable.storage is not Storage.LOCAL:
            self._context.declared.globals[variable.unique] = Global(variable, initialiser)
            return before
        return [*before, Declare(origin, variable, initialiser)]

    def _initialiser(self, variable: Variable, node: Node | None) -> Initialiser | None:
        content = None if node is None else node.braces or node.expression
        return None if content is None else resolve(variable.type, content, self._context.types.layout)

    # -------------------------------------------------------------------------------------------- statements

    def _block(self, node: Node, origin: Origin) -> list[Statement]:
        inside = tuple(s for child in node.children for s in statements_of(child))
        return [Block(origin, inside, self._context.places.end(node.cursor))]

    def _label(self, node: Node, origin: Origin) -> list[Statement]:
        name = self._context.spelling(node.cursor)
        if name.startswith("__CPROVER_") and name != "__CPROVER_HIDE":  # __CPROVER_ASYNC_1: what follows is a thread
            self._context.problem(f"the label {name} is not supported", node.cursor)
        return _before(Label(origin, self._context.labels.name(node.cursor, name), name), node)

    def _case(self, node: Node, origin: Origin) -> list[Statement]:
        bounds = node.children[:-1]
        chosen = self._switches[-1].children[0].expression if self._switches else None
        values = [self._context.integer(bound.cursor) for bound in bounds]
        if chosen is None or None in values:
            return [self._unsupported(node, origin, "case label")]
        type_ = promote(chosen).type
        low, *rest = (_wrapped(v, type_) for v in values if v is not None)
        return _before(Case(origin, low, rest[0] if rest else low), node)

    def _if(self, node: Node, origin: Origin) -> list[Statement]:
        question, then, *otherwise = node.children
        return [If(origin, _question(question), _single(then), _single(otherwise[0]) if otherwise else None)]

    def _switch(self, node: Node, origin: Origin) -> list[Statement]:
        self._switches.pop()
        chosen, body = node.children
        return [Switch(origin, promote(_expression(chosen)), _single(body))]

    def _while(self, node: Node, origin: Origin) -> list[Statement]:
        question, body = node.children
        return [While(origin, _question(question), _single(body))]

    def _do(self, node: Node, origin: Origin) -> list[Statement]:
        body, question = node.children
        return [DoWhile(origin, _single(body), _question(question))]

    def _for(self, node: Node, origin: Origin) -> list[Statement]:
        *shown, body = node.children
        present = self._parts_of_for(node, len(shown))
        if sum(present) != len(shown):
            return [self._unsupported(node, origin, "for loop without some of its parts, made by a macro")]
        parts = iter(shown)
        first, question, step = [next(parts) if there else None for there in present]
        return [
            For(
                origin,
                tuple(statements_of(first)) if first else (),
                _question(question) if question else None,
                _expression(step) if step else None,
                _single(body),
            )
        ]

    def _parts_of_for(self, node: Node, shown: int) -> Sequence[bool]:
        """Which of the three parts in the head of a loop are there."""
        if shown in (0, 3):
            return (shown == 3,) * 3
        written = self._context.spelling_of.find(node.cursor, _FOR)
        return parts_of_for(written.string, written.start()) if written else ()

    def _goto(self, node: Node, origin: Origin) -> list[Statement]:
        return [Goto(origin, self._context.label_at(node.children[0].cursor))]

    def _computed_goto(self, node: Node, origin: Origin) -> list[Statement]:
        return [ComputedGoto(origin, promote(_expression(node.children[0])), self._context.labels.taken)]

    def _return(self, node: Node, origin: Origin) -> list[Statement]:
        if not node.children:
            return [Return(origin, None)]
        result = _expression(node.children[0])
        if self._context.result is VOID:
            return [Evaluate(origin, result), Return(origin, None)]
        return [Return(origin, convert(result, self._context.result))]

    def _assembly(self, node: Node, origin: Origin) -> list[Statement]:
        written = self._context.spelling_of.find(node.cursor, _ASSEMBLY)
        if not node.children and written and _EMPTY.match(written.string, written.end()):
            return []  # a barrier for the compiler
        jumps = written and _JUMPING.match(written.string, written.end())
        return [self._unsupported(node, origin, "inline assembly with goto" if jumps else "inline assembly")]


def statements_of(node: Node) -> list[Statement]:
    """The statements that a node stands for; an expression is evaluated."""
    if node.statements is not None:
        return node.statements
    return [] if node.expression is None else [Evaluate(node.expression.origin, node.expression)]


def _before(label: Statement, node: Node) -> list[Statement]:
    """A label, then what it labels."""
    labelled = statements_of(node.children[-1])
    labelled.insert(0, label)  # the list is not used otherwise; there may be thousands of labels in a row
    return labelled


def _single(node: Node) -> Statement:
    """The statements that a node stands for, as one."""
    statements = statements_of(node)
    if len(statements) == 1:
        return statements[0]
    return Block(statements[0].origin if statements else NOWHERE, tuple(statements))


def _expression(node: Node) -> Expression:
    assert node.expression is not None
    return node.expression


def _question(node: Node) -> Expression:
    return condition(_expression(node))


def _wrapped(number: int, type: CType) -> int:
    """A number as one of a promoted integer type."""
    assert isinstance(type, IntType)
    number &= (1 << type.width) - 1
    return number - (1 << type.width) if type.signed and number >> (type.width - 1) else number
