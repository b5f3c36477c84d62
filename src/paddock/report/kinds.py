"""The kinds of assertions, in words: what each one asks, and what to do where it fails."""

from __future__ import annotations

from paddock.frozen import frozen


@frozen
class Kind:
    """What must hold, in a few words and in some sentences."""

    title: str
    help: str


KINDS = {
    "assert": Kind(
        "Assertion holds",
        "An assertion of the program fails on some execution. Follow the steps to the values with which its "
        "condition is false; either the program or the assertion is wrong, or an assumption on the inputs is "
        "missing.",
    ),
    "requires": Kind(
        "Precondition holds at the call",
        "A procedure is called where its precondition does not hold. Establish it before the call, or weaken the "
        "contract.",
    ),
    "ensures": Kind(
        "Postcondition holds at the exit",
        "A procedure ends where its postcondition does not hold. Mend the body, or weaken the contract.",
    ),
    "invariant": Kind(
        "Loop invariant holds",
        "A loop invariant is false on some arrival at the head of its loop. Mend the loop, or weaken the invariant.",
    ),
    "unreach": Kind(
        "Error location is not reached",
        "A call that marks an error, such as reach_error(), is reached on some execution.",
    ),
    "bounds": Kind(
        "Access stays inside of its object",
        "Memory is read or written outside of the object that a pointer or an index refers to. Check the index or "
        "the length before.",
    ),
    "pointer": Kind(
        "Pointer is valid",
        "A pointer is used that is null, was freed, or points to no living object. Check it before, or keep the "
        "object alive.",
    ),
    "overflow": Kind(
        "Signed arithmetic does not overflow",
        "The result of signed arithmetic does not fit its type, which is undefined in C. Check the operands "
        "before, or use a wider type.",
    ),
    "unsigned-overflow": Kind(
        "Unsigned arithmetic does not wrap around",
        "The result of unsigned arithmetic does not fit its type and wraps around. That is defined in C, but often"
        " not meant.",
    ),
    "conversion": Kind(
        "Conversion keeps the value",
        "A value does not fit the type that it is converted to, and becomes another one.",
    ),
    "div-by-zero": Kind(
        "Divisor is not zero",
        "A division or a remainder has the divisor 0, which is undefined in C. Check the divisor before.",
    ),
    "shift": Kind(
        "Shift is defined",
        "A value is shifted by a negative distance or by as many bits as it has, or a negative one to the left.",
    ),
    "bit-count": Kind(
        "Argument of a bit count is not zero",
        "A built-in function that counts bits gets 0, for which it is undefined.",
    ),
    "pointer-overflow": Kind(
        "Pointer arithmetic stays inside of an object",
        "A pointer is moved out of its object, and further than just behind it, which is undefined in C.",
    ),
    "nan": Kind(
        "Arithmetic on floats makes numbers",
        "An operator on floats makes NaN of numbers, as 0 / 0 and the difference of two infinities do.",
    ),
    "float-overflow": Kind(
        "Arithmetic on floats stays finite",
        "An operator on floats, or a conversion to a float, makes an infinity of what is finite. Check the operands "
        "before, or use a wider type.",
    ),
    "enum-range": Kind(
        "Value of an enumeration is an enumerator",
        "An object of an enumeration holds, or a value becomes, a number that is none of the enumerators.",
    ),
    "uninitialised": Kind(
        "Variable has a value when it is read",
        "A local variable is read before it was given a value, so that it may have any.",
    ),
    "leak": Kind(
        "Memory is freed",
        "Memory that was allocated is not freed when the program ends.",
    ),
    "deadlock": Kind(
        "Some thread can go on",
        "All threads wait for one another, and none can go on. Take locks in the same order everywhere.",
    ),
    "race": Kind(
        "Accesses of threads do not race",
        "A thread accesses what another one writes at the same time, which is undefined in C. Guard both by a lock, "
        "or make the object atomic.",
    ),
    "unwinding": Kind(
        "Bound suffices",
        "A loop may complete more iterations, or recursion may be deeper, than the bound allows. Raise the bound.",
    ),
    "return": Kind(
        "Entry does not return",
        "The entry procedure has an execution that comes to its end, which is what was asked with --goal return.",
    ),
}


def kind_of(name: str) -> Kind:
    """The words for a kind; for one that is not known, its name."""
    return KINDS.get(name) or Kind(
        f"Check holds: {name}", f"What the check `{name}` asks does not hold on some execution."
    )
