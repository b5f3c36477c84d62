"""The language server, driven by a client over standard input and output: open, hover, change, save, cancel, end."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from paddock.cli.main import main
from paddock.driver import loading
from paddock.lsp.symbols import symbol_at, symbols_of
from tests.busy import HARD

PATIENCE_S = 600
BUG = """\
var total: int;
function twice(n: int): int { n + n }
procedure add(amount: int)
  requires amount > 0;
  modifies total;
{
  var before: int;
  before := total;
  total := before + amount;
}
procedure main(x: int) modifies total; {
  assume x > 0;
  call add(x);
  assert total != 77;
}
"""
C_PROGRAM = """\
#include <assert.h>
int half(int n) { return n / 2; }
int main(void) { int x; assert(half(x) != 4); return 0; }
"""


class Client:
    """A small client: sends messages, answers what the server asks, and keeps what it says."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.process = subprocess.Popen(
            [sys.executable, "-m", "paddock", "lsp", "--stdio"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=folder,
        )
        self.received: queue.Queue[dict[str, Any]] = queue.Queue()
        self.sent: list[dict[str, Any]] = []
        self.number = 0
        self.listener = threading.Thread(target=self._listen, daemon=True)
        self.listener.start()

    def close(self) -> None:
        """End the server, as an editor does; by force if it does not answer."""
        try:
            if not any(m.get("method") == "shutdown" for m in self.sent):
                self.ask("shutdown")
            self.notify("exit")
            assert self.process.wait(PATIENCE_S) == 0
        finally:
            self.process.kill()
            self.process.wait()
            self.listener.join()
            for stream in (self.process.stdin, self.process.stdout):
                assert stream is not None
                stream.close()

    def _listen(self) -> None:
        out = self.process.stdout
        assert out is not None
        while header := out.readline():
            length = int(header.split(b":")[1])
            while out.readline().strip():
                pass
            message = json.loads(out.read(length))
            if "id" in message and "method" in message:  # the server asks
                self._send({"id": message["id"], "result": None})
            self.received.put(message)

    def _send(self, message: dict[str, Any]) -> None:
        self.sent.append(message)
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(data), data))
        self.process.stdin.flush()

    def notify(self, method: str, **params: Any) -> None:
        self._send({"method": method, "params": params})

    def ask(self, method: str, **params: Any) -> Any:
        self.number += 1
        self._send({"id": self.number, "method": method, **({"params": params} if params else {})})
        answer = self.wait(lambda m: m.get("id") == self.number and "method" not in m)
        assert "error" not in answer, answer
        return answer["result"]

    def wait(self, fits: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The next message that fits."""
        while True:
            message = self.received.get(timeout=PATIENCE_S)
            if fits(message):
                return message

    def diagnostics(self, uri: str) -> list[dict[str, Any]]:
        """The next diagnostics of a document."""
        published = "textDocument/publishDiagnostics"
        message = self.wait(lambda m: m.get("method") == published and m["params"]["uri"] == uri)
        found: list[dict[str, Any]] = message["params"]["diagnostics"]
        return found

    def open(self, name: str, text: str) -> str:
        file = self.folder / name
        file.write_text(text)
        document = {"uri": file.as_uri(), "languageId": "boogie", "version": 1, "text": text}
        self.notify("textDocument/didOpen", textDocument=document)
        return file.as_uri()

    def begin(self) -> str:
        """The token of the check that begins next."""
        message = self.wait(lambda m: m.get("method") == "$/progress" and m["params"]["value"]["kind"] == "begin")
        return str(message["params"]["token"])

    def end(self, token: str) -> str:
        """What a check says at its end."""
        message = self.wait(
            lambda m: (
                m.get("method") == "$/progress"
                and m["params"]["token"] == token
                and m["params"]["value"]["kind"] == "end"
            )
        )
        return str(message["params"]["value"]["message"])


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    pytest.importorskip("pygls", reason="the extra `lsp` (pygls) is not installed")
    started = Client(tmp_path)
    try:
        _initialize(started, tmp_path)
        yield started
    finally:
        started.close()


def _initialize(started: Client, folder: Path) -> None:
    capabilities = {"window": {"workDoneProgress": True}}
    options = {"options": {"recursion-bound": 4}}
    root = folder.as_uri()
    said = started.ask(
        "initialize", processId=None, rootUri=root, capabilities=capabilities, initializationOptions=options
    )
    assert said["serverInfo"]["name"] == "paddock"
    assert said["capabilities"]["hoverProvider"] and said["capabilities"]["definitionProvider"]
    started.notify("initialized")


def at(line: int, character: int) -> dict[str, int]:
    return {"line": line, "character": character}


def test_bugs_are_shown_with_their_runs(client: Client) -> None:
    uri = client.open("a.bpl", BUG)
    (found,) = client.diagnostics(uri)
    assert found["message"] == "assertion fails: total != 77" and found["severity"] == 1
    assert found["range"]["start"] == at(13, 2)
    said = [each["message"] for each in found["relatedInformation"]]
    assert any("total := before + amount" in each and "total = 77" in each for each in said)
    # Mended, but not saved: nothing changes until it is.
    mended = BUG.replace("total != 77", "total == total")
    change = {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": mended}]}
    client.notify("textDocument/didChange", **change)
    Path(client.folder / "a.bpl").write_text(mended)
    client.notify("textDocument/didSave", textDocument={"uri": uri})
    assert client.diagnostics(uri) == []
    Path(client.folder / "a.bpl").write_text(BUG.replace("var total: int", "var total: integer"))
    client.notify("textDocument/didSave", textDocument={"uri": uri})
    wrong = client.diagnostics(uri)
    assert wrong[0]["range"]["start"]["line"] == 0 and "integer" in wrong[0]["message"]


def test_names(client: Client) -> None:
    uri = client.open("a.bpl", BUG)

    def hover(line: int, character: int) -> str:
        said = client.ask("textDocument/hover", textDocument={"uri": uri}, position=at(line, character))
        return str(said["contents"]["value"]) if said else ""

    assert "var total: int;" in hover(8, 3)
    assert "var before: int;" in hover(8, 13)
    assert "procedure add(amount: int);" in hover(12, 8) and "requires amount > 0;" in hover(12, 8)
    assert "function twice(n: int): int;" in hover(1, 10)
    assert hover(12, 0) == hover(400, 0) == ""
    place = client.ask("textDocument/definition", textDocument={"uri": uri}, position=at(12, 8))
    assert (place["uri"], place["range"]["start"]) == (uri, at(2, 10))
    outline = client.ask("textDocument/documentSymbol", textDocument={"uri": uri})
    assert [symbol["name"] for symbol in outline] == ["total", "twice", "add", "main"]
    client.notify(
        "textDocument/didChange", textDocument={"uri": uri, "version": 2}, contentChanges=[{"text": "procedure {"}]
    )
    outline = client.ask("textDocument/documentSymbol", textDocument={"uri": uri})
    assert len(outline) == 4, "what cannot be read keeps the names that it had"


def test_c(client: Client) -> None:
    uri = client.open("a.c", C_PROGRAM)
    (found,) = client.diagnostics(uri)
    assert found["range"]["start"]["line"] == 2 and found["relatedInformation"]
    place = client.ask("textDocument/definition", textDocument={"uri": uri}, position=at(2, 33))
    assert place["range"]["start"] == at(1, 4)


SUMMARISED = """\
#include <assert.h>
static int clamp(int x) {
    if (x < 0) return 0;
    return x > 100 ? 100 : x;
}
int main(void) { int n; assert(clamp(n) >= 0); return 0; }
"""


def test_what_a_function_ensures_is_inferred(client: Client) -> None:
    uri = client.open("a.c", SUMMARISED)
    assert client.diagnostics(uri) == []
    latest = time.monotonic() + PATIENCE_S
    said = ""
    while "ensures" not in said:  # which is looked for after the check
        assert time.monotonic() < latest
        time.sleep(0.1)
        said = client.ask("textDocument/hover", textDocument={"uri": uri}, position=at(5, 33))["contents"]["value"]
    assert said.startswith("```c\nstatic int clamp(int x) {\n")
    assert "// ensures \\result >= 0  (inferred, within recursion bound 2)" in said


def children_of(pid: int) -> list[int]:
    try:
        text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    except OSError:
        return []
    found = [int(word) for word in text.split()]
    return found + [below for child in found for below in children_of(child)]


def test_cancel_and_no_process_is_left(client: Client) -> None:
    uri = client.open("hard.bpl", HARD)
    token = client.begin()
    latest = time.monotonic() + PATIENCE_S
    while not children_of(client.process.pid):
        assert time.monotonic() < latest
        time.sleep(0.05)
    client.notify("window/workDoneProgress/cancel", token=token)
    assert client.end(token) == "ended"
    while children_of(client.process.pid):
        assert time.monotonic() < latest
        time.sleep(0.05)
    # One that is under way when the server ends goes with it.
    client.notify("textDocument/didSave", textDocument={"uri": uri})
    client.begin()
    while not (started := children_of(client.process.pid)):
        assert time.monotonic() < latest
        time.sleep(0.05)
    client.ask("shutdown")
    assert not any(os.path.exists(f"/proc/{child}") for child in started)


def test_without_pygls(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for name in [name for name in sys.modules if name.startswith(("pygls", "lsprotocol", "paddock.lsp.server"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pygls", None)
    monkeypatch.setitem(sys.modules, "lsprotocol", None)
    assert main(["lsp"]) == 2
    assert "paddock[lsp]" in capsys.readouterr().err


def test_names_of_a_c_program() -> None:
    text = """static unsigned count = 3;
int table[4];
int half(int n,
         int by) {
  int r = n / by;
  for (int i = 0; i < 3; i++) {
    int r = i;
    count += r;
  }
  return r;
}
int main(void) { table[1] = half(4, 2); return table[1]; }
"""
    lines = text.split("\n")
    symbols = symbols_of(loading.load([loading.text_source(text, "a.c")]), lines)

    def place(word: str, line: int) -> tuple[int, int, str] | None:
        found = symbol_at(symbols, word, line)
        return None if found is None else (found.origin.line, found.origin.column, found.shown)

    assert place("count", 8) == (1, 17, "static unsigned count = 3;")
    assert place("table", 12) == (2, 5, "int table[4];")
    assert place("by", 5) == (4, 14, "int by) {")
    assert place("n", 5) == (3, 14, "int half(int n,")
    assert place("r", 8) == (7, 9, "int r = i;")
    assert place("r", 5) == (5, 7, "int r = n / by;")
    assert place("half", 12) == (3, 5, "int half(int n,\n// may change count")
    assert place("nothing", 3) is None
