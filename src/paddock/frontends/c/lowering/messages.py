"""Messages for the user of a C program: errors with their places, and warnings, each of them once."""

from __future__ import annotations

from collections.abc import Callable

from paddock.frontends.c import tree as t
from paddock.frontends.c import types as c
from paddock.frontends.c.memory_leaves import Leaf
from paddock.ir.origin import Diagnostic, InputError, Origin


class Messages:
    """Collects warnings, and makes errors; what is not supported is one or the other."""

    def __init__(self, source_line: Callable[[Origin], str], *, refuses_unsupported: bool) -> None:
        self._source_line = source_line
        self._refuses_unsupported = refuses_unsupported
        self._warnings: dict[str, Diagnostic] = {}

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        return tuple(self._warnings.values())

    def refuse(self, message: str, origin: Origin, hint: str = "") -> InputError:
        """The error that says what is wrong with the program."""
        return InputError(Diagnostic(message, origin, self._source_line(origin), hint))

    def warn(self, message: str, origin: Origin) -> None:
        """Say something once."""
        self._warnings.setdefault(message, Diagnostic(message, origin, self._source_line(origin)))

    def unsupported(self, construct: str, origin: Origin) -> None:
        """Refuse a construct, or say that it may do anything."""
        if self._refuses_unsupported:
            hint = "--tune unsupported=havoc lets it do anything"
            raise self.refuse(f"{construct} is not supported", origin, hint)
        self.warn(f"{construct} is not supported: it may do anything", origin)

    def unsupported_types(self, variable: t.Variable, leaves: tuple[Leaf, ...]) -> None:
        """Refuse a variable of a type that the tree has no words for, or say that it holds just bits."""
        for leaf in leaves:
            if isinstance(leaf.type, c.UnsupportedType):
                self.unsupported(f"the type {leaf.type.name}", variable.origin)
