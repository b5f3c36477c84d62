"""Maps of symbolic execution: an element is found without going through all that was written before."""

from __future__ import annotations

import paddock
from paddock.engines.symbolic.cells import LAYER, Cells, Memory
from paddock.engines.symbolic.nodes import Algebra
from paddock.engines.symbolic.rules import RULES
from paddock.solvers.ops import Op
from paddock.solvers.sorts import ArraySort, BitVecSort
from paddock.trace.world import World

BYTES = BitVecSort(32)
MAP = ArraySort((BYTES,), BYTES)


def test_an_element_below_a_write_anywhere_is_known_but_for_that() -> None:
    algebra = Algebra(World(paddock.load("procedure main();")), RULES)
    memory = Memory(algebra)
    number = [algebra.literal(n, BYTES) for n in range(8 * LAYER)]
    cells: Cells = Cells(algebra.input("base", MAP), {}, MAP)
    for n in number:
        cells = memory.written(cells, (n,), n, lambda node: node.span)
    anywhere, value = algebra.input("anywhere", BYTES), algebra.input("value", BYTES)
    after = memory.written(cells, (anywhere,), value, lambda node: node.span)
    made = algebra.size
    read = memory.read(after, (number[5],), lambda node: node.span)
    assert read is algebra.ite(algebra.eq(anywhere, number[5]), value, number[5])
    assert algebra.size - made < 5
    outside = memory.read(after, (algebra.literal(9_999, BYTES),), lambda node: node.span)
    assert outside.op is Op.ITE and outside.args[2].op is Op.SELECT  # type: ignore[union-attr]
