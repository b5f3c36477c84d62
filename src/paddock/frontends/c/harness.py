"""A harness: C code that gives a compiled program the inputs of a counterexample, so that the bug can be watched.

It is a file of its own, linked with the program, that knows nothing of the program's headers: pointers are `void *`,
and structs are written out again. Each function without a body becomes one that does, call by call, what it did in the
counterexample; functions that state what must hold stop the program when it does not.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from paddock.frontends.c import types as c
from paddock.frontends.c.harness_schedule import Schedule, schedule_lines
from paddock.frontends.c.lowering.errno import ENOMEM
from paddock.frontends.c.show import Object, Presentation, ShownFunction, signed_number
from paddock.frozen import field, frozen, mutable

Number = bool | int | Fraction

MARGIN = 64  # bytes behind what is known of an object
_SUFFIXES = {"long": "L", "unsigned int": "U", "unsigned long": "UL", "long long": "LL", "unsigned long long": "ULL"}
_SPECIFICATIONS = {
    "error": "void {}() {{ abort(); }}",
    "assert": "void {}(int condition) {{ if (!condition) abort(); }}",
    "assume": "void {}(int condition) {{ if (!condition) exit(0); }}",
}


@frozen
class Content:
    """A scalar in memory: where the object starts that it is in, its own address, its value. `argument` is which
    argument points to the object, if that is how to find it, and `place` an expression for the scalar, if that is."""

    start: int
    address: int
    type: c.CType
    value: Number
    argument: int | None = None
    place: str = ""


@frozen
class Returned:
    """What one call of a function gives: the scalars of its result, by name, and what it leaves in memory."""

    result: dict[str, tuple[Number, c.CType]]
    contents: tuple[Content, ...] = ()


@mutable
class Inputs:
    """All that an execution got from outside."""

    entry: ShownFunction
    arguments: dict[str, tuple[Number, c.CType]]
    contents: list[Content] = field(default_factory=list)
    globals: dict[str, tuple[Number, c.CType]] = field(default_factory=dict)
    calls: dict[str, tuple[c.FunctionType, list[Returned]]] = field(default_factory=dict)  # by the names of functions
    # Which calls of functions that allocate memory fail, by their names.
    allocations: dict[str, tuple[c.FunctionType, list[bool]]] = field(default_factory=dict)
    unfed: dict[str, None] = field(default_factory=dict)  # calls of the library that did what models leave open

    @property
    def failing(self) -> dict[str, tuple[c.FunctionType, list[bool]]]:
        """The functions that fail to allocate memory at least once."""
        return {name: (type_, calls) for name, (type_, calls) in self.allocations.items() if any(calls)}


@frozen
class Build:
    """How a program is compiled: its files, what the preprocessor must know, what the harness is called, whether
    errors that go unnoticed otherwise are to be found, and what is linked with it."""

    files: Sequence[str]
    flags: Sequence[str]
    harness: str
    sanitized: bool
    libraries: Sequence[str] = ()
    reaches_goal: bool = False  # what is shown is no bug, and ends where its inputs do


def harness_text(
    inputs: Inputs, presentation: Presentation, build: Build, bug: str, schedule: Schedule | None = None
) -> str:
    """The whole file; `bug` says what goes wrong. A program with threads has a schedule."""
    return "\n".join(_Writer(inputs, presentation, build, schedule).lines(bug)) + "\n"


_MOST_NAMED = 6  # calls, in a comment

# Variables that the system's library defines: functions of it that have no other definition here rely on them.
_OF_THE_SYSTEM = frozenset(("stdin", "stdout", "stderr", "environ", "optarg", "optind", "opterr", "optopt"))


class _Writer:
    def __init__(self, inputs: Inputs, presentation: Presentation, build: Build, schedule: Schedule | None) -> None:
        self.inputs = inputs
        self.schedule = schedule
        self.build = build
        self.shown = presentation
        self.layout = presentation.layout
        self.globals = [o for o in presentation.objects if o.symbol.isidentifier() and o.symbol not in _OF_THE_SYSTEM]
        every = list(filter(self._fits, inputs.contents))
        for _, calls in inputs.calls.values():
            own = (n for call in calls for n in call.contents if n.argument is None and not n.place)
            every += filter(self._fits, own)
        self.objects = list(_objects((n for n in every if self._global(n.start) is None), self.layout))
        # What the code that is written mentions of the program.
        self.mentioned: dict[str, Object] = {o.symbol: o for o in self.globals if o.undefined}
        self.mentioned_functions: dict[str, None] = {}
        if schedule is not None:
            self.mentioned |= schedule.objects

    @property
    def calls_entry(self) -> bool:
        """Whether the harness starts the program, because the first function is not `main`, or has parameters."""
        return self.inputs.entry.name != "main" or bool(self.inputs.entry.type.parameters)

    def _global(self, address: int) -> Object | None:
        """The global that an address points into, or just behind."""
        inside = [o for o in self.globals if o.start <= address <= o.start + o.size]
        return max(inside, key=lambda object_: object_.start, default=None)

    def _fits(self, content: Content) -> bool:
        """Whether a content is where it seems to be: not behind the end of a global, or of all addresses."""
        global_, end = self._global(content.start), content.address + self.layout.size(content.type)
        return content.start <= content.address and (global_ is None or end <= global_.start + global_.size)

    def lines(self, bug: str) -> Iterator[str]:
        """What is written, line by line: the globals that the rest mentions come before it."""
        code = list(self._code())
        yield f"/* {bug.replace('*/', '* /')}"
        yield ""
        if self.inputs.unfed:
            named = list(self.inputs.unfed)
            more = f" and {len(named) - _MOST_NAMED} more" if len(named) > _MOST_NAMED else ""
            yield "   Here the library of the system does what it does, and not what the trace says, in calls of"
            yield f"   {', '.join(named[:_MOST_NAMED])}{more}:"
            yield "   give it such input (files, standard input, variables of the environment)."
            yield ""
        yield "   To see it:"
        for command in self._commands():
            yield f"     {command}"
        yield "*/"
        yield ""
        if self.calls_entry and self.shown.has_main:
            yield "#undef main"
        yield "extern void abort(void);"
        yield "extern void exit(int status);"
        if any(n.place for _, calls in self.inputs.calls.values() for call in calls for n in call.contents):
            yield "extern int *__errno_location(void);"
        yield from self._records()
        for number, (start, end) in enumerate(self.objects, 1):
            yield f"static unsigned char object{number}[{end - start + MARGIN}] __attribute__((aligned(16)));"
        for object_ in self.mentioned.values():
            # What is declared here are the bytes, since the types of the program are not known.
            bytes_ = f"unsigned char {object_.symbol}[{object_.size or MARGIN}]"
            yield f"{bytes_} __attribute__((aligned(16)));" if object_.undefined else f"extern {bytes_};"
        for function in self.mentioned_functions:
            yield f"extern void {function}();"
        yield from code

    def _code(self) -> Iterator[str]:
        for kind_of, kind in self.shown.specified.items():
            yield _SPECIFICATIONS[kind].format(kind_of)
        for global_, (value, type_) in self.inputs.globals.items():
            if global_.isidentifier() and global_ not in _OF_THE_SYSTEM:
                yield f"{_declared(type_, global_)} = {self._literal(value, type_)};"
        for function, (type_, calls) in self.inputs.calls.items():
            if not function.isidentifier():
                continue
            yield ""
            yield from self._function(function, type_, calls)
        for function, (type_, failures) in self.inputs.failing.items():
            yield ""
            yield from self._allocation(function, type_, failures)
        if self.schedule is not None:
            functions = self.schedule.functions.items()
            yield from schedule_lines(self.schedule, {name: _wrapped(name, type_) for name, type_ in functions})
        if self.calls_entry:
            yield ""
            yield from self._main()
        elif self.inputs.contents:
            yield ""
            yield "__attribute__((constructor)) static void set_up(void) {"
            yield from self._set_up()
            yield "}"

    def _set_up(self) -> Iterator[str]:
        """What is in memory before the program starts."""
        for content in self.inputs.contents:
            global_ = self._global(content.start)
            # Globals that the program defines have the values that it gives them.
            if self._fits(content) and (global_ is None or global_.undefined):
                yield f"  {self._write(content)}"

    def _commands(self) -> Iterator[str]:
        entry, build, schedule = self.inputs.entry, self.build, self.schedule
        # There are hooks before accesses for 64 bits only.
        gcc = "gcc -g -m32" if self.layout.model.pointer_size == 4 and schedule is None else "gcc -g"
        gcc += " --coverage" if build.reaches_goal else ""
        sanitizers = " -fsanitize=address,undefined -fno-sanitize-recover" if build.sanitized else ""
        renamed = ["-Dmain=main_of_the_program"] if self.calls_entry and self.shown.has_main else []
        # What the linker wraps is defined in the harness, and what it was before is `__real_…`.
        own = (*self.inputs.failing, *(() if schedule is None else schedule.functions))
        wrapped = [f"-Wl,--wrap={name}" for name in own]
        given = shlex.join((*renamed, *build.flags, *wrapped, *build.files))
        harness = shlex.quote(build.harness)
        name = "goal" if build.reaches_goal else "bug"
        output = " ".join((f"-o {name}", *build.libraries, f"&& ./{name}"))
        functions = [*([entry.name] if self.calls_entry else []), *self.mentioned_functions]
        static = [f.name for f in self.shown.functions.values() if f.static and f.name in functions]
        hidden = [*static, *(object_.symbol for object_ in self.mentioned.values() if object_.is_internal)]
        if schedule is not None:
            compiled = shlex.join((*renamed, *build.flags, *build.files))
            keep = " -fkeep-static-functions" if static else ""
            yield f"{gcc} -fsanitize=thread{keep} -r -nostdlib -o program.o {compiled}"
            if hidden:
                yield f"objcopy {' '.join(f'--globalize-symbol={name}' for name in hidden)} program.o"
            yield f"{gcc} {shlex.join(wrapped)} program.o {harness} -pthread {output}"
        elif hidden:
            keep = " -fkeep-static-functions" if static else ""
            yield f"{gcc}{sanitizers}{keep} -r -o program.o {given}"
            yield f"objcopy {' '.join(f'--globalize-symbol={name}' for name in hidden)} program.o"
            yield f"{gcc}{sanitizers} program.o {harness} {output}"
        else:
            yield f"{gcc}{sanitizers} {given} {harness} {output}"

    # --- functions -----------------------------------------------------------------------------------------

    def _function(self, name: str, type_: c.FunctionType, calls: Sequence[Returned]) -> Iterator[str]:
        """A function that does in each call what it did in the counterexample."""
        yield f"{_declared(type_.result, f'{name}({_parameters(type_)})')} {{"
        yield "  static unsigned call;"
        is_void = isinstance(type_.result, c.VoidType)
        if not is_void:
            yield f"  {_declared(type_.result, 'result')} = {{0}};"
        yield "  switch (call++) {"
        for number, call in enumerate(calls):
            yield f"  case {number}:"
            for content in call.contents:
                if content.argument is not None or content.place or self._fits(content):
                    yield f"    {self._write(content)}"
            for part, (value, scalar) in call.result.items():
                yield f"    result{_path(part)} = {self._literal(value, scalar)};"
            yield "    break;"
        if self.build.reaches_goal:
            yield "  default:"
            yield "    exit(0);"
        yield "  }"
        if not is_void:
            yield "  return result;"
        yield "}"

    def _allocation(self, name: str, type_: c.FunctionType, failures: Sequence[bool]) -> Iterator[str]:
        """A function of the library that fails in some calls, and does what it always does in the others."""
        parameters = _parameters(type_)
        arguments = ", ".join(f"p{n}" for n in range(len(type_.parameters)))
        numbers = " || ".join(f"call == {n}" for n, fails in enumerate(failures, 1) if fails)
        failure = "(void *)0" if isinstance(type_.result, c.PointerType) else str(ENOMEM)
        yield f"extern {_declared(type_.result, f'__real_{name}({parameters})')};"
        yield f"{_declared(type_.result, f'__wrap_{name}({parameters})')} {{"
        yield "  static unsigned call;"
        yield "  call++;"
        yield f"  return {numbers} ? {failure} : __real_{name}({arguments});"
        yield "}"

    def _main(self) -> Iterator[str]:
        entry = self.inputs.entry
        called = "main_of_the_program" if entry.name == "main" else entry.name
        yield f"extern {_declared(entry.type.result, f'{called}({_parameters(entry.type)})')};"
        yield "int main(void) {"
        names = [f"p{n}" for n in range(len(entry.type.parameters))]
        for name, type_ in zip(names, entry.type.parameters, strict=True):
            yield f"  {_declared(type_, name)} = {{0}};"
        yield from self._set_up()
        for part, (value, type_) in self.inputs.arguments.items():
            yield f"  {part} = {self._literal(value, type_)};"
        yield f"  {called}({', '.join(names)});"
        yield "  return 0;"
        yield "}"

    def _write(self, content: Content) -> str:
        offset = content.address - content.start
        if content.place:
            return f"{content.place} = {self._literal(content.value, content.type)};"
        if content.argument is not None:
            place = f"(char *)p{content.argument} + {offset}" if offset else f"p{content.argument}"
        else:
            place = self._pointer(content.address).strip("()")
        written = f"*({_declared(content.type, '*')})({place}) = {self._literal(content.value, content.type)};"
        return f"if (p{content.argument}) {written}" if content.argument is not None else written

    # --- types ---------------------------------------------------------------------------------------------

    def _records(self) -> Iterator[str]:
        """The structs and unions that functions pass by value, what is inside before what is around."""
        types = [t for type_, _ in self.inputs.calls.values() for t in (type_.result, *type_.parameters)]
        if self.calls_entry:
            types += [self.inputs.entry.type.result, *self.inputs.entry.type.parameters]
        done: dict[str, None] = {}
        stack = [(type_, False) for type_ in reversed(types)]
        while stack:
            type_, are_parts_done = stack.pop()
            while isinstance(type_, c.ArrayType | c.VariableArrayType):
                type_ = type_.element
            definition = self.layout.definition(type_) if isinstance(type_, c.RecordType) else None
            if definition is None or definition.type.key in done:
                continue
            if not are_parts_done:
                stack.append((definition.type, True))
                stack += [(f.type, False) for f in definition.fields]
                continue
            done[definition.type.key] = None
            members = "".join(f" {_member(f)};" for f in definition.fields)
            yield f"{definition.type} {{{members} }};"

    # --- values --------------------------------------------------------------------------------------------

    def _literal(self, value: Number, type_: c.CType) -> str:
        match type_:
            case c.PointerType(c.FunctionType()) if int(value) in self.shown.function_names:
                return self._function_name(self.shown.function_names[int(value)])
            case c.PointerType():
                return self._pointer(int(value))
            case c.FloatType():
                return _float(int(value), type_)
            case c.EnumType(underlying=underlying):
                return _integer(int(value), underlying)
            case c.IntType():
                return _integer(int(value), type_)
            case _:
                return str(int(value))

    def _function_name(self, name: str) -> str:
        if name not in self.inputs.calls:
            self.mentioned_functions[name] = None
        return f"(void *){name}"

    def _pointer(self, address: int) -> str:
        for number, (start, end) in enumerate(self.objects, 1):
            if start <= address <= end:
                return f"(object{number} + {address - start})"
        object_ = self._global(address)
        if object_ is not None:
            self.mentioned[object_.symbol] = object_
            return f"({object_.symbol} + {address - object_.start})"
        suffix = "U" if self.layout.model.pointer_size == 4 else "UL"
        return f"(void *){address:#x}{suffix}" if address else "(void *)0"


def _wrapped(name: str, type_: c.FunctionType) -> tuple[str, str, str]:
    """How a function of the library is declared that the linker wraps, what it was before, and what hands on its
    arguments."""
    head, real = (_declared(type_.result, f"{prefix}{name}({_parameters(type_)})") for prefix in ("__wrap_", "__real_"))
    return head, real, ", ".join(f"p{n}" for n in range(len(type_.parameters)))


def _declared(type_: c.CType, name: str) -> str:
    """A declaration of a name with a type; all pointers are `void *`."""
    while isinstance(type_, c.ArrayType | c.VariableArrayType):
        length = type_.length if isinstance(type_, c.ArrayType) else None
        name, type_ = f"{name}[{length or 0}]", type_.element
    match type_:
        case c.PointerType() | c.FunctionType():
            return f"void *{name}"
        case c.EnumType(underlying=underlying):
            return f"{underlying} {name}"
        case _:
            return f"{type_} {name}"


def _parameters(type_: c.FunctionType) -> str:
    named = [_declared(parameter, f"p{n}") for n, parameter in enumerate(type_.parameters)]
    if type_.variadic and named:
        named.append("...")
    return ", ".join(named) if named or not type_.prototyped else "void"


def _member(member: c.Field) -> str:
    width = "" if member.bit_width is None else f" : {member.bit_width}"
    return _declared(member.type, member.name or _unnamed(member.index)) + width


def _objects(contents: Iterable[Content], layout: c.Layout) -> Iterator[tuple[int, int]]:
    """Stretches of memory that hold all contents: where they start and end. Null is none of them."""
    stretches = sorted((n.start, n.address + layout.size(n.type)) for n in contents if n.start)
    while stretches:
        start, end = stretches.pop(0)
        while stretches and stretches[0][0] <= end:
            end = max(end, stretches.pop(0)[1])
        yield start, end


def _path(part: str) -> str:
    """The way to a member, where those without a name have one."""
    return ".".join(_unnamed(int(word)) if word.isdecimal() else word for word in part.split("."))


def _unnamed(index: int) -> str:
    return f"unnamed{index}"


def _integer(value: int, type_: c.IntType) -> str:
    number = signed_number(value, type_)
    suffix = _SUFFIXES.get(type_.name, "")
    if type_.width > 64:
        high, low = number >> 64, number & ((1 << 64) - 1)
        return f"(({type_})((unsigned __int128)({high}LL) << 64) | {low}ULL)"
    if number == -(1 << (type_.width - 1)) and type_.signed:
        return f"({number + 1}{suffix} - 1)"
    return f"{number}{suffix}"


def _float(bits: int, type_: c.FloatType) -> str:
    width = type_.significand - 1
    sign = "-" if bits >> (width + type_.exponent) & 1 else ""
    exponent, fraction = bits >> width & ((1 << type_.exponent) - 1), bits & ((1 << width) - 1)
    if exponent == (1 << type_.exponent) - 1:
        return '__builtin_nan("")' if fraction else f"{sign}__builtin_inf()"
    mantissa = fraction | 1 << width if exponent else fraction
    power = max(exponent, 1) - (1 << (type_.exponent - 1)) + 1 - width
    return f"{sign}{mantissa:#x}p{power}{ {'float': 'f', 'long double': 'L'}.get(type_.name, '') }"
