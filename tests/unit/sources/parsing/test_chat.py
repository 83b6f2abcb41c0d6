"""Chat exports of several programs become one entry for each day of a conversation (G1.1, X9.3)."""

from __future__ import annotations

import json
from datetime import datetime
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.errors import Unreadable
from app.domain.labels import EntryKind
from app.sources.parsing.chat_formats import chat_format
from app.sources.parsing.chat_stamps import Order, RawDate, decide
from app.sources.parsing.dispatch import parse_content
from app.sources.parsing.limits import ParseLimits
from app.sources.parsing.parsed import About

if TYPE_CHECKING:
    from collections.abc import Mapping

    from app.sources.parsing.parsed import Parsed

ZONE = ZoneInfo("Asia/Shanghai")


def parsed(text: str | bytes, name: str, options: Mapping[str, str] | None = None) -> Parsed:
    window = (datetime(2020, 1, 1, tzinfo=ZONE), datetime(2029, 1, 1, tzinfo=ZONE))
    about = About(name, ZONE, window, ParseLimits(), options=options or {})
    return parse_content(text.encode() if isinstance(text, str) else text, about)


def said(result: Parsed) -> list[str]:
    return [block.text for entry in result.entries for block in entry.blocks]


def stamps(result: Parsed) -> list[str]:
    return [f"{entry.event_time:%Y-%m-%d %H:%M}" for entry in result.entries if entry.event_time]


WHATSAPP = {
    "ios": "[14/05/24, 9:05:03 PM] Ann: The boat is booked.\n[15/05/24, 8:00:00 AM] Ben: Good!\n",
    "ios, marks": "\u200e[14/05/24, 9:05:03\u202fPM] Ann: The boat is booked.\n"
    "\u200e[15/05/24, 8:00:00 AM] Ben: Good!\n",
    "android": "14/05/2024, 21:05 - Ann: The boat is booked.\n15/05/2024, 08:00 - Ben: Good!\n",
    "us": "5/14/24, 9:05 PM - Ann: The boat is booked.\n5/15/24, 8:00 AM - Ben: Good!\n",
    "german": "14.05.24, 21:05 - Ann: The boat is booked.\n15.05.24, 08:00 - Ben: Good!\n",
    "spanish": "14/5/24, 9:05 p. m. - Ann: The boat is booked.\n15/5/24, 8:00 a. m. - Ben: Good!\n",
    "year first": "2024/05/14, 21:05 - Ann: The boat is booked.\n2024/05/15, 08:00 - Ben: Good!\n",
    "korean": "[2024. 5. 14. 오후 9:05:03] Ann: The boat is booked.\n[2024. 5. 15. 오전 8:00:10] Ben: Good!\n",
    "japanese": "[2024/05/14 午後9:05:03] Ann: The boat is booked.\n[2024/05/15 午前8:00:10] Ben: Good!\n",
    "czech": "14. 5. 2024, 21:05 - Ann: The boat is booked.\n15. 5. 2024, 8:00 - Ben: Good!\n",
    "chinese": "[2024/5/14 下午9:05:03] Ann: The boat is booked.\n[2024/5/15 上午8:00:10] Ben: Good!\n",
}


@pytest.mark.parametrize("layout", WHATSAPP)
def test_whatsapp_in_its_layouts(layout: str) -> None:
    result = parsed(WHATSAPP[layout], "WhatsApp Chat with Ann.txt")
    assert stamps(result) == ["2024-05-14 21:05", "2024-05-15 08:00"]
    assert said(result) == ["Ann: The boat is booked.", "Ben: Good!"]
    first = result.entries[0]
    assert (first.kind, first.title, first.thread) == (EntryKind.CHAT, "Ann", "whatsapp:Ann")
    assert [(person.name, person.role) for person in first.people] == [("Ann", "author"), ("Ben", "recipient")]
    assert first.blocks[0].place.first_line == 1
    assert first.blocks[0].place.message_id
    assert not result.warnings


def test_lines_that_begin_no_message_belong_to_the_one_above() -> None:
    text = (
        "14/05/2024, 21:04 - Messages and calls are end-to-end encrypted. Tap: learn more\n"
        "14/05/2024, 21:05 - Ann: Two things:\n1. the boat\n\n2. the tent\n"
        "14/05/2024, 21:06 - Ben: <Media omitted>\n"
        '14/05/2024, 21:07 - Ann changed the subject to "Trip: day 2"\n'
    )
    result = parsed(text, "WhatsApp Chat - Trip.txt")
    (entry,) = result.entries
    assert said(result)[1] == "Ann: Two things:\n1. the boat\n\n2. the tent"
    assert (entry.blocks[1].place.first_line, entry.blocks[1].place.last_line) == (2, 5)
    assert {person.name for person in entry.people} == {"Ann", "Ben"}
    assert entry.metadata["media"] == "1"
    assert said(result)[-1].startswith("Ann changed the subject")


def test_a_longer_export_of_the_same_chat_only_adds_days() -> None:
    short = WHATSAPP["android"]
    longer = short + "16/05/2024, 10:00 - Cem: I am new here\n"
    before = {entry.fragment: entry.content_hash for entry in parsed(short, "WhatsApp Chat with Ann.txt").entries}
    after = {entry.fragment: entry.content_hash for entry in parsed(longer, "WhatsApp Chat with Ann.txt").entries}
    assert before.items() < after.items()
    assert len(after) == 3
    unnamed = [parsed(text, "_chat.txt").entries[0].thread for text in (short, longer)]
    assert unnamed[0] == unnamed[1]


@pytest.mark.parametrize(
    ("dates", "order", "is_certain"),
    [
        ([(1, 2, 24, "/"), (1, 20, 24, "/")], Order.MONTH_FIRST, True),
        ([(1, 2, 24, "/"), (20, 2, 24, "/")], Order.DAY_FIRST, True),
        ([(1, 2, 24, "/"), (1, 3, 24, "/"), (2, 1, 24, "/")], Order.MONTH_FIRST, True),
        ([(1, 2, 24, "/"), (2, 2, 24, "/"), (1, 3, 24, "/")], Order.DAY_FIRST, True),
        ([(1, 2, 24, "."), (1, 3, 24, ".")], Order.DAY_FIRST, True),
        ([(2024, 2, 1, "/")], Order.YEAR_FIRST, True),
        ([(1, 2, 24, "/")], Order.DAY_FIRST, False),
    ],
)
def test_the_whole_file_decides_which_number_is_the_day(
    dates: list[tuple[int, int, int, str]], order: Order, is_certain: bool
) -> None:
    decision = decide([RawDate(*date) for date in dates])
    assert (decision.order, decision.is_certain) == (order, is_certain)


def test_a_doubt_about_dates_is_told() -> None:
    result = parsed("01/02/24, 21:05 - Ann: hi\n01/02/24, 21:06 - Ben: hi\n", "WhatsApp Chat with Ann.txt")
    assert "which number is the day" in str(result.warnings[0])


QQ = """消息记录（此消息记录为文本格式，不支持重新导入）

================================================================
消息分组:我的好友
================================================================
消息对象:李四
================================================================

2024-05-01 9:00:01 PM 张三(12345678)
船票订好了吗？

2024-05-01 9:01:00 PM 李四<lisi@example.com>
订好了，
周五出发

2024-05-02 0:10:00 系统消息(10000)
你撤回了一条消息
"""


@pytest.mark.parametrize("encoding", ["utf-8", "gbk", "utf-16"])
def test_qq_in_its_encodings(encoding: str) -> None:
    result = parsed(QQ.encode(encoding), "李四.txt")
    assert stamps(result) == ["2024-05-01 21:00", "2024-05-02 00:10"]
    assert said(result) == ["张三: 船票订好了吗？", "李四: 订好了，\n周五出发", "你撤回了一条消息"]
    first = result.entries[0]
    assert (first.title, first.thread) == ("李四", "qq:李四")
    assert {(person.name, person.address) for person in first.people} == {
        ("张三", "qq:12345678"),
        ("李四", "lisi@example.com"),
    }


def test_qq_with_several_conversations_in_one_file() -> None:
    text = QQ + "\n============\n消息对象:王五\n============\n\n2024-05-03 10:00:00 王五(555555)\n在吗\n"
    result = parsed(text, "全部消息记录.txt")
    assert [entry.fragment for entry in result.entries] == [
        "qq:李四/2024-05-01",
        "qq:李四/2024-05-02",
        "qq:王五/2024-05-03",
    ]


WECHAT = {
    "in front": "张三(2024-05-01 12:00:00):周五开会\n李四(2024-05-01 12:01:00):好的\n",
    "name, stamp": "张三 2024-05-01 12:00:00\n周五开会\n\n李四 2024-05-01 12:01:00\n好的\n\n"
    "张三 2024-05-01 12:02:00\n[图片]\n",
    "stamp, name": "2024-05-01 12:00:00 张三\n周五开会\n\n2024-05-01 12:01:00 李四\n好的\n\n"
    "2024-05-01 12:02:00 张三\n[图片]\n",
    "numbered": "张三(123456) 2024/05/01 12:00:00 #1\n周五开会\n\n李四(234567) 2024/05/01 12:01:00 #2\n好的\n",
    "one line": "2024-05-01 12:00:00 张三: 周五开会\n2024-05-01 12:01:00 李四: 好的\n"
    "2024-05-01 12:02:00 张三：[图片]\n",
    "mailed": "微信聊天记录如下:\n\n—————  2024-05-01  —————\n\n张三  12:00\n\n周五开会\n\n李四  12:01\n\n好的\n",
    "table": "localId,TalkerId,IsSender,StrContent,StrTime,Sender\n"
    "1,7,1,周五开会,2024-05-01 12:00:00,张三\n2,7,0,好的,2024-05-01 12:01:00,李四\n",
    "table of another program": "时间,发送人,消息内容,消息类型\n"
    "2024/5/1 12:00,张三,周五开会,文本\n2024/5/1 12:01,李四,好的,文本\n",
}


@pytest.mark.parametrize("layout", WECHAT)
def test_wechat_in_its_layouts(layout: str) -> None:
    result = parsed(WECHAT[layout], "微信 张三.csv" if "table" in layout else "微信 张三.txt")
    assert result.format == "chat"
    assert said(result) == ["张三: 周五开会", "李四: 好的"]
    assert stamps(result) == ["2024-05-01 12:00"]


def test_the_day_of_a_chinese_chat_is_said_in_chinese() -> None:
    assert parsed(WECHAT["in front"], "a.txt").entries[0].language == "zh"
    assert parsed(WHATSAPP["ios"], "_chat.txt").entries[0].language is None


def test_the_table_tells_who_the_user_is() -> None:
    assert parsed(WECHAT["table"], "a.csv").entries[0].metadata["me"] == "张三"


def test_telegram_one_chat() -> None:
    chat = {
        "name": "Boat",
        "type": "private_group",
        "id": 77,
        "messages": [
            {"id": 1, "type": "service", "date_unixtime": "1714564800", "actor": "Ann", "action": "create_group"},
            {"id": 2, "type": "message", "date_unixtime": "1714564860", "from": "Ann", "from_id": "user1",
             "text": ["See ", {"type": "text_link", "text": "this", "href": "https://example.org/"}]},
            {"id": 3, "type": "message", "date": "2024-05-02T09:00:00", "from": "Ben", "text": "ok",
             "forwarded_from": "News"},
            {"id": 4, "type": "message", "date": "2024-05-02T09:01:00", "from": "Ben", "text": "", "photo": "p.jpg"},
        ],
    }  # fmt: skip
    result = parsed(json.dumps(chat), "result.json")
    assert said(result) == ["Ann create group", "Ann: See this (https://example.org/)", "Ben: [News] ok"]
    assert [entry.thread for entry in result.entries] == ["telegram:77"] * 2
    assert [block.place.message_id for block in result.entries[0].blocks] == ["1", "2"]
    assert stamps(result) == ["2024-05-01 20:00", "2024-05-02 09:00"]


def test_telegram_all_chats_and_a_file_cut_short() -> None:
    one = {"name": "Ann", "id": 5, "messages": [{"id": 1, "type": "message", "date": "2024-05-01T10:00:00",
           "date_unixtime": "1714528800", "from": "Ann", "text": "hi"}]}  # fmt: skip
    every = {
        "about": "Here is the data you requested from Telegram.",
        "personal_information": {"first_name": "Zhang", "last_name": "San"},
        "chats": {"list": [one, {**one, "id": 6, "name": "Ben"}, {"id": 7}]},
    }
    result = parsed(json.dumps(every), "result.json")
    assert [entry.title for entry in result.entries] == ["Ann", "Ben"]
    assert {entry.metadata["me"] for entry in result.entries} == {"Zhang San"}
    cut = parsed(json.dumps(one)[:-2] + ', {"id": 2, "ty', "result.json")
    assert said(cut) == ["Ann: hi"]
    assert "cut short" in str(cut.warnings[0])


def test_instagram_with_its_broken_letters() -> None:
    chat = {
        "participants": [{"name": "Zoe"}],
        "title": "ZoÃ«",
        "thread_path": "inbox/zoe_1",
        "messages": [
            {"sender_name": "ZoÃ«", "timestamp_ms": 1714564860000, "content": "æ\x97©"},
            {"sender_name": "Ann", "timestamp_ms": 1714564800000, "content": "hello"},
        ],
    }
    assert said(parsed(json.dumps(chat), "message_1.json")) == ["Ann: hello", "Zoë: 早"]


@pytest.mark.parametrize(
    "text",
    [
        "2025-05-10 weekly meeting: Project A launch is on Friday\n",
        "2025-05-10 10:00 - Kickoff: room 3\n2025-05-11 9:00 - Review: room 4\n2025-05-12 9:00 - Demo: room 5\n",
        "2024-05-01 12:00:00 INFO: started\n2024-05-01 12:00:01 WARN: slow\n2024-05-01 12:00:02 INFO: done\n",
        "[2024-05-01 12:00:00] nginx: started\n[2024-05-01 12:00:01] nginx: stopped\n",
        "Meeting 2024-05-01 10:00\nnotes\nCall 2024-05-02 10:00\nnotes\nMeeting 2024-05-03 10:00\n",
        "date,from,message\n2024-05-01,here,there\n",
        '{"messages": [1, 2, 3]}',
    ],
)
def test_what_only_looks_like_a_chat_is_none(text: str) -> None:
    assert chat_format(text, "a.txt") is None


def test_a_source_of_chats_takes_nothing_else() -> None:
    window = (datetime(2020, 1, 1, tzinfo=ZONE), datetime(2029, 1, 1, tzinfo=ZONE))
    for text, name in (("just a note\n", "a.txt"), ('{"messages": [], "date_unixtime": "1"}', "b.json")):
        with pytest.raises(Unreadable, match="no chat export"):
            parse_content(text.encode(), About(name, ZONE, window, ParseLimits(), kind="chat"))


def test_the_name_of_a_file_settles_what_its_lines_leave_open() -> None:
    text = "2024/5/14 21:05 - Ann: hi\n"
    assert parsed(text, "a.txt").format == "text"
    assert parsed(text, "与Ann的 WhatsApp 聊天.txt").format == "chat"


def test_a_chat_that_is_too_long_is_cut_between_lines() -> None:
    window = (datetime(2020, 1, 1, tzinfo=ZONE), datetime(2029, 1, 1, tzinfo=ZONE))
    about = About("_chat.txt", ZONE, window, ParseLimits(text_chars=1_000))
    text = WHATSAPP["android"] + "15/05/2024, 09:00 - Ann: and so on\n" * 200
    result = parse_content(text.encode(), about)
    assert "the rest is too long" in str(result.warnings[0])
    assert said(result)[-1] == "Ann: and so on"
    assert 40 < len(said(result)) < 60


def test_the_own_name_may_be_told() -> None:
    result = parsed(WHATSAPP["android"], "_chat.txt", {"me": "Ben"})
    assert result.entries[0].metadata["me"] == "Ben"
    assert result.entries[0].title == "Ann, Ben"


def test_in_a_large_group_those_who_wrote_that_day_are_its_authors() -> None:
    many = "".join(f"[14/05/24, 10:{number % 60:02d}:00] 成员{number}: hi\n" for number in range(250))
    _, later = parsed(f"{many}[15/05/24, 9:00:00] 成员240: 改到周三\n", "_chat.txt").entries
    assert [person.name for person in later.people if person.role == "author"] == ["成员240"]


@given(st.text(max_size=300))
def test_any_text_is_read(text: str) -> None:
    parsed("[14/05/24, 9:05:03 PM] Ann: a\n[15/05/24, 9:05:03 PM] Ann: b\n" + text, "_chat.txt")


def test_hostile_lines_cost_no_more_than_their_length() -> None:
    line = "张三 " * 200_000
    assert chat_format(f"{line}\n{line}\n[14/05/24, 9:05 PM] {line}", "a.txt") is None
