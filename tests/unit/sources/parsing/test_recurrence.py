"""Recurring events with every kind of exception (RFC 5545, 3.8.4.4 and 3.8.5)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.labels import Status
from app.sources.ics.rule import read_rule
from app.sources.ics.rule_instances import stream
from app.sources.parsing.calendar_text import cut_down
from app.sources.parsing.dispatch import parse_content
from tests.unit.sources.makers import SHANGHAI, about, calendar, event

BERLIN = "DTSTART;TZID=Europe/Berlin:"


def read(*components: str, head: str = "", **changes):
    return parse_content(calendar(*components, head=head).encode(), about("cal.ics", **changes))


def starts(*components: str, head: str = "") -> list[datetime]:
    (entry,) = read(*components, head=head).entries
    return [one.start for one in entry.event.occurrences]


def days(*components: str, head: str = "") -> list[str]:
    return [f"{start:%m-%d}" for start in starts(*components, head=head)]


def weekly(*lines: str, rule: str = "FREQ=WEEKLY;COUNT=4") -> str:
    return event("u", "Weekly", "20250505T090000Z", "DURATION:PT1H", f"RRULE:{rule}", *lines)


def whole_days(*lines: str, rule: str = "FREQ=DAILY;COUNT=4") -> str:
    made = event("u", "Days", "20250505", f"RRULE:{rule}", *lines)
    return made.replace("DTSTART:", "DTSTART;VALUE=DATE:")


@pytest.mark.parametrize(
    ("line", "left"),
    [
        ("EXDATE:20250512T090000Z,20250519T090000Z", ["05-05", "05-26"]),
        ("EXDATE;VALUE=DATE:20250512", ["05-05", "05-19", "05-26"]),
        ("EXDATE;TZID=Europe/Berlin:20250512T110000", ["05-05", "05-19", "05-26"]),
        ("EXDATE:20250512T100000Z", ["05-05", "05-12", "05-19", "05-26"]),
        ("EXDATE:20250505T090000Z", ["05-12", "05-19", "05-26"]),
        ("EXRULE:FREQ=WEEKLY;INTERVAL=2;COUNT=9", ["05-12", "05-26"]),
        ("EXRULE:nonsense", ["05-05", "05-12", "05-19", "05-26"]),
    ],
)
def test_what_is_left_out(line, left):
    assert days(weekly(line)) == left


def test_extra_dates_with_an_end_of_their_own():
    (entry,) = read(weekly("RDATE;VALUE=PERIOD:20250507T090000Z/PT3H", "RDATE:20250508T090000Z")).entries
    lengths = {f"{one.start:%d}": one.end - one.start for one in entry.event.occurrences}
    hour = timedelta(hours=1)
    assert lengths == {"05": hour, "07": 3 * hour, "08": hour, "12": hour, "19": hour, "26": hour}


def test_only_extra_dates_and_no_rule():
    made = event("u", "x", "20250505T090000Z", "RDATE:20250507T090000Z,20250509T090000Z")
    assert days(made) == ["05-05", "05-07", "05-09"]


def test_the_start_belongs_to_it_even_where_the_rule_does_not_yield_it():
    assert days(weekly(rule="FREQ=WEEKLY;BYDAY=WE;COUNT=2")) == ["05-05", "05-07", "05-14"]


def test_a_changed_one_in_another_zone_and_a_newer_version_of_it():
    which = "RECURRENCE-ID;TZID=Asia/Shanghai:20250512T170000"
    old = event("u", "old", "20250513T090000Z", which, "SEQUENCE:1")
    new = event("u", "new", "20250514T090000Z", which, "SEQUENCE:2")
    assert days(weekly(), new, old) == ["05-05", "05-14", "05-19", "05-26"]


def test_a_change_of_what_the_rule_does_not_yield_is_there_too():
    odd = event("u", "odd", "20250508T090000Z", "RECURRENCE-ID:20250507T090000Z")
    assert days(weekly(), odd) == ["05-05", "05-08", "05-12", "05-19", "05-26"]


def test_a_change_for_all_later_ones_with_one_more_change_after_it():
    later = event(
        "u", "Later", "20250513T100000Z", "DURATION:PT2H", "RECURRENCE-ID;RANGE=THISANDFUTURE:20250512T090000Z"
    )
    single = event("u", "Single", "20250521T120000Z", "RECURRENCE-ID:20250519T090000Z")
    off = event("u", "x", "20250526T090000Z", "STATUS:CANCELLED", "RECURRENCE-ID:20250526T090000Z")
    (entry,) = read(weekly(), later, single, off).entries
    found = [(f"{one.start:%m-%d %H}", one.title, one.is_canceled) for one in entry.event.occurrences]
    assert found == [
        ("05-05 09", None, False), ("05-13 10", "Later", False), ("05-21 12", "Single", False), ("05-26 09", "x", True),
    ]  # fmt: skip


def test_a_floating_change_for_all_later_ones():
    master = event("u", "W", "20250505T090000", "RRULE:FREQ=WEEKLY;COUNT=3")
    later = event("u", "Later", "20250512T100000", "RECURRENCE-ID;RANGE=THISANDFUTURE:20250512T090000")
    assert [start.hour for start in starts(master, later)] == [9, 10, 10]


def test_whole_days_and_what_stands_where_a_date_belongs():
    assert days(whole_days("EXDATE;VALUE=DATE:20250506")) == ["05-05", "05-07", "05-08"]
    assert days(whole_days("EXDATE:20250506T000000")) == ["05-05", "05-07", "05-08"]
    # an instant that is midnight in Shanghai
    assert days(whole_days("EXDATE:20250505T160000Z")) == ["05-05", "05-07", "05-08"]
    two = whole_days().replace("RRULE", "DTEND;VALUE=DATE:20250507\r\nRRULE")
    (entry,) = read(two).entries
    assert {one.end - one.start for one in entry.event.occurrences} == {timedelta(days=2)}


@pytest.mark.parametrize(
    ("until", "last"),
    [
        ("20250507", "05-07"),
        ("20250507T000000Z", "05-07"),
        ("20250507T235959Z", "05-07"),
        ("20250506T160000Z", "05-07"),
    ],
)
def test_the_last_day_of_whole_days(until, last):
    assert days(whole_days(rule=f"FREQ=DAILY;UNTIL={until}"))[-1] == last


def test_an_end_in_utc_is_brought_into_the_zone_of_the_start():
    made = event("u", "x", "20250505T090000", "RRULE:FREQ=DAILY;UNTIL=20250508T070000Z").replace("DTSTART:", BERLIN)
    assert days(made) == ["05-05", "05-06", "05-07", "05-08"]
    earlier = made.replace("T070000Z", "T065959Z")
    assert days(earlier)[-1] == "05-07"


def test_the_hour_that_is_skipped_and_the_one_that_comes_twice():
    spring = event("u", "x", "20250329T023000", "DURATION:PT1H", "RRULE:FREQ=DAILY;COUNT=3").replace("DTSTART:", BERLIN)
    assert [f"{start.astimezone(UTC):%d %H:%M}" for start in starts(spring)] == ["29 01:30", "30 01:30", "31 00:30"]
    (entry,) = read(spring).entries
    assert {one.end.astimezone(UTC) - one.start.astimezone(UTC) for one in entry.event.occurrences} == {
        timedelta(hours=1)
    }
    autumn = event("u", "x", "20251025T023000", "RRULE:FREQ=DAILY;COUNT=3").replace("DTSTART:", BERLIN)
    assert [start.hour for start in starts(autumn)] == [2, 2, 2]


def test_a_zone_that_only_the_file_knows_with_its_own_summer():
    zone = (
        "BEGIN:VTIMEZONE\r\nTZID:Office\r\n"
        "BEGIN:STANDARD\r\nDTSTART:20001029T030000\r\nTZOFFSETFROM:+0200\r\nTZOFFSETTO:+0100\r\n"
        "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU\r\nEND:STANDARD\r\n"
        "BEGIN:DAYLIGHT\r\nDTSTART:20000326T020000\r\nTZOFFSETFROM:+0100\r\nTZOFFSETTO:+0200\r\n"
        "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU\r\nEND:DAYLIGHT\r\nEND:VTIMEZONE\r\n"
    )
    made = event("u", "x", "20250324T090000", "RRULE:FREQ=WEEKLY;COUNT=2").replace("DTSTART:", "DTSTART;TZID=Office:")
    for order in ((zone, made), (made, zone)):
        assert [start.astimezone(UTC).hour for start in starts(*order)] == [8, 7]


@pytest.mark.parametrize(
    "rule", ["FREQ=DAILY;INTERVAL=0", "RSCALE=CHINESE;FREQ=YEARLY", "FREQ=WEEKLY;BYMONTHDAY=3", ""]
)
def test_an_impossible_rule_keeps_the_first_date_and_costs_nobody_else(rule):
    old = event("u", "x", "20120505T090000Z", f"RRULE:{rule}")
    parsed = read(old, event("v", "fine"))
    assert {entry.fragment for entry in parsed.entries} == {"u", "v"}
    first = next(entry for entry in parsed.entries if entry.fragment == "u")
    assert [one.start.year for one in first.event.occurrences] == [2012]


def test_a_series_that_is_over_says_so():
    (over,) = read(weekly()).entries
    (endless,) = read(weekly(rule="FREQ=WEEKLY")).entries
    assert (over.event.expanded_until, endless.event.expanded_until) == (None, about().window[1])


def todo(*lines: str) -> str:
    return "\r\n".join(["BEGIN:VTODO", "UID:t", "SUMMARY:交周报", *lines, "END:VTODO", ""])


def due(*components: str):
    (entry,) = read(*components).entries
    return entry.task


def test_a_todo_that_recurs_is_due_next_when_it_is_not_done():
    master = todo("DTSTART:20250505T010000Z", "DUE:20250505T090000Z", "RRULE:FREQ=WEEKLY;COUNT=3")
    assert due(master).due_at == datetime(2025, 5, 5, 9, tzinfo=UTC)
    done = todo("DTSTART:20250505T010000Z", "RECURRENCE-ID:20250505T010000Z", "STATUS:COMPLETED")
    off = todo("DTSTART:20250512T010000Z", "RECURRENCE-ID:20250512T010000Z", "STATUS:CANCELLED")
    assert due(master, done).due_at == datetime(2025, 5, 12, 9, tzinfo=UTC)
    assert due(master, done, off).due_at == datetime(2025, 5, 19, 9, tzinfo=UTC)
    last = todo("DTSTART:20250519T010000Z", "RECURRENCE-ID:20250519T010000Z", "STATUS:COMPLETED")
    assert due(master, done, off, last).status is Status.DONE
    assert due(todo("DUE:20250505T090000Z", "RRULE:FREQ=SECONDLY;INTERVAL=0")).due_at is not None


@settings(max_examples=60)
@given(
    frequency=st.sampled_from(["YEARLY", "MONTHLY", "WEEKLY", "DAILY", "HOURLY"]),
    interval=st.integers(1, 7),
    part=st.sampled_from(
        ["", ";BYDAY=MO,FR", ";BYMONTH=2,9", ";BYMONTHDAY=1,-1", ";BYSETPOS=1;BYDAY=TU", ";BYHOUR=5,9"]
    ),
    start=st.datetimes(datetime(1990, 1, 1), datetime(2019, 12, 31)),  # noqa: DTZ001 - wall-clock times
)
def test_beginning_in_the_middle_changes_nothing(frequency, interval, part, start):
    if frequency == "WEEKLY" and "MONTHDAY" in part:
        return
    start = start.replace(microsecond=0)
    rule = read_rule(f"FREQ={frequency};INTERVAL={interval}{part}")
    short = 20 if frequency == "HOURLY" else 1
    since, until = start + timedelta(days=700 // short), start + timedelta(days=1_500 // short)

    def within(moments):
        found, silent = [], 0
        for moment in moments:
            silent = 0 if moment is not None else silent + 1
            # every sixth hour from midnight on is never five o'clock
            if (moment is not None and moment > until) or silent > 5_000:
                break
            if moment is not None and moment >= since:
                found.append(moment)
        return found

    assert within(stream(rule, start, since)) == within(stream(rule, start))


def test_of_very_many_entries_the_latest_are_kept():
    text = calendar(
        *(event(f"u{year}", "x", f"{year}0514T070000Z") for year in range(2000, 2020)),
        event("always", "x", "19900101T000000Z", "RRULE:FREQ=YEARLY"),
        head="X-WR-CALNAME:Mine\r\n",
    )
    assert cut_down(text, 100) == (text, False)
    cut, was_cut = cut_down(text, 5)
    assert was_cut
    parsed = parse_content(cut.encode(), about("x.ics"))
    assert {entry.fragment for entry in parsed.entries} == {"always", "u2016", "u2017", "u2018", "u2019"}
    assert parsed.entries[0].metadata["calendar"] == "Mine"


def test_zones_of_the_window_do_not_lose_its_edges():
    late = event("u", "x", "20271231T233000", "RRULE:FREQ=DAILY;COUNT=2")
    assert starts(late) == [datetime(2027, 12, 31, 23, 30, tzinfo=SHANGHAI)]
