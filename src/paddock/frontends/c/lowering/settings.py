"""What a user may ask of the lowering of C programs, and the kinds of checks there are."""

from __future__ import annotations

from paddock.frontends.c.pragmas import Pragmas
from paddock.frozen import field, frozen
from paddock.ir.origin import Origin

# The checks of the option `--checks`, with what each asserts.
CHECKS = {
    "assert": "what the program asserts, and that it calls no function that reports an error",
    "unreach": "that it calls no function that reports an error (reach_error, __VERIFIER_error)",
    "bounds": "that accesses stay inside their arrays and objects",
    "pointer": "that pointers that are used or freed point to objects that live",
    "overflow": "that signed arithmetic does not overflow",
    "unsigned-overflow": "that unsigned arithmetic does not wrap around",
    "conversion": "that values keep their meaning when they are converted to an integer type",
    "div-by-zero": "that no integer is divided by zero",
    "shift": "that shifts are by at least 0 and less than the width, and of values that are not negative",
    "bit-count": "that __builtin_clz and __builtin_ctz are not asked for the zeros of 0",
    "pointer-overflow": "that pointer arithmetic stays inside of an object, or just behind it; 0 may be added to null",
    "nan": "that no operator on floats makes NaN of numbers",
    "float-overflow": "that no operator on floats, and no conversion to a float, makes an infinity of what is finite",
    "enum-range": "that a value of an enumeration, where it is read or converted to, is one of its enumerators",
    "uninitialised": "that local variables whose addresses are not taken have a value when they are read",
    "leak": "that all memory has been freed when the program ends",
    "deadlock": "that not all threads are blocked",
    "race": "that no thread accesses what another writes at the same time",
}
# What `all` is: races take much longer to look for than all else, and the others are not what C calls undefined, or are
# not complete.
ALL = frozenset(CHECKS) - {"race", "pointer-overflow", "nan", "float-overflow", "enum-range", "uninitialised"}
_ABOUT_OBJECTS = {"bounds", "pointer", "leak", "pointer-overflow"}
INTEGERS = ("bits", "math")
MISSING_BODIES = ("havoc", "error")
UNSUPPORTED = ("error", "havoc")


@frozen
class Settings:
    """How to lower a program. `function` is where it starts; `integers` says whether they are bit-precise. If it
    `goes_on`, functions that report a failed assertion return, as if it had held. With `nondet_static`, no object with
    static lifetime has the value at first that it is initialised with, unless it is const. `checks` are those that are
    on anywhere, `asked` those that are where no pragma says otherwise."""

    function: str = "main"
    checks: frozenset[str] = frozenset({"assert"})
    integers: str = "bits"
    missing_bodies: str = "havoc"
    unsupported: str = "error"
    malloc_may_fail: bool = False
    goes_on: bool = False
    nondet_static: bool = False
    error_labels: frozenset[str] = frozenset()
    covers: str = ""  # the criterion by which goals to be reached are marked, if there are any
    pragmas: Pragmas = field(default_factory=Pragmas)
    asked: frozenset[str] | None = None  # None if there are no pragmas
    asks_about_objects: bool = False  # the program itself does

    @property
    def tracks_objects(self) -> bool:
        """Whether it matters where objects end, and whether they live."""
        return self.asks_about_objects or bool(self.checks & _ABOUT_OBJECTS)

    def checks_at(self, origin: Origin) -> frozenset[str]:
        """The checks at a place: those that are asked for, but for what pragmas say."""
        return self.checks if self.asked is None else self.pragmas.checks_at(origin, self.asked)
