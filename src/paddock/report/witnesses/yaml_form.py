"""Witnesses in YAML, format 2.0. What is written is JSON in its scalars, so that no text of a program means something
to YAML."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from paddock.report.witnesses import (
    AVOID,
    CORRECTNESS,
    FOLLOW,
    TARGET,
    VIOLATION,
    Invariant,
    Place,
    Task,
    UnreadableWitness,
    Waypoint,
    Witness,
)
from paddock.report.witnesses.identity import creation_time, identity
from paddock.version import __version__

ENTRIES = {"violation_sequence": VIOLATION, "invariant_set": CORRECTNESS}
LOOP, LOCATION = "loop_invariant", "location_invariant"


def yaml_text(witness: Witness) -> str:
    """A witness as YAML."""
    content = (
        [{"segment": [{"waypoint": _waypoint(point)} for point in segment]} for segment in witness.segments]
        if witness.kind == VIOLATION
        else [{"invariant": _invariant(invariant)} for invariant in witness.invariants]
    )
    entry = next(name for name, kind in ENTRIES.items() if kind == witness.kind)
    task = witness.task
    metadata = {
        "format_version": "2.0",
        "uuid": identity(witness),
        "creation_time": creation_time(),
        "producer": {"name": "Paddock", "version": __version__},
        "task": {
            "input_files": list(task.files),
            "input_file_hashes": dict(task.hashes),
            "specification": task.specification,
            "data_model": task.data_model or "LP64",
            "language": "C",
        },
    }
    return "\n".join(_lines([{"entry_type": entry, "metadata": metadata, "content": content}])) + "\n"


def _waypoint(point: Waypoint) -> dict[str, Any]:
    content: dict[str, Any] = {"type": point.kind, "action": point.action, "location": _location(point.place)}
    if point.kind != TARGET and point.constraint:
        form = "ext_c_expression" if "\\" in point.constraint else "c_expression"
        content["constraint"] = {"value": point.constraint, "format": form}
    return content


def _invariant(invariant: Invariant) -> dict[str, Any]:
    kind = LOOP if invariant.is_loop else LOCATION
    return {
        "type": kind,
        "location": _location(invariant.place),
        "value": invariant.value,
        "format": "c_expression",
    }


def _location(place: Place) -> dict[str, Any]:
    content: dict[str, Any] = {"file_name": place.file, "line": place.line}
    if place.column:
        content["column"] = place.column
    if place.function:
        content["function"] = place.function
    return content


def _lines(value: Any) -> Iterator[str]:
    """YAML in blocks; a scalar is one of JSON."""
    match value:
        case dict() if value:
            for key, inner in value.items():
                name = key if key.isidentifier() else json.dumps(key)
                if isinstance(inner, dict | list) and inner:
                    yield f"{name}:"
                    yield from (f"  {line}" for line in _lines(inner))
                else:
                    yield f"{name}: {json.dumps(inner)}"
        case list() if value:
            for inner in value:
                for number, line in enumerate(_lines(inner)):
                    yield f"{'- ' if number == 0 else '  '}{line}"
        case _:
            yield json.dumps(value)


def yaml_witness(text: str) -> Witness:
    """The witness that a text of YAML describes. Raises `UnreadableWitness`."""
    import yaml

    try:
        content = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise UnreadableWitness(f"this is not YAML: {' '.join(str(error).split())}") from None
    try:
        return _witness(content)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise UnreadableWitness(f"the witness is damaged: {type(error).__name__}: {error}") from None


def _witness(content: Any) -> Witness:
    entries = [entry for entry in content if entry.get("entry_type") in ENTRIES]
    if len(entries) != 1:
        raise UnreadableWitness(f"one entry {' or '.join(ENTRIES)} is expected, but there are {len(entries)}")
    (entry,) = entries
    version = str(entry["metadata"]["format_version"])
    if not version.startswith("2."):
        raise UnreadableWitness(f"version {version} of the format is not known: 2.0 is")
    kind = ENTRIES[entry["entry_type"]]
    content = entry["content"] or []
    given = entry["metadata"]["task"]
    task = Task(
        tuple(map(str, given["input_files"])),
        tuple((str(name), str(value)) for name, value in (given.get("input_file_hashes") or {}).items()),
        str(given.get("specification", "")),
        str(given.get("data_model", "")),
    )
    if kind == CORRECTNESS:
        return Witness(kind, task, invariants=tuple(_read_invariant(each["invariant"]) for each in content))
    segments = tuple(tuple(_read_waypoint(each["waypoint"]) for each in part["segment"]) for part in content)
    if not segments or any([p.action for p in s] != [AVOID] * (len(s) - 1) + [FOLLOW] for s in segments):
        raise UnreadableWitness("a segment must end in the one waypoint to follow")
    if [p.kind == TARGET for s in segments for p in s if p.action == FOLLOW] != [False] * (len(segments) - 1) + [True]:
        raise UnreadableWitness("the last waypoint to follow must be the target, and no other")
    return Witness(kind, task, segments)


def _read_waypoint(content: Mapping[str, Any]) -> Waypoint:
    constraint = content.get("constraint") or {}
    value = constraint.get("value", "")
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return Waypoint(str(content["type"]), _read_location(content["location"]), text, str(content["action"]))


def _read_invariant(content: Mapping[str, Any]) -> Invariant:
    kind = content["type"]
    if kind not in (LOOP, LOCATION):
        raise UnreadableWitness(f"an invariant of type {kind} is not known")
    return Invariant(_read_location(content["location"]), str(content["value"]), kind == LOOP)


def _read_location(content: Mapping[str, Any]) -> Place:
    column, function = int(content.get("column") or 0), str(content.get("function") or "")
    return Place(str(content["file_name"]), int(content["line"]), column, function)
