"""One JSON object, as `docs/schema/check.json` describes it.

Keys may be added, never renamed: other programs read them.
"""

from __future__ import annotations

from typing import Any

from paddock.frozen import values_of
from paddock.report.color import PLAIN, Painter
from paddock.report.counterexample import Counterexample
from paddock.report.coverage import STATUS
from paddock.report.details import details_json
from paddock.report.json_text import headed, json_text, rounded
from paddock.report.result import AssertionResult, Result


def json_object(result: Result) -> dict[str, Any]:
    """The result as plain JSON values, the keys in a fixed order."""
    content = {
        "files": list(result.files),
        "entry": result.entry,
        "goal": result.goal,
        "verdict": result.verdict.value,
        "bound": result.bound,
        "contexts": result.contexts,
        "unwind": result.unwind,
        "reason": result.reason,
        "time_s": round(result.time_s, 3),
        "engine": result.engine,
        **({"strategy": result.strategy} if result.strategy else {}),
        **({"data_model": result.data_model} if result.data_model else {}),
        "stats": rounded(result.stats),
        **({"refinement": [rounded(values_of(i)) for i in result.refinement]} if result.refinement else {}),
        "all_assertions": result.all_assertions,
        "independent": result.independent,
        **({"cover": result.cover, "goals": list(map(_goal, result.assertions))} if result.cover else {}),
        "assertions": [
            {
                "id": assertion.id,
                "file": assertion.file,
                "line": assertion.line,
                "column": assertion.column,
                "procedure": assertion.procedure,
                "kind": assertion.kind,
                "text": assertion.text,
                "verdict": assertion.verdict.value,
                "reason": assertion.reason,
                "how": assertion.how,
                "region": assertion.region,
                **_run(assertion.counterexample),
            }
            for assertion in (() if result.cover else result.assertions)
        ],
        **_run(result.counterexample),
        "warnings": list(result.warnings),
        "notes": list(result.notes),
        **({} if result.details is None else {"details": details_json(result.details)}),
    }
    return headed("check", content, result.version)


def _goal(goal: AssertionResult) -> dict[str, Any]:
    """A goal of coverage, with the run that reaches it."""
    return {
        "id": goal.id,
        "file": goal.file,
        "line": goal.line,
        "column": goal.column,
        "procedure": goal.procedure,
        "kind": goal.kind,
        "text": goal.text,
        "status": STATUS[goal.verdict],
        "reason": goal.reason,
        **_run(goal.counterexample),
    }


def _run(counterexample: Counterexample | None) -> dict[str, Any]:
    """A counterexample: its steps, the table of activations that they refer to, and the choices that were made for
    it."""
    shown = counterexample or Counterexample(())
    return {
        "trace": [
            {
                "file": step.file,
                "line": step.line,
                "column": step.column,
                "procedure": step.procedure,
                "kind": step.kind,
                "text": step.text,
                "depth": step.depth,
                "source": step.source,
                "values": step.texts,
                "before": {name: value.text for name, value in step.before.items()},
                "types": {name: value.type for name, value in step.values.items()},
                "data": {name: value.data for name, value in step.values.items() if value.data is not None},
                "thread": step.thread,
                "context": step.context,
                "activation": step.activation,
                **({} if step.taken is None else {"taken": step.taken}),
            }
            for step in shown.steps
        ],
        "activations": [
            {"procedure": a.procedure, "file": a.file, "line": a.line, "column": a.column, "caller": a.caller}
            for a in shown.activations
        ],
        "choices": [
            {
                "kind": choice.kind,
                "name": choice.name,
                "value": choice.value.text,
                "type": choice.value.type,
                "data": choice.value.data,
                "file": choice.file,
                "line": choice.line,
                "column": choice.column,
                "thread": choice.thread,
                "step": choice.step,
            }
            for choice in shown.choices
        ],
    }


def render(result: Result, _paint: Painter = PLAIN) -> str:
    return json_text(json_object(result))
