"""`@frozen` and `@mutable`: what `dataclass(slots=True)` makes of a class, frozen or not, in a tenth of the time.

Python's decorator compiles up to six methods for each class, and to import it takes as long as to define a hundred
classes here: together, a third of what a check of a small program took. Here only `__init__` is compiled, when the
class is first used; the other methods are functions that all such classes share. `field`, `fields` and `replace` are
those of `dataclasses`, as far as they are used here. To `dataclasses` itself, to patterns and to dataclasses
that inherit from it, such a class is a dataclass.

>>> @frozen
... class Point:
...     x: int
...     y: int = 0
>>> Point(1), Point(1) == Point(1, 0), {Point(2): "two"}[Point(2)]
(Point(x=1, y=0), True, 'two')
>>> replace(Point(1), y=5)
Point(x=1, y=5)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import attrgetter
from types import MappingProxyType, SimpleNamespace
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, dataclass_transform, overload

_T = TypeVar("_T")
_MISSING: Any = object()
_NOTHING: Mapping[str, object] = MappingProxyType({})
_CLASS_VARIABLE = ("ClassVar", "typing.ClassVar")
_OF_THE_CLASS = ("__dict__", "__weakref__")  # what Python adds to a class, and adds again to one that is made of it

if TYPE_CHECKING:  # to those who check types, they are what they stand for
    from dataclasses import Field as Field
    from dataclasses import field as field
    from dataclasses import fields as fields
    from dataclasses import replace as replace
else:

    class Field:
        """What is declared of a field."""

        __slots__ = ("compare", "default", "default_factory", "init", "metadata", "name", "repr", "type")

        def __init__(self, default, default_factory, init, repr, compare, metadata) -> None:
            self.default, self.default_factory, self.metadata = default, default_factory, metadata
            self.init, self.repr, self.compare = init, repr, compare

    def field(
        *, default=_MISSING, default_factory=_MISSING, init=True, repr=True, compare=True, metadata=_NOTHING
    ) -> Field:
        """Declare a field by more than its type and default."""
        return Field(default, default_factory, init, repr, compare, metadata)

    def fields(thing) -> tuple[Any, ...]:
        """The fields of a class, or of the class of an object, in their order."""
        cls = thing if isinstance(thing, type) else type(thing)
        if "__declared_fields__" in cls.__dict__:
            return tuple(cls.__declared_fields__.values())
        from dataclasses import fields as of_dataclass

        return of_dataclass(cls)

    def replace(thing, /, **changes):
        """A copy with other values of some fields."""
        cls = type(thing)
        declared = cls.__dict__.get("__declared_fields__")
        if declared is None:
            declared = {f.name: f for f in fields(cls)}
        for name, f in declared.items():
            if name not in changes and f.init:
                changes[name] = getattr(thing, name)
        return cls(**changes)


def values_of(thing: Any) -> dict[str, Any]:
    """The values of the fields of an object, by their names."""
    return {f.name: getattr(thing, f.name) for f in fields(thing)}


@overload
def frozen(cls: type[_T], /) -> type[_T]: ...


@overload
def frozen(*, eq: bool = True, caches: bool = False) -> Callable[[type[_T]], type[_T]]: ...


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(
    cls: type[_T] | None = None, /, *, eq: bool = True, caches: bool = False
) -> type[_T] | Callable[[type[_T]], type[_T]]:
    """Make a class frozen. Objects are equal if their fields are; with `eq=False`, whatever it inherits decides. With
    `caches`, they have room for cached properties. A class that has a `__repr__`, its own or an inherited one, keeps
    it."""
    if cls is None:
        return lambda decorated: _made(decorated, eq, True, caches)
    return _made(cls, eq, True, caches)


@overload
def mutable(cls: type[_T], /) -> type[_T]: ...


@overload
def mutable(*, eq: bool = True) -> Callable[[type[_T]], type[_T]]: ...


@dataclass_transform(field_specifiers=(field,))
def mutable(cls: type[_T] | None = None, /, *, eq: bool = True) -> type[_T] | Callable[[type[_T]], type[_T]]:
    """Give a class a constructor and slots for its fields, which can be set. Objects are equal if their fields are,
    and have no hash then; with `eq=False`, whatever it inherits decides."""
    if cls is None:
        return lambda decorated: _made(decorated, eq, False)
    return _made(cls, eq, False)


def _made(decorated: type[_T], eq: bool, is_frozen: bool, caches: bool = False) -> type[_T]:
    """The class again, with slots, which a class can only have from the start on."""
    given = decorated.__dict__
    declared = _declared(decorated)
    inherited = {slot for base in decorated.__mro__[1:-1] for slot in base.__dict__.get("__slots__", ())}
    own: dict[str, Any] = {
        "__init__": _Constructor(is_frozen),
        "__match_args__": tuple(name for name, f in declared.items() if f.init),
    }
    if decorated.__repr__ is object.__repr__:
        own["__repr__"] = _shown
    if is_frozen:
        own |= _FROZEN
    if eq:
        own |= _comparison([name for name, f in declared.items() if f.compare], is_frozen)
    namespace = {name: value for name, value in given.items() if name not in declared and name not in _OF_THE_CLASS}
    namespace |= {name: method for name, method in own.items() if given.get(name) is None}  # as `__hash__` may be
    slots = [name for name in given.get("__annotations__", ()) if name in declared and name not in inherited]
    namespace["__slots__"] = (*slots, "__dict__") if caches else tuple(slots)
    namespace["__qualname__"] = decorated.__qualname__
    namespace["__declared_fields__"] = declared
    namespace["__dataclass_fields__"] = _DataclassFields()
    namespace["__dataclass_params__"] = _PARAMETERS[is_frozen]
    metaclass: Any = type(decorated)
    made: type[_T] = metaclass(decorated.__name__, decorated.__bases__, namespace)
    return made


def _declared(decorated: type) -> dict[str, Field[Any]]:
    """The fields of a class by their names, those that it inherits first."""
    found: dict[str, Field[Any]] = {}
    for base in decorated.__mro__[-2:0:-1]:
        found |= base.__dict__.get("__declared_fields__", {})
    given = decorated.__dict__
    for name, annotation in given.get("__annotations__", {}).items():
        if not str(annotation).startswith(_CLASS_VARIABLE):
            value = given.get(name, _MISSING)
            made = value if isinstance(value, Field) else field(default=value)
            made.name, made.type = name, annotation
            found[name] = made
    return found


class _Constructor:
    """An `__init__` that is compiled when it is looked up for the first time: many classes are never used."""

    def __init__(self, is_frozen: bool) -> None:
        self.is_frozen = is_frozen

    def __set_name__(self, owner: type, name: str) -> None:
        self.owner: Any = owner

    def __get__(self, instance: object, _owner: type | None = None) -> Any:
        compiled = self.owner.__init__ = _compiled(self.owner, self.is_frozen)
        return compiled.__get__(instance)


def _compiled(cls: Any, is_frozen: bool) -> Any:
    """The `__init__` of a class. If it is frozen, slots are set by their descriptors: unlike `object.__setattr__`,
    these do not look up names."""
    known: dict[str, Any] = {"MISSING": _MISSING}
    parameters, lines = ["self"], []
    for name, f in cls.__declared_fields__.items():
        parameter = value = name
        default = ""
        if f.default_factory is not _MISSING:
            known[f"make_{name}"] = f.default_factory
            default = f"make_{name}()"
            parameter, value = f"{name}=MISSING", f"{default} if {name} is MISSING else {name}"
        elif f.default is not _MISSING:
            default = f"default_{name}"
            known[default] = f.default
            parameter = f"{name}={default}"
        if f.init:
            parameters.append(parameter)
        else:  # without a default, `__post_init__` sets it
            value = default
        if value and is_frozen:
            known[f"set_{name}"] = getattr(cls, name).__set__
            lines.append(f" set_{name}(self, {value})")
        elif value:
            lines.append(f" self.{name} = {value}")
    if hasattr(cls, "__post_init__"):
        lines.append(" self.__post_init__()")
    exec(f"def __init__({', '.join(parameters)}):\n" + "\n".join(lines or [" pass"]), known)
    made = known["__init__"]
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    return made


class _DataclassFields:
    """What `dataclasses` wants to know of the fields of a class, made when it asks."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.owner: Any = owner

    def __get__(self, _instance: object, _owner: type | None = None) -> dict[str, Any]:
        import dataclasses

        namespace: dict[str, Any] = {"__annotations__": {}, "__doc__": "", "__module__": __name__}
        for name, f in self.owner.__declared_fields__.items():
            given = {"default": f.default, "default_factory": f.default_factory}
            defaults = {key: value for key, value in given.items() if value is not _MISSING}
            namespace["__annotations__"][name] = f.type
            namespace[name] = dataclasses.field(
                init=f.init, repr=f.repr, compare=f.compare, metadata=f.metadata, **defaults
            )
        like: Any = dataclasses.dataclass(init=False, repr=False, eq=False)(type("", (), namespace))
        self.owner.__dataclass_fields__ = like.__dataclass_fields__
        return self.owner.__dataclass_fields__  # type: ignore[no-any-return]


def _comparison(names: list[str], is_frozen: bool) -> dict[str, Any]:
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

    return {"__eq__": equals, "__hash__": hashed if is_frozen else None}


def _refuse_to_set(_self: object, name: str, _value: object) -> NoReturn:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(_self: object, name: str) -> NoReturn:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _shown(self: Any) -> str:
    values = (f"{f.name}={getattr(self, f.name)!r}" for f in fields(self) if f.repr)
    return f"{type(self).__qualname__}({', '.join(values)})"


def _state(self: Any) -> list[object]:
    return [getattr(self, f.name) for f in fields(self)]


def _set_state(self: Any, state: list[object]) -> None:
    for f, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, f.name, value)


# Setting attributes, as pickle does, is refused: so there are methods for it.
_FROZEN = {
    "__setattr__": _refuse_to_set,
    "__delattr__": _refuse_to_delete,
    "__getstate__": _state,
    "__setstate__": _set_state,
}
_PARAMETERS = {is_frozen: SimpleNamespace(frozen=is_frozen) for is_frozen in (True, False)}
