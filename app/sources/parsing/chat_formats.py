"""Whether a text is a chat export, and of which kind: asked of every text file, so it looks at a beginning only."""

from __future__ import annotations

import re

from app.sources.parsing.chat_layouts import layout_of

_HEAD_CHARS = 16_384
_JSON_START = re.compile(r"\s{0,99}[\[{]")
_TELEGRAM_ALL = re.compile(r'"about"\s{0,9}:\s{0,9}"[^"]{0,400}Telegram')
_TELEGRAM_MESSAGE = re.compile(r'"date_unixtime"\s{0,9}:\s{0,9}"?\d')
_TELEGRAM_OLD = re.compile(r'"from_id"\s{0,9}:')
_META_MESSAGE = re.compile(r'"sender_name"\s{0,9}:')
_META_TIME = re.compile(r'"timestamp_ms"\s{0,9}:')
_COLUMNS = re.compile(r"[,\t;]")

TIME_COLUMNS = (
    "strtime",
    "时间",
    "日期时间",
    "发送时间",
    "time",
    "createtime",
    "datetime",
    "timestamp",
    "date",
    "日期",
)
SENDER_COLUMNS = (
    *("sender", "发送人", "发送者", "发言人", "昵称", "remark", "备注", "nickname", "微信昵称", "sendername", "talker"),
    *("from", "author", "用户"),
)
TEXT_COLUMNS = ("strcontent", "内容", "消息内容", "聊天内容", "content", "message", "text", "msg", "消息")


def chat_format(text: str, name: str) -> str | None:
    """`telegram`, `meta`, `wechat_table` or the name of a line layout; None for what is no chat."""
    head = text[:_HEAD_CHARS]
    if _JSON_START.match(head) and (found := _json_format(head)) is not None:
        return found
    if _is_table(head):
        return "wechat_table"
    layout = layout_of(head, name)
    return layout.name if layout is not None else None


def _json_format(head: str) -> str | None:
    if _TELEGRAM_ALL.search(head):
        return "telegram"
    if '"messages"' not in head:
        return None
    if _TELEGRAM_MESSAGE.search(head) or (_TELEGRAM_OLD.search(head) and '"type"' in head):
        return "telegram"
    return "meta" if _META_MESSAGE.search(head) and _META_TIME.search(head) else None


def _is_table(head: str) -> bool:
    """Whether the first line names the columns of a table of messages."""
    first = head.lstrip("\ufeff").partition("\n")[0].strip()
    names = {part.strip().strip('"').replace(" ", "").replace("_", "").lower() for part in _COLUMNS.split(first)}
    return all(names & set(columns) for columns in (TIME_COLUMNS, SENDER_COLUMNS, TEXT_COLUMNS)) and bool(
        names & _TELLING_COLUMNS
    )


# A table with a date, a person and a text may be anything; these words only stand over messages
_TELLING_COLUMNS = frozenset(
    (
        *("strtime", "strcontent", "issender", "talkerid", "发送人", "发送者", "发言人", "微信昵称", "聊天内容"),
        *("消息内容", "sendername", "发送时间", "消息类型"),
    )
)
