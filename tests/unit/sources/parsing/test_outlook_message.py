"""Outlook's messages: the same facts, people, quotes and attachments as of a mail in its usual form (G1.1)."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from app.domain.entries import PersonRef
from app.domain.errors import Unreadable
from app.domain.labels import EntryKind
from app.sources.parsing.compressed_rtf import unpacked_rtf
from app.sources.parsing.dispatch import parse_content
from tests.unit.sources.makers import about
from tests.unit.sources.parsing.compound_file import Folder, compound_file, data, numbers, old_text, text

SENT = datetime(2025, 5, 14, 2, 0, tzinfo=UTC)
TICKS = int((SENT - datetime(1601, 1, 1, tzinfo=UTC)).total_seconds()) * 10_000_000


def person(name: str, address: str, kind: int) -> Folder:
    return Folder({**text(0x3001, name), **text(0x39FE, address), **numbers(8, kind=(0x0003_0C15, kind))})


def message(**more) -> Folder:
    items = {
        **text(0x0037, "周报, “五月”"),
        **text(0x1000, "报告已发。\r\n\r\nThe report is out."),
        **text(0x0C1A, "Zhang, San 张三"),
        **text(0x5D01, "zhangsan@example.com"),
        **numbers(32, sent=(0x0040_0039, TICKS)),
        "__recip_version1.0_#00000000": person("李四", "lisi@example.com", 1),
        "__recip_version1.0_#00000001": person("Ann Lee", "ann@example.com", 2),
        "__nameid_version1.0": Folder({"__substg1.0_00020102": b""}),
    }
    return Folder({**items, **more})


def read(root: Folder):
    return parse_content(compound_file(root), about("会议.msg"))


def texts(parsed) -> list[str]:
    return [block.text for block in parsed.entries[0].blocks]


def test_who_when_and_what():
    parsed = read(message())
    entry = parsed.entries[0]
    assert entry.kind is EntryKind.MAIL
    assert entry.title == "周报, “五月”"
    assert entry.event_time == SENT
    assert entry.people == (
        PersonRef("Zhang, San 张三", "zhangsan@example.com", "author"),
        PersonRef("李四", "lisi@example.com", "recipient"),
        PersonRef("Ann Lee", "ann@example.com", "recipient"),
    )
    assert texts(parsed) == ["报告已发。", "The report is out."]
    assert parsed.format == "mail"
    assert (parsed.facts["subject"], parsed.facts["attachments"]) == ("周报, “五月”", 0)


def test_attachments_are_named_and_read_and_enclosed_messages_too():
    enclosed = Folder({**text(0x0037, "Older"), **text(0x1000, "Inner 内容"), **numbers(24)})
    attachments = {
        "__attach_version1.0_#00000000": Folder(
            {**text(0x3707, "笔记.txt"), **data(0x3701, "第一行\n".encode() * 800), **numbers(8)}
        ),
        "__attach_version1.0_#00000001": Folder({**text(0x3001, "Older"), "__substg1.0_3701000D": enclosed}),
    }
    parsed = read(message(**attachments))
    assert parsed.facts["attachments"] == 2
    assert parsed.entries[0].metadata["attachments"] == "笔记.txt, Older"
    joined = "\n".join(texts(parsed))
    assert "第一行" in joined
    assert "Inner 内容" in joined


def test_texts_of_before_unicode_are_read_in_their_code_page():
    root = Folder(
        {
            **old_text(0x0037, "通知".encode("gbk")),
            **old_text(0x1000, "明天开会。".encode("gbk")),
            **numbers(32, page=(0x0003_3FFD, 936)),
        }
    )
    parsed = read(root)
    assert (parsed.entries[0].title, texts(parsed)) == ("通知", ["明天开会。"])


def test_the_header_that_a_message_came_with_is_believed_before_what_outlook_made_of_it():
    header = (
        "Message-ID: <a1@example.com>\r\nFrom: Bob <bob@example.com>\r\nIn-Reply-To:\r\n <a0@example.com>\r\nX: y\r\n"
    )
    parsed = read(message(**text(0x007D, header)))
    entry = parsed.entries[0]
    assert entry.people[0] == PersonRef("Bob", "bob@example.com", "author")
    assert entry.metadata["message_id"] == "a1@example.com"
    assert entry.metadata["in_reply_to"] == "a0@example.com"


def test_a_subject_cannot_bring_a_header_of_its_own():
    parsed = read(message(**text(0x0037, "Hi\r\nFrom: boss@example.com\r\n\r\nPay now")))
    assert parsed.entries[0].people[0].address == "zhangsan@example.com"
    assert parsed.entries[0].title == "Hi From: boss@example.com Pay now"


def test_a_message_with_rich_text_alone():
    rich = rb"{\rtf1\ansi\ansicpg936 \'c4\'e3\'ba\'c3 there\par}"
    stored = (len(rich) + 12).to_bytes(4, "little") + len(rich).to_bytes(4, "little") + b"MELA" + bytes(4) + rich
    parsed = read(Folder({**text(0x0037, "Rich"), **data(0x1009, stored), **numbers(32)}))
    assert texts(parsed) == ["你好 there"]


def test_packed_rich_text_repeats_what_it_had():
    # 17 letters of which the last ones refer to the first (the second example of MS-OXRTFCP, section 4.2)
    packed = bytes.fromhex("1a0000001c0000004c5a4675e2d44b51410004205758595a0d6e7d010eb0")
    assert unpacked_rtf(packed, 1000) == b"{\\rtf1 WXYZWXYZWXYZWXYZWXYZ}"


def test_a_broken_one_is_refused():
    whole = compound_file(message())
    with pytest.raises(Unreadable):
        parse_content(whole[:700], about("a.msg"))
    for cut in range(600, len(whole), 1_500):
        try:
            parse_content(whole[:cut], about("a.msg"))
        except Unreadable:
            continue
