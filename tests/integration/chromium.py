"""A page in a headless browser, with nothing but Debian's chromium: it is spoken to over two pipes, in the protocol of
its developer tools."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

FOUND = shutil.which("chromium") or shutil.which("chromium-browser")
KEYS = {"Home": 36, "End": 35}  # and letters


class Page:
    """One page: what it says to its console is kept, as is what goes wrong in it."""

    def __init__(self, process: subprocess.Popen[bytes], commands: int, answers: int) -> None:
        self._process, self._commands, self._answers = process, commands, answers
        self._unread = b""
        self._number = 0
        self._session: str | None = None
        self.complaints: list[str] = []

    def open(self, page: Path) -> None:
        target = self._ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self._ask(f"{domain}.enable")
        self._ask("Page.navigate", url=page.as_uri())
        while self._receive().get("method") != "Page.loadEventFired":
            pass

    def value(self, code: str) -> Any:
        """What an expression of JavaScript is in the page."""
        said = self._ask("Runtime.evaluate", expression=code, returnByValue=True)
        assert "exceptionDetails" not in said, said
        return said["result"].get("value")

    def text(self, selector: str) -> str:
        return str(self.value(f"document.querySelector({json.dumps(selector)}).innerText"))

    def press(self, key: str) -> None:
        code = KEYS.get(key) or ord(key.upper())
        text = {"text": key} if len(key) == 1 else {}
        self._ask("Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=code, **text)
        self._ask("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def close(self) -> None:
        with suppress(OSError):
            self._session = None
            self._ask("Browser.close")

    def _ask(self, method: str, **params: Any) -> Any:
        self._number += 1
        session = {} if self._session is None else {"sessionId": self._session}
        message = {"id": self._number, "method": method, "params": params, **session}
        os.write(self._commands, json.dumps(message).encode() + b"\0")
        while (said := self._receive()).get("id") != self._number:
            pass
        assert "error" not in said, said
        return said["result"]

    def _receive(self) -> dict[str, Any]:
        while b"\0" not in self._unread:
            data = os.read(self._answers, 1 << 16)
            if not data:
                raise OSError(f"the browser has ended with status {self._process.wait()}")
            self._unread += data
        first, _, self._unread = self._unread.partition(b"\0")
        message: dict[str, Any] = json.loads(first)
        if message.get("method") in ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"):
            self.complaints.append(json.dumps(message["params"]))
        return message


@contextmanager
def browser(folder: Path) -> Iterator[Page]:
    """A browser that keeps what it keeps in a folder."""
    assert FOUND is not None
    commands, answers = os.pipe(), os.pipe()

    def connect() -> None:  # it reads from 3 and writes to 4
        os.dup2(os.dup(commands[0]), 13)
        os.dup2(os.dup(answers[1]), 14)
        os.dup2(13, 3)
        os.dup2(14, 4)

    words = [FOUND, "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe"]
    process = subprocess.Popen(
        [*words, f"--user-data-dir={folder}", "about:blank"],
        preexec_fn=connect,
        close_fds=False,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(commands[0])
    os.close(answers[1])
    page = Page(process, commands[1], answers[0])
    try:
        yield page
    finally:
        page.close()
        os.close(commands[1])
        os.close(answers[0])
        process.wait(600)
