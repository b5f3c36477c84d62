"""C programs as IR programs: what is reachable from the function to start in, lowered function by function.

The procedure of that function begins with the first values of all globals. Where it is also called by others, they call
a second copy that does not.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass, replace
from difflib import get_close_matches

from paddock.frontends.c import tree as t
from paddock.frontends.c.arithmetic.bitvectors import BitVectors
from paddock.frontends.c.arithmetic.mathematical import Mathematical
from paddock.frontends.c.arithmetic.numbers import Numbers
from paddock.frontends.c.arithmetic.terms import Terms, choice, conjunction
from paddock.frontends.c.errno import is_errno
from paddock.frontends.c.escapes import Escapes
from paddock.frontends.c.library import ASSERTION_FAILURES, ASSERTIONS, ERRORS, SPECIFICATIONS, effect_of, has_own_body
from paddock.frontends.c.library_memory import REALLOCATIONS
from paddock.frontends.c.library_objects import NEED_OBJECTS
from paddock.frontends.c.library_rounding import MODE, SETS_MODE, TO_NEAREST
from paddock.frontends.c.lower_blocks import run
from paddock.frontends.c.lower_context import ANYTHING, HIDDEN, Plain, Shared
from paddock.frontends.c.lower_functions import FunctionLowering
from paddock.frontends.c.lower_outside import PROGRAM, OutsidePointers, Placed, Span, families_of, parts_of
from paddock.frontends.c.lower_places import MemoryPlace
from paddock.frontends.c.lower_settings import Settings
from paddock.frontends.c.lower_spared import Spared, is_unchangeable
from paddock.frontends.c.memory import ALIGNMENT, ANY_LENGTH, Cell, Memory, canonical
from paddock.frontends.c.memory_leaves import Leaves
from paddock.frontends.c.memory_ranges import bound_address, zero_entry
from paddock.frontends.c.pointsto import PointsTo
from paddock.frontends.c.pointsto_classes import Classes
from paddock.frontends.c.pointsto_tree import addresses_taken
from paddock.frontends.c.show import Object, Presentation, Scalar
from paddock.frontends.c.symbols import is_model
from paddock.frontends.c.text import string_text
from paddock.frontends.c.walk import children, nodes_in
from paddock.frontends.c.wrappers import possible_wrappers
from paddock.ir.build import FALSE, binder, select
from paddock.ir.expr import Attribute, Expr, Quantifier
from paddock.ir.graph import strongly_connected_components
from paddock.ir.modref import mod_ref
from paddock.ir.origin import Diagnostic, InputError, Origin
from paddock.ir.program import Procedure, Program
from paddock.ir.stmt import Assign
from paddock.ir.types import RMODE, Map

OBJECT_BITS = {4: 20, 8: 32}  # how far apart objects start whose ends matter, by the size of pointers


@dataclass(frozen=True, slots=True)
class Lowered:
    """A C program in the IR, and what its user should know of it."""

    program: Program
    warnings: tuple[Diagnostic, ...]
    presentation: Presentation


def lower(unit: t.Unit, settings: Settings, source_line: Callable[[Origin], str] = lambda _: "") -> Lowered:
    """The IR program of a linked C program; it starts in the function that the settings name."""
    return _ProgramLowering(unit, settings, source_line).lowered()


class _ProgramLowering:
    def __init__(self, unit: t.Unit, settings: Settings, source_line: Callable[[Origin], str]) -> None:
        self.unit = unit
        self.functions = {f.name: f for f in unit.functions}
        asks = any(f.body is None and f.name in NEED_OBJECTS for f in unit.functions)
        self.settings = settings = replace(settings, asks_about_objects=asks)
        self.globals = {g.variable: g for g in unit.globals}
        self.entry = self._entry()
        self.reached_functions: dict[str, None] = {}
        self.reached_globals: dict[t.Variable, None] = {}
        self._reach()
        integers = (Mathematical if settings.integers == "math" else BitVectors)(Terms())
        numbers = Numbers(unit.model, integers)
        leaves = Leaves(unit.layout)
        analysis = PointsTo(unit, leaves, lambda type_: canonical(type_, numbers), effect_of)
        for variable in self.reached_globals:
            analysis.add_global(self.globals[variable])
        bodies = [self.functions[name] for name in self.reached_functions]
        for function in bodies:
            analysis.add_function(function)
        callable_ = [f for f in bodies if not f.static and not is_model(f.origin) and self.entry.name != "main"]
        analysis.add_entry(self.entry, callable_)
        for root in self._unreached():
            analysis.add_unreached(root)
        pointsto = analysis.settled(lambda message, at: InputError(Diagnostic(message, at, source_line(at))))
        self.bodies = bodies
        self.graph = {f.name: self._callees(f, pointsto) for f in bodies}
        recursive = self._recursive()
        has_objects = pointsto.in_memory or pointsto.made_at_run_time(())
        stretch = PROGRAM[unit.model.pointer_size] if pointsto.arbitrary and has_objects else None
        memory = Memory(numbers, pointsto, self._spacing(pointsto), stretch)
        outside = OutsidePointers(numbers, pointsto, stretch) if stretch is not None else None
        presentation = Presentation(unit.layout, unit.enumerators, goes_on=settings.goes_on)
        renewed = self._renewed(pointsto) if asks or "pointer" in settings.checks else set()
        self.shared = Shared(
            unit, settings, numbers, leaves, pointsto, memory, recursive, renewed, source_line, presentation, outside
        )
        self.shared.functions = self.functions
        if not has_own_body(SETS_MODE, self.functions.get(SETS_MODE)) and SETS_MODE in self.functions:
            numbers.terms.mode = self.shared.hidden_global(MODE, RMODE)
        reporting = (*ERRORS, *ASSERTIONS, *ASSERTION_FAILURES)
        self.shared.possible_wrappers = possible_wrappers(self.functions.values(), reporting)
        self.shared.errno = next(filter(is_errno, self.reached_globals), None)
        found = [f for name in REALLOCATIONS if (f := self.functions.get(name)) is not None]
        reallocates = any(f.body is None for f in found)
        self.shared.tracks_sizes = settings.tracks_objects or reallocates
        static = self.shared.has_static_address
        locals_ = [(v, static(v, f.name)) for f in bodies for v in _locals(f)]
        dynamic = [variable for variable, is_static in locals_ if not is_static]
        self.static_classes, self.dynamic_classes = pointsto.origins(dynamic)
        inside = self._inside(pointsto)
        placed = [*self.reached_globals, *(variable for variable, is_static in locals_ if is_static)]
        variables = [v for v in placed if v in pointsto.in_memory]
        wild = (part for class_ in pointsto.as_numbers for part in pointsto.inside(class_))
        self.shared.spared = Spared(
            self.shared, (*variables, *pointsto.literals()), inside, (*self.dynamic_classes, *wild)
        )
        if outside is not None:
            self._place_known(outside, [variable for variable, is_static in locals_ if is_static], inside)
            outside.made_at_run_time |= {pointsto.family(class_) for class_ in pointsto.made_at_run_time(dynamic)}

    # --- what there is to lower --------------------------------------------------------------------------------

    def _entry(self) -> t.Function:
        name = self.settings.function
        function = self.functions.get(name)
        if function is not None and function.body is not None:
            return function
        defined = [f.name for f in self.unit.functions if f.body is not None]
        near = get_close_matches(name, defined, n=1)
        hint = f"did you mean {near[0]}?" if near else f"functions with a body: {', '.join(defined[:10]) or 'none'}"
        problem = "has no body" if function is not None else "is not there"
        raise InputError(Diagnostic(f"the program cannot start in the function {name}: it {problem}", hint=hint))

    def _reach(self) -> None:
        """Find the functions and globals that the entry may use."""
        functions, variables = [self.entry.name], list[t.Variable]()
        roots: list[t.Expression | t.Statement] = []
        while functions or variables or roots:
            if roots:
                for node in nodes_in(roots.pop()):
                    if isinstance(node, t.FunctionUse):
                        functions.append(node.name)
                    elif isinstance(node, t.VariableUse) and node.variable in self.globals:
                        variables.append(node.variable)
            elif functions:
                name = functions.pop()
                function = self.functions.get(name)
                if name in self.reached_functions or function is None or function.body is None:
                    continue
                if has_own_body(name, function):
                    self.reached_functions[name] = None
                    roots.append(function.body)
            else:
                variable = variables.pop()
                if variable not in self.reached_globals:
                    self.reached_globals[variable] = None
                    initialiser = self.globals[variable].initialiser
                    roots += [item.value for item in initialiser.items] if initialiser is not None else []
        # In the order of the source, not of discovery.
        self.reached_functions = {n: None for n in self.functions if n in self.reached_functions}
        self.reached_globals = {v: None for v in self.globals if v in self.reached_globals}

    def _unreached(self) -> Iterator[t.Expression | t.Statement]:
        """What others may have done before the program gets to its entry, and what they may look at."""
        for declared in self.unit.globals:
            if declared.variable not in self.reached_globals and declared.initialiser is not None:
                yield from (item.value for item in declared.initialiser.items)
        if self.entry.name != "main":
            for name, function in self.functions.items():
                if name not in self.reached_functions and function.body is not None and not is_model(function.origin):
                    yield function.body

    def _inside(self, pointsto: Classes) -> frozenset[t.Variable]:
        """The variables in memory whose addresses nobody outside can know."""
        escapes = Escapes(pointsto.in_memory, {f.name: f for f in self.bodies}, effect_of)
        for variable in self.reached_globals:
            escapes.add_global(self.globals[variable])
        for function in self.bodies:
            assert function.body is not None
            escapes.add(function.body)
        for root in self._unreached():
            escapes.escape(addresses_taken(root))
        return escapes.inside()

    def _callees(self, function: t.Function, pointsto: Classes) -> list[str]:
        """The functions with a body that a function may call."""
        assert function.body is not None
        names: dict[str, None] = {}
        for node in nodes_in(function.body):
            if isinstance(node, t.Call) and isinstance(node.function, t.FunctionUse):
                names[node.function.name] = None
            elif isinstance(node, t.Call):
                names |= {f.name: None for f in pointsto.callees(node)}
        return [name for name in names if name in self.reached_functions]

    def _recursive(self) -> set[str]:
        components = strongly_connected_components(self.graph)
        return {name for group in components for name in group if len(group) > 1 or name in self.graph[name]}

    def _renewed(self, pointsto: Classes) -> set[t.Variable]:
        """The locals to which a pointer may be left while there is a new object of the same declaration."""
        changed = {
            node.target.variable
            for function in self.bodies
            if function.body is not None
            for node in nodes_in(function.body)
            if isinstance(node, t.Assignment | t.Update) and isinstance(node.target, t.VariableUse)
        }
        renewed = pointsto.outlived({p for f in self.bodies for p in f.parameters if p not in changed})
        if all(self.entry.name not in callees for callees in self.graph.values()):
            renewed -= set(_begun_once(self.entry))
        return renewed

    def _spacing(self, pointsto: Classes) -> int:
        """How far apart objects start: where their ends matter, so far that the largest fits between two starts."""
        if not self.settings.tracks_objects:
            return ALIGNMENT
        bits = OBJECT_BITS[self.unit.model.pointer_size]
        largest = max((_size(pointsto, v) for v in pointsto.in_memory), default=0)
        return 1 << max(bits, largest.bit_length())

    def _place_known(
        self, outside: OutsidePointers, locals_: Iterable[t.Variable], inside: Container[t.Variable]
    ) -> None:
        """Place objects that pointers from outside may point to, those that the same may point to side by side."""
        shared, memory = self.shared, self.shared.memory
        in_memory = shared.pointsto.in_memory
        always: list[t.Variable | t.StringLiteral] = [
            *(v for v in self.reached_globals if v in in_memory and v not in inside),
            *shared.pointsto.literals(),
        ]
        known = [v for v in locals_ if v in in_memory and v not in inside]
        families = families_of(shared.pointsto, always, known)
        for family, (statics, others) in families.items():
            start = memory.end_of_constant
            for object_ in statics:
                _address(shared, object_)
            lasting = memory.gap() if statics else start
            for variable in others:
                _address(shared, variable)
            placed = [
                Placed(_address(shared, object_), object_.type, frozenset(parts_of(shared.pointsto, object_)))
                for object_ in (*statics, *others)
            ]
            outside.spans[family] = Span(start, lasting, memory.gap() if others else lasting, tuple(placed))

    # --- lowering ----------------------------------------------------------------------------------------------

    def lowered(self) -> Lowered:
        shared = self.shared
        for variable in self.reached_globals:
            if shared.is_plain(variable):
                self._declare_plain(variable)
        shared.inner_entry = f"{self.entry.name}.again"
        made: dict[str, Procedure] = {}
        is_called = any(self.entry.name in callees for callees in self.graph.values())
        for function in self.bodies:
            if function is not self.entry:
                made[function.name] = FunctionLowering(shared, function).procedure(function.name)
            elif is_called:
                made[shared.inner_entry] = FunctionLowering(shared, function).procedure(shared.inner_entry)
        entry = FunctionLowering(shared, self.entry).procedure(self.entry.name, self._set_up)
        marked = tuple(replace(i, attributes=(Attribute("entrypoint"),)) for i in entry.implementations)
        made[self.entry.name] = replace(entry, implementations=marked)
        if shared.may_do_anything:
            everything = (*(d.var for d in shared.globals.values()), *(d.var for d in shared.memory.declarations))
            changed = tuple(var for var in everything if var.name not in HIDDEN)
            shared.procedures[ANYTHING] = Procedure(ANYTHING, modifies=changed)
        order = [f.name for f in self.bodies]
        own = [made[name] for name in order] + [p for name, p in made.items() if name not in order]
        program = Program(
            functions=shared.numbers.terms.functions.declared,
            globals=(*shared.globals.values(), *shared.memory.declarations),
            procedures=(*shared.procedures.values(), *own),
        )
        self._present_objects()
        return Lowered(_with_modifies(program), tuple(shared.warnings.values()), shared.presentation)

    def _present_objects(self) -> None:
        """Say what lies at constant addresses, and which globals may have any value at first."""
        shared, shown = self.shared, self.shared.presentation
        shown.has_main = (main := self.functions.get("main")) is not None and main.body is not None
        shown.specified.update(
            (f.written_name, SPECIFICATIONS[f.name])
            for f in self.unit.functions
            if f.body is None and f.name in SPECIFICATIONS
        )
        for name, address in shared.function_addresses.items():
            function = self.functions.get(name)
            shown.function_names[address] = name if function is None else function.written_name
        for variable, address in shared.addresses.items():
            size = _size(shared.pointsto, variable) or ANY_LENGTH
            name, is_internal = variable.name or variable.unique, variable.is_internal
            symbol = variable.unique if variable.storage is t.Storage.GLOBAL and variable.name else ""
            undefined = variable in self.globals and self.globals[variable].external
            fixed = is_unchangeable(variable)
            shown.objects.append(Object(address, size, name, variable.type, symbol, is_internal, undefined, fixed))
        for literal, address in shared.strings.items():
            size = shared.leaves.layout.size(literal.type)
            shown.objects.append(Object(address, size, string_text(literal.units), literal.type, is_fixed=True))
        for variable, plain in shared.plain_globals.items():
            if self.globals[variable].external:
                for leaf in shared.leaves.of(variable.type):
                    if not leaf.dimensions:
                        name, var = shared.leaf_name(variable.name, leaf), plain.variables[leaf.key]
                        shown.inputs[var.name] = Scalar(name, var, leaf.type)

    def _declare_plain(self, variable: t.Variable) -> None:
        shared = self.shared
        shared.refuse_unsupported_type(variable)
        leaves = shared.leaves.of(variable.type)
        shared.plain_globals[variable] = Plain(
            {
                leaf.key: shared.global_variable(
                    shared.leaf_name(variable.unique, leaf), shared.leaf_type(leaf), variable.origin
                )
                for leaf in leaves
            },
            {leaf.key: leaf.type for leaf in leaves},
        )

    # --- globals -----------------------------------------------------------------------------------------------

    def _set_up(self, low: FunctionLowering) -> None:
        """Give all globals, and memory, their first values."""
        shared, blocks = self.shared, low.blocks
        start = blocks.mark()
        for variable in self.reached_globals:
            blocks.origin = variable.origin
            self._first_value(low, self.globals[variable])
        for literal, address in list(shared.strings.items()):
            blocks.origin = literal.origin
            node = shared.pointsto.location(literal)
            place = MemoryPlace(shared.numbers.address(address), node, literal.type)
            if shared.settings.tracks_objects:
                low.object_begins(place.address, low.size_of(literal.type))
            if shared.memory.cell(node) is not None:
                low.write_units(place, literal)
        blocks.origin = self.entry.origin
        low.begin_arguments()
        mode = shared.numbers.terms.mode
        assignments = [
            *([Assign((mode,), (TO_NEAREST,))] if mode is not None else []),
            *(
                Assign((cell.map,), (self._first_map(cell),))
                for cell in shared.memory.cells
                if cell.node in self.static_classes
            ),
            *self._first_objects(low),
        ]
        for assignment in assignments:
            start = blocks.insert(start, replace(assignment, origin=self.entry.origin))

    def _first_value(self, low: FunctionLowering, declared: t.Global) -> None:
        variable = declared.variable
        place = low.variable_place(variable)
        if isinstance(place, MemoryPlace):
            low.object_begins(place.address, low.size_of(variable.type))
        if declared.external:
            if isinstance(place, MemoryPlace):
                low.make_arbitrary(place)
                shared = self.shared
                shared.presentation.reached += low.reached(place.address, place.node, variable.type)
            else:
                leaves = self.shared.leaves.of(variable.type)
                held = [place.plain.variables[leaf.key] for leaf in leaves]
                class_ = self.shared.pointsto.variable(variable)
                low.pointers_from_outside(class_, leaves, held, at_start=True)
            return
        if declared.initialiser is None:
            if not isinstance(place, MemoryPlace):
                low.make_zero(place)
            return
        run(low.initialise(place, declared.initialiser, is_zero=isinstance(place, MemoryPlace)))

    def _first_map(self, cell: Cell) -> Expr:
        """The first content of a map: zero, but arbitrary where objects come to life at run time."""
        numbers, memory = self.shared.numbers, self.shared.memory
        zero = zero_entry(cell, numbers)
        assert isinstance(cell.map.type, Map)
        if cell.node not in self.dynamic_classes:
            return numbers.terms.functions.constant_map(zero, cell.map.type)
        bound = bound_address(memory.address_type)
        end = numbers.address(memory.end_of_constant)
        is_static = numbers.addresses.less(bound, end)
        if memory.stretch is not None:
            start = numbers.address(memory.start)
            below = numbers.addresses.at_least(bound, start)
            is_static = conjunction(below, is_static)
        return binder(Quantifier.LAMBDA, [bound], choice(is_static, zero, select(cell.map, bound)))

    def _first_objects(self, low: FunctionLowering) -> Iterable[Assign]:
        """What is known of objects before there are any."""
        shared = self.shared
        zero = shared.numbers.address(0)
        constants: dict[str, Expr] = {
            "memory#top": shared.numbers.address(shared.memory.first_free),
            "object#size": zero,
            "object#live": FALSE,
            "object#heap": FALSE,
            "heap#blocks": zero,
        }
        for name, value in constants.items():
            if name in shared.globals:
                var = shared.globals[name].var
                if isinstance(var.type, Map):
                    value = shared.numbers.terms.functions.constant_map(value, var.type)
                yield Assign((var,), (value,))


def _address(shared: Shared, object_: t.Variable | t.StringLiteral) -> int:
    """The constant address of an object, which gets it now if it has none yet."""
    if isinstance(object_, t.Variable):
        shared.static_address(object_)
        return shared.addresses[object_]
    shared.string_address(object_)
    return shared.strings[object_]


def _locals(function: t.Function) -> Iterable[t.Variable]:
    """The local objects of a function."""
    yield from function.parameters
    assert function.body is not None
    for node in nodes_in(function.body):
        if isinstance(node, t.Declare | t.CompoundLiteral):
            yield node.variable


def _begun_once(function: t.Function) -> Iterator[t.Variable]:
    """The locals of a function that begin to live at most once in a call of it: outside of loops."""
    assert function.body is not None
    yield from function.parameters
    if any(isinstance(node, t.Label) for node in nodes_in(function.body)):
        return
    stack: list[t.Statement | t.Expression] = [function.body]
    while stack:
        node = stack.pop()
        if isinstance(node, t.Declare | t.CompoundLiteral):
            yield node.variable
        if not isinstance(node, t.While | t.DoWhile | t.For):
            stack += children(node)


def _size(pointsto: Classes, variable: t.Variable) -> int:
    try:
        return pointsto.layout.size(variable.type)
    except ValueError:
        return 0


def _with_modifies(program: Program) -> Program:
    """The program with what each procedure with a body may change."""
    effects = mod_ref(program)
    procedures = tuple(
        replace(p, modifies=effects[p.name].modifies) if p.implementations else p for p in program.procedures
    )
    return replace(program, procedures=procedures)
