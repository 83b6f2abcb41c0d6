"""Questions of structure through the whole house: files in, answers with their sources out (G3.2, L6.3)."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta, timezone
from email.message import EmailMessage

import pytest

from app.domain.collecting import SourceDraft
from app.runtime import clock

BEIJING = timezone(timedelta(hours=8))
MEETING = datetime(2025, 5, 10, 12, tzinfo=BEIJING)
AFTER = datetime(2025, 5, 15, 12, tzinfo=BEIJING)
MINUTES = (
    "2025-05-10 weekly meeting: Project A launch is tentatively set for next Friday; Zhang San must finish the test "
    "report by Wednesday; if the test report is not finished, the launch is postponed by one week; Li Si is "
    "responsible for notifying operations."
)
MINUTES_ZH = (
    "2025-05-10 周会：项目A暂定下周五上线；张三需在周三前完成测试报告；"  # the same in Chinese
    "如果测试报告未完成，上线顺延一周；李四负责通知运营。"
)


async def ask(api, text, now):
    with clock.use(now):
        answer = await api.ask(text)
    for number in range(1, len(answer.items) + 1):
        assert f"[{number}]" in str(answer.text)
    return answer.route, str(answer.text), answer


@pytest.mark.parametrize(
    "case",
    [
        (MINUTES, "Who has to do what?", "What does Zhang San have to do?", "finish the test report"),
        (MINUTES_ZH, "谁要做什么", "张三该做什么", "完成测试报告"),
    ],
    ids=["en", "zh"],
)
async def test_the_minutes_of_a_meeting(api, tmp_path, case):
    minutes, everyone, his, report = case
    (tmp_path / "minutes.md").write_text(minutes, "utf-8")
    with clock.use(MEETING):
        await api.import_paths([str(tmp_path / "minutes.md")])
    route, text, answer = await ask(api, everyone, MEETING)
    assert route == "tasks"
    assert report in text
    assert answer.items[0].title == "minutes"
    assert answer.items[0].place.first_line == 1
    route, text, _ = await ask(api, his, AFTER)
    assert (route, report in text, text.count("\n")) == ("tasks", True, 0)
    assert "2025-05" in text or "14 May 2025" in text or "5月14日" in text
    route, text, _ = await ask(api, "what is overdue", AFTER)
    assert (route, report in text) == ("tasks", True)
    route, text, _ = await ask(api, "what is overdue", MEETING)
    assert (route, text) == ("tasks", "Nothing is overdue.")


def written(subject, sender, to, day, text):
    message = EmailMessage()
    message["Subject"], message["From"], message["To"] = subject, sender, to
    message["Date"] = datetime(2025, 5, day, 9, tzinfo=BEIJING)
    message["Message-ID"] = f"<{subject.replace(' ', '')}{day}@example.org>"
    message.set_content(text)
    return b"From x Mon Jan  1 00:00:00 2025\n" + message.as_bytes() + b"\n"


async def test_a_mailbox_knows_its_person(api, tmp_path):
    anna, me = "Anna Weber <anna@acme.example>", "Wei Chen <wei@example.org>"
    box = tmp_path / "mail.mbox"
    box.write_bytes(
        written("Contract", anna, me, 5, "Wei, please send me the contract by 19 May 2025.\n")
        + written("Re: Contract", me, anna, 6, "I will look at it.\n")
        + written("Berlin trip", anna, me, 7, "The Berlin trip is on 26 May 2025.\n")
        + written("Sad news", anna, me, 8, "The Berlin trip is cancelled.\n")
    )
    await api.change_setting("person.addresses", "wei@example.org")
    with clock.use(MEETING):
        info = await api.add_source(SourceDraft("mbox", str(box)))
        await api.sync(info.source_id)
    for _ in range(600):
        if (await api.status()).counts.understanding == 0:
            break
        await asyncio.sleep(0.05)
    route, text, _ = await ask(api, "what do I owe Anna?", MEETING)
    assert (route, "send me the contract" in text, "for Anna Weber" in text) == ("tasks", True, True)
    route, text, _ = await ask(api, "when did I last write to Anna Weber", MEETING)
    assert (route, text.startswith("Tuesday 6 May 2025: mail “Re: Contract”")) == ("people", True)
    route, text, _ = await ask(api, "我上次什么时候给Anna Weber写邮件", MEETING)
    assert (route, "2025年5月6日" in text) == ("people", True)
    route, text, answer = await ask(api, "When is the Berlin trip?", MEETING)
    assert (route, text.startswith("No longer so - Cancelled by")) == ("agenda", True)
    assert answer.items[0].stale_reason is not None
    route, text, _ = await ask(api, "who is Anna Weber", MEETING)
    assert (route, "anna@acme.example" in text) == ("people", True)
    route, text, _ = await ask(api, "周三以来有什么变化", MEETING)
    assert (route, "Berlin trip" in text) == ("changes", True)
