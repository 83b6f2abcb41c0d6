"""WeChat chats as tables (CSV), as programs that read its database write them; and other tables of messages."""

from __future__ import annotations

import csv
import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from app.sources.parsing.blocks import one_line
from app.sources.parsing.chat_formats import SENDER_COLUMNS, TEXT_COLUMNS, TIME_COLUMNS
from app.sources.parsing.chat_messages import Conversation, Export, Message
from app.sources.parsing.chat_senders import is_media
from app.sources.parsing.dates import read_instant, storable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from app.sources.parsing.parsed import About

_TALK_COLUMNS = ("talkerid", "talker", "会话", "聊天对象", "群聊", "room", "conversation", "chat")
_WECHAT_COLUMNS = ("strtime", "talkerid", "微信昵称")
_NAME_COLUMNS = ("remark", "备注", "nickname", "昵称", "微信昵称")
_ACCOUNT = re.compile(r"wxid_[A-Za-z0-9_\-]{1,60}|[A-Za-z0-9_\-]{5,40}@openim")
_OWN_COLUMNS = ("issender", "是否自己", "isself")
_UNIX = re.compile(r"\d{10}(?:\d{3})?")
_SECONDS_DIGITS = 10


def read(text: str, about: About) -> Export | None:
    """The conversations of a table; None when its rows are none."""
    lines = text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n").replace("\0", "").split("\n")
    delimiter = max(",\t;", key=lines[0].count)
    try:
        rows = list(csv.reader((f"{line}\n" for line in lines), delimiter=delimiter))
    except csv.Error:
        return None
    columns = {cell.strip().replace(" ", "").replace("_", "").lower(): place for place, cell in enumerate(rows[0])}
    talks: dict[str, list[Message]] = {}
    me = ""
    for talk, message, is_own in _messages(rows[1:], columns, about):
        talks.setdefault(talk, []).append(message)
        me = message.sender if is_own else me
    is_wechat = "微信" in about.name or any(name in columns for name in _WECHAT_COLUMNS)
    app = "wechat" if is_wechat else "chat"
    return Export([Conversation(app, talk if len(talks) > 1 else "", found, talk, me) for talk, found in talks.items()])


def _messages(
    rows: Sequence[Sequence[str]], columns: Mapping[str, int], about: About
) -> Iterator[tuple[str, Message, bool]]:
    talks = tuple(name for name in _TALK_COLUMNS if name not in SENDER_COLUMNS or "sender" in columns)
    for row in rows:
        cells = {name: row[place].strip() for name, place in columns.items() if place < len(row)}
        at = _time(cells, about)
        if at is None:
            continue
        talk = _first(cells, talks)
        sender = _first(cells, SENDER_COLUMNS)
        called = _first(cells, _NAME_COLUMNS)
        is_id = bool(called) and _ACCOUNT.fullmatch(sender) is not None
        text = _first(cells, TEXT_COLUMNS)
        is_own = _first(cells, _OWN_COLUMNS).lower() in {"1", "true", "是"}
        is_other = is_media(text) or not text or (cells.get("type", "1") != "1" and text.startswith("<"))
        name = one_line(called if is_id else sender) or "?"
        yield talk, Message(at, name, text, account=sender if is_id else "", is_media=is_other), is_own


def _first(cells: Mapping[str, str], names: Sequence[str]) -> str:
    return next((cells[name] for name in names if cells.get(name)), "")


def _time(cells: Mapping[str, str], about: About) -> datetime | None:
    for name in TIME_COLUMNS:
        value = cells.get(name, "")
        if _UNIX.fullmatch(value):
            return storable(
                datetime.fromtimestamp(int(value[:_SECONDS_DIGITS]), UTC).astimezone(about.zone), about.zone
            )
        if value and (at := read_instant(_padded(value), about.zone)) is not None:
            return at
    return None


_CLOCK = re.compile(r"(\d{1,2}):(\d\d)(:\d\d)?$")


def _padded(value: str) -> str:
    """`2024/5/1 9:05` with two digits for the hour."""
    return _CLOCK.sub(lambda match: f"{int(match[1]):02d}:{match[2]}{match[3] or ''}", value.strip())
