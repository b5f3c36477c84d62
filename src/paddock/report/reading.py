"""A result from the JSON that `paddock check --format json` writes: the way back, for `paddock report`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from paddock.report.counterexample import Activation, Choice, Counterexample, TraceStep, TypedValue
from paddock.report.coverage import VERDICT
from paddock.report.details import details_from
from paddock.report.json_text import SCHEMA_VERSION
from paddock.report.result import AssertionResult, Iteration, Result, Verdict


class UnreadableReport(Exception):
    """The text is not the report of a check."""


def result_from(text: str) -> Result:
    """The result that a text of JSON describes. Raises `UnreadableReport`."""
    try:
        record = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableReport(f"this is not JSON: {error}") from None
    if not isinstance(record, dict) or record.get("schema") != "check":
        raise UnreadableReport("this is not the report of a check: write one with paddock check --format json")
    if record.get("schema_version") != SCHEMA_VERSION:
        raise UnreadableReport(f"version {record.get('schema_version')} of the report is unknown")
    try:
        return _result(record)
    except KeyError as error:
        raise UnreadableReport(f"the report has no {error}") from None
    except (TypeError, ValueError, AttributeError) as error:
        raise UnreadableReport(f"the report is damaged: {error}") from None


def _result(record: Mapping[str, Any]) -> Result:
    return Result(
        files=tuple(map(str, record["files"])),
        entry=str(record["entry"]),
        goal=str(record["goal"]),
        verdict=Verdict(record["verdict"]),
        engine=str(record["engine"]),
        bound=_number_or_none(record["bound"]),
        contexts=_number_or_none(record["contexts"]),
        unwind=_number_or_none(record.get("unwind")),  # reports of earlier versions have none
        reason=str(record["reason"]),
        time_s=float(record["time_s"]),
        stats={str(name): value for name, value in record["stats"].items() if isinstance(value, int | float)},
        assertions=tuple(map(_assertion, record["assertions"])) or tuple(map(_goal, record.get("goals", ()))),
        counterexample=_run(record),
        all_assertions=bool(record["all_assertions"]),
        independent=bool(record["independent"]),
        cover=str(record.get("cover", "")),
        warnings=tuple(map(str, record["warnings"])),
        notes=tuple(map(str, record["notes"])),
        data_model=str(record.get("data_model", "")),
        strategy=str(record.get("strategy", "")),
        refinement=tuple(Iteration(**iteration) for iteration in record.get("refinement", ())),
        details=details_from(record["details"]) if "details" in record else None,
        version=str(record["version"]),
    )


def _number_or_none(value: object) -> int | None:
    return int(value) if isinstance(value, int) else None


def _assertion(record: Mapping[str, Any]) -> AssertionResult:
    texts = {name: str(record[name]) for name in ("id", "file", "procedure", "kind", "text", "reason", "region", "how")}
    return AssertionResult(
        **texts,
        line=int(record["line"]),
        column=int(record["column"]),
        verdict=Verdict(record["verdict"]),
        counterexample=_run(record),
    )


def _goal(record: Mapping[str, Any]) -> AssertionResult:
    return _assertion({**record, "verdict": VERDICT[str(record["status"])], "region": "", "how": ""})


def _run(record: Mapping[str, Any]) -> Counterexample | None:
    """The counterexample that an object has, if it has steps."""
    if not record["trace"]:
        return None
    return Counterexample(
        tuple(map(_step, record["trace"])),
        tuple(map(_activation, record["activations"])),
        tuple(map(_choice, record["choices"])),
    )


def _step(record: Mapping[str, Any]) -> TraceStep:
    types, data = record["types"], record["data"]
    values = {
        str(name): TypedValue(str(text), str(types.get(name, "")), data.get(name))
        for name, text in record["values"].items()
    }
    before = {str(name): TypedValue(str(text), str(types.get(name, ""))) for name, text in record["before"].items()}
    return TraceStep(
        file=str(record["file"]),
        line=int(record["line"]),
        procedure=str(record["procedure"]),
        kind=str(record["kind"]),
        values=values,
        depth=int(record["depth"]),
        column=int(record["column"]),
        text=str(record["text"]),
        source=str(record["source"]),
        thread=int(record["thread"]),
        context=int(record["context"]),
        before=before,
        activation=int(record["activation"]),
        taken=None if record.get("taken") is None else bool(record["taken"]),
    )


def _activation(record: Mapping[str, Any]) -> Activation:
    place = str(record["file"]), int(record["line"]), int(record["column"])
    return Activation(str(record["procedure"]), *place, caller=_number_or_none(record["caller"]))


def _choice(record: Mapping[str, Any]) -> Choice:
    value = TypedValue(str(record["value"]), str(record["type"]), record["data"])
    place = str(record["file"]), int(record["line"]), int(record["column"])
    return Choice(
        str(record["kind"]), str(record["name"]), value, *place, thread=int(record["thread"]), step=int(record["step"])
    )
