"""Random statements of C programs about memory, each free of undefined behaviour as long as those before it are.

A statement is a list of lines. A line that ends in `{` opens a block and one that starts with `}` closes it; what
belongs together for the program to stay defined (a declaration and its initialisation) is on one line, so that a
program stays defined when whole lines or blocks are taken away.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tests.property.c_layouts import (
    INTEGERS,
    Array,
    Pointer,
    Record,
    Scalar,
    Type,
    arranged,
    has_pointers,
    initialiser,
    leaves,
    parts,
    raw_bytes,
)
from tests.property.c_library_statements import LibraryStatements, Lines
from tests.property.c_memory_places import Object, Places

OPERATORS = ["+=", "-=", "^=", "|=", "&="]


class Statements:
    """Makes statements over the places of a program. What is declared at the start of a function is lasting."""

    def __init__(self, places: Places) -> None:
        self.places = places
        self.chance = places.chance
        self.library = LibraryStatements(places)
        self.calls: list[Callable[[], Lines]] = []  # ways to call the functions of the program

    def some(self, count: int, depth: int = 1) -> Lines:
        return [line for _ in range(count) for line in self.statement(depth)]

    def statement(self, depth: int) -> Lines:
        p, r = self.places, self.chance
        kinds: list[Callable[[], Lines]] = [self.assign, self.assign, self.mix]
        for feature, simple in (
            ("copy", self.copy),
            ("pun", self.pun),
            ("memory", self.memory_function),
            ("chain", self.chain),
            ("pointer", self.pointer),
            ("float", self.library.floats),
            ("errno", self.library.errno),
            ("builtin", self.library.builtins),
            ("drop", self.drop),
        ):
            kinds += [simple] * 4 * p.has(feature)
        kinds += [self.through_union] * 2 * p.has("union")
        kinds += [self._self_copy] * 2 * p.has("pointer")
        kinds += [self.array_as_pointer] * (p.has("pointer") or p.has("drop"))
        kinds += [self.library.strings] * 3 * (p.has("string") and not self.library.has_string)
        kinds += [self.library.scan] * 3 * p.has("scan")
        if depth > 0:
            kinds += [lambda: self.branch(depth)]
            kinds += [lambda: self.switch(depth)] * 3 * p.has("switch")
            kinds += [lambda: self.jump(depth)] * 3 * p.has("goto")
            kinds += [lambda: self.loop(depth), self.sweep] * 2 * p.has("loop")
            kinds += [lambda: self.block(depth)]
            kinds += r.sample(self.calls, min(len(self.calls), 2)) * 2
        return r.choice(kinds)()

    # What every program has.

    def mix(self) -> Lines:
        return [f"MIX({self.places.value(1)});"]

    def assign(self) -> Lines:
        p, r = self.places, self.chance
        place, leaf = p.place()
        match r.randrange(6):
            case 0:
                return [f"{place} {r.choice(OPERATORS)} {self._safely(leaf.type, p.value(1))};"]
            case 1 if self._is_unsigned(leaf.type) or leaf.type.size < 4:
                return [r.choice([f"{place}++;", f"--{place};", f"MIX({place}++);", f"MIX(--{place});"])]
            case _:
                return [f"{place} = {p.value()};"]

    def drop(self) -> Lines:
        """Something is read, and dropped."""
        place = self.places.place()[0]
        if self.chance.random() < 0.5:
            place, leaf = self.places.place(None, addressed=True)
            place = f"*(volatile {leaf.type.name} *)&{place}"
        return [
            self.chance.choice([f"{place};", f"(void){place};", f"{place}, {self.places.value(1)};", f"{place} + 1;"])
        ]

    @staticmethod
    def _is_unsigned(type_: object) -> bool:
        return isinstance(type_, Scalar) and type_.name.startswith("unsigned")

    def _safely(self, type_: object, value: str) -> str:
        """A value that can be added to what has a type without overflow, whatever that holds."""
        assert isinstance(type_, Scalar)
        if type_.size < 4:
            return f"(short)({value})"
        return value if self._is_unsigned(type_) and type_.size == 8 else f"(unsigned long)({value})"

    def local(self, type_: Type | None = None, lasting: bool = False, addressed: bool | None = None) -> Lines:
        """Declare an object and give it a value."""
        p, r = self.places, self.chance
        type_ = type_ or self._local_type()
        name = p.fresh("v")
        is_addressed = r.random() < 0.7 if addressed is None else addressed
        style = r.choice(["any", "direct", "cast"]) if is_addressed and not has_pointers(type_) else "direct"
        object_ = Object(name, type_, is_addressed, lasting, style)
        if isinstance(type_, Scalar):
            line = f"{type_.declare(name)} = {p.value(1)};"
        elif not is_addressed or r.random() < 0.6:
            start = r.choice(["{}", "{0}", initialiser(type_, r), initialiser(type_, r)])
            line = f"{type_.declare(name)} = {start};{self.pointers_in(object_)}"
        else:
            line = f"{type_.declare(name)}; memset(&{name}, {r.choice([0, 0, 1])}, sizeof {name});"
            line = line.replace(", 1,", ", 0,") if self._is_touchy(type_) else line
            line += self.pointers_in(object_)
        p.declare(object_)
        self.declare_aliases(object_)
        return [line]

    @staticmethod
    def _is_touchy(type_: Type) -> bool:
        """Whether not all bytes make a value of it."""
        return any(isinstance(x.type, Pointer) or x.type.kind != "integer" for x in leaves(type_))

    def _local_type(self) -> Type:
        p, r = self.places, self.chance
        if r.random() < 0.55:
            record = r.choice(p.records)
            return Array(record, 2) if r.random() < 0.15 and record.keyword == "struct" else record
        scalar = p.integer_type()
        return scalar if r.random() < 0.5 else arranged(Array(scalar, r.choice([2, 4])), r)

    def declare_aliases(self, object_: Object) -> None:
        """What the pointers in an object point to can be reached through them."""
        p = self.places
        for leaf in leaves(object_.type):
            if isinstance(leaf.type, Pointer):
                alias = f"(*{object_.text}{leaf.path})"
                p.declare(Object(alias, self._type_named(leaf.type.target), True, True, "direct"))

    def _type_named(self, name: str) -> Type:
        return next(t for t in (*INTEGERS, *self.places.records) if t.name == name)

    def address(self, target: str, own: Object | None = None) -> str:
        """The address of a lasting object of a type with a name."""
        p, r = self.places, self.chance
        type_ = self._type_named(target)
        # What is reached through pointers in the object itself is not there before they point to something again.
        through = () if own is None else (f"(*{own.text}.", f"(*{own.text}[")
        there = [o for o in p.objects if o.addressed and o.lasting and not o.text.startswith(through)]
        found = [o for o in there if o.type == type_]
        if own is not None and own.type == type_ and own.lasting and own.addressed:
            found += [own, own]
        if isinstance(type_, Scalar):
            inner = [
                f"&{o.text}{leaf.path}"
                for o in there
                for leaf in leaves(o.type)
                if leaf.type == type_ and not leaf.bits and o.style != "cast"
            ]
            return r.choice(inner) if inner and r.random() < 0.7 else f"&{p.scalar_target(target).text}"
        return f"&{r.choice(found).text}"

    def pointers_in(self, object_: Object) -> str:
        """Assignments that let all pointers in an object point to something."""
        assigned = [
            f" {object_.text}{leaf.path} = {self.address(leaf.type.target, object_)};"
            for leaf in leaves(object_.type)
            if isinstance(leaf.type, Pointer)
        ]
        return "".join(assigned)

    # Copies.

    def _same_typed(self) -> tuple[str, str, Record] | None:
        """Two places with records of one type that do not overlap but as a whole."""
        p, r = self.places, self.chance
        found: dict[str, list[tuple[str, Record, bool]]] = {}
        for o in p.objects:
            for path, type_ in _reachable(o):
                if isinstance(type_, Record):
                    found.setdefault(type_.name, []).append(
                        (o.text + path, type_, "." in path and _in_union(o.type, path))
                    )
        pairs = [group for group in found.values() if len(group) > 1]
        if not pairs:
            return None
        (a, type_, a_inside), (b, _, b_inside) = r.sample(r.choice(pairs), 2)
        return None if a_inside and b_inside else (a, b, type_)

    def copy(self) -> Lines:
        pair = self._same_typed()
        if pair is None:
            return self.local(self.chance.choice(self.places.records))
        a, b, type_ = pair
        r = self.chance
        match r.randrange(4):
            case 0:
                return self.keep(type_, a)
            case 1:
                return self.keep(type_, f"{a} = {b}")
            case _:
                return [f"{a} = {b};"]

    def through_union(self) -> Lines:
        """A struct is copied out of a union whose address nothing takes, and into it again."""
        p, r = self.places, self.chance
        found = [
            (union, struct, other)
            for union in p.records
            if union.keyword == "union"
            for struct in union.members
            for other in union.members
            if isinstance(struct.type, Record) and other.type in INTEGERS and struct.type.size == other.type.size
        ]
        if not found:
            return self.copy()
        union, struct, other = r.choice(found)
        assert isinstance(struct.type, Record)
        u, w = p.fresh("u"), p.fresh("w")
        made = f"{union.declare(u)} = {{0}}; {u}.{other.name} = {p.value(1)};"
        made += f" {struct.type.declare(w)} = {u}.{struct.name};"
        leaf = r.choice(list(leaves(struct.type)))
        back = f"{w}{leaf.path} = {p.value(1)}; {u}.{struct.name} = {w}; MIX({u}.{other.name});"
        return [f"{{ {made} MIX({w}{leaf.path}); {back if not isinstance(leaf.type, Pointer) else ''} }}"]

    # Other types, bytes.

    def pun(self) -> Lines:
        p, r = self.places, self.chance
        pun = p.punned(for_writing=True)
        if pun is None:
            return self.mix()
        place, type_ = pun
        if r.random() < 0.25:
            return [f"{place} {r.choice(OPERATORS)} {self._safely(type_, p.value(1))};"]
        return [f"{place} = {p.value()};"]

    def memory_function(self) -> Lines:
        p, r = self.places, self.chance
        object_ = p.some_object(addressed=True)
        if object_ is None:
            return self.mix()
        if r.random() < 0.3:
            zeroed = f"memset(&{object_.text}, 0, sizeof {object_.text});"
            is_alias = object_.text.startswith("(*")
            if object_.style != "direct":  # also between its members
                zeroed += f" MIX(((unsigned char *)&{object_.text})[{r.randint(0, 99)} % sizeof {object_.text}]);" * 2
            return self.mix() if is_alias and has_pointers(object_.type) else [zeroed + self.pointers_in(object_)]
        whole = [o for o in p.objects if isinstance(o.type, Record) and o.addressed and o.style == "direct"]
        if whole and r.random() < 0.4:
            return self._cut(r.choice(whole))
        if r.random() < 0.3 and (pair := self._same_typed()):
            a, b, type_ = pair
            if all(o.addressed for o in p.objects if a.startswith(o.text) or b.startswith(o.text)):
                return [f"{r.choice(['memcpy', 'memmove'])}(&{a}, &{b}, sizeof({type_.name}));"]
        return self._memory_range(object_)

    def _cut(self, object_: Object) -> Lines:
        """A struct whose members are used by name is filled in part."""
        raw, length = raw_bytes(object_.type, for_writing=True), 0
        while length in raw:
            length += 1
        if length == 0:
            return self.mix()
        count = self.chance.randint(1, length)
        near = [x for x in leaves(object_.type) if isinstance(x.type, Scalar) and x.offset <= count < x.offset + 8]
        seen = [f"MIX({object_.text}{x.path});" for x in near[:1]]
        return [f"memset(&{object_.text}, {self.places.value(1)}, {count});", *seen]

    def _memory_range(self, object_: Object) -> Lines:
        p, r = self.places, self.chance
        start, most = self._stretch(object_, for_writing=True)
        if most == 0:
            return self.mix()
        target = f"(char *)&{object_.text} + {start}" if start else f"&{object_.text}"
        numbers = [leaf.path for leaf in leaves(object_.type) if leaf.type in INTEGERS]
        if start == 0 and numbers and r.random() < 0.3:
            held = f"{object_.text}{r.choice(numbers)}"  # the length is in what it says how much to overwrite of
            return [f"{held} = {r.randint(1, most)};", f"memset({target}, {r.randint(0, 3)}, {held});"]
        if r.random() < 0.5:
            length = self._length(most, object_)
            return [f"memset({target}, {p.value(1)}, {length});"]
        other = p.some_object(addressed=True)
        assert other is not None
        begin, rest = self._stretch(other, for_writing=False)
        if rest == 0:
            return self.mix()
        return [f"memmove({target}, (char *)&{other.text} + {begin}, {self._length(min(most, rest), object_)});"]

    def _stretch(self, object_: Object, for_writing: bool) -> tuple[int, int]:
        """Where to start, and how many bytes may follow."""
        raw = raw_bytes(object_.type, for_writing)
        if not raw:
            return 0, 0
        start = min(raw) if self.chance.random() < 0.6 else self.chance.choice(sorted(raw))
        length = 0
        while start + length in raw:
            length += 1
        return start, length

    def _length(self, most: int, object_: Object) -> str:
        """A length of at most so many bytes; now and then one that is stored in the object itself."""
        p, r = self.places, self.chance
        if r.random() < 0.5:
            return str(r.randint(0, most))
        mask = (1 << (most.bit_length() - 1)) - 1
        mask = min(mask, 15)
        if r.random() < 0.5:
            return f"{p.place(object_)[0]} & {mask}"
        return f"{p.read()} & {mask}"

    # Assignments as values.

    def chain(self) -> Lines:
        p, r = self.places, self.chance
        place, leaf = p.place()
        match r.randrange(8):
            case 0 | 1:
                value = f"{place} = {p.value(1)}"
            case 2:
                value = f"{place} {r.choice(OPERATORS)} {self._safely(leaf.type, p.value(1))}"
            case 3 | 4:
                return self._self_index()
            case 5:
                return self._pointer_chain()
            case 6:
                return self._self_copy()
            case _:
                value = f"({place} = {p.value(1)}, {p.value(1)})"
        return self.keep(p.integer_type(), value)

    def keep(self, type_: Scalar | Record, value: str) -> Lines:
        """Declare an object with a value. It is declared after the value is made, which must not use it."""
        name = self.places.fresh("w")
        is_addressed = isinstance(type_, Record) and self.chance.random() < 0.5
        self.places.declare(Object(name, type_, is_addressed, False, "direct"))
        return [f"{type_.declare(name)} = {value};"]

    def _integer_arrays(self) -> list[tuple[str, Array]]:
        reachable = ((o.text + path, t) for o in self.places.objects for path, t in _reachable(o))
        return [(text, t) for text, t in reachable if isinstance(t, Array) and t.element in INTEGERS]

    def _self_index(self) -> Lines:
        """An array whose elements say which one to overwrite: most of the time the one that says so."""
        p, r = self.places, self.chance
        arrays = self._integer_arrays()
        if not arrays:
            return self.assign()
        text, array = r.choice(arrays)
        at = r.randrange(array.count)
        operator = r.choice(["=", "=", "+=", "^="])
        new = p.constant() if operator == "=" else self._safely(array.element, p.constant())
        first = [f"{text}[{at}] = {at};"] * (r.random() < 0.7)
        kept = self.keep(INTEGERS[5], f"{text}[{text}[{at}] & {array.count - 1}] {operator} {new}")
        return [*first, *kept, f"MIX({p.objects[-1].text});"]

    def _pointer_chain(self) -> Lines:
        p, r = self.places, self.chance
        own = [
            (o, leaf)
            for o in p.objects
            for leaf in leaves(o.type)
            if isinstance(leaf.type, Pointer) and isinstance(o.type, Record) and leaf.type.target == o.type.name
        ]
        if not own:
            return self.assign()
        o, leaf = r.choice(own)
        name, target = p.fresh("q"), self.address(leaf.type.target)
        assert isinstance(leaf.type, Pointer)
        return [
            f"{leaf.type.declare(name)} = {o.text}{leaf.path}->{leaf.path[1:]} = {target}; MIX({name} == {target});"
        ]

    def _self_copy(self) -> Lines:
        """A struct is copied to where a pointer in it points to, which is the struct itself: the pointer changes."""
        p, r = self.places, self.chance
        own = [
            (o, leaf)
            for o in p.objects
            if isinstance(o.type, Record) and o.addressed and o.lasting and not o.text.startswith("(*")
            for leaf in leaves(o.type)
            if isinstance(leaf.type, Pointer) and leaf.type.target == o.type.name
        ]
        if not own:
            return self.assign()
        o, leaf = r.choice(own)
        pointer, w = f"{o.text}{leaf.path}", p.fresh("w")
        numbers = [x.path for x in leaves(o.type) if x.type in INTEGERS]
        pointers = [x.path for x in leaves(o.type) if isinstance(x.type, Pointer)]
        changed = o.text if (zeroed := r.random() < 0.4) else w
        made = f"{o.type.declare(w)} = {o.text};"
        made += "".join(f" {changed}{path} = {r.randint(1, 99)};" for path in numbers)
        copied = r.choice([f"*{pointer} = {w};", f"memcpy({pointer}, &{w}, sizeof {w});"])
        if zeroed:
            copied = f"memset({pointer}, 0, sizeof *{pointer});"
        else:
            made += f" {w}{leaf.path} = &{w};"
        restored = "".join(f" {o.text}{path} = {w}{path};" for path in pointers)
        restored += f" {pointer} = &{o.text};"
        seen = "".join(f" MIX({o.text}{path});" for path in numbers[:2])
        return [f"{{ {made} {pointer} = &{o.text}; {copied}{restored}{seen} }}"]

    # Pointers.

    def array_as_pointer(self) -> Lines:
        """An array is converted to a pointer where nothing takes its address."""
        p, r = self.places, self.chance
        arrays = [(o.text + path, t) for o in p.objects for path, t in _reachable(o) if isinstance(t, Array)]
        if not arrays:
            return self.mix()
        (text, array), (other, _) = r.choice(arrays), r.choice(arrays)
        at = r.randrange(array.count)
        values = [f"!{text}", f"{text} && {p.value(1)}", f"{text} == &{text}[{at}]", f"&{text}[{at}] - {text}"]
        values += [f"(long){text} == (long){other}", f"(char *)({text} + {at}) - (char *){text}", f"{text} ? 2 : 3"]
        return [f"MIX({r.choice(values)});"]

    def pointer(self) -> Lines:
        p, r = self.places, self.chance
        held = [f"{o.text}{leaf.path}" for o in p.objects for leaf in leaves(o.type) if isinstance(leaf.type, Pointer)]
        types = {
            f"{o.text}{leaf.path}": leaf.type
            for o in p.objects
            for leaf in leaves(o.type)
            if isinstance(leaf.type, Pointer)
        }
        if not held or r.random() < 0.4:
            return self._new_pointer()
        place = r.choice(held)
        type_ = types[place]
        assert isinstance(type_, Pointer)
        others = [text for text, t in types.items() if t == type_ and text != place]
        if others and r.random() < 0.4:
            return [f"{place} = {r.choice(others)};"]
        if r.random() < 0.3:
            return [f"MIX({place} == {self.address(type_.target)});"]
        return [f"{place} = {self.address(type_.target)};"]

    def _new_pointer(self) -> Lines:
        """A pointer to an object, a member or an element."""
        p, r = self.places, self.chance
        found = [
            (o.text + path, t)
            for o in p.objects
            if o.addressed
            for path, t in _reachable(o)
            if t in INTEGERS or isinstance(t, Record)
        ]
        if not found:
            return self.assign()
        text, type_ = r.choice(found)
        name = p.fresh("p")
        address = f"&{text}"
        if text.endswith("]") and r.random() < 0.5:
            address = f"{text.rsplit('[', 1)[0]} + {r.choice(['1', f'({p.read()} & 1)'])}"
        p.declare(
            Object(
                f"(*{name})",
                type_,
                True,
                False,
                r.choice(["any", "direct", "cast"]) if not has_pointers(type_) else "direct",
            )
        )
        assert isinstance(type_, Scalar | Record)
        return [f"{type_.declare('*' + name)} = {address};"]

    # Control.

    def branch(self, depth: int) -> Lines:
        with self.places.block():
            first = self.some(1, depth - 1)
        with self.places.block():
            second = self.some(1, depth - 1)
        condition = self.places.value(1)
        return [f"if ({condition}) {{", *first, "} else {", *second, "}"]

    def block(self, depth: int) -> Lines:
        with self.places.block():
            return ["{", *self.local(), *self.some(2, depth - 1), "}"]

    def switch(self, depth: int) -> Lines:
        """A switch that jumps over declarations at its start."""
        p, r = self.places, self.chance
        with p.block():
            type_ = r.choice([p.integer_type(), r.choice(p.records)])
            name = p.fresh("d")
            object_ = Object(name, type_, True, False, "direct")
            start = self._start_of(object_)
            p.declare(object_)
            cases: Lines = []
            for label in ["case 0:", "case 1:", "default:"][r.randint(0, 1) :]:
                with p.block():
                    body = self.some(1, depth - 1)
                end = f"MIX({p.place(object_)[0]}); {r.choice(['break;', ''])}"
                cases += [f"{label} {start}", "{", *body, "}", end]
        return [f"switch ({p.value(1)} & 3) {{ {type_.declare(name)};", *cases, "}"]

    def _start_of(self, object_: Object) -> str:
        """Give an object that was declared elsewhere its first value."""
        if isinstance(object_.type, Scalar):
            return f"{object_.text} = {self.places.constant()};"
        return f"memset(&{object_.text}, 0, sizeof {object_.text});{self.pointers_in(object_)}"

    def jump(self, depth: int) -> Lines:
        p, r = self.places, self.chance
        label = p.fresh("L")
        if r.random() < 0.35:
            name = p.fresh("n")
            with p.block():
                body = self.some(1, depth - 1)
            return [
                "{",
                f"unsigned char {name} = 0; {label}: ;",
                "{",
                *body,
                "}",
                f"if (++{name} < {r.randint(2, 3)}) goto {label};",
                "}",
            ]
        with p.block():
            type_ = r.choice([p.integer_type(), r.choice(p.records)])
            object_ = Object(p.fresh("d"), type_, True, False, "direct")
            start = self._start_of(object_)
            p.declare(object_)
            body = [*self.some(1, depth - 1), f"MIX({p.place(object_)[0]});"]
        declared = f"{type_.declare(object_.text)}; {label}: {start}"
        if r.random() < 0.5:
            return ["{", f"goto {label}; {declared}", *body, "}"]
        return [f"goto {label}; {{", declared, *body, "}"]

    def loop(self, depth: int) -> Lines:
        """A loop with few iterations, whose counter may be narrower or wider than its bound."""
        p, r = self.places, self.chance
        name, type_ = p.fresh("i"), p.integer_type()
        with p.block():
            body = self.some(1, depth - 1)
            if r.random() < 0.4:
                body += self.local()
        match r.randrange(4):
            case 0:
                return [f"for ({type_.declare(name)} = {r.randint(2, 3)}; {name} > 0; {name}--) {{", *body, "}"]
            case 1:
                return [
                    "{",
                    f"{type_.declare(name)} = 0;",
                    "do {",
                    *body,
                    f"}} while (++{name} < {r.randint(2, 3)});",
                    "}",
                ]
            case 2:
                leave = r.choice(["break", "continue"])
                first = f"if ({name} == 1) {leave};"
                return [f"for ({type_.declare(name)} = 0; {name} < 3; {name}++) {{ {first}", *body, "}"]
            case _:
                bound = r.choice(["2", "3", "3u", "2L", "sizeof(short)"])
                return [f"for ({type_.declare(name)} = 0; {name} < {bound}; {name}++) {{", *body, "}"]

    def sweep(self) -> Lines:
        """A loop over all elements or bytes, some with more iterations than the bound on recursion."""
        p, r = self.places, self.chance
        name, type_ = p.fresh("i"), p.integer_type()
        if r.random() < 0.3:
            total, length = p.fresh("n"), r.randint(9, 20)
            bound = r.choice(
                [f"{length}", f"{length}u", f"sizeof(char[{length}])", f"sizeof(int[{length}]) / sizeof(int)"]
            )
            loop = f"for ({type_.declare(name)} = 0; {name} < {bound}; {name}++) {total} += 3;"
            return [f"{{ unsigned {total} = {p.value(1)}; {loop} MIX({total}); }}"]
        arrays = self._integer_arrays()
        if not arrays:
            return self.mix()
        text, array = r.choice(arrays)
        bound = r.choice([f"sizeof {text} / sizeof {text}[0]", str(array.count), f"{array.count}u"])
        new = r.choice([f"{name}", f"{name} ^ {p.constant()}"])
        body = r.choice([f"{text}[{name}] = {new};", f"MIX({text}[{name}]);"])
        return [f"for ({type_.declare(name)} = 0; {name} < {bound}; {name}++) {{ {body} }}"]


def _in_union(type_: Type, path: str) -> bool:
    """Whether what a path leads to is in a union, at any depth."""
    return any(leaf.in_union for leaf in leaves(type_) if leaf.path.startswith(path))


def _reachable(object_: Object) -> Iterator[tuple[str, Type]]:
    """The parts of an object that may be named."""
    return iter([("", object_.type)]) if object_.style == "cast" else parts(object_.type)
