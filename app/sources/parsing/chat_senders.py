"""Who says a line of a chat, and what chat programs write in place of what is no text."""

from __future__ import annotations

import re

_MARKS = re.compile("[\ufeff\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_SENDER = re.compile(r"([^:：\n]{1,80}?)\s{0,2}[:：](?:\s|(?=[^\s/\d]))")
_QUOTES = re.compile(r"[\"“”«»「」‘]")
_SAYS_PROGRAM = re.compile(
    r"\b(?:created group|changed the|added|removed|left|joined|end-to-end encrypted|security code)\b|创建了群|加入了群|"
    r"更改了|端到端加密|撤回了一条消息",
    re.IGNORECASE,
)
_MEDIA = re.compile(
    r"<?\s?(?:media|image|video|audio|gif|sticker|document|contact card|voice message) (?:message )?omitted\s?>?|"
    r"<attached: [^<>\n]{1,300}>|[^\n]{1,200} \(file attached\)|[^\n]{0,120} •? ?[^\n]{0,40}document omitted|"
    r"<?\s?(?:省略多媒体文件|已省略媒体文件|媒体文件已省略|影音内容已省略|已忽略(?:图片|视频|音频|贴图|动图|文档|媒体))\s?>?|"
    r"(?:图片|影片|视频|音频|语音|贴图|动图|文档|GIF)(?:已忽略|已省略)|<附件：[^<>\n]{1,300}>|[^\n]{1,200}（文件附件）|"
    r"\[(?:图片|照片|视频|语音|表情|动画表情|文件|链接|位置|名片|红包|转账|Image|Photo|Video|Voice|Audio|Sticker|File)\]",
    re.IGNORECASE,
)
_TITLES = (
    re.compile(r"WhatsApp[ _]Chat[ _](?:with|-)[ _](.{1,200})\.txt", re.IGNORECASE),
    re.compile(r"(?:与|和|與)\s?(.{1,200}?)\s?的\s?WhatsApp\s?(?:聊天|对话|對話)(?:记录|紀錄)?\.txt", re.IGNORECASE),
    re.compile(r"WhatsApp\s?(?:聊天|对话|對話)(?:记录|紀錄)?\s?[-－与和與]\s?(.{1,200})\.txt", re.IGNORECASE),
)
_COPY = re.compile(r"\s?\(\d{1,3}\)$")
_SYSTEM_ACCOUNTS = frozenset({"10000", "1000000", "80000000"})
_MOST_MEDIA_CHARS = 400


def without_marks(line: str) -> str:
    """A line without the unseen signs that tell the direction of writing; WhatsApp begins lines with them."""
    return _MARKS.sub("", line)


def sender_of(text: str) -> tuple[str, str]:
    """Who says it, and what; no sender for what the program itself says."""
    match = _SENDER.match(text[:200])
    if match is None:
        return "", text
    name = match[1].strip()
    if not name or _QUOTES.search(name) or _SAYS_PROGRAM.search(name):
        return "", text
    return name, text[match.end() :]


def is_media(text: str) -> bool:
    """Whether a message only says that something else than text stood there."""
    return len(text) <= _MOST_MEDIA_CHARS and _MEDIA.fullmatch(text) is not None


def is_system_account(account: str) -> bool:
    """Whether QQ itself speaks."""
    return account in _SYSTEM_ACCOUNTS


def title_from_name(name: str) -> str | None:
    """Whom a chat is with, by the name that WhatsApp gives its file; empty when only that it is one; else None."""
    if name.lower() in {"_chat.txt", "chat.txt"}:
        return ""
    for pattern in _TITLES:
        if match := pattern.fullmatch(name):
            return _COPY.sub("", match[1]).strip()
    return None
