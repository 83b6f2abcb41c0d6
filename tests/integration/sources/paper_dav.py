"""A CalDAV server of paper, which can be made to misbehave in every way that a test wants."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from tests.peer import http_answer

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.peer import Asked

HOME, WORK = "/cal/", "/cal/work/"
_HREF = re.compile(rb"<d:href>([^<]+)</d:href>")
_TOKEN = re.compile(rb"<d:sync-token>([^<]*)</d:sync-token>")
_HEAD = (
    '<?xml version="1.0"?><d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav" '
    'xmlns:s="http://calendarserver.org/ns/">'
)


class PaperDav:
    """One calendar.

    Attributes:
        texts: what is in it by name.
        log: names by the number of the change; a token is such a number.
        spoil: changes or replaces an answer, by the request's method.
        has_tokens, has_multiget: what this server can do.
        page: so many changes in one answer of sync-collection.
    """

    def __init__(self, texts: dict[str, str] | None = None) -> None:
        self.texts: dict[str, str] = {}
        self.versions: dict[str, int] = {}
        self.log: list[str] = []
        self.spoil: Callable[[Asked, bytes], bytes] | None = None
        self.has_tokens = self.has_multiget = True
        self.page = 1_000_000
        for name, text in (texts or {}).items():
            self.put(name, text)

    def put(self, name: str, text: str) -> None:
        self.log.append(name)
        self.texts[name] = text
        self.versions[name] = len(self.log)

    def remove(self, name: str) -> None:
        self.log.append(name)
        del self.texts[name]

    def __call__(self, asked: Asked) -> bytes:
        answer = self._answer(asked)
        return self.spoil(asked, answer) if self.spoil is not None else answer

    def _answer(self, asked: Asked) -> bytes:
        if asked.method == "PROPFIND":
            return self._propfind(asked)
        if asked.method == "GET":
            text = self.texts.get(asked.path.removeprefix(WORK))
            return http_answer("200 OK", text.encode()) if text is not None else http_answer("404 Not Found")
        if b"sync-collection" in asked.body:
            return self._sync(asked)
        if not self.has_multiget:
            return http_answer("501 Not Implemented")
        names = [href.decode().removeprefix(WORK) for href in _HREF.findall(asked.body)]
        return _multi("".join(self._resource(name, has_text=True) for name in names))

    def _propfind(self, asked: Asked) -> bytes:
        home = (
            f"<d:response><d:href>{asked.path}</d:href><d:propstat><d:prop><d:resourcetype><d:collection/>"
            f"</d:resourcetype><c:calendar-home-set><d:href>{HOME}</d:href></c:calendar-home-set></d:prop>"
            "<d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>"
        )
        if asked.path == WORK:
            listed = "" if asked.headers["depth"] == "0" else "".join(map(self._resource, self.texts))
            return _multi(self._calendar() + listed)
        return _multi(home + (self._calendar() if asked.path == HOME and asked.headers["depth"] == "1" else ""))

    def _calendar(self) -> str:
        token = f"<d:sync-token>{len(self.log)}</d:sync-token>" if self.has_tokens else ""
        return (
            f"<d:response><d:href>{WORK}</d:href><d:propstat><d:prop><d:resourcetype><d:collection/><c:calendar/>"
            f"</d:resourcetype><d:displayname>Work</d:displayname>{token}<s:getctag>{len(self.log)}</s:getctag></d:prop>"
            "<d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>"
        )

    def _resource(self, name: str, *, has_text: bool = False) -> str:
        if name not in self.texts:
            return f"<d:response><d:href>{WORK}{name}</d:href><d:status>HTTP/1.1 404 Not Found</d:status></d:response>"
        text = f"<c:calendar-data>{escape(self.texts[name])}</c:calendar-data>" if has_text else ""
        return (
            f"<d:response><d:href>{WORK}{name}</d:href><d:propstat><d:prop><d:resourcetype/>"
            f'<d:getetag>"{self.versions[name]}"</d:getetag>{text}</d:prop>'
            "<d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>"
        )

    def _sync(self, asked: Asked) -> bytes:
        found = _TOKEN.search(asked.body)
        since = int(found[1]) if found is not None and found[1].isdigit() else -1
        if not 0 <= since <= len(self.log):
            return http_answer("403 Forbidden", b'<d:error xmlns:d="DAV:"><d:valid-sync-token/></d:error>')
        until = min(since + self.page, len(self.log))
        body = "".join(map(self._resource, dict.fromkeys(self.log[since:until])))
        if until < len(self.log):
            body += f"<d:response><d:href>{WORK}</d:href><d:status>HTTP/1.1 507 Full</d:status></d:response>"
        return _multi(f"{body}<d:sync-token>{until}</d:sync-token>")


def _multi(body: str) -> bytes:
    return http_answer("207 Multi-Status", f"{_HEAD}{body}</d:multistatus>".encode(), "Content-Type: application/xml")
