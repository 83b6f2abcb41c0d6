"""What answers from structure say in our own words, in the language of the question; see `app.context.phrases`."""

from __future__ import annotations

from dataclasses import dataclass

from app.domain.labels import EntryKind


@dataclass(frozen=True, slots=True)
class Sayings:
    """The sentences of one language. Places in braces are filled by `str.format`."""

    no_longer: str
    several: str
    nothing_overdue: str
    due: str
    no_day: str
    for_whom: str
    nobody: str
    pending: str
    stranger: str
    last: str
    last_other: str
    changed: str
    came: str
    updated: str
    more: str
    nothing_changed: str
    works: str
    addresses: str
    phones: str
    lives: str
    last_contact: str
    open_tasks: str
    said: str
    counted: str
    counted_none: str
    open_count: str
    canceled_too: str
    not_counted: str
    is_past: str
    otherwise: str
    between: str
    i_owe: str
    owes_me: str
    owes: str
    settled: str
    partly_paid: str
    total: str
    money: str
    you: str
    somebody: str
    some_day: str
    kinds: dict[EntryKind, str]
    things: dict[str, str]


ENGLISH = Sayings(
    no_longer="No longer so - {reason}: {said}",
    several="Several people are called {name}; say which one you mean:",
    nothing_overdue="Nothing is overdue.",
    due="due {day}",
    no_day="no date",
    for_whom="for {who}",
    nobody="nobody is named",
    pending="pending",
    stranger="from somebody you do not know",
    last="{day}: {kind} “{title}”",
    last_other="I know of no {sought} with {who}. The last contact was on {day}: {kind} “{title}”",
    changed="{day}: “{title}” - {reason}",
    came="new on {day}: {kind} “{title}”",
    updated="changed on {day}: {kind} “{title}”",
    more="... and {count} more.",
    nothing_changed="I know of nothing that changed between {since} and {until}.",
    works="{name}: {work}",
    addresses="Addresses: {values}",
    phones="Phone: {values}",
    lives="Lives in: {values}",
    last_contact="Last contact: {day}, {kind} “{title}”",
    open_tasks="Has to do: {title}",
    said="said on {day}",
    counted="{span} - {what}: {count}.",
    counted_none="{span} - no {what}.",
    open_count="Open tasks: {count}.",
    canceled_too="canceled, and not counted",
    not_counted="not counted",
    is_past="in the past",
    otherwise="But “{title}” names {day}: {said}",
    between=", ",
    i_owe="You owe {who} {amount}",
    owes_me="{who} owes you {amount}",
    owes="{debtor} owes {creditor} {amount}",
    settled="Settled ({day}): {said}",
    partly_paid="partly paid back, {left} left",
    total="Together: {total}.",
    money="money",
    you="you",
    somebody="somebody",
    some_day="no date",
    kinds={
        EntryKind.DOCUMENT: "document", EntryKind.NOTE: "note", EntryKind.MAIL: "mail", EntryKind.EVENT: "event",
        EntryKind.TASK: "to-do", EntryKind.CHAT: "chat", EntryKind.CONTACT: "contact", EntryKind.BOOKMARK: "bookmark",
        EntryKind.VISIT: "visited page", EntryKind.PICTURE: "picture", EntryKind.VOICE: "voice note",
    },
    things={
        "events": "meetings and events", "meetings": "meetings", "tasks": "tasks",
        "meet": "meeting", "mail": "mail", "talk": "conversation",
    },
)  # fmt: skip
CHINESE = Sayings(
    no_longer="已不再有效（{reason}）：{said}",
    several="有好几位叫{name}的人，请说明是哪一位：",
    nothing_overdue="没有逾期的事项。",
    due="{day} 截止",
    no_day="没有日期",
    for_whom="对方：{who}",
    nobody="没有指明由谁负责",
    pending="待定",
    stranger="来自你不认识的人",
    last="{day}：{kind}《{title}》",
    last_other="没有找到与{who}的{sought}。最近一次联系是{day}：{kind}《{title}》",
    changed="{day}：《{title}》- {reason}",
    came="{day} 新增：{kind}《{title}》",
    updated="{day} 有改动：{kind}《{title}》",
    more="……另有{count}项。",
    nothing_changed="{since}到{until}之间没有发现变化。",
    works="{name}：{work}",
    addresses="邮箱：{values}",
    phones="电话：{values}",
    lives="住在：{values}",
    last_contact="最近联系：{day}，{kind}《{title}》",
    open_tasks="待办：{title}",
    said="{day} 所说",
    counted="{span}：共{count}个{what}。",
    counted_none="{span}：没有{what}。",
    open_count="共有{count}个未完成的任务。",
    canceled_too="已取消，未计入",
    not_counted="未计入",
    is_past="已过去",
    otherwise="但《{title}》说的是{day}：{said}",
    between="、",
    i_owe="你欠{who}{amount}",
    owes_me="{who}欠你{amount}",
    owes="{debtor}欠{creditor}{amount}",
    settled="已还清（{day}）：{said}",
    partly_paid="已还一部分，还剩{left}",
    total="合计：{total}。",
    money="钱",
    you="你",
    somebody="某人",
    some_day="日期不详",
    kinds={
        EntryKind.DOCUMENT: "文档", EntryKind.NOTE: "笔记", EntryKind.MAIL: "邮件", EntryKind.EVENT: "日程",
        EntryKind.TASK: "待办", EntryKind.CHAT: "聊天", EntryKind.CONTACT: "联系人", EntryKind.BOOKMARK: "书签",
        EntryKind.VISIT: "网页", EntryKind.PICTURE: "图片", EntryKind.VOICE: "语音",
    },
    things={
        "events": "会议和活动", "meetings": "会议", "tasks": "任务", "meet": "见面", "mail": "邮件", "talk": "交谈",
    },
)  # fmt: skip


def sayings_for(language: str) -> Sayings:
    """The sentences for a question's language; English for those that have none of their own."""
    return CHINESE if language == "zh" else ENGLISH
