"""Whose words the parts of a mail are: own, quoted, a signature; and which conversation it belongs to (G1.1, X9.1)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.entries import Block
from app.domain.labels import BlockKind
from app.sources.parsing.mail_voices import with_voices
from app.sources.parsing.mailbox import parse
from tests.unit.sources.makers import about


def read(body: str, kind: str = "plain", *headers: str):
    head = "\n".join(["From: Anna <anna@example.com>", "Subject: s", *headers])
    text = f"{head}\nContent-Type: text/{kind}; charset=utf-8\n\n{body}"
    return parse(text.encode(), about("m.eml")).entries[0]


def voices(entry) -> tuple[list[str], list[str], list[str]]:
    own = [block.text for block in entry.blocks if block.place.is_own_words]
    quoted = [block.text for block in entry.blocks if block.place.is_quoted]
    return own, quoted, [block.text for block in entry.blocks if block.place.is_signature]


@pytest.mark.parametrize(
    ("body", "own", "quoted", "signature"),
    [
        (
            (
                "The trip is off.\n\nBest regards,\nAnna Berg\nAcme Ltd., +46 8 123 456\n\nOn Mon, 12 May 2025, "
                "Bo <bo@example.org> wrote:\n> The trip is on.\n"
            ),
            ["The trip is off."],
            ["On Mon, 12 May 2025, Bo <bo@example.org> wrote:", "The trip is on."],
            ["Best regards,\nAnna Berg\nAcme Ltd., +46 8 123 456"],
        ),
        (
            (
                "行程取消了。\n\n此致\n敬礼！\n\n张三\n2025年5月12日\n\n"
                "在 2025年5月11日 09:00，李四 写道：\n> 行程不变。\n"
            ),
            ["行程取消了。"],
            ["在 2025年5月11日 09:00，李四 写道：", "行程不变。"],
            ["此致\n敬礼！", "张三\n2025年5月12日"],
        ),
        (
            (
                "我周五到。\n\n发自我的 iPhone\n\n"
                "------------------ 原始邮件 ------------------\n发件人: 李四\n\n几号到？\n"
            ),
            ["我周五到。"],
            ["------------------ 原始邮件 ------------------\n发件人: 李四", "几号到？"],
            ["发自我的 iPhone"],
        ),
        ("Hi,\n\nsee you.\n-- \nBo\nSales, Acme\n", ["Hi,", "see you."], [], ["-- \nBo\nSales, Acme"]),
        ("I come.\n\nSent from my iPhone\n", ["I come."], [], ["Sent from my iPhone"]),
        (
            "报告收到。\n\n谢谢！\n王小明\n电话：010-12345678\n",
            ["报告收到。"],
            [],
            ["谢谢！\n王小明\n电话：010-12345678"],
        ),
        # a sentence below a greeting is no signature, and neither is an ordinary list
        ("Thanks,\nplease send the report by Friday\n", ["Thanks,\nplease send the report by Friday"], [], []),
        ("谢谢！\n周五前把报告发给我。\n", ["谢谢！\n周五前把报告发给我。"], [], []),
        ("谢谢\n明天交\n", ["谢谢\n明天交"], [], []),
        ("Sent from the office yesterday. The parcel is late.\n", None, [], []),
        ("> when?\n\nOn Friday.\n\n> where?\n\nIn Lund.\n", ["On Friday.", "In Lund."], ["when?", "where?"], []),
        ("FYI\n\n---------- Forwarded message ---------\nFrom: Bo\n\nPay today.\n", ["FYI"], None, []),
        ("请看\n\n-------- 转发邮件信息 --------\n发件人：李四\n\n旧的\n", ["请看"], None, []),
        ("See\n\nBegin forwarded message:\n\nFrom: Bo\nDate: 1 May\n\nold\n", ["See"], None, []),
        ("a\n--\n" + "one more line\n" * 30, None, [], []),
        # NetEase writes the old message's header as a table
        (
            "好\n\n---- 回复的原邮件 ----\n| 发件人 | 李四 |\n| 日期 | 2025年5月12日 |\n| 主题 | 会议 |\n\n周五开会\n",
            ["好"],
            None,
            [],
        ),
        ("See table\n\n| item | price |\n| tea | 3 |\n", ["See table", "| item | price |\n| tea | 3 |"], [], []),
        # what only resembles the header of a mail, its signature, or a line above either
        ("Book:\n\nFrom: Lund\nTo: Bonn\nDate: 12 May\n\nI pay.\n", None, [], []),
        ("News\n\n____________________\n\nWe meet on Friday.\n", None, [], []),
        ("Agenda\n--\nWe meet on Friday at ten in the big room.\n", None, [], []),
        ("第一点\n\n---\n\n周五之前把合同寄给王五。\n", None, [], []),
        ("您好\n\n谢谢\n\n公司周五搬家，请准备\n", None, [], []),
        ("Hi\n\nThanks\nThe phone number is 030 1234567 now\n", None, [], []),
        ("Hi\n\n---\nBo Ek\nbo@example.org\n", ["Hi"], [], ["---\nBo Ek\nbo@example.org"]),
        ("Ok\n\n________________________________\nFrom: Bo\nSent: 1 May\nTo: Eva\n\nold\n", ["Ok"], None, []),
    ],
)
def test_the_voices_of_a_text(body, own, quoted, signature):
    told = voices(read(body))
    assert own is None or told[0] == own
    assert quoted is None or told[1] == quoted
    assert told[2] == signature


@pytest.mark.parametrize(
    ("body", "own"),
    [
        ('<p>No.</p><div class="gmail_quote">On Monday Bo wrote:<blockquote>Yes?</blockquote></div>', ["No."]),
        ('<p>No.</p><blockquote type="cite"><p>Yes?</p></blockquote><p>Really.</p>', ["No.", "Really."]),
        ("<p>No.</p><p>On Mon, 12 May 2025, Bo wrote:</p><blockquote>Yes?</blockquote>", ["No."]),
        ("<p>No.</p><div><b>From:</b> Bo<br><b>Sent:</b> Monday<br><b>Subject:</b> x</div><p>Yes?</p>", ["No."]),
        ("<p>不行。</p><div><b>发件人:</b> 李四<br><b>发送时间:</b> 周一<br></div><p>行吗？</p>", ["不行。"]),
        ('<p>不行。</p><div id="isReplyContent">李四写道<div>行吗？</div></div><p>真的。</p>', ["不行。", "真的。"]),
        ("<p>No.</p><p><b>From:</b> Bo</p><p><b>Date:</b> Monday</p><p><b>Subject:</b> x</p><p>Yes?</p>", ["No."]),
        ("<p>From: me to you.</p><p>Yes.</p>", None),
        ("<p>不行。</p><div>------------------ 原始邮件 ------------------</div><div>行吗？</div>", ["不行。"]),
    ],
)
def test_the_voices_of_html(body, own):
    told = voices(read(body, "html"))
    assert own is None or told[0] == own
    assert bool(told[1]) == (own is not None)


def test_an_enclosed_mail_is_not_what_the_sender_says():
    body = (
        "From: a@b.c\nSubject: Fwd\nContent-Type: multipart/mixed; boundary=X\n\n--X\nContent-Type: text/plain\n\nFYI\n"
        "--X\nContent-Type: message/rfc822\n\nFrom: Bo <bo@example.org>\nSubject: Money\n\nSend it today.\n--X--\n"
    )
    own, quoted, _ = voices(parse(body.encode(), about("m.eml")).entries[0])
    assert own == ["FYI", "Money"]
    assert quoted == ["Bo", "Send it today."]


@pytest.mark.parametrize(
    ("headers", "thread", "answered"),
    [
        (("Message-ID: <c@x>", "In-Reply-To: <b@x>", "References: <a@x>\n <b@x>"), "a@x", "b@x"),
        (("Message-ID: <c@x>", "In-Reply-To: <b@x>"), "b@x", "b@x"),
        (("Message-ID: <c@x>", "References: <a@x> <b@x>"), "a@x", "b@x"),
        (("Message-ID: <c@x>",), "c@x", None),
        (("References: nonsense",), None, None),
    ],
)
def test_the_thread_is_its_first_mail(headers, thread, answered):
    entry = read("text", "plain", *headers)
    assert entry.thread == thread
    assert entry.metadata.get("in_reply_to") == answered


@given(st.lists(st.tuples(st.sampled_from(list(BlockKind)), st.text(max_size=200)), max_size=8), st.booleans())
def test_no_word_is_lost(parts, is_html):
    blocks = [Block(kind, text) for kind, text in parts]
    told = with_voices(blocks, is_html=is_html)
    assert "".join("".join(block.text.split()) for block in told) == "".join("".join(text.split()) for _, text in parts)


def test_long_texts_take_no_time():
    for text in (
        "On " + "a" * 400_000,
        "thanks " * 60_000,
        "-" * 400_000,
        "A " * 200_000,
        "> " * 200_000,
        "在" * 300_000,
    ):
        read(text)
        read(text, "html")
