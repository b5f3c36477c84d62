"""Text that XML can hold: not all characters may stand in it, however they are written."""

from __future__ import annotations

import re
from xml.etree import ElementTree

_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def allowed(text: str) -> str:
    """The text with escapes for characters that XML has no way to write."""
    return _FORBIDDEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def document(root: ElementTree.Element) -> str:
    """An XML document, indented."""
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"
