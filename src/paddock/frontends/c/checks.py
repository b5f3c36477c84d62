"""The checks that a C user expects, as assertions; each has a kind, a source line and the expression it is about.

What a check needs to know of objects is in maps from their addresses: `object#size`, `object#live` and
`object#heap`. The address of the object that a pointer points into is the pointer without its last bits: every
object starts at a multiple of the memory's `spacing`, and a pointer that has left its object by less than that
still says which one it was.
"""

from __future__ import annotations

from collections.abc import Sequence

from paddock.frontends.c import tree as t
from paddock.frontends.c import types as c
from paddock.frontends.c.arithmetic.integers import number
from paddock.frontends.c.arithmetic.terms import choice, conjunction, disjunction, equal, negation
from paddock.frontends.c.show import Note, Watch
from paddock.frontends.c.text import expression_text
from paddock.frontends.c.tree import BinaryOperator as B
from paddock.frontends.c.watching import Watching
from paddock.ir.build import FALSE, TRUE, select, store
from paddock.ir.expr import Attribute, Expr, Var
from paddock.ir.origin import IN_SOURCE, Made, Origin, Role
from paddock.ir.stmt import Assert
from paddock.ir.types import BOOL, Map

_ABOUT_ARITHMETIC = frozenset({"div-by-zero", "shift", "overflow", "unsigned-overflow"})
_ARITHMETIC = (B.ADD, B.SUBTRACT, B.MULTIPLY, B.DIVIDE, B.REMAINDER, B.SHIFT_LEFT)


class Checks(Watching):
    """Emits the assertions that the user asked for."""

    updates: list[t.Update]  # those around the current expression

    def check(self, kind: str, condition: Expr, message: str, origin: Origin) -> None:
        """Assert a condition if its kind is asked for. Where several checks of a kind may stand at one place, a word
        before the kind tells them apart."""
        name = kind.split()[-1]
        if name not in self.settings.checks or condition is TRUE:
            return
        attributes = (Attribute("kind", (name,)), Attribute("msg", (quotable(message),)))
        noted = origin.by(IN_SOURCE if kind == "assert" else Made("c", Role.CHECK, kind)).noted(self.noted("fail"))
        self.blocks.emit(Assert(condition, attributes, noted))

    def insist(self, kind: str, condition: Expr, message: str, origin: Origin) -> None:
        """Assert a condition whatever was asked for: nobody could say what a program does where it is false."""
        attributes = (Attribute("kind", (kind,)), Attribute("msg", (quotable(message),)))
        made = origin.by(Made("c", Role.CHECK, kind))
        self.blocks.emit(Assert(condition, attributes, made.noted(self.noted("fail"))))

    def fail(self, kinds: Sequence[str], message: str, origin: Origin) -> None:
        """The program must not get here; if nobody asked, it ends here."""
        asked = next((kind for kind in kinds if kind in self.settings.checks), None)
        if asked is not None:
            self.check(asked, FALSE, message, origin)
        if asked is None or not self.settings.goes_on:
            self.blocks.stop()

    # --- arithmetic ------------------------------------------------------------------------------------------

    def check_arithmetic(self, op: B, a: Expr, b: Expr, type_: c.CType, node: t.Expression) -> None:
        """The checks of an operator on two integers of one type; a shift counts in the type of the left one."""
        # The texts of all parts of a long expression take time that is quadratic in its length.
        if not c.is_integer(type_) or not self.settings.checks & _ABOUT_ARITHMETIC:
            return
        integer, numbers, text = self.numbers.integer(type_), self.numbers, self._written(node)
        if op in (B.DIVIDE, B.REMAINDER):
            nonzero = negation(equal(b, numbers.zero(integer)))
            self.check("div-by-zero", nonzero, f"division by zero in {text}", node.origin)
        if op in (B.SHIFT_LEFT, B.SHIFT_RIGHT):
            width = numbers.literal(integer.width, integer)
            below = numbers.integers.compare(B.LESS, b, width, integer)
            if integer.signed:
                zero = numbers.zero(integer)
                below = conjunction(numbers.integers.compare(B.GREATER_EQUAL, b, zero, integer), below)
                if op is B.SHIFT_LEFT:
                    below = conjunction(below, numbers.integers.compare(B.GREATER_EQUAL, a, zero, integer))
            self.check("shift", below, f"shift by less than 0 or too much in {text}", node.origin)
        if op in _ARITHMETIC:
            kind = "overflow" if integer.signed else "unsigned-overflow"
            if kind in self.settings.checks and (integer.signed or op is not B.SHIFT_LEFT):
                fits = numbers.integers.does_not_overflow(op, a, b, integer)
                self.check(kind, fits, f"overflow in {text}", node.origin)

    def check_conversion(self, value: Expr, source: c.CType, target: c.CType, node: t.Expression) -> None:
        if "conversion" in self.settings.checks and c.is_integer(target) and not isinstance(target, c.BoolType):
            fits = self.numbers.fits(value, source, target)
            self.check("conversion", fits, f"{self._written(node)} changes the value", node.origin)

    def _written(self, node: t.Expression) -> str:
        """The expression as the user wrote it: `x += 1` for the `x + 1` that `x` becomes."""
        first = node
        while isinstance(first, t.Conversion | t.Binary):
            first = first.operand if isinstance(first, t.Conversion) else first.left
        return expression_text(self.updates[-1] if isinstance(first, t.OldValue) else node)

    # --- accesses --------------------------------------------------------------------------------------------

    def check_access(
        self, bounds: Sequence[tuple[Expr, Expr]], pointer: Expr | None, size: Expr, node: t.Expression
    ) -> None:
        """The checks of an access to some bytes: indices stay below lengths, and a pointer points to an object."""
        if not self.settings.tracks_objects:
            return
        text = expression_text(node)
        for index, length in bounds:
            inside = self.numbers.addresses.less(index, length)
            self.check("index bounds", inside, f"index out of bounds in {text}", node.origin)
        if pointer is not None:
            self.check_pointer(pointer, size, text, node.origin)

    def check_pointer(self, pointer: Expr, size: Expr, text: str, origin: Origin) -> None:
        """A pointer points to as many bytes of an object that lives."""
        if not self.settings.tracks_objects:
            return
        numbers = self.numbers
        start = numbers.addresses.rounded_down(pointer, self.memory.spacing)
        offset = numbers.addresses.minus(pointer, start)
        not_null = negation(equal(start, numbers.address(0)))
        self.check("null pointer", not_null, f"null pointer in {text}", origin)
        lives = select(self.object_live, start)
        self.check("dangling pointer", lives, f"pointer to no living object in {text}", origin)
        length = select(self.object_size, start)
        room = numbers.addresses.minus(length, offset)
        inside = conjunction(
            numbers.addresses.at_most(offset, length),
            numbers.addresses.at_most(size, room),
        )
        self.check("object bounds", inside, f"access out of bounds in {text}", origin)

    # --- objects ---------------------------------------------------------------------------------------------

    @property
    def object_size(self) -> Var:
        return self.shared.hidden_global("object#size", Map((self.memory.address_type,), self.memory.address_type))

    @property
    def object_live(self) -> Var:
        return self.shared.hidden_global("object#live", Map((self.memory.address_type,), BOOL))

    @property
    def object_heap(self) -> Var:
        return self.shared.hidden_global("object#heap", Map((self.memory.address_type,), BOOL))

    @property
    def heap_blocks(self) -> Var:
        """How many objects have been allocated and not freed."""
        return self.shared.hidden_global("heap#blocks", self.memory.address_type)

    def allocate(self, target: Var, size: Expr, *, heap: bool, name: str = "", shown: c.CType = c.VOID) -> None:
        """A new object comes to life; executions on which there is no room for it are not looked at."""
        numbers, top = self.numbers, self.shared.top
        born = Watch(name, top, shown, ((size, numbers.address_type),))
        note = self.shared.presentation.add(Note("allocate", watches=(born,)))
        self.blocks.assign(target, top, note)
        spacing = numbers.address(self.memory.spacing)
        room = numbers.addresses.plus(numbers.addresses.rounded_down(size, self.memory.spacing), spacing)
        end = numbers.addresses.plus(top, room)
        known = number(size)
        if known is None or known >= self.memory.spacing:
            self._assume_room(size)
        self.move_top(end)
        self.object_begins(target, size, heap=heap)

    def move_top(self, end: Expr) -> None:
        """Objects come to life up to an address; executions on which there is no room for them are not looked at."""
        numbers, top, stretch = self.numbers, self.shared.top, self.memory.stretch
        self.assume(numbers.addresses.less(top, end))
        if stretch is not None:
            self.assume(numbers.addresses.at_most(end, numbers.address(stretch.end)))
        self.blocks.assign(top, end)

    def _assume_room(self, size: Expr) -> None:
        """No object is larger than half of memory, or than what fits between two starts that tell objects apart."""
        numbers = self.numbers
        most = 1 << (numbers.address_type.width - 1)
        if self.settings.tracks_objects:
            most = self.memory.spacing
        self.assume(numbers.addresses.less(size, numbers.address(most)))

    def object_begins(self, address: Expr, size: Expr, *, heap: bool = False) -> None:
        """Note where an object starts and how long it is."""
        if self.shared.tracks_sizes:
            self.blocks.assign(self.object_size, store(self.object_size, [address], size))
        if not self.settings.tracks_objects:
            return
        self.blocks.assign(self.object_live, store(self.object_live, [address], TRUE))
        self.blocks.assign(self.object_heap, store(self.object_heap, [address], TRUE if heap else FALSE))
        if heap:
            one = self.numbers.address(1)
            more = self.numbers.addresses.plus(self.heap_blocks, one)
            self.blocks.assign(self.heap_blocks, more)

    def object_ends(self, address: Expr) -> None:
        if self.settings.tracks_objects:
            self.blocks.assign(self.object_live, store(self.object_live, [address], FALSE))

    def freed(self, pointer: Expr, text: str, origin: Origin) -> None:
        """`free(pointer)`: null, or an object that was allocated and lives."""
        if not self.settings.tracks_objects:
            return
        null = equal(pointer, self.numbers.address(0))
        allocated = disjunction(null, select(self.object_heap, pointer))
        self.check("freed pointer", allocated, f"what was never allocated is freed in {text}", origin)
        self.check(
            "dangling pointer", disjunction(null, select(self.object_live, pointer)), f"double free in {text}", origin
        )
        self.object_ends(pointer)
        one = self.numbers.address(1)
        fewer = self.numbers.addresses.minus(self.heap_blocks, one)
        self.blocks.assign(self.heap_blocks, choice(null, self.heap_blocks, fewer))

    def check_leaks(self, origin: Origin) -> None:
        if "leak" in self.settings.checks:
            none = equal(self.heap_blocks, self.numbers.address(0))
            self.check("leak", none, "memory is not freed when the program ends", origin)


def quotable(message: str) -> str:
    """The message as it can stand between quotation marks: on one line, with escapes."""
    return " ".join(message.replace("\\", "\\\\").replace('"', '\\"').split())
