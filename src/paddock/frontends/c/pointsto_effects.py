"""What functions without a body, known to the lowering, do with pointers."""

from __future__ import annotations

from paddock.frozen import frozen


@frozen
class PointerEffect:
    """What a function without a body does with pointers: its result points to where an argument does, or to a new
    object, and it may copy what one argument points to into what another points to, as many bytes as a third one says,
    or write a scalar where one points to. `fills` is the argument that points to what is changed as a whole, and what
    is `arbitrary` there may be any pointers."""

    returns: int | None = None
    allocates: bool = False
    copies: tuple[int, int] | None = None  # to, from
    length: int | None = None
    writes: int | None = None
    fills: int | None = None
    arbitrary: bool = False
