"""Random statements of C programs that use the library and the compiler's functions: floats, strings, `errno`, bits."""

from __future__ import annotations

import random

from tests.property.c_layouts import DOUBLE, FLOAT, LONG_DOUBLE, Scalar, leaves
from tests.property.c_memory_places import Places

Lines = list[str]
CLASSIFICATIONS = ["isnormal", "isinf", "isnan", "fpclassify", "signbit", "isfinite"]
FLOATS = ["0.1f", "3.0f", "1e30f", "16777217.0", "0x1.8p-140f", "0.1", "1e300", "5e-324", "1.999999999999", "-2.5"]
FLOATS += ["1e4900L", "0x1.8p-16400L", "3e-4950L"]  # beyond doubles
ROUNDINGS = ["FE_DOWNWARD", "FE_UPWARD", "FE_TOWARDZERO", "FE_TONEAREST"]


class LibraryStatements:
    """Makes statements that call functions of the library, over the places of a program."""

    def __init__(self, places: Places) -> None:
        self.places = places
        self.chance: random.Random = places.chance
        self.has_string = False  # one is enough: their loops take their time

    # Floats.

    def floats(self) -> Lines:
        p, r = self.places, self.chance
        name, operand, type_ = p.fresh("f"), p.fresh("o"), r.choice([FLOAT, FLOAT, DOUBLE])
        has_place = self._has_floats()
        place = p.place(None, "float")[0] if has_place and r.random() < 0.5 else r.choice(FLOATS)
        literal = r.choice(FLOATS)
        literal_type = {"f": FLOAT, "L": LONG_DOUBLE}.get(literal[-1], DOUBLE)
        start = r.choice([f"{operand} {r.choice('+-*/')} {place}", operand, f"(float)(int)({p.value(1)})"])
        bits = "unsigned" if type_ == FLOAT else "unsigned long"
        test = r.choice(
            [
                f"{name} != {name} ? 1 : *({bits} *)&{name}",
                f"{name} < {r.choice(FLOATS)}",
                f"{name} > -1e6 && {name} < 1e6 ? (long)({name} * 16) : 3",
            ]
        )
        if p.has("classify") and r.random() < 0.7:
            test = f"{r.choice(CLASSIFICATIONS)}({name})"
            test = test if "fpclassify" in test else f"!!{test}"
            if r.random() < 0.5:  # neither normal nor zero as a float, and normal as a double
                literal, literal_type, start = "0x1.8p-140f", FLOAT, operand
        rounding = ""
        if p.has("rounding"):
            rounding = f"fesetround({r.choice(ROUNDINGS)}); "
            if r.random() < 0.2:
                return [f"{rounding}MIX(fegetround());"]
        stored = f" {p.place(None, 'float')[0]} = {name};" if has_place and r.random() < 0.5 else ""
        declared = f"volatile {literal_type.declare(operand)} = {literal}; {rounding}{type_.declare(name)} = {start};"
        return [f"{{ {declared} MIX({test});{stored} }}"]

    def _has_floats(self) -> bool:
        """Whether there is a place for one where nothing but a float was ever stored."""
        for o in self.places.objects:
            found = [leaf for leaf in leaves(o.type) if isinstance(leaf.type, Scalar) and leaf.type.kind == "float"]
            if any(leaf.in_union for leaf in found):
                return False
            if found:
                return True
        return False

    def strings(self) -> Lines:
        p, r = self.places, self.chance
        self.has_string = True
        text = "".join(r.choice("abc") for _ in range(r.choice([0, 1, 2, 2, 3, 3, 4, 9])))
        other = text[: r.randint(0, len(text))] + r.choice(["", "a", "b"])
        buffer, pointer, at = p.fresh("b"), p.fresh("s"), r.randint(0, len(text))
        sign = "(({0}) > 0) - (({0}) < 0)"
        match r.randrange(8):
            case 0:
                return [f'MIX(strlen("{text}"));']
            case 1:
                compare = f'strcmp("{text}", "{other}")'
                return [f"MIX({sign.format(compare)});"]
            case 2:
                compare = f'strncmp("{text}", "{other}", {r.randint(0, 5)})'
                return [f"MIX({sign.format(compare)});"]
            case 3:
                find = f"{r.choice(['strchr', 'strrchr'])}({pointer}, '{r.choice('abc')}')"
                found = f"{buffer} ? {buffer} - {pointer} : -1"
                return [f'{{ const char *{pointer} = "{text}", *{buffer} = {find}; MIX({found}); }}']
            case 4:
                return [f'{{ char {buffer}[24] = {{0}}; strcpy({buffer}, "{text}"); MIX({buffer}[{at}]); }}']
            case 5:
                joined = f'strcpy({buffer}, "{text}"); strcat({buffer}, "{other}")'
                return [f"{{ char {buffer}[32] = {{0}}; {joined}; MIX(strlen({buffer})); }}"]
            case 6:
                compare = f'memcmp("{text}", "{text[:-1]}c", {len(text)})'
                return [f"MIX({sign.format(compare)});"]
            case _:
                return [f'{{ char {buffer}[] = "{text}"; MIX(sizeof {buffer}); MIX({buffer}[{at}]); }}']

    # Other functions.

    def errno(self) -> Lines:
        """`errno` is an object like any other, which some functions write."""
        p, r = self.places, self.chance
        name = p.fresh("e")
        match r.randrange(4):
            case 0:
                return [f"errno = {r.randint(1, 99)}; MIX(errno);"]
            case 1:
                return [f"{{ int *{name} = &errno; *{name} = (unsigned char)({p.value(1)}); MIX(errno); }}"]
            case 2:
                return [f"errno = {r.randint(0, 1)}; errno += {r.randint(1, 9)}; MIX(errno++); MIX(errno);"]
            case _:
                return [
                    f"{{ volatile double {name} = {r.choice(['-1.0', '2.0'])}; errno = 7; sqrt({name}); MIX(errno); }}"
                ]

    def builtins(self) -> Lines:
        """Functions of the compiler: on bits, on integers that may overflow, on memory as if there were threads."""
        p, r = self.places, self.chance
        a = p.value(1)
        name, type_ = p.fresh("x"), r.choice(["int", "unsigned", "long", "unsigned long", "short"])
        match r.randrange(6):
            case 0:
                return [f"MIX(__builtin_{r.choice(['clz', 'ctz'])}((unsigned)({a}) | {1 << r.randrange(32)}u));"]
            case 1:
                return [f"MIX(__builtin_{r.choice(['popcount', 'parity', 'ffs', 'clrsb'])}((int)({a})));"]
            case 2:
                width = r.choice([16, 32, 64])
                return [f"MIX(__builtin_bswap{width}({a}));"]
            case 3:
                operator = r.choice(["add", "sub", "mul"])
                call = f"__builtin_{operator}_overflow((int)({a}), {r.randint(-99, 99)}, &{name})"
                return [f"{{ {type_} {name}; MIX({call}); MIX({name}); }}"]
            case 4:
                operator = r.choice(["add", "sub", "or", "xor", "and"])
                first = r.choice([f"fetch_and_{operator}", f"{operator}_and_fetch"])
                return [f"{{ {type_} {name} = {r.randint(0, 9)}; MIX(__sync_{first}(&{name}, 3)); MIX({name}); }}"]
            case _:
                operator = r.choice(["fetch_add", "sub_fetch", "exchange_n", "fetch_or"])
                call = f"__atomic_{operator}(&{name}, {r.randint(1, 5)}, 5)"
                return [f"{{ {type_} {name} = {r.randint(0, 9)}; MIX({call}); MIX({name}); }}"]

    def scan(self) -> Lines:
        """A function that glibc declares under another name, not called: what it does is not known."""
        name = self.places.fresh("x")
        return [f'{{ int {name} = 3; if ({name} == 4) sscanf("5", "%d", &{name}); MIX({name}); }}']
