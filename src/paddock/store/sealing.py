"""Records that are believed because this user's installation has sealed them: HMAC with a secret that no store has.

A store may be copied, mixed up or made by a stranger; a seal says that what a record says was found out here, under
this very key, by what `identity` names. A record with no seal, or another one, counts as not there.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from paddock.store.database import Store

SECRET = "store.secret"
LENGTH = 32  # bytes of a secret


def secret_in(folder: Path) -> bytes | None:
    """The secret in a folder, which is made if there is none; None if it cannot be kept from others."""
    path = folder / SECRET
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            pass
        else:
            with os.fdopen(descriptor, "wb") as file:
                file.write(secrets.token_bytes(LENGTH))
        status = path.stat()
        found = path.read_bytes()
    except OSError:
        return None
    is_ours = status.st_uid == os.getuid() and not status.st_mode & 0o077
    return found if is_ours and len(found) == LENGTH else None


class SealedRecords:
    """The records of a store that have a seal, and are what they were when it was made. Without a secret, none have."""

    def __init__(self, store: Store, secret: bytes | None, identity: str) -> None:
        self._store = store
        self._secret = secret
        self._identity = identity

    def read(self, kind: str, key: str) -> Any:
        """The value that was sealed under this kind and key; None if there is none."""
        if self._secret is None:
            return None
        match self._store.read(kind, key):
            case {"value": value, "seal": str(seal)} if seal.isascii() and hmac.compare_digest(
                seal, self._seal(kind, key, value)
            ):
                return value
            case _:
                return None

    def write(self, kind: str, records: Mapping[str, object]) -> None:
        """Seal and keep values by their keys."""
        if self._secret is not None and records:
            sealed = {key: {"value": value, "seal": self._seal(kind, key, value)} for key, value in records.items()}
            self._store.write_all(kind, sealed)

    def _seal(self, kind: str, key: str, value: object) -> str:
        assert self._secret is not None
        sealed_text = json.dumps([self._identity, kind, key, value], sort_keys=True, separators=(",", ":"))
        return hmac.new(self._secret, sealed_text.encode(), hashlib.sha256).hexdigest()
