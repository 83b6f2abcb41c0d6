"""What recurs, as Chinese says it, becomes the rule of a calendar."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from app.domain.readings import DateKind
from app.inference.dates.reader import read_dates

REFERENCE = datetime(2026, 3, 18, 10, 20, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("每天", "FREQ=DAILY"),
        ("每天早上8点", "FREQ=DAILY;BYHOUR=8;BYMINUTE=0"),
        ("每晚十点半", "FREQ=DAILY;BYHOUR=22;BYMINUTE=30"),
        ("隔天", "FREQ=DAILY;INTERVAL=2"),
        ("每隔三天", "FREQ=DAILY;INTERVAL=4"),
        ("每周三", "FREQ=WEEKLY;BYDAY=WE"),
        ("每週一三五晚上七點", "FREQ=WEEKLY;BYDAY=MO,WE,FR;BYHOUR=19;BYMINUTE=0"),
        ("每周一到周五", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
        ("每两周的周四", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TH"),
        ("隔周周五", "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR"),
        ("每个工作日的下午三点", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=15;BYMINUTE=0"),
        ("周二周四每天", "FREQ=WEEKLY;BYDAY=TU,TH"),
        ("每个周末", "FREQ=WEEKLY;BYDAY=SA,SU"),
        ("每月15号", "FREQ=MONTHLY;BYMONTHDAY=15"),
        ("每月1号和15号", "FREQ=MONTHLY;BYMONTHDAY=1,15"),
        ("每月最后一天", "FREQ=MONTHLY;BYMONTHDAY=-1"),
        ("每个月的第一个周五", "FREQ=MONTHLY;BYDAY=1FR"),
        ("每月最后一个周五", "FREQ=MONTHLY;BYDAY=-1FR"),
        ("每月最后一个工作日", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1"),
        ("每周二、四晚上", "FREQ=WEEKLY;BYDAY=TU,TH"),
        ("工作日每天早上9点", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=9;BYMINUTE=0"),
        ("逢周三", "FREQ=WEEKLY;BYDAY=WE"),
        ("每季度", "FREQ=MONTHLY;INTERVAL=3"),
        ("每半年", "FREQ=MONTHLY;INTERVAL=6"),
        ("每年5月1日", "FREQ=YEARLY;BYMONTH=5;BYMONTHDAY=1"),
        ("每年母亲节", "FREQ=YEARLY;BYMONTH=5;BYDAY=2SU"),
        ("每年", "FREQ=YEARLY"),
        ("每年中秋节", "RSCALE=CHINESE;FREQ=YEARLY;BYMONTH=8;BYMONTHDAY=15"),
        ("每年农历三月初三", "RSCALE=CHINESE;FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=3"),
        ("每年腊月廿三", "RSCALE=CHINESE;FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=23"),
        ("每年除夕", "RSCALE=CHINESE;FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=-1"),
        ("每天晚上8点到9点", "FREQ=DAILY;BYHOUR=20;BYMINUTE=0"),
        ("每半小时", "FREQ=MINUTELY;INTERVAL=30"),
        ("每20分钟", "FREQ=MINUTELY;INTERVAL=20"),
    ],
)
def test_recurrences(text: str, expected: str) -> None:
    (reading,) = read_dates(text, REFERENCE, "zh")
    assert (reading.kind, reading.rrule) == (DateKind.RECURRENCE, expected)
    assert (reading.start, reading.end) == (0, len(text))


@pytest.mark.parametrize("text", ["每个人", "每次", "每逢佳节", "隔壁", "每人"])
def test_what_does_not_recur(text: str) -> None:
    assert read_dates(text, REFERENCE, "zh") == []
