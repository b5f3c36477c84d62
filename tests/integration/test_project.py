"""`paddock.toml`: its options are those of checks in its folder, and it can do no harm; `paddock init` writes one."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from paddock.cli.main import main
from paddock.driver.project import PROJECT
from paddock.driver.suite_files import tasks_in
from paddock.ir.origin import InputError
from paddock.options import settings
from paddock.options.tables import FOLDERS, ON_THE_COMMAND_LINE_ONLY, OWN_VALUES, options_in_table

LOOP = "procedure main(n: int) { var i: int; i := 0; while (i < n) { i := i + 2; } assert i != 101; }\n"
# Options that name files or folders which are only read.
READ_ONLY = {"candidates", "compile_commands", "include_folders", "included_files"}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "a.bpl").write_text(LOOP)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def bound(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    """The bound of a check, and what it says on standard error."""
    assert main(["check", "a.bpl", "--format", "json", *arguments]) == 0
    out, err = capsys.readouterr()
    return json.loads(out)["bound"], err


@pytest.mark.usefixtures("folder")
def test_options_of_the_project(capsys: pytest.CaptureFixture[str]) -> None:
    Path(PROJECT).write_text("[defaults]\noptions = { recursion-bound = 3, timeout = 100 }\n")
    assert bound(capsys) == (3, "note: paddock.toml sets recursion-bound, timeout\n")
    assert bound(capsys, "--recursion-bound", "2") == (2, "note: paddock.toml sets timeout\n")
    assert bound(capsys, "--no-project") == (8, "")


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    "options",
    [
        "solver = './solver'",
        "solver = '/bin/sh'",
        "backend = 'sh -c x'",
        "backend = 'cbmc'",
        "harness = 'x.c'",
        "dump-smt = 'x'",
        "dump_smt = '../x'",
        "witness = 'x'",
        "executor = 'ray'",
        "ray-address = 'a:1'",
        "output = 'x'",
        "recursion-bound = 0",
        "recursion-bound = 'x'",
    ],
)
def test_what_a_project_may_not_say(options: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path(PROJECT).write_text(f"[defaults]\noptions = {{ {options} }}\n")
    assert main(["check", "a.bpl"]) == 2
    assert f"{PROJECT}: error: " in capsys.readouterr().err
    assert sorted(os.listdir(folder)) == ["a.bpl", PROJECT]


def test_every_option_with_a_path_was_thought_of() -> None:
    """An option that names a file, a folder, an address or a command is read only, or for the command line."""
    words = ("FILE", "FOLDER", "DIR", "OUT", "ADDRESS", "SOLVER", "COMMAND", "PATH")
    paths = {n for n, s in settings().items() if any(word in s.about.metavar for word in words)}
    assert paths <= READ_ONLY | set(FOLDERS) | set(ON_THE_COMMAND_LINE_ONLY) | set(OWN_VALUES), (
        "which of them may a project say?"
    )
    assert set(OWN_VALUES) == {"solver", "backend"}


def test_a_folder_to_write_to_is_inside(folder: Path) -> None:
    (folder / "link").symlink_to(folder.parent)
    file = str(folder / PROJECT)
    assert options_in_table({"store": "kept/here"}, file) == {"store": str(folder / "kept/here")}
    assert options_in_table({"store": "kept"}, PROJECT) == {"store": "kept"}
    for elsewhere in ("..", "/tmp", "kept/../../x", "link/x"):
        with pytest.raises(InputError):
            options_in_table({"store": elsewhere}, file)


@pytest.mark.parametrize("name", ["store.db", "store.db-journal", "store.db-wal"])
def test_a_store_with_links_writes_nothing_elsewhere(
    name: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    outside, store = folder / "outside", folder / "project" / "kept"
    outside.mkdir()
    store.mkdir(parents=True)
    (store / name).symlink_to(outside / "file")
    (store.parent / PROJECT).write_text('[defaults]\noptions = { store = "kept" }\n')
    (store.parent / "a.bpl").write_text("procedure main(x: int) { assert x == x; }\n")
    os.chdir(store.parent)
    assert main(["check", "a.bpl"]) == 0
    assert "symbolic link" in capsys.readouterr().out
    assert os.listdir(outside) == [] and (store / name).is_symlink()


@pytest.mark.usefixtures("folder")
def test_init_writes_what_suite_reads(capsys: pytest.CaptureFixture[str]) -> None:
    Path("src").mkdir()
    Path("src/b.c").write_text("int main(void) { return 0; }\n")
    assert main(["init"]) == 0
    assert {task.name for task in tasks_in([PROJECT])} == {"a.bpl", "src/b.c"}
    assert main(["suite", "--recursion-bound", "2", "--jobs", "1"]) == 0
    assert main(["init"]) == 2
    assert "already" in capsys.readouterr().err


def test_init_writes_nothing_elsewhere(folder: Path) -> None:
    inside, outside = folder / "project", folder / "outside.toml"
    inside.mkdir()
    (inside / PROJECT).symlink_to(outside)
    assert main(["init", str(inside)]) == 2
    assert not outside.exists()
    assert main(["init", str(folder / "nowhere")]) == 2


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("text", ["[", "defaults = 1", "[defaults]\noptions = 3", "[defaults]\noptions = { jobs = 2 }"])
def test_damaged_projects(text: str) -> None:
    Path(PROJECT).write_text(text)
    assert main(["check", "a.bpl"]) == 2
