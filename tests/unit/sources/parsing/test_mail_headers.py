"""Headers as mail programs really write them (RFC 2047 and what breaks it)."""

from __future__ import annotations

from base64 import b64encode
from email.headerregistry import HeaderRegistry

import pytest

from app.sources.parsing.mailbox import parse
from app.sources.parsing.sniffing import Format, sniff
from tests.unit.sources.makers import about

ZH, JA = "关于下周三的项目会议安排通知", "来週の会議について"


def word(text: str, charset: str, label: str = "") -> bytes:
    return b"=?" + (label or charset).encode() + b"?B?" + b64encode(text.encode(charset)) + b"?="


def cut(text: str, charset: str, at: int) -> bytes:
    """One text in two words that are cut in the middle of a character."""
    data = text.encode(charset)
    return b"\n ".join(b"=?%s?B?%s?=" % (charset.encode(), b64encode(part)) for part in (data[:at], data[at:]))


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (word(ZH, "gbk"), ZH),
        (word("朱镕基会议", "gbk", "gb2312"), "朱镕基会议"),
        (word(JA, "iso-2022-jp", "ISO-2022-JP"), JA),
        (word(ZH, "gbk", "unknown-8bit"), ZH),
        (word(ZH, "utf-8", "unknown-8bit"), ZH),
        (word(ZH, "gbk", "x-unknown"), ZH),
        (word(ZH, "utf-8", "utf-8*zh"), ZH),
        (ZH.encode("gbk"), ZH),
        (ZH.encode(), ZH),
        (JA.encode("iso-2022-jp"), JA),
        (b"=?gbk?Q?" + ZH.encode("gbk") + b"?=", ZH),
        (word(ZH, "utf-8")[:-2], ZH),
        (b"Re:" + word(ZH, "utf-8"), f"Re:{ZH}"),
        (word(ZH, "gbk") * 2, ZH * 2),
        (cut(ZH, "gbk", 7), ZH),
        (cut(ZH, "utf-8", 10), ZH),
        (b"=?utf-8?Q?hello big world?=", "hello big world"),
        (b"=?utf-8?q?a_b=20c?=", "a b c"),
        (b"what is =?this", "what is =?this"),
        (b"=?utf-8?B?%%%%?= end", "end"),
    ],
)
def test_a_subject_is_read_as_it_was_meant(raw, text):
    data = b"From: a@b.c\nSubject: " + raw + b"\nMessage-ID: <1@b>\n\ntext"
    assert parse(data, about("m.eml")).entries[0].title == text


def test_a_name_in_any_encoding():
    data = b"From: " + ZH.encode("gbk") + b" <z@b.cn>\nTo: " + cut(ZH, "gbk", 7) + b" <x@b.cn>\nSubject: s\n\ntext"
    assert [person.name for person in parse(data, about("m.eml")).entries[0].people] == [ZH, ZH]


@pytest.mark.parametrize("subject", ["look %PDF-1.4 here", "SQLite format 3", "<!DOCTYPE html>", "BEGIN:VCALENDAR"])
def test_a_mail_is_one_whatever_its_subject_looks_like(subject):
    data = f"Subject: {subject}\nFrom: a@b.c\n\ntext".encode()
    assert sniff(data, "m.eml", 1000).format is Format.MAIL


def test_a_header_is_taken_apart_once_for_all_that_it_says(monkeypatch):
    taken: list[str] = []
    take = HeaderRegistry.__call__

    def counting(registry, name, value):
        taken.append(f"{name}: {value}")
        return take(registry, name, value)

    monkeypatch.setattr(HeaderRegistry, "__call__", counting)
    parts = (f"Content-Type: text/{kind}; charset=utf-8; x=once\n\n下周三开会\n" for kind in ("plain", "html"))
    body = "--once\n" + "--once\n".join(parts) + "--once--\n"
    head = "From: a@b.c\nSubject: s\nContent-Type: multipart/alternative; boundary=once\n\n"
    parsed = parse((head + body).encode(), about("m.eml"))
    assert parsed.entries[0].blocks[0].text == "下周三开会"
    assert sorted(set(taken)) == sorted(taken)
    assert len([header for header in taken if "once" in header]) == 3
