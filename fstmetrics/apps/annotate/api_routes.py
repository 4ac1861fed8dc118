"""The routes of the server, documented in `README.md`: each asks `AnnotationService` and writes the answer.

Every window that is open hears of changes by `ChangeNotices`, the source of the server-sent events. Needs Starlette.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import (
    FileResponse,
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from fstmetrics import FstmetricsError
from fstmetrics.apps.annotate.annotation_service import (
    AnnotationService,
    NotAllowedError,
    NotThereError,
    state_of,
)
from fstmetrics.apps.annotate.progress_tables import as_csv
from fstmetrics.apps.annotate.project_file import UnsavedError
from fstmetrics.apps.annotate.project_store import Annotator, ConflictError, Project, sees_others
from fstmetrics.apps.annotate.request_guard import MOST_BODY, RequestGuard
from fstmetrics.apps.annotate.sentence_cards import ChangeRefusedError, storable

# Seconds after which a line without meaning shows that the connection is alive.
ALIVE = 15.0
# News that wait for a window; one that is so far behind is told to load again.
MOST_WAITING = 500


class ChangeNotices:
    """Who listens, and what they are told. `tell` may be called from any thread."""

    def __init__(self) -> None:
        self._queues: dict[asyncio.Queue[str | None], Annotator] = {}
        self._loop: asyncio.AbstractEventLoop | None = None

    def tell(self, annotator: Annotator, sentence: int, what: dict[str, Any]) -> None:
        """Tell everybody who may know that an annotator has changed a sentence."""
        data = json.dumps({"annotator": annotator.name, "sentence": sentence, **what})
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._spread, annotator, f"event: change\ndata: {data}\n\n")

    def _spread(self, annotator: Annotator, line: str) -> None:
        for queue, listener in self._queues.items():
            if listener.name == annotator.name or sees_others(listener.protocol):
                if queue.qsize() < MOST_WAITING:
                    queue.put_nowait(line)
                elif queue.qsize() == MOST_WAITING:
                    queue.put_nowait("event: reload\ndata: {}\n\n")

    async def listen(self, listener: Annotator) -> AsyncIterator[str]:
        """What an annotator's window is told, until the server ends."""
        self._loop = asyncio.get_running_loop()
        queue: asyncio.Queue[str | None] = asyncio.Queue()
        self._queues[queue] = listener
        try:
            yield "retry: 1000\n\n"
            while True:
                try:
                    line = await asyncio.wait_for(queue.get(), ALIVE)
                except TimeoutError:
                    line = ": alive\n\n"
                if line is None:
                    return
                yield line
        finally:
            self._queues.pop(queue, None)

    def end(self) -> None:
        """Let all streams end, so that the server can."""
        for queue in list(self._queues):
            queue.put_nowait(None)


PAGES = Path(__file__).parent / "pages"
Data = Mapping[str, Any]
# Objects and lists in one another: requests have three.
MOST_NESTED = 20

# Requests about a sentence, /api/sentences/{id}/NAME: what they ask of the service.
ON_SENTENCES = {
    "changes": AnnotationService.change,
    "copy": AnnotationService.copy,
    "undo": AnnotationService.undo,
    "redo": AnnotationService.redo,
    "look": AnnotationService.look,
    "done": AnnotationService.done,
    "note": AnnotationService.note,
    "work": AnnotationService.work,
    "proposals": AnnotationService.answer_proposal,
    "paths": AnnotationService.judge,
}


class AnnotationApp:
    """The application of an open project, for an ASGI server.

    Args:
        project: open, to be changed.
        guard: who may ask what.
        default: the annotator where no other is named.
    """

    def __init__(self, project: Project, guard: RequestGuard, default: str) -> None:
        self.notices = ChangeNotices()
        self.service = AnnotationService(project, self.notices.tell)
        self._project, self._guard, self._default = project, guard, default
        routes = [
            Route("/api/project", self._get(lambda who, request: self.service.project(who))),
            Route("/api/sentences/{id:int}", self._get(self._sentence)),
            Route("/api/sentences/{id:int}/completions", self._get(self._completions)),
            Route("/api/sentences/{id:int}/offers", self._get(self._offers)),
            Route("/api/sentences/{id:int}/proposals", self._get(self._proposals), methods=["GET"]),
            Route("/api/sentences/{id:int}/paths", self._get(self._paths), methods=["GET"]),
            Route("/api/sentences/{id:int}/agreement", self._get(self._agreement)),
            Route("/api/order", self._get(lambda who, request: self.service.order(who))),
            Route("/api/progress", self._get(lambda who, request: self.service.progress(who))),
            Route("/api/progress.csv", self._table("rows")),
            Route("/api/annotators.csv", self._table("annotators")),
            *(
                Route(f"/api/sentences/{{id:int}}/{name}", self._post(method), methods=["POST"])
                for name, method in ON_SENTENCES.items()
            ),
            Route("/api/notices", self._listen),
            Route("/", self._page),
            Route("/join/{token}", self._join),
            Route("/colours.css", self._colours),
            Mount("/", StaticFiles(directory=PAGES, html=True)),
        ]
        self.app = Starlette(
            routes=routes,
            middleware=[Middleware(_Guarded, guard=guard)],
            exception_handlers={FstmetricsError: _refused, 404: _not_found, 405: _not_found},
        )

    def _sentence(self, who: Annotator, request: Request) -> dict[str, Any]:
        return self.service.sentence(who, request.path_params["id"], "quiet" in request.query_params)

    def _completions(self, who: Annotator, request: Request) -> dict[str, Any]:
        query = request.query_params
        return self.service.completions(
            who, request.path_params["id"], query.get("q", ""), query.get("card", "")
        )

    def _offers(self, who: Annotator, request: Request) -> dict[str, Any]:
        first, last = (_number(request, name) for name in ("from", "to"))
        return self.service.offers(who, request.path_params["id"], first, last)

    def _proposals(self, who: Annotator, request: Request) -> dict[str, Any]:
        return self.service.proposals(who, request.path_params["id"], _number(request, "systems"))

    def _paths(self, who: Annotator, request: Request) -> dict[str, Any]:
        of = request.query_params.get("of", "")
        return self.service.paths(who, request.path_params["id"], of, _number(request, "seed"))

    def _agreement(self, who: Annotator, request: Request) -> dict[str, Any]:
        return self.service.agreement(who, request.path_params["id"])

    def _table(self, name: str) -> Callable[[Request], Awaitable[Response]]:
        async def answer(request: Request) -> Response:
            found = await run_in_threadpool(self.service.progress, self._who(request))
            headers = {"content-disposition": f'attachment; filename="{name}.csv"'}
            return Response(as_csv(found[name]), 200, headers, "text/csv")

        return answer

    def _get(
        self, ask: Callable[[Annotator, Request], dict[str, Any]]
    ) -> Callable[[Request], Awaitable[Response]]:
        async def answer(request: Request) -> Response:
            who = self._who(request)
            return JSONResponse(await run_in_threadpool(ask, who, request))

        return answer

    def _post(
        self, ask: Callable[[AnnotationService, Annotator, int, Data], dict[str, Any]]
    ) -> Callable[[Request], Awaitable[Response]]:
        async def answer(request: Request) -> Response:
            who = self._who(request)
            data = await _body(request)
            return JSONResponse(
                await run_in_threadpool(ask, self.service, who, request.path_params["id"], data)
            )

        return answer

    async def _listen(self, request: Request) -> Response:
        lines = self.notices.listen(self._who(request))
        return StreamingResponse(lines, media_type="text/event-stream")

    def _who(self, request: Request) -> Annotator:
        """Whose request it is: by the cookie where there are tokens, otherwise by `as`.

        Raises:
            _StoppedError: nobody's, or too many of them.
        """
        if self._guard.secret is not None:
            name = self._guard.annotator_of(request.cookies.get(self._guard.cookie, ""), "cookie")
            if name is None:
                raise _StoppedError(401, "open your own link first, which has a token")
        else:
            name = request.query_params.get("as", self._default)
        try:
            who = self._project.annotator(name)
        except KeyError:
            raise NotThereError(f"there is no annotator {name!r:.80}") from None
        if self._guard.is_too_fast(name):
            raise _StoppedError(429, "too many requests in a short time; wait a second")
        return who

    async def _page(self, request: Request) -> Response:
        """The page. An address that names an annotator whom there is not is refused, as a mistyped name may be."""
        name = request.query_params.get("as")
        names = [each.name for each in self._project.annotators()]
        if self._guard.secret is None and name is not None and name not in names:
            return _plain(404, f"there is no annotator {name!r:.80}; there are {', '.join(names)}")
        return FileResponse(PAGES / "index.html")

    async def _colours(self, request: Request) -> Response:
        return Response((files("fstmetrics.reports") / "colours.css").read_bytes(), media_type="text/css")

    async def _join(self, request: Request) -> Response:
        """Exchange the token of a link for a cookie."""
        name = self._guard.annotator_of(request.path_params["token"])
        if name is None:
            return _plain(403, "the link is not valid any more; ask for a new one")
        # A page that goes on by itself: browsers do not send a strict cookie where a foreign page's link redirects.
        page = f'<!doctype html><meta http-equiv="refresh" content="0; url=/"><title>{escape(name)}</title>'
        answer = HTMLResponse(page)
        answer.set_cookie(
            self._guard.cookie, self._guard.token(name, "cookie"), max_age=365 * 86400, httponly=True,
            samesite="strict", path="/",
        )  # fmt: skip
        return answer


def _number(request: Request, name: str) -> int:
    """A number of a query, 0 where it is none."""
    text = request.query_params.get(name, "0")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0


class _StoppedError(FstmetricsError):
    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


async def _body(request: Request) -> Data:
    """The JSON object of a request.

    Raises:
        _StoppedError: too large, not all there, or no JSON object.
    """
    content = bytearray()
    try:
        async for piece in request.stream():
            content += piece
            if len(content) > MOST_BODY:
                raise _StoppedError(413, f"a body of more than {MOST_BODY} bytes")
    except ClientDisconnect:
        raise _StoppedError(400, "the connection ended within the body") from None
    try:
        data = json.loads(bytes(content))
    except (ValueError, RecursionError):
        raise _StoppedError(400, "the body is no JSON") from None
    if not isinstance(data, dict):
        raise _StoppedError(400, "the body is no JSON object")
    _check_values(data)
    return data


def _check_values(data: object) -> None:
    """Refuse what no request has: JSON in JSON in JSON, and halves of surrogate pairs.

    Raises:
        _StoppedError: nested deeper than `MOST_NESTED`.
        ChangeRefusedError: half of a surrogate pair.
    """
    pending = [(data, 0)]
    while pending:
        value, depth = pending.pop()
        if depth > MOST_NESTED:
            raise _StoppedError(400, f"JSON that is nested more than {MOST_NESTED} deep")
        if isinstance(value, dict):
            pending += [(each, depth + 1) for pair in value.items() for each in pair]
        elif isinstance(value, list):
            pending += [(each, depth + 1) for each in value]
        elif isinstance(value, str):
            storable(value)


def _refused(request: Request, error: Exception) -> Response:
    """The answer to what cannot be done."""
    found: dict[str, Any] = {"error": str(error)}
    if isinstance(error, _StoppedError):
        return JSONResponse(found, error.status)
    if isinstance(error, ConflictError):
        return JSONResponse(found | {"now": state_of(error.history, error.normalisation)}, 409)
    if isinstance(error, ChangeRefusedError):
        return JSONResponse(found | ({"circle": list(error.circle)} if error.circle else {}), 422)
    statuses = {NotThereError: 404, NotAllowedError: 403, UnsavedError: 507}
    return JSONResponse(found, next((s for kind, s in statuses.items() if isinstance(error, kind)), 422))


def _not_found(request: Request, error: Exception) -> Response:
    status = getattr(error, "status_code", 404)
    return _plain(status, "there is no such page" if status == 404 else "not by this method")


def _plain(status: int, message: str) -> Response:
    return PlainTextResponse(message + "\n", status)


class _Guarded:
    """The guard as ASGI middleware: what it refuses goes no further, and every answer has its headers."""

    def __init__(self, app: ASGIApp, guard: RequestGuard) -> None:
        self.app, self.guard = app, guard

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return

        begun = False

        async def with_headers(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                headers = MutableHeaders(scope=message)
                for name, value in self.guard.headers.items():
                    headers[name] = value
            await send(message)

        if scope["type"] != "http":  # no WebSockets
            return
        headers = {
            name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]
        }
        refusal = self.guard.refusal(scope["method"], scope["path"], headers)
        app = self.app if refusal is None else JSONResponse({"error": refusal.message}, refusal.status)
        try:
            await app(scope, receive, with_headers)
        except asyncio.CancelledError:  # the server ends, and does not wait for an answer that takes long
            if not begun:
                await _plain(503, "the tool ends")(scope, receive, with_headers)
