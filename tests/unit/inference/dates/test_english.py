"""English expressions of time: what each means, seen from a Thursday morning (G2.4, X9.3)."""

from __future__ import annotations

import itertools
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from app.domain.readings import DateKind, DateReading, Grain
from app.inference.dates.reader import read_dates

BERLIN = ZoneInfo("Europe/Berlin")
THURSDAY = datetime(2026, 7, 16, 10, 20, tzinfo=BERLIN)


def read(text: str, now: datetime = THURSDAY) -> DateReading:
    """The only reading of a text."""
    readings = read_dates(text, now, "en")
    assert len(readings) == 1, [text[one.start : one.end] for one in readings]
    return readings[0]


def shown(text: str, now: datetime = THURSDAY) -> str:
    """The likeliest meaning of a text: start and end, whole days without their midnight."""
    best = read(text, now).candidates[0]
    ends = (best.start, best.end)
    return "..".join("" if one is None else f"{one:%Y-%m-%dT%H:%M}".removesuffix("T00:00") for one in ends)


DAYS = [
    ("today", "2026-07-16"),
    ("see you tmr", "2026-07-17"),
    ("the day after tomorrow", "2026-07-18"),
    ("the day before yesterday", "2026-07-14"),
    ("We meet on Monday", "2026-07-20"),
    ("this Friday", "2026-07-17"),
    ("next Tuesday", "2026-07-21"),
    ("next Saturday", "2026-07-25"),
    ("the coming Saturday", "2026-07-18"),
    ("Saturday after next", "2026-07-25"),
    ("Wednesday of next week", "2026-07-22"),
    ("next week's Wednesday", "2026-07-22"),
    ("three Mondays from now", "2026-08-03"),
    ("3 September 2026", "2026-09-03"),
    ("September the 3rd, 2026", "2026-09-03"),
    ("3rd of Sept. 2026", "2026-09-03"),
    ("twenty-third of September twenty twenty six", "2026-09-23"),
    ("23/Sep/2026", "2026-09-23"),
    ("23-Sep-26", "2026-09-23"),
    ("2026-09-23", "2026-09-23"),
    ("2026/9/23", "2026-09-23"),
    ("23.9.2026", "2026-09-23"),
    ("9/23/2026", "2026-09-23"),
    ("23/9", "2026-09-23"),
    ("scan_20260923.pdf", "2026-09-23"),
    ("the 20th of this month", "2026-07-20"),
    ("the 5th of next month", "2026-08-05"),
    ("the first Monday of October", "2026-10-05"),
    ("the last Friday in November 2027", "2027-11-26"),
    ("the last day of February 2028", "2028-02-29"),
    ("the third day of next month", "2026-08-03"),
    ("in ten days", "2026-07-26"),
    ("two weeks ago", "2026-07-02"),
    ("a fortnight from now", "2026-07-30"),
    ("three weeks from tomorrow", "2026-08-07"),
    ("four days after 3 September", "2026-09-07"),
    ("in 3 business days", "2026-07-21"),
    ("the Monday closest to 1 October", "2026-09-28"),
    ("the last working day of the month", "2026-07-31"),
    ("a week ago today", "2026-07-09"),
    ("two weeks ago on Friday", "2026-07-03"),
    ("2026-W40-3", "2026-09-30"),
    ("Christmas Day", "2026-12-25"),
    ("Easter Monday 2027", "2027-03-29"),
    ("next Thanksgiving", "2026-11-26"),
    ("Lunar New Year 2027", "2027-02-06"),
    ("Rosh Hashanah 2026", "2026-09-12"),
]


@pytest.mark.parametrize(("text", "day"), DAYS)
def test_days(text: str, day: str) -> None:
    after = datetime.fromisoformat(day) + timedelta(days=1)
    assert shown(text) == f"{day}..{after:%Y-%m-%d}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("at 3 pm", "2026-07-16T15:00.."),
        ("at 9", "2026-07-17T09:00.."),
        ("half past seven in the evening", "2026-07-16T19:30.."),
        ("a quarter to noon", "2026-07-16T11:45.."),
        ("twenty to nine pm", "2026-07-16T20:40.."),
        ("15:45", "2026-07-16T15:45.."),
        ("15h45", "2026-07-16T15:45.."),
        ("at 1530 hours", "2026-07-16T15:30.."),
        ("tomorrow at 5", "2026-07-17T17:00.."),
        ("8 tonight", "2026-07-16T20:00.."),
        ("on Monday, 9.30 a.m.", "2026-07-20T09:30.."),
        ("noon on 3 September 2026", "2026-09-03T12:00.."),
        ("in an hour and a half", "2026-07-16T11:50..2026-07-16T11:51"),
        ("20 minutes ago", "2026-07-16T10:00..2026-07-16T10:01"),
        ("2026-09-23T14:05:00", "2026-09-23T14:05.."),
        ("half an hour before midnight", "2026-07-16T23:30.."),
        ("Wed, 23 Sep 2026 15:50:06 +0800", "2026-09-23T09:50.."),
        ("this time tomorrow", "2026-07-17T10:20..2026-07-17T10:21"),
    ],
)
def test_times(text: str, expected: str) -> None:
    assert shown(text) == expected


PERIODS = [
    ("next week", "2026-07-20..2026-07-27"),
    ("last month", "2026-06-01..2026-07-01"),
    ("this quarter", "2026-07-01..2026-10-01"),
    ("Q2 2027", "2027-04-01..2027-07-01"),
    ("the second half of 2027", "2027-07-01..2028-01-01"),
    ("September 2026", "2026-09-01..2026-10-01"),
    ("2026-09", "2026-09-01..2026-10-01"),
    ("June of next year", "2027-06-01..2027-07-01"),
    ("the year 2031", "2031-01-01..2032-01-01"),
    ("the nineties", "1990-01-01..2000-01-01"),
    ("the 1870s", "1870-01-01..1880-01-01"),
    ("the 19th century", "1800-01-01..1900-01-01"),
    ("week 40", "2026-09-28..2026-10-05"),
    ("week 1 of 2027", "2027-01-04..2027-01-11"),
    ("2026-W40", "2026-09-28..2026-10-05"),
    ("the week of 1 October", "2026-09-28..2026-10-05"),
    ("the last week of September 2026", "2026-09-21..2026-09-28"),
    ("this weekend", "2026-07-18..2026-07-20"),
    ("the end of September 2026", "2026-09-21..2026-10-01"),
    ("early 2027", "2027-01-01..2027-04-01"),
    ("the next three days", "2026-07-17..2026-07-20"),
    ("the first ten days of 2027", "2027-01-01..2027-01-11"),
    ("the rest of the week", "2026-07-16..2026-07-20"),
    ("the second half of next month", "2026-08-16..2026-09-01"),
    ("the week after Easter 2027", "2027-03-29..2027-04-05"),
    ("the weekend before 1 October 2026", "2026-09-26..2026-09-28"),
    ("3Q27", "2027-07-01..2027-10-01"),
    ("late 80s", "1987-01-01..1990-01-01"),
    ("the summer of '69", "1969-06-21..1969-09-24"),
    ("this summer", "2026-06-21..2026-09-24"),
    ("tomorrow morning", "2026-07-17T06:00..2026-07-17T12:00"),
    ("tonight", "2026-07-16T18:00..2026-07-17"),
    ("last night", "2026-07-15T18:00..2026-07-16"),
]
RANGES = [
    ("from 3 to 5 pm", "2026-07-16T15:00..2026-07-16T17:00"),
    ("Monday 10-12", "2026-07-20T10:00..2026-07-20T12:00"),
    ("tomorrow between 11 am and 1 pm", "2026-07-17T11:00..2026-07-17T13:00"),
    ("10 pm to 2 am tomorrow", "2026-07-17T22:00..2026-07-18T02:00"),
    ("at 4 pm for 45 minutes", "2026-07-16T16:00..2026-07-16T16:45"),
    ("13-15 September 2026", "2026-09-13..2026-09-16"),
    ("September 13 to 15, 2026", "2026-09-13..2026-09-16"),
    ("28 December 2026 - 3 January 2027", "2026-12-28..2027-01-04"),
    ("9/13-9/15/2026", "2026-09-13..2026-09-16"),
    ("from March to May 2027", "2027-03-01..2027-06-01"),
    ("between 2019 and 2021", "2019-01-01..2022-01-01"),
    ("Tuesday to Thursday next week", "2026-07-21..2026-07-24"),
    ("for two weeks starting 1 October 2026", "2026-10-01..2026-10-15"),
    ("since 2019", "2019-01-01.."),
    ("after 2019", "2020-01-01.."),
    ("before 2019", "..2019-01-01"),
    ("from 9 am today to 5 pm tomorrow", "2026-07-16T09:00..2026-07-17T17:00"),
    ("Monday after 3 pm", "2026-07-20T15:00.."),
]


@pytest.mark.parametrize(("text", "expected"), [*PERIODS, *RANGES])
def test_periods_and_ranges(text: str, expected: str) -> None:
    assert shown(text) == expected


def test_an_hour_without_its_half_of_the_day_is_unsure() -> None:
    reading = read("tomorrow at 5")
    assert [one.start.hour for one in reading.candidates if one.start] == [17, 5]
    assert not reading.is_certain


@pytest.mark.parametrize("text", ["4/5/2026", "4/5"])
def test_a_date_of_two_orders_has_both(text: str) -> None:
    reading = read(text)
    assert not reading.is_certain
    days = {(one.start.month, one.start.day) for one in reading.candidates if one.start}
    assert days == {(4, 5), (5, 4)}


@pytest.mark.parametrize(
    "text",
    [
        "2021-09-31",
        "30 February",
        "February 30, 2026",
        "31 April",
        "13/13/2026",
        "at 25:00",
        "12:75",
        "2026-02-29T10:00",
    ],
)
def test_an_impossible_date_is_no_other_date(text: str) -> None:
    assert all(not reading.candidates for reading in read_dates(text, THURSDAY))


def test_tense_decides_between_past_and_coming() -> None:
    assert shown("We met on Monday").startswith("2026-07-13")
    assert shown("We will meet on Monday").startswith("2026-07-20")
    assert shown("She was there in March").startswith("2026-03")
    assert shown("She will be there in March").startswith("2027-03")


@pytest.mark.parametrize("text", ["by Friday", "due Friday", "until Friday", "no later than Friday", "due by Friday"])
def test_a_deadline_is_to_come(text: str) -> None:
    reading = read(f"The report was {text}")
    assert reading.is_deadline
    assert [one.end for one in reading.candidates] == [datetime(2026, 7, 18, tzinfo=BERLIN)]


def test_a_time_in_another_zone_is_turned_into_the_zone_of_the_reference() -> None:
    assert shown("tomorrow at 3 pm EST") == "2026-07-17T22:00.."
    assert shown("tomorrow at 3 pm Tokyo time") == "2026-07-17T08:00.."
    assert shown("2026-09-23T14:05:00Z") == "2026-09-23T16:05.."


def test_elapsed_time_crosses_a_change_of_clocks() -> None:
    assert shown("in 2 hours", datetime(2026, 3, 29, 1, 30, tzinfo=BERLIN)).startswith("2026-03-29T04:30")
    assert shown("tomorrow at 9 am", datetime(2026, 3, 28, 9, 0, tzinfo=BERLIN)).startswith("2026-03-29T09:00")


def test_a_time_alone_is_marked_so() -> None:
    assert read("at 3 pm").candidates[0].is_time_only
    assert not read("tomorrow at 3 pm").candidates[0].is_time_only


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("for three hours", timedelta(hours=3)),
        ("an hour and a half", timedelta(hours=1, minutes=30)),
        ("2 weeks and 3 days", timedelta(days=17)),
        ("half an hour", timedelta(minutes=30)),
        ("1.5 hours", timedelta(minutes=90)),
        ("a couple of days", timedelta(days=2)),
        ("two months", timedelta(days=60)),
    ],
)
def test_durations(text: str, length: timedelta) -> None:
    reading = read(text)
    assert (reading.kind, reading.duration, reading.candidates) == (DateKind.DURATION, length, ())


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("every day", "FREQ=DAILY"),
        ("every other Friday", "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR"),
        ("Mondays and Thursdays at 7:30 pm", "FREQ=WEEKLY;BYDAY=MO,TH;BYHOUR=19;BYMINUTE=30"),
        ("on weekdays", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
        ("every three weeks", "FREQ=WEEKLY;INTERVAL=3"),
        ("quarterly", "FREQ=MONTHLY;INTERVAL=3"),
        ("the last Friday of every month", "FREQ=MONTHLY;BYDAY=-1FR"),
        ("on the 15th of each month", "FREQ=MONTHLY;BYMONTHDAY=15"),
        ("every 2nd Tuesday", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU"),
        ("every 3 September", "FREQ=YEARLY;BYMONTH=9;BYMONTHDAY=3"),
        ("daily until 1 August 2026", "FREQ=DAILY;UNTIL=20260801"),
    ],
)
def test_recurrences(text: str, rule: str) -> None:
    reading = read(text)
    assert (reading.kind, reading.rrule) == (DateKind.RECURRENCE, rule)


@pytest.mark.parametrize(
    "text",
    [
        "Yes. May I ask why?",
        "She sat down and the sun was out.",
        "It is a 4:3 screen.",
        "Call (030) 555-1212 or +49 138-2010-2015.",
        "Rates were at 6.45 percent.",
        "It costs $2026.",
        "version 1.2.3",
        "the first time",
        "two to four people",
        "march on",
        "file ABC-12345-A1B2",
        "nice day",
        "open 24/7",
        "set the code to 1234",
        "Good morning and a happy New Year",
        "a board of 5/8 inch",
        "What is the apr on that card?",
        "She sings in the sun.",
        "the spring fair of the summer camp",
    ],
)
def test_what_only_looks_like_a_time(text: str) -> None:
    assert [text[one.start : one.end] for one in read_dates(text, THURSDAY) if one.candidates] == []


def test_several_expressions_stand_where_they_are_said() -> None:
    text = "Move it from 3 September 2026 to Friday: ready on 4 May 2027, or in week 40."
    readings = read_dates(text, THURSDAY)
    assert all(first.end <= second.start for first, second in itertools.pairwise(readings))
    assert [text[one.start : one.end] for one in readings] == [
        "from 3 September 2026 to Friday",
        "on 4 May 2027",
        "week 40",
    ]


def test_items_of_a_list_are_read_apart() -> None:
    text = "- Monday: gym\n- Tuesday: swim at 7\n- Wednesday: rest"
    found = [text[one.start : one.end] for one in read_dates(text, THURSDAY)]
    assert found == ["Monday", "Tuesday", "at 7", "Wednesday"]


def test_full_width_letters_and_figures() -> None:
    assert shown("３：３０ｐｍ on ２０２６／０９／０３") == "2026-09-03T15:30.."


def test_each_of_listed_days_has_the_month() -> None:
    readings = read_dates("the 4th and 5th of September", THURSDAY)
    assert [one.candidates[0].start.day for one in readings if one.candidates[0].start] == [4, 5]
    assert {one.candidates[0].grain for one in readings} == {Grain.DAY}


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        ("next week Mon, Wed or Fri", ["2026-07-20", "2026-07-22", "2026-07-24"]),
        ("Monday or Tuesday next week", ["2026-07-20", "2026-07-21"]),
        ("September 7th, 8th, or 9th", ["2026-09-07", "2026-09-08", "2026-09-09"]),
        ("the 7th, 8th or 9th of September", ["2026-09-07", "2026-09-08", "2026-09-09"]),
        ("next Monday 1-3 pm or 5-6 pm", ["2026-07-20T13:00", "2026-07-20T17:00"]),
        ("next week on Tuesday 9 am or Thursday 1 pm", ["2026-07-21T09:00", "2026-07-23T13:00"]),
        ("on Tuesday or Wednesday morning", ["2026-07-21T06:00", "2026-07-22T06:00"]),
    ],
)
def test_lists_share_what_is_said_once(text: str, starts: list[str]) -> None:
    bests = [one.candidates[0].start for one in read_dates(text, THURSDAY)]
    assert bests == [datetime.fromisoformat(start).replace(tzinfo=BERLIN) for start in starts]
