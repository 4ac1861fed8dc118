"""Who may ask what of the server: `RequestGuard`, between the network and the routes.

- Host: a request has to name an address of this server; a page elsewhere whose name leads here (DNS rebinding) does
  not.
- Origin: a browser says which page a request comes from; another one than ours is refused, on every write and on the
  stream of notices. No answer carries `Access-Control-Allow-Origin`.
- Token: where others can reach the server, everybody has a link with a token, which is exchanged for a cookie.
- Size and rate: of bodies, and of requests of one annotator.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import os
import re
import threading
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from fstmetrics import InputError
from fstmetrics.support.output import write_private
from fstmetrics.support.printable import counted

# Bytes of a body; a card's text has at most 20,000 characters.
MOST_BODY = 262_144
# Requests of an annotator: so many at once, and so many a second in the long run. Nobody types as fast.
MOST_AT_ONCE, MOST_A_SECOND = 300, 60
SECRET = "secret"

HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
# Browsers take it on encrypted connections and from this machine only, and complain elsewhere.
LOCAL_HEADERS = {"cross-origin-opener-policy": "same-origin"}


@dataclass(frozen=True)
class Refusal:
    """What a request that is not let through is answered: a status and a message."""

    status: int
    message: str


@dataclass
class RequestGuard:
    """What is let through.

    Attributes:
        port: of the server.
        names: host names that are the server's, beside loopback.
        any_address: whether any address as a number is the server's, as where it listens on all.
        secret: of tokens; None where the server is reached from this machine only, and needs none.
        annotators: who there is.
        clock: gives seconds.
    """

    port: int
    names: Collection[str] = ()
    any_address: bool = False
    secret: bytes | None = None
    annotators: Callable[[], Iterable[str]] = tuple
    clock: Callable[[], float] = time.monotonic
    _rates: dict[str, tuple[float, float]] = field(default_factory=dict)
    _one: threading.Lock = field(default_factory=threading.Lock)

    def refusal(self, method: str, path: str, headers: Mapping[str, str]) -> Refusal | None:
        """Why a request is not let through, or None where it is; names of headers are in lower case.

        >>> guard = RequestGuard(8000)
        >>> guard.refusal("POST", "/api/x", {"host": "127.0.0.1:8000", "origin": "http://evil.example"}).status
        403
        """
        host = headers.get("host", "")
        if not self.is_own(host):
            return Refusal(403, f"the host {host!r:.100} is not this server's")
        if (origin := headers.get("origin")) is not None and origin != f"http://{host}":
            return Refusal(403, f"a request from {origin!r:.100}, which is another page's")
        site = headers.get("sec-fetch-site", "none")
        if path.startswith("/api/") and site not in ("none", "same-origin"):
            return Refusal(403, "a request from another page")
        if method not in ("GET", "HEAD"):
            if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
                return Refusal(415, "the body has to be application/json")
            length = headers.get("content-length", "")
            if length and not (length.isascii() and length.isdigit() and int(length[:20]) <= MOST_BODY):
                return Refusal(413, f"a body of more than {MOST_BODY} bytes")
        return None

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers of every answer."""
        return HEADERS | LOCAL_HEADERS if self.secret is None else HEADERS

    def is_own(self, host: str) -> bool:
        """Whether the header Host names this server."""
        try:
            parts = urlsplit(f"//{host}")
            name, port = parts.hostname or "", parts.port or 80
        except ValueError:
            return False
        if port != self.port or "@" in host or "/" in host:
            return False
        if name in ("127.0.0.1", "localhost", "::1") or name in {each.lower() for each in self.names}:
            return True
        if not self.any_address:
            return False
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True

    def is_too_fast(self, who: str) -> bool:
        """Whether somebody asks too much in too short a time; asking counts."""
        with self._one:
            now = self.clock()
            left, at = self._rates.get(who, (float(MOST_AT_ONCE), now))
            left = min(float(MOST_AT_ONCE), left + (now - at) * MOST_A_SECOND)
            self._rates[who] = (left - 1 if left >= 1 else left, now)
            return left < 1

    @property
    def cookie(self) -> str:
        """The name of the cookie; servers on other ports of this machine have others."""
        return f"fstmetrics-{self.port}"

    def token(self, annotator: str, kind: str = "link") -> str:
        """The token of an annotator's link or cookie, the same as long as the project has its secret."""
        assert self.secret is not None
        return hmac.new(self.secret, f"{kind}\0{annotator}".encode(), hashlib.sha256).hexdigest()[:40]

    def annotator_of(self, token: str, kind: str = "link") -> str | None:
        """Whose token it is; None where it is nobody's."""
        if self.secret is None:
            return None
        found = None
        for name in self.annotators():
            if hmac.compare_digest(self.token(name, kind).encode(), token.encode(errors="replace")):
                found = name
        return found


def kept_secret(folder: Path) -> bytes | None:
    """The secret of a project; None where it has none yet.

    Raises:
        InputError: the file cannot be read, or does not hold a whole secret.
    """
    path = folder / SECRET
    try:
        text = path.read_bytes().strip()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}; it has the secret of the links", path) from None
    if not re.fullmatch(rb"[0-9a-fA-F]{64}", text):
        raise InputError(
            f"is not a whole secret: {counted(len(text), 'byte')} were found, and 64 hex digits expected; delete the "
            "file, and the next start makes new links for everybody",
            path,
        )
    return bytes.fromhex(text.decode())


def secret_of(folder: Path) -> bytes:
    """The secret of a project, which is made where there is none; only its owner may read its file.

    Raises:
        InputError: the file cannot be read, or does not hold a whole secret.
        FstmetricsError: it cannot be written.
    """
    if (secret := kept_secret(folder)) is None:
        secret = os.urandom(32)
        write_private(folder / SECRET, secret.hex())
    return secret
