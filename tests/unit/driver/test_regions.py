"""From files to their regions."""

from __future__ import annotations

from pathlib import Path

from paddock.driver.regions import tree_of_files
from paddock.options import Options

RECURSIVE = """
procedure main() { while (*) { call f(); } }
procedure f() { if (*) { call h(); } }
procedure h() { if (*) { call f(); } call h(); call k(); }
procedure k() { assert true; }
"""


def test_which_calls_lead_back(tmp_path: Path) -> None:
    file = tmp_path / "recursive.bpl"
    file.write_text(RECURSIVE)
    tree = tree_of_files([str(file)], Options())
    assert {name: node.children for name, node in tree.items()} == {
        "main": ("main:2",),
        "main:2": ("f",),
        "f": ("h",),
        "h": ("f", "h", "k"),
        "k": (),
    }
    assert {name: node.recursive for name, node in tree.items() if node.recursive} == {"h": ("f", "h")}
