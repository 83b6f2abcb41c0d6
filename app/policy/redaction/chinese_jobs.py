"""Occupations in Chinese with what narrows them: 骨科医生, 张董事长, 算法工程师 (L5.3).

A bare 医生 or 老师 says nothing of anybody and stays; with a field, a rank or a surname before it, it does.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from app.policy.redaction.chinese_lists import chinese_lists, is_han
from app.policy.redaction.findings import Finding, Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

_WORK = re.compile(
    "工程师|设计师|架构师|分析师|会计师|审计师|咨询师|培训师|摄影师|理财师|程序员|研究员|教练员|营业员"
    "|销售员|飞行员|驾驶员|审计员|检察官|董事长|总经理|总监|经理|主管|主任|主席|总裁|书记"
    "|医生|医师|护士|教师|老师|教授|讲师|律师|法官|会计|出纳|秘书|助理|顾问|专员|校长|院长|局长|处长"
    "|科长|部长|厂长|店长|所长|行长|队长|司机|厨师|演员|记者"
)
_ENDS = frozenset(
    "个位名的了是当做叫找看问请给让和跟与在去到从向对被把为有没好坏新老男女大小我你他她们这那哪每各某谁说想要"
    "会能也都就还又很最更，。！？、：；"
)
_LONGEST_FIELD = 4
_SHORTEST_FIELD = 2
_NO_FIELDS = frozenset(
    {
        "一线",
        "普通",
        "优秀",
        "专业",
        "所有",
        "每个",
        "其他",
        "值班",
        "今天",
        "明天",
        "昨天",
        "什么",
        "怎么",
        "以后",
        "联系",
        "咨询",
        "知名",
        "著名",
        "感谢",
        "谢谢",
        "成为",
        "如何",
    }
)


def find_chinese_jobs(text: str) -> Iterator[Finding]:
    """Occupations with a field, a rank or a surname before them."""
    surnames = chinese_lists().common_surnames
    for found in _WORK.finditer(text):
        start = found.start()
        while (
            start > 0
            and found.start() - start < _LONGEST_FIELD
            and is_han(text[start - 1])
            and text[start - 1] not in _ENDS
        ):
            start -= 1
        field = text[start : found.start()]
        is_field = len(field) >= _SHORTEST_FIELD and field not in _NO_FIELDS and field[:2] not in _NO_FIELDS
        if is_field or (len(field) == 1 and field in surnames):
            yield Finding(start, found.end(), Kind.JOB, 0.35)
