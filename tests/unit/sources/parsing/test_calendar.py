from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from app.domain.errors import Unreadable
from app.domain.labels import EntryKind, Status
from app.sources.ics import rule_instances
from app.sources.parsing import recurrence, recurrence_set
from app.sources.parsing.dispatch import parse_content
from tests.unit.sources.makers import SHANGHAI, about, calendar, event

BERLIN_SUMMER = timedelta(hours=2)


def read(*components: str, head: str = "", **changes):
    return parse_content(calendar(*components, head=head).encode(), about("cal.ics", **changes))


def only(*components: str, head: str = "", **changes):
    entries = read(*components, head=head, **changes).entries
    assert len(entries) == 1
    return entries[0]


def starts(entry) -> list[datetime]:
    return [occurrence.start for occurrence in entry.event.occurrences]


def test_one_event():
    entry = only(
        event(
            "u1", "Dentist", "20250514T070000Z", "DTEND:20250514T080000Z", "LOCATION:Main Street 5",
            "ORGANIZER;CN=Li Na:mailto:ln@example.com", "ATTENDEE;CN=\"Zhang, Wei\":mailto:zw@example.cn",
            "DESCRIPTION:Bring the card\\n\\nand money", "CATEGORIES:health,private", "CLASS:PRIVATE",
        )
    )  # fmt: skip
    assert (entry.kind, entry.fragment, entry.title, entry.status) == (EntryKind.EVENT, "u1", "Dentist", Status.ACTIVE)
    occurrence = entry.event.occurrences[0]
    assert occurrence.start == datetime(2025, 5, 14, 7, tzinfo=UTC)
    assert occurrence.end == datetime(2025, 5, 14, 8, tzinfo=UTC)
    assert not occurrence.is_all_day
    assert entry.event.location == "Main Street 5"
    assert [(person.name, person.role) for person in entry.people] == [
        ("Li Na", "organizer"),
        ("Zhang, Wei", "attendee"),
    ]
    assert entry.metadata["class"] == "PRIVATE"
    assert entry.metadata["categories"] == "health, private"
    first, *rest = [block.text for block in entry.blocks]
    assert first.splitlines() == ["Dentist", "2025-05-14 07:00 – 08:00", "Main Street 5", "Li Na, Zhang, Wei"]
    assert rest == ["Bring the card", "and money"]


def test_a_recurring_event_keeps_its_hour_when_the_clocks_change():
    entry = only(
        event("u", "Standup", "20250324T090000", "RRULE:FREQ=WEEKLY;COUNT=3", "DURATION:PT30M").replace(
            "DTSTART:", "DTSTART;TZID=Europe/Berlin:"
        )
    )
    assert [start.hour for start in starts(entry)] == [9, 9, 9]
    assert [start.utcoffset() for start in starts(entry)] == [timedelta(hours=1), BERLIN_SUMMER, BERLIN_SUMMER]
    assert entry.event.is_recurring
    assert entry.event.expanded_until is None


def test_what_never_ends_is_expanded_to_the_end_of_the_window():
    entry = only(event("u", "Daily", "20250101T090000Z", "RRULE:FREQ=DAILY"))
    assert entry.event.expanded_until == about().window[1]
    assert starts(entry)[-1] < about().window[1]
    assert len(starts(entry)) == 3 * 365
    assert read(event("u", "Daily", "20250101T090000Z", "RRULE:FREQ=DAILY")).expanded_until == about().window[1]


def test_the_hash_knows_the_window_only_where_the_rule_goes_on():
    later = (about().window[0], datetime(2029, 1, 1, tzinfo=SHANGHAI))
    endless = event("u", "D", "20250101T090000Z", "RRULE:FREQ=YEARLY")
    ending = event("u", "D", "20250101T090000Z", "RRULE:FREQ=YEARLY;COUNT=2")
    assert only(endless).content_hash != only(endless, window=later).content_hash
    assert only(ending).content_hash == only(ending, window=later).content_hash


def test_left_out_moved_and_canceled_occurrences():
    master = event(
        "u",
        "Weekly",
        "20250505T090000Z",
        "DTEND:20250505T100000Z",
        "RRULE:FREQ=WEEKLY;COUNT=4",
        "EXDATE:20250512T090000Z",
    )
    moved = event("u", "Weekly (moved)", "20250520T120000Z", "RECURRENCE-ID:20250519T090000Z", "LOCATION:Elsewhere")
    off = event("u", "Weekly", "20250526T090000Z", "RECURRENCE-ID:20250526T090000Z", "STATUS:CANCELLED")
    entry = only(master, moved, off)
    found = entry.event.occurrences
    assert [(one.start.day, one.is_canceled, one.title, one.location) for one in found] == [
        (5, False, None, None),
        (20, False, "Weekly (moved)", "Elsewhere"),
        (26, True, None, None),
    ]


def test_a_change_for_all_later_ones():
    master = event("u", "Weekly", "20250505T090000Z", "DTEND:20250505T100000Z", "RRULE:FREQ=WEEKLY;COUNT=4")
    which = "RECURRENCE-ID;RANGE=THISANDFUTURE:20250519T090000Z"
    later = event("u", "Later", "20250519T110000Z", "DTEND:20250519T120000Z", which)
    found = only(master, later).event.occurrences
    assert [(one.start.day, one.start.hour, one.title) for one in found] == [
        (5, 9, None),
        (12, 9, None),
        (19, 11, "Later"),
        (26, 11, "Later"),
    ]


def test_whole_days():
    entry = only(
        event("u", "Holiday", "20251001", "RRULE:FREQ=YEARLY;COUNT=2").replace("DTSTART:", "DTSTART;VALUE=DATE:")
    )
    first = entry.event.occurrences[0]
    assert first.is_all_day
    assert first.start == datetime(2025, 10, 1, tzinfo=SHANGHAI)
    assert first.end == datetime(2025, 10, 2, tzinfo=SHANGHAI)


@pytest.mark.parametrize(
    ("line", "hours"),
    [
        ("DTSTART:20250514T150000", 7),
        ("DTSTART;TZID=China Standard Time:20250514T150000", 7),
        ("DTSTART;TZID=W. Europe Standard Time:20250514T150000", 13),
        ('DTSTART;TZID="(UTC+08:00) Beijing, Chongqing":20250514T150000', 7),
        ("DTSTART;TZID=/mozilla.org/20050126_1/Europe/Paris:20250514T150000", 13),
        ("DTSTART;TZID=GMT-0300:20250514T150000", 18),
        ("DTSTART;TZID=Nowhere Special:20250514T150000", 7),
    ],
)
def test_zones_by_any_name(line, hours):
    entry = only(event("u").replace("DTSTART:20250514T070000Z", line))
    assert starts(entry)[0] == datetime(2025, 5, 14, hours, tzinfo=UTC)


def test_a_zone_that_the_calendar_brings_along():
    zone = (
        "BEGIN:VTIMEZONE\r\nTZID:Mine\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000\r\nTZOFFSETFROM:+0530\r\n"
        "TZOFFSETTO:+0530\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n"
    )
    entry = only(zone, event("u", "x", "20250514T150000").replace("DTSTART:", "DTSTART;TZID=Mine:"))
    assert starts(entry)[0] == datetime(2025, 5, 14, 9, 30, tzinfo=UTC)


def test_a_calendar_that_names_its_zone_the_google_way():
    rule = event("u", "x", "20250324T080000Z", "RRULE:FREQ=WEEKLY;COUNT=2")
    entry = only(rule, head="X-WR-TIMEZONE:Europe/Berlin\r\nX-WR-CALNAME:Work\r\n")
    assert [start.astimezone(UTC).hour for start in starts(entry)] == [8, 7]
    assert entry.metadata["calendar"] == "Work"


def test_a_cancelled_event_and_a_cancelled_calendar():
    assert only(event("u", "x", "20250514T070000Z", "STATUS:CANCELLED")).status is Status.CANCELED
    entry = only(event("u"), head="METHOD:CANCEL\r\n")
    assert entry.status is Status.CANCELED
    assert entry.event.occurrences[0].is_canceled


def test_todos_and_notes():
    todo = (
        "BEGIN:VTODO\r\nUID:t1\r\nSUMMARY:Report\r\nDUE:20250514T160000Z\r\nRELATED-TO:t0\r\nDESCRIPTION:the test\r\n"
        "END:VTODO\r\n"
    )
    done = "BEGIN:VTODO\r\nUID:t2\r\nSUMMARY:Old\r\nSTATUS:COMPLETED\r\nCOMPLETED:20250501T000000Z\r\nEND:VTODO\r\n"
    note = "BEGIN:VJOURNAL\r\nUID:j\r\nSUMMARY:Day\r\nDTSTART:20250501T000000Z\r\nDESCRIPTION:quiet\r\nEND:VJOURNAL\r\n"
    parsed = read(todo, done, note)
    first, second, third = parsed.entries
    assert (first.kind, first.task.status, first.task.parent_native_id) == (EntryKind.TASK, Status.ACTIVE, "t0")
    assert first.task.due_at == datetime(2025, 5, 14, 16, tzinfo=UTC)
    assert (second.status, second.task.completed_at) == (Status.DONE, datetime(2025, 5, 1, tzinfo=UTC))
    assert (third.kind, third.title) == (EntryKind.NOTE, "Day")
    assert dict(parsed.facts)["todos"] == 2


def test_one_broken_component_does_not_lose_the_others():
    broken = "BEGIN:VEVENT\r\nUID:b\r\nDTSTART:not a date\r\nno colon here\r\nEND:VEVENT\r\n"
    parsed = read(event("a"), broken, event("c"))
    assert {"a", "c"} <= {entry.fragment for entry in parsed.entries}
    assert parsed.warnings
    bad_zone = "BEGIN:VTIMEZONE\r\nTZID:Z\r\nBEGIN:STANDARD\r\nDTSTART:-0011130T1\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n"
    assert {entry.fragment for entry in read(bad_zone, event("a"), event("c")).entries} == {"a", "c"}


def test_a_file_that_is_cut_off_keeps_what_is_whole():
    text = calendar(event("a"), event("b"), event("c"))
    parsed = parse_content(text[: text.index("UID:c") + 8].encode(), about("cal.ics"))
    assert {"a", "b"} <= {entry.fragment for entry in parsed.entries}


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "rule", ["FREQ=SECONDLY", "FREQ=MINUTELY;INTERVAL=1", "FREQ=DAILY;BYHOUR=0,1,2,3,4,5,6,7;BYMINUTE=0,10,20,30,40,50",
             "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30"]
)  # fmt: skip
def test_rules_without_measure_keep_the_first_date_and_say_so(rule):
    parsed = read(event("u", "x", "20200101T000000Z", f"RRULE:{rule}"))
    assert len(parsed.entries[0].event.occurrences) == 1
    assert parsed.warnings


def test_very_many_recurring_events_are_narrowed(monkeypatch):
    monkeypatch.setattr(recurrence, "_MAX_FILE_STEPS", 5_000)
    parsed = read(*(event(f"u{n}", "x", "20100101T000000Z", "RRULE:FREQ=DAILY") for n in range(3)))
    assert min(starts(parsed.entries[0])).year == 2024
    assert any("three years" in str(warning) for warning in parsed.warnings)


@pytest.mark.parametrize(
    "rule",
    [
        "FREQ=DAILY;INTERVAL=3",
        "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=SU",
        "FREQ=DAILY;BYDAY=FR",
        "FREQ=YEARLY",
        "FREQ=YEARLY;INTERVAL=3;BYMONTH=1,6;BYDAY=2MO",
        "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO",
    ],
)
def test_an_old_series_is_wound_forward_without_a_difference(rule, monkeypatch):
    old = event("u", "x", "20030302T233000", f"RRULE:{rule}", "DURATION:PT2H", "EXDATE:20240105T233000")
    old = old.replace("DTSTART:", "DTSTART;TZID=Europe/Berlin:").replace("EXDATE:", "EXDATE;TZID=Europe/Berlin:")
    wound = starts(only(old))
    monkeypatch.setattr(recurrence_set, "stream", lambda rule, start, _: rule_instances.stream(rule, start))
    assert wound == starts(only(old))
    assert len(wound) >= 4


def test_the_number_of_occurrences_is_limited():
    parsed = read(event("u", "x", "20240101T000000Z", "RRULE:FREQ=DAILY"), limits={"occurrences": 10})
    assert len(parsed.entries[0].event.occurrences) == 10
    assert starts(parsed.entries[0])[0].date().isoformat() == "2025-01-01"
    assert parsed.warnings


def test_unknown_kinds_of_repetition_keep_the_first_date():
    parsed = read(
        event("u", "春节", "20250129", "RRULE:RSCALE=CHINESE;FREQ=YEARLY").replace("DTSTART:", "DTSTART;VALUE=DATE:")
    )
    assert len(parsed.entries) == 1
    assert parsed.entries[0].event.occurrences


def test_an_export_anew_is_the_same_event():
    old, new = event("u"), event("u").replace("DTSTAMP:20250101", "DTSTAMP:20250202")
    assert only(old).content_hash == only(new).content_hash
    assert only(old).content_hash != only(event("u", "other")).content_hash


def test_events_that_share_a_uid_are_kept_apart_and_versions_are_not():
    two = read(event("u", "one", "20250514T070000Z"), event("u", "two", "20250515T070000Z"))
    assert sorted(entry.title for entry in two.entries) == ["one", "two"]
    assert len({entry.fragment for entry in two.entries}) == 2
    newer = only(
        event("u", "old", "20250514T070000Z", "SEQUENCE:1"), event("u", "new", "20250514T080000Z", "SEQUENCE:2")
    )
    assert newer.title == "new"


def test_no_calendar_is_refused():
    with pytest.raises(Unreadable):
        parse_content(b"BEGIN:VCALENDAR\r\nnothing\r\n", about("x.ics"))


def test_a_calendar_in_gbk():
    parsed = parse_content(calendar(event("u", "项目晨会讨论进度")).encode("gbk"), about("x.ics"))
    assert parsed.entries[0].title == "项目晨会讨论进度"
