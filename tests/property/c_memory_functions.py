"""Random functions of C programs about memory, and ways to call them: by value, by address, through pointers."""

from __future__ import annotations

import re
from collections.abc import Callable

from tests.property.c_layouts import INTEGERS, Record, Scalar, has_pointers, leaves
from tests.property.c_library_statements import Lines
from tests.property.c_memory_places import Object
from tests.property.c_memory_statements import Statements

INT = INTEGERS[5]
Call = Callable[[], Lines]


class Functions:
    """Defines functions; each definition leaves a way to call it with the statements."""

    def __init__(self, statements: Statements) -> None:
        self.statements = statements
        self.places = statements.places
        self.chance = statements.chance

    def define(self) -> Lines:
        kinds = [self.accessors, self.by_value, self.by_address, self.recursive, self.through_pointers]
        return self.chance.choice(kinds)()

    def accessors(self) -> Lines:
        """A pair that reads and writes through a pointer to a scalar."""
        p, r = self.places, self.chance
        leaf = p.place(None, addressed=True)[1]
        type_ = leaf.type
        assert isinstance(type_, Scalar)
        get, set_, turn = (f"{p.fresh(word)}@" for word in ("get", "set", "turn"))

        def use() -> Lines:
            places = [p.place(None, addressed=True) for _ in range(8)]
            fits = [text for text, leaf in places if leaf.type == type_] or [p.scalar_target(type_.name).text]
            place = r.choice(fits)
            is_plain = not re.search(r"\[\D|->|\*", place)  # what it is does not depend on what the call changes
            if is_plain and type_ in INTEGERS and r.random() < 0.3:
                return [f"{place} ^= {turn}(&{place});"]
            if r.random() < 0.5:
                return [f"{set_}(&{place}, {p.value(1)});"]
            return self.statements.keep(type_, f"{get}(&{place})")

        self.statements.calls.append(use)
        return [
            f"static {type_.name} {get}({type_.name} *p) {{ return *p; }}",
            f"static void {set_}({type_.name} *p, {type_.name} v) {{ *p = v; }}",
            *([f"static int {turn}({type_.name} *p) {{ *p ^= 5; return 3; }}"] if type_ in INTEGERS else []),
        ]

    def _body(self, objects: list[Object], count: int) -> Lines:
        """Statements over what a function sees, without calls."""
        calls, self.statements.calls = self.statements.calls, []
        for object_ in objects:
            self.places.declare(object_)
        lines = self.statements.some(count)
        self.statements.calls = calls
        return lines

    def by_value(self) -> Lines:
        """A record comes in and goes out."""
        p, r = self.places, self.chance
        record = r.choice(p.records)
        name = f"{p.fresh('by')}@"
        with p.block():
            parameter = Object("s", record, r.random() < 0.5, False, "direct")
            body = self._body([parameter, Object("v", INT, False, False)], 1)

        def use() -> Lines:
            sources = [o for o in p.objects if o.type == record]
            if not sources:
                return self.statements.local(record)
            source, target = r.choice(sources).text, r.choice(sources).text
            members = [x.path for x in leaves(record) if isinstance(x.type, Scalar) and x.type.kind == "integer"]
            if members and r.random() < 0.5:
                elements = [path for path in members if path.endswith("]")]
                path = r.choice(elements if elements and r.random() < 0.6 else members)
                call = f"{name}({source}, {p.value(1)})"
                if path in elements and r.random() < 0.6:
                    return [f"MIX(*({call}{path.rsplit('[', 1)[0]} + {path[:-1].rsplit('[', 1)[1]}));"]
                return [f"MIX({call}{path});"]
            if r.random() < 0.5 or target.startswith("(*"):
                return self.statements.keep(record, f"{name}({source}, {p.value(1)})")
            return [f"{target} = {name}({source}, {p.value(1)});"]

        self.statements.calls.append(use)
        return [f"static {record.name} {name}({record.name} s, int v) {{", *body, "return s; }"]

    def by_address(self) -> Lines:
        p, r = self.places, self.chance
        record = r.choice(p.records)
        name = f"{p.fresh('at')}@"
        with p.block():
            style = "direct" if has_pointers(record) else r.choice(["any", "direct", "cast"])
            parameter = Object("(*p)", record, True, False, style)
            body = self._body([parameter, Object("v", INT, r.random() < 0.5, False)], 1)
            result = p.value(1)

        def use() -> Lines:
            target = p.some_object(of=record, addressed=True)
            if target is None:
                return self.statements.local(record, addressed=True)
            return self.statements.keep(INT, f"{name}(&{target.text}, {p.value(1)})")

        self.statements.calls.append(use)
        return [f"static int {name}({record.name} *p, int v) {{", *body, f"return {result}; }}"]

    def recursive(self) -> Lines:
        """Each activation has its own object, and a pointer to that of its caller."""
        p, r = self.places, self.chance
        type_ = r.choice([p.integer_type(), r.choice(p.records)])
        if isinstance(type_, Record) and (has_pointers(type_) or type_.has_bit_fields):
            type_ = p.integer_type()
        name = f"{p.fresh('rec')}@"
        with p.block():
            own, callers = Object("d", type_, True, False, "direct"), Object("(*p)", type_, True, False, "direct")
            start = f"memset(&d, {r.choice(['0', 'n'])}, sizeof d);"
            if any(leaf_type.kind != "integer" for leaf_type in _scalars(type_)):
                start = "memset(&d, 0, sizeof d);"
            value = Object("v", INT, r.random() < 0.5, False)
            body = self._body([own, callers, value, Object("n", INT, False, False)], 1)
            result, seen = p.value(1), p.place(own)[0]
        if r.random() < 0.5:
            head = [f"switch (n & 1) {{ {type_.declare('d')};", f"case 0: default: {start}"]
        else:
            head = ["{", f"goto L; {type_.declare('d')}; L: {start}"]

        def use() -> Lines:
            target = p.some_object(of=type_, addressed=True)
            if target is None:
                return self.statements.local(type_, addressed=True)
            return self.statements.keep(INT, f"{name}(&{target.text}, {r.randint(1, 2)}, {p.value(1)})")

        self.statements.calls.append(use)
        return [
            f"static int {name}({type_.declare('*p')}, int depth, int v) {{ int n = depth;",  # the body may change it
            *head,
            *(["{ int *at = &v; *at ^= n; }"] if value.addressed else []),
            *body,
            f"if (depth > 0) {name}(&d, depth - 1, v);",
            f"MIX({seen}); MIX(p == &d);",
            f"return {result}; }} return 0; }}",
        ]

    def through_pointers(self) -> Lines:
        """A table of functions, or a pointer to one in a struct."""
        p, r = self.places, self.chance
        table = f"{p.fresh('table')}@"
        names, lines = [], []
        for _ in range(2):
            names.append(f"{p.fresh('fn')}@")
            with p.block():
                body = self._body([Object("v", INT, r.random() < 0.3, False)], r.randint(0, 1))
                result = p.value(1)
            lines += [f"static int {names[-1]}(int v) {{", *body, f"return {result}; }}"]

        is_plain = r.random() < 0.5
        member = "" if is_plain else ".call"
        called = "{0}" if r.random() < 0.7 else "(*{0})"

        def use() -> Lines:
            pointer = called.format(f"{table}[{p.read()} & 1]{member}")
            return self.statements.keep(INT, f"{pointer}({p.value(1)})")

        self.statements.calls.append(use)
        if is_plain:
            return [*lines, f"static int (*{table}[2])(int) = {{{', '.join(names)}}};"]
        entries = ", ".join(f"{{{r.randint(0, 9)}, {name}}}" for name in names)
        return [*lines, f"static struct {{ char key; int (*call)(int); }} {table}[2] = {{{entries}}};"]


def _scalars(type_: Scalar | Record) -> list[Scalar]:
    return [leaf.type for leaf in leaves(type_) if isinstance(leaf.type, Scalar)]
