"""The door to both grammars: any text is read in bounded time, and readings keep their promises (G2.4, X9.3)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.readings import DateKind, Grain
from app.inference.dates import reader, windows
from app.inference.dates.reader import read_dates

NOW = datetime(2026, 7, 16, 10, 20, tzinfo=ZoneInfo("Asia/Shanghai"))
PIECES = (  # noqa: SIM905 - a sentence of words reads better than a list
    "next last this Monday Fri 3 5pm 15:30 30 2026 May of the in on at from to until and two weeks days ago every "
    "second first half past noon Easter Q3 week , - / . : 下 周三 明天 上午 3点 月底 ' morning"
).split()
HOSTILE = {
    "weekdays": "monday ",
    "figures": "1/2/2018 ",
    "lengths": "1 day and 2 days and ",
    "ranges": "from 3 to 4 on friday until ",
    "holders": "of the last week of ",
    "brackets": "(" * 5000 + ")" * 5000,
    "nul": "\0",
    "bidi": "\u202e3pm\u202c",
    "surrogates": "\ud800 5pm ",
    "full width": "２０２６／０７／１６ ",
    "one word": "aaaaaaaaaa",
    "one number": "1234567890",
}


@given(st.text(max_size=200))
def test_any_text_is_read(text: str) -> None:
    _check(text)


@settings(max_examples=150)
@given(st.lists(st.sampled_from(PIECES), max_size=14))
def test_any_order_of_words_of_time_is_read(words: list[str]) -> None:
    _check(" ".join(words))


def _check(text: str) -> None:
    last = 0
    for reading in read_dates(text, NOW):
        assert last <= reading.start < reading.end <= len(text)
        last = reading.end
        assert sum(one.score for one in reading.candidates) <= 1.001
        assert list(reading.candidates) == sorted(reading.candidates, key=lambda one: -one.score)
        assert (reading.rrule is not None) == (reading.kind is DateKind.RECURRENCE)
        for one in reading.candidates:
            assert one.start is not None or one.end is not None
            assert all(end is None or end.utcoffset() is not None for end in (one.start, one.end))
            assert one.start is None or one.end is None or one.start <= one.end


@given(
    st.sampled_from(
        ["tomorrow", "next month", "in 3 weeks", "last year", "a year ago", "下个月", "三天后", "上个世纪"]
    ),
    st.sampled_from([datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, 23, 59, tzinfo=UTC)]),
)
def test_the_ends_of_the_calendar_are_no_fault(text: str, now: datetime) -> None:
    read_dates(text, now)


@pytest.mark.parametrize("unit", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_hostile_text_does_no_more_than_its_windows(unit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    monkeypatch.setattr(reader, "MOST_SECONDS", 0.05)
    monkeypatch.setattr(windows, "MOST_CHARACTERS", 4_000)
    whole = windows.of

    def counted(text: str):  # type: ignore[no-untyped-def]
        for offset, piece in whole(text):
            seen.append(len(piece))
            yield offset, piece

    monkeypatch.setattr(windows, "of", counted)
    read_dates((unit * (1_000_000 // len(unit) + 1))[:1_000_000], NOW)
    assert max(seen) <= windows.WINDOW_CHARACTERS
    assert sum(seen) <= 4_000


def test_a_reference_needs_an_offset() -> None:
    with pytest.raises(ValueError, match="offset"):
        read_dates("tomorrow", NOW.replace(tzinfo=None))


def test_both_languages_in_one_text() -> None:
    text = "Deadline next Friday，明天下午三点开会"
    readings = read_dates(text, NOW)
    assert [text[one.start : one.end] for one in readings][-1].startswith("明天下午")
    assert len(readings) == 2


def test_a_language_may_be_named() -> None:
    assert read_dates("明天", NOW, "en") == []
    assert len(read_dates("2026-09-03", NOW)) == 1


def test_offsets_hold_in_a_long_text() -> None:
    text = "Nothing here. " * 400 + "See you on 3 September 2026."
    (reading,) = read_dates(text, NOW)
    assert text[reading.start : reading.end] == "on 3 September 2026"
    assert reading.candidates[0].end == datetime(2026, 9, 4, tzinfo=NOW.tzinfo)


def test_windows_cover_the_text_without_gaps() -> None:
    text = "word. " * 2_000
    pieces = list(windows.of(text))
    assert "".join(piece for _, piece in pieces) == text[: windows.MOST_CHARACTERS]
    assert all(text[offset:].startswith(piece) for offset, piece in pieces)


def test_scores_of_a_reading_sum_to_one_at_most() -> None:
    (reading,) = read_dates("on Thursday morning", NOW)
    assert 0.9 < sum(one.score for one in reading.candidates) <= 1.001  # the least likely are left out
    assert all(one.end and one.start and one.end - one.start < timedelta(days=1) for one in reading.candidates)


SPRING = datetime(2024, 3, 13, 10, 0, tzinfo=ZoneInfo("Europe/Berlin"))
"""A Wednesday."""


@pytest.mark.parametrize(
    "text",
    [
        "The next day he left.", "We moved out two days later.", "That night it rained and we stayed, it was cold.",
        "第二天他就走了", "次日清晨他离开了", "当晚大家都喝醉了", "同年他毕业了",
        "八点前交", "八点提醒我",
    ],
)  # fmt: skip
def test_what_counts_from_another_day_is_not_certain(text: str) -> None:
    (reading,) = read_dates(text, SPRING)
    assert not reading.is_certain


def test_what_counts_from_a_day_that_was_named_is_certain() -> None:
    assert all(reading.is_certain for reading in read_dates("5月3号出发，第二天到", SPRING))


@pytest.mark.parametrize(
    "text",
    [
        "April is coming over for dinner", "Theresa May resigned", "June Carter sang", "Jan called me",
        "dinner with June", "Ask May about the report", "Dear April, how are you?", "now and then we met",
        "早一点来", "再晚一点", "周一三五上课", "周二四六",
    ],
)  # fmt: skip
def test_what_only_sounds_like_a_time_is_none(text: str) -> None:
    assert read_dates(text, SPRING) == []


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("since Monday", "2024-03-11", ""),
        ("since May", "2023-05-01", ""),
        ("Mon-Fri 9-5", "2024-03-18", "2024-03-23"),
        ("Monday to Friday from 9am to 5pm", "2024-03-18", "2024-03-23"),
        ("周一到周五早上9点到下午5点", "2024-03-18", "2024-03-23"),
        ("周一到周五9点到17点", "2024-03-18", "2024-03-23"),
        ("周五9点半", "2024-03-15", ""),
        ("明年今天", "2025-03-13", "2025-03-14"),
        ("后年的今天", "2026-03-13", "2026-03-14"),
        ("周五开了会", "2024-03-08", "2024-03-09"),
        ("夏天来了", "2024-05-05", "2024-08-07"),
        ("see you in April", "2024-04-01", "2024-05-01"),
        ("starting with May", "2024-05-01", ""),
        ("now", "2024-03-13", ""),
    ],
)
def test_everyday_words_mean_what_people_mean(text: str, start: str, end: str) -> None:
    (reading,) = read_dates(text, SPRING)
    best = reading.candidates[0]
    assert ["" if one is None else f"{one:%Y-%m-%d}" for one in (best.start, best.end)] == [start, end]


def test_every_second_friday_is_no_matter_of_seconds() -> None:
    (reading,) = read_dates("every second Friday", SPRING)
    assert reading.rrule == "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR"


@pytest.mark.parametrize("text", ["7.30pm", "18h30"])
def test_a_time_without_seconds_is_said_to_the_minute(text: str) -> None:
    (reading,) = read_dates(text, SPRING)
    assert reading.candidates[0].grain is Grain.MINUTE


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("finish the gate by 31 December 9999.", 0),
        ("by December 31, 9999", 0),
        ("by 31 December 2026.", 1),
        ("on 3 May 2000 people came", 1),
        ("on 3 May, 12:30", 1),
    ],
)
def test_a_year_that_cannot_be_read_is_not_left_away(text: str, count: int) -> None:
    assert len(read_dates(text, NOW)) == count


def test_a_busy_machine_cuts_no_text_short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Time that passes while this thread does not work, as under load, is not its own."""
    passing = iter(range(0, 10_000, 5))
    monkeypatch.setattr(reader.clock, "monotonic_s", lambda: float(next(passing)))
    text = ("word " * 400 + "Meet on 3 May 2026. ") * 8
    assert len(read_dates(text, NOW)) == 8
