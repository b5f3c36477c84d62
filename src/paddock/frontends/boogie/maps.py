"""Accesses to maps, bits of bit-vectors, and coercions."""

from __future__ import annotations

from paddock.digits import digits
from paddock.frontends.boogie import syntax as s
from paddock.frontends.boogie.expression_context import BROKEN, ExpressionContext, Handler, PolyAccess, application
from paddock.frontends.boogie.types import ERROR, PolyMap, shown
from paddock.ir.expr import Expr, Extract, Op
from paddock.ir.types import Bv, Map, Type


class Maps:
    """Checks accesses to maps and bit-vectors in a context."""

    def __init__(self, at: ExpressionContext) -> None:
        self.at = at

    def handlers(self) -> dict[type, Handler]:
        return {
            s.Select: self._enter_select,
            s.Store: self._enter_store,
            s.BvExtract: self._enter_extract,
            s.Coercion: self._enter_coercion,
        }

    def _enter_select(self, node: s.Select) -> None:
        self.at.work.append((self._finish_select, node))
        self.at.work += node.indices[::-1]
        self.at.work.append(node.map)

    def _finish_select(self, node: s.Select) -> None:
        args = self.at.take(1 + len(node.indices))
        self.at.values.append(self.select(node.pos, node.indices, args))

    def select(self, pos: int, indices: list[s.ExprSyntax], args: tuple[Expr, ...]) -> Expr:
        """An element of the map `args[0]`."""
        access = self._access(pos, indices, args)
        if access is None:
            return BROKEN
        type_args, range_ = access
        return application(PolyAccess(Op.SELECT, args[0].type, type_args) if type_args else Op.SELECT, args, range_)

    def _enter_store(self, node: s.Store) -> None:
        self.at.work += [(self._finish_store, node), node.value]
        self.at.work += node.indices[::-1]
        self.at.work.append(node.map)

    def _finish_store(self, node: s.Store) -> None:
        args = self.at.take(2 + len(node.indices))
        self.at.values.append(self.store(node.pos, node.indices, args, node.value.pos))

    def store(self, pos: int, indices: list[s.ExprSyntax], args: tuple[Expr, ...], value_pos: int) -> Expr:
        """The map `args[0]` with one element changed; `args` ends in the new value."""
        map_ = args[0]
        access = self._access(pos, indices, args[:-1])
        if access is None:
            return BROKEN
        type_args, range_ = access
        if not self.at.agree(range_, args[-1].type):
            message = f"the map's elements are {self.at.shown(range_)}, not {self.at.shown(args[-1].type)}"
            self.at.problems.add(value_pos, message)
            return BROKEN
        return application(PolyAccess(Op.STORE, map_.type, type_args) if type_args else Op.STORE, args, map_.type)

    def _access(
        self, pos: int, indices: list[s.ExprSyntax], args: tuple[Expr, ...]
    ) -> tuple[tuple[Type, ...], Type] | None:
        """The type arguments (of a polymorphic map) and the element type of an access to `args[0]`."""
        map_type = self.at.inference.known(args[0].type)
        if map_type is ERROR:
            return None
        type_args: tuple[Type, ...] = ()
        if isinstance(map_type, PolyMap):
            type_args = tuple([self.at.inference.fresh() for _ in range(map_type.arity)])
            map_type = map_type.at(type_args)
        if not isinstance(map_type, Map):
            self.at.problems.add(pos, f"only maps can be indexed, not {self.at.shown(map_type)}")
            return None
        if len(indices) != len(map_type.domain):
            wanted = f"{len(map_type.domain)} {'index' if len(map_type.domain) == 1 else 'indices'}"
            self.at.problems.add(pos, f"this map takes {wanted}, not {len(indices)}")
            return None
        for node, arg, want in zip(indices, args[1:], map_type.domain, strict=True):
            if arg.type is not want and not self.at.inference.unify(arg.type, want):
                message = f"the index must be {self.at.shown_a(want)}, but is {self.at.shown(arg.type)}"
                self.at.problems.add(node.pos, message)
                return None
        return type_args, map_type.range

    def _enter_extract(self, node: s.BvExtract) -> None:
        self.at.work += [(self._finish_extract, node), node.operand]

    def _finish_extract(self, node: s.BvExtract) -> None:
        (operand,) = self.at.take(1)
        type_ = self.at.inference.known(operand.type)
        if not isinstance(type_, Bv):
            if type_ is ERROR:
                self.at.values.append(BROKEN)
            else:
                self.at.fail(node.pos, f"only bit-vectors have bits, not {self.at.shown(type_)}")
        elif not 0 <= node.low <= node.high <= type_.width:
            self.at.fail(node.pos, f"[{digits(node.high)}:{digits(node.low)}] does not lie within {shown(type_)}")
        else:
            self.at.put(Extract(node.high, node.low), (operand,), Bv(node.high - node.low))

    def _enter_coercion(self, node: s.Coercion) -> None:
        self.at.work += [(self._finish_coercion, node), node.operand]

    def _finish_coercion(self, node: s.Coercion) -> None:
        wanted = self.at.symbols.types.resolve(node.type, self.at.type_params)
        operand = self.at.values[-1]
        if not self.at.agree(operand.type, wanted):
            self.at.problems.add(node.pos, f"{self.at.shown(operand.type)} cannot be taken as {shown(wanted)}")
            self.at.values[-1] = BROKEN
