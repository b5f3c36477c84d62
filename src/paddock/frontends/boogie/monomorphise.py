"""Monomorphisation: every use of something polymorphic gets a copy for its type arguments.

    function id<T>(x: T): T;                         function id#int(x: int): int;
    axiom (forall<T> x: T :: id(x) == x);     →      axiom (forall x: int :: id#int(x) == x);
    … id(3) …                                        … id#int(3) …

Copies are made on demand, by checking the declaration's syntax again with the parameters bound, until
no new ones are asked for. A polymorphic map `<a>[D]R` becomes a datatype with one ordinary map for each
`a` it is used at, and a field for all the rest, so that equality of such maps stays what it was.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from itertools import product

from paddock.frontends.boogie import syntax as s
from paddock.frontends.boogie.expression_context import Instance, PolyAccess
from paddock.frontends.boogie.expressions import Expressions
from paddock.frontends.boogie.problems import Problems
from paddock.frontends.boogie.symbols import Symbols
from paddock.frontends.boogie.triggers import type_problem
from paddock.frontends.boogie.type_quantifiers import Scheme, TypeQuantifiers, Uses, scheme_of
from paddock.frontends.boogie.types import PolyMap, Unknown, is_monstrous, shown, subtypes
from paddock.frontends.source import Source
from paddock.frozen import field, frozen, mutable, replace
from paddock.ir.expr import App, Binder, Construct, Expr, Fn, GetField, Is, Let, Op, Scope, SetField, Var
from paddock.ir.names import FreshNames
from paddock.ir.program import Constructor, Datatype, TypeDecl, VarDecl
from paddock.ir.types import BOOL, INT, Map, Named, Type, TypeVar, parts, with_parts
from paddock.ir.walk import rewrite, subterms

MOST_INSTANCES = 10_000

TypeArgs = tuple[Type, ...]


@frozen
class Demand:
    """A copy that is needed: of a function, datatype or procedure, at these type arguments."""

    kind: str
    name: str
    type_args: TypeArgs


@mutable
class MapCopy:
    """The datatype that a polymorphic map type becomes, and where in the source it is first used."""

    name: str
    rest: str  # the name of the opaque type for all that is never used
    constructor: str
    source: Source
    pos: int
    fields: dict[TypeArgs, str] = field(default_factory=dict)


class Copies:
    """The copies that are needed: their names, and the list of those that are still to be made."""

    def __init__(self, symbols: Symbols, quantifiers: TypeQuantifiers, problems: Problems) -> None:
        self._symbols = symbols
        self._quantifiers = quantifiers
        self._problems = problems
        self.queue: deque[Demand] = deque()
        self.names: dict[Demand, str] = {}
        self.used_at: dict[object, list[TypeArgs]] = {}  # the copies of functions, constructors and maps
        self._fresh: FreshNames | None = None  # made when all is declared
        self._gave_up = False

    def name(self, kind: str, name: str, type_args: TypeArgs, pos: int) -> str:
        """The name of a copy, which is put on the list if it is new."""
        demand = Demand(kind, name, type_args)
        if demand not in self.names:
            self.names[demand] = self.fresh(f"{name}#{_readable(type_args)}")
            if kind in ("function", "constructor"):
                self.used_at.setdefault(name, []).append(type_args)
            if kind in ("function", "datatype", "procedure") and self._is_reasonable(demand, pos):
                self.queue.append(demand)
        return self.names[demand]

    def constructor(self, name: str, type_args: TypeArgs, pos: int) -> str:
        """The name of a constructor in the copy of its datatype."""
        return self.name("constructor", name, type_args, pos) if type_args else name

    def fresh(self, base: str) -> str:
        """A name that nothing declared has, and no other copy."""
        if self._fresh is None:
            symbols, other = self._symbols, self._quantifiers.other
            tables = (symbols.types.declared, symbols.functions, symbols.variables, symbols.procedures)
            taken = {name for table in tables for name in table}
            self._fresh = FreshNames(taken if other is None else {*taken, other.name})
        return self._fresh(base)

    def _is_reasonable(self, demand: Demand, pos: int) -> bool:
        if any(map(is_monstrous, demand.type_args)) or len(self.names) > MOST_INSTANCES:
            if not self._gave_up:
                message = f"'{demand.name}' is needed for infinitely many types, or for too many of them"
                self._problems.add(pos, message, "polymorphism is supported where finitely many instances suffice")
            self._gave_up = True
        return not self._gave_up

    @property
    def progress(self) -> int:
        """Grows whenever there is something new for axioms to speak about."""
        return sum(map(len, self.used_at.values()))


class Monomorphiser:
    """Replaces what is polymorphic in types and expressions by the copies that they use."""

    def __init__(self, expressions: Expressions, symbols: Symbols, quantifiers: TypeQuantifiers) -> None:
        self.exprs = expressions
        self.quantifiers = quantifiers
        expressions.at.instances = quantifiers.instances
        self.symbols = symbols
        self.uses: dict[tuple[object, TypeArgs], None] = {}  # what the generic expression at hand uses
        self.copies = Copies(symbols, quantifiers, expressions.problems)
        self.poly_maps: dict[PolyMap, MapCopy] = {}
        self._types: dict[Type, Type] = {}
        self._type_args: dict[Type, TypeArgs] = {}  # of the copies of datatypes
        self._originals: dict[str, str] = {}  # the datatypes that copies are copies of
        expressions.specialise = self.specialise

    @property
    def generic(self) -> bool:
        """Whether a polymorphic declaration is checked for itself."""
        return self.exprs.at.generic

    # --- types -----------------------------------------------------------------------------------

    def type(self, root: Type, pos: int = 0) -> Type:
        """`root` without polymorphism: copies of datatypes by their names, polymorphic maps as datatypes."""
        if not self.symbols.has_generic_types or self.generic:
            return root
        done = self._types
        stack = [root]
        while stack:
            node = stack[-1]
            if node in done:
                stack.pop()
                continue
            if isinstance(node, PolyMap):
                name = self.copies.fresh("PolyMap")
                names = (name, self.copies.fresh(f"{name}#rest"), self.copies.fresh(f"{name}#make"))
                self.poly_maps[node] = MapCopy(*names, self.exprs.problems.source, pos)
                done[node] = Named(name, ())
                continue
            missing = [p for p in parts(node) if p not in done]
            if missing:
                stack.extend(missing)
                continue
            stack.pop()
            new = with_parts(node, tuple(done[p] for p in parts(node)))
            if isinstance(node, Named) and node.args and node.name in self.symbols.datatypes:
                new = Named(self.copies.name("datatype", node.name, node.args, pos), ())
                self._type_args[new] = node.args
                self._originals[new.name] = node.name
            done[node] = new
        return done[root]

    def original(self, datatype: str) -> str:
        """The name of the datatype that this one is a copy of; its own if it is none."""
        return self._originals.get(datatype, datatype)

    def poly_map_declarations(self) -> tuple[list[TypeDecl], list[Datatype]]:
        """The datatypes that polymorphic maps have become, each with an opaque type for its unused part."""
        other = self.quantifiers.other
        types = [] if other is None else [TypeDecl(other.name)]
        datatypes = []
        for poly_map, copy in self.poly_maps.items():
            types.append(TypeDecl(copy.rest))
            fields = [VarDecl(Var(f, self._map_at(poly_map, args), Scope.BOUND)) for args, f in copy.fields.items()]
            fields.append(VarDecl(Var("rest", Named(copy.rest, ()), Scope.BOUND)))
            datatypes.append(Datatype(copy.name, (Constructor(copy.constructor, tuple(fields)),)))
        return types, datatypes

    def _map_at(self, poly_map: PolyMap, type_args: TypeArgs) -> Map:
        map_ = self.type(poly_map.at(type_args))
        assert isinstance(map_, Map)
        return map_

    # --- expressions -----------------------------------------------------------------------------

    def known(self, type_: Type, pos: int) -> Type:
        """What inference has found out about a type, which must be all of it."""
        type_ = self.exprs.at.inference.final(type_)
        unknown = [t for t in subtypes(type_) if isinstance(t, Unknown)]
        if unknown:
            self.exprs.problems.warn(pos, "a type argument cannot be determined here: it is taken to be int")
            self.exprs.at.inference.found.update(dict.fromkeys(unknown, INT))
            return self.exprs.at.inference.final(type_)
        return type_

    def specialise(self, expr: Expr, pos: int) -> Expr:
        """`expr` with all types known and every use of something polymorphic replaced by its copy."""
        self._note_type_quantifiers()
        if not self.exprs.at.inference.count and not self.symbols.has_generic_types:
            return expr  # nothing polymorphic is in it
        if self.generic:
            self.uses.update(dict.fromkeys(self._uses_in(expr)))
            return expr

        def known(type_: Type) -> Type:
            return self.known(type_, pos)

        def mono(type_: Type) -> Type:
            return self.type(known(type_), pos)

        def specialised(node: Expr) -> Expr:
            match node:
                case Var(name, type_, scope):
                    return Var(name, mono(type_), scope)
                case App(Instance(name, type_args), args, type_):
                    op = self._function(name, tuple(map(known, type_args)), pos)
                    return App(op, args, mono(type_))
                case App(PolyAccess(access, poly_map, type_args), args, _):
                    return self._poly_access(access, known(poly_map), tuple(map(known, type_args)), args)
                case App(Is(constructor), args, type_):
                    type_args = self._type_args.get(args[0].type, ())
                    return App(Is(self.copies.constructor(constructor, type_args, pos)), args, type_)
                case App(op, args, type_):
                    return App(op, args, mono(type_))
                case Binder() | Let():
                    vars_ = tuple(Var(v.name, mono(v.type), v.scope) for v in node.vars)
                    return replace(node, vars=vars_, type=mono(node.type))
                case _:
                    return node

        return rewrite(expr, specialised)

    def _uses_in(self, expr: Expr) -> Uses:
        """At which types an expression uses what is polymorphic."""
        final = self.exprs.at.inference.final
        uses: Uses = []
        for node in subterms([expr]):
            if isinstance(node, App) and isinstance(node.op, Instance | PolyAccess):
                of = final(node.op.of) if isinstance(node.op, PolyAccess) else node.op.of
                uses.append((of, tuple(map(final, node.op.type_args))))
        return uses

    def _note_type_quantifiers(self) -> None:
        met = self.exprs.at.type_quantified
        for place, params, body, node in met:
            self.check_triggers(params, body, node)
            if place is None:
                continue
            scheme = scheme_of(params, body, self._uses_in, self.exprs.at.inference.final)
            self.quantifiers.schemes.setdefault(place, scheme)
        met.clear()

    def check_triggers(self, params: tuple[TypeVar, ...], body: Expr, node: s.Quantified) -> None:
        """Refuse triggers of a quantifier over types that do not say at which types it is to be used."""
        if isinstance(body, Binder) and node.vars:
            for trigger, syntax in zip(body.triggers, node.triggers, strict=True):
                problem = type_problem(trigger, params, body.vars, self.exprs.at.inference.final, self._uses_in)
                if problem is not None:
                    self.exprs.problems.add(syntax.pos, problem)

    def _function(self, name: str, type_args: TypeArgs, pos: int) -> Fn | Construct:
        if self.symbols.functions[name].is_constructor:
            return Construct(self.copies.constructor(name, type_args, pos))
        return Fn(self.copies.name("function", name, type_args, pos))

    def _poly_access(self, access: Op, poly_map: Type, type_args: TypeArgs, args: tuple[Expr, ...]) -> Expr:
        """`m[i]` becomes `m->at#T[i]`, and `m[i := v]` becomes `m->(at#T := m->at#T[i := v])`."""
        if not isinstance(poly_map, PolyMap):
            return args[0]  # an error has been reported
        self.type(poly_map)
        fields = self.poly_maps[poly_map].fields
        if type_args not in fields:
            fields[type_args] = FreshNames(fields.values())(f"at#{_readable(type_args)}")
            self.copies.used_at.setdefault(poly_map, []).append(type_args)
        name, map_ = fields[type_args], args[0]
        type_ = self._map_at(poly_map, type_args)
        inner = App(GetField(name), (map_,), type_)
        if access is Op.SELECT:
            return App(Op.SELECT, (inner, *args[1:]), type_.range)
        return App(SetField(name), (map_, App(Op.STORE, (inner, *args[1:]), type_)), map_.type)

    # --- axioms ----------------------------------------------------------------------------------

    def bindings(self, params: tuple[TypeVar, ...], uses: Iterable[tuple[object, TypeArgs]]) -> Iterator[TypeArgs]:
        """The type arguments at which an axiom over `params` that has these `uses` says something.

        An axiom matters only for copies that the program uses; each use is matched with those.
        """
        matches = ((pattern, type_args) for of, pattern in uses for type_args in self.copies.used_at.get(of, ()))
        yield from product(*_matching(params, matches))

    def candidates(self, scheme: Scheme) -> list[list[Type]]:
        """The types at which a quantifier over types inside a formula says something, for each of its parameters."""
        matches = [(pattern, type_args) for of, pattern in scheme.uses for type_args in self.copies.used_at.get(of, ())]
        matches += [((a,), (b,)) for a, b in scheme.compared if not any(isinstance(t, TypeVar) for t in subtypes(b))]
        found = dict(zip(scheme.params, _matching(scheme.params, matches), strict=True))
        found.update((p, self._any_types()) for p in scheme.undetermined())
        return [[self.other_type, *(types if p in scheme.mentioned else ())] for p, types in found.items()]

    def _any_types(self) -> list[Type]:
        """Types that differ in what formulas without functions can express of them: in how many values they have."""
        own = (t for t in self.symbols.types.declared.values() if not t.params and t.definition_syntax is None)
        return [BOOL, INT, *(Named(t.name, ()) for t in own)]

    @property
    def other_type(self) -> Type:
        """A type of which nothing is known."""
        if self.quantifiers.other is None:
            self.quantifiers.other = Named(self.copies.fresh("OtherType"), ())
        return self.quantifiers.other


def _matching(params: tuple[TypeVar, ...], matches: Iterable[tuple[TypeArgs, TypeArgs]]) -> list[list[Type]]:
    """What each of the parameters stands for where a pattern over them is matched with types."""
    candidates: dict[TypeVar, dict[Type, None]] = {p: {} for p in params}
    for pattern, type_args in matches:
        binding: dict[Type, Type] = {}
        if all(_match(p, t, binding) for p, t in zip(pattern, type_args, strict=True)):
            for param in params:
                if param in binding:
                    candidates[param][binding[param]] = None
    return [list(types) for types in candidates.values()]


def _readable(types: TypeArgs) -> str:
    text = "#".join(map(shown, types))
    return "".join(c if c.isalnum() or c in "_.#$" else "_" for c in text)


def _match(pattern: Type, type_: Type, binding: dict[Type, Type]) -> bool:
    """Whether `type_` is an instance of `pattern`; extends `binding` with what its parameters stand for."""
    stack = [(pattern, type_)]
    while stack:
        p, t = stack.pop()
        if isinstance(p, TypeVar):
            if binding.setdefault(p, t) is not t:
                return False
        elif p is not t:
            if type(p) is not type(t) or not isinstance(p, Named | Map) or len(parts(p)) != len(parts(t)):
                return False
            if isinstance(p, Named) and isinstance(t, Named) and p.name != t.name:
                return False
            stack += zip(parts(p), parts(t), strict=True)
    return True
