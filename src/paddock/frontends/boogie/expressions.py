"""Resolving names in expressions and checking their types: from syntax to IR expressions.

One loop with an explicit stack: an entry is a node to look at or, after its operands, a step that
takes them off the stack of values and puts the result there. An ill-typed expression has the type
`ERROR`, which every other type agrees with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import reduce
from typing import Any

from paddock.digits import digits
from paddock.frontends.boogie import syntax as s
from paddock.frontends.boogie.attributes import warn_of
from paddock.frontends.boogie.declare import own_field
from paddock.frontends.boogie.local_names import Bound, LocalNames
from paddock.frontends.boogie.operators import operation_type
from paddock.frontends.boogie.symbols import DatatypeSymbol, FunctionSymbol, Symbols
from paddock.frontends.boogie.triggers import trigger_problem
from paddock.frontends.boogie.type_quantifiers import Place
from paddock.frontends.boogie.types import ERROR, Inference, PolyMap, shown, substitute_type
from paddock.frozen import frozen, replace
from paddock.ir.expr import (
    App,
    Attribute,
    Attributes,
    Binder,
    Construct,
    Expr,
    Extract,
    Fn,
    GetField,
    Is,
    Let,
    Lit,
    Op,
    Operator,
    Quantifier,
    Scope,
    SetField,
    Trigger,
    Var,
)
from paddock.ir.intern import Term
from paddock.ir.types import BOOL, Bv, Map, Named, Type, TypeVar

_BROKEN = Lit(False, ERROR)


@frozen(eq=False)
class Instance(Term):
    """Application of a polymorphic function or constructor, until the copy for its types has a name."""

    of: str
    type_args: tuple[Type, ...]


@frozen(eq=False)
class PolyAccess(Term):
    """Select or store on a polymorphic map, at these type arguments."""

    op: Op
    of: Type  # the polymorphic map's
    type_args: tuple[Type, ...]


_Step = tuple[Callable[[Any], None], Any]  # what to do once the operands are done, and with what


class Expressions:
    """Checks expressions in a context that its user sets: the scope and what is allowed in it."""

    def __init__(self, symbols: Symbols) -> None:
        self.symbols = symbols
        self.problems = symbols.problems
        self.inference = Inference()
        self.generic = False  # while a polymorphic declaration is checked for itself
        self.instances: Mapping[Place, list[tuple[Type, ...]]] = {}  # of quantifiers over types
        # The quantifiers over types that were met, over their parameters; those in something polymorphic have no place.
        self.type_quantified: list[tuple[Place | None, tuple[TypeVar, ...], Expr, s.Quantified]] = []
        # Gives an expression in a polymorphic program its final form; set by the monomorphiser.
        self.specialise: Callable[[Expr, int], Expr] = lambda expr, pos: expr
        self.enter({})
        self._values: list[Expr] = []
        self._work: list[s.ExprSyntax | _Step] = []
        self._plain_attributes: dict[str, Attributes] = {}
        self._first_steps: dict[type, Callable[[Any], None]] = {
            s.FunctionCall: self._enter_call,
            s.Select: self._enter_select,
            s.Store: self._enter_store,
            s.BvExtract: self._enter_extract,
            s.FieldAccess: self._enter_field,
            s.FieldUpdate: self._enter_update,
            s.IsConstructor: self._enter_is,
            s.Coercion: self._enter_coercion,
            s.Quantified: self._enter_quantified,
            s.LetIn: self._enter_let,
        }

    # --- entry points ----------------------------------------------------------------------------

    def enter(
        self, scope: dict[str, Var], type_params: Mapping[str, Type] = {}, no_old: str = "", no_globals: str = ""
    ) -> None:
        """Set the context: the local variables and type parameters by the names that the source has for them,
        and if `old` or global variables are not allowed, the end of the message that says so."""
        self.scope, self.type_params = scope, type_params
        self._no_old, self._no_globals = no_old, no_globals
        self._names = LocalNames(scope, self.symbols.variables, self.problems)

    def check(self, node: s.ExprSyntax, wanted: Type | None = None, what: str = "") -> Expr:
        """The expression that `node` denotes; with `wanted`, it must have that type (`what` names it)."""
        if self.symbols.polymorphic:
            self.inference = Inference()
        expr = self._run(node)
        if wanted is not None and expr.type is not wanted and not self.inference.unify(expr.type, wanted):
            self.problems.add(node.pos, f"{what} must be {_a(wanted)}, but is {self.inference.shown(expr.type)}")
        return self.finish(expr, node.pos)

    def check_all(self, nodes: list[s.ExprSyntax]) -> tuple[Expr, ...]:
        """Several expressions whose unknown types are found together; `finish` each one in the end."""
        if self.symbols.polymorphic:
            self.inference = Inference()
        return tuple([self._run(node) for node in nodes])

    def check_update(self, var: Var, target: s.AssignTarget, value_syntax: s.ExprSyntax) -> Expr:
        """The value that `var` gets from an assignment to one of its elements or fields.

        `m[i][j] := e` gives `m[i := m[i][j := e]]`.
        """
        if self.symbols.polymorphic:
            self.inference = Inference()
        holders: list[Expr] = [var]
        indices: list[tuple[Expr, ...]] = []
        for step in target.steps:
            holder = holders[-1]
            if isinstance(step, str):
                indices.append(())
                type_ = self._type_of_field(target.pos, holder, step)
                holders.append(App(GetField(step), (holder,), type_))
            else:
                indices.append(tuple([self._run(i) for i in step]))
                holders.append(self._select(target.pos, step, (holder, *indices[-1])))
        element = holders.pop()
        value = self._run(value_syntax)
        if not self._agree(element.type, value.type):
            message = f"the value must be {self._shown_a(element.type)}, but is {self._shown(value.type)}"
            self.problems.add(value_syntax.pos, message)
        for step, holder, index in zip(reversed(target.steps), reversed(holders), reversed(indices), strict=True):
            if isinstance(step, str):
                value = App(SetField(step), (holder, value), holder.type)
            else:
                value = self._store(target.pos, step, (holder, *index, value), value_syntax.pos)
        return self.finish(value, target.pos)

    def finish(self, expr: Expr, pos: int) -> Expr:
        """`expr` in its final form, now that nothing more is to be learnt about its unknown types."""
        return self.specialise(expr, pos) if self.symbols.polymorphic else expr

    def condition(self, node: s.ExprSyntax, what: str) -> Expr:
        return self.check(node, BOOL, what)

    def attributes(self, nodes: list[s.AttributeSyntax]) -> Attributes:
        if not nodes:
            return ()
        warn_of(nodes, self.problems)
        if len(nodes) == 1 and not nodes[0].params:
            name = nodes[0].name
            plain = self._plain_attributes.get(name)
            if plain is None:
                plain = self._plain_attributes[name] = (Attribute(name),)
            return plain
        return tuple(
            [Attribute(a.name, tuple([p if isinstance(p, str) else self.check(p) for p in a.params])) for a in nodes]
        )

    # --- the loop --------------------------------------------------------------------------------

    def _run(self, root: s.ExprSyntax) -> Expr:
        values, work = self._values, self._work
        scope, hidden_types, finish_operation = self.scope, self.symbols.types.hidden, self._finish_operation
        work.append(root)
        while work:
            item = work.pop()
            if type(item) is s.Name:
                values.append(scope.get(item.name) or self._outer_name(item))
            elif type(item) is tuple:
                step, subject = item
                step(subject)
            elif type(item) is s.Operation:
                work.append((finish_operation, item))
                work += item.args[::-1]
            elif type(item) is s.Literal:
                if item.type in hidden_types:
                    self.problems.add(item.pos, f"the type of this literal is hidden by the declared type {item.type}")
                values.append(Lit(item.value, item.type))
            else:
                self._first_steps[type(item)](item)
        return values.pop()

    def _take(self, count: int) -> tuple[Expr, ...]:
        if not count:
            return ()
        values = self._values
        taken = tuple(values[-count:])
        del values[-count:]
        return taken

    def _put(self, op: Operator | Instance | PolyAccess, args: tuple[Expr, ...], type_: Type) -> None:
        self._values.append(_application(op, args, type_))

    def _break(self, pos: int, message: str) -> None:
        """The expression is wrong: say so and go on with one that agrees with everything."""
        self.problems.add(pos, message)
        self._values.append(_BROKEN)

    def _outer_name(self, node: s.Name) -> Expr:
        """What a name means that no local or bound variable has."""
        var = self.symbols.variables.get(node.name)
        if var is None:
            self.symbols.unknown(node.pos, "identifier", node.name, [*self.scope, *self.symbols.variables])
            return _BROKEN
        if self._no_globals and var.scope is Scope.GLOBAL:
            self.problems.add(node.pos, f"the global variable '{node.name}' {self._no_globals}")
        return var

    def _finish_operation(self, node: s.Operation) -> None:
        op = node.op
        args = self._take(len(node.args))
        if op is Op.OLD and self._no_old:
            self.problems.add(node.pos, f"'old' {self._no_old}")
        type_ = operation_type(op, args, self.inference)
        if isinstance(type_, str):
            if (op is Op.EQ or op is Op.NE) and self.type_params and not self.generic:
                # Of types that might have been one: where the copy is for others, the values are of different types.
                self._values.append(Lit(op is Op.NE, BOOL))
            else:
                self._break(node.pos, type_)
        else:
            self._values.append(App(op, args, type_))

    # --- types -----------------------------------------------------------------------------------

    def _agree(self, a: Type, b: Type) -> bool:
        return a is b or self.inference.unify(a, b)

    def _shown(self, type_: Type) -> str:
        return self.inference.shown(type_)

    def _shown_a(self, type_: Type) -> str:
        return _a(self.inference.final(type_))

    # --- functions and datatypes -----------------------------------------------------------------

    def _enter_call(self, node: s.FunctionCall) -> None:
        self._work.append((self._finish_call, node))
        self._work += node.args[::-1]

    def _finish_call(self, node: s.FunctionCall) -> None:
        args = self._take(len(node.args))
        symbol = self.symbols.functions.get(node.name)
        if symbol is None:
            if not self._old_style_access(node, args):
                self.symbols.function(node.pos, node.name)
                self._values.append(_BROKEN)
            return
        if len(args) != len(symbol.params):
            kind = "constructor" if symbol.is_constructor else "function"
            wanted = f"{len(symbol.params)} argument{'s' * (len(symbol.params) != 1)}"
            self._break(node.pos, f"the {kind} '{node.name}' takes {wanted}, not {len(args)}")
            return
        op, params, result = self._instantiated(symbol)
        fits = True
        for index, (arg, param) in enumerate(zip(args, params, strict=True)):
            if arg.type is not param and not self.inference.unify(arg.type, param):
                where = f"argument {index + 1} of '{node.name}'"
                message = f"{where} must be {self._shown_a(param)}, but is {self._shown(arg.type)}"
                self.problems.add(node.args[index].pos, message)
                fits = False
        if fits:
            self._put(op, args, result)
        else:
            self._values.append(_BROKEN)

    def _instantiated(self, symbol: FunctionSymbol) -> tuple[Operator | Instance, tuple[Type, ...], Type]:
        """The operator, parameter types and result type of one use of a function."""
        if not symbol.type_params:
            op = Construct(symbol.name) if symbol.is_constructor else Fn(symbol.name)
            return op, symbol.params, symbol.result
        unknown = {p: self.inference.fresh() for p in symbol.type_params}
        params = tuple(substitute_type(p, unknown) for p in symbol.params)
        return Instance(symbol.name, tuple(unknown.values())), params, substitute_type(symbol.result, unknown)

    def _old_style_access(self, node: s.FunctionCall, args: tuple[Expr, ...]) -> bool:
        """`is#C(e)` and `f#C(e)`, the testers and selectors of `{:datatype}` types in older programs."""
        member, _, constructor = node.name.partition("#")
        symbol = self.symbols.functions.get(constructor)
        if symbol is None or not isinstance(symbol.declaration, s.ConstructorSyntax) or len(args) != 1:
            return False
        fields = [f.name for f in symbol.declaration.fields]
        if member != "is" and member not in fields:
            member = own_field(member, constructor)
            if member not in fields:
                return False
        _, _, of = self._instantiated(symbol)
        if not self._agree(args[0].type, of):
            message = f"the argument of '{node.name}' must be {self._shown_a(of)}, but is {self._shown(args[0].type)}"
            self._break(node.args[0].pos, message)
        elif member == "is":
            self._put(Is(constructor), args, BOOL)
        else:
            self._put(GetField(member), args, self._type_of_field(node.pos, args[0], member))
        return True

    def _datatype(self, type_: Type) -> DatatypeSymbol | None:
        known = self.inference.known(type_)
        return self.symbols.datatypes.get(known.name) if isinstance(known, Named) else None

    def _field_type(self, datatype: DatatypeSymbol, field: str, type_: Type) -> Type:
        known = self.inference.known(type_)
        assert isinstance(known, Named)
        return substitute_type(datatype.fields[field], dict(zip(datatype.type_params, known.args, strict=True)))

    def _enter_field(self, node: s.FieldAccess) -> None:
        self._work += [(self._finish_field, node), node.operand]

    def _finish_field(self, node: s.FieldAccess) -> None:
        (operand,) = self._take(1)
        type_ = self._type_of_field(node.pos, operand, node.field)
        self._put(GetField(node.field), (operand,), type_)

    def _enter_update(self, node: s.FieldUpdate) -> None:
        self._work += [(self._finish_update, node), node.value, node.operand]

    def _finish_update(self, node: s.FieldUpdate) -> None:
        operand, value = self._take(2)
        type_ = self._type_of_field(node.pos, operand, node.field)
        if not self._agree(type_, value.type):
            message = f"the field '{node.field}' is {self._shown_a(type_)}, not {self._shown(value.type)}"
            self._break(node.value.pos, message)
            return
        self._put(SetField(node.field), (operand, value), operand.type)

    def _type_of_field(self, pos: int, operand: Expr, field: str) -> Type:
        if self.inference.known(operand.type) is ERROR:
            return ERROR
        datatype = self._datatype(operand.type)
        if datatype is None:
            self.problems.add(pos, f"'->' needs a datatype, not {self._shown(operand.type)}")
            return ERROR
        if field not in datatype.fields:
            message = f"the datatype '{datatype.name}' has no field '{field}'"
            self.problems.add(pos, message, self.problems.did_you_mean(field, datatype.fields))
            return ERROR
        return self._field_type(datatype, field, operand.type)

    def _enter_is(self, node: s.IsConstructor) -> None:
        self._work += [(self._finish_is, node), node.operand]

    def _finish_is(self, node: s.IsConstructor) -> None:
        (operand,) = self._take(1)
        datatype = self._datatype(operand.type)
        if self.inference.known(operand.type) is not ERROR:
            if datatype is None:
                self.problems.add(node.pos, f"'is' needs a datatype, not {self._shown(operand.type)}")
            elif all(c.name != node.constructor for c in datatype.constructors):
                known = [c.name for c in datatype.constructors]
                message = f"the datatype '{datatype.name}' has no constructor '{node.constructor}'"
                self.problems.add(node.pos, message, self.problems.did_you_mean(node.constructor, known))
        self._put(Is(node.constructor), (operand,), BOOL)

    # --- maps and bit-vectors --------------------------------------------------------------------

    def _enter_select(self, node: s.Select) -> None:
        self._work.append((self._finish_select, node))
        self._work += node.indices[::-1]
        self._work.append(node.map)

    def _finish_select(self, node: s.Select) -> None:
        args = self._take(1 + len(node.indices))
        self._values.append(self._select(node.pos, node.indices, args))

    def _select(self, pos: int, indices: list[s.ExprSyntax], args: tuple[Expr, ...]) -> Expr:
        access = self._access(pos, indices, args)
        if access is None:
            return _BROKEN
        type_args, range_ = access
        return _application(PolyAccess(Op.SELECT, args[0].type, type_args) if type_args else Op.SELECT, args, range_)

    def _enter_store(self, node: s.Store) -> None:
        self._work += [(self._finish_store, node), node.value]
        self._work += node.indices[::-1]
        self._work.append(node.map)

    def _finish_store(self, node: s.Store) -> None:
        args = self._take(2 + len(node.indices))
        self._values.append(self._store(node.pos, node.indices, args, node.value.pos))

    def _store(self, pos: int, indices: list[s.ExprSyntax], args: tuple[Expr, ...], value_pos: int) -> Expr:
        """The map `args[0]` with one element changed; `args` ends in the new value."""
        map_ = args[0]
        access = self._access(pos, indices, args[:-1])
        if access is None:
            return _BROKEN
        type_args, range_ = access
        if not self._agree(range_, args[-1].type):
            message = f"the map's elements are {self._shown(range_)}, not {self._shown(args[-1].type)}"
            self.problems.add(value_pos, message)
            return _BROKEN
        return _application(PolyAccess(Op.STORE, map_.type, type_args) if type_args else Op.STORE, args, map_.type)

    def _access(
        self, pos: int, indices: list[s.ExprSyntax], args: tuple[Expr, ...]
    ) -> tuple[tuple[Type, ...], Type] | None:
        """The type arguments (of a polymorphic map) and the element type of an access to `args[0]`."""
        map_type = self.inference.known(args[0].type)
        if map_type is ERROR:
            return None
        type_args: tuple[Type, ...] = ()
        if isinstance(map_type, PolyMap):
            type_args = tuple([self.inference.fresh() for _ in range(map_type.arity)])
            map_type = map_type.at(type_args)
        if not isinstance(map_type, Map):
            self.problems.add(pos, f"only maps can be indexed, not {self._shown(map_type)}")
            return None
        if len(indices) != len(map_type.domain):
            wanted = f"{len(map_type.domain)} {'index' if len(map_type.domain) == 1 else 'indices'}"
            self.problems.add(pos, f"this map takes {wanted}, not {len(indices)}")
            return None
        for node, arg, want in zip(indices, args[1:], map_type.domain, strict=True):
            if arg.type is not want and not self.inference.unify(arg.type, want):
                message = f"the index must be {self._shown_a(want)}, but is {self._shown(arg.type)}"
                self.problems.add(node.pos, message)
                return None
        return type_args, map_type.range

    def _enter_extract(self, node: s.BvExtract) -> None:
        self._work += [(self._finish_extract, node), node.operand]

    def _finish_extract(self, node: s.BvExtract) -> None:
        (operand,) = self._take(1)
        type_ = self.inference.known(operand.type)
        if not isinstance(type_, Bv):
            if type_ is ERROR:
                self._values.append(_BROKEN)
            else:
                self._break(node.pos, f"only bit-vectors have bits, not {self._shown(type_)}")
        elif not 0 <= node.low <= node.high <= type_.width:
            self._break(node.pos, f"[{digits(node.high)}:{digits(node.low)}] does not lie within {shown(type_)}")
        else:
            self._put(Extract(node.high, node.low), (operand,), Bv(node.high - node.low))

    def _enter_coercion(self, node: s.Coercion) -> None:
        self._work += [(self._finish_coercion, node), node.operand]

    def _finish_coercion(self, node: s.Coercion) -> None:
        wanted = self.symbols.types.resolve(node.type, self.type_params)
        operand = self._values[-1]
        if not self._agree(operand.type, wanted):
            self.problems.add(node.pos, f"{self._shown(operand.type)} cannot be taken as {shown(wanted)}")
            self._values[-1] = _BROKEN

    # --- binders ---------------------------------------------------------------------------------

    def _enter_quantified(self, node: s.Quantified) -> None:
        if node.type_params:
            self._enter_type_quantified(node)
            return
        types = [self.symbols.types.resolve(b.type, self.type_params) for b in node.vars if b.type is not None]
        bound = self._names.bind(node.vars, types)
        self._work += [(self._finish_quantified, (node, bound)), node.body]
        for trigger in reversed(node.triggers):
            self._work += trigger.terms[::-1]
        for attributes in (node.attributes, *(b.attributes for b in reversed(node.vars))):
            self._work += _expressions(attributes)[::-1]

    def _finish_quantified(self, item: tuple[s.Quantified, list[Bound]]) -> None:
        node, bound = item
        attribute_lists = [b.attributes for b in node.vars] + [node.attributes]
        count = sum(len(_expressions(a)) for a in attribute_lists) + sum(len(t.terms) for t in node.triggers)
        *rest, body = self._take(count + 1)
        self._names.unbind(bound)
        parts = iter(rest)
        *var_attributes, attributes = [_with_expressions(a, parts) for a in attribute_lists]
        triggers = tuple([Trigger(tuple([next(parts) for _ in t.terms]), t.positive) for t in node.triggers])
        vars_ = tuple([var for _, var, _ in bound])
        for syntax, trigger in zip(node.triggers, triggers, strict=True):
            problem = trigger_problem(trigger, vars_)
            if problem is not None:
                self.problems.add(syntax.pos, problem)
        if node.kind is Quantifier.LAMBDA:
            type_: Type = Map(tuple([v.type for v in vars_]), body.type)
        else:
            type_ = BOOL
            if not self._agree(body.type, BOOL):
                message = f"the body of a quantifier must be a bool, but is {self._shown(body.type)}"
                self.problems.add(node.body.pos, message)
        self._values.append(Binder(node.kind, vars_, tuple(var_attributes), attributes, triggers, body, type_))

    def _enter_type_quantified(self, node: s.Quantified) -> None:
        """A quantifier over types: once with its type parameters as they are, then each of the known instances."""
        params = self.symbols.type_params(node.pos, node.type_params)
        for param in params:
            if param.name in self.type_params:
                self.problems.add(node.pos, f"the type parameter '{param.name}' is already declared around here")
        if node.kind is Quantifier.LAMBDA:
            self._break(node.pos, "a lambda expression over types is not supported")
            return
        place = (self.problems.source, node.pos, tuple(self.type_params.items()))
        instances = [] if self.generic else self.instances.get(place, [])
        plain = replace(node, type_params=[]) if node.vars else node.body
        around = self.type_params
        self._work.append((self._finish_type_quantified, (node, place, params, len(instances))))
        for type_args in (*reversed(instances), params):
            inside = {**around, **{p.name: t for p, t in zip(params, type_args, strict=True)}}
            generic = self.generic or type_args is params
            self._work += [(self._enter_types, (around, self.generic)), plain, (self._enter_types, (inside, generic))]

    def _enter_types(self, item: tuple[Mapping[str, Type], bool]) -> None:
        self.type_params, self.generic = item

    def _finish_type_quantified(self, item: tuple[s.Quantified, Place, tuple[TypeVar, ...], int]) -> None:
        node, place, params, count = item
        generic, *instances = self._take(1 + count)
        if not self._agree(generic.type, BOOL):
            message = f"the body of a quantifier must be a bool, but is {self._shown(generic.type)}"
            self._break(node.body.pos, message)
            return
        self.type_quantified.append((None if self.generic else place, params, generic, node))
        if self.generic:
            self._values.append(generic)
            return
        op, neutral = (Op.AND, True) if node.kind is Quantifier.FORALL else (Op.OR, False)
        joined = reduce(lambda a, b: App(op, (a, b), BOOL), instances) if instances else Lit(neutral, BOOL)
        self._values.append(joined)

    def _enter_let(self, node: s.LetIn) -> None:
        if len(node.vars) != len(node.values):
            variables = f"{len(node.vars)} variable{'s are' if len(node.vars) != 1 else ' is'}"
            self._break(node.pos, f"{variables} bound to {len(node.values)} value{'s' * (len(node.values) != 1)}")
            return
        self._work.append((self._bind_let, node))
        self._work += node.values[::-1]

    def _bind_let(self, node: s.LetIn) -> None:
        values = self._take(len(node.values))
        bound = self._names.bind(node.vars, [v.type for v in values])
        self._work += [(self._finish_let, (node, values, bound)), node.body]
        self._work += _expressions(node.attributes)[::-1]

    def _finish_let(self, item: tuple[s.LetIn, tuple[Expr, ...], list[Bound]]) -> None:
        node, values, bound = item
        *rest, body = self._take(len(_expressions(node.attributes)) + 1)
        self._names.unbind(bound)
        attributes = _with_expressions(node.attributes, iter(rest))
        self._values.append(Let(tuple([var for _, var, _ in bound]), values, attributes, body, body.type))


def _application(op: Operator | Instance | PolyAccess, args: tuple[Expr, ...], type_: Type) -> Expr:
    # The operators of polymorphic programs stand in expressions only until these are specialised.
    return App(op, args, type_)  # type: ignore[arg-type]


def _expressions(attributes: list[s.AttributeSyntax]) -> list[s.ExprSyntax]:
    """The parameters of the attributes that are expressions."""
    return [p for a in attributes for p in a.params if not isinstance(p, str)]


def _with_expressions(attributes: list[s.AttributeSyntax], values: Iterator[Expr]) -> Attributes:
    """The attributes with their expressions taken from `values`."""
    return tuple(
        [Attribute(a.name, tuple([p if isinstance(p, str) else next(values) for p in a.params])) for a in attributes]
    )


def _a(type_: Type) -> str:
    text = shown(type_)
    return f"an {text}" if text[:1] in "aeiou" else f"a {text}"
