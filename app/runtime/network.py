"""The only HTTP client: what leaves the device is named, noted and bounded here (DESIGN 2, X7.1).

A request says for what it is and how personal it is (A5.1), and stands in the ledger before its first byte leaves. An
answer is bounded in time and size. A redirect is followed to the same host or to https, never from https to http; a
login and what is personal go to the host they are meant for and to no other. A server that asks for patience is told
on as `RateLimited`; nothing here waits and tries again.

It knows nothing of what is asked for: see `sources.dav` and `sources.ics`. It is no browser: no cookies are kept.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

import httpx

from app.domain.errors import Bug, Refused
from app.domain.outgoing import Egress
from app.domain.text import msg
from app.runtime.network_answers import (
    Answer,
    no_such_proxy,
    patience_asked,
    translated,
    without_end,
)
from app.runtime.network_deadline import Deadline, PunctualBackend
from app.runtime.network_routes import has_clear_way, proxy_for, trusted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from types import TracebackType
    from typing import Self

    from app.domain.outgoing import EgressLedger
    from app.domain.progress import StopSignal

# They log the addresses of requests, which may hold a person's key to a calendar
for _name in ("httpx", "httpcore"):
    logging.getLogger(_name).setLevel(logging.WARNING)

OWN_SERVER = 1
NOTHING_PERSONAL = 2
_USER_AGENT = "Famulus"
_REDIRECTS = frozenset((301, 302, 303, 307, 308))
_UNAUTHORIZED = 401


@dataclass(frozen=True, slots=True)
class NetworkLimits:
    """What one answer may cost.

    Attributes:
        connect_s: until there is a connection. silence_s: between two parts of an answer. whole_s: all of it.
        answer_bytes: unpacked; more is refused.
    """

    connect_s: float = 15.0
    silence_s: float = 30.0
    whole_s: float = 300.0
    answer_bytes: int = 64 * 1024 * 1024
    redirects: int = 5


@dataclass(frozen=True, slots=True)
class Login:
    """A user's name and password; used with Basic (over TLS, or on this device) or Digest, as the server wants."""

    user: str
    password: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Request:
    """One request.

    Attributes:
        data_level: A5.1: `NOTHING_PERSONAL`, or `OWN_SERVER` for what a person sends to a server of their own. Level 0
            never leaves.
    """

    method: str
    url: str
    headers: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    body: bytes = b""
    data_level: int = NOTHING_PERSONAL


class Http:
    """Requests for one purpose, to one server of somebody's and where it leads.

    Args:
        home: the address whose host may have the login, and what is personal.
        purpose: a word for the ledger, such as `collect:caldav`.
        ledger: where each request is noted first; None: nothing may leave.
        login: asked once, when the first request goes to `home`; what it raises is raised.
        stop: heard while an answer is waited for.
    """

    def __init__(
        self,
        home: str,
        purpose: str,
        ledger: EgressLedger | None,
        *,
        login: Callable[[], Login] | None = None,
        limits: NetworkLimits | None = None,
        stop: StopSignal | None = None,
    ) -> None:
        self._home = _origin(home)
        self._purpose = purpose
        self._ledger = ledger
        self._login = login
        self._limits = limits or NetworkLimits()
        self._auth: httpx.Auth | None = None
        self._clients: dict[str | None, httpx.Client] = {}
        self._deadline = Deadline(stop)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Hang up."""
        while self._clients:
            self._clients.popitem()[1].close()

    def send(self, request: Request) -> Answer:
        """Send one request and read the whole answer, whatever its status; blocks.

        Raises:
            Unavailable: there is no answer (no connection, no valid certificate, too slow, cut off).
            RateLimited: the server asked for patience (429, 503).
            Refused: it would go where it must not go, or the answer is too big.
            Cancelled: from `stop`.
        """
        for _ in range(self._limits.redirects + 1):
            answer = self._sent(request)
            target = answer.headers.get("location")
            if answer.status not in _REDIRECTS or target is None:
                patience_asked(answer, _host(request.url))
                return answer
            request = self._redirected(request, target, answer.status)
        raise _led_astray(_host(request.url))

    def _sent(self, request: Request) -> Answer:
        """One request without its redirects, with the steps that the login takes."""
        self._check(request)
        client = self._client(request.url)
        built = client.build_request(
            request.method, request.url, headers={**request.headers, "User-Agent": _USER_AGENT}, content=request.body
        )
        if self._login is None or not self._is_home(request.url):
            return self._once(client, built, request.data_level)
        for _ in range(2):
            answer = self._with_login(client, built, request.data_level)
            if answer.status != _UNAUTHORIZED or isinstance(self._auth, httpx.DigestAuth):
                return answer
            if "digest" not in answer.headers.get("www-authenticate", "").lower():
                return answer
            given = self._login()
            self._auth = httpx.DigestAuth(given.user, given.password)
        return answer

    def _with_login(self, client: httpx.Client, built: httpx.Request, data_level: int) -> Answer:
        """Let the scheme say what goes to and fro (RFC 7616): each request of it is noted like any other."""
        if self._auth is None:
            given = self._login() if self._login is not None else Login("", "")
            self._auth = httpx.BasicAuth(given.user, given.password)
        steps = self._auth.auth_flow(built)
        sending = next(steps)
        while True:
            answer = self._once(client, sending, data_level)
            said = httpx.Response(answer.status, headers={"WWW-Authenticate": _digest_of(answer)}, request=sending)
            try:
                sending = steps.send(said)
            except StopIteration:
                return answer

    def _once(self, client: httpx.Client, built: httpx.Request, data_level: int) -> Answer:
        """Note it, send it, read the answer within the limits."""
        host = _host(str(built.url))
        self._note(built, data_level)
        self._deadline.begin(self._limits.whole_s)
        client.cookies.clear()
        with translated(host):
            response = client.send(built, stream=True)
            try:
                body = b"".join(self._bounded(response.iter_bytes(), host))
            finally:
                response.close()
        return Answer(response.status_code, {**response.headers}, body, str(built.url))

    def _bounded(self, parts: Iterator[bytes], host: str) -> Iterator[bytes]:
        size = 0
        for part in parts:
            size += len(part)
            if size > self._limits.answer_bytes:
                raise without_end(host, self._limits.answer_bytes)
            yield part

    def _note(self, built: httpx.Request, data_level: int) -> None:
        if self._ledger is None:
            raise Bug("a request without a ledger")
        size = (
            len(built.method)
            + len(built.url.raw_path)
            + sum(len(name) + len(value) for name, value in built.headers.raw)
        )
        self._ledger.note(Egress(_recipient(built.url), self._purpose, data_level, size + len(built.read())))

    def _check(self, request: Request) -> None:
        """What may not leave at all."""
        if request.data_level < OWN_SERVER:
            raise Bug("level 0 never leaves")
        parts = urlsplit(request.url)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise _led_astray(_host(request.url))
        if request.data_level == OWN_SERVER and not self._is_home(request.url):
            raise _led_astray(_host(request.url))
        if self._login is not None and self._is_home(request.url) and not has_clear_way(request.url):
            raise Refused(
                msg("A password is not sent over http, where everybody on the way can read it."),
                next_step=msg("Use the https address of {host}.", host=parts.hostname),
            )

    def _redirected(self, request: Request, target: str, status: int) -> Request:
        """The next request; raises `Refused` where a redirect must not lead."""
        try:
            url = urljoin(request.url, target)
            before, after = urlsplit(request.url), urlsplit(url)
        except ValueError:
            raise _led_astray(target) from None
        is_same_host = before.hostname == after.hostname
        is_downgrade = before.scheme == "https" and after.scheme != "https"
        if is_downgrade or not (is_same_host or after.scheme == "https"):
            raise _led_astray(after.hostname or "")
        needs_login = self._login is not None and self._is_home(request.url) and not self._is_home(url)
        if needs_login or (request.data_level == OWN_SERVER and not is_same_host):
            raise _led_astray(after.hostname or "")
        if status == 303 and request.method not in {"GET", "HEAD"}:  # noqa: PLR2004 - "See Other"
            return Request("GET", url)
        return replace(request, url=url)

    def _is_home(self, url: str) -> bool:
        """Whether the login may go there: to its own origin, or to the same host by https where home is http."""
        scheme, host, port = _origin(url)
        return (scheme, host, port) == self._home or (host == self._home[1] and (scheme, port) == ("https", 443))

    def _client(self, url: str) -> httpx.Client:
        """The connections to a host, by way of the proxy that this system names for it."""
        proxy = proxy_for(url)
        if proxy not in self._clients:
            timeout = httpx.Timeout(self._limits.silence_s, connect=self._limits.connect_s)
            try:
                made = httpx.Client(trust_env=False, transport=self._transport(proxy), timeout=timeout)
            except (ImportError, ValueError, httpx.InvalidURL):
                raise no_such_proxy(_host(url)) from None
            self._clients[proxy] = made
        return self._clients[proxy]

    def _transport(self, proxy: str | None) -> httpx.HTTPTransport:
        """The library's own way to a host, or to the proxy before it, but with our deadline."""
        transport = httpx.HTTPTransport(verify=trusted(), trust_env=False, proxy=proxy)
        # the pool takes a backend, and the transport has no argument to give it
        transport._pool._network_backend = PunctualBackend(self._deadline)  # noqa: SLF001
        return transport


def _digest_of(answer: Answer) -> str:
    """The challenge of a server that offers several, which stand in one line here."""
    offered = answer.headers.get("www-authenticate", "")
    return offered[max(0, offered.lower().find("digest ")) :]


def _origin(url: str) -> tuple[str, str, int]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname or "", _port(url)


def _port(url: str) -> int:
    parts = urlsplit(url)
    try:
        return parts.port or (443 if parts.scheme == "https" else 80)
    except ValueError:
        return 0


def _host(url: str) -> str:
    return urlsplit(url).hostname or ""


def _recipient(url: httpx.URL) -> str:
    return f"{url.host}:{_port(str(url))}"


def _led_astray(host: str) -> Refused:
    return Refused(
        msg("The server led to an address ({host}) where this request must not go.", host=host[:200]),
        next_step=msg("If the address is the right one, add the source with it."),
    )
