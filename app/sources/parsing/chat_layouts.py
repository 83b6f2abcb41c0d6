"""Chats as lines of text: WhatsApp, Signal, QQ and WeChat, each in the layouts that their exports have (G1.1).

A layout is the form of the line with which a message begins. The one that begins most lines is the file's; lines that
do not begin a message belong to the one above. Log files and diaries look alike, so a form that they share counts only
with two people who speak by turns.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.domain.text import msg
from app.sources.parsing.blocks import one_line
from app.sources.parsing.chat_messages import Conversation, Export, Message
from app.sources.parsing.chat_senders import (
    is_media,
    is_notice,
    is_system_account,
    sender_of,
    title_from_name,
    without_edited,
    without_marks,
)
from app.sources.parsing.chat_stamps import DATE, STAMP, TIME, RawDate, decide, instant

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from app.domain.text import Text
    from app.sources.parsing.parsed import About

CHAT_FACTOR = 2
"""Of a chat so many times the characters of another text are read: it is cut into days, and each is short."""
_HEAD_CHARS = 400
_SAMPLE_LINES = 2_000
_PRELUDE_LINES = 16
_FEW = 3
_ACCOUNT = r"(?:[(（](?P<id>\d{5,20})[)）]|[<《](?P<mail>[^<>《》\s]{3,80})[>》])"
_NAME = r"(?P<name>\S(?:.{0,58}?\S)?)"
_SPACE = "[\\s\u00a0\u202f\u2005\u3000]"


@dataclass(frozen=True, slots=True)
class Layout:
    """One form of the first line of a message.

    Attributes:
        head: what stands before the text of the message.
        app: whose it is; None where several programs write it.
        is_inline: whether the message goes on in the same line.
        names_inside: whether the sender still stands in what follows ("Ann: hello").
        is_plain: whether other files than chats look like it.
    """

    name: str
    head: re.Pattern[str]
    app: str | None
    is_inline: bool = True
    names_inside: bool = False
    is_plain: bool = False


_GAP = f"{_SPACE}{{1,4}}"
_END = f"(?:{_SPACE}#\\d{{1,9}})?{_SPACE}{{0,3}}$"
_SAYS = f"{_SPACE}{{0,2}}[:：]{_SPACE}{{0,2}}"
_PLAIN_NAME = r"(?P<name>[^\s:：](?:[^:：]{0,48}?[^\s:：])?)"
_RULE = f"{_SPACE}{{0,9}}[—–─=\\-]{{2,40}}{_SPACE}{{0,9}}"
_DAY_LINE = re.compile(f"{_RULE}{DATE}{_RULE}$")
LAYOUTS = (
    Layout("brackets", re.compile(rf"\[{STAMP}\]{_SPACE}{{0,2}}"), None, names_inside=True),
    Layout("comma", re.compile(f"{DATE}[,，]{_GAP}{TIME}{_SPACE}[-–]{_SPACE}"), "whatsapp", names_inside=True),
    Layout("dash", re.compile(f"{STAMP}{_SPACE}[-–]{_SPACE}"), "whatsapp", names_inside=True, is_plain=True),
    Layout("stamp_account", re.compile(f"{STAMP}{_GAP}{_NAME}{_ACCOUNT}{_END}"), "qq", is_inline=False),
    Layout("account_stamp", re.compile(f"{_NAME}{_ACCOUNT}{_GAP}{STAMP}{_END}"), "qq", is_inline=False),
    Layout("name_in_front", re.compile(f"{_NAME}{_SPACE}{{0,2}}[(（]{STAMP}[)）]{_SAYS}"), "wechat"),
    Layout("day_lines", re.compile(f"{_NAME}{_GAP}{TIME}{_END}"), "wechat", is_inline=False),
    Layout("name_stamp", re.compile(f"{_NAME}{_GAP}{STAMP}{_END}"), None, is_inline=False, is_plain=True),
    Layout("stamp_name", re.compile(f"{STAMP}{_GAP}{_PLAIN_NAME}{_END}"), None, is_inline=False, is_plain=True),
    Layout("one_line", re.compile(f"{STAMP}{_GAP}{_PLAIN_NAME}{_SAYS}"), None, is_plain=True),
)
_QQ_HEADED = Layout(
    "qq", re.compile(f"{STAMP}{_GAP}(?:【[^【】]{{1,20}}】)?{_NAME}{_ACCOUNT}?{_END}"), "qq", is_inline=False
)
"""Under the head of QQ's message manager; friends stand there without their numbers."""
_LOG_WORD = re.compile(r"[a-z0-9_.\-/\[\]]+|[A-Z]{4,8}", re.ASCII)
_QQ_HEAD = "消息记录（此消息记录为文本格式"
_QQ_TALK = re.compile(r"消息对象[:：]\s?(.{1,200})")
_QQ_RULE = re.compile(r"={10,100}\s*$|消息分组[:：]|消息记录（")


def layout_of(text: str, name: str) -> Layout | None:
    """The layout in which a text is a chat; None for any other text."""
    lines = [line for line in map(without_marks, text.split("\n", _SAMPLE_LINES)[:_SAMPLE_LINES]) if line.strip()]
    if not lines or name.lower().endswith((".log", ".ics", ".csv", ".tsv")):
        return None
    if any(line.startswith(_QQ_HEAD) for line in lines[:_PRELUDE_LINES]):
        return _QQ_HEADED if any(_QQ_HEADED.head.match(line[:_HEAD_CHARS]) for line in lines) else None
    found: list[tuple[int, Layout]] = []
    for layout in LAYOUTS:
        # every text is asked, and most are none by their first lines
        if not any(layout.head.match(line[:_HEAD_CHARS]) for line in lines[:_PRELUDE_LINES]):
            continue
        if layout.name == "day_lines" and not any(_DAY_LINE.match(line[:_HEAD_CHARS]) for line in lines):
            continue
        heads = [match for line in lines if (match := layout.head.match(line[:_HEAD_CHARS]))]
        if _is_chat(layout, heads, lines, is_hinted=title_from_name(name) is not None):
            found.append((len(heads), layout))
    return max(found, key=lambda one: one[0])[1] if found else None


def _is_chat(layout: Layout, heads: Sequence[re.Match[str]], lines: Sequence[str], *, is_hinted: bool) -> bool:
    senders = [sender for match in heads if (sender := _sender(layout, match))]
    if not senders or sum(_LOG_WORD.fullmatch(sender) is not None for sender in senders) * 2 > len(senders):
        return False
    if is_hinted and layout.names_inside:
        return True
    if not layout.is_plain:
        return len(heads) >= (2 if layout.names_inside else 1)
    has_seconds = all(match["s"] for match in heads)
    takes_turns = 2 <= len(set(senders)) < len(senders)  # noqa: PLR2004 - two people
    is_dense = len(heads) * (2 if layout.is_inline else 4) >= len(lines)
    return len(heads) >= _FEW and takes_turns and is_dense and (has_seconds or layout.name == "dash")


def _sender(layout: Layout, match: re.Match[str]) -> str:
    if layout.names_inside:
        return sender_of(match.string[match.end() :])[0]
    return match["name"]


@dataclass(slots=True)
class _Draft:
    """A message while its lines are gathered."""

    match: re.Match[str]
    date: RawDate
    talk: str
    first_line: int
    lines: list[str]


def read(text: str, about: About) -> Export | None:
    """The conversations of a text; None when it is no chat."""
    layout = layout_of(text, about.name)
    if layout is None:
        return None
    whole, limit = text, CHAT_FACTOR * about.limits.text_chars
    text = whole[: whole.rfind("\n", 0, limit) + 1 or limit] if len(whole) > limit else whole
    drafts = list(_drafts(text, layout))
    decision = decide([draft.date for draft in drafts]) if drafts else None
    if decision is None:
        return None
    talks: dict[str, list[Message]] = {}
    for draft in drafts:
        at = instant(draft.date, draft.match, decision.order, about.zone)
        if at is not None:
            talks.setdefault(draft.talk, []).append(_message(layout, draft, at))
    app = layout.app or _app_of(layout, talks, about.name)
    title = title_from_name(about.name) or ""
    conversations = [Conversation(app, one_line(talk) or title, messages) for talk, messages in talks.items()]
    warnings = () if decision.is_certain else _doubt()
    if len(text) < len(whole):
        warnings += (msg("Only the first {count} characters were taken in; the rest is too long.", count=len(text)),)
    return Export(conversations, warnings)


def _doubt() -> tuple[Text, ...]:
    return (
        msg(
            "Its dates do not tell which number is the day and which the month; the day was taken to stand first. "
            "Export the chat again with another date format if that is wrong."
        ),
    )


def _drafts(text: str, layout: Layout) -> Iterable[_Draft]:
    """Messages with their lines; what stands before the first one belongs to none."""
    current: _Draft | None = None
    day: RawDate | None = None
    talk = ""
    for number, raw in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), start=1):
        line = without_marks(raw)
        head = line[:_HEAD_CHARS]
        if layout.name == "day_lines" and (found := _DAY_LINE.match(head)):
            day = RawDate.of(found)
            continue
        if layout.app == "qq" and (named := _QQ_TALK.match(head)):
            talk = named[1].strip()
            continue
        if (layout.app == "qq" and _QQ_RULE.match(head)) or (layout.name == "day_lines" and day is None):
            continue
        match = layout.head.match(head)
        if match is None:
            if current is not None:
                current.lines.append(line)
            continue
        if current is not None:
            yield current
        date = day if layout.name == "day_lines" and day is not None else RawDate.of(match)
        rest = [line[match.end() :]] if layout.is_inline else []
        current = _Draft(match, date, talk, number, rest)
    if current is not None:
        yield current


def _message(layout: Layout, draft: _Draft, at: datetime) -> Message:
    text = without_edited("\n".join(draft.lines).rstrip())
    account = ""
    if layout.names_inside:
        sender, text = sender_of(text)
        sender = "" if is_notice(text) else sender
    else:
        sender = draft.match["name"].strip()
        groups = draft.match.groupdict()
        account = groups.get("id") or groups.get("mail") or ""
        if layout.app == "qq" and is_system_account(account):
            sender, account = "", ""
    used = len(text.rstrip().split("\n")) if layout.is_inline else len("\n".join(draft.lines).rstrip().split("\n")) + 1
    return Message(
        at=at,
        sender=one_line(sender),
        text=text.strip(),
        account=account,
        first_line=draft.first_line,
        last_line=draft.first_line + max(0, used - 1),
        is_media=is_media(text.strip()),
    )


def _app_of(layout: Layout, talks: dict[str, list[Message]], name: str) -> str:
    lowered = name.lower()
    for app in ("signal", "qq", "wechat", "whatsapp"):
        if app in lowered:
            return app
    if "微信" in name:
        return "wechat"
    if layout.name == "brackets":
        has_me = any(message.sender == "Me" for messages in talks.values() for message in messages)
        return "signal" if has_me else "whatsapp"
    return "chat"
