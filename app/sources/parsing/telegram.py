"""Telegram's export as JSON (result.json): one chat, or all of them."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from app.domain.text import msg
from app.sources.parsing.blocks import one_line
from app.sources.parsing.chat_cut import pieces, value_at
from app.sources.parsing.chat_messages import Conversation, Export, Message
from app.sources.parsing.dates import read_instant, storable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.domain.text import Text
    from app.sources.parsing.parsed import About

_PERSONAL = re.compile(r'"personal_information"\s{0,9}:\s{0,9}(?=\{)')
_MOST_NUMBERS = 1e12


def read(text: str, about: About) -> Export | None:
    """The conversations of an export; of one that is cut short, those messages that are whole."""
    warnings: tuple[Text, ...] = ()
    try:
        root = json.loads(text)
    except ValueError:
        root = _cut_short(text)
        if root is None:
            return None
        warnings = (msg("The file is cut short or too long; only its whole messages were taken in."),)
    if not isinstance(root, dict):
        return None
    me = _my_name(root.get("personal_information"))
    talks = [_conversation(chat, me, about) for chat in _chats(root)]
    return Export([talk for talk in talks if talk.messages], warnings)


def _cut_short(text: str) -> dict[str, Any] | None:
    chats = [
        {name: piece.value(name) for name in ("name", "type", "id")} | {"messages": piece.messages}
        for piece in pieces(text)
    ]
    about_me = _PERSONAL.search(text)
    me = None if about_me is None else value_at(text, about_me.end())
    return {"chats": {"list": chats}, "personal_information": me} if chats else None


def _chats(root: dict[str, Any]) -> Iterator[dict[str, Any]]:
    if isinstance(root.get("messages"), list):
        yield root
        return
    for part in ("chats", "left_chats"):
        section = root.get(part)
        chats = section.get("list") if isinstance(section, dict) else None
        for chat in chats if isinstance(chats, list) else ():
            if isinstance(chat, dict) and isinstance(chat.get("messages"), list):
                yield chat


def _conversation(chat: dict[str, Any], me: str, about: About) -> Conversation:
    messages = [
        message
        for values in chat["messages"]
        if isinstance(values, dict) and (message := _message(values, about)) is not None
    ]
    own_id = chat.get("id")
    title = _string(chat.get("name")) or ("Saved messages" if chat.get("type") == "saved_messages" else "")
    return Conversation("telegram", title, messages, own_id=str(own_id) if isinstance(own_id, int) else "", me=me)


def _message(values: dict[str, Any], about: About) -> Message | None:
    at = _time(values, about)
    if at is None:
        return None
    own_id = values.get("id")
    message_id = str(own_id) if isinstance(own_id, int) else None
    if values.get("type") == "service":
        actor, action = _string(values.get("actor")), _string(values.get("action")).replace("_", " ")
        what = _string(values.get("title"))
        return Message(
            at, "", one_line(" ".join(part for part in (actor, action, what) if part)), message_id=message_id
        )
    text = _text(values.get("text")) or _question(values.get("poll"))
    if forwarded := _string(values.get("forwarded_from")):
        text = f"[{one_line(forwarded)}] {text}"
    return Message(
        at,
        one_line(_string(values.get("from"))) or "?",
        text,
        account=one_line(_string(values.get("from_id"))),
        message_id=message_id,
        is_media=not text.strip(),
    )


def _time(values: dict[str, Any], about: About) -> datetime | None:
    """The moment in the person's zone; exports before 2022 have local times alone."""
    unix = values.get("date_unixtime")
    if isinstance(unix, str | int) and str(unix).isdecimal() and 0 < int(str(unix)[:13]) < _MOST_NUMBERS:
        try:
            return storable(datetime.fromtimestamp(int(unix), UTC).astimezone(about.zone), about.zone)
        except (OverflowError, ValueError, OSError):
            return None
    return read_instant(values.get("date"), about.zone)


def _text(value: object) -> str:
    """The text; bold words, links and the like come as a list of pieces."""
    if isinstance(value, str):
        return value
    if not isinstance(value, list):
        return ""
    return "".join(part if isinstance(part, str) else _piece(part) for part in value)


def _piece(part: object) -> str:
    if not isinstance(part, dict):
        return ""
    text, address = _string(part.get("text")), _string(part.get("href"))
    return f"{text} ({address})" if address and address != text else text


def _question(poll: object) -> str:
    """What a poll asks, and the answers that it offers."""
    if not isinstance(poll, dict):
        return ""
    answers = poll.get("answers")
    offered = [_text(one.get("text")) for one in answers if isinstance(one, dict)] if isinstance(answers, list) else []
    return "\n".join(part for part in (_text(poll.get("question")), *offered) if part)


def _my_name(value: object) -> str:
    if not isinstance(value, dict):
        return ""
    return one_line(" ".join(_string(value.get(part)) for part in ("first_name", "last_name")))


def _string(value: object) -> str:
    return value if isinstance(value, str) else ""
