"""Instagram's and Messenger's exports: message_1.json and so on, one conversation in each file."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from app.domain.text import msg
from app.sources.parsing.blocks import one_line
from app.sources.parsing.chat_cut import pieces
from app.sources.parsing.chat_messages import Conversation, Export, Message
from app.sources.parsing.dates import storable

if TYPE_CHECKING:
    from app.domain.text import Text
    from app.sources.parsing.parsed import About

_MILLISECONDS = 1000


def read(text: str, about: About) -> Export | None:
    """The conversation of a file, its oldest message first."""
    try:
        root = json.loads(text)
        warnings: tuple[Text, ...] = ()
    except ValueError:
        root = {"messages": [message for piece in pieces(text) for message in piece.messages]}
        warnings = (msg("The file is cut short or too long; only its whole messages were taken in."),)
    messages = root.get("messages") if isinstance(root, dict) else None
    if not isinstance(messages, list):
        return None
    found = [message for one in messages if isinstance(one, dict) and (message := _message(one, about)) is not None]
    found.sort(key=lambda message: message.at)
    app = "instagram" if "instagram" in text[:20_000].lower() else "messenger"
    path = root.get("thread_path")
    return Export(
        [Conversation(app, _mended(root.get("title")), found, own_id=path if isinstance(path, str) else "")], warnings
    )


def _message(values: dict[str, Any], about: About) -> Message | None:
    stamp = values.get("timestamp_ms")
    if not isinstance(stamp, int) or isinstance(stamp, bool):
        return None
    try:
        at = storable(datetime.fromtimestamp(stamp / _MILLISECONDS, UTC).astimezone(about.zone), about.zone)
    except (OverflowError, ValueError, OSError):
        return None
    text = _mended(values.get("content"))
    sender = one_line(_mended(values.get("sender_name")))
    return None if at is None else Message(at, sender or "?", text, is_media=not text.strip())


def _mended(value: object) -> str:
    """These exports write the bytes of UTF-8 as if each were a character."""
    if not isinstance(value, str):
        return ""
    try:
        return value.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return value
