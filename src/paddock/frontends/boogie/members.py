"""Applications of functions and constructors, and what datatypes have: fields, updates of fields, tests."""

from __future__ import annotations

from paddock.frontends.boogie import syntax as s
from paddock.frontends.boogie.declare import own_field
from paddock.frontends.boogie.expression_context import BROKEN, ExpressionContext, Handler, Instance
from paddock.frontends.boogie.symbols import DatatypeSymbol, FunctionSymbol
from paddock.frontends.boogie.types import ERROR, substitute_type
from paddock.ir.expr import Construct, Expr, Fn, GetField, Is, Operator, SetField
from paddock.ir.types import BOOL, Named, Type


class Members:
    """Checks applications and accesses to data in a context."""

    def __init__(self, at: ExpressionContext) -> None:
        self.at = at

    def handlers(self) -> dict[type, Handler]:
        return {
            s.FunctionCall: self._enter_call,
            s.FieldAccess: self._enter_field,
            s.FieldUpdate: self._enter_update,
            s.IsConstructor: self._enter_is,
        }

    def _enter_call(self, node: s.FunctionCall) -> None:
        self.at.work.append((self._finish_call, node))
        self.at.work += node.args[::-1]

    def _finish_call(self, node: s.FunctionCall) -> None:
        args = self.at.take(len(node.args))
        symbol = self.at.symbols.functions.get(node.name)
        if symbol is None:
            if not self._old_style_access(node, args):
                self.at.symbols.function(node.pos, node.name)
                self.at.values.append(BROKEN)
            return
        if len(args) != len(symbol.params):
            kind = "constructor" if symbol.is_constructor else "function"
            wanted = f"{len(symbol.params)} argument{'s' * (len(symbol.params) != 1)}"
            self.at.fail(node.pos, f"the {kind} '{node.name}' takes {wanted}, not {len(args)}")
            return
        op, params, result = self._instantiated(symbol)
        fits = True
        for index, (arg, param) in enumerate(zip(args, params, strict=True)):
            if arg.type is not param and not self.at.inference.unify(arg.type, param):
                where = f"argument {index + 1} of '{node.name}'"
                message = f"{where} must be {self.at.shown_a(param)}, but is {self.at.shown(arg.type)}"
                self.at.problems.add(node.args[index].pos, message)
                fits = False
        if fits:
            self.at.put(op, args, result)
        else:
            self.at.values.append(BROKEN)

    def _instantiated(self, symbol: FunctionSymbol) -> tuple[Operator | Instance, tuple[Type, ...], Type]:
        """The operator, parameter types and result type of one use of a function."""
        if not symbol.type_params:
            op = Construct(symbol.name) if symbol.is_constructor else Fn(symbol.name)
            return op, symbol.params, symbol.result
        unknown = {p: self.at.inference.fresh() for p in symbol.type_params}
        params = tuple(substitute_type(p, unknown) for p in symbol.params)
        return Instance(symbol.name, tuple(unknown.values())), params, substitute_type(symbol.result, unknown)

    def _old_style_access(self, node: s.FunctionCall, args: tuple[Expr, ...]) -> bool:
        """`is#C(e)` and `f#C(e)`, the testers and selectors of `{:datatype}` types in older programs."""
        member, _, constructor = node.name.partition("#")
        symbol = self.at.symbols.functions.get(constructor)
        if symbol is None or not isinstance(symbol.declaration, s.ConstructorSyntax) or len(args) != 1:
            return False
        fields = [f.name for f in symbol.declaration.fields]
        if member != "is" and member not in fields:
            member = own_field(member, constructor)
            if member not in fields:
                return False
        _, _, of = self._instantiated(symbol)
        if not self.at.agree(args[0].type, of):
            message = (
                f"the argument of '{node.name}' must be {self.at.shown_a(of)}, but is {self.at.shown(args[0].type)}"
            )
            self.at.fail(node.args[0].pos, message)
        elif member == "is":
            self.at.put(Is(constructor), args, BOOL)
        else:
            self.at.put(GetField(member), args, self.type_of_field(node.pos, args[0], member))
        return True

    def _datatype(self, type_: Type) -> DatatypeSymbol | None:
        known = self.at.inference.known(type_)
        return self.at.symbols.datatypes.get(known.name) if isinstance(known, Named) else None

    def _field_type(self, datatype: DatatypeSymbol, field: str, type_: Type) -> Type:
        known = self.at.inference.known(type_)
        assert isinstance(known, Named)
        return substitute_type(datatype.fields[field], dict(zip(datatype.type_params, known.args, strict=True)))

    def _enter_field(self, node: s.FieldAccess) -> None:
        self.at.work += [(self._finish_field, node), node.operand]

    def _finish_field(self, node: s.FieldAccess) -> None:
        (operand,) = self.at.take(1)
        type_ = self.type_of_field(node.pos, operand, node.field)
        self.at.put(GetField(node.field), (operand,), type_)

    def _enter_update(self, node: s.FieldUpdate) -> None:
        self.at.work += [(self._finish_update, node), node.value, node.operand]

    def _finish_update(self, node: s.FieldUpdate) -> None:
        operand, value = self.at.take(2)
        type_ = self.type_of_field(node.pos, operand, node.field)
        if not self.at.agree(type_, value.type):
            message = f"the field '{node.field}' is {self.at.shown_a(type_)}, not {self.at.shown(value.type)}"
            self.at.fail(node.value.pos, message)
            return
        self.at.put(SetField(node.field), (operand, value), operand.type)

    def type_of_field(self, pos: int, operand: Expr, field: str) -> Type:
        if self.at.inference.known(operand.type) is ERROR:
            return ERROR
        datatype = self._datatype(operand.type)
        if datatype is None:
            self.at.problems.add(pos, f"'->' needs a datatype, not {self.at.shown(operand.type)}")
            return ERROR
        if field not in datatype.fields:
            message = f"the datatype '{datatype.name}' has no field '{field}'"
            self.at.problems.add(pos, message, self.at.problems.did_you_mean(field, datatype.fields))
            return ERROR
        return self._field_type(datatype, field, operand.type)

    def _enter_is(self, node: s.IsConstructor) -> None:
        self.at.work += [(self._finish_is, node), node.operand]

    def _finish_is(self, node: s.IsConstructor) -> None:
        (operand,) = self.at.take(1)
        datatype = self._datatype(operand.type)
        if self.at.inference.known(operand.type) is not ERROR:
            if datatype is None:
                self.at.problems.add(node.pos, f"'is' needs a datatype, not {self.at.shown(operand.type)}")
            elif all(c.name != node.constructor for c in datatype.constructors):
                known = [c.name for c in datatype.constructors]
                message = f"the datatype '{datatype.name}' has no constructor '{node.constructor}'"
                self.at.problems.add(node.pos, message, self.at.problems.did_you_mean(node.constructor, known))
        self.at.put(Is(node.constructor), (operand,), BOOL)
