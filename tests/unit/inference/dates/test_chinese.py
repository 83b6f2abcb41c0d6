"""The Chinese grammar: what expressions of time mean, seen from Wednesday 18 March 2026, 10:20 in Shanghai (X9.3)."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.readings import CERTAIN, DateKind, DateReading
from app.inference.dates.reader import read_dates

REFERENCE = datetime(2026, 3, 18, 10, 20, tzinfo=ZoneInfo("Asia/Shanghai"))


def read(text: str) -> list[DateReading]:
    """The readings of a Chinese text."""
    return read_dates(text, REFERENCE, "zh")


def only(text: str) -> DateReading:
    """The one reading of a text."""
    found = read(text)
    assert len(found) == 1, [text[one.start : one.end] for one in found]
    return found[0]


def spans(text: str) -> list[str]:
    """From and to of each candidate of the only reading, the likeliest first: "2026-03-18 / 2026-03-19"."""
    return [f"{_short(one.start)} / {_short(one.end)}" for one in only(text).candidates]


def _short(moment: datetime | None) -> str:
    if moment is None:
        return "open"
    return f"{moment:%Y-%m-%d}" if (moment.hour, moment.minute) == (0, 0) else f"{moment:%Y-%m-%d %H:%M}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("今天", "2026-03-18 / 2026-03-19"),
        ("後天", "2026-03-20 / 2026-03-21"),
        ("大前天", "2026-03-15 / 2026-03-16"),
        ("听日", "2026-03-19 / 2026-03-20"),
        ("2026 年 3 月 8 日", "2026-03-08 / 2026-03-09"),
        ("2026年第 10 天", "2026-01-10 / 2026-01-11"),
        ("2026年3月8日", "2026-03-08 / 2026-03-09"),
        ("２０２６年３月８号", "2026-03-08 / 2026-03-09"),
        ("二〇二六年三月八日", "2026-03-08 / 2026-03-09"),
        ("2026-03-08", "2026-03-08 / 2026-03-09"),
        ("2026.3.8", "2026-03-08 / 2026-03-09"),
        ("20260308", "2026-03-08 / 2026-03-09"),
        ("上个月廿号", "2026-02-20 / 2026-02-21"),
        ("下下个月5号", "2026-05-05 / 2026-05-06"),
        ("2027年第十天", "2027-01-10 / 2027-01-11"),
        ("今年最后一天", "2026-12-31 / 2027-01-01"),
        ("上上周五", "2026-03-06 / 2026-03-07"),
        ("下下周三", "2026-04-01 / 2026-04-02"),
        ("上禮拜天", "2026-03-15 / 2026-03-16"),
        ("五月第二个星期日", "2026-05-10 / 2026-05-11"),
        ("本月最后一个周五", "2026-03-27 / 2026-03-28"),
        ("下个礼拜", "2026-03-23 / 2026-03-30"),
        ("2026年第八周", "2026-02-16 / 2026-02-23"),
        ("这周末", "2026-03-21 / 2026-03-23"),
        ("本月", "2026-03-01 / 2026-04-01"),
        ("去年十一月份", "2025-11-01 / 2025-12-01"),
        ("98年4月", "1998-04-01 / 1998-05-01"),
        ("零六年", "2006-01-01 / 2007-01-01"),
        ("大后年", "2029-01-01 / 2030-01-01"),
        ("上个季度", "2025-10-01 / 2026-01-01"),
        ("明年前三季度", "2027-01-01 / 2027-10-01"),
        ("今年下半年", "2026-07-01 / 2027-01-01"),
        ("去年秋天", "2025-08-07 / 2025-11-07"),
        ("上世纪八十年代", "1980-01-01 / 1990-01-01"),
        ("90年代初", "1990-01-01 / 1993-01-01"),
        ("本世纪末", "2080-01-01 / 2100-01-01"),
        ("月底", "2026-03-25 / 2026-04-01"),
        ("明年年底", "2027-11-01 / 2028-01-01"),
        ("上个月中旬", "2026-02-11 / 2026-02-21"),
        ("二季度末", "2026-06-01 / 2026-07-01"),
        ("本周中", "2026-03-18 / 2026-03-20"),
        ("上半月", "2026-03-01 / 2026-03-16"),
        ("2025年前十一个月", "2025-01-01 / 2025-12-01"),
        ("上个月后三天", "2026-02-26 / 2026-03-01"),
        ("下周的今天", "2026-03-25 / 2026-03-26"),
        ("2027Q2", "2027-04-01 / 2027-07-01"),
        ("今明两天", "2026-03-18 / 2026-03-20"),
        ("去年的今天", "2025-03-18 / 2025-03-19"),
        ("民国三十八年", "1949-01-01 / 1950-01-01"),
        ("康熙二十年", "1681-01-01 / 1682-01-01"),
    ],
)
def test_days_and_periods(text: str, expected: str) -> None:
    assert spans(text)[0] == expected
    assert only(text).is_certain


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("周一下午三点", "2026-03-23 15:00 / open"),
        ("明天下午三点半", "2026-03-19 15:30 / open"),
        ("后天上午9点20", "2026-03-20 09:20 / open"),
        ("昨晚8时35分", "2026-03-17 20:35 / open"),
        ("大后天晚上八点半", "2026-03-21 20:30 / open"),
        ("明天15:05:10", "2026-03-19 15:05 / open"),
        ("明天3pm", "2026-03-19 15:00 / open"),
        ("今天中午十二点", "2026-03-18 12:00 / open"),
        ("今晚12点", "2026-03-19 / open"),
        ("今晚1点", "2026-03-19 01:00 / open"),
        ("明天凌晨12点", "2026-03-19 / open"),
        ("明天凌晨3点一刻", "2026-03-19 03:15 / open"),
        ("明天上午差五分九点", "2026-03-19 08:55 / open"),
        ("明天下午七八点", "2026-03-19 19:00 / 2026-03-19 21:00"),
        ("6月1日24时", "2026-06-02 / open"),
        ("晏晝三點踏半", "2026-03-18 15:30 / open"),
        ("明早", "2026-03-19 06:00 / 2026-03-19 10:00"),
        ("周五傍晚", "2026-03-20 17:00 / 2026-03-20 19:00"),
        ("3月20日（周五）晚7点", "2026-03-20 19:00 / open"),
        ("周五（20号）下午", "2026-03-20 12:00 / 2026-03-20 18:00"),
    ],
)
def test_times(text: str, expected: str) -> None:
    assert spans(text)[0] == expected


def test_an_hour_without_its_half_of_the_day_is_two_candidates() -> None:
    reading = only("三点")
    assert {f"{one.start:%H:%M}" for one in reading.candidates} == {"03:00", "15:00"}
    assert all(one.is_time_only for one in reading.candidates)
    assert not reading.is_certain
    assert only("明天4点").candidates[0].score < CERTAIN


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("三天后", "2026-03-21 / 2026-03-22"),
        ("两天前", "2026-03-16 / 2026-03-17"),
        ("一个半小时后", "2026-03-18 11:50 / open"),
        ("四十分钟前", "2026-03-18 09:40 / open"),
        ("三刻钟后", "2026-03-18 11:05 / open"),
        ("三天内", "2026-03-18 10:20 / 2026-03-22"),
        ("半小时内", "2026-03-18 10:20 / 2026-03-18 10:50"),
        ("5个工作日内", "2026-03-18 10:20 / 2026-03-26"),
        ("近三个月", "2025-12-18 / 2026-03-18 10:20"),
        ("最近10分钟", "2026-03-18 10:10 / 2026-03-18 10:20"),
        ("未来七十二小时", "2026-03-18 10:20 / 2026-03-21 10:20"),
        ("两天后的下午三点", "2026-03-20 15:00 / open"),
        ("15日前他来过", "2026-03-03 / 2026-03-04"),
        ("两三个月后", "2026-05-01 / 2026-07-01"),
        ("两周后的周三", "2026-04-01 / 2026-04-02"),
        ("二十多年前", "1996-01-01 / 2007-01-01"),
        ("国庆节前一天", "2026-09-30 / 2026-10-01"),
    ],
)
def test_distances(text: str, expected: str) -> None:
    assert spans(text)[0] == expected


@pytest.mark.parametrize("text", ["三年前", "两个月后", "几天前", "近几年", "去年同期", "未来两周"])
def test_what_is_not_agreed_is_asked(text: str) -> None:
    reading = only(text)
    assert len(reading.candidates) > 1
    assert not reading.is_certain


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("周五前", "2026-03-18 10:20 / 2026-03-21"),
        ("下午五点之前", "2026-03-18 10:20 / 2026-03-18 17:00"),
        ("月底之前", "2026-03-18 10:20 / 2026-04-01"),
        ("截止日期是 3 月 25 日", "2026-03-18 10:20 / 2026-03-26"),
        ("周四结束前", "2026-03-18 10:20 / 2026-03-20"),
        ("截至下周二", "2026-03-18 10:20 / 2026-03-25"),
        ("最晚4月2日中午12点", "2026-03-18 10:20 / 2026-04-02 12:00"),
        ("请于25日前提交", "2026-03-18 10:20 / 2026-03-26"),
        ("有效期至2026年12月31日", "2026-03-18 10:20 / 2027-01-01"),
        ("赶在年底前", "2026-03-18 10:20 / 2027-01-01"),
    ],
)
def test_deadlines_are_the_coming_ones(text: str, expected: str) -> None:
    assert spans(text)[0] == expected
    assert only(text).is_deadline


def test_what_was_before_a_past_day_is_no_deadline() -> None:
    assert spans("2015年以前")[0] == "open / 2015-01-01"
    assert not only("2015年以前").is_deadline


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("今天下午1点到3点十分", "2026-03-18 13:00 / 2026-03-18 15:10"),
        ("明天9~12点半", "2026-03-19 09:00 / 2026-03-19 12:30"),
        ("晚上8点到凌晨2点", "2026-03-18 20:00 / 2026-03-19 02:00"),
        ("从2025年12月九号到十五号", "2025-12-09 / 2025-12-16"),
        ("4月1日至5日", "2026-04-01 / 2026-04-06"),
        ("2025年2——4月", "2025-02-01 / 2025-05-01"),
        ("1985到89年9月", "1985-01-01 / 1989-10-01"),
        ("去年9月到今年3月", "2025-09-01 / 2026-04-01"),
        ("从明天到下周五", "2026-03-19 / 2026-03-28"),
        ("明天从下午两点开到四点半", "2026-03-19 14:00 / 2026-03-19 16:30"),
        ("下周一到周三", "2026-03-23 / 2026-03-26"),
        ("去年春节到元宵节", "2025-01-29 / 2025-02-13"),
        ("2025-05-26至2025-05-29止", "2025-05-26 / 2025-05-30"),
        ("4月1日9:00至4月3日18:00", "2026-04-01 09:00 / 2026-04-03 18:00"),
        ("从明天起", "2026-03-19 / open"),
        ("2025年以来", "2025-01-01 / 2026-03-18 10:20"),
        ("去年三月至今", "2025-03-01 / 2026-03-18 10:20"),
        ("2027年之后", "2028-01-01 / open"),
        ("2月10日或之后", "2026-02-10 / open"),
    ],
)
def test_ranges(text: str, expected: str) -> None:
    assert spans(text)[0] == expected
    assert only(text).kind is DateKind.RANGE


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("农历八月十五", "2026-09-25 / 2026-09-26"),
        ("去年中秋", "2025-10-06 / 2025-10-07"),
        ("2026年端午节", "2026-06-19 / 2026-06-20"),
        ("明年春节", "2027-02-06 / 2027-02-07"),
        ("去年腊月廿三", "2026-02-10 / 2026-02-11"),
        ("2025年闰六月", "2025-07-25 / 2025-08-23"),
        ("2026年清明", "2026-04-05 / 2026-04-06"),
        ("今年冬至", "2026-12-22 / 2026-12-23"),
        ("今年母亲节", "2026-05-10 / 2026-05-11"),
        ("2026年复活节", "2026-04-05 / 2026-04-06"),
        ("今年三伏天", "2026-07-15 / 2026-08-24"),
        ("去年国庆假期", "2025-10-01 / 2025-10-08"),
        ("明年正月初一到初七", "2027-02-06 / 2027-02-13"),
        ("明年大年初三", "2027-02-08 / 2027-02-09"),
        ("马年", "2026-02-17 / 2027-02-06"),
        ("丙午年", "2026-02-17 / 2027-02-06"),
    ],
)
def test_festivals_and_the_lunar_calendar(text: str, expected: str) -> None:
    assert spans(text)[0] == expected


def test_a_chinese_month_and_day_without_a_sign_are_of_either_calendar() -> None:
    assert spans("今年八月十五")[:2] == ["2026-09-25 / 2026-09-26", "2026-08-15 / 2026-08-16"]
    assert spans("今年四月十三")[:2] == ["2026-04-13 / 2026-04-14", "2026-05-29 / 2026-05-30"]


@pytest.mark.parametrize(
    "text", ["2026年9月31日", "2月30日", "13月1日", "25点", "下午25:00", "2026-02-30", "公元前221年", "去年闰二月"]
)
def test_impossible_dates_are_no_reading(text: str) -> None:
    assert read(text) == []


def test_a_lunar_date_of_an_unknown_year_is_recognised_and_not_understood() -> None:
    reading = only("神龙二年正月初一")
    assert (reading.kind, reading.candidates) == (DateKind.POINT, ())
    assert (reading.start, reading.end) == (0, 8)


def test_a_leap_day_is_looked_for_where_there_is_one() -> None:
    assert set(spans("2月29日")) == {"2024-02-29 / 2024-03-01", "2028-02-29 / 2028-03-01"}


@pytest.mark.parametrize(
    "text",
    [
        "有一点奇怪",
        "我有三点意见",
        "调高二十四点五度",
        "零点一",
        "比分是3:2",
        "价格3.5元，5分满意",
        "电话是888-000-9999",
        "地址是192.168.1.12",
        "我住在5号楼",
        "第15号文件",
        "花了2018元",
        "早上好",
        "十分感谢",
        "天气真好",
        "一年级三班",
        "中国人民",
        "周边环境",
        "上周边店",
        "一时间没有主意",
        "唱首周杰伦的歌",
        "五月天的歌",
        "科技路1号",
        "一日游",
        "玩了一下午",
        "一本日记",
        "2006-07赛季",
        "圣诞树",
        "第三季剧集",
    ],
)
def test_what_is_no_date_is_none(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("周一我们谈过了", "2026-03-16 / 2026-03-17"),
        ("周一要开会", "2026-03-23 / 2026-03-24"),
        ("5号他已经来过", "2026-03-05 / 2026-03-06"),
        ("5号记得交房租", "2026-04-05 / 2026-04-06"),
    ],
)
def test_the_tense_of_the_sentence_decides(text: str, expected: str) -> None:
    assert spans(text)[0] == expected


def test_an_alternative_is_of_the_same_week_or_month() -> None:
    assert [one.candidates[0].start.day for one in read("下周三或者周五") if one.candidates[0].start] == [25, 27]
    assert [one.candidates[0].start.day for one in read("5月20日和21日") if one.candidates[0].start] == [20, 21]


def test_what_follows_counts_from_the_day_that_was_named() -> None:
    first, second = read("4月3日签约，次日付款")
    assert (first.candidates[0].start, second.candidates[0].start) == (
        datetime(2026, 4, 3, tzinfo=REFERENCE.tzinfo),
        datetime(2026, 4, 4, tzinfo=REFERENCE.tzinfo),
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("两年半", timedelta(days=910)),
        ("三天三夜", timedelta(days=3)),
        ("36天5小时30分", timedelta(days=36, hours=5, minutes=30)),
        ("一个半钟头", timedelta(minutes=90)),
        ("俩礼拜", timedelta(days=14)),
        ("两三天", timedelta(days=2)),
        ("8天20时", timedelta(days=8, hours=20)),
    ],
)
def test_durations(text: str, expected: timedelta) -> None:
    reading = only(text)
    assert (reading.kind, reading.duration) == (DateKind.DURATION, expected)


def test_offsets_are_of_the_given_text() -> None:
    text = "请各位在下週三下午３點前回复"
    reading = only(text)
    assert text[reading.start : reading.end] == "下週三下午３點前"


_SIGNS = (
    "0123456789年月日号周星期礼拜天上下这本前后大今明昨去一二三四五六七八九十百千万零两半个点分秒时刻钟季度初底末中旬到至-~"
    "从截以之内来起止每隔农历闰正腊廿春夏秋冬节的，。（）早晚午夜世纪代第最近过未:/.期间"
)


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet=_SIGNS, max_size=40) | st.text(max_size=60))
def test_any_text_is_read_without_a_fault(text: str) -> None:
    for reading in read(text):
        assert 0 <= reading.start < reading.end <= len(text)
        assert sum(one.score for one in reading.candidates) < 1.001
        for one in reading.candidates:
            assert one.start is None or one.end is None or one.start <= one.end


@pytest.mark.parametrize(
    "sign", ["1", "一", "年", "20年", "上", "前1天", "半", "1-", "三点", "每月1号、", "(", "一年又", "截止到"]
)
def test_hostile_repetition_ends(sign: str) -> None:
    assert len(read(sign * (2_000 // len(sign)))) <= 2_000
