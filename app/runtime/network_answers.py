"""What comes back from a server, and what it means when nothing does: for `network`, in words for people."""

from __future__ import annotations

import contextlib
import ssl
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

import httpx

from app.domain.errors import RateLimited, TooBig, Unavailable
from app.domain.text import msg
from app.runtime import clock

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from app.domain.text import Text

_TOO_MANY, _BUSY = 429, 503
_LONGEST_WAIT = timedelta(days=1)
_DEFAULT_WAIT = timedelta(minutes=5)
_DIGITS = 9


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server answered.

    Attributes:
        headers: by their names in lower case.
        url: what was asked, after redirects.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes
    url: str

    @property
    def is_good(self) -> bool:
        """Whether it says success (2xx)."""
        return 200 <= self.status < 300  # noqa: PLR2004 - RFC 9110


def patience_asked(answer: Answer, host: str) -> None:
    """Raise `RateLimited` where the server asks to come back later (RFC 9110, 10.2.3)."""
    if answer.status not in {_TOO_MANY, _BUSY}:
        return
    wait = _wait(answer.headers)
    if wait is None and answer.status == _BUSY:
        raise Unavailable(
            msg("The server {host} cannot answer now.", host=host),
            lost=msg("Nothing was deleted."),
            next_step=msg("It is tried again by itself."),
        )
    raise RateLimited(
        msg("The server {host} asks for patience.", host=host),
        lost=msg("Nothing was deleted."),
        next_step=msg("It is tried again by itself, not before the server allows it."),
        retry_at=clock.now() + (wait if wait is not None else _DEFAULT_WAIT),
    )


def _wait(headers: Mapping[str, str]) -> timedelta | None:
    """How long to wait; a date is taken by the server's own clock, which may be years off."""
    said = headers.get("retry-after", "").strip()
    if said.isascii() and said.isdigit():
        return min(timedelta(seconds=int(said[:_DIGITS])), _LONGEST_WAIT)
    until = _http_date(said)
    if until is None:
        return None
    present = _http_date(headers.get("date", "")) or clock.now().astimezone(UTC)
    return max(timedelta(0), min(until - present, _LONGEST_WAIT))


def _http_date(text: str) -> datetime | None:
    try:
        found = parsedate_to_datetime(text)
        return (found if found.tzinfo is not None else found.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, TypeError, OverflowError, IndexError):
        return None


@contextlib.contextmanager
def translated(host: str) -> Iterator[None]:
    """Turn what the HTTP library raises into `Unavailable`, without its message."""
    try:
        yield
    except httpx.TimeoutException:
        raise unanswered_in_time(host) from None
    except httpx.ConnectError as error:
        raise _unreachable(host, error) from None
    except (httpx.ProxyError, httpx.UnsupportedProtocol):
        raise no_such_proxy(host) from None
    except (httpx.RequestError, httpx.StreamError, httpx.InvalidURL, UnicodeError):
        raise unavailable(msg("The answer of {host} broke off, or makes no sense.", host=host)) from None


def _unreachable(host: str, error: BaseException) -> Unavailable:
    if any(isinstance(cause, ssl.SSLCertVerificationError) for cause in _causes(error)):
        return Unavailable(
            msg("{host} has no certificate that this system trusts.", host=host),
            lost=msg("Nothing was sent, and nothing was deleted."),
            next_step=msg(
                "Look whether the address is right. A certificate of your own belongs into the system's list."
            ),
        )
    return unavailable(msg("The server {host} cannot be reached.", host=host))


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    seen = 0
    while error is not None and seen < 10:  # noqa: PLR2004 - a chain that has no end
        yield error
        seen += 1
        error = error.__cause__ or error.__context__


def unavailable(what: Text) -> Unavailable:
    """A server that is not there now; nothing is concluded from that."""
    return Unavailable(
        what,
        lost=msg("Nothing was deleted."),
        next_step=msg("Look whether this device is online. It is tried again by itself."),
    )


def no_such_proxy(host: str) -> Unavailable:
    """A proxy that does not answer, or is of a kind that is not supported (SOCKS)."""
    return unavailable(msg("The proxy of this system cannot be used for {host}.", host=host))


def unanswered_in_time(host: str) -> Unavailable:
    """A server that takes too long."""
    return unavailable(msg("The server {host} did not answer in time.", host=host))


def without_end(host: str, limit_bytes: int) -> TooBig:
    """An answer that is bigger than any that can be meant."""
    return TooBig(
        msg("The answer of {host} has more than {limit} MiB.", host=host, limit=limit_bytes >> 20),
        lost=msg("Nothing was deleted."),
        next_step=msg("Look whether the address is the right one."),
    )
