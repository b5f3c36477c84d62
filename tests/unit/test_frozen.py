"""A frozen or mutable class is what `dataclass(slots=True)` makes of it: both are asked the same."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import math
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, dataclass, is_dataclass
from functools import cached_property
from typing import Any, ClassVar

import pytest

from paddock.frozen import field, fields, frozen, mutable, replace, values_of

MAKERS: list[Callable[[type], Any]] = [dataclass(frozen=True, slots=True), frozen]
CHANGEABLE: list[Callable[[type], Any]] = [dataclass(slots=True), mutable]
makers = pytest.mark.parametrize("maker", MAKERS, ids=["dataclass", "frozen"])
changeable = pytest.mark.parametrize("maker", CHANGEABLE, ids=["dataclass", "mutable"])
all_makers = pytest.mark.parametrize(
    "maker", MAKERS + CHANGEABLE, ids=["frozen dataclass", "frozen", "dataclass", "mutable"]
)


def field_of(maker: Callable[[type], Any]) -> Any:
    """What declares the fields of a class that it makes."""
    return field if maker in (frozen, mutable) else dataclasses.field


def point(maker: Callable[[type], Any]) -> Any:
    field = field_of(maker)

    @maker
    class Point:
        """A point."""

        kind: ClassVar[str] = "point"
        x: float
        y: float = 0
        names: list[str] = field(default_factory=list, compare=False)
        place: str = field(default="", repr=False)

    return Point


@frozen
class Pair:
    left: object
    right: object = None


@frozen
class Checked:
    number: int
    square: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "square", self.number**2)


@frozen(eq=False)
class Node:
    label: str


@all_makers
def test_construction_and_text(maker: Callable[[type], Any]) -> None:
    kind = point(maker)
    assert repr(kind(1)).endswith("Point(x=1, y=0, names=[])")
    assert repr(kind(1, place="a", y=2)).endswith("Point(x=1, y=2, names=[])")
    assert kind(1).names is not kind(1).names
    assert not hasattr(kind(1), "__dict__")
    for arguments in [(), (1, 2, [], "", 5)]:
        with pytest.raises(TypeError):
            kind(*arguments)
    with pytest.raises(TypeError):
        kind(1, z=2)
    assert list(inspect.signature(kind).parameters) == ["x", "y", "names", "place"]


@makers
def test_equality_and_hashes(maker: Callable[[type], Any]) -> None:
    kind = point(maker)
    assert kind(1, names=["a"]) == kind(1.0, names=["b"])
    assert hash(kind(1)) == hash(kind(1.0))
    assert kind(1) != kind(2)
    assert kind(1) != (1, 0, [], "")
    assert kind(math.nan) != kind(float("nan"))
    assert point(maker)(1) != kind(1), "of another class"


@makers
def test_a_value_that_is_not_equal_to_itself(maker: Callable[[type], Any]) -> None:
    @maker
    class One:
        value: float

    nan = math.nan
    assert One(nan) == One(nan)
    assert One(nan) in {One(nan)}


@makers
def test_nothing_can_be_changed(maker: Callable[[type], Any]) -> None:
    made = point(maker)(1)
    with pytest.raises(FrozenInstanceError):
        made.x = 2
    with pytest.raises(FrozenInstanceError):
        del made.x
    assert replace(made, y=3) == point(maker)(1, 3) or replace(made, y=3).y == 3
    assert made.y == 0


@makers
def test_what_dataclasses_and_patterns_see(maker: Callable[[type], Any]) -> None:
    kind = point(maker)
    assert is_dataclass(kind)
    for listed in (fields, dataclasses.fields):
        assert [f.name for f in listed(kind)] == ["x", "y", "names", "place"]
        assert [f.compare for f in listed(kind(1))] == [True, True, False, True]
    assert dataclasses.asdict(kind(1)) == values_of(kind(1)) == {"x": 1, "y": 0, "names": [], "place": ""}
    assert dataclasses.replace(kind(1), y=2) == replace(kind(1), y=2) == kind(1, 2)
    match kind(1, 2):
        case kind(x, y):
            assert (x, y) == (1, 2)

    @dataclass(frozen=True)
    class Above(kind):  # type: ignore[misc]
        z: int = 0

    assert (Above(1, z=4).x, Above(1, z=4).z) == (1, 4)


@all_makers
def test_inheritance(maker: Callable[[type], Any]) -> None:
    @maker
    class Below(point(maker)):  # type: ignore[misc]
        z: int = 5

    assert Below(1).z == 5
    assert [f.name for f in fields(Below)] == ["x", "y", "names", "place", "z"]
    assert Below(1, z=6) != Below(1)
    assert "z=5" in repr(Below(1))


@all_makers
def test_methods_of_its_own_stay(maker: Callable[[type], Any]) -> None:
    @maker
    class Word:
        text: str

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Word) and self.text.lower() == other.text.lower()

        def __hash__(self) -> int:
            return 7

        def __repr__(self) -> str:
            return self.text

    assert Word("A") == Word("a")
    assert (hash(Word("A")), repr(Word("A"))) == (7, "A")


@pytest.mark.parametrize("made", [Pair(1, (2, 3)), Pair(Pair(1)), Checked(3)])
def test_copies(made: object) -> None:
    for other in (pickle.loads(pickle.dumps(made)), copy.copy(made), copy.deepcopy(made)):
        assert (other, type(other)) == (made, type(made))


def test_what_is_set_after_construction() -> None:
    assert Checked(3).square == 9
    assert replace(Checked(3), number=4).square == 16


def test_identity_instead_of_equality() -> None:
    node = Node("a")
    assert node == node
    assert node != Node("a")
    assert len({node, node, Node("a")}) == 2


@changeable
def test_what_is_mutable_has_no_hash(maker: Callable[[type], Any]) -> None:
    made = point(maker)(1)
    made.x = 2
    assert made == replace(made)
    assert made != replace(made, x=1)
    with pytest.raises(TypeError):
        hash(made)
    with pytest.raises(AttributeError):
        made.other = 1
    other = copy.deepcopy(made)
    other.names.append("a")
    assert (other.x, made.names) == (2, [])


@changeable
def test_fields_that_are_no_parameters(maker: Callable[[type], Any]) -> None:
    field = field_of(maker)

    @maker
    class Counted:
        start: int
        now: int = field(init=False, default=0)
        seen: list[int] = field(init=False, default_factory=list)

    assert (Counted(1).now, Counted(1).seen) == (0, [])
    assert Counted(1).seen is not Counted(1).seen
    with pytest.raises(TypeError):
        Counted(1, 2)


@mutable(eq=False)
class Cell:
    value: object = None


def test_mutable_objects_that_are_themselves() -> None:
    cell = Cell()
    assert cell != Cell()
    assert {cell: 1}[cell] == 1
    cell.value = 3
    assert pickle.loads(pickle.dumps(cell)).value == 3


def test_a_dataclass_above_is_copied_as_a_whole() -> None:
    made = Above(1, 2)
    assert pickle.loads(pickle.dumps(made)) == made
    assert repr(made) == "Above(left=1, right=2, z=3)"


@dataclass(frozen=True)
class Above(Pair):
    z: int = 3


def test_a_class_that_nothing_is_made_of_compiles_nothing() -> None:
    @frozen
    class Unused:
        value: int

    assert not callable(Unused.__dict__["__init__"])
    assert Unused(1).value == 1
    assert callable(Unused.__dict__["__init__"])


def test_room_for_cached_properties() -> None:
    @frozen(caches=True)
    class Text:
        letters: str

        @cached_property
        def words(self) -> list[str]:
            return self.letters.split()

    text = Text("a b")
    assert text.words is text.words
    assert text == Text("a b")
    assert replace(text, letters="c").words == ["c"]
    with pytest.raises(FrozenInstanceError):
        text.letters = "d"  # type: ignore[misc]
