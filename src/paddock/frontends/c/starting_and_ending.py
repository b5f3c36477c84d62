"""What a program does before `main` and after it: constructors, functions registered by `atexit`, destructors.

    __attribute__((constructor)) void first(void);        main: first(); r = main.body(argc, argv);
    __attribute__((destructor)) void last(void);                call what atexit has registered; last(); return r;

The function in which the program starts is called by one of the same name that does the rest. `exit` does what comes
after `main`, too. Constructors come in the order of their priorities, those without one last; destructors in the
opposite order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from paddock.frontends.c import tree as t
from paddock.frontends.c import types as c
from paddock.frontends.c.walk import nodes_in
from paddock.frozen import replace
from paddock.ir.origin import Diagnostic, InputError, Origin

HANDLERS = "__paddock_at_exit"  # in the model of atexit
_ENDS = "_Exit"
_SIMPLE = c.FunctionType(c.VOID, (), False, True)
_LAST = 1 << 20  # the priority of those that have none


def with_start_and_end(unit: t.Unit, start: str) -> t.Unit:
    """The program that starts in a function, with all that it does before and after; the same object if that is
    nothing."""
    functions = {f.name: f for f in unit.functions}
    entry = functions.get(start)
    constructors = _in_order(unit.functions, "constructor")
    ends_with = [f.name for f in reversed(_in_order(unit.functions, "destructor"))]
    has_end = bool(ends_with) or HANDLERS in functions
    if entry is None or entry.body is None or not (constructors or has_end):
        return unit
    _refuse_calls(unit, start)
    inner = replace(entry, name=f"{start}.body", parameters=entry.parameters)
    after = list(_ending(functions, ends_with, entry.origin)) if start == "main" else []
    outer = _around(entry, inner, [f.name for f in constructors], after)
    new = {start: outer, inner.name: inner}
    leaves = functions.get("exit")
    if leaves is not None and leaves.body is None and has_end:
        new["exit"] = _exit(leaves, list(_ending(functions, ends_with, leaves.origin)))
    rest = (f for f in unit.functions if f.name not in new)
    return replace(unit, functions=(*rest, *new.values()))


def _in_order(functions: Sequence[t.Function], role: str) -> list[t.Function]:
    """The constructors or destructors, in the order in which constructors are called."""
    found = [(getattr(f, role), f) for f in functions if getattr(f, role) is not None]
    return [f for priority, f in sorted(found, key=lambda pair: pair[0] or _LAST)]


def _refuse_calls(unit: t.Unit, start: str) -> None:
    bodies = (f.body for f in unit.functions if f.body is not None)
    for node in (node for body in bodies for node in nodes_in(body)):
        if isinstance(node, t.FunctionUse) and node.name == start:
            message = f"{start} is called in a program with constructors, destructors or atexit: that is not supported"
            raise InputError(Diagnostic(message, node.origin))


def _ending(functions: dict[str, t.Function], destructors: Sequence[str], at: Origin) -> Iterator[t.Statement]:
    """What is done when a program ends."""
    if HANDLERS in functions:
        type_ = functions[HANDLERS].type
        zero = t.IntegerConstant(c.INT, at, 0)
        handler = t.Conversion(type_.parameters[1], at, t.ConversionKind.NULL, zero)
        yield t.Evaluate(at, t.Call(c.VOID, at, t.FunctionUse(type_, at, HANDLERS), (zero, handler)))
    for name in destructors:
        yield _call(name, at)


def _call(name: str, at: Origin) -> t.Statement:
    return t.Evaluate(at, t.Call(c.VOID, at, t.FunctionUse(_SIMPLE, at, name), ()))


def _around(
    entry: t.Function, inner: t.Function, constructors: Sequence[str], after: Sequence[t.Statement]
) -> t.Function:
    """The function in which the program starts: around the one that the user wrote."""
    at, result = entry.origin, entry.type.result
    parameters = tuple(replace(p, unique=f"{p.unique}.given") for p in entry.parameters)
    arguments = tuple(t.Conversion(p.type, at, t.ConversionKind.LOAD, t.VariableUse(p.type, at, p)) for p in parameters)
    call = t.Call(result, at, t.FunctionUse(entry.type, at, inner.name), arguments)
    statements = [_call(name, at) for name in constructors]
    if isinstance(result, c.VoidType):
        statements += [t.Evaluate(at, call), *after]
    else:
        kept = t.Variable("", f"{entry.name}.kept", result, t.Storage.LOCAL, at)
        use = t.VariableUse(result, at, kept)
        load = t.Conversion(result, at, t.ConversionKind.LOAD, use)
        statements += [t.Declare(at, kept, None), t.Evaluate(at, t.Assignment(result, at, use, call)), *after]
        statements.append(t.Return(at, load))
    return replace(entry, parameters=parameters, body=t.Block(at, tuple(statements), at))


def _exit(declared: t.Function, ending: Sequence[t.Statement]) -> t.Function:
    """`exit`, with what is done when a program ends."""
    at = declared.origin
    status = t.Variable("status", "status", c.INT, t.Storage.PARAMETER, at)
    value = t.Conversion(c.INT, at, t.ConversionKind.LOAD, t.VariableUse(c.INT, at, status))
    end = t.Call(c.VOID, at, t.FunctionUse(declared.type, at, _ENDS), (value,))
    body = t.Block(at, (*ending, t.Evaluate(at, end)), at)
    return replace(declared, parameters=(status,), body=body)
