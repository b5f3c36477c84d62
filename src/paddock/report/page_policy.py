"""The policy of a page that says what it may load and run: its own style and script, named by their hashes."""

from __future__ import annotations

import base64
import hashlib


def policy_of(style: str, script: str = "") -> str:
    scripts = f" script-src '{_hash(script)}';" if script else ""
    return f"default-src 'none'; style-src '{_hash(style)}';{scripts} base-uri 'none'"


def _hash(part: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(part.encode()).digest()).decode()}"
