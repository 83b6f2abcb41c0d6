"""Chat exports: what programs write when one asks them for a conversation, cut into one entry for each day (G1.1).

A day of a conversation is an entry whose blocks are its messages, each beginning with who says it. Its identity is the
conversation and the day, and its hash is made of the messages alone, so a longer export of the same chat changes the
day on which the shorter one ended and adds the days after it. How each program writes is in the modules beside this
one; here is only what they have in common.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, cast

from app.domain.entries import Block, PersonRef, Place
from app.domain.labels import BlockKind, EntryKind
from app.domain.text import msg
from app.sources.parsing import plain_text, program_text
from app.sources.parsing.blocks import clean, one_line
from app.sources.parsing.chat_formats import chat_format
from app.sources.parsing.chat_layouts import CHAT_FACTOR
from app.sources.parsing.parsed import Parsed, ParsedEntry
from app.sources.parsing.refusals import unreadable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import date

    from app.domain.errors import Unreadable
    from app.domain.text import Text
    from app.sources.parsing.chat_messages import Conversation, Export, Message
    from app.sources.parsing.encodings import Decoded
    from app.sources.parsing.parsed import About

_MODULES = {
    "telegram": "app.sources.parsing.telegram",
    "meta": "app.sources.parsing.chat_threads",
    "wechat_table": "app.sources.parsing.wechat_table",
}
_NAMES_IN_TITLE = 4
_ID_CHARS = 16
_MOST_PEOPLE = 200
_SAMPLE_BLOCKS, _SAMPLE_CHARS = 50, 200
_HAN = re.compile("[\u4e00-\u9fff]")
_KANA = re.compile("[\u3040-\u30ff\uac00-\ud7a3]")


def parse(decoded: Decoded, about: About) -> Parsed:
    """Read an export; a text that turns out to be none is read as the text that it is."""
    export = read(decoded.text, about)
    if export is None or not any(conversation.messages for conversation in export.conversations):
        if about.kind == "chat":
            raise no_chat()
        is_code = about.name.lower().endswith(".json")
        return program_text.parse(decoded, about) if is_code else plain_text.parse(decoded, about)
    entries: dict[str, ParsedEntry] = {}
    is_single = len(export.conversations) == 1
    warnings = [*plain_text.decoding_warnings(decoded), *export.warnings]
    left_chars = CHAT_FACTOR * about.limits.text_chars
    for conversation in export.conversations:
        for entry in _days(conversation, about, is_single=is_single):
            left_chars -= sum(len(block.text) for block in entry.blocks)
            if left_chars < 0 or len(entries) >= about.limits.entries:
                warnings.append(msg("Only the first {count} days were taken in.", count=len(entries)))
                return _parsed(export, entries, warnings)
            entries[entry.fragment] = entry
    return _parsed(export, entries, warnings)


def no_chat() -> Unreadable:
    """The error for other files in a folder of chats."""
    return unreadable(
        msg("It is no chat export that Famulus knows."),
        msg("Add its folder as a source of the kind files if it should be read."),
    )


def read(text: str, about: About) -> Export | None:
    """The conversations of an export; None for any other text."""
    found = chat_format(text, about.name)
    if found is None:
        return None
    module = import_module(_MODULES.get(found, "app.sources.parsing.chat_layouts"))
    reader = cast("Callable[[str, About], Export | None]", module.read)
    return reader(text, about)


def _parsed(export: Export, entries: dict[str, ParsedEntry], warnings: Sequence[Text]) -> Parsed:
    messages = [message for conversation in export.conversations for message in conversation.messages]
    facts: dict[str, str | int] = {
        "app": export.conversations[0].app,
        "conversations": len(export.conversations),
        "messages": len(messages),
        "participants": len({message.sender for message in messages if message.sender}),
    }
    return Parsed("chat", tuple(entries.values()), warnings=tuple(warnings), facts=MappingProxyType(facts))


def _days(conversation: Conversation, about: About, *, is_single: bool) -> Iterable[ParsedEntry]:
    by_day: dict[date, list[Message]] = {}
    for message in conversation.messages:
        by_day.setdefault(message.at.date(), []).append(message)
    names = tuple(dict.fromkeys(message.sender for message in conversation.messages if message.sender))
    title = one_line(conversation.title) or _named_after(names, conversation.me) or one_line(about.stem)
    # who came later must not give the conversation another identity
    thread = f"{conversation.app}:{conversation.own_id or one_line(conversation.title) or ', '.join(names[:2])}"
    whos = dict.fromkeys(_who(message, conversation.app) for message in conversation.messages if message.sender)
    people = {who: one_line(who[0]) for who in whos}
    me = conversation.me or about.options.get("me", "").strip()
    for day, messages in by_day.items():
        fragment = day.isoformat() if is_single else f"{thread}/{day.isoformat()}"
        yield _day(_Frame(conversation.app, title, thread, fragment, me), messages, people)


@dataclass(frozen=True, slots=True)
class _Frame:
    app: str
    title: str
    thread: str
    fragment: str
    me: str


def _day(frame: _Frame, messages: list[Message], people: Mapping[tuple[str, str], str]) -> ParsedEntry:
    digest = hashlib.sha256()
    blocks: list[Block] = []
    for message in messages:
        own_id = _id(message)
        digest.update(f"\0{own_id}\0{message.sender}\0{message.text}".encode("utf-8", "surrogatepass"))
        if message.is_media or not message.text.strip():
            continue
        text = f"{message.sender}: {message.text}" if message.sender else message.text
        place = Place(first_line=message.first_line, last_line=message.last_line, message_id=own_id)
        blocks.append(Block(BlockKind.PARAGRAPH, clean(text).strip(), place))
    writing = {_who(message, frame.app) for message in messages if message.sender}
    # first those who wrote that day: a large group must not leave them out
    present = sorted(people.items(), key=lambda one: one[0] not in writing)[:_MOST_PEOPLE]
    metadata = {"app": frame.app, "conversation": frame.title, "messages": str(len(messages))}
    if media := sum(message.is_media for message in messages):
        metadata["media"] = str(media)
    if frame.me:
        metadata["me"] = one_line(frame.me)
    times = [message.at for message in messages]
    return ParsedEntry(
        kind=EntryKind.CHAT,
        title=frame.title,
        blocks=tuple(blocks),
        fragment=frame.fragment,
        content_hash=digest.hexdigest(),
        created_at=min(times),
        updated_at=max(times),
        event_time=times[0],
        language=_language(blocks),
        people=tuple(PersonRef(name, who[1], "author" if who in writing else "recipient") for who, name in present),
        thread=frame.thread,
        metadata=MappingProxyType(metadata),
    )


def _who(message: Message, app: str) -> tuple[str, str]:
    """Name and account; a number tells who it is within its program alone, as it does on a contact card."""
    account = message.account
    return message.sender, f"{app}:{account}" if account and "@" not in account else account


def _language(blocks: Sequence[Block]) -> str | None:
    """`zh` where Chinese characters prevail, so that the day stands in Chinese before each message; else open."""
    sample = "".join(block.text[:_SAMPLE_CHARS] for block in blocks[:_SAMPLE_BLOCKS])
    if _KANA.search(sample):
        return None
    letters = sum(character.isalpha() for character in sample)
    return "zh" if letters and len(_HAN.findall(sample)) * 3 >= letters else None


def _named_after(names: Sequence[str], me: str) -> str:
    """A conversation without a name is called after those in it."""
    others = [name for name in names if name != me] or list(names)
    shown = ", ".join(others[:_NAMES_IN_TITLE])
    return one_line(f"{shown} …" if len(others) > _NAMES_IN_TITLE else shown)


def _id(message: Message) -> str:
    """An id that the same message has in every export."""
    if message.message_id is not None:
        return message.message_id
    parts = f"{message.at.isoformat()}\0{message.sender}\0{message.text}"
    return hashlib.sha256(parts.encode("utf-8", "surrogatepass")).hexdigest()[:_ID_CHARS]
