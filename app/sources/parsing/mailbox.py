"""Mailbox files (mbox, RFC 4155): many messages in one file, each an entry."""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from app.domain.errors import Unreadable
from app.domain.text import Text, msg
from app.runtime import clock
from app.sources.parsing import mail
from app.sources.parsing.blocks import distinct
from app.sources.parsing.parsed import Parsed

if TYPE_CHECKING:
    from app.sources.parsing.parsed import About, ParsedEntry

# A separator line ends with a year, stands after an empty line, and a header follows
_SEPARATOR = re.compile(
    rb"(?:\A|\r?\n\r?\n)From [^\r\n]{1,300}\b(?:19|20)\d\d\b[^\r\n]{0,20}\r?\n(?=[!-9;-~]{1,70}[ \t]*:)"
)
# Less than the parse process may take, so that what was read until then is kept
_MOST_S = 9.0
_ESCAPED = re.compile(rb"^>(>*From )", re.MULTILINE)


def parse(data: bytes, about: About) -> Parsed:
    """Read a file that may hold one message or many.

    Raises:
        Unreadable: no message in it can be read.
    """
    separators = [match.span() for match in _SEPARATOR.finditer(data)]
    if len(separators) < 2 or separators[0][0] != 0:  # noqa: PLR2004 - many begins with two
        return mail.parse(data, about)
    starts = [end for _, end in separators]
    ends = [*(start for start, _ in separators[1:]), len(data)]
    limit = about.limits.entries
    until_s = clock.monotonic_s() + _MOST_S
    read = 0
    entries: dict[str, ParsedEntry] = {}
    warnings: list[Text] = []
    attachments = 0
    for start, end in zip(starts[:limit], ends, strict=False):
        if clock.monotonic_s() > until_s:
            break
        read += 1
        message = _ESCAPED.sub(rb"\1", data[start:end])
        try:
            parsed = mail.parse(message, about)
        except Unreadable:
            warnings.append(msg("A message in it is damaged and was left out."))
            continue
        digest = hashlib.sha256(message).hexdigest()
        fragment = parsed.entries[0].metadata.get("message_id") or digest[:32]
        if fragment in entries:
            fragment = f"{fragment}#{digest[:8]}"
        entries[fragment] = replace(parsed.entries[0], fragment=fragment, content_hash=digest)
        warnings.extend(parsed.warnings)
        attachments += int(parsed.facts.get("attachments", 0))
    if read < len(starts):
        left = len(starts) - read
        warnings.append(
            msg(
                "Only the first {count} messages were taken in; {left} are left. Add the file as a source (mbox).",
                count=read,
                left=left,
            )
        )
    return Parsed("mail", tuple(entries.values()), warnings=distinct(warnings), facts={"attachments": attachments})
