"""The context in which an expression is checked, and the stacks of the loop that checks it.

One loop with an explicit stack (`expressions.py`): an entry of `work` is a node to look at or, after its operands, a
step that takes them off the stack of `values` and puts the result there. An ill-typed expression has the type `ERROR`,
which every other type agrees with.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from paddock.frontends.boogie import syntax as s
from paddock.frontends.boogie.local_names import LocalNames
from paddock.frontends.boogie.symbols import Symbols
from paddock.frontends.boogie.type_quantifiers import Place
from paddock.frontends.boogie.types import ERROR, Inference, shown
from paddock.frozen import frozen
from paddock.ir.expr import App, Expr, Lit, Op, Operator, Var
from paddock.ir.intern import Term
from paddock.ir.types import Type, TypeVar

BROKEN = Lit(False, ERROR)


@frozen(eq=False)
class Instance(Term):
    """Application of a polymorphic function or constructor, until the copy for its types has a name."""

    of: str
    type_args: tuple[Type, ...]


@frozen(eq=False)
class PolyAccess(Term):
    """Select or store on a polymorphic map, at these type arguments."""

    op: Op
    of: Type  # the polymorphic map's
    type_args: tuple[Type, ...]


Step = tuple[Callable[[Any], None], Any]  # what to do once the operands are done, and with what
Handler = Callable[[Any], None]


class ExpressionContext:
    """The scope and what is allowed in it, which the user of the checker sets, and what is under way."""

    def __init__(self, symbols: Symbols) -> None:
        self.symbols = symbols
        self.problems = symbols.problems
        self.inference = Inference()
        self.generic = False  # while a polymorphic declaration is checked for itself
        self.instances: Mapping[Place, list[tuple[Type, ...]]] = {}  # of quantifiers over types
        # The quantifiers over types that were met, over their parameters; those in something polymorphic have no place.
        self.type_quantified: list[tuple[Place | None, tuple[TypeVar, ...], Expr, s.Quantified]] = []
        self.enter({})
        self.values: list[Expr] = []
        self.work: list[s.ExprSyntax | Step] = []

    def enter(
        self, scope: dict[str, Var], type_params: Mapping[str, Type] = {}, no_old: str = "", no_globals: str = ""
    ) -> None:
        """Set the context: the local variables and type parameters by the names that the source has for them,
        and if `old` or global variables are not allowed, the end of the message that says so."""
        self.scope, self.type_params = scope, type_params
        self.no_old, self.no_globals = no_old, no_globals
        self.names = LocalNames(scope, self.symbols.variables, self.problems)

    def take(self, count: int) -> tuple[Expr, ...]:
        """The last values, off the stack."""
        if not count:
            return ()
        values = self.values
        taken = tuple(values[-count:])
        del values[-count:]
        return taken

    def put(self, op: Operator | Instance | PolyAccess, args: tuple[Expr, ...], type_: Type) -> None:
        """Put an application on the stack of values."""
        self.values.append(application(op, args, type_))

    def fail(self, pos: int, message: str) -> None:
        """The expression is wrong: say so and go on with one that agrees with everything."""
        self.problems.add(pos, message)
        self.values.append(BROKEN)

    def agree(self, a: Type, b: Type) -> bool:
        return a is b or self.inference.unify(a, b)

    def shown(self, type_: Type) -> str:
        return self.inference.shown(type_)

    def shown_a(self, type_: Type) -> str:
        return with_article(self.inference.final(type_))


def application(op: Operator | Instance | PolyAccess, args: tuple[Expr, ...], type_: Type) -> Expr:
    # The operators of polymorphic programs stand in expressions only until these are specialised.
    return App(op, args, type_)  # type: ignore[arg-type]


def with_article(type_: Type) -> str:
    text = shown(type_)
    return f"an {text}" if text[:1] in "aeiou" else f"a {text}"
