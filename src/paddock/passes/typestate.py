"""The typestate of a program: a few predicates over globals that its assertions depend on (Corral §4.2).

They are the parts of what is asserted that are about globals alone, and that a global has one of the constants which it
is compared with or assigned; for the lock of the paper, `s == 0` and `s == 1`.
"""

from __future__ import annotations

from collections.abc import Iterator

from paddock.ir.build import eq, not_
from paddock.ir.expr import App, Expr, Lit, Op, Scope, Var
from paddock.ir.program import Procedure, Program
from paddock.ir.stmt import Assert, Assign, Assume, Return, Statement
from paddock.ir.types import BOOL, Float, Map, Type
from paddock.ir.walk import children, subterms, variables
from paddock.passes.candidates import error_variable

LARGEST_PREDICATE = 12  # subterms

_CONNECTIVES = (Op.NOT, Op.AND, Op.OR, Op.IMPLIES)
_COMPARISONS = (Op.EQ, Op.NE, Op.LT, Op.LE, Op.GT, Op.GE)

# A variable of a procedure, or a global, of none.
_Owned = tuple[str, Var]


class Typestate:
    """What a program says about its variables. `asserted` has the conditions of assertions, by procedure. In a program
    with an error bit, they are what the bit is set to the negation of; where nothing is asserted, they are what is
    assumed where procedures return."""

    def __init__(self, program: Program) -> None:
        self.asserted: dict[str, list[Expr]] = {}
        self._error = error_variable(program)
        self._constants: dict[_Owned, dict[Expr, None]] = {}
        self._compared: dict[_Owned, dict[Expr, None]] = {}
        for procedure in program.procedures:
            for statement in _statements(procedure):
                self._look_at(procedure.name, statement)
        if not self.asserted:
            self.asserted = {p.name: conditions for p in program.procedures if (conditions := _assumed_last(p))}
        self.predicates = self._predicates(program)

    def constants(self, procedure: str, var: Var) -> list[Expr]:
        """The constants that a variable is compared with or assigned."""
        return list(self._constants.get(_owned(procedure, var), ()))

    def compared_with(self, procedure: str, var: Var) -> list[Expr]:
        """The constants and variables that a variable is compared with."""
        return list(self._compared.get(_owned(procedure, var), ()))

    def _look_at(self, procedure: str, statement: Statement) -> None:
        match statement:
            case Assign((target,), (App(Op.NOT, (condition,)),)) if target is self._error:
                self._asserts(procedure, condition)
            case Assert(condition):
                self._asserts(procedure, condition)
            case Assume(condition):
                self._compares(procedure, condition)
            case Assign(targets, values):
                for target, value in zip(targets, values, strict=True):
                    if is_constant(value):
                        self._constants.setdefault(_owned(procedure, target), {})[value] = None
            case _:
                pass

    def _asserts(self, procedure: str, condition: Expr) -> None:
        self.asserted.setdefault(procedure, []).append(condition)
        self._compares(procedure, condition)

    def _compares(self, procedure: str, condition: Expr) -> None:
        for atom in atoms(condition):
            match atom:
                case App(op, (left, right)) if op in _COMPARISONS:
                    for var, other in ((left, right), (right, left)):
                        if isinstance(var, Var) and (is_constant(other) or isinstance(other, Var)):
                            owned = _owned(procedure, var)
                            self._compared.setdefault(owned, {})[other] = None
                            if is_constant(other):
                                self._constants.setdefault(owned, {})[other] = None
                case _:
                    pass

    def _predicates(self, program: Program) -> list[Expr]:
        """What is asserted comes first, then the states of the globals that assertions mention, then those of others
        that are compared with something."""
        asserted = [c for conditions in self.asserted.values() for c in conditions]
        found: dict[Expr, None] = {}
        for condition in asserted:
            for atom in atoms(condition):
                if self._is_predicate(atom):
                    found[atom] = None
                    if isinstance(atom, Var):
                        found[not_(atom)] = None
        mentioned = variables(*asserted)
        scalars = [d.var for d in program.globals if is_scalar(d.var.type) and d.var is not self._error]
        for var in (*(v for v in scalars if v in mentioned), *(v for v in scalars if v not in mentioned)):
            if var in mentioned or ("", var) in self._compared:
                found |= dict.fromkeys(has_value(var, c) for c in self._constants.get(("", var), ()))
        return list(found)

    def _is_predicate(self, atom: Expr) -> bool:
        parts = list(subterms([atom]))
        mentioned = [p for p in parts if isinstance(p, Var)]
        return (
            len(parts) <= LARGEST_PREDICATE
            and any(v.scope is Scope.GLOBAL for v in mentioned)
            and all(v.scope in (Scope.GLOBAL, Scope.CONST) and v is not self._error for v in mentioned)
            and not any(isinstance(p, App) and p.op is Op.OLD for p in parts)
        )


def _owned(procedure: str, var: Var) -> _Owned:
    return ("" if var.scope is Scope.GLOBAL else procedure, var)


def _statements(procedure: Procedure) -> Iterator[Statement]:
    for implementation in procedure.implementations:
        for block in implementation.blocks:
            yield from block.statements


def _assumed_last(procedure: Procedure) -> list[Expr]:
    """What must hold for the procedure to return."""
    ends = (b.statements[-1:] for i in procedure.implementations for b in i.blocks if isinstance(b.transfer, Return))
    return [s.condition for end in ends for s in end if isinstance(s, Assume)]


def atoms(condition: Expr) -> Iterator[Expr]:
    """What a condition connects with `!`, `&&`, `||` and `==>`, each once."""
    seen: set[Expr] = set()
    stack = [condition]
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        if isinstance(node, App) and node.op in _CONNECTIVES:
            stack += reversed(children(node))
        elif not isinstance(node, Lit):
            yield node


def is_constant(expr: Expr) -> bool:
    """Whether an expression is a literal, a negated one or a declared constant."""
    match expr:
        case Lit() | App(Op.NEG, (Lit(),)):
            return True
        case Var(scope=Scope.CONST):
            return True
        case _:
            return False


def is_scalar(type_: Type) -> bool:
    """Whether values of a type are worth comparing for equality."""
    return not isinstance(type_, Map | Float)


def has_value(var: Var, constant: Expr) -> Expr:
    """That a variable has the value of a constant."""
    if var.type is BOOL and isinstance(constant, Lit):
        return var if constant.value else not_(var)
    return eq(var, constant)
