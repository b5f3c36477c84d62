"""What is found out about a program before its functions are lowered: pointers, memory, and where objects lie."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence

from paddock.frontends.c import tree as t
from paddock.frontends.c.arithmetic.bitvectors import BitVectors
from paddock.frontends.c.arithmetic.mathematical import Mathematical
from paddock.frontends.c.arithmetic.numbers import Numbers
from paddock.frontends.c.arithmetic.terms import Terms
from paddock.frontends.c.escapes import Escapes
from paddock.frontends.c.fitting import Fit, fit
from paddock.frontends.c.library.control import ASSERTION_FAILURES, ASSERTIONS, ERRORS
from paddock.frontends.c.library.memory import REALLOCATIONS
from paddock.frontends.c.library.objects import NEED_OBJECTS
from paddock.frontends.c.library.registry import effect_of, has_own_body
from paddock.frontends.c.library.rounding import MODE, SETS_MODE
from paddock.frontends.c.library.threads import STARTS
from paddock.frontends.c.lowering.constants import ConstantAddresses
from paddock.frontends.c.lowering.context import GlobalVariables, ProgramContext
from paddock.frontends.c.lowering.messages import Messages
from paddock.frontends.c.lowering.outside import PROGRAM, OutsidePointers, Placed, Span, families_of, parts_of
from paddock.frontends.c.lowering.reachable import Reachable, begun_once, locals_of, reachable
from paddock.frontends.c.lowering.settings import Settings
from paddock.frontends.c.lowering.spared import Spared
from paddock.frontends.c.memory import Memory, canonical
from paddock.frontends.c.memory_leaves import Leaves
from paddock.frontends.c.memory_space import ALIGNMENT, Space
from paddock.frontends.c.pointsto import PointsTo
from paddock.frontends.c.pointsto_classes import Classes, MemoryClass
from paddock.frontends.c.pointsto_tree import addresses_taken
from paddock.frontends.c.show import Presentation
from paddock.frontends.c.symbols import is_errno, is_model
from paddock.frontends.c.wrappers import possible_wrappers
from paddock.frozen import frozen, replace
from paddock.ir.graph import strongly_connected_components
from paddock.ir.origin import Diagnostic, InputError, Origin
from paddock.ir.types import RMODE

OBJECT_BITS = {4: 20, 8: 32}  # how far apart objects start whose ends matter, by the size of pointers

SourceLine = Callable[[Origin], str]


@frozen
class Analysed:
    """A program that can be lowered. Of classes of memory it is known which have objects with constant addresses, and
    which have others."""

    reachable: Reachable
    call_graph: Mapping[str, list[str]]
    context: ProgramContext
    static_classes: Container[MemoryClass]
    dynamic_classes: Container[MemoryClass]


def analysed(unit: t.Unit, settings: Settings, source_line: SourceLine) -> Analysed:
    """What is known of a program that starts in the function that the settings name."""
    asks = any(f.body is None and f.name in NEED_OBJECTS for f in unit.functions)
    settings = replace(settings, asks_about_objects=asks)
    reached = reachable(unit, settings.function)
    functions = {f.name: f for f in unit.functions}
    integers = (Mathematical if settings.integers == "math" else BitVectors)(Terms())
    numbers, leaves = Numbers(unit.model, integers), Leaves(unit.layout)
    reached, pointsto = _pointsto(reached, leaves, numbers, source_line)
    graph = reached.call_graph(pointsto)
    has_objects = pointsto.in_memory or pointsto.made_at_run_time(())
    stretch = PROGRAM[unit.model.pointer_size] if pointsto.arbitrary and has_objects else None
    space = Space(_spacing(pointsto, settings), stretch)
    renewed = _renewed(reached, graph, pointsto) if asks or "pointer" in settings.checks else set()
    has_threads = any(name in reached.functions for name in STARTS)
    recursive = set(graph) - {reached.entry.name} | _recursive(graph) if has_threads else _recursive(graph)
    constants = ConstantAddresses(space, numbers.addresses, unit.layout, recursive, renewed)
    globals_ = GlobalVariables(numbers)
    of_threads = _of_threads(reached, pointsto, globals_, numbers) if has_threads else {}
    if not has_own_body(SETS_MODE, functions.get(SETS_MODE)) and SETS_MODE in functions:
        numbers.terms.mode = globals_.hidden(MODE, RMODE)
    reallocates = any(name in functions and functions[name].body is None for name in REALLOCATIONS)

    locals_ = [(v, constants.has_constant(v, f.name)) for f in reached.functions.values() for v in locals_of(f)]
    dynamic = [*(variable for variable, is_constant in locals_ if not is_constant), *of_threads]
    static = [variable for variable, is_constant in locals_ if is_constant]
    static_classes, dynamic_classes = pointsto.origins(dynamic)
    inside = _inside(reached, pointsto)
    placed = [v for v in (*reached.globals, *static) if v in pointsto.in_memory]
    wild = (part for class_ in pointsto.as_numbers for part in class_.inside())
    spared = Spared(constants, numbers, pointsto, (*placed, *pointsto.literals()), inside, (*dynamic_classes, *wild))
    outside = None
    if stretch is not None:
        outside = OutsidePointers(numbers, pointsto, stretch)
        known = [variable for variable in placed if variable not in inside]
        _place_known(outside, constants, known, reached.globals)
        outside.made_at_run_time |= {pointsto.family(class_) for class_ in pointsto.made_at_run_time(dynamic)}
    context = ProgramContext(
        settings=settings,
        layout=unit.layout,
        numbers=numbers,
        leaves=leaves,
        pointsto=pointsto,
        memory=Memory(numbers, pointsto),
        space=space,
        outside=outside,
        functions=functions,
        possible_wrappers=frozenset(possible_wrappers(functions.values(), (*ERRORS, *ASSERTIONS, *ASSERTION_FAILURES))),
        errno=next(filter(is_errno, reached.globals), None),
        tracks_sizes=settings.tracks_objects or reallocates,
        spared=spared,
        messages=Messages(source_line, refuses_unsupported=settings.unsupported == "error"),
        presentation=Presentation(unit.layout, unit.enumerators, goes_on=settings.goes_on),
        globals=globals_,
        constants=constants,
        has_threads=has_threads,
        of_threads=tuple(of_threads.values()),
    )
    return Analysed(reached, graph, context, static_classes, dynamic_classes)


def _of_threads(
    reached: Reachable, pointsto: Classes, globals_: GlobalVariables, numbers: Numbers
) -> dict[t.Variable, t.Global]:
    """The objects of which each thread has its own; it knows the addresses of those in memory."""
    own = {v: declared for v, declared in reached.globals.items() if v.is_of_thread or is_errno(v)}
    for variable in filter(pointsto.in_memory.__contains__, own):
        name = f"{variable.unique}.address"
        globals_.addresses[variable] = globals_.of_thread(name, numbers.addresses.type, variable.origin)
    return own


def _pointsto(
    reached: Reachable, leaves: Leaves, numbers: Numbers, source_line: SourceLine
) -> tuple[Reachable, Classes]:
    """The classes of memory that pointers may reach alike; and what is reachable, with the functions that only calls
    through pointers from outside reach."""
    while True:
        analysis = PointsTo(reached.unit, leaves, lambda type_: canonical(type_, numbers), effect_of)
        for declared in reached.globals.values():
            analysis.add_global(declared)
        bodies = list(reached.functions.values())
        for function in bodies:
            analysis.add_function(function)
        starts_elsewhere = reached.entry.name != "main"
        callable_ = [f for f in bodies if not f.static and not is_model(f.origin) and starts_elsewhere]
        analysis.add_entry(reached.entry, callable_)
        for root in reached.unreached():
            analysis.add_unreached(root)
        for name in sorted(reached.handed_out):
            analysis.outside.hand_out(name, analysis.tables.function(name))
        classes = analysis.settled(lambda message, at: InputError(Diagnostic(message, at, source_line(at))))
        more = _got_from_outside(reached, analysis.outside.called)
        if not more:
            return reached, classes
        reached = reachable(reached.unit, reached.entry.name, reached.handed_out | more)


def _got_from_outside(reached: Reachable, calls: Sequence[t.Call]) -> frozenset[str]:
    """The functions that calls through pointers from outside may call, and that nothing reached so far mentions."""
    if not calls:
        return frozenset()
    layout = reached.unit.layout
    fitting = (f for f in reached.known_elsewhere() if any(fit(f, call, layout) >= Fit.CLOSE for call in calls))
    return frozenset(function.name for function in fitting) - reached.handed_out


def _inside(reached: Reachable, pointsto: Classes) -> frozenset[t.Variable]:
    """The variables in memory whose addresses are not known outside."""
    escapes = Escapes(pointsto.in_memory, dict(reached.functions), effect_of)
    for declared in reached.globals.values():
        escapes.add_global(declared)
    for _, body in reached.bodies():
        escapes.add(body)
    for root in reached.unreached():
        escapes.escape(addresses_taken(root))
    return escapes.inside()


def _recursive(graph: Mapping[str, list[str]]) -> set[str]:
    """The functions that may be active several times at once."""
    components = strongly_connected_components(graph)
    return {name for group in components for name in group if len(group) > 1 or name in graph[name]}


def _renewed(reached: Reachable, graph: Mapping[str, list[str]], pointsto: Classes) -> set[t.Variable]:
    """The locals to which a pointer may be left while there is a new object of the same declaration."""
    changed = reached.assigned()
    parameters = {p for f in reached.functions.values() for p in f.parameters if p not in changed}
    renewed = pointsto.outlived(parameters)
    if all(reached.entry.name not in callees for callees in graph.values()):
        renewed -= set(begun_once(reached.entry))
    return renewed


def _spacing(pointsto: Classes, settings: Settings) -> int:
    """How far apart objects start: where their ends matter, so far that the largest fits between two starts."""
    if not settings.tracks_objects:
        return ALIGNMENT
    bits = OBJECT_BITS[pointsto.layout.model.pointer_size]
    largest = max((pointsto.layout.known_size(v.type) or 0 for v in pointsto.in_memory), default=0)
    return 1 << max(bits, largest.bit_length())


def _place_known(
    outside: OutsidePointers,
    constants: ConstantAddresses,
    known: Iterable[t.Variable],
    globals_: Container[t.Variable],
) -> None:
    """Place objects that pointers from outside may point to, those that the same may point to side by side."""
    pointsto, space, known = outside.pointsto, constants.space, list(known)
    always: list[t.Variable | t.StringLiteral] = [*(v for v in known if v in globals_), *pointsto.literals()]
    families = families_of(pointsto, always, [v for v in known if v not in globals_])
    for family, (statics, others) in families.items():
        start = space.end_of_constant
        for object_ in statics:
            constants.number(object_)
        lasting = space.gap() if statics else start
        for variable in others:
            constants.number(variable)
        placed = [
            Placed(constants.number(object_), object_.type, frozenset(parts_of(pointsto, object_)))
            for object_ in (*statics, *others)
        ]
        outside.spans[family] = Span(start, lasting, space.gap() if others else lasting, tuple(placed))
