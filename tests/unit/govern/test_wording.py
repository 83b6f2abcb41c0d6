"""Events, mails and tasks as sentences (G2.3)."""

from __future__ import annotations

from datetime import timedelta

from app.domain.entries import EventFacts, Occurrence, PersonRef, TaskFacts
from app.domain.labels import EntryKind, Status
from app.govern.wording import opening
from tests.unit.govern.makers import WHEN, entry, paragraph

HOUR = timedelta(hours=1)
PEOPLE = (PersonRef("Li Si", "li@example.com", "organizer"), PersonRef("", "wang@example.com", "attendee"))


def event(*occurrences: Occurrence, location: str = "", is_recurring: bool = False) -> EventFacts:
    return EventFacts(location, occurrences, is_recurring=is_recurring)


def test_an_event_says_day_time_place_and_people() -> None:
    facts = event(Occurrence(WHEN, WHEN + HOUR, is_all_day=False), location="Main St 5")
    said = opening(entry(title="Dentist", kind=EntryKind.EVENT, event=facts, people=PEOPLE))
    assert said.splitlines() == [
        "Dentist",
        "Saturday 10 May 2025, 09:00 - 10:00",
        "at Main St 5",
        "with Li Si, wang@example.com",
    ]


def test_a_chinese_event_is_told_in_chinese() -> None:
    facts = event(Occurrence(WHEN, WHEN + HOUR, is_all_day=False), location="三号会议室")
    said = opening(entry(title="项目例会", kind=EntryKind.EVENT, event=facts))
    assert "2025年5月10日 星期六" in said
    assert "地点：三号会议室" in said


def test_a_span_over_midnight_names_both_days() -> None:
    said = opening(entry(title="Night train", event=event(Occurrence(WHEN, WHEN + 20 * HOUR, is_all_day=False))))
    assert "Saturday 10 May 2025, 09:00 - Sunday 11 May 2025 05:00" in said


def test_an_all_day_event_ends_on_its_last_day() -> None:
    start = WHEN.replace(hour=0)
    one = opening(entry(title="Holiday", event=event(Occurrence(start, start + 24 * HOUR, is_all_day=True))))
    two = opening(entry(title="Holiday", event=event(Occurrence(start, start + 48 * HOUR, is_all_day=True))))
    assert "Saturday 10 May 2025, all day" in one
    assert "Saturday 10 May 2025 - Sunday 11 May 2025, all day" in two


def test_a_series_and_a_cancellation_are_named() -> None:
    first = Occurrence(WHEN, WHEN + HOUR, is_all_day=False)
    last = Occurrence(WHEN + timedelta(weeks=4), WHEN + timedelta(weeks=4) + HOUR, is_all_day=False)
    assert "repeats until Saturday 7 June 2025" in opening(entry(event=event(first, last, is_recurring=True)))
    gone = Occurrence(WHEN, WHEN + HOUR, is_all_day=False, is_canceled=True)
    assert "canceled" in opening(entry(event=event(gone)))


def test_a_task_says_its_deadline_and_whether_it_is_done() -> None:
    said = opening(entry(title="Tax return", task=TaskFacts(Status.DONE, due_at=WHEN, owner="Li Si")))
    assert said.splitlines() == ["Tax return", "due Saturday 10 May 2025", "done", "with Li Si"]


def test_a_mail_says_who_wrote_to_whom_and_when() -> None:
    people = (PersonRef("Li Si", "li@x.com", "author"), PersonRef("Wang Wu", "w@x.com", "recipient"))
    said = opening(entry(title="Lunch?", kind=EntryKind.MAIL, event_time=WHEN, people=people))
    assert said.splitlines() == ["Lunch?", "from Li Si", "to Wang Wu", "Saturday 10 May 2025"]


def test_a_document_speaks_for_itself() -> None:
    assert opening(entry([paragraph("text")])) == ""
