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


def _variants(names: str, shape: str) -> dict[str, str]:
    """The shape of functions on doubles, of their siblings for float and long double, and of the builtins."""
    words = [f"{start}{name}{end}" for name in names.split() for start in ("", "__builtin_") for end in _FLOATS]
    return dict.fromkeys(words, shape)


def _named(names: str, shape: str) -> dict[str, str]:
    return {f"{start}{name}": shape for name in names.split() for start in ("", "__builtin_")}


def _classes(names: str, shape: str) -> dict[str, str]:
    starts = ("", "__", "__builtin_")
    return dict.fromkeys((f"{s}{name}{end}" for name in names.split() for s in starts for end in _FLOATS), shape)


SHAPES: dict[str, str] = {
    **_named("malloc valloc pvalloc alloca", "pi"),
    **_named("kmalloc alloca_with_align", "pi*"),
    **_named("aligned_alloc memalign calloc", "pii"),
    **_named("realloc", "ppi"),
    **_named("free cfree", "?p"),
    **_named("kfree", "?p*"),
    **_named("memset", "ppii"),
    **_named("memcpy memmove", "pppi"),
    **_named("abs labs llabs imaxabs", "ii"),
    **_named("ffs ffsl ffsll", "ii"),
    **_named("rand random getchar clock getpid", "i"),
    **_named("fgetc getc", "ip"),
    **_named("exit _Exit _exit quick_exit", "?i"),
    **_variants("fabs sqrt floor ceil trunc round rint nearbyint", "fF"),
    **_variants("fma", "fFFF"),
    **_variants("lrint llrint lround llround", "if"),
    **_named("fesetround feclearexcept feraiseexcept", "ii"),
    **_named("fegetround flt_rounds", "i"),
    **_variants("remainder drem fmod copysign fmin fmax", "fFF"),
    **_variants("nan", "f*"),
    **_variants("inf huge_val", "f"),
    **_classes("isnan isinf isinf_sign finite isfinite isnormal issubnormal iszero signbit", "if"),
    **_classes("fpclassify", "if"),
    **_named("isgreater isgreaterequal isless islessequal islessgreater isunordered", "iff"),
    "__builtin_fpclassify": "iiiiiif",
}
_KINDS = {"i": (c.IntType, c.BoolType, c.EnumType), "f": (c.FloatType,), "p": (c.PointerType,), "v": (c.VoidType,)}


@cache
def _parts(shape: str) -> tuple[str, list[str], bool]:
    result, *arguments = re.findall(r"[ifpvF?]", shape)
    return result, arguments, shape.endswith("*")


def fits(name: str, call: t.Call) -> bool:
    """Whether a call of a function of that name can be one of the library's."""
    shape = SHAPES.get(name)
    if shape is None:
        return True
    result, kinds, more = _parts(shape)
    types = [argument.type for argument in call.arguments]
    if len(types) < len(kinds) or (len(types) > len(kinds) and not more):
        return False
    return _is(result, call.type, call.type) and all(map(_is, kinds, types, [call.type] * len(kinds)))


def _is(kind: str, type_: c.CType, result: c.CType) -> bool:
    if kind == "F":
        return type_ is result
    return kind == "?" or isinstance(type_, _KINDS[kind])
