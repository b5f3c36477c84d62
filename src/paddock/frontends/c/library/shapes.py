"""What calls of library functions look like, so that a program's own function of such a name is not taken for them.

C reserves these names, but programs declare functions of their own with them (`void log(const char *)`) and leave them
undefined. A model stands in for a function only if the result and the arguments of the call are of the kinds it knows.
"""

from __future__ import annotations

import re
from functools import cache

from paddock.frontends.c import tree as t
from paddock.frontends.c import types as c

# The result and the arguments: `i` an integer, `f` a float, `p` a pointer, `v` nothing, `F` the same type of floats as
# the result, `?` anything, `*` any more arguments.
_FLOATS = ("", "f", "l")


def for_floats(names: str, shape: str) -> dict[str, str]:
    """The shape of functions on doubles, of their siblings for float and long double, and of the builtins."""
    words = [f"{start}{name}{end}" for name in names.split() for start in ("", "__builtin_") for end in _FLOATS]
    return dict.fromkeys(words, shape)


def with_builtins(names: str, shape: str) -> dict[str, str]:
    """The shape of functions, and of the builtins."""
    return {f"{start}{name}": shape for name in names.split() for start in ("", "__builtin_")}


def for_classes(names: str, shape: str) -> dict[str, str]:
    """The shape of functions that classify floats, under all names that compilers and libraries have for them."""
    starts = ("", "__", "__builtin_")
    return dict.fromkeys((f"{s}{name}{end}" for name in names.split() for s in starts for end in _FLOATS), shape)


_KINDS = {"i": (c.IntType, c.BoolType, c.EnumType), "f": (c.FloatType,), "p": (c.PointerType,), "v": (c.VoidType,)}


@cache
def _parts(shape: str) -> tuple[str, list[str], bool]:
    result, *arguments = re.findall(r"[ifpvF?]", shape)
    return result, arguments, shape.endswith("*")


def fits(shape: str, call: t.Call) -> bool:
    """Whether a call has a shape."""
    result, kinds, more = _parts(shape)
    types = [argument.type for argument in call.arguments]
    if len(types) < len(kinds) or (len(types) > len(kinds) and not more):
        return False
    return _is(result, call.type, call.type) and all(map(_is, kinds, types, [call.type] * len(kinds)))


def _is(kind: str, type_: c.CType, result: c.CType) -> bool:
    if kind == "F":
        return type_ is result
    return kind == "?" or isinstance(type_, _KINDS[kind])
