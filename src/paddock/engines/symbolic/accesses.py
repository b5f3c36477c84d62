"""The accesses of a program to what its threads have in common, as they are in its text."""

from __future__ import annotations

from collections.abc import Iterable

from paddock.frozen import frozen
from paddock.ir.expr import App, Binder, Expr, Let, Op, Scope, Var
from paddock.ir.program import Program
from paddock.ir.rewriting import expressions_in
from paddock.ir.stmt import Assert, Assign, Assume, Call, Havoc, Statement
from paddock.ir.threads import is_bookkeeping, is_thread_local
from paddock.ir.types import Map
from paddock.ir.walk import children, subterms

Place = tuple[Var, tuple[object, ...] | None]  # a global or an element of a map; None: any element
Anything = frozenset[Place]
NOTHING: Anything = frozenset()


@frozen
class Access:
    """An access in the text of a program; without an index, it is to the whole variable."""

    var: Var
    index: tuple[Expr, ...] | None
    value: Expr | None = None  # what is written, if that is one value
    writes: bool = False


class Accesses:
    """Finds the accesses of statements."""

    def __init__(self, program: Program) -> None:
        self.program = program
        common = [g for g in program.globals if not is_thread_local(g)]
        self._bookkeeping = frozenset(g.var for g in common if is_bookkeeping(g))
        self.tracked = frozenset(g.var for g in common)  # the globals of which every change is seen
        self._shared = self.tracked - self._bookkeeping
        self._found_in: dict[int, tuple[Access, ...]] = {}

    @property
    def uses_old(self) -> bool:
        """Whether a variable is read as it was when a procedure started."""
        terms = (t for p in self.program.procedures for t in subterms(expressions_in(p)))
        return any(isinstance(t, App) and t.op is Op.OLD for t in terms)

    def of(self, statement: Statement) -> tuple[Access, ...]:
        """The accesses of a statement to what threads share. Those of callees are theirs."""
        found = self._found_in.get(id(statement))
        if found is None:
            found = self._found_in[id(statement)] = tuple(self._search(statement))
        return found

    def _search(self, statement: Statement) -> list[Access]:
        match statement:
            case Assume(condition=condition) | Assert(condition=condition):
                return self.reads((condition,))
            case Assign(targets=targets, values=values):
                found: list[Access] = []
                for target, value in zip(targets, values, strict=True):
                    match value:
                        case App(op=Op.STORE, args=(Var() as stored, *index, new)) if stored is target:
                            found += self.reads((*index, new))
                            found += self._written(target, tuple(index), new)
                        case _:
                            found += self.reads((value,))
                            found += self._written(target, _whole(target), value)
                return found
            case Havoc(targets=targets):
                return self.writes(targets)
            case Call(args=args):
                return self.reads(args)
            case _:
                return []

    def writes(self, targets: Iterable[Var]) -> list[Access]:
        """The accesses that make variables arbitrary."""
        return [a for t in targets for a in self._written(t, _whole(t), None)]

    def _written(self, var: Var, index: tuple[Expr, ...] | None, value: Expr | None) -> list[Access]:
        return [Access(var, index, value, writes=True)] if var in self._shared else []

    def reads(self, expressions: Iterable[Expr]) -> list[Access]:
        """The accesses of expressions. What a quantifier or a `let` is about is looked at as a whole."""
        found: dict[tuple[Var, tuple[Expr, ...] | None], Access] = {}
        stack = [(e, False) for e in expressions]
        seen: set[tuple[Expr, bool]] = set()
        while stack:
            node, is_bound = stack.pop()
            if (node, is_bound) in seen:
                continue
            seen.add((node, is_bound))
            is_bound = is_bound or isinstance(node, Binder | Let)
            match node:
                case App(op=Op.SELECT, args=(Var() as map_, *index)) if map_ in self._shared and not is_bound:
                    found[map_, tuple(index)] = Access(map_, tuple(index))
                    stack += [(i, False) for i in index]
                case Var(scope=Scope.GLOBAL) if node in self._shared:
                    found[node, _whole(node)] = Access(node, _whole(node))
                case _:
                    stack += [(part, is_bound) for part in children(node)]
        return list(found.values())

    def bookkeeping(self, statement: Statement) -> Anything:
        """What a statement changes of what is known of threads."""
        match statement:
            case Assign(targets=targets) | Havoc(targets=targets):
                return frozenset((t, None) for t in targets if t in self._bookkeeping)
            case _:
                return NOTHING


def _whole(var: Var) -> tuple[Expr, ...] | None:
    """The index of all of a variable."""
    return None if isinstance(var.type, Map) else ()
