"""Names of people in Chinese, by their form and by what stands before and after them (L5.3).

A surname and one or two characters that given names are made of are a name after a word that announces one (姓名),
before a title (先生), or where a sentence has room for nothing else (张三和李四在...). A model finds more; this works
without it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from app.policy.redaction.chinese_lists import chinese_lists, is_han
from app.policy.redaction.findings import Finding, Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

_HAN = re.compile("[\u4e00-\u9fff]")
_AFTER = frozenset(
    "和跟与及、在的说是去来有从给把被向对让要想会也都就又先将已曾正不没很到了问道表认告参为刚于，。！？；：,.!?;:（）"
    "()“”\"' \n\t<>|/=@-—…【】[]*"
) | frozenset("0123456789")
_BEFORE = frozenset("和跟与及、给找问叫请让被把向对由为，。！？；：,.!?;:（）()“”\"' \n\t<>|/=-—…【】[]@我你")
_SENDS = re.compile("发(?:短信|消息|信息|邮件|微信|红包|个|一|条|封|文件|语音)")
_JOINING = frozenset("和跟与给找问叫请让、")
_LABELLED = re.compile(r"[:：]\s{0,2}\Z")
_HAN_RUN = re.compile(r"[\u4e00-\u9fff]{1,6}")
_LONGEST_GIVEN = 2
_SURE, _LIKELY, _POSSIBLE = 0.8, 0.6, 0.45
_OWN_WORD = re.compile(
    "(?:小|老|阿)(?P<name>[赵钱孙李周吴郑王冯陈蒋沈韩杨朱秦许何吕张孔曹严金魏陶姜谢邹章苏潘葛范彭鲁马方任"
    "袁柳史唐薛雷贺罗郝邬安傅余顾孟黄萧尹姚邵汪毛戴宋熊董梁杜阮江郭梅林钟徐邱高夏蔡田樊胡霍丁邓洪石崔龚程"
    "陆叶黎赖温廖曾刘"
    "])(?=[:：说，。！？ 在和的去来是]|\\Z)"
)


def find_chinese_people(text: str) -> Iterator[Finding]:
    """Names of people; see above for what counts."""
    if _HAN.search(text) is None:
        return
    lists = chinese_lists()
    for found in lists.before.finditer(text):
        end = _end_of_name(text, found.end(), is_labelled=_LABELLED.search(found[0]) is not None, is_announced=True)
        if end:
            yield Finding(found.end(), end, Kind.PERSON, _SURE)
    for found in _OWN_WORD.finditer(text):
        if found.start() == 0 or not is_han(text[found.start() - 1]):
            yield Finding(found.start(), found.end(), Kind.PERSON, _POSSIBLE)
    yield from _standing_alone(text)
    yield from _before_titles(text)


def _end_of_name(text: str, start: int, *, is_labelled: bool = False, is_announced: bool = False) -> int:
    """Where a name that begins at `start` ends; 0: none begins there."""
    surname = _surname_length(text, start, is_labelled=is_labelled)
    run = _HAN_RUN.match(text, start)
    if not surname or run is None:
        return 0
    if is_labelled and surname < run.end() - start <= surname + _LONGEST_GIVEN:
        return run.end()
    given = _given_length(text, start + surname, is_sure=surname > 1 and is_announced, is_announced=is_announced)
    return start + surname + given if given else 0


def _surname_length(text: str, start: int, *, is_labelled: bool) -> int:
    """Of the rarer surnames, most of them words as well, one counts after a label alone (姓名：)."""
    lists = chinese_lists()
    pair = text[start : start + 2]
    if pair in lists.compounds:
        return 2
    surnames = lists.surnames if is_labelled else lists.common_surnames
    return 1 if pair[:1] in surnames and pair not in lists.no_names else 0


def _given_length(text: str, first: int, *, is_sure: bool, is_announced: bool) -> int:
    """How many characters of a given name stand at `first`."""
    lists = chinese_lists()
    if not _is_han_at(text, first):
        return 0
    if not (text[first] in lists.given or is_sure or (is_announced and _ends_at(text, first + 1))):
        return 0
    second = first + 1
    if not _is_han_at(text, second) or lists.title.match(text, second) or _SENDS.match(text, second):
        return 1
    is_strange = is_announced and text[second] not in _AFTER | lists.stops and _ends_at(text, second + 1)
    return 2 if text[second] in lists.given or is_strange else 1


def _is_han_at(text: str, index: int) -> bool:
    return index < len(text) and is_han(text[index])


def _ends_at(text: str, index: int) -> bool:
    return index >= len(text) or text[index] in _AFTER or chinese_lists().title.match(text, index) is not None


def _standing_alone(text: str) -> Iterator[Finding]:
    """A name with nothing but its surroundings: it begins after a border and ends before one."""
    lists = chinese_lists()
    for surname in lists.surname.finditer(text):
        index = surname.start()
        if index and text[index - 1] not in _BEFORE and not _is_after_title(text, index):
            continue
        end = _end_of_name(text, index)
        if end - index > 2 and index and text[index - 1] in _JOINING:  # noqa: PLR2004 - a whole name of three
            yield Finding(index, end, Kind.PERSON, _POSSIBLE)
            continue
        while end and not _ends_at(text, end):
            # 张三平 before an end may be 张三 and a word
            end = end - 1 if end - index > 2 and _ends_at(text, end - 1) else 0  # noqa: PLR2004
        if end and (index or end < len(text) or end - index > 2):  # noqa: PLR2004
            yield Finding(index, end, Kind.PERSON, _POSSIBLE)


def _is_after_title(text: str, index: int) -> bool:
    return text[max(0, index - 2) : index] in {"医生", "老师", "先生", "女士", "经理", "同事", "朋友", "客户", "同学"}


def _before_titles(text: str) -> Iterator[Finding]:
    """王总, 刘伟先生: a surname, a name or none of it, and a title."""
    lists = chinese_lists()
    for found in lists.title.finditer(text):
        for length in (3, 2, 1):
            start = found.start() - length
            if start < 0 or (length == 1 and not _may_begin(text, start)):
                continue
            is_whole = length == 1 or _end_of_name(text, start) == found.start()
            if text[start] in lists.common_surnames and is_whole and text[start : start + 2] not in lists.no_names:
                end = found.end() if length == 1 else found.start()
                yield Finding(start, end, Kind.PERSON, _LIKELY)
                break


def _may_begin(text: str, start: int) -> bool:
    return start == 0 or not is_han(text[start - 1]) or text[start - 1] in _BEFORE
