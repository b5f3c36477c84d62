"""Resolving names in expressions and checking their types: from syntax to IR expressions.

One loop with an explicit stack: an entry is a node to look at or, after its operands, a step that
takes them off the stack of values and puts the result there. An ill-typed expression has the type
`ERROR`, which every other type agrees with.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from paddock.boogie import syntax as s
from paddock.boogie.problems import did_you_mean
from paddock.boogie.symbols import DatatypeSymbol, FunctionSymbol, Symbols
from paddock.boogie.types import ERROR, Inference, PolyMap, shown, substitute_type
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
    Quantifier,
    Scope,
    SetField,
    Trigger,
    Var,
)
from paddock.ir.intern import Term
from paddock.ir.types import BOOL, INT, REAL, Bv, Float, Map, Named, Type, TypeVar

_LOGICAL = {Op.AND, Op.OR, Op.IMPLIES, Op.IFF}
_ORDER = {Op.LT, Op.LE, Op.GT, Op.GE}
_ARITHMETIC = {Op.ADD, Op.SUB, Op.MUL}
_BROKEN = Lit(False, ERROR)


@dataclass(frozen=True, slots=True, eq=False)
class Instance(Term):
    """Application of a polymorphic function or constructor, until the copy for its types has a name."""

    of: str
    type_args: tuple[Type, ...]


@dataclass(frozen=True, slots=True, eq=False)
class PolyAccess(Term):
    """Select or store on a polymorphic map, at these type arguments."""

    op: Op
    of: Type  # the polymorphic map's
    type_args: tuple[Type, ...]


class Expressions:
    """Checks expressions in a context that its user sets: the scope and what is allowed in it."""

    def __init__(self, symbols: Symbols) -> None:
        self.symbols = symbols
        self.problems = symbols.problems
        self.scope: dict[str, Var] = {}
        self.type_params: Mapping[str, Type] = {}
        self.no_old = ""  # if not empty: why `old` is not allowed here
        self.no_globals = ""  # if not empty: why global variables are not allowed here
        self.inference = Inference()
        # Gives an expression in a polymorphic program its final form; set by the monomorphiser.
        self.specialise: Callable[[Expr, int], Expr] = lambda expr, pos: expr
        self._values: list[Expr] = []
        self._work: list[object] = []
        self._plain_attributes: dict[str, Attribute] = {}
        self._enter: dict[type, Callable[..., None]] = {
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

    def check(self, node: s.ExprSyntax, wanted: Type | None = None, what: str = "") -> Expr:
        """The expression that `node` denotes; with `wanted`, it must have that type (`what` names it)."""
        if self.symbols.polymorphic:
            self.inference = Inference()
        expr = self._run(node)
        if wanted is not None and expr.type is not wanted and not self.inference.unify(expr.type, wanted):
            self.problems.add(node.pos, f"{what} must be {_a(wanted)}, but is {self._shown(expr.type)}")
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
            wanted = self.inference.final(element.type)
            message = f"the value must be {_a(wanted)}, but is {self._shown(value.type)}"
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
        return tuple([self._attribute(a) for a in nodes]) if nodes else ()

    def _attribute(self, node: s.AttributeSyntax) -> Attribute:
        if not node.params:
            plain = self._plain_attributes.get(node.name)
            if plain is None:
                plain = self._plain_attributes[node.name] = Attribute(node.name)
            return plain
        return Attribute(node.name, tuple([p if isinstance(p, str) else self.check(p) for p in node.params]))

    # --- the loop --------------------------------------------------------------------------------

    def _run(self, root: s.ExprSyntax) -> Expr:
        # Attributes of quantifiers are checked while another expression is, hence the saved stacks.
        saved = self._values, self._work
        values: list[Expr] = []
        work: list[object] = [root]
        self._values, self._work = values, work
        enter, finish_operation = self._enter, self._finish_operation
        while work:
            item = work.pop()
            kind = type(item)
            if kind is tuple:
                item[0](item[1])  # type: ignore[index]
            elif kind is s.Name:
                values.append(self._name(item))  # type: ignore[arg-type]
            elif kind is s.Literal:
                values.append(Lit(item.value, item.type))  # type: ignore[attr-defined]
            elif kind is s.Operation:
                if item.op is Op.OLD and self.no_old:  # type: ignore[attr-defined]
                    self.problems.add(item.pos, f"'old' {self.no_old}")  # type: ignore[attr-defined]
                work.append((finish_operation, item))
                work.extend(item.args[::-1])  # type: ignore[attr-defined]
            else:
                enter[kind](item)
        self._values, self._work = saved
        return values[0]

    def _take(self, count: int) -> tuple[Expr, ...]:
        if not count:
            return ()
        values = self._values
        taken = tuple(values[-count:])
        del values[-count:]
        return taken

    def _put(self, op: object, args: tuple[Expr, ...], type_: Type) -> None:
        self._values.append(App(op, args, type_))  # type: ignore[arg-type]

    def _break(self, pos: int, message: str, hint: str = "") -> None:
        """The expression is wrong: say so and go on with one that agrees with everything."""
        self.problems.add(pos, message, hint)
        self._values.append(_BROKEN)

    def _name(self, node: s.Name) -> Expr:
        var = self.scope.get(node.name)
        if var is not None:
            return var
        var = self.symbols.variables.get(node.name)
        if var is None:
            known = [*self.scope, *self.symbols.variables]
            hint = did_you_mean(node.name, known)
            if not hint and node.name in self.symbols.functions:
                hint = "it is a function: give its arguments in parentheses"
            self.problems.add(node.pos, f"undeclared identifier '{node.name}'", hint)
            return _BROKEN
        if self.no_globals and var.scope is Scope.GLOBAL:
            self.problems.add(node.pos, f"the global variable '{node.name}' {self.no_globals}")
        return var

    # --- types -----------------------------------------------------------------------------------

    def _agree(self, a: Type, b: Type) -> bool:
        return a is b or self.inference.unify(a, b)

    def _shown(self, type_: Type) -> str:
        return shown(self.inference.final(type_))

    def _common(self, args: tuple[Expr, ...]) -> Type | None:
        """The one type that all of `args` have."""
        first = args[0].type
        for arg in args[1:]:
            if arg.type is not first and not self.inference.unify(first, arg.type):
                return None
            if first is ERROR:
                first = arg.type
        return self.inference.known(first)

    def _finish_operation(self, node: s.Operation) -> None:
        op = node.op
        args = self._take(len(node.args))
        type_ = self._operation_type(op, args)
        if type_ is None:
            shown = [self._shown(a.type) for a in args]
            have = f"{shown[0]}" if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"
            self._break(node.pos, f"{_WANTS.get(op, f'{op.value} cannot be applied here')}, not {have}")
        else:
            self._values.append(App(op, args, type_))

    def _operation_type(self, op: Op, args: tuple[Expr, ...]) -> Type | None:
        """The type of an application, or None if the arguments do not fit."""
        if op in _LOGICAL or op is Op.NOT:
            return BOOL if all(a.type is BOOL or self._agree(a.type, BOOL) for a in args) else None
        if op is Op.EQ or op is Op.NE:
            return BOOL if self._common(args) is not None else None
        if op is Op.ITE:
            return self._common(args[1:]) if self._agree(args[0].type, BOOL) else None
        if op is Op.OLD:
            return args[0].type
        if op is Op.CONCAT:
            a, b = (self.inference.known(x.type) for x in args)
            if ERROR in (a, b):
                return ERROR
            return Bv(a.width + b.width) if isinstance(a, Bv) and isinstance(b, Bv) else None
        if op is Op.TO_INT or op is Op.TO_REAL:
            argument, result = (REAL, INT) if op is Op.TO_INT else (INT, REAL)
            return result if self._agree(args[0].type, argument) else None
        if op is Op.RDIV:
            return self._division_type(args)
        common = self._common(args)
        if common is None or common is ERROR:
            return common
        if op is Op.DIV or op is Op.MOD:
            return INT if common is INT else None
        if op is Op.POW:
            return REAL if common is REAL else None
        if not (common is INT or common is REAL or isinstance(common, Float)):
            return None
        return BOOL if op in _ORDER else common

    def _division_type(self, args: tuple[Expr, ...]) -> Type | None:
        """`/` divides floats, or integers and reals in any mixture with a real result."""
        kinds = [self.inference.known(a.type) for a in args]
        if all(k is INT or k is REAL or k is ERROR for k in kinds):
            return REAL
        common = self._common(args)
        return common if isinstance(common, Float) else None

    # --- functions and datatypes -----------------------------------------------------------------

    def _enter_call(self, node: s.FunctionCall) -> None:
        self._work.append((self._finish_call, node))
        self._work.extend(node.args[::-1])

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
        for index, (arg, param) in enumerate(zip(args, params, strict=True)):
            if arg.type is not param and not self.inference.unify(arg.type, param):
                where = f"argument {index + 1} of '{node.name}'"
                message = f"{where} must be {_a(self.inference.final(param))}, but is {self._shown(arg.type)}"
                self._break(node.args[index].pos, message)
                return
        self._put(op, args, result)

    def _instantiated(self, symbol: FunctionSymbol) -> tuple[object, tuple[Type, ...], Type]:
        """The operator, parameter types and result type of one use of a function."""
        if not symbol.type_params:
            op = Construct(symbol.name) if symbol.is_constructor else Fn(symbol.name)
            return op, symbol.params, symbol.result
        unknown = self._unknowns(symbol.type_params)
        params = tuple(substitute_type(p, unknown) for p in symbol.params)
        return Instance(symbol.name, tuple(unknown.values())), params, substitute_type(symbol.result, unknown)

    def _unknowns(self, params: tuple[TypeVar, ...]) -> dict[TypeVar, Type]:
        return {p: self.inference.fresh() for p in params}

    def _old_style_access(self, node: s.FunctionCall, args: tuple[Expr, ...]) -> bool:
        """`is#C(e)` and `f#C(e)`, the testers and selectors of `{:datatype}` types in older programs."""
        member, hash_, constructor = node.name.partition("#")
        symbol = self.symbols.functions.get(constructor)
        if not hash_ or symbol is None or not symbol.is_constructor or len(args) != 1:
            return False
        datatype = self._datatype(args[0].type)
        if datatype is None or symbol not in datatype.constructors:
            return False
        if member == "is":
            self._put(Is(constructor), args, BOOL)
        elif member in datatype.fields:
            self._put(GetField(member), args, self._field_type(datatype, member, args[0].type))
        else:
            return False
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
            message = f"the field '{node.field}' is {_a(self.inference.final(type_))}, not {self._shown(value.type)}"
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
            self.problems.add(pos, message, did_you_mean(field, datatype.fields))
            return ERROR
        return self._field_type(datatype, field, operand.type)

    def _enter_is(self, node: s.IsConstructor) -> None:
        self._work += [(self._finish_is, node), node.operand]

    def _finish_is(self, node: s.IsConstructor) -> None:
        (operand,) = self._take(1)
        datatype = self._datatype(operand.type)
        if operand.type is not ERROR:
            if datatype is None:
                self.problems.add(node.pos, f"'is' needs a datatype, not {self._shown(operand.type)}")
            elif all(c.name != node.constructor for c in datatype.constructors):
                known = [c.name for c in datatype.constructors]
                message = f"the datatype '{datatype.name}' has no constructor '{node.constructor}'"
                self.problems.add(node.pos, message, did_you_mean(node.constructor, known))
        self._put(Is(node.constructor), (operand,), BOOL)

    # --- maps and bit-vectors --------------------------------------------------------------------

    def _enter_select(self, node: s.Select) -> None:
        self._work.append((self._finish_select, node))
        self._work.extend(node.indices[::-1])
        self._work.append(node.map)

    def _finish_select(self, node: s.Select) -> None:
        args = self._take(1 + len(node.indices))
        self._values.append(self._select(node.pos, node.indices, args))

    def _select(self, pos: int, indices: list[s.ExprSyntax], args: tuple[Expr, ...]) -> Expr:
        access = self._access(pos, indices, args)
        if access is None:
            return _BROKEN
        type_args, range_ = access
        op: object = PolyAccess(Op.SELECT, args[0].type, type_args) if type_args else Op.SELECT
        return App(op, args, range_)  # type: ignore[arg-type]

    def _enter_store(self, node: s.Store) -> None:
        self._work += [(self._finish_store, node), node.value]
        self._work.extend(node.indices[::-1])
        self._work.append(node.map)

    def _finish_store(self, node: s.Store) -> None:
        args = self._take(2 + len(node.indices))
        self._values.append(self._store(node.pos, node.indices, args, node.value.pos))

    def _store(self, pos: int, indices: list[s.ExprSyntax], args: tuple[Expr, ...], value_pos: int) -> Expr:
        """The map `args[0]` with one element changed; `args` ends in the new value."""
        access = self._access(pos, indices, args[:-1])
        if access is None:
            return _BROKEN
        type_args, range_ = access
        if not self._agree(range_, args[-1].type):
            message = f"the map's elements are {self._shown(range_)}, not {self._shown(args[-1].type)}"
            self.problems.add(value_pos, message)
            return _BROKEN
        op: object = PolyAccess(Op.STORE, args[0].type, type_args) if type_args else Op.STORE
        return App(op, args, args[0].type)  # type: ignore[arg-type]

    def _access(
        self, pos: int, indices: list[s.ExprSyntax], args: tuple[Expr, ...]
    ) -> tuple[tuple[Type, ...], Type] | None:
        """The type arguments (of a polymorphic map) and the element type of an access to `args[0]`."""
        map_type = self.inference.known(args[0].type)
        if map_type is ERROR:
            return None
        if not isinstance(map_type, Map | PolyMap):
            self.problems.add(pos, f"only maps can be indexed, not {self._shown(map_type)}")
            return None
        unknown = self._unknowns(map_type.params) if isinstance(map_type, PolyMap) else {}
        domain = tuple(substitute_type(d, unknown) for d in map_type.domain)
        if len(indices) != len(domain):
            wanted = f"{len(domain)} {'index' if len(domain) == 1 else 'indices'}"
            self.problems.add(pos, f"this map takes {wanted}, not {len(indices)}")
            return None
        for node, arg, want in zip(indices, args[1:], domain, strict=True):
            if arg.type is not want and not self.inference.unify(arg.type, want):
                message = f"the index must be {_a(self.inference.final(want))}, but is {self._shown(arg.type)}"
                self.problems.add(node.pos, message)
                return None
        return tuple(unknown.values()), substitute_type(map_type.range, unknown)

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
            self._break(node.pos, f"[{node.high}:{node.low}] does not lie within {shown(type_)}")
        else:
            self._put(Extract(node.high, node.low), (operand,), Bv(node.high - node.low))

    def _enter_coercion(self, node: s.Coercion) -> None:
        self._work += [(self._finish_coercion, node), node.operand]

    def _finish_coercion(self, node: s.Coercion) -> None:
        wanted = self.symbols.types.resolve(node.type, self.type_params)
        operand = self._values[-1]
        if not self._agree(operand.type, wanted):
            self.problems.add(node.pos, f"{self._shown(operand.type)} cannot be taken as {shown(wanted)}")

    # --- binders ---------------------------------------------------------------------------------

    def _bind(self, vars_: tuple[Var, ...]) -> list[tuple[str, Var | None]]:
        """Bring variables into scope; returns what `_unbind` needs."""
        hidden = [(v.name, self.scope.get(v.name)) for v in vars_]
        self.scope.update((v.name, v) for v in vars_)
        return hidden

    def _unbind(self, hidden: list[tuple[str, Var | None]]) -> None:
        for name, before in reversed(hidden):
            if before is None:
                self.scope.pop(name, None)
            else:
                self.scope[name] = before

    def _distinct(self, bindings: list[s.Binding]) -> None:
        seen: set[str] = set()
        for b in bindings:
            if b.name in seen:
                self.problems.add(b.pos, f"the variable '{b.name}' is bound twice")
            seen.add(b.name)

    def _enter_quantified(self, node: s.Quantified) -> None:
        if node.type_params:
            message = "a quantifier over types is supported only as the outermost 'forall' of an axiom"
            self.problems.add(node.pos, message)
        scope = {**self.type_params, **dict.fromkeys(node.type_params, ERROR)} if node.type_params else self.type_params
        self._distinct(node.vars)
        types = self.symbols.types
        vars_ = tuple(
            Var(b.name, types.resolve(b.type, scope) if b.type is not None else ERROR, Scope.BOUND) for b in node.vars
        )
        hidden = self._bind(vars_)
        attributes = self._inner_attributes(node.attributes)
        var_attributes = tuple(self._inner_attributes(b.attributes) for b in node.vars)
        self._work.append((self._finish_quantified, (node, vars_, var_attributes, attributes, hidden)))
        self._work.append(node.body)
        for trigger in reversed(node.triggers):
            self._work.extend(trigger.terms[::-1])

    def _inner_attributes(self, nodes: list[s.AttributeSyntax]) -> Attributes:
        """Attributes inside an expression; they may use its unknown types, so inference goes on."""
        return tuple(
            Attribute(a.name, tuple(p if isinstance(p, str) else self._run(p) for p in a.params)) for a in nodes
        )

    def _finish_quantified(
        self,
        item: tuple[s.Quantified, tuple[Var, ...], tuple[Attributes, ...], Attributes, list[tuple[str, Var | None]]],
    ) -> None:
        node, vars_, var_attributes, attributes, hidden = item
        *terms, body = self._take(1 + sum(len(t.terms) for t in node.triggers))
        self._unbind(hidden)
        if node.kind is Quantifier.LAMBDA:
            type_: Type = Map(tuple(v.type for v in vars_), body.type)
        else:
            type_ = BOOL
            if not self._agree(body.type, BOOL):
                message = f"the body of a quantifier must be a bool, but is {self._shown(body.type)}"
                self.problems.add(node.body.pos, message)
        rest = iter(terms)
        triggers = tuple(Trigger(tuple(next(rest) for _ in t.terms), t.positive) for t in node.triggers)
        self._values.append(Binder(node.kind, vars_, var_attributes, attributes, triggers, body, type_))

    def _enter_let(self, node: s.LetIn) -> None:
        self._distinct(node.vars)
        if len(node.vars) != len(node.values):
            message = f"{len(node.vars)} variables are bound to {len(node.values)} values"
            self._break(node.pos, message)
            return
        self._work.append((self._bind_let, node))
        self._work.extend(node.values[::-1])

    def _bind_let(self, node: s.LetIn) -> None:
        values = self._take(len(node.values))
        vars_ = tuple(Var(b.name, v.type, Scope.BOUND) for b, v in zip(node.vars, values, strict=True))
        hidden = self._bind(vars_)
        attributes = self._inner_attributes(node.attributes)
        self._work += [(self._finish_let, (vars_, values, attributes, hidden)), node.body]

    def _finish_let(
        self, item: tuple[tuple[Var, ...], tuple[Expr, ...], Attributes, list[tuple[str, Var | None]]]
    ) -> None:
        vars_, values, attributes, hidden = item
        (body,) = self._take(1)
        self._unbind(hidden)
        self._values.append(Let(vars_, values, attributes, body, body.type))


def _a(type_: Type) -> str:
    text = shown(type_)
    return f"an {text}" if text[:1] in "aeiou" else f"a {text}"


_WANTS: dict[Op, str] = {
    Op.NOT: "'!' needs a bool",
    Op.NEG: "'-' needs an int, real or float",
    Op.EQ: "'==' needs two values of one type",
    Op.NE: "'!=' needs two values of one type",
    Op.ITE: "'if' needs a bool and two values of one type",
    Op.CONCAT: "'++' needs two bit-vectors",
    Op.TO_INT: "'int' needs a real",
    Op.TO_REAL: "'real' needs an int",
    Op.RDIV: "'/' needs numbers",
    Op.DIV: "'div' needs two ints",
    Op.MOD: "'mod' needs two ints",
    Op.POW: "'**' needs two reals",
    **{op: f"'{op.value}' needs bools" for op in _LOGICAL},
    **{op: f"'{op.value}' needs two ints, two reals or two floats" for op in _ORDER | _ARITHMETIC},
}
