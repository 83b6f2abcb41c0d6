"""Organisations in Chinese: a name with a word like 集团 or 医院 at its end, or a known one beside a person (L5.3)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from app.policy.redaction.chinese_lists import chinese_lists, is_han
from app.policy.redaction.findings import Finding, Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

_LONGEST_NAME = 14
_SHORTEST_NAME = 2
_ARTICLES = frozenset("个家所间位名座一二两三几")
_SPLIT = re.compile(
    "工作|上班|面试|就读|毕业|附近|旁边|对面|隔壁|员工|老板|领导|属于|负责|参加|加入|入职|离职|跳槽|投资"
    "|收购|宣布|什么|怎么|哪里|这样|那样|已经|正在|预约|咨询|挂号|住院|检查|考上|保送|录取|离开|进入"
    "|注册|成立|创办|开办|去年|今年|明年|今天|昨天|明天|现在|目前|以前|曾经|一直|终于|准备|计划|喜欢"
    "|知道|觉得|帮忙|介绍|推荐|全国|当地|本地|国内|国外|其他|所有|许多|很多|大型|小型|知名|著名|最好"
    "|最大|各大|很好|不错|普通|重点|公办|民办|私立|公立|打开|播放|翻译|查寻|查下|查一下|搜索|搜一下"
    "|介绍一下|高清|乘坐|搭乘|打车|开车|走路|回到|来到|位于|选择|拨打|联系|请问|告诉|查询|办理|导航"
)
_PROTECTED = (
    "阿里巴巴",
    "上海",
    "协和",
    "和平",
    "仁和",
    "中和",
    "上饶",
    "会宁",
    "同济",
    "同仁",
    "国家",
    "皇家",
    "家乐福",
    "和睦",
    "太和",
    "永和",
    "来宾",
    "从化",
    "三一",
    "一汽",
    "三一重工",
    "上城",
    "下城",
    "里仁",
    "和谐",
    "华为",
    "一中",
    "二中",
    "三中",
    "会计",
    "对外",
    "都江堰",
    "成都",
    "花都",
    "新都",
    "要素",
)
_WORK = re.compile(
    "上班|工作|入职|就职|任职|供职|面试|跳槽|离职|辞职|实习|员工|同事|老板|裁员|工资|薪|就读|毕业|读书"
    "|住院|看病|体检|确诊|病历"
)


def find_chinese_organisations(text: str) -> Iterator[Finding]:
    """Names that end like an organisation, a school among them."""
    lists = chinese_lists()
    for found in lists.suffix.finditer(text):
        start = _head(text, found.start())
        name = text[start : found.end()]
        if found.start() - start >= _SHORTEST_NAME and name not in lists.general:
            yield Finding(start, found.end(), Kind.ORGANISATION, 0.6)


def find_known_organisations(text: str) -> Iterator[Finding]:
    """Well-known names; the caller asks for them where a person or somebody's work is named."""
    for found in chinese_lists().known.finditer(text):
        yield Finding(found.start(), found.end(), Kind.ORGANISATION, 0.5)


def is_about_work(text: str) -> bool:
    """Whether a text says where somebody works, learns or is treated."""
    return _WORK.search(text) is not None


def _head(text: str, end: int) -> int:
    """Where a name begins that runs up to `end`: after the last word that cannot belong to it."""
    lists = chinese_lists()
    low = max(0, end - _LONGEST_NAME)
    start = end
    while start > low and (is_han(text[start - 1]) or (text[start - 1].isascii() and text[start - 1].isalnum())):
        if (text[start - 1] in lists.stops or text[start - 1] in _ARTICLES) and not _is_protected(text, start - 1):
            break
        start -= 1
    for split in _SPLIT.finditer(text, start, end):
        start = split.end()
    return start


def _is_protected(text: str, index: int) -> bool:
    """Whether a character that often stands between words is here inside a name."""
    around = text[max(0, index - 3) : index + 4]
    return any(name in around and text[index] in name for name in _PROTECTED)
