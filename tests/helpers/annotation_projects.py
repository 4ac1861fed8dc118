"""Projects of the annotation tool for tests, and a server of one in a process of its own."""

from __future__ import annotations

import http.client
import json
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from command import started

from fstmetrics.apps.annotate.annotation_import import new_sentence
from fstmetrics.apps.annotate.project_store import Project
from fstmetrics.data.network import Network

SOURCE = "el primer ministro italiano Silvio Berlusconi"
REFERENCES = {"best": ["the", "Italian", "prime", "minister", "Silvio", "Berlusconi"],
              "other": ["Italy", "'s", "premier", "Berlusconi"]}  # fmt: skip
SYSTEMS = {"a": ["the", "premier", "of", "Italy", "Berlusconi"], "b": ["Italian", "PM", "Berlusconi"]}
# The paper's example [H12 §2.1] as requests: span, text, name.
BERLUSCONI: list[dict[str, Any]] = [
    {"op": "create", "span": [1, 3], "text": "prime minister; PM; premier"},
    {"op": "create", "span": [3, 4], "text": "Italian"},
    {"op": "create", "span": [4, 6], "text": "(Silvio) Berlusconi"},
    {"op": "create", "span": [0, 4], "text": "the [ITALIAN] [PRIME-MINISTER]; the [PRIME-MINISTER] of Italy",
     "name": "PMI"},
    {"op": "text", "card": "root", "text": "[PMI] [SILVIO-BERLUSCONI]"},
]  # fmt: skip


def made(path: Path, sentences: int = 1, networks: dict[str, Network] | None = None) -> Path:
    """A project with the sentence of the paper, so many times."""
    with Project.open(path, create=True) as project:
        project.add_annotator("ann")
        rows = (
            new_sentence(str(number), SOURCE, "auto", REFERENCES, SYSTEMS, networks=networks)
            for number in range(sentences)
        )
        project.add("news", rows)
    return path


class Client:
    """Requests to a server, over one connection."""

    def __init__(self, port: int, cookie: str = "", host: str = "127.0.0.1") -> None:
        self.port, self.cookie = port, cookie
        self._connection = http.client.HTTPConnection(host, port, timeout=20)

    def raw(
        self, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None
    ) -> tuple[int, dict[str, str], bytes]:
        """Status, headers with names in lower case, body."""
        given = {"Content-Type": "application/json"} if method == "POST" else {}
        given |= {"Cookie": self.cookie} if self.cookie else {}
        try:
            self._connection.request(method, path, body, {**given, **(headers or {})})
            answer = self._connection.getresponse()
            content = answer.read()
        except BaseException:
            self._connection.close()
            raise
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, content

    def get(self, path: str) -> Any:
        """The JSON of an answer that has to be fine."""
        status, _, content = self.raw("GET", path)
        assert status == 200, content
        return json.loads(content)

    def post(self, path: str, data: Any, expected: int = 200) -> Any:
        """The JSON of an answer that has to have a status."""
        status, _, content = self.raw("POST", path, json.dumps(data).encode())
        assert status == expected, content
        return json.loads(content)

    def changes(self, changes: Sequence[dict[str, Any]], sentence: int = 1, query: str = "") -> Any:
        """Make changes one after the other; the last answer."""
        answer = self.get(f"/api/sentences/{sentence}{query}")
        for change in changes:
            data = {"revision": answer["revision"], "change": change}
            answer = self.post(f"/api/sentences/{sentence}/changes{query}", data)
        return answer

    def close(self) -> None:
        """Let the server end."""
        self._connection.close()


@contextmanager
def serving(path: Path, *options: object) -> Iterator[tuple[Client, subprocess.Popen[bytes]]]:
    """A server of a project, ended by Ctrl-C if it is still there, with exit status 130."""
    process = started(
        "annotate", path, "--port", 0, "--no-browser", *options, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )  # fmt: skip
    try:
        assert process.stdout is not None
        line = process.stdout.readline().decode()
        if not line:
            assert process.stderr is not None
            raise AssertionError(process.stderr.read().decode())
        port = int(line.split("//")[1].split("/")[0].rpartition(":")[2])
        client = Client(port)
        yield client, process
        client.close()
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
            assert process.wait(20) == 130
    finally:
        process.kill()
        process.communicate()
