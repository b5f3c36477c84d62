"""What a search that ended without an error leaves behind, for those who want to know why there is none."""

from __future__ import annotations

from paddock.engines.inlining.bounds import Bounds
from paddock.engines.inlining.graph import InliningGraph
from paddock.frozen import frozen
from paddock.ir.program import Program


@frozen
class Proof:
    """A search that ended without an error: the program without assertions that was searched, its inlining graph and
    whether instances are shared in it, and the bound, which either cut off calls (`is_bounded`) or left them open."""

    program: Program
    graph: InliningGraph
    shares: bool
    bounds: Bounds
    bound: int
    is_bounded: bool
