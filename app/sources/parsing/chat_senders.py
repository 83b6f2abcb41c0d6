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
_LEFT_OUT = "已?(?:省略|忽略|略去|略过|略過)"
_THING = (
    "(?:图片|圖片|图像|照片|相片|影片|视频|視訊|音频|音訊|语音|語音|贴图|貼圖|动图|動態圖|文档|文件|檔案|联系人名片|聯絡人卡片|GIF|"
    "(?:影音|多?媒体|多?媒體)(?:文件|檔案|档案|内容|內容)?)"
)
_MEDIA = re.compile(
    r"<?\s?(?:media|image|video|audio|gif|sticker|document|contact card|voice message) (?:message )?omitted\s?>?|"
    r"<attached: [^<>\n]{1,300}>|[^\n]{1,200} \(file attached\)|[^\n]{0,120} •? ?[^\n]{0,40}document omitted|"
    rf"<?\s?(?:{_LEFT_OUT}{_THING}|{_THING}{_LEFT_OUT})\s?>?|<附件[:：][^<>\n]{{1,300}}>|[^\n]{{1,200}}（(?:文件附件|附件|檔案附件)）|"
    r"\[(?:图片|照片|视频|语音|表情|动画表情|文件|链接|位置|名片|红包|转账|Image|Photo|Video|Voice|Audio|Sticker|File)\]",
    re.IGNORECASE,
)
_DELETED = re.compile(
    r"(?:this message was deleted|you deleted this message|(?:此消息|该消息|這則訊息|此訊息)已(?:被)?(?:删除|刪除)|"
    r"(?:你|您)(?:已)?(?:删除|刪除)了?(?:这条消息|此消息|這則訊息|此訊息))[.。]?",
    re.IGNORECASE,
)
_EDITED = re.compile(
    r"\s?<(?:this message was edited|(?:此|该)消息已(?:被)?编辑|(?:此|這則)訊息已(?:被)?編輯)>$", re.IGNORECASE
)
_NOTICE = re.compile(
    r"(?:messages and calls are|messages to this (?:chat|group)[^.\n]{0,40} are(?: now)?) end-to-end encrypted|"
    r"(?:消息|讯息|訊息)(?:和|与|與|及)(?:通话|通話)[^。\n]{0,9}(?:端到端|端对端|端對端)加密",
    re.IGNORECASE,
)
_NO_CONTACT = re.compile("~[\\s\u00a0\u202f]{0,2}(?=\\S)")
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
    name = _NO_CONTACT.sub("", match[1].strip(), count=1)
    if not name or _QUOTES.search(name) or _SAYS_PROGRAM.search(name):
        return "", text
    return name, text[match.end() :]


def is_media(text: str) -> bool:
    """Whether a message only says that something else than text stood there, or nothing any more."""
    is_short = len(text) <= _MOST_MEDIA_CHARS
    return is_short and (_MEDIA.fullmatch(text) is not None or _DELETED.fullmatch(text) is not None)


def without_edited(text: str) -> str:
    """A message without the remark that it was changed."""
    return _EDITED.sub("", text)


def is_notice(text: str) -> bool:
    """Whether the program itself tells that a chat is encrypted, which it does in the name of the chat."""
    return _NOTICE.match(text) is not None


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
