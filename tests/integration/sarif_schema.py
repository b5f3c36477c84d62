"""What SARIF 2.1.0 requires of the parts that reports have, as a JSON schema of our own: names, types and nesting.

The published schema is larger. `SARIF_SCHEMA=FILE` has the tests use it where somebody has it.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any


def _object(required: dict[str, Any], optional: dict[str, Any] | None = None) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {**required, **(optional or {})},
        "required": list(required),
        "additionalProperties": False,
    }


def _list(items: Any, least: int = 0) -> dict[str, Any]:
    return {"type": "array", "items": items, "minItems": least}


TEXT: dict[str, Any] = {"type": "string"}
POSITIVE: dict[str, Any] = {"type": "integer", "minimum": 1}
NATURAL: dict[str, Any] = {"type": "integer", "minimum": 0}
ANYTHING: dict[str, Any] = {"type": "object"}
MESSAGE = _object({"text": {"type": "string", "minLength": 1}}, {"markdown": TEXT})
URI = {"type": "string", "pattern": r"^(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/]|%[0-9A-F]{2})+$"}
ARTIFACT_LOCATION = _object({"uri": URI}, {"uriBaseId": TEXT})
REGION = _object({"startLine": POSITIVE}, {"startColumn": POSITIVE})
PHYSICAL = _object({"artifactLocation": ARTIFACT_LOCATION}, {"region": REGION})
LOGICAL = _object({"name": TEXT, "kind": TEXT})
LOCATION = _object(
    {}, {"id": NATURAL, "physicalLocation": PHYSICAL, "logicalLocations": _list(LOGICAL, 1), "message": MESSAGE}
)
FLOW_LOCATION = _object(
    {"location": LOCATION, "executionOrder": NATURAL, "nestingLevel": NATURAL},
    {
        "importance": {"enum": ["important", "essential", "unimportant"]},
        "kinds": _list(TEXT, 1),
        "state": {"type": "object", "additionalProperties": MESSAGE},
    },
)
THREAD_FLOW = _object({"id": TEXT, "locations": _list(FLOW_LOCATION, 1)})
CODE_FLOW = _object({"threadFlows": _list(THREAD_FLOW, 1)}, {"message": MESSAGE})
STACK = _object({"frames": _list(_object({"location": LOCATION}))}, {"message": MESSAGE})
PRINTS = {"type": "object", "additionalProperties": TEXT, "minProperties": 1}
RESULT = _object(
    {
        "ruleId": TEXT,
        "ruleIndex": NATURAL,
        "kind": {"const": "fail"},
        "level": {"enum": ["none", "note", "warning", "error"]},
        "message": MESSAGE,
        "locations": _list(LOCATION, 1),
        "fingerprints": PRINTS,
        "partialFingerprints": PRINTS,
        "relatedLocations": _list(LOCATION),
        "stacks": _list(STACK),
        "codeFlows": _list(CODE_FLOW),
    }
)
RULE = _object(
    {"id": TEXT, "name": TEXT, "shortDescription": MESSAGE, "fullDescription": MESSAGE, "help": MESSAGE},
    {"defaultConfiguration": _object({"level": TEXT}), "properties": ANYTHING},
)
DRIVER = _object({"name": TEXT, "rules": _list(RULE)}, {"version": TEXT, "semanticVersion": TEXT})
NOTIFICATION = _object({"level": {"enum": ["none", "note", "warning", "error"]}, "message": MESSAGE})
INVOCATION = _object({"executionSuccessful": {"type": "boolean"}}, {"toolExecutionNotifications": _list(NOTIFICATION)})
RUN = _object(
    {"tool": _object({"driver": DRIVER}), "results": _list(RESULT), "invocations": _list(INVOCATION, 1)},
    {
        "automationDetails": _object({"id": TEXT}),
        "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
        "originalUriBaseIds": ANYTHING,
        "artifacts": _list(_object({"location": ARTIFACT_LOCATION}, {"sourceLanguage": TEXT})),
        "properties": ANYTHING,
    },
)
OWN = _object({"$schema": TEXT, "version": {"const": "2.1.0"}, "runs": _list(RUN, 1)})


def schemas() -> list[dict[str, Any]]:
    """The schemas that a log must obey."""
    published = os.environ.get("SARIF_SCHEMA")
    return [OWN, *([json.loads(Path(published).read_text(encoding="utf-8"))] if published else [])]
