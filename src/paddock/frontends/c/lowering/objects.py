"""Objects: where they start and end, whether they live, and the checks of the pointers to them.

What a check needs to know of objects is in maps from their addresses: `object#size`, `object#live` and
`object#heap`. The address of the object that a pointer points into is the pointer without its last bits: every
object starts at a multiple of the `spacing` of the space they lie in, and a pointer that has left its object by less
than that still says which one it was.
"""

from __future__ import annotations

from collections.abc import Sequence

from paddock.frontends.c import types as c
from paddock.frontends.c.arithmetic.integers import number
from paddock.frontends.c.arithmetic.numbers import Numbers
from paddock.frontends.c.arithmetic.terms import choice, conjunction, disjunction, equal, negation
from paddock.frontends.c.lowering.blocks import Blocks
from paddock.frontends.c.lowering.checks import Checks
from paddock.frontends.c.lowering.context import GlobalVariables
from paddock.frontends.c.lowering.initialised import Initialised
from paddock.frontends.c.lowering.settings import Settings
from paddock.frontends.c.memory_space import Space
from paddock.frontends.c.show import Note, Presentation, Watch
from paddock.frontends.c.tree import BinaryOperator as B
from paddock.frozen import frozen
from paddock.ir.build import FALSE, TRUE, select, store
from paddock.ir.expr import Expr, Var
from paddock.ir.origin import Origin
from paddock.ir.types import BOOL, Map


@frozen
class Objects:
    """Brings objects to life and ends them, as far as checks need it."""

    blocks: Blocks
    checks: Checks
    numbers: Numbers
    globals: GlobalVariables
    space: Space
    settings: Settings
    presentation: Presentation
    tracks_sizes: bool  # it matters how large objects are, also where no check asks
    initialised: Initialised

    # --- what is known of them ---------------------------------------------------------------------------------

    @property
    def size(self) -> Var:
        address = self.numbers.addresses.type
        return self.globals.hidden("object#size", Map((address,), address))

    @property
    def live(self) -> Var:
        return self.globals.hidden("object#live", Map((self.numbers.addresses.type,), BOOL))

    @property
    def heap(self) -> Var:
        return self.globals.hidden("object#heap", Map((self.numbers.addresses.type,), BOOL))

    @property
    def heap_blocks(self) -> Var:
        """How many objects have been allocated and not freed."""
        return self.globals.hidden("heap#blocks", self.numbers.addresses.type)

    def start(self, pointer: Expr) -> Expr:
        """The address of the object that a pointer points into."""
        return self.numbers.addresses.rounded_down(pointer, self.space.spacing)

    # --- lives -------------------------------------------------------------------------------------------------

    def allocate(self, target: Var, size: Expr, *, heap: bool, name: str = "", shown: c.CType = c.VOID) -> None:
        """A new object comes to life; executions on which there is no room for it are not looked at."""
        addresses, top, spacing = self.numbers.addresses, self.globals.top, self.space.spacing
        known = number(size)
        if known is None or known >= spacing:
            self._assume_room(size)
        born = Watch(name, top, shown, ((size, self.numbers.address_type),))
        self.blocks.assign(target, top, self.presentation.add(Note("allocate", watches=(born,))))
        room = addresses.plus(addresses.rounded_down(size, spacing), addresses.literal(spacing))
        end = addresses.plus(top, room)
        self.move_top(end)
        self.begin(target, size, heap=heap)

    def align(self, alignment: Expr) -> None:
        """The next object starts at a multiple of a power of two; what is none is no alignment."""
        addresses, top, type_ = self.numbers.addresses, self.globals.top, self.numbers.address_type
        known = number(alignment)
        if known is not None and (known <= self.space.spacing or known & (known - 1)):
            return
        rest = addresses.moved(alignment, -1)
        last = addresses.plus(top, rest)
        up = addresses.minus(last, addresses.remainder(last, alignment))
        if known is None:
            is_power = equal(self.numbers.binary(B.AND, alignment, rest, type_), addresses.literal(0))
            is_coarser = addresses.less(addresses.literal(self.space.spacing), alignment)
            up = choice(conjunction(is_power, is_coarser), up, top)
        self.blocks.assume(addresses.at_most(top, up))
        self.blocks.assign(top, up)

    def move_top(self, end: Expr) -> None:
        """Objects come to life up to an address; executions on which there is no room for them are not looked at."""
        addresses, top, stretch = self.numbers.addresses, self.globals.top, self.space.stretch
        self.blocks.assume(addresses.less(top, end))
        if stretch is not None:
            self.blocks.assume(addresses.at_most(end, addresses.literal(stretch.end)))
        self.blocks.assign(top, end)

    def _assume_room(self, size: Expr) -> None:
        """No object is larger than half of memory, or than what fits between two starts that tell objects apart."""
        most = 1 << (self.numbers.address_type.width - 1)
        if self.settings.tracks_objects:
            most = self.space.spacing
        self.blocks.assume(self.numbers.addresses.less(size, self.numbers.address(most)))

    def begin(self, address: Expr, size: Expr, *, heap: bool = False) -> None:
        """Note where an object starts and how long it is."""
        if self.tracks_sizes:
            self.blocks.assign(self.size, store(self.size, [address], size))
        if not self.settings.tracks_objects:
            return
        self.blocks.assign(self.live, store(self.live, [address], TRUE))
        self.blocks.assign(self.heap, store(self.heap, [address], TRUE if heap else FALSE))
        if heap:
            more = self.numbers.addresses.moved(self.heap_blocks, 1)
            self.blocks.assign(self.heap_blocks, more)

    def end(self, address: Expr) -> None:
        if self.settings.tracks_objects:
            self.blocks.assign(self.live, store(self.live, [address], FALSE))

    def free(self, pointer: Expr, text: str, origin: Origin) -> None:
        """`free(pointer)`: null, or an object that was allocated and lives."""
        if not self.settings.tracks_objects:
            return
        null = equal(pointer, self.numbers.address(0))
        allocated = disjunction(null, select(self.heap, pointer))
        self.checks.check("freed pointer", allocated, f"what was never allocated is freed in {text}", origin)
        lives = disjunction(null, select(self.live, pointer))
        self.checks.check("dangling pointer", lives, f"double free in {text}", origin)
        self.end(pointer)
        fewer = self.numbers.addresses.minus(self.heap_blocks, self.numbers.address(1))
        self.blocks.assign(self.heap_blocks, choice(null, self.heap_blocks, fewer))

    # --- checks ------------------------------------------------------------------------------------------------

    def check_indices(self, bounds: Sequence[tuple[Expr, Expr]], text: str, origin: Origin) -> None:
        """Indices stay below lengths."""
        for index, length in bounds:
            inside = self.numbers.addresses.less(index, length)
            self.checks.check("index bounds", inside, f"index out of bounds in {text}", origin)

    def check_pointer(self, pointer: Expr, size: Expr, text: str, origin: Origin, base: Expr | None = None) -> None:
        """A pointer points to as many bytes of an object that lives; `base` is the pointer that it was made of, if that
        is another one."""
        if not self.settings.tracks_objects:
            return
        start = self.start(pointer)
        offset = self.numbers.addresses.minus(pointer, start)
        not_null = negation(equal(pointer if base is None else base, self.numbers.address(0)))
        self.checks.check("null pointer", not_null, f"null pointer in {text}", origin)
        lives = select(self.live, start)
        self.checks.check("dangling pointer", lives, f"pointer to no living object in {text}", origin)
        inside = self.has_room(select(self.size, start), offset, size)
        self.checks.check("object bounds", inside, f"access out of bounds in {text}", origin)

    def has_room(self, length: Expr, offset: Expr, size: Expr) -> Expr:
        """Whether so many bytes from an offset up are inside of an object of a length."""
        addresses = self.numbers.addresses
        room = addresses.minus(length, offset)
        return conjunction(addresses.at_most(offset, length), addresses.at_most(size, room))

    def check_leaks(self, origin: Origin) -> None:
        if "leak" in self.settings.checks:
            none = equal(self.heap_blocks, self.numbers.address(0))
            self.checks.check("leak", none, "memory is not freed when the program ends", origin)
