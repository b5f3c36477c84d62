"""Parsing of procedure bodies, with an explicit stack of the blocks that are still open.

After an error the parser skips to where the next statement seems to begin, so that one run finds several.
"""

from __future__ import annotations

from collections.abc import Callable

from paddock.frontends.boogie.cursor import Cursor, Failure
from paddock.frontends.boogie.lexer import END, IDENTIFIER, NAMES
from paddock.frontends.boogie.parse_binding import variables
from paddock.frontends.boogie.parse_expr import attributes, expression, read
from paddock.frontends.boogie.syntax import (
    AssertSyntax,
    AssignSyntax,
    AssignTarget,
    AssumeSyntax,
    AttributeSyntax,
    Binding,
    BodySyntax,
    BreakSyntax,
    CallSyntax,
    ExprSyntax,
    GotoSyntax,
    HavocSyntax,
    IfSyntax,
    InvariantSyntax,
    LabelSyntax,
    Name,
    ParSyntax,
    ReturnSyntax,
    StatementSyntax,
    UnpackSyntax,
    WhileSyntax,
    YieldSyntax,
)

_OPENING_BRACES = frozenset({"{", "{:", "|{"})
_AFTER_TARGET = frozenset({":", ":=", "[", ",", "->", "("})

# --- statements with no statements inside --------------------------------------------------------


def _assert(c: Cursor) -> StatementSyntax:
    pos = c.advance()
    attached = attributes(c)
    condition = expression(c)
    c.expect(";", "after the assertion")
    return AssertSyntax(pos, condition, attached)


def _assume(c: Cursor) -> StatementSyntax:
    pos = c.advance()
    attached = attributes(c)
    condition = expression(c)
    c.expect(";", "after the assumption")
    return AssumeSyntax(pos, condition, attached)


def _havoc(c: Cursor) -> StatementSyntax:
    pos = c.advance()
    targets = c.names("a variable")
    c.expect(";", "after 'havoc'")
    return HavocSyntax(pos, targets)


def _goto(c: Cursor) -> StatementSyntax:
    pos = c.advance()
    attached = attributes(c)
    targets = c.names("a label")
    c.expect(";", "after 'goto'")
    return GotoSyntax(pos, targets, attached)


def _return(c: Cursor) -> StatementSyntax:
    pos = c.advance()
    attached = attributes(c)
    c.expect(";", "after 'return'")
    return ReturnSyntax(pos, attached)


def _break(c: Cursor) -> StatementSyntax:
    pos = c.advance()
    label = c.name("a label") if c.kind in NAMES else None
    c.expect(";", "after 'break'")
    return BreakSyntax(pos, label)


def _call(c: Cursor) -> StatementSyntax:
    """`async free call x, y := P(args);`."""
    pos = c.pos
    asynchronous = c.accept("async")
    free = c.accept("free")
    c.expect("call", "here")
    result = _callee(c, pos, free, asynchronous)
    c.expect(";", "after the call")
    return result


def _callee(c: Cursor, pos: int, free: bool = False, asynchronous: bool = False) -> CallSyntax:
    """`{:attribute} x, y := P(args)`."""
    attached = attributes(c)
    asynchronous = asynchronous or any(a.name == "async" for a in attached)  # as it was written once
    name_pos, name = c.pos, c.name("the name of a procedure")
    results: list[Name] = []
    if c.kind != "(":
        results.append(Name(name_pos, name))
        if c.accept(","):
            results += c.names("a variable for a result of the call")
        if c.kind != ":=":
            raise c.expected(f"'(' or ':=' after '{name}' in the call")
        c.at += 1
        name_pos, name = c.pos, c.name("the name of a procedure")
    c.expect("(", f"after '{name}' in the call")
    args: list[ExprSyntax] = []
    if c.kind != ")":
        args.append(expression(c))
        while c.accept(","):
            args.append(expression(c))
    c.expect(")", f"or ',' after an argument of '{name}'")
    return CallSyntax(pos, name, name_pos, args, results, free, asynchronous, attached)


def _par(c: Cursor) -> StatementSyntax:
    """`par A() | B();`."""
    pos = c.advance()
    calls = [_callee(c, pos)]
    while c.accept("|"):
        calls.append(_callee(c, c.pos))
    c.expect(";", "or '|' after the call")
    return ParSyntax(pos, calls)


def _yield(c: Cursor) -> StatementSyntax:
    pos = c.advance()
    attached = attributes(c)
    c.expect(";", "after 'yield'")
    return YieldSyntax(pos, attached)


def _assignment(c: Cursor) -> StatementSyntax:
    """A label, `x, m[i] := e, f;` or `C(x, y) := e;`."""
    following = c.kinds[c.at + 1]
    if following == ":":
        c.at += 2
        return LabelSyntax(c.positions[c.at - 2], c.texts[c.at - 2])
    if following == "(":
        return _unpack(c)
    pos = c.pos
    targets = [_target(c)]
    while c.accept(","):
        targets.append(_target(c))
    c.expect(":=", f"after '{targets[-1].name}'")
    attached = attributes(c)
    values = [expression(c)]
    while c.accept(","):
        values.append(expression(c))
    c.expect(";", "after the assignment")
    return AssignSyntax(pos, targets, values, attached)


def _target(c: Cursor) -> AssignTarget:
    """`x`, `m[i][j]`, `d->f`."""
    target = AssignTarget(c.pos, c.name("a variable to assign to"), [])
    while True:
        if c.accept("->"):
            target.steps.append(c.name("the name of a field"))
        elif c.accept("["):
            indices: list[ExprSyntax] = []
            if c.kind != "]":
                indices.append(expression(c))
                while c.accept(","):
                    indices.append(expression(c))
            c.expect("]", f"after the index of '{target.name}'")
            target.steps.append(indices)
        else:
            return target


def _unpack(c: Cursor) -> StatementSyntax:
    """`C(x, y) := e;`."""
    pos, constructor = c.pos, c.name("a constructor")
    c.at += 1
    hint = f"to call a procedure, write 'call {constructor}(…)'"
    targets: list[Name] = []
    if c.kind != ")":
        if c.kind not in NAMES:
            raise c.expected(f"a variable to assign a field of '{constructor}' to", hint)
        targets = c.names("a variable")
    if c.kind != ")":
        raise c.expected(f"')' or ',' after a variable in '{constructor}(…)'", hint)
    c.at += 1
    if c.kind != ":=":
        raise c.expected(f"':=' after '{constructor}(…)'", hint)
    c.at += 1
    attached = attributes(c)
    value = expression(c)
    c.expect(";", "after the assignment")
    return UnpackSyntax(pos, constructor, targets, value, attached)


_SIMPLE: dict[str, Callable[[Cursor], StatementSyntax]] = {
    "assert": _assert,
    "assume": _assume,
    "havoc": _havoc,
    "goto": _goto,
    "return": _return,
    "break": _break,
    "call": _call,
    "free": _call,
    IDENTIFIER: _assignment,
}

# Words that begin a statement only before one of these tokens.
_MEANT_BEFORE: dict[str, frozenset[str]] = {
    "free": frozenset({"call"}),
    "async": frozenset({"call", "free"}),
    "par": NAMES | {"{:"},
    "yield": frozenset({";", "{:"}),
    "reveal": NAMES | {"*"},
    "hide": NAMES | {"*"},
    "push": frozenset({";"}),
    "pop": frozenset({";"}),
}
_CONTEXTUAL: dict[str, Callable[[Cursor], StatementSyntax]] = {"async": _call, "par": _par, "yield": _yield}

_STATEMENT_START = frozenset(_SIMPLE) - {IDENTIFIER, "free"} | {"if", "while", "var"}

# --- bodies --------------------------------------------------------------------------------------


def body(c: Cursor, of: str) -> BodySyntax:
    """`{ var locals; statements }`."""
    c.expect("{", f"to begin the body of '{of}'")
    return _Body(c, of).read()


class _Body:
    """A body while it is read: the blocks that are open, and the list that takes the next statement."""

    def __init__(self, c: Cursor, of: str) -> None:
        self.c = c
        self.of = of
        self.locals: list[Binding] = []
        self.statements: list[StatementSyntax] = []
        self.current = self.statements
        self.open: list[tuple[IfSyntax | WhileSyntax, list[StatementSyntax]]] = []  # and what they stand in
        self.has_errors = False

    def read(self) -> BodySyntax:
        c = self.c
        while True:
            start = c.at
            kind = c.kinds[start]
            if kind == END or c.begins_declaration(start):
                if self.has_errors:
                    return BodySyntax(self.locals, self.statements, c.pos)
                raise self._unclosed()
            simple = _SIMPLE.get(kind)
            try:
                if simple is not None:
                    self.current.append(simple(c))
                elif kind == "}":
                    c.at += 1
                    if not self.open:
                        return BodySyntax(self.locals, self.statements, c.positions[start])
                    start = c.at
                    self._close()
                else:
                    self._other(kind)
            except Failure as failure:
                # An `else` after an error most likely lost its `if` to that error.
                if kind != "else" or not self.has_errors:
                    c.report_failure(failure)
                self.has_errors = True
                c.at = _next_statement(c, start)

    def _other(self, kind: str) -> None:
        """A statement with statements inside, a declaration of locals, or what a contextual word begins."""
        c = self.c
        if kind == "if":
            self._open(self._if())
        elif kind == "while":
            self._open(self._while())
        elif kind == "var":
            self._local_variables()
        elif kind in _MEANT_BEFORE and c.kinds[c.at + 1] in _MEANT_BEFORE[kind]:
            if kind in _CONTEXTUAL:
                self.current.append(_CONTEXTUAL[kind](c))
            else:
                # Which axioms a prover sees: no part of what the program means.
                c.at += 1 if kind in ("push", "pop") else 2
                c.expect(";", f"after '{kind}'")
        elif kind in NAMES:
            self.current.append(_assignment(c))
        elif kind == "else":
            raise Failure(c.pos, "this 'else' belongs to no 'if'")
        else:
            raise c.expected("a statement")

    def _local_variables(self) -> None:
        c = self.c
        if self.statements and not self.has_errors:
            c.report(c.pos, "local variables are declared at the start of the body, before the first statement")
        self.locals += read(c, variables(c))

    def _if(self) -> IfSyntax:
        """`if {:attribute} (guard) {`."""
        c = self.c
        pos = c.advance()
        attached = attributes(c)
        guard = _guard(c, "if")
        c.expect("{", "after the condition of the 'if'")
        return IfSyntax(pos, guard, [], None, attached)

    def _while(self) -> WhileSyntax:
        """`while {:attribute} (guard) invariant e; {`."""
        c = self.c
        pos = c.advance()
        attached = attributes(c)
        guard = _guard(c, "while")
        invariants: list[InvariantSyntax] = []
        while c.kind in ("invariant", "free") or is_measure(c):
            if is_measure(c):
                skip_measure(c)
            else:
                invariants.append(_invariant(c))
        c.expect("{", "to begin the body of the loop")
        return WhileSyntax(pos, guard, invariants, [], attached)

    def _open(self, statement: IfSyntax | WhileSyntax) -> None:
        self.current.append(statement)
        self.open.append((statement, self.current))
        self.current = statement.then if isinstance(statement, IfSyntax) else statement.body

    def _close(self) -> None:
        """After a `}` that ends a block: on with what stands around it, or with `else`."""
        c = self.c
        statement, around = self.open.pop()
        closed, self.current = self.current, around
        if not isinstance(statement, IfSyntax) or closed is not statement.then or not c.accept("else"):
            return
        statement.otherwise = []
        if c.kind == "if":
            # An `else if` ends where its `if` ends, so a long chain of them does not make the stack grow.
            following = self._if()
            statement.otherwise.append(following)
            self.open.append((following, around))
            self.current = following.then
        else:
            c.expect("{", "or 'if' after 'else'")
            self.open.append((statement, around))
            self.current = statement.otherwise

    def _unclosed(self) -> Failure:
        c = self.c
        if self.open:
            statement = self.open[-1][0]
            what = "if" if isinstance(statement, IfSyntax) else "while"
            return c.expected(f"'}}' for the '{what}' on line {c.line(statement.pos)}")
        return c.expected(f"'}}' to end the body of '{self.of}'")


def _guard(c: Cursor, of: str) -> ExprSyntax | None:
    """`(e)`, or `(*)` for None."""
    c.expect("(", f"after '{of}'")
    if c.kind == "*" and c.kinds[c.at + 1] == ")":
        c.at += 2
        return None
    guard = expression(c)
    c.expect(")", f"after the condition of the '{of}'")
    return guard


def is_measure(c: Cursor) -> bool:
    return c.kind == IDENTIFIER and c.texts[c.at] == "measure"


def skip_measure(c: Cursor) -> None:
    """`measure e, f;`: what must decrease."""
    c.problems.warn(c.advance(), "'measure' is not supported: termination is not checked")
    expression(c)
    while c.accept(","):
        expression(c)
    c.expect(";", "after the measure")


def _invariant(c: Cursor) -> InvariantSyntax:
    pos = c.pos
    free = c.accept("free")
    c.expect("invariant", "after 'free'")
    attached: list[AttributeSyntax] = attributes(c)
    condition = expression(c)
    c.expect(";", "after the invariant")
    return InvariantSyntax(pos, condition, free, attached)


# --- going on after an error ---------------------------------------------------------------------


def _next_statement(c: Cursor, start: int) -> int:
    """Where to go on after a failure, at the cursor, in the statement that begins at `start`."""
    kinds, failed = c.kinds, c.at
    depth = 0
    at = start
    while True:
        kind = kinds[at]
        if kind == END or (at >= failed and c.begins_declaration(at)):
            return at
        if at == failed > start and depth == 0 and kind in _STATEMENT_START:
            return at  # as where a semicolon was forgotten
        if kind in _OPENING_BRACES:
            depth += 1
        elif kind == "}":
            if depth == 0:
                return at
            depth -= 1
        at += 1
        if depth == 0 and at > failed and kind in (";", "}") and _begins_statement(c, at):
            return at


def _begins_statement(c: Cursor, at: int) -> bool:
    kind = c.kinds[at]
    if kind in _MEANT_BEFORE and c.kinds[at + 1] in _MEANT_BEFORE[kind]:
        return True
    if kind in NAMES:
        return c.kinds[at + 1] in _AFTER_TARGET
    return kind in _STATEMENT_START or kind in ("}", END) or c.begins_declaration(at)
