"""The server: routes over the loopback, who may ask, what is refused, and what survives being killed."""

from __future__ import annotations

import json
import os
import random
import resource
import signal
import socket
import sqlite3
import statistics
import sys
import threading
import time
from http.client import HTTPException
from pathlib import Path
from typing import Any

import pytest
from annotation_projects import BERLUSCONI, Client, made, serving
from command import fstmetrics
from places import ROOT

from fstmetrics.apps.annotate.project_file import FILE
from fstmetrics.apps.annotate.project_store import Project
from fstmetrics.apps.annotate.request_guard import MOST_A_SECOND, MOST_AT_ONCE, SECRET, kept_secret, secret_of
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.signals import Stopped

pytest.importorskip("starlette", reason="needs starlette: pip install 'fstmetrics[annotate]'")
pytest.importorskip("uvicorn", reason="needs uvicorn: pip install 'fstmetrics[annotate]'")

CHANGES = "/api/sentences/1/changes"
UNDO = "/api/sentences/1/undo"


def events(path: Path) -> int:
    with sqlite3.connect(path / FILE) as file:
        return int(file.execute("SELECT count(*) FROM events").fetchone()[0])


def test_the_example_of_the_paper_over_the_network(tmp_path: Path) -> None:
    with serving(made(tmp_path / "p")) as (client, _):
        answer = client.changes(BERLUSCONI)
        look = client.post(
            "/api/sentences/1/look", {"card": "root", "samples": 3, "seed": 7, "drawing": "network"}
        )
        assert look["sizes"]["root"]["paths"] == look["sizes"]["root"]["strings"] == "12"
        assert len(look["samples"]) == 3
        assert client.post("/api/sentences/1/look", {"samples": 3, "seed": 7})["samples"] == look["samples"]
        found = {row["name"]: (row["distance"], row["unknown"]) for row in look["distances"]}
        assert found == {"best": (0, []), "other": (2, ["'s"]), "a": (0, []), "b": (1, [])}
        assert look["unknown"] == [["'s", 1]]
        assert look["drawing"]["states"]
        draft = client.post(
            "/api/sentences/1/look",
            {"card": "root", "text": "[PMI] [SILVIO-BERLUSCONI]; Italy 's [PRIME-MINISTER] Berlusconi"},
        )
        assert draft["sizes"]["root"]["paths"] == "15"
        assert draft["revision"] == answer["revision"] == 5
        assert client.get("/api/sentences/1")["cards"][0]["text"] == "[PMI] [SILVIO-BERLUSCONI]"
        client.post("/api/sentences/1/done", {"done": True})
        (row,) = client.get("/api/project")["documents"][0]["sentences"]
        assert (row["done"], row["paths"], row["cards"], row["revision"]) == (True, "12", 4, 5)
    with serving(tmp_path / "p") as (client, _):
        assert client.post(UNDO, {"revision": 5})["can_redo"]
        assert (
            client.post("/api/sentences/1/redo", {"revision": 6})["cards"][0]["text"]
            == "[PMI] [SILVIO-BERLUSCONI]"
        )
    outcome = fstmetrics("annotate", tmp_path / "p", "--export", tmp_path / "out")
    assert outcome.out == f"{tmp_path / 'out'}: 1 network\n"
    assert (tmp_path / "out" / "ann" / "0.json").is_file()


def test_conflicts_circles_and_what_else_is_refused(tmp_path: Path) -> None:
    with serving(made(tmp_path / "p")) as (client, _):
        client.changes(BERLUSCONI)
        change = {"op": "text", "card": "root", "text": "x"}
        conflict = client.post(CHANGES, {"revision": 3, "change": change}, 409)
        assert (conflict["now"]["revision"], len(conflict["now"]["cards"])) == (5, 5)
        closing = {"op": "add", "card": "c1", "phrase": "[PMI]"}
        circle = client.post(CHANGES, {"revision": 5, "change": closing}, 422)["circle"]
        assert sorted(circle[1:]) == ["PMI", "PRIME-MINISTER"]
        assert circle[0] == circle[-1]
        for data, status in (
            ({}, 422), ({"revision": True, "change": change}, 422), ({"revision": 5}, 422), ([], 400),
            ({"revision": 5, "change": {"op": "text", "card": "root", "text": "x" * 20_001}}, 422),
            ({"revision": 5, "change": {"op": "text", "card": "root", "text": "\ud800"}}, 422),
            ({"revision": 5, "change": change, "filling": "x" * 300_000}, 413),
        ):  # fmt: skip
            assert "error" in client.post(CHANGES, data, status)
        assert client.raw("POST", CHANGES, b"{")[0] == 400
        assert client.raw("POST", CHANGES, b"[" * 100_000)[0] == 400
        assert client.raw("POST", CHANGES, b"\xff\xfe")[0] == 400
        for depth in (30, 900, 20_000):
            for field in (b"op", b"span", b"more"):
                deep = b'{"revision": 5, "change": {"op": "create", "' + field + b'": %b}}'
                nested = deep % (b"[" * depth + b"]" * depth)
                assert client.raw("POST", CHANGES, nested)[0] == 400
        for halved in (b'{"change": {"op": "text", "more": "\\ud800"}}', b'{"revision": 5, "\\udc00": 1}'):
            assert client.raw("POST", CHANGES, halved)[0] == 422
        assert client.raw("POST", CHANGES, b"{}", {"Content-Type": "text/plain"})[0] == 415
        assert client.raw("GET", "/api/sentences/2")[0] == 404
        assert client.raw("GET", "/api/sentences/1?as=nobody")[0] == 404
        assert client.raw("GET", "/api/nothing")[0] == 404
        assert client.raw("GET", "/?as=nobody")[::2] == (
            404,
            b"there is no annotator 'nobody'; there are ann\n",
        )
        assert client.raw("GET", "/?as=ann")[0] == client.raw("GET", "/")[0] == 200
        assert client.raw("GET", UNDO)[0] == 404
        assert client.raw("GET", "/../project.sqlite")[0] == 404
        assert client.raw("GET", "/%2e%2e/project_store.py")[0] == 404
        assert client.get("/api/sentences/1")["revision"] == 5


FOREIGN = [
    {"Origin": "http://evil.example"}, {"Origin": "null"}, {"Origin": "http://127.0.0.1:1"}, {"Host": "evil.example"},
    {"Host": "evil.example:{port}"}, {"Host": "127.0.0.1"}, {"Host": ""}, {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"}, {"Origin": "https://127.0.0.1.evil.example:{port}"},
    {"Host": "user@127.0.0.1:{port}"}, {"Origin": "https://127.0.0.1:{port}"},
    {"Host": "127.0.0.1:{port}/x"}, {"Host": "192.168.1.1:{port}"},
]  # fmt: skip


def test_requests_from_elsewhere_are_answered_403_and_change_nothing(tmp_path: Path) -> None:
    with serving(made(tmp_path / "p")) as (client, _):
        client.changes(BERLUSCONI)
        before = client.get("/api/sentences/1")
        body = json.dumps({"revision": 5}).encode()
        for headers in FOREIGN:
            given = {name: value.format(port=client.port) for name, value in headers.items()}
            status, answered, _ = client.raw("POST", UNDO, body, given)
            assert status == (400 if headers == {"Host": ""} else 403) or status == 403, headers
            assert "access-control-allow-origin" not in answered
            if "Sec-Fetch-Site" in given or "Host" in given:
                assert client.raw("GET", "/api/project", None, given)[0] in (400, 403)
        assert client.get("/api/sentences/1") == before
        own = {"Origin": f"http://127.0.0.1:{client.port}", "Sec-Fetch-Site": "same-origin"}
        assert client.raw("POST", UNDO, body, own)[0] == 200
        local = {"Host": f"localhost:{client.port}", "Origin": f"http://localhost:{client.port}"}
        assert client.raw("POST", "/api/sentences/1/redo", b'{"revision": 6}', local)[0] == 200
        assert client.raw("OPTIONS", UNDO, None, {"Origin": "http://evil.example"})[0] == 403


def test_every_answer_has_the_headers_that_keep_pages_safe(tmp_path: Path) -> None:
    with serving(made(tmp_path / "p")) as (client, _):
        for path in ("/", "/api/project", "/nothing", "/api/sentences/9", "/api/sentences/1"):
            _, headers, _ = client.raw("GET", path)
            policy = dict(
                part.strip().split(" ", 1) for part in headers["content-security-policy"].split(";")
            )
            assert policy["default-src"] == "'none'"
            assert policy["script-src"] == "'self'"
            assert "unsafe" not in headers["content-security-policy"]
            assert "access-control-allow-origin" not in headers
            assert headers["x-content-type-options"] == "nosniff"
        for file in (ROOT / "fstmetrics" / "apps" / "annotate" / "pages").rglob("*.html"):
            assert "http://" not in file.read_text()


def test_with_a_host_everybody_needs_their_own_link(tmp_path: Path) -> None:
    made(tmp_path / "p")
    people = ("--annotator", "ann", "--annotator", "ben=source")
    with serving(tmp_path / "p", "--host", "127.0.0.1", *people) as (client, process):
        assert process.stderr is not None
        lines = [process.stderr.readline().decode() for _ in range(2)]
        links = [line.split("127.0.0.1:")[1].split("/", 1)[1].strip() for line in lines]
        assert client.raw("GET", "/api/project")[0] == 401
        assert client.raw("POST", UNDO, b'{"revision": 0}')[0] == 401
        assert client.raw("GET", "/api/notices")[0] == 401
        assert client.raw("GET", "/api/project?as=ann")[0] == 401
        status, headers, _ = client.raw("GET", "/join/" + "0" * 40)
        # Browsers complain of this header where connections are not encrypted.
        assert (status, "cross-origin-opener-policy" in headers) == (403, False)
        status, headers, page = client.raw("GET", f"/{links[1]}")
        assert status == 200
        assert links[1].split("/")[1].encode() not in page
        cookie = headers["set-cookie"]
        assert {"httponly", "samesite=strict", "path=/"} <= {
            part.strip().lower() for part in cookie.split(";")
        }
        assert links[1].split("/")[1] not in cookie
        ben = Client(client.port, cookie.split(";")[0])
        assert ben.get("/api/project?as=ann")["annotator"] == "ben"
        assert ben.get("/api/sentences/1")["texts"] == []
        assert Client(client.port, cookie.split(";")[0] + "0").raw("GET", "/api/project")[0] == 401
        ben.changes(BERLUSCONI)
        assert ben.post("/api/sentences/1/look", {})["distances"] == []
        ben.close()
    assert oct((tmp_path / "p" / "secret").stat().st_mode)[-3:] == "600"
    with serving(tmp_path / "p", "--host", "127.0.0.1") as (client, process):
        assert process.stderr is not None
        assert (
            lines[0].rpartition("/")[2] == process.stderr.readline().decode().rpartition("/")[2]
        )  # links stay


# What was found of a secret that is not whole, and what the refusal says of it.
NOT_WHOLE = {
    b"": "0 bytes were found",
    b"\n": "0 bytes were found",
    b"ab": "2 bytes were found",
    b"a" * 63: "63 bytes were found",
    b"a" * 65: "65 bytes were found",
    b"g" * 64: "64 bytes were found",
    b"a " * 32: "63 bytes were found",
    b"\xff" * 64: "64 bytes were found",
}


@pytest.mark.parametrize("content", NOT_WHOLE)
def test_a_secret_that_is_not_whole_is_refused(tmp_path: Path, content: bytes) -> None:
    (made(tmp_path / "p") / SECRET).write_bytes(content)
    (tmp_path / "new.txt").write_text("a b\n")
    given = ["annotate", tmp_path / "p", "--host", "127.0.0.1", "--port", "0", "--no-browser"]
    for more in ([], ["--import", tmp_path / "new.txt"]):
        outcome = fstmetrics(*given, *more)
        assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
        assert f"{tmp_path / 'p' / SECRET}: is not a whole secret: {NOT_WHOLE[content]}" in outcome.err
        assert "delete the file" in outcome.err
    with Project.read(tmp_path / "p") as project:
        assert len(project.sentences()) == 1, "nothing was imported"
    # The advice, followed.
    (tmp_path / "p" / SECRET).unlink()
    assert len(secret_of(tmp_path / "p")) == 32
    assert secret_of(tmp_path / "p") == kept_secret(tmp_path / "p")


def test_a_secret_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / SECRET).mkdir()
    with pytest.raises(InputError, match="secret: cannot be read: Is a directory"):
        secret_of(tmp_path)


def test_a_secret_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, before[1]))  # as a disk that is full after ten bytes
    try:
        with pytest.raises(FstmetricsError, match="secret: cannot be written: File too large"):
            secret_of(tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert list(tmp_path.iterdir()) == []
    mask = os.umask(0)
    try:
        assert len(secret_of(tmp_path)) == 32
    finally:
        os.umask(mask)
    assert [(each.name, oct(each.stat().st_mode)[-3:]) for each in tmp_path.iterdir()] == [(SECRET, "600")]


def test_protocols_decide_what_is_seen(tmp_path: Path) -> None:
    people = [("ann", "all"), ("src", "source"), ("one", "best"), ("four", "references")]
    options = [word for name, protocol in people for word in ("--annotator", f"{name}={protocol}")]
    with serving(made(tmp_path / "p"), *options) as (client, _):
        seen = {
            name: [text["name"] for text in client.get(f"/api/sentences/1?as={name}")["texts"]]
            for name, _ in people
        }
        assert seen == {
            "ann": ["best", "other", "a", "b"],
            "src": [],
            "one": ["best"],
            "four": ["best", "other"],
        }
        client.changes(BERLUSCONI)
        found = client.get("/api/sentences/1/completions?q=prime&as=one")["cards"]
        assert found == []
        asked = {"revision": 0, "from": {"annotator": "ann", "sentence": 1, "card": "c4"}}
        assert "does not show" in client.post("/api/sentences/1/copy?as=one", asked, 403)["error"]
        assert client.get("/api/project?as=one")["annotators"] == ["one"]


def test_cards_of_others_are_found_and_copied_with_their_origin(tmp_path: Path) -> None:
    with serving(made(tmp_path / "p", 2), "--annotator", "ann", "--annotator", "ben") as (client, _):
        client.changes(BERLUSCONI)
        found = client.get("/api/sentences/1/completions?q=premier&as=ben")["cards"]
        assert [(card["name"], card["where"], card["annotator"]) for card in found] == [
            ("PRIME-MINISTER", "others", "ann")
        ]
        elsewhere = client.get("/api/sentences/2/completions?q=pm&as=ben")["cards"]
        assert [(card["name"], card["where"]) for card in elsewhere] == [
            ("PMI", "sentences"),
            ("PRIME-MINISTER", "sentences"),
        ]
        assert [card["name"] for card in client.get("/api/sentences/1/completions?q=&card=c4")["cards"]] == [
            "ITALIAN", "PRIME-MINISTER", "SILVIO-BERLUSCONI"]  # fmt: skip
        asked = {"revision": 0, "from": {"annotator": "ann", "sentence": 1, "card": "c4"}, "look": {}}
        answer = client.post("/api/sentences/1/copy?as=ben", asked)
        cards = {card["name"]: card for card in answer["cards"]}
        assert cards["PMI"]["origin"] == ["ann", "0", "PMI"]
        assert cards["ITALIAN"]["span"] == [3, 4]
        assert answer["look"]["sizes"][answer["card"]]["paths"] == "6"
        assert client.get("/api/sentences/1?as=ann")["revision"] == 5


def test_windows_hear_of_changes(tmp_path: Path) -> None:
    options = ("--annotator", "ann", "--annotator", "ben", "--annotator", "src=source")
    with serving(made(tmp_path / "p"), *options) as (client, _):
        heard: dict[str, list[str]] = {}

        def listen(name: str, count: int) -> None:
            other = Client(client.port)
            other._connection.request("GET", f"/api/notices?as={name}")
            answer = other._connection.getresponse()
            heard[name] = [answer.readline().decode()]
            ready.release()
            while len(heard[name]) < count:
                line = answer.readline().decode()
                if line.startswith("data"):
                    heard[name].append(json.loads(line[5:])["annotator"])
            other.close()

        ready = threading.Semaphore(0)
        threads = [
            threading.Thread(target=listen, args=pair) for pair in (("ann", 3), ("ben", 3), ("src", 2))
        ]
        for thread in threads:
            thread.start()
        for _ in threads:
            ready.acquire()
        for name in ("ann", "src"):
            client.changes(BERLUSCONI[:1], query=f"?as={name}")
        for thread in threads:
            thread.join(20)
        assert {name: lines[1:] for name, lines in heard.items()} == {
            "ann": ["ann", "src"],
            "ben": ["ann", "src"],
            "src": ["src"],
        }


def test_too_many_requests_are_told_to_wait(tmp_path: Path) -> None:
    with serving(made(tmp_path / "p")) as (client, _):
        begin, statuses = time.monotonic(), set()
        for number in range(2000):
            statuses.add(client.raw("GET", "/api/sentences/1/completions?q=x")[0])
            if number > MOST_AT_ONCE + MOST_A_SECOND * (time.monotonic() - begin):
                break
        else:
            pytest.skip(f"this machine answers fewer than {MOST_A_SECOND} requests a second")
        assert statuses == {200, 429}


@pytest.mark.parametrize("rounds", [int(os.environ.get("FSTMETRICS_KILLS", "3"))])
def test_being_killed_loses_no_change_that_was_answered(tmp_path: Path, rounds: int) -> None:
    made(tmp_path / "p")
    rng = random.Random(rounds)
    answered = 0
    for _ in range(rounds):
        with serving(tmp_path / "p") as (client, process):
            assert client.get("/api/sentences/1")["revision"] in (
                answered,
                answered + 1,
            )  # written, not answered
            answered = client.get("/api/sentences/1")["revision"]
            timer = threading.Timer(rng.uniform(0.005, 0.3), process.send_signal, (signal.SIGKILL,))
            timer.start()
            try:
                while True:
                    change = {"op": "text", "card": "root", "text": f"text {answered}"}
                    answered = client.post(CHANGES, {"revision": answered, "change": change})["revision"]
            except (OSError, HTTPException):  # the connection broke
                pass
            timer.join()
            process.wait(20)
    with Project.open(tmp_path / "p") as project:
        assert project.history(1, project.annotator("ann")).revision in (answered, answered + 1)


@pytest.mark.parametrize("each", [int(os.environ.get("FSTMETRICS_EDITS", "3"))])
def test_twenty_annotators_at_once(tmp_path: Path, each: int) -> None:
    """Each types into five sentences of a hundred, and looks at what comes of it."""
    names = [f"p{number}" for number in range(20)]
    options = [word for name in names for word in ("--annotator", name)]
    times: list[float] = []
    with serving(made(tmp_path / "p", 100), *options) as (client, _):

        def type_letters(name: str, rng: random.Random) -> None:
            own = Client(client.port)
            sentence = rng.randrange(1, 101)
            revision = own.changes(BERLUSCONI, sentence, f"?as={name}")["revision"]
            for number in range(each):
                change: dict[str, Any] = {
                    "op": "text",
                    "card": "c1",
                    "text": f"prime minister; PM; premier {number}",
                }
                time.sleep(rng.uniform(0, 0.2) if each > 3 else 0)  # people do not type all at once
                begin = time.perf_counter()
                data = {"revision": revision, "change": change, "continues": True, "look": {"card": "c1"}}
                revision = own.post(f"/api/sentences/{sentence}/changes?as={name}", data)["revision"]
                times.append(time.perf_counter() - begin)
            own.close()

        threads = [threading.Thread(target=type_letters, args=(name, random.Random(name))) for name in names]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(120)
    assert len(times) == 20 * each
    print(
        f"p50 {statistics.median(times) * 1000:.0f} ms, p99 {sorted(times)[int(len(times) * 0.99) - 1] * 1000:.0f} ms"
    )


def test_interrupts_end_it_while_windows_listen(tmp_path: Path) -> None:
    with serving(made(tmp_path / "p")) as (client, process):
        listening = Client(client.port)
        listening._connection.request("GET", "/api/notices")
        listening._connection.getresponse().readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == 130
        assert process.stderr is not None
        assert b"Traceback" not in process.stderr.read()


def test_a_client_that_leaves_within_its_request_leaves_no_line(tmp_path: Path) -> None:
    with serving(made(tmp_path / "p")) as (client, process):
        for sent in (
            f"POST {CHANGES} HTTP/1.1\r\nHost: 127.0.0.1:{client.port}\r\n"
            'Content-Type: application/json\r\nContent-Length: 99\r\n\r\n{"rev',
            "POST /api/sent",
            f"GET /api/order HTTP/1.1\r\nHost: 127.0.0.1:{client.port}\r\n\r\n",
        ):
            with socket.create_connection(("127.0.0.1", client.port)) as left:
                left.sendall(sent.encode())
        assert client.get("/api/sentences/1")["revision"] == 0
        client.close()
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == 130
        assert process.stderr is not None
        assert process.stderr.read() == b"fstmetrics: stopped\n"


def test_an_answer_that_takes_too_long_ends_with_the_server(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from fstmetrics.apps.annotate import api_routes, project_server

    asked, over = threading.Event(), threading.Event()

    def slow(service: object, who: object) -> dict[str, Any]:
        asked.set()
        over.wait(20)
        return {}

    def ask(address: project_server.Address) -> None:
        def interrupt() -> None:
            asked.wait(20)
            os.kill(os.getpid(), signal.SIGINT)

        threading.Thread(target=interrupt).start()
        threading.Thread(target=request, args=(int(address.url.rpartition(":")[2][:-1]),)).start()

    def request(port: int) -> None:
        statuses.append(Client(port).raw("GET", "/api/order")[0])
        over.set()

    statuses: list[int] = []
    monkeypatch.setattr(api_routes.AnnotationService, "order", slow)
    monkeypatch.setattr(project_server, "GRACE", 0.1)
    with Project.open(made(tmp_path / "p")) as project, pytest.raises((KeyboardInterrupt, Stopped)):
        project_server.serve(project, "ann", ready=ask)
    assert over.wait(20)
    assert statuses == [503]
    assert "Traceback" not in capsys.readouterr().err


def test_a_port_that_is_taken_is_one_line(tmp_path: Path) -> None:
    with serving(made(tmp_path / "p")) as (client, _):
        outcome = fstmetrics("annotate", made(tmp_path / "q"), "--port", client.port, "--no-browser")
        assert outcome.status == 2
        assert "cannot listen on 127.0.0.1" in outcome.err
        for port in (0, client.port):
            here = fstmetrics("annotate", tmp_path / "p", "--no-browser", "--port", port)
            assert here.err.count("another process") == 1


@pytest.mark.parametrize("what", ["port", "host", "uvicorn"])
def test_nothing_is_imported_where_the_server_cannot_start(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "source.txt").write_text("hola\n")
    given = ["annotate", tmp_path / "q", "--import", tmp_path / "source.txt", "--no-browser"]
    if what == "uvicorn":
        monkeypatch.setitem(sys.modules, "uvicorn", None)
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1] if what == "port" else 0
        host = ["--host", "no.such.invalid"] if what == "host" else []
        outcome = fstmetrics(*given, "--port", port, *host)
    wanted = {"port": "in use", "host": "no.such.invalid", "uvicorn": "pip install 'fstmetrics[annotate]'"}
    assert outcome.status == 2
    assert wanted[what] in outcome.err
    assert "imported" not in outcome.err
    assert not (tmp_path / "q").exists()
