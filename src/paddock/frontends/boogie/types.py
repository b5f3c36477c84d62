"""Types while a program is being checked: those that only polymorphism needs, and unification.

A polymorphic function is used with `Unknown` types for its parameters; unification finds out what they
are. Programs without polymorphism never get here beyond comparing types by identity.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from paddock.frontends.boogie.problems import ERRONEOUS
from paddock.frozen import field, frozen, mutable
from paddock.ir.types import Map, Named, Type, TypeVar, parts, with_parts

_LONGEST_SHOWN = 100  # characters of a type in a message
DEEPEST_TYPE = 30
LARGEST_TYPE = 10_000


@frozen(eq=False)
class Unknown(Type):
    """A type that inference has yet to find."""

    index: int


@frozen(eq=False)
class MapParam(Type):
    """A type parameter of the polymorphic map type around it, by its position there."""

    index: int


@frozen(eq=False)
class PolyMap(Type):
    """`<a, b>[D]R`. One that stands inside another does not mention the other's parameters."""

    arity: int
    domain: tuple[Type, ...]
    range: Type

    def at(self, type_args: tuple[Type, ...]) -> Map:
        """The ordinary map for these type arguments."""
        binding: dict[Type, Type] = {MapParam(i): t for i, t in enumerate(type_args)}
        *domain, range_ = (_replaced(p, binding, into_poly_maps=False) for p in (*self.domain, self.range))
        return Map(tuple(domain), range_)


# What an ill-typed expression has; it agrees with every other type, so that one mistake gives one message.
ERROR = Named(ERRONEOUS, ())


def _parts(type_: Type) -> tuple[Type, ...]:
    return (*type_.domain, type_.range) if isinstance(type_, PolyMap) else parts(type_)


def _with_parts(type_: Type, new: tuple[Type, ...]) -> Type:
    return PolyMap(type_.arity, new[:-1], new[-1]) if isinstance(type_, PolyMap) else with_parts(type_, new)


def _replaced(root: Type, binding: Mapping[Type, Type], into_poly_maps: bool = True) -> Type:
    done: dict[Type, Type] = dict(binding)
    stack = [root]
    while stack:
        node = stack[-1]
        if node in done:
            stack.pop()
            continue
        subs = () if isinstance(node, PolyMap) and not into_poly_maps else _parts(node)
        missing = [p for p in subs if p not in done]
        if missing:
            stack.extend(missing)
            continue
        stack.pop()
        done[node] = _with_parts(node, tuple(done[p] for p in subs)) if subs else node
    return done[root]


def substitute_type(root: Type, binding: Mapping[TypeVar, Type]) -> Type:
    """`root` with type parameters replaced at once."""
    changes: dict[Type, Type] = {param: arg for param, arg in binding.items() if param is not arg}
    return _replaced(root, changes) if changes else root


def subtypes(*roots: Type) -> Iterable[Type]:
    """Every distinct part of `roots`, themselves included."""
    seen: set[Type] = set()
    stack = list(roots)
    while stack:
        node = stack.pop()
        if node not in seen:
            seen.add(node)
            yield node
            stack.extend(_parts(node))


def open_parts(root: Type) -> Iterable[Type]:
    """Every part of `root` that is not inside a polymorphic map."""
    seen: set[Type] = set()
    stack = [root]
    while stack:
        node = stack.pop()
        if node not in seen:
            seen.add(node)
            yield node
            stack.extend(parts(node))


def mentions_map_param(type_: Type) -> bool:
    return any(isinstance(t, MapParam) for t in open_parts(type_))


def shown(type_: Type) -> str:
    """The type as a message shows it: what is not known is `?`, and a very long type is cut short."""
    out: list[str] = []
    length = 0
    stack: list[str | Type] = [type_]
    while stack and length <= _LONGEST_SHOWN:
        piece = stack.pop()
        match piece:
            case str():
                out.append(piece)
                length += len(piece)
            case Unknown():
                stack.append("?")
            case MapParam(index):
                stack.append(_map_param_name(index))
            case PolyMap(arity, domain, range_):
                names = ",".join(map(_map_param_name, range(arity)))
                stack += [range_, "]", *_separated(domain, ","), f"<{names}>["]
            case Map(domain, range_):
                stack += [range_, "]", *_separated(domain, ","), "["]
            case Named(name, args):
                for arg in reversed(args):
                    compound = isinstance(arg, Map | PolyMap) or (isinstance(arg, Named) and arg.args)
                    stack += [")", arg, " ("] if compound else [arg, " "]
                stack.append(name)
            case _:
                stack.append(str(piece))
    text = "".join(out)
    return text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "…"


def _map_param_name(index: int) -> str:
    return chr(ord("a") + index) if index < 26 else f"a{index}"


def _separated(types: tuple[Type, ...], separator: str) -> list[str | Type]:
    """The types from the last to the first, as a stack wants them."""
    result: list[str | Type] = []
    for type_ in reversed(types):
        result += [separator, type_] if result else [type_]
    return result


@mutable
class Inference:
    """What is known of the unknown types of one expression."""

    found: dict[Type, Type] = field(default_factory=dict)
    count: int = 0

    def fresh(self) -> Unknown:
        self.count += 1
        return Unknown(self.count)

    def known(self, type_: Type) -> Type:
        """`type_` with the top replaced by what is known; enough to see what kind of type it is."""
        while isinstance(type_, Unknown) and type_ in self.found:
            type_ = self.found[type_]
        return type_

    def final(self, root: Type) -> Type:
        """`root` with every unknown replaced of which something is known."""
        if not self.found:
            return root
        done: dict[Type, Type] = {}
        stack = [root]
        while stack:
            node = stack[-1]
            if node in done:
                stack.pop()
                continue
            instead = self.found.get(node)
            subs = (instead,) if instead is not None else _parts(node)
            missing = [p for p in subs if p not in done]
            if missing:
                stack.extend(missing)
                continue
            stack.pop()
            done[node] = done[instead] if instead is not None else _with_parts(node, tuple(done[p] for p in subs))
        return done[root]

    def shown(self, type_: Type) -> str:
        """The type as a message shows it, with what is known by now."""
        return shown(self.final(type_))

    def unify(self, a: Type, b: Type) -> bool:
        """Make the two types equal if that is possible."""
        stack = [(a, b)]
        seen: set[tuple[Type, Type]] = set()
        while stack:
            a, b = map(self.known, stack.pop())
            if a is b or (a, b) in seen:
                continue
            seen.add((a, b))
            if isinstance(b, Unknown):
                a, b = b, a
            if isinstance(a, Unknown):
                if not self._learn(a, b):
                    return False
            elif a is ERROR or b is ERROR:
                continue
            elif _same_shape(a, b):
                stack += zip(_parts(a), _parts(b), strict=True)
            else:
                return False
        return True

    def may_agree(self, a: Type, b: Type) -> bool:
        """Whether the two types could be made equal by a choice of their type parameters."""
        a, b = self.final(a), self.final(b)
        params = [t for t in subtypes(a, b) if isinstance(t, TypeVar)]
        if not params:
            return False
        trial = Inference(dict(self.found), self.count)
        binding: dict[TypeVar, Type] = {p: trial.fresh() for p in params}
        return trial.unify(substitute_type(a, binding), substitute_type(b, binding))

    def _learn(self, unknown: Unknown, type_: Type) -> bool:
        """Note what an unknown type is, unless it would contain itself or a parameter of a map around it."""
        final = self.final(type_)
        if unknown in subtypes(final) or mentions_map_param(final):
            return False
        self.found[unknown] = type_
        return True


def is_monstrous(type_: Type) -> bool:
    """Whether the type, written out, is deeper or larger than any that a person has in mind."""
    stack = [(type_, 0)]
    size = 0
    while stack:
        node, depth = stack.pop()
        size += 1
        if depth > DEEPEST_TYPE or size > LARGEST_TYPE:
            return True
        stack += [(part, depth + 1) for part in parts(node)]
    return False


def _same_shape(a: Type, b: Type) -> bool:
    """Whether the types are alike apart from their parts, of which they have equally many."""
    match a, b:
        case Named(), Named():
            return a.name == b.name and len(a.args) == len(b.args)
        case Map(), Map():
            return len(a.domain) == len(b.domain)
        case PolyMap(), PolyMap():
            return a.arity == b.arity and len(a.domain) == len(b.domain)
        case _:
            return False
