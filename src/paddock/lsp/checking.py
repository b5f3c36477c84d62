"""Checks for an editor: each is a process, the `paddock check` of a file as it is on disk, which can be ended at any
time; what it prints becomes diagnostics."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import signal
import sys
from collections.abc import Callable, Mapping

from paddock.frozen import frozen
from paddock.options import settings
from paddock.options.settings import written
from paddock.report.reading import UnreadableReport, result_from
from paddock.report.result import Result

_PLACE = re.compile(r"^(?P<file>.*?):(?P<line>\d+):(?P<column>\d+): error: (?P<message>.*)$")
PATIENCE_S = 3.0  # how long a check that is to end may take to do so
SUMMARY_BOUND, SUMMARY_S = 2, 10  # how deep and for how long summaries are looked for


@frozen
class Problem:
    """What is wrong with a program that cannot be read."""

    file: str
    line: int
    column: int
    message: str


@frozen
class Checked:
    """What came of a check: a result, or problems; neither if it was ended."""

    result: Result | None = None
    problems: tuple[Problem, ...] = ()


def arguments_of(options: Mapping[str, object]) -> list[str]:
    """Options by their names as the command line spells them."""
    found: list[str] = []
    for name, value in options.items():
        setting = settings()[name]
        if setting.about.tuned:
            found += ["--tune", f"{setting.key}={written(value)}"]
        elif value is True:
            found.append(setting.spelling)
        elif value is False:
            found += [f"--no-{setting.key}"] if setting.about.negatable else []
        elif setting.about.repeatable and isinstance(value, tuple):
            found += [word for each in value for word in (setting.spelling, each)]
        else:
            found += [setting.spelling, written(value)]
    return found


@frozen
class _Ended:
    """How a command has ended, and what it has written."""

    status: int | None
    out: str
    complaints: str


async def check(
    path: str, folder: str, options: Mapping[str, object], on_line: Callable[[str], None], wants_end: Callable[[], bool]
) -> Checked:
    """Check a file. `on_line` gets what the check writes on its way; it is ended when `wants_end` says so."""
    words = ["check", path, "--all-assertions", "--format", "json", *arguments_of(options)]
    ended = await _run(words, folder, on_line, wants_end)
    if ended is None:
        return Checked()
    if ended.status == 2:
        return Checked(problems=_problems(ended.complaints, path))
    try:
        return Checked(result_from(ended.out))
    except UnreadableReport as error:
        return Checked(problems=(Problem(path, 1, 1, f"the check failed: {error}"),))


async def inferred(
    path: str, folder: str, options: Mapping[str, object], wants_end: Callable[[], bool]
) -> dict[str, tuple[str, ...]]:
    """What the procedures of a file are found to ensure, within a small bound and in a short time, in the words of its
    language; nothing where that fails."""
    reading = {name: value for name, value in options.items() if settings()[name].group in ("boogie", "c")}
    entry = {name: options[name] for name in ("entry",) if name in options}
    words = ["summaries", path, "--from-proofs", "--all-assertions", "--format", "json", *arguments_of(reading | entry)]
    words += ["--recursion-bound", str(SUMMARY_BOUND), "--timeout", str(SUMMARY_S)]
    ended = await _run(words, folder, lambda _line: None, wants_end)
    try:
        found = json.loads(ended.out)["summaries"] if ended is not None and ended.status == 0 else []
        return {
            str(each["procedure"]): tuple(map(str, each["ensures" if path.endswith(".bpl") else "in_source"]))
            for each in found
            if each["kind"] == "procedure"
        }
    except (ValueError, KeyError, TypeError):
        return {}


async def _run(
    words: list[str], folder: str, on_line: Callable[[str], None], wants_end: Callable[[], bool]
) -> _Ended | None:
    """Run a command of Paddock's in a folder; None if it had to be ended."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "paddock", *words),
        cwd=folder,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        output = asyncio.gather(_read(process.stdout), _lines(process.stderr, on_line))
        while not output.done():
            await asyncio.wait([output], timeout=0.1)
            if wants_end():
                output.cancel()
                return None
        out, complaints = output.result()
        await process.wait()
    finally:
        await _end(process)
    return _Ended(process.returncode, out, complaints)


async def _read(stream: asyncio.StreamReader | None) -> str:
    assert stream is not None
    return (await stream.read()).decode("utf-8", "replace")


async def _lines(stream: asyncio.StreamReader | None, on_line: Callable[[str], None]) -> str:
    """All that a stream says; each line is reported as it comes."""
    assert stream is not None
    found = []
    while line := (await stream.readline()).decode("utf-8", "replace"):
        found.append(line)
        on_line(line.rstrip("\n"))
    return "".join(found)


async def _end(process: asyncio.subprocess.Process) -> None:
    """End a process that is under way, and see it gone."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.send_signal(number)
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(process.wait(), PATIENCE_S)


def _problems(complaints: str, path: str) -> tuple[Problem, ...]:
    """What a check complains about, at the places that it names; else at the start of the file."""
    found = []
    for line in complaints.splitlines():
        if named := _PLACE.match(line):
            found.append(Problem(named["file"], int(named["line"]), int(named["column"]), named["message"]))
    if not found:
        first = next((line for line in complaints.splitlines() if "error:" in line), "the check failed")
        found.append(Problem(path, 1, 1, first.partition("error: ")[2] or first))
    return tuple(found)


def absolute(file: str, folder: str) -> str:
    """The path of a file that a check in a folder has named."""
    return os.path.normpath(os.path.join(folder, file))
