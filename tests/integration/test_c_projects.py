"""Programs of several C files, by a compilation database of the whole project."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from paddock.cli.main import main


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A database of two files in folders of their own, each with a macro, and of one that is not C."""
    (tmp_path / "src").mkdir()
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "limit.h").write_text("extern int limit;\nint clamp(int);\n")
    (tmp_path / "src" / "clamp.c").write_text(
        '#include "limit.h"\nint limit = LIMIT;\nstatic int least = 0;\n'
        "int clamp(int x) { return x < least ? least : x > limit ? limit : x; }\n"
    )
    (tmp_path / "src" / "use.c").write_text(
        '#include <assert.h>\n#include "limit.h"\nstatic int least = 5;\n'
        "int use(int x) { assert(clamp(x) <= limit); assert(limit == MOST && least == 5); return clamp(x) / least; }\n"
    )
    entries = [
        {"directory": str(tmp_path), "file": "src/clamp.c", "command": "cc -Iinclude -DLIMIT=9 -c src/clamp.c"},
        {"directory": str(tmp_path), "file": "src/use.c", "arguments": ["cc", "-Iinclude", "-DMOST=9", "src/use.c"]},
        {"directory": str(tmp_path), "file": "src/other.cc", "command": "c++ -c src/other.cc"},
    ]
    (tmp_path / "compile_commands.json").write_text(json.dumps(entries))
    return tmp_path


def test_a_whole_project(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    database = str(project / "compile_commands.json")
    assert main(["check", database, "--function", "use", "--format", "json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert [Path(file).name for file in said["files"]] == ["clamp.c", "use.c"]
    assert [(a["text"], a["verdict"]) for a in said["assertions"]] == [
        ("clamp(x) <= limit", "proved"),
        ("limit == MOST && least == 5", "proved"),
    ]
    start = project / "src" / "start.c"
    start.write_text("int use(int); int get(void); int main(void) { return use(get()); }\n")
    assert main(["check", database, str(start), "--require-proof"]) == 0


def test_what_is_no_database(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "empty.json").write_text("[]")
    assert main(["check", str(project / "empty.json")]) == 2
    assert "names no C file" in capsys.readouterr().err
    database = str(project / "compile_commands.json")
    assert main(["check", database, str(project / "empty.json")]) == 2
    assert main(["check", database]) == 2
    assert "functions with a body: use, clamp; say --function use" in capsys.readouterr().err
