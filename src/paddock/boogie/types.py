"""Types while a program is being checked: from syntax to types, and unification for type parameters.

A polymorphic function is used with `Unknown` types for its parameters; unification finds out what they
are. Programs without polymorphism never get here beyond comparing types by identity.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from paddock.boogie import syntax as s
from paddock.boogie.problems import Problems, did_you_mean
from paddock.boogie.source import Source
from paddock.ir.types import BASIC_TYPES, Bv, Float, Map, Named, Type, TypeVar, parts, with_parts

_SIZED = re.compile(r"bv(\d+)$|float(\d+)e(\d+)$")
_WIDEST = 1 << 20  # bits; more is a typing mistake and would only exhaust the memory


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Unknown(Type):
    """A type that inference has yet to find."""

    index: int


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PolyMap(Type):
    """`<a>[D]R`. The parameters are told apart from all others by their names, which are made unique."""

    params: tuple[TypeVar, ...]
    domain: tuple[Type, ...]
    range: Type


# What an ill-typed expression has; it agrees with every other type, so that one mistake gives one message.
ERROR = Named("<error>", ())


@dataclass(slots=True)
class TypeSymbol:
    """A declared type: an uninterpreted constructor, a datatype, or (with a definition) a synonym."""

    name: str
    params: list[str]
    is_datatype: bool = False
    definition: Type | None = None
    definition_syntax: s.TypeSyntax | None = None


class Types:
    """The types a program declares, and the way from type syntax to types."""

    def __init__(self, problems: Problems) -> None:
        self.problems = problems
        self.declared: dict[str, TypeSymbol] = {}
        self._known: dict[str, Type] = dict(BASIC_TYPES)  # names that need no thought
        self.has_poly_maps = False

    def declare(self, symbol: TypeSymbol) -> None:
        self.declared[symbol.name] = symbol
        self._known.pop(symbol.name, None)

    def resolve(self, syntax: s.TypeSyntax, params: Mapping[str, Type] = {}) -> Type:
        """The type that `syntax` denotes, with `params` for the type parameters in scope."""
        if isinstance(syntax, s.NamedType) and not syntax.args and syntax.name not in params:
            known = self._known.get(syntax.name)
            if known is not None:
                return known
        done: list[Type] = []
        stack: list[tuple[s.TypeSyntax, Mapping[str, Type], bool]] = [(syntax, params, False)]
        while stack:
            node, scope, children_done = stack.pop()
            if isinstance(node, s.MapType):
                subs, inner = [*node.domain, node.range], self._map_scope(node, scope)
            else:
                subs, inner = node.args, scope
            if subs and not children_done:
                stack.append((node, inner, True))
                stack.extend((sub, inner, False) for sub in reversed(subs))
                continue
            args = tuple(done[len(done) - len(subs) :])
            del done[len(done) - len(subs) :]
            done.append(self._map(node, args, scope) if isinstance(node, s.MapType) else self._named(node, args, scope))
        return done[0]

    @staticmethod
    def _map_scope(node: s.MapType, scope: Mapping[str, Type]) -> Mapping[str, Type]:
        if not node.type_params:
            return scope
        # Parameters are numbered from the outermost map inwards, so that equal types are one object.
        outer = sum(isinstance(t, TypeVar) and t.name.startswith("@") for t in scope.values())
        return {**scope, **{name: TypeVar(f"@{outer + i}") for i, name in enumerate(node.type_params)}}

    def _map(self, node: s.MapType, subs: tuple[Type, ...], scope: Mapping[str, Type]) -> Type:
        if not node.type_params:
            return Map(subs[:-1], subs[-1])
        self.has_poly_maps = True
        params = tuple(t for n in node.type_params if isinstance(t := scope[n], TypeVar))
        return PolyMap(params, subs[:-1], subs[-1])

    def _named(self, node: s.NamedType, args: tuple[Type, ...], scope: Mapping[str, Type]) -> Type:
        name = node.name
        if name in scope:
            if args:
                self.problems.add(node.pos, f"the type parameter '{name}' takes no arguments")
            return scope[name]
        symbol = self.declared.get(name)
        if symbol is None:
            return self._built_in(node, args)
        if len(args) != len(symbol.params):
            wanted = f"{len(symbol.params)} argument{'s' * (len(symbol.params) != 1)}"
            self.problems.add(node.pos, f"the type '{name}' takes {wanted}, not {len(args)}")
            return ERROR
        if symbol.definition is not None:
            binding = {TypeVar(p): a for p, a in zip(symbol.params, args, strict=True)}
            return substitute_type(symbol.definition, binding)
        type_ = Named(name, args)
        if not args:
            self._known[name] = type_
        return type_

    def _built_in(self, node: s.NamedType, args: tuple[Type, ...]) -> Type:
        name = node.name
        type_ = BASIC_TYPES.get(name)
        if type_ is None and (sized := _SIZED.match(name)):
            sizes = [int(g) for g in sized.groups() if g is not None and len(g) <= 9]
            if not sizes or max(sizes) > _WIDEST:
                self.problems.add(node.pos, f"'{name}' is too wide a type")
                return ERROR
            if sized.group(1) is not None:
                type_ = Bv(sizes[0])
            elif len(sizes) == 2 and min(sizes) >= 2:
                type_ = Float(sizes[0], sizes[1])
            else:
                self.problems.add(node.pos, f"'{name}': significand and exponent need at least 2 bits each")
                return ERROR
        if type_ is None:
            known = [*self.declared, *BASIC_TYPES]
            self.problems.add(node.pos, f"undeclared type '{name}'", did_you_mean(name, known))
            return ERROR
        if args:
            self.problems.add(node.pos, f"the type '{name}' takes no arguments")
            return ERROR
        self._known[name] = type_
        return type_

    def define_synonyms(self, sources: Mapping[str, Source]) -> None:
        """Resolve the definitions of all synonyms, those first that others are built from."""
        waiting = {n: t for n, t in self.declared.items() if t.definition_syntax is not None}
        needs = {n: {d for d in names_in(t.definition_syntax) if d in waiting} for n, t in waiting.items()}
        users: dict[str, list[str]] = {n: [] for n in waiting}
        for n, needed in needs.items():
            for d in needed:
                users[d].append(n)
        ready = [n for n, needed in needs.items() if not needed]
        while ready:
            name = ready.pop()
            symbol = waiting.pop(name)
            assert symbol.definition_syntax is not None
            self.problems.source = sources[name]
            symbol.definition = self.resolve(symbol.definition_syntax, {p: TypeVar(p) for p in symbol.params})
            for user in users[name]:
                needs[user].discard(name)
                if not needs[user]:
                    ready.append(user)
        for symbol in waiting.values():
            assert symbol.definition_syntax is not None
            self.problems.source = sources[symbol.name]
            message = f"the type synonym '{symbol.name}' is defined through itself"
            self.problems.add(symbol.definition_syntax.pos, message)
            symbol.definition = ERROR


def names_in(syntax: s.TypeSyntax | None) -> Iterable[str]:
    """The names of types that occur in `syntax`."""
    stack = [syntax] if syntax is not None else []
    while stack:
        node = stack.pop()
        if isinstance(node, s.MapType):
            stack += [*node.domain, node.range]
        else:
            yield node.name
            stack += node.args


def _parts(type_: Type) -> tuple[Type, ...]:
    return (*type_.domain, type_.range) if isinstance(type_, PolyMap) else parts(type_)


def _with_parts(type_: Type, new: tuple[Type, ...]) -> Type:
    return PolyMap(type_.params, new[:-1], new[-1]) if isinstance(type_, PolyMap) else with_parts(type_, new)


def rewrite_type(root: Type, leaf: Mapping[Type, Type]) -> Type:
    """`root` with the types in `leaf` replaced, again inside what they are replaced by."""
    done: dict[Type, Type] = {}
    stack = [root]
    while stack:
        node = stack[-1]
        if node in done:
            stack.pop()
            continue
        instead = leaf.get(node)
        subs = (instead,) if instead is not None else _parts(node)
        missing = [p for p in subs if p not in done]
        if missing:
            stack.extend(missing)
            continue
        stack.pop()
        done[node] = done[instead] if instead is not None else _with_parts(node, tuple(done[p] for p in subs))
    return done[root]


def substitute_type(root: Type, binding: Mapping[TypeVar, Type] | Mapping[Type, Type]) -> Type:
    """`root` with type parameters replaced at once."""
    if not binding:
        return root
    done: dict[Type, Type] = dict(binding.items())
    stack = [root]
    while stack:
        node = stack[-1]
        if node in done:
            stack.pop()
            continue
        subs = _parts(node)
        missing = [p for p in subs if p not in done]
        if missing:
            stack.extend(missing)
            continue
        stack.pop()
        done[node] = _with_parts(node, tuple(done[p] for p in subs))
    return done[root]


def subtypes(root: Type) -> Iterable[Type]:
    """Every distinct part of `root`, itself included."""
    seen: set[Type] = set()
    stack = [root]
    while stack:
        node = stack.pop()
        if node not in seen:
            seen.add(node)
            yield node
            stack.extend(_parts(node))


def shown(type_: Type) -> str:
    """The type as a message shows it."""
    stand_ins: dict[Type, Type] = {}
    for part in subtypes(type_):
        if isinstance(part, Unknown):
            stand_ins[part] = Named("?", ())
        elif isinstance(part, PolyMap):
            stand_ins[part] = Named("(polymorphic map)", ())
    return str(rewrite_type(type_, stand_ins))


@dataclass(slots=True)
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

    def final(self, type_: Type) -> Type:
        """`type_` with every known unknown replaced."""
        return rewrite_type(type_, self.found) if self.found else type_

    def unify(self, a: Type, b: Type) -> bool:
        """Make the two types equal if that is possible."""
        stack = [(a, b)]
        while stack:
            a, b = stack.pop()
            if a is b:
                continue
            a, b = self.known(a), self.known(b)
            if a is b or a is ERROR or b is ERROR:
                continue
            if isinstance(b, Unknown) and not isinstance(a, Unknown):
                a, b = b, a
            if isinstance(a, Unknown):
                if a in set(subtypes(self.final(b))):
                    return False
                self.found[a] = b
            elif isinstance(a, PolyMap) and isinstance(b, PolyMap):
                if len(a.params) != len(b.params) or len(a.domain) != len(b.domain):
                    return False
                binding = dict(zip(a.params, b.params, strict=True))
                stack += [(substitute_type(x, binding), y) for x, y in _pairs(a, b)]
            elif type(a) is type(b) and isinstance(a, Map | Named) and _same_shape(a, b):
                stack += _pairs(a, b)
            else:
                return False
        return True


def _same_shape(a: Type, b: Type) -> bool:
    if isinstance(a, Named) and isinstance(b, Named):
        return a.name == b.name and len(a.args) == len(b.args)
    return len(_parts(a)) == len(_parts(b))


def _pairs(a: Type, b: Type) -> list[tuple[Type, Type]]:
    return list(zip(_parts(a), _parts(b), strict=True))
