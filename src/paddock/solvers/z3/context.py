"""A context of Z3: what all its sorts, terms, solvers and models live in.

The context keeps every term until it is deleted (`Z3_mk_context` without reference counts): a term costs one call, and
none outlives its solver.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

from paddock.solvers.interface import SolverFailure
from paddock.solvers.z3.library import ErrorHandler, Library, load_library


class Z3Context:
    """A context, with the errors that Z3 has reported in it."""

    def __init__(self) -> None:
        library = load_library()
        self.library = library
        config = library.function("mk_config", "p")()
        self.handle: int = library.function("mk_context", "pp")(config)
        library.function("del_config", "-p")(config)
        # Z3 reports an error by calling back while the failing call runs; some failing calls return a term.
        self.errors: list[int] = []
        errors = self.errors
        self._handler = ErrorHandler(lambda _, code: errors.append(code))
        library.function("set_error_handler", "-pp")(self.handle, self._handler)
        self.free = weakref.finalize(self, _delete, library, self.handle, self._handler)
        self.free.atexit = False  # at exit the system frees faster
        self._symbol = self.bound("mk_string_symbol", "pps")

    def bound(self, name: str, prototype: str) -> Callable[..., Any]:
        """A function of the library that takes this context first."""
        function, context = self.library.function(name, prototype), self.handle
        return lambda *args: function(context, *args)

    def symbol(self, name: str) -> int:
        """Z3's handle for a name."""
        handle: int = self._symbol(name.encode())
        return handle

    def failed(self) -> SolverFailure:
        """The error that Z3 has reported, as an exception."""
        code = self.errors[0]
        self.errors.clear()
        message: bytes = self.bound("get_error_msg", "spu")(code)
        return SolverFailure(f"Z3: {message.decode(errors='replace').strip()}")

    def check_errors(self) -> None:
        if self.errors:
            raise self.failed()


def _delete(library: Library, context: int, _handler: object) -> None:
    # The context may call its error handler until it is gone, so the handler is kept as long.
    library.function("del_context", "-p")(context)
