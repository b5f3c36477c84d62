"""Statements, transfers and blocks. All frozen; change them with `replace` of `frozen.py`.

Two pieces that differ only in their origins are equal.
"""

from __future__ import annotations

from paddock.frozen import field, frozen
from paddock.ir.expr import Attributes, Expr, Var
from paddock.ir.origin import NOWHERE, Origin


@frozen
class Assume:
    condition: Expr
    attributes: Attributes = ()
    origin: Origin = field(default=NOWHERE, compare=False)


@frozen
class Assert:
    condition: Expr
    attributes: Attributes = ()
    origin: Origin = field(default=NOWHERE, compare=False)


@frozen
class Assign:
    """A parallel assignment: all values are taken before any target changes. Targets are distinct."""

    targets: tuple[Var, ...]
    values: tuple[Expr, ...]
    attributes: Attributes = ()
    origin: Origin = field(default=NOWHERE, compare=False)


@frozen
class Havoc:
    """The targets become arbitrary within their `where` clauses."""

    targets: tuple[Var, ...]
    origin: Origin = field(default=NOWHERE, compare=False)


@frozen
class Call:
    """`call results := procedure(args)`. A `free` call does not check the callee's preconditions, which its body
    assumes; an asynchronous one starts a thread and has no results."""

    procedure: str
    args: tuple[Expr, ...]
    results: tuple[Var, ...] = ()
    free: bool = False
    asynchronous: bool = False
    attributes: Attributes = ()
    origin: Origin = field(default=NOWHERE, compare=False)


@frozen
class ParCall:
    """`par A() | B() | …`: the calls run at the same time and all return."""

    calls: tuple[Call, ...]
    origin: Origin = field(default=NOWHERE, compare=False)


@frozen
class Yield:
    """Other threads may run here."""

    attributes: Attributes = ()
    origin: Origin = field(default=NOWHERE, compare=False)


Statement = Assume | Assert | Assign | Havoc | Call | ParCall | Yield


@frozen
class Goto:
    """Jump to any one of the targets."""

    targets: tuple[str, ...]
    attributes: Attributes = ()
    origin: Origin = field(default=NOWHERE, compare=False)


@frozen
class Return:
    attributes: Attributes = ()
    origin: Origin = field(default=NOWHERE, compare=False)


Transfer = Goto | Return


@frozen
class Block:
    label: str
    statements: tuple[Statement, ...]
    transfer: Transfer
    origin: Origin = field(default=NOWHERE, compare=False)

    @property
    def successors(self) -> tuple[str, ...]:
        return self.transfer.targets if isinstance(self.transfer, Goto) else ()
