"""What tells one witness from another: a name made of what it says, and when it was made."""

from __future__ import annotations

import os
import time
import uuid
from datetime import UTC, datetime

from paddock.report.witnesses import Witness

_SPACE = uuid.uuid5(uuid.NAMESPACE_URL, "paddock:witness")


def identity(witness: Witness) -> str:
    """A UUID that is the same for the same witness."""
    return str(uuid.uuid5(_SPACE, repr(witness).encode("utf-8", "backslashreplace").decode()))


def creation_time() -> str:
    """Now, in ISO 8601; or the time that SOURCE_DATE_EPOCH gives, for builds that are to be repeated."""
    given = os.environ.get("SOURCE_DATE_EPOCH", "")
    seconds = int(given) if given.isascii() and given.isdigit() else time.time()
    return datetime.fromtimestamp(int(seconds), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
