"""Where a saved page came from: browsers and their add-ons say so in a comment at its beginning."""

from __future__ import annotations

import re

from app.sources.parsing.blocks import one_line

_HEAD_CHARS = 16_384
_SAVED_FROM = re.compile(r"<!--\s{0,9}saved from url=\(\d{1,6}\)(https?://[^\s<>]{1,4000}?)\s{0,9}-->", re.IGNORECASE)
_SINGLE_FILE = re.compile(
    r"<!--\s{0,9}Page saved with SingleFile\s{1,9}url:\s{0,9}(https?://[^\s<>]{1,4000})", re.IGNORECASE
)


def saved_from(html: str) -> str:
    """The address of a saved page; empty when it does not say."""
    head = html[:_HEAD_CHARS]
    match = _SAVED_FROM.search(head) or _SINGLE_FILE.search(head)
    return one_line(match[1], 4_000) if match is not None else ""
