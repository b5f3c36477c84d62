"""C programs as IR programs: what is reachable from the function to start in, lowered function by function.

The procedure of that function begins with the first values of all globals. Where it is also called by others, they call
a second copy that does not.
"""

from __future__ import annotations

from collections.abc import Callable

from paddock.frontends.c import tree as t
from paddock.frontends.c.library.control import SPECIFICATIONS
from paddock.frontends.c.library.threads import RESULT
from paddock.frontends.c.lowering.analysed import Analysed, analysed
from paddock.frontends.c.lowering.context import ANYTHING, HIDDEN, TOP, Plain, ProgramContext, leaf_type
from paddock.frontends.c.lowering.functions import FunctionLowering
from paddock.frontends.c.lowering.set_up import SetUp
from paddock.frontends.c.lowering.settings import Settings
from paddock.frontends.c.lowering.spared import is_unchangeable
from paddock.frontends.c.memory_leaves import leaf_name
from paddock.frontends.c.memory_space import ANY_LENGTH
from paddock.frontends.c.show import Object, Presentation, Scalar
from paddock.frontends.c.symbols import is_model
from paddock.frontends.c.text import string_text
from paddock.frozen import frozen, replace
from paddock.ir.expr import Attribute
from paddock.ir.modref import mod_ref
from paddock.ir.origin import Diagnostic, Origin
from paddock.ir.program import Procedure, Program, VarDecl
from paddock.ir.threads import UNSWITCHED

OBJECTS = ("object#size", "object#live", "object#heap", "heap#blocks")


@frozen
class Lowered:
    """A C program in the IR, and what its user should know of it."""

    program: Program
    warnings: tuple[Diagnostic, ...]
    presentation: Presentation


def lower(unit: t.Unit, settings: Settings, source_line: Callable[[Origin], str] = lambda _: "") -> Lowered:
    """The IR program of a linked C program; it starts in the function that the settings name."""
    program = analysed(unit, settings, source_line)
    context, reached = program.context, program.reachable
    for variable in reached.globals:
        if variable not in context.pointsto.in_memory:
            _declare_plain(variable, context)
    own = _procedures(program)
    if context.bodiless.may_do_anything:
        everything = (*context.globals.declared.values(), *context.memory.declarations)
        changed = tuple(declared.var for declared in everything if declared.var.name not in HIDDEN)
        context.bodiless.procedures[ANYTHING] = Procedure(ANYTHING, modifies=changed)
    lowered = Program(
        functions=context.numbers.terms.functions.declared,
        globals=(*context.globals.declared.values(), *context.memory.declarations),
        procedures=(*context.bodiless.procedures.values(), *own),
    )
    if context.has_threads:
        lowered = replace(lowered, globals=tuple(map(_unswitched, lowered.globals)))
    _present_objects(unit, context)
    return Lowered(_with_modifies(lowered), context.messages.warnings, context.presentation)


def _unswitched(declared: VarDecl) -> VarDecl:
    """What keeps track of objects is not switched before: an object is allocated in one step."""
    if declared.name not in (TOP, *OBJECTS, RESULT):
        return declared
    return replace(declared, attributes=(*declared.attributes, Attribute(UNSWITCHED)))


def _procedures(program: Analysed) -> list[Procedure]:
    """The functions as procedures, in the order of the source; the copy of the entry that others call is the last."""
    context, entry = program.context, program.reachable.entry
    made: dict[str, Procedure] = {}
    is_called = any(entry.name in callees for callees in program.call_graph.values())
    for name, function in program.reachable.functions.items():
        if function is not entry:
            made[name] = FunctionLowering(context, function).procedure(name)
        elif is_called:
            made[context.inner_entry] = FunctionLowering(context, function).procedure(context.inner_entry)
    first = FunctionLowering(context, entry).procedure(entry.name, SetUp(program))
    marked = tuple(replace(i, attributes=(Attribute("entrypoint"),)) for i in first.implementations)
    made[entry.name] = replace(first, implementations=marked)
    order = list(program.reachable.functions)
    return [made[name] for name in order] + [p for name, p in made.items() if name not in order]


def _declare_plain(variable: t.Variable, context: ProgramContext) -> None:
    leaves = context.leaves.of(variable.type)
    context.messages.unsupported_types(variable, leaves)
    is_of_thread = any(declared.variable is variable for declared in context.of_threads)
    declare = context.globals.of_thread if is_of_thread else context.globals.variable
    variables = {
        leaf.key: declare(leaf_name(variable.unique, leaf), leaf_type(leaf, context.numbers), variable.origin)
        for leaf in leaves
    }
    context.globals.plain[variable] = Plain(variables, {leaf.key: leaf.type for leaf in leaves})


def _present_objects(unit: t.Unit, context: ProgramContext) -> None:
    """Say what lies at constant addresses, and which globals may have any value at first."""
    shown, constants = context.presentation, context.constants
    external = {declared.variable for declared in unit.globals if declared.external}
    shown.has_main = (main := context.functions.get("main")) is not None and main.body is not None
    shown.specified.update(
        (f.written_name, SPECIFICATIONS[f.name]) for f in unit.functions if f.body is None and f.name in SPECIFICATIONS
    )
    for name, address in constants.functions.items():
        function = context.functions.get(name)
        shown.function_names[address] = name if function is None else function.written_name
    for variable, address in constants.variables.items():
        size = context.layout.known_size(variable.type) or ANY_LENGTH
        name, is_internal = variable.name or variable.unique, variable.is_internal
        symbol = variable.unique if variable.storage is t.Storage.GLOBAL and variable.name else ""
        undefined, fixed = variable in external, is_unchangeable(variable)
        is_local = variable.storage not in (t.Storage.GLOBAL, t.Storage.STATIC_LOCAL)
        shown.objects.append(
            Object(address, size, name, variable.type, symbol, is_internal, undefined, fixed, is_local)
        )
    for literal, address in constants.strings.items():
        size = context.layout.size(literal.type)
        shown.objects.append(Object(address, size, string_text(literal.units), literal.type, is_fixed=True))
    for variable, plain in context.globals.plain.items():
        is_shared = variable.storage is t.Storage.GLOBAL and not any(g.variable is variable for g in context.of_threads)
        size, symbol = context.layout.known_size(variable.type) or 0, variable.unique if is_shared else ""
        object_ = Object(0, size, variable.name, variable.type, symbol, variable.is_internal, variable in external)
        shown.plain.update((var.name, object_) for var in plain.variables.values())
        for leaf in context.leaves.of(variable.type):
            if not leaf.dimensions:
                name, var = leaf_name(variable.name, leaf), plain.variables[leaf.key]
                scalar = Scalar(name, var, leaf.type)
                if variable in external:
                    shown.inputs[var.name] = scalar
                if is_shared and not is_model(variable.origin):
                    shown.shared[var.name] = scalar


def _with_modifies(program: Program) -> Program:
    """The program with what each procedure with a body may change."""
    effects = mod_ref(program)
    procedures = tuple(
        replace(p, modifies=effects[p.name].modifies) if p.implementations else p for p in program.procedures
    )
    return replace(program, procedures=procedures)
