"""Candidate contracts in Boogie's own convention: a Boolean constant marked `{:existential true}` guards what may hold.

    const {:existential true} b: bool;            const {:existential true} b: bool;
    procedure P();                                procedure P();
      modifies g;                                   modifies g;
      ensures b ==> g >= old(g);                    free ensures b ==> g >= old(g);
    implementation P()                            implementation P()
    {                                             {
      head: assert b ==> g >= 0; goto …             head: assume b ==> g >= 0; goto …
    }                                             }

A candidate is never an assertion: the program may choose any values for such constants, and with all of them false it
says nothing. Houdini (Flanagan and Leino, FME 2001; Corral §4.2) finds the most of them that are true together.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import ClassVar

from paddock.frozen import frozen, replace
from paddock.ir.build import TRUE, implies, or_
from paddock.ir.expr import App, Attribute, Expr, Op, Scope, Var
from paddock.ir.modref import mod_ref
from paddock.ir.names import FreshNames
from paddock.ir.origin import Diagnostic, InputError, Origin, Role
from paddock.ir.program import Clause, Constant, Implementation, Procedure, Program, find_attribute
from paddock.ir.rewriting import Piece, declared_in, expressions_in
from paddock.ir.stmt import Assert, Assume, Block, Statement
from paddock.ir.types import BOOL
from paddock.ir.walk import variables

_MARK = Attribute("existential", (TRUE,))


def guards(program: Program) -> dict[Var, Constant]:
    """The constants that guard candidates, in the order of their declarations."""
    return {c.var: c for c in program.constants if _is_existential(c)}


def _is_existential(constant: Constant) -> bool:
    attribute = find_attribute(constant.attributes, _MARK.name)
    return attribute is not None and attribute.params in ((), _MARK.params)


def guard_of(condition: Expr, known: Collection[Var]) -> Var | None:
    """The guard of a condition, if it is a candidate: b in `b ==> e`, which may stand behind `a ==>` and `a ||`."""
    while isinstance(condition, App) and condition.op in (Op.IMPLIES, Op.OR):
        left, right = condition.args
        if condition.op is Op.IMPLIES and isinstance(left, Var) and left in known:
            return left
        condition = right
    return None


def unguarded(condition: Expr, guard: Var) -> Expr:
    """What a candidate with this guard says."""
    around: list[App] = []
    while isinstance(condition, App) and condition.args[0] is not guard:
        around.append(condition)
        condition = condition.args[1]
    assert isinstance(condition, App)
    claim = condition.args[1]
    for outer in reversed(around):
        claim = App(outer.op, (outer.args[0], claim), BOOL)
    return claim


# --- as the user wrote them ------------------------------------------------------------------------


def offered(program: Program) -> Program:
    """The program in which nothing that an existential constant guards is asserted; the same object if there is none.

    Raises `InputError` where such a constant is used other than as a guard.
    """
    known = guards(program)
    if not known:
        return program
    _require_guards_only(program, known)

    def statement(s: Statement) -> Statement:
        if isinstance(s, Assert) and guard_of(s.condition, known) is not None:
            return Assume(s.condition, s.attributes, s.origin)
        return s

    def clause(c: Clause) -> Clause:
        return replace(c, free=True) if guard_of(c.condition, known) is not None else c

    return _mapped(program, lambda clauses: map(clause, clauses), lambda statements: map(statement, statements))


def without_candidates(program: Program) -> Program:
    """The program with no candidate and no existential constant; the same object if there is none."""
    return resolved(offered(program), ())


def _require_guards_only(program: Program, known: Mapping[Var, Constant]) -> None:
    problems = [
        Diagnostic(f"the existential constant '{var.name}' must be a bool, not {var.type}", constant.origin)
        for var, constant in known.items()
        if var.type is not BOOL
    ]
    hint = "write 'b ==> condition' in a contract, an invariant or an assertion"
    for piece, origin in _pieces(program):
        expressions = list(expressions_in(piece))
        if isinstance(piece, Clause | Assert | Assume):
            guard = guard_of(piece.condition, known)
            expressions[0] = expressions[0] if guard is None else unguarded(piece.condition, guard)
        misused = sorted(v.name for v in variables(*expressions) if v in known)
        if misused:
            message = f"the existential constant '{misused[0]}' is used other than as the guard of a condition"
            problems.append(Diagnostic(message, origin, hint=hint))
    if problems:
        raise InputError(list(dict.fromkeys(problems)))  # a condition may stand in both branches of an `if`


def _pieces(program: Program) -> Iterator[tuple[Piece, Origin]]:
    """Whatever has expressions in it, in pieces as small as have an origin."""
    for axiom in program.axioms:
        yield Attribute("axiom", (axiom.condition,)), axiom.origin
    for function in program.functions:
        if function.body is not None:
            yield Attribute("function", (function.body,)), function.origin
    for declaration in program.globals:
        yield declaration, declaration.origin
    for procedure in program.procedures:
        for clause in (*procedure.requires, *procedure.ensures):
            yield clause, clause.origin
        for declaration in declared_in(procedure):
            yield declaration, declaration.origin
        for implementation in procedure.implementations:
            for block in implementation.blocks:
                for statement in block.statements:
                    yield statement, statement.origin


# --- as they were decided --------------------------------------------------------------------------


def resolved(program: Program, kept: Collection[Var]) -> Program:
    """The program with the candidates of these guards as plain contracts and assumptions, and without the others; the
    same object if it has none."""
    known = guards(program)
    if not known:
        return program

    def clauses(given: tuple[Clause, ...]) -> Iterator[Clause]:
        return resolved_clauses(given, known, kept)

    def statements(given: tuple[Statement, ...]) -> Iterator[Statement]:
        for statement in given:
            guard = guard_of(statement.condition, known) if isinstance(statement, Assume) else None
            if guard is None:
                yield statement
            elif guard in kept:
                assert isinstance(statement, Assume)
                yield replace(statement, condition=unguarded(statement.condition, guard))

    plain = replace(program, constants=tuple(c for c in program.constants if c.var not in known))
    return _mapped(plain, clauses, statements)


def resolved_clauses(clauses: tuple[Clause, ...], known: Collection[Var], kept: Collection[Var]) -> Iterator[Clause]:
    """Clauses with the candidates among them that are kept as plain clauses, and without the others."""
    for clause in clauses:
        guard = guard_of(clause.condition, known)
        if guard is None:
            yield clause
        elif guard in kept:
            yield replace(clause, condition=unguarded(clause.condition, guard))


def _mapped(
    program: Program,
    clauses: Callable[[tuple[Clause, ...]], Iterator[Clause]],
    statements: Callable[[tuple[Statement, ...]], Iterator[Statement]],
) -> Program:
    """The program with other clauses in its contracts, and other statements in its blocks."""

    def block(b: Block) -> Block:
        return replace(b, statements=tuple(statements(b.statements)))

    def body(i: Implementation) -> Implementation:
        return replace(i, blocks=tuple(map(block, i.blocks)))

    def procedure(p: Procedure) -> Procedure:
        return replace(
            p,
            requires=tuple(clauses(p.requires)),
            ensures=tuple(clauses(p.ensures)),
            implementations=tuple(map(body, p.implementations)),
        )

    return replace(program, procedures=tuple(map(procedure, program.procedures)))


# --- new ones --------------------------------------------------------------------------------------


def error_variable(program: Program) -> Var | None:
    """The bit that the pass `error-bit` has added."""
    return next((d.var for d in program.globals if d.origin.role is Role.ERROR_BIT), None)


class NewCandidates:
    """Candidates that are to be added to a program, each once, with a guard for each.

    Where a procedure may set the error bit, what it ensures is about the executions that do not fail (deep-asserts
    paper, §VI: `!err ==> S`).
    """

    def __init__(self, program: Program) -> None:
        self.old_program = program
        self.error = error_variable(program)
        self.effects = mod_ref(program)
        self.left_out = 0  # candidates that would have been too many
        declared = (d.name for p in program.procedures for d in declared_in(p))
        self._fresh = FreshNames({*declared, *program.top_level_names()})
        self._constants: list[Constant] = []
        self._requires: dict[str, dict[Expr, Clause]] = {}
        self._ensures: dict[str, dict[Expr, Clause]] = {}

    def can_fail(self, procedure: Procedure) -> bool:
        """Whether a procedure may set the error bit."""
        return self.error in self.effects[procedure.name].modifies

    def require(self, procedure: Procedure, condition: Expr, origin: Origin, guard: Var | None = None) -> None:
        """Perhaps the condition holds whenever the procedure is called."""
        self._add(self._requires, procedure, condition, origin, guard, unless_failed=False)

    def ensure(
        self,
        procedure: Procedure,
        condition: Expr,
        origin: Origin,
        guard: Var | None = None,
        unless_failed: bool = True,
    ) -> None:
        """Perhaps the condition holds whenever the procedure returns or, `unless_failed`, does so without an error."""
        self._add(self._ensures, procedure, condition, origin, guard, unless_failed)

    def _add(
        self,
        clauses: dict[str, dict[Expr, Clause]],
        procedure: Procedure,
        condition: Expr,
        origin: Origin,
        guard: Var | None,
        unless_failed: bool,
    ) -> None:
        own = clauses.setdefault(procedure.name, {})
        if condition in own:
            return
        if guard is None:
            guard = Var(self._fresh(f"keep_{procedure.name}"), BOOL, Scope.CONST)
            self._constants.append(Constant(guard, attributes=(_MARK,), origin=origin))
        claim = implies(guard, condition)
        if unless_failed and self.error is not None and self.can_fail(procedure):
            claim = or_(self.error, claim)
        own[condition] = Clause(claim, free=True, origin=origin)

    def program(self) -> Program:
        """The program with all of them."""

        def extended(p: Procedure) -> Procedure:
            requires, ensures = (tuple(c.get(p.name, {}).values()) for c in (self._requires, self._ensures))
            if not requires and not ensures:
                return p
            return replace(p, requires=(*p.requires, *requires), ensures=(*p.ensures, *ensures))

        old = self.old_program
        return replace(
            old,
            constants=(*old.constants, *self._constants),
            procedures=tuple(map(extended, old.procedures)),
        )


@frozen
class UserCandidates:
    """The pass `user-candidates`."""

    name: ClassVar[str] = "user-candidates"
    summary: ClassVar[str] = "what the program offers as candidates, as assumptions that Houdini may keep"

    def __call__(self, program: Program) -> Program:
        return offered(program)


@frozen
class DropCandidates:
    """The pass `drop-candidates`."""

    name: ClassVar[str] = "drop-candidates"
    summary: ClassVar[str] = "without candidates, whether a user or a pass has offered them"

    def __call__(self, program: Program) -> Program:
        return without_candidates(program)
