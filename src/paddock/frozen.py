"""`@frozen`: what `dataclass(frozen=True, slots=True)` makes of a class, in a quarter of the time.

Python's decorator compiles up to six methods for each class, which was a third of what a check of a small program took.
Here only `__init__` is compiled; the other methods are functions that all frozen classes share. To `fields` and
`replace` of `dataclasses`, to patterns and to dataclasses that inherit from it, such a class is a frozen dataclass.

>>> @frozen
... class Point:
...     x: int
...     y: int = 0
>>> Point(1), Point(1) == Point(1, 0), {Point(2): "two"}[Point(2)]
(Point(x=1, y=0), True, 'two')
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field, fields, is_dataclass
from operator import attrgetter
from typing import Any, NoReturn, TypeVar, dataclass_transform, overload

_T = TypeVar("_T")


@overload
def frozen(cls: type[_T], /) -> type[_T]: ...


@overload
def frozen(*, eq: bool) -> Callable[[type[_T]], type[_T]]: ...


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: type[_T] | None = None, /, *, eq: bool = True) -> type[_T] | Callable[[type[_T]], type[_T]]:
    """Make a class frozen. Objects are equal if their fields are; with `eq=False`, whatever it inherits decides. A
    class that has a `__repr__`, its own or an inherited one, keeps it."""
    if cls is None:
        return lambda decorated: _made(decorated, eq)
    return _made(cls, eq)


def _made(decorated: type[_T], eq: bool) -> type[_T]:
    own: dict[str, Any] = {"__setattr__": _refuse_to_set, "__delattr__": _refuse_to_delete}
    own |= {"__getstate__": _state, "__setstate__": _set_state}  # setting attributes, as pickle does, is refused
    if decorated.__repr__ is object.__repr__:
        own["__repr__"] = _shown
    if decorated.__doc__ is None:
        decorated.__doc__ = decorated.__name__  # else the signature is computed to make one of it
    inherits = any(map(is_dataclass, decorated.__bases__))  # and may only do so if it says that it is frozen
    cls = dataclass(init=False, repr=False, eq=False, slots=True, frozen=inherits)(decorated)
    cls.__dataclass_params__.frozen = True  # type: ignore[attr-defined]  # for those that inherit from it
    declared = fields(cls)  # type: ignore[arg-type]
    if eq:
        own |= _comparison([f.name for f in declared if f.compare])
    own["__init__"] = _constructor(cls, declared)
    for name, method in own.items():
        if name not in decorated.__dict__ or decorated.__dict__[name] is None:  # as `__hash__` beside an `__eq__`
            setattr(cls, name, method)
    return cls


def _constructor(cls: type, declared: tuple[Field[Any], ...]) -> Callable[..., None]:
    """An `__init__` that sets slots by their descriptors: unlike `object.__setattr__`, these do not look up names."""
    known: dict[str, Any] = {"MISSING": MISSING}
    parameters, lines = ["self"], []
    for f in declared:
        if not f.init:  # `__post_init__` sets it
            continue
        name = value = f.name
        known[f"set_{name}"] = getattr(cls, name).__set__
        if f.default_factory is not MISSING:
            known[f"make_{name}"] = f.default_factory
            parameters.append(f"{name}=MISSING")
            value = f"make_{name}() if {name} is MISSING else {name}"
        elif f.default is not MISSING:
            known[f"default_{name}"] = f.default
            parameters.append(f"{name}=default_{name}")
        else:
            parameters.append(name)
        lines.append(f" set_{name}(self, {value})")
    if hasattr(cls, "__post_init__"):
        lines.append(" self.__post_init__()")
    exec(f"def __init__({', '.join(parameters)}):\n" + "\n".join(lines or [" pass"]), known)
    made: Callable[..., None] = known["__init__"]
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    return made


def _comparison(names: list[str]) -> dict[str, Callable[..., object]]:
    """`__eq__` and `__hash__` by the values of some fields."""
    values: Callable[[object], object]
    if len(names) == 1:  # in a tuple, which compares what it holds by identity first
        value = attrgetter(*names)
        values = lambda self: (value(self),)  # noqa: E731
    else:
        values = attrgetter(*names) if names else lambda self: ()

    def equals(self: object, other: object) -> bool:
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

    def hashed(self: object) -> int:
        return hash(values(self))

    return {"__eq__": equals, "__hash__": hashed}


def _refuse_to_set(_self: object, name: str, _value: object) -> NoReturn:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(_self: object, name: str) -> NoReturn:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _shown(self: Any) -> str:
    values = (f"{f.name}={getattr(self, f.name)!r}" for f in fields(self) if f.repr)
    return f"{type(self).__qualname__}({', '.join(values)})"


def _state(self: Any) -> list[object]:
    return [getattr(self, f.name) for f in fields(self)]


def _set_state(self: Any, state: list[object]) -> None:
    for f, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, f.name, value)
