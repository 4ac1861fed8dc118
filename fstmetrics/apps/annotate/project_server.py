"""The server of a project: `listening` where it will be, `serve` until it is interrupted.

Needs Starlette and uvicorn (extra `annotate`).
"""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from fstmetrics import FstmetricsError
from fstmetrics.apps.annotate.project_store import Project
from fstmetrics.apps.annotate.request_guard import RequestGuard, secret_of
from fstmetrics.support.errors import need
from fstmetrics.support.signals import Stopped

LOOPBACK = "127.0.0.1"
# Seconds that requests have to end in when the server does.
GRACE = 2


@dataclass(frozen=True)
class Address:
    """Where the server is.

    Attributes:
        url: its address.
        links: of each annotator, the link to give them; empty where the server needs none.
    """

    url: str
    links: dict[str, str]


def serve(
    project: Project,
    annotator: str,
    host: str | None = None,
    listener: socket.socket | None = None,
    ready: Callable[[Address], None] = print,
) -> None:
    """Serve a project until the process is interrupted.

    Args:
        project: open, to be changed.
        annotator: whose requests they are where nobody else is named.
        host: as of `listening`.
        listener: what `listening` gave, which is closed in the end; None for a free port.
        ready: called once it listens.

    Raises:
        Stopped: it was interrupted.
        FstmetricsError: a package is missing.
    """
    uvicorn = _uvicorn()
    from fstmetrics.apps.annotate.api_routes import AnnotationApp

    listener = listener or listening(host)
    try:
        port = listener.getsockname()[1]
        guard = _guard(project, host, port)
        app = AnnotationApp(project, guard, annotator)
        config = uvicorn.Config(
            app.app, log_level="error", access_log=False, lifespan="off", timeout_graceful_shutdown=GRACE,
            server_header=False, limit_concurrency=500, ws="none", proxy_headers=False,
            h11_max_incomplete_event_size=65536,
        )  # fmt: skip

        class Server(uvicorn.Server):  # type: ignore[misc, name-defined]
            async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
                app.notices.end()
                await super().shutdown(sockets)

        ready(_address(guard, host, port))
        try:
            Server(config).run(sockets=[listener])
            # uvicorn ends by a signal also where the process was to ignore it, as behind `&` in a shell script.
            raise Stopped(signal.SIGINT)
        finally:
            app.service.close()
    finally:
        with suppress(OSError):
            listener.close()


def _uvicorn() -> Any:
    need("starlette", "the annotation tool", "annotate")
    return need("uvicorn", "the annotation tool", "annotate")


def listening(host: str | None = None, port: int = 0) -> socket.socket:
    """The socket of a server that can start.

    Args:
        host: where to listen; None for this machine only. Otherwise everybody needs a link with a token.
        port: where to listen; 0 for one that is free.

    Raises:
        FstmetricsError: the port or host cannot be had, or a package is missing.
    """
    _uvicorn()
    host = host or LOOPBACK
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listener = socket.create_server((host, port), family=family, backlog=200)
        # Connections inherit it; asyncio sets it only for sockets that name their protocol. Without it, answers wait
        # 40 ms for the other side.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return listener
    except (OSError, OverflowError) as error:
        why = getattr(error, "strerror", None) or error
        raise FstmetricsError(
            f"cannot listen on {host}, port {port}: {why}; give another --port or --host"
        ) from None


def _guard(project: Project, host: str | None, port: int) -> RequestGuard:
    def names() -> list[str]:
        return [annotator.name for annotator in project.annotators()]

    if host is None:
        return RequestGuard(port, annotators=names)
    own = {host, socket.gethostname(), socket.getfqdn()}
    any_address = host in ("0.0.0.0", "::")
    return RequestGuard(port, own, any_address, secret_of(project.path), names)


def _address(guard: RequestGuard, host: str | None, port: int) -> Address:
    name = host or LOOPBACK
    if name in ("0.0.0.0", "::"):
        name = socket.gethostname()
    url = f"http://{f'[{name}]' if ':' in name else name}:{port}/"
    if guard.secret is None:
        return Address(url, {})
    return Address(url, {each: f"{url}join/{guard.token(each)}" for each in guard.annotators()})
