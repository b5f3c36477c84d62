"""Faults that the front end for C once had, to be put back one at a time: a generator of programs that does not find
them would not have found them then.

Each is a change of a function or a table of the front end, as small as it can be for the old wrong meaning to be back.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import Any
from unittest import mock

from paddock.analysis import known_values
from paddock.driver import plan
from paddock.frontends.c import pointsto_nodes
from paddock.frontends.c import tree as t
from paddock.frontends.c.clang import calls, parse
from paddock.frontends.c.clang.attributes import Attributes
from paddock.frontends.c.jumps import Jumps, jumps_of
from paddock.frontends.c.library import objects, registry
from paddock.frontends.c.lowering import expressions, functions
from paddock.frontends.c.lowering.access import Access
from paddock.frontends.c.lowering.assembly import Lowering
from paddock.frontends.c.lowering.assignments import Assignments
from paddock.frontends.c.lowering.checks import Checks
from paddock.frontends.c.lowering.contents import Contents
from paddock.frontends.c.lowering.expressions import Expressions
from paddock.frontends.c.lowering.places import MemoryPlace, Place, Places, PlainPlace, is_place
from paddock.frontends.c.lowering.variables import Variables
from paddock.frontends.c.memory_leaves import Leaf, Leaves
from paddock.frontends.c.pointsto_classes import UNTOUCHED, Members
from paddock.frontends.c.pointsto_constraints import Constraints
from paddock.frontends.c.pointsto_nodes import Nodes
from paddock.frontends.c.pointsto_tables import Tables
from paddock.frontends.c.pointsto_tree import unconverted
from paddock.frontends.c.views import without_dimensions
from paddock.ir import bitvectors
from paddock.ir.expr import Op
from paddock.passes.identify_assertions import _Numbering
from paddock.passes.lower import Lower

Steps = Generator[Any, Any, Any]


@dataclass(frozen=True)
class Fault:
    """What went wrong, the kind of programs that show it, and what is replaced: of each owner, an attribute or the
    entries of a table. Programs without the `mark`, if there is one, have nothing of what is replaced. What is not
    `in_front_end` is in a pass."""

    name: str
    summary: str
    kind: str
    changes: tuple[tuple[object, str, object], ...]
    mark: str = ""
    in_front_end: bool = True
    engine: str = ""  # the one that has it, if not the default

    @contextmanager
    def injected(self) -> Iterator[None]:
        """The front end has the fault, and only here."""
        with ExitStack() as stack:
            for owner, name, new in self.changes:
                if isinstance(owner, dict):
                    stack.enter_context(mock.patch.dict(owner, {name: new}))
                else:
                    stack.enter_context(mock.patch.object(owner, name, new))
            yield

    def concerns(self, text: str) -> bool:
        return re.search(self.mark, text) is not None


# --- memory that is reached through casts --------------------------------------------------------------------------


def _class_of_its_own(members: Members, class_: Any, record: Any, field: Any) -> Any:
    """The member of a struct that only casts reach is memory that nothing else knows."""
    if class_.record is None and not class_.collapsed and not record.union:
        return UNTOUCHED
    return _field(members, class_, record, field)


def _few_scalars_of_leaves(contents: Contents, place: MemoryPlace) -> Any:
    """Whether there is more in an object than its leaves is not asked."""
    with mock.patch.object(contents.memory, "cells_below", return_value=[]):
        return _few_scalars(contents, place)


def _only_constant_lengths(constraints: Constraints, pointer: t.Expression, length: t.Expression) -> None:
    if isinstance(unconverted(length), t.IntegerConstant):
        _access_bytes(constraints, pointer, length)


_field, _few_scalars, _access_bytes = Members.field, Contents.few_scalars, Constraints.access_bytes
_NO_OBJECTS = (
    (Nodes, "is_object", lambda nodes, node, type_: None),
    (Members, "field", _class_of_its_own),
    (Contents, "few_scalars", _few_scalars_of_leaves),
)

# --- places and values that are evaluated twice --------------------------------------------------------------------


def _assignment_that_is_read_again(service: Assignments, node: t.Assignment, *, used: bool) -> Steps:
    return _assignment(service, node, used=False)


def _update_that_is_read_again(service: Assignments, node: t.Update, *, used: bool) -> Steps:
    if node.yields_old or not used:
        return (yield _update(service, node, used=used))
    yield _update(service, node, used=False)
    place: Place = yield service.expressions.place(node.target)
    return service.access.load(place)


_assignment, _update = Assignments.assign, Assignments.update

# --- structs in unions ---------------------------------------------------------------------------------------------


def _leaf_of_no_union(places: Places, place: Place, leaf: Leaf) -> Place:
    if isinstance(place, PlainPlace) and place.bits is not None:
        return replace(place, key=(*place.key, *leaf.key), type=leaf.type, field=None)
    return _leaf(places, place, leaf)


_leaf = Places.leaf

# --- jumps over declarations ---------------------------------------------------------------------------------------


def _no_early_objects(body: t.Block) -> Jumps:
    return replace(jumps_of(body), early={}, begins_early=set())


def _remember_early(body: t.Block) -> Jumps:
    found = jumps_of(body)
    _EARLY.update(found.begins_early)
    return found


def _shared_address(variables: Variables, variable: t.Variable) -> Any:
    if variable in _EARLY:
        return variables.constants.variable(variable)
    return _address_of(variables, variable)


_address_of = Variables.address_of
_EARLY = set[t.Variable]()  # what jumps pass over, while the fault is injected


# --- what is dropped, floats, names --------------------------------------------------------------------------------


def _dropped(expressions: Expressions, node: t.Expression) -> Steps:
    if is_place(node) and not isinstance(node, t.VariableUse | t.StringLiteral):
        yield expressions.place(node)
    else:
        yield _effects(expressions, node)


def _arguments_only(result: Callable[[Lowering, t.Call], tuple[Any, ...]]) -> Callable[[Lowering, t.Call], Steps]:
    """A model that evaluates its arguments and does nothing."""

    def model(low: Lowering, call: t.Call) -> Steps:
        yield low.expressions.all(call.arguments)
        return result(low, call)

    return model


def _without_check(about: str) -> Callable[..., None]:
    """No check whose message says this."""

    def check(low: Checks, kind: str, condition: Any, message: str, origin: Any) -> None:
        if about not in message:
            _check(low, kind, condition, message, origin)

    return check


_effects, _check = Expressions.effects, Checks.check
_ZERO = _arguments_only(lambda low, call: (low.numbers.literal(0, call.type),))
_NOTHING = _arguments_only(lambda low, call: ())
_ANYTHING = _arguments_only(lambda low, call: low.variables.arbitrary_values(call.type))

# --- loops ---------------------------------------------------------------------------------------------------------


def _same_widths_only(name: str, *rest: Any) -> Any:
    return None if name in ("zero_extend", "sign_extend", "extract", "concat") else _bit_function(name, *rest)


_bit_function = bitvectors.function

# --- assertions ----------------------------------------------------------------------------------------------------


def _by_place(numbering: Any, origin: Any) -> Any:
    return replace(origin, nth=1, assertion=origin.assertion and replace(origin.assertion, nth=1))


LONG_LOOP = r"\+= 3; MIX|\"\w{8,}\""  # one that is cut off if it is not known how often it runs

FAULTS = [
    Fault("cast-only", "an object that only casts reach keeps what it held where it is zeroed", "memory", _NO_OBJECTS),
    Fault(
        "cut-struct",
        "a struct that is filled or copied in part keeps its members apart",
        "memory",
        ((pointsto_nodes, "is_cut", lambda node, layout: False),),
        r"mem(set|cpy|move)",
    ),
    Fault(
        "computed-length",
        "a length that is no constant does not reach beyond a member",
        "memory",
        ((Constraints, "access_bytes", _only_constant_lengths),),
        r"mem(set|cpy|move)",
    ),
    Fault(
        "row-stride",
        "rows of an array lie as far apart as its scalars where it is copied or filled",
        "memory",
        ((Leaves, "stride", lambda leaves, element: leaves.layout.size(without_dimensions(element))),),
        r"\]\[",
    ),
    Fault(
        "place-reread",
        "the place that a struct is copied to is read again while it is written",
        "memory",
        ((Access, "_frozen", lambda low, place, leaves, held: (place, list(held))),),
    ),
    Fault(
        "argument-reread",
        "arguments of memset and memcpy are read again while memory is written",
        "memory",
        ((Expressions, "all_lasting", Expressions.all),),
        r"mem(set|cpy|move)",
    ),
    Fault(
        "assignment-reread",
        "the value of an assignment is what its place names afterwards",
        "memory",
        ((Assignments, "assign", _assignment_that_is_read_again),),
        r"=[^=;]*[^=!<>]=[^=]",
    ),
    Fault(
        "update-reread",
        "the value of a compound assignment is what its place names afterwards",
        "memory",
        ((Assignments, "update", _update_that_is_read_again),),
        r"[-+^|&]=|--|\+\+",
    ),
    Fault(
        "union-copy",
        "a struct is copied into or out of a union as if it were no part of it",
        "memory",
        ((Places, "leaf", _leaf_of_no_union),),
        "union",
    ),
    Fault(
        "value-in-memory",
        "a part of a struct value has no address",
        "memory",
        ((Tables, "keep_in_memory", lambda tables, value: None),),
        r"\)\.\w",
    ),
    Fault(
        "jump-over",
        "an object whose declaration is jumped over does not live",
        "memory",
        ((functions, "jumps_of", _no_early_objects),),
        "goto|switch",
    ),
    Fault(
        "jump-over-recursive",
        "all activations share an object whose declaration is jumped over",
        "memory",
        ((functions, "jumps_of", _remember_early), (Variables, "address_of", _shared_address)),
        "goto|switch",
    ),
    Fault(
        "update-before-call",
        "what an update changes is read before the function that its other operand calls",
        "memory",
        ((expressions, "_is_old_value", lambda node: False),),
        r"\^= turn",
    ),
    Fault("discarded", "what is read and dropped is not read", "undefined", ((Expressions, "effects", _dropped),)),
    Fault(
        "classify-double",
        "isnormal and its like look at the double that a float is converted to",
        "memory",
        ((calls, "_CLASSIFICATIONS", frozenset()),),
        r"is(normal|inf|nan|finite)|fpclassify|signbit",
    ),
    Fault(
        "rounding-ignored",
        "fesetround does nothing",
        "memory",
        ((registry._MODELS, "fesetround", _ZERO),),
        "fesetround",
    ),
    Fault(
        "errno-anywhere",
        "errno is another arbitrary number wherever it is read",
        "memory",
        ((registry._MODELS, "__errno_location", _ANYTHING), (registry, "has_own_body", lambda name, function: False)),
        "errno",
    ),
    Fault(
        "precondition-ignored",
        "__CPROVER_precondition is a function without a body",
        "inputs",
        ((registry._MODELS, "__CPROVER_precondition", _NOTHING),),
        "__CPROVER_precondition",
    ),
    Fault(
        "havoc-lost",
        "what becomes arbitrary in an object stays what it was",
        "inputs",
        ((objects, "_make_arbitrary", lambda low, pointer, start, size: None),),
        "havoc_slice",
    ),
    Fault(
        "zeros-of-zero",
        "__builtin_clz and __builtin_ctz of 0 are not checked",
        "undefined",
        ((Checks, "check", _without_check("the zeros of 0")),),
        r"__builtin_c[lt]z",
    ),
    Fault(
        "incompatible-call",
        "a call through a pointer to a function of another type is not checked",
        "undefined",
        ((Checks, "check", _without_check("points to no function")),),
        r"\bone[;}]",
    ),
    Fault(
        "narrow-counter",
        "loops whose counter is narrower or wider than the bound are cut off",
        "memory",
        ((bitvectors, "function", _same_widths_only),),
        LONG_LOOP,
        in_front_end=False,
        engine="dag",
    ),
    Fault(
        "counter-in-memory",
        "loops whose end depends on memory are cut off, in models of the library, too",
        "memory",
        ((known_values._OPERATIONS, Op.SELECT, None),),
        LONG_LOOP,
        in_front_end=False,
        engine="dag",
    ),
    Fault(
        "library-name",
        "a global that has the name of a function of the library is refused",
        "memory",
        ((parse, "_OTHER_KIND", re.compile("(?!)")),),
        r"\b(index|log|round|exp)\b",
    ),
    Fault(
        "redirect",
        "glibc's __REDIRECT is taken for the attribute alias",
        "memory",
        ((Attributes, "_printed", lambda attributes, cursor: "__attribute__((alias"),),
        "scanf",
    ),
    Fault(
        "assertion-by-place",
        "the assertions of a macro are one",
        "inputs",
        ((_Numbering, "_numbered", _by_place),),
        "BOTH",
        in_front_end=False,
    ),
    Fault(
        "wrapper-shared",
        "all calls of an assertion wrapper are one assertion",
        "inputs",
        ((plan, "AssertionWrappers", lambda independent=False: Lower()),),
        "verify",
        in_front_end=False,
    ),
]
BY_NAME: Mapping[str, Fault] = {fault.name: fault for fault in FAULTS}
