"""What is known of single elements of maps: `M[i]` for a variable `i`.

C passes the addresses of locals, so what a callee gives back is often an element of memory that the caller reads next:

    call p := malloc(4);  call acquire(lock, p);  old := Mem[p];

An element is a *cell*, a variable of its own in states, as long as neither the map nor the index changes. Nothing is
known of which indices are equal, apart from classes of variables: a store forgets all other cells of its map. Only
locals and constants are indices, so that no callee can change them. Cells are in no class.
"""

from __future__ import annotations

from collections.abc import Iterator

from paddock.analysis.facts.state import State
from paddock.analysis.facts.values import Value, is_tracked
from paddock.ir.expr import App, Expr, Op, Scope, Var
from paddock.ir.types import Map

Place = tuple[Var, Var]  # a map and an index


class Cells:
    """The cells of a program, each made when it is first met."""

    def __init__(self) -> None:
        self._cells: dict[Place, Var] = {}
        self._about: dict[Var, list[Var]] = {}  # cells by their map and by their index
        self._places: dict[Var, Place] = {}

    def read(self, expr: Expr) -> Var | None:
        """The cell that an expression is the value of, if it is one."""
        match expr:
            case App(Op.SELECT, (Var() as map_, Var() as index)):
                return self._at(map_, index)
            case _:
                return None

    def written(self, target: Var, value: Expr) -> tuple[Place, Expr] | None:
        """The place and the value that `target[index] := …` writes, if that is what it is to assign the value."""
        match value:
            case App(Op.STORE, (Var() as map_, Var() as index, element)) if map_ is target:
                return ((map_, index), element) if self._at(map_, index) is not None else None
            case _:
                return None

    def _at(self, map_: Var, index: Var) -> Var | None:
        if (map_, index) in self._cells:
            return self._cells[map_, index]
        is_index = index.scope in (Scope.LOCAL, Scope.CONST)
        type_ = map_.type
        if not is_index or map_.scope is Scope.BOUND or not isinstance(type_, Map) or len(type_.domain) != 1:
            return None
        if not is_tracked(type_.range):
            return None
        # No identifier has brackets.
        cell = self._cells[map_, index] = Var(f"{map_.name}[{index.name}]", type_.range, Scope.LOCAL)
        self._places[cell] = map_, index
        for part in (map_, index):
            self._about.setdefault(part, []).append(cell)
        return cell

    # --- steps -----------------------------------------------------------------------------------

    def forget(self, state: State, var: Var) -> None:
        """A map, or an index, has changed."""
        for cell in self._about.get(var, ()):
            state.values.pop(cell, None)

    def store(self, state: State, place: Place, value: Value | None) -> None:
        """`map[index] := value`, also under the other names of the index."""
        map_, index = place
        self.forget(state, map_)
        if value is not None:
            for name in state.class_of(index):
                cell = self._at(map_, name)
                if cell is not None:
                    state.values[cell] = value

    def copy(self, state: State, target: Var, source: Var) -> None:
        """`target := source`: the elements there have another name now."""
        if target is not source:
            self.forget(state, target)
            self._rename(state, state, source, target)

    # --- calls -----------------------------------------------------------------------------------

    def _rename(self, state: State, into: State, index: Var, name: Var) -> None:
        for cell in list(self._about.get(index, ())):
            value = state.values.get(cell)
            map_, of = self._places[cell]
            if value is not None and of is index:
                there = self._at(map_, name)
                if there is not None:
                    into.values[there] = value

    def pass_to(self, state: State, into: State, names: Iterator[Place]) -> None:
        """Tell another procedure of cells of global maps: `names` has indices here and what they are called there."""
        shared = State({c: v for c, v in state.values.items() if c in self._places and self._is_global(c)})
        for cell, value in shared.values.items():
            if self._places[cell][1].scope is Scope.CONST:
                into.values[cell] = value
        for here, there in names:
            self._rename(shared, into, here, there)

    def _is_global(self, cell: Var) -> bool:
        return self._places[cell][0].scope is Scope.GLOBAL
