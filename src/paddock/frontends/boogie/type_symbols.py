"""The types that a program declares, and the way from type syntax to types.

Synonyms are written out; their definitions are resolved in an order that needs no recursion.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from paddock.frontends.boogie import syntax as s
from paddock.frontends.boogie.problems import Problems
from paddock.frontends.boogie.types import (
    ERROR,
    MapParam,
    PolyMap,
    mentions_map_param,
    open_parts,
    substitute_type,
    subtypes,
)
from paddock.frontends.source import Source
from paddock.frozen import mutable
from paddock.ir.graph import strongly_connected_components
from paddock.ir.types import BASIC_TYPES, Bv, Float, Map, Named, Type, TypeVar, parts

_SIZED = re.compile(r"bv([0-9]+)|float([0-9]+)e([0-9]+)")
_WIDEST = 1 << 20  # bits; more is a typing mistake and would only exhaust the memory
_LARGEST = 100_000  # parts of a type, counted as often as they are written
_MOST_LISTED = 5  # how many names a message lists

# Stands for a type parameter of an outer polymorphic map, inside an inner one.
_OUT_OF_REACH = Named("<out of reach>", ())


@mutable
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
        self.hidden: set[Type] = set()  # built-in types whose names the program gives to its own
        self.has_poly_maps = False
        # How many parts types have when they are written out; what is wrong already is never too large.
        self._sizes: dict[Type, float] = {ERROR: float("-inf")}
        self._known: dict[str, Type] = dict(BASIC_TYPES)  # names that need no thought

    def declare(self, symbol: TypeSymbol, pos: int) -> None:
        if _SIZED.fullmatch(symbol.name):
            self.problems.add(pos, f"the type '{symbol.name}' is built in")
            return
        self.declared[symbol.name] = symbol
        if symbol.name in BASIC_TYPES:
            self.hidden.add(BASIC_TYPES[symbol.name])
            del self._known[symbol.name]

    def resolve(self, syntax: s.TypeSyntax, params: Mapping[str, Type] = {}) -> Type:
        """The type that `syntax` denotes, with `params` for the type parameters in scope."""
        if isinstance(syntax, s.NamedType) and not syntax.args and syntax.name not in params:
            known = self._known.get(syntax.name)
            if known is not None:
                return known
        done: list[Type] = []
        stack: list[tuple[s.TypeSyntax, Mapping[str, Type], bool]] = [(syntax, params, False)]
        while stack:
            node, scope, parts_done = stack.pop()
            inside = [*node.domain, node.range] if isinstance(node, s.MapType) else node.args
            if inside and not parts_done:
                inner = self._map_scope(node, scope) if isinstance(node, s.MapType) else scope
                stack.append((node, scope, True))
                stack.extend((part, inner, False) for part in reversed(inside))
                continue
            types = tuple(done[len(done) - len(inside) :])
            del done[len(done) - len(inside) :]
            done.append(self._map(node, types) if isinstance(node, s.MapType) else self._named(node, types, scope))
        return done[0]

    def _map_scope(self, node: s.MapType, scope: Mapping[str, Type]) -> Mapping[str, Type]:
        if not node.type_params:
            return scope
        if len(set(node.type_params)) != len(node.type_params):
            self.problems.add(node.pos, "a type parameter is declared twice")
        for name in node.type_params:
            if name in scope:
                self.problems.add(node.pos, f"the type parameter '{name}' is already declared around here")
            elif name in self.declared:
                self.problems.add(node.pos, f"the type parameter '{name}' has the name of a declared type")
        outer = {name: _OUT_OF_REACH if isinstance(t, MapParam) else t for name, t in scope.items()}
        return {**outer, **{name: MapParam(i) for i, name in enumerate(node.type_params)}}

    def _map(self, node: s.MapType, subs: tuple[Type, ...]) -> Type:
        if not node.type_params:
            return Map(subs[:-1], subs[-1])
        self.has_poly_maps = True
        mentioned = {t for sub in subs for t in open_parts(sub)}
        for index, name in enumerate(node.type_params):
            if MapParam(index) not in mentioned and ERROR not in mentioned:
                self.problems.add(node.pos, f"the type parameter '{name}' does not occur in the map type")
        return PolyMap(len(node.type_params), subs[:-1], subs[-1])

    def _named(self, node: s.NamedType, args: tuple[Type, ...], scope: Mapping[str, Type]) -> Type:
        name = node.name
        if name in scope:
            if args:
                self.problems.add(node.pos, f"the type parameter '{name}' takes no arguments")
            return scope[name] if scope[name] is not _OUT_OF_REACH else self._out_of_reach(node.pos)
        symbol = self.declared.get(name)
        if symbol is None:
            return self._built_in(node, args)
        if len(args) != len(symbol.params):
            wanted = f"{len(symbol.params)} argument{'s' * (len(symbol.params) != 1)}"
            self.problems.add(node.pos, f"the type '{name}' takes {wanted}, not {len(args)}")
            return ERROR
        if symbol.definition is not None:
            if any(map(mentions_map_param, args)) and any(isinstance(t, PolyMap) for t in subtypes(symbol.definition)):
                return self._out_of_reach(node.pos)
            binding = {TypeVar(p): a for p, a in zip(symbol.params, args, strict=True)}
            return self._written_out(node.pos, substitute_type(symbol.definition, binding))
        type_ = Named(name, args)
        if not args:
            self._known[name] = type_
        return type_

    def _written_out(self, pos: int, root: Type) -> Type:
        """The type itself, if it is not too large to be printed: synonyms can make types grow exponentially."""
        sizes = self._sizes
        stack = [root] if root not in sizes else []
        while stack:
            node = stack[-1]
            missing = [p for p in parts(node) if p not in sizes]
            if missing:
                stack += missing
            else:
                stack.pop()
                sizes[node] = 1 + sum(sizes[p] for p in parts(node))
        if sizes[root] <= _LARGEST:
            return root
        self.problems.add(pos, "this type is too large when its synonyms are written out")
        return ERROR

    def _out_of_reach(self, pos: int) -> Type:
        message = "a polymorphic map type inside another cannot use the other's type parameters"
        self.problems.add(pos, message)
        return ERROR

    def _built_in(self, node: s.NamedType, args: tuple[Type, ...]) -> Type:
        name = node.name
        type_ = BASIC_TYPES.get(name)
        if type_ is None and (sized := _SIZED.fullmatch(name)):
            sizes = [group.lstrip("0") or "0" for group in sized.groups() if group is not None]
            if any(len(size) > len(str(_WIDEST)) or int(size) > _WIDEST for size in sizes):
                self.problems.add(node.pos, f"'{name}' is too wide a type")
                return ERROR
            if len(sizes) == 1:
                type_ = Bv(int(sizes[0]))
            elif min(map(int, sizes)) >= 2:
                type_ = Float(int(sizes[0]), int(sizes[1]))
            else:
                self.problems.add(node.pos, f"'{name}': significand and exponent need at least 2 bits each")
                return ERROR
        if type_ is None:
            known = [*self.declared, *BASIC_TYPES]
            self.problems.add(node.pos, f"undeclared type '{name}'", self.problems.did_you_mean(name, known))
            return ERROR
        if args:
            self.problems.add(node.pos, f"the type '{name}' takes no arguments")
            return ERROR
        self._known[name] = type_
        return type_

    def define_synonyms(self, sources: Mapping[str, Source]) -> None:
        """Resolve the definitions of all synonyms, those first that others are built from."""
        synonyms = {n: t for n, t in self.declared.items() if t.definition_syntax is not None}
        used = {n: list(dict.fromkeys(_names_in(t.definition_syntax, t.params))) for n, t in synonyms.items()}
        needs = {n: [name for name in names if name in synonyms] for n, names in used.items()}
        order = {name: n for n, name in enumerate(synonyms)}
        for group in strongly_connected_components(needs):
            if len(group) > 1 or group[0] in needs[group[0]]:
                self._refuse_cycle([synonyms[n] for n in sorted(group, key=order.__getitem__)], sources)
                continue
            symbol = synonyms[group[0]]
            assert symbol.definition_syntax is not None
            self.problems.source = sources[symbol.name]
            definition = self.resolve(symbol.definition_syntax, {p: TypeVar(p) for p in symbol.params})
            symbol.definition = self._written_out(symbol.definition_syntax.pos, definition)

    def _refuse_cycle(self, cycle: list[TypeSymbol], sources: Mapping[str, Source]) -> None:
        first, *others = cycle
        assert first.definition_syntax is not None
        self.problems.source = sources[first.name]
        message = f"the type synonym '{first.name}' is defined through itself"
        names = ", ".join(f"'{t.name}'" for t in others[:_MOST_LISTED])
        self.problems.add(first.definition_syntax.pos, message, f"by way of {names}" if others else "")
        for symbol in cycle:
            symbol.definition = ERROR


def _names_in(syntax: s.TypeSyntax | None, params: list[str]) -> Iterable[str]:
    """The names of types that occur in `syntax`, its parameters left out."""
    stack = [syntax] if syntax is not None else []
    while stack:
        node = stack.pop()
        if isinstance(node, s.MapType):
            stack += [*node.domain, node.range]
        else:
            if node.name not in params:
                yield node.name
            stack += node.args
