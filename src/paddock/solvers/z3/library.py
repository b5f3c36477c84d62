"""Z3's C interface, called without the `z3` package's Python layer.

Handles are plain integers and arrays are packed bytes, which makes a call more than ten times cheaper than
the package's operators (`bench/solver_binding.py`). The package serves only to ship the library.
"""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Callable, Sequence
from functools import cache
from importlib.util import find_spec
from typing import Any

from paddock.solvers.interface import SolverFailure

_CTYPES: dict[str, Any] = {
    "p": ctypes.c_void_p,  # a handle, or an array of handles as packed bytes
    "u": ctypes.c_uint,
    "i": ctypes.c_int,
    "q": ctypes.c_int64,
    "Q": ctypes.c_uint64,
    "b": ctypes.c_bool,
    "d": ctypes.c_double,
    "s": ctypes.c_char_p,
    "-": None,
}

ErrorHandler = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_uint)


class Library:
    """The loaded library. A prototype is a string: the result's letter, then the arguments'."""

    def __init__(self, path: str) -> None:
        # Short calls keep Python's global lock: releasing it costs more than they do.
        self._brief = ctypes.PyDLL(path)
        self._long = ctypes.CDLL(path)
        self._functions: dict[tuple[str, str, bool], Callable[..., Any]] = {}
        # What Z3 would print to standard error, such as that it ignores a pattern, is no news to a user.
        self.function("toggle_warning_messages", "-b")(False)

    def function(self, name: str, prototype: str, *, long: bool = False) -> Callable[..., Any]:
        """The function `Z3_name`; `long` ones let other threads run meanwhile."""
        key = name, prototype, long
        function = self._functions.get(key)
        if function is None:
            # The library's own attributes are shared by all prototypes; an index makes a function object of its own.
            made = (self._long if long else self._brief)[f"Z3_{name}"]
            made.restype = _CTYPES[prototype[0]]
            made.argtypes = [_CTYPES[letter] for letter in prototype[1:]]
            function = self._functions[key] = made
        return function


@cache
def load_library() -> Library:
    """The library of the installed `z3-solver` package."""
    spec = find_spec("z3")
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        libraries = os.path.join(folder, "lib")
        for name in sorted(os.listdir(libraries)) if os.path.isdir(libraries) else ():
            if "z3." in name and not name.endswith(".lib"):
                return Library(os.path.join(libraries, name))
    raise SolverFailure("Z3 is not installed: install the package z3-solver")


# Ready for the usual lengths: working out a format costs more than packing.
_PACKERS = tuple(struct.Struct(f"{n}P").pack for n in range(64))


def packed(handles: Sequence[Any]) -> bytes:
    """An array of handles as C reads it."""
    n = len(handles)
    return _PACKERS[n](*handles) if n < len(_PACKERS) else struct.pack(f"{n}P", *handles)
