"""The names that are reserved for verifiers and compilers, with what a program may expect of them.

A function with such a name and without a body of its own is one that is known, or it is refused: what no one has
modelled may do more than change what its arguments point to.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from paddock.frontends.c.types import BOOL, DOUBLE, FLOAT, INT, LONG_LONG, CType, DataModel

RESERVED = (
    *("__CPROVER_", "__VERIFIER_", "__SMACK_", "__paddock_"),
    *("__builtin_", "__sync_", "__atomic_", "__c11_atomic_", "__scoped_atomic_", "__opencl_atomic_", "__hip_atomic_"),
)
BUILTIN = "__builtin_"
_NONDETERMINISTIC = ("__VERIFIER_nondet_", "__CPROVER_nondet_", "__SMACK_nondet_", "__paddock_nondet_")
# What a function of arbitrary results is called after: the types of the competition on software verification, and those
# of C under the names that programs give them. The type is the one that the program declares.
_ARBITRARY = frozenset(
    (
        *("bool", "_Bool", "char", "schar", "uchar", "signed_char", "unsigned_char", "short", "ushort", "short_int"),
        *("unsigned_short", "int", "uint", "unsigned", "unsigned_int", "signed", "signed_int", "long", "ulong"),
        *("long_int", "unsigned_long", "unsigned_long_int", "longlong", "ulonglong", "long_long", "long_long_int"),
        *("unsigned_long_long", "unsigned_long_long_int", "int128", "uint128", "float", "double", "longdouble"),
        *("long_double", "size_t", "ssize_t", "ptrdiff_t", "intptr_t", "uintptr_t", "wchar_t", "loff_t", "off_t"),
        *("sector_t", "pthread_t", "time_t", "clock_t", "pid_t", "uid_t", "gid_t", "dev_t", "mode_t", "ino_t", "gfp_t"),
        *("pointer", "ptr", "pchar", "pint", "pvoid", "charp", "voidp", "char_pointer", "const_char_pointer"),
        *("__CPROVER_bool", "__CPROVER_size_t"),
        *(f"{sign}{width}" for sign in ("u", "s", "i", "U", "S", "I") for width in (8, 16, 32, 64, 128)),
        *(f"{sign}int{width}_t" for sign in ("", "u") for width in (8, 16, 32, 64)),
    )
)
# Functions without a prototype return an int; an arbitrary result of another type must be declared.
_AS_INT = frozenset(
    ("bool", "_Bool", "char", "schar", "uchar", "signed_char", "unsigned_char", "short", "ushort", "unsigned_short")
) | {"int", "uint", "unsigned", "unsigned_int", "signed", "signed_int"}

# A type, or one that the data model chooses, or whatever type the argument has.
Parameter = CType | Literal["size_type", "long", "long_double", "any"]


def _on_floats(bases: Sequence[str], suffixes: Sequence[str], count: int) -> dict[str, tuple[Parameter, ...]]:
    """Functions on floats of the three types; the name of each ends in the suffix for its type."""
    types: tuple[Parameter, ...] = (FLOAT, DOUBLE, "long_double")
    return {
        f"__CPROVER_{base}{suffix}": (type_,) * count
        for base in bases
        for suffix, type_ in zip(suffixes, types, strict=False)
    }


CLASSES = ("isnan", "isinf", "isfinite", "isnormal", "sign")
COMPARISONS = ("isgreater", "isgreaterequal", "isless", "islessequal", "islessgreater", "isunordered")


_CONDITION: tuple[Parameter, ...] = (BOOL,)
# The parameters of functions that a program need not declare.
PARAMETERS: dict[str, tuple[Parameter, ...]] = {
    **dict.fromkeys(("assert", "__VERIFIER_assert", "__CPROVER_assert", "__paddock_assert"), _CONDITION),
    **dict.fromkeys(("__CPROVER_precondition", "__CPROVER_postcondition", "__CPROVER_cover"), _CONDITION),
    **dict.fromkeys(("__VERIFIER_assume", "__CPROVER_assume", "__paddock_assume", "__builtin_assume"), _CONDITION),
    **_on_floats(CLASSES, ("f", "d", "ld"), 1),
    **_on_floats(COMPARISONS, ("f", "d"), 2),
    **_on_floats(("fabs",), ("f", "", "l"), 1),
    **_on_floats(("fmod", "remainder"), ("f", "", "l"), 2),
    "__CPROVER_abs": (INT,),
    "__CPROVER_labs": ("long",),
    "__CPROVER_llabs": (LONG_LONG,),
    **dict.fromkeys(("__CPROVER_overflow_plus", "__CPROVER_overflow_minus", "__CPROVER_overflow_mult"), ("any", "any")),
    "__CPROVER_overflow_unary_minus": ("any",),
    **dict.fromkeys(
        (
            *("__CPROVER_POINTER_OBJECT", "__CPROVER_POINTER_OFFSET", "__CPROVER_OBJECT_SIZE", "__CPROVER_LIVE_OBJECT"),
            *("__CPROVER_DYNAMIC_OBJECT", "__CPROVER_r_ok", "__CPROVER_w_ok", "__CPROVER_rw_ok"),
            *("__CPROVER_havoc_object", "__CPROVER_deallocate"),
        ),
        ("any",),
    ),
    "__CPROVER_same_object": ("any", "any"),
    **dict.fromkeys(("__CPROVER_havoc_slice", "__VERIFIER_nondet_memory"), ("any", "size_type")),
    "__CPROVER_allocate": ("size_type", BOOL),
}


# Those of them that more arguments may follow: a text, or a size.
WITH_MORE = frozenset(name for name, parameters in PARAMETERS.items() if parameters is _CONDITION) | {
    *("__CPROVER_r_ok", "__CPROVER_w_ok", "__CPROVER_rw_ok"),
}
# Functions that write to memory from a pointer up, with the number of their arguments.
WRITES_FROM = {"__CPROVER_havoc_object": 1, "__CPROVER_havoc_slice": 2, "__VERIFIER_nondet_memory": 2}


def parameter_types(name: str, model: DataModel) -> list[CType | None]:
    """The types of a function's parameters as far as they are known; None where any will do."""
    return [
        parameter if isinstance(parameter, CType) else None if parameter == "any" else getattr(model, parameter)
        for parameter in PARAMETERS.get(name, ())
    ]


def is_reserved(name: str) -> bool:
    """Whether a function of that name is known, or refused."""
    return name.startswith(RESERVED)


def is_nondeterministic(name: str) -> bool:
    """Whether a function of that name returns an arbitrary value and does nothing else."""
    prefix = next((p for p in _NONDETERMINISTIC if name.startswith(p)), None)
    return name.startswith("nondet_") or (prefix is not None and name.removeprefix(prefix) in _ARBITRARY)


def needs_declaration(name: str) -> bool:
    """Whether a function of arbitrary results returns something that does not go through an `int`."""
    prefix = next((p for p in _NONDETERMINISTIC if name.startswith(p)), None)
    return prefix is not None and name.removeprefix(prefix) not in _AS_INT


def wrapping(word: str) -> str:
    """The name, which no program can write, of what combines two integers without a check: what atomic updates do."""
    return f"wrapping {word}"


# The names, which no program can write, of what begins and ends one step of a thread.
STEP_BEGIN, STEP_END = "step begins", "step ends"
