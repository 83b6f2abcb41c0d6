"""A small invented life, in English and in Chinese, for screenshots and tests of the window."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta, timezone

from app.domain.changes import ChangeInfo
from app.domain.collecting import SourceInfo, SyncState
from app.domain.context_item import AgendaItem, Answer, ContextItem
from app.domain.entries import Place
from app.domain.labels import EntryKind, Sensitivity, Status, Trust
from app.domain.text import Text, msg
from app.domain.words import day_words

BEIJING = timezone(timedelta(hours=8))
NOW = datetime(2025, 5, 14, 9, 30, tzinfo=BEIJING)


@dataclass(frozen=True)
class World:
    """What there is to find, to ask and to collect."""

    question: str
    typed: str
    answer: Answer
    hits: tuple[ContextItem, ...]
    agenda: tuple[AgendaItem, ...]
    sources: tuple[SourceInfo, ...]
    questions: tuple[str, ...]
    changes: tuple[ChangeInfo, ...] = ()


def item(key: str, title: str, content: str, **changes: object) -> ContextItem:
    """A passage with everyday values for what is not given."""
    days = int(str(changes.pop("days", 4)))
    when = NOW - timedelta(days=days, hours=1)
    values: dict[str, object] = {
        "item_id": key,
        "title": title,
        "content": content,
        "source_type": EntryKind.DOCUMENT,
        "source_uri": f"file:///home/mei/Notes/{key}.md",
        "event_time": when,
        "ingested_at": when,
        "valid_from": when,
        "valid_to": None,
        "task_status": None,
        "scope": "work",
        "acl": "owner",
        "sensitivity": Sensitivity.INTERNAL,
        "confidence": 0.9,
        "semantic_score": 0.86,
        "lexical_score": 0.58,
        "freshness_score": 0.97,
        "time_decay": 0.96,
        "final_score": 0.84,
        "stale_reason": None,
        "place": Place(),
    }
    return ContextItem(**(values | changes))  # type: ignore[arg-type]


def event(key: str, title: str, day: int, start: str, end: str, **changes: object) -> AgendaItem:
    """An event `day` days from now, from "HH:MM" to "HH:MM"; an empty start is the whole day."""
    midnight = NOW.replace(hour=0, minute=0) + timedelta(days=day)

    def at(clock: str) -> datetime:
        hours, minutes = clock.split(":")
        return midnight + timedelta(hours=int(hours), minutes=int(minutes))

    values: dict[str, object] = {
        "item_id": key,
        "kind": EntryKind.EVENT,
        "title": title,
        "start": at(start) if start else midnight,
        "end": at(end) if end else None,
        "is_all_day": not start,
        "location": "",
        "status": None,
        "source_uri": "file:///home/mei/Calendars/work.ics",
        "scope": "work",
    }
    return AgendaItem(**(values | changes))  # type: ignore[arg-type]


def source(key: str, kind: str, name: str, location: str, entries: int, **changes: object) -> SourceInfo:
    """A source that is up to date."""
    values: dict[str, object] = {
        "source_id": key,
        "kind": kind,
        "location": location,
        "name": name,
        "scope": "work",
        "acl": "owner",
        "sensitivity": Sensitivity.INTERNAL,
        "trust": Trust.OWN_FILES,
        "state": SyncState.IDLE,
        "created_at": NOW - timedelta(days=40),
        "last_sync_at": NOW - timedelta(minutes=4),
        "entry_count": entries,
    }
    return SourceInfo(**(values | changes))  # type: ignore[arg-type]


def change(number: int, title: str, reason: Text, **values: object) -> ChangeInfo:
    """Something that is no longer so."""
    given: dict[str, object] = {
        "at": NOW - timedelta(days=number),
        "effective_at": NOW - timedelta(days=number),
        "kind": "cancel",
        "subject": "record",
        "source_uri": "file:///home/mei/Notes/plan.md",
        "actor": "supersession",
        "rule_version": "supersession-1",
        "cause_title": title,
        "cause_uri": "file:///home/mei/Mail/cancelled.eml",
    }
    return ChangeInfo(number, title=title, reason=reason, **(given | values))  # type: ignore[arg-type]


_NEWER = msg("Replaced by the version of {date}", date=day_words(date(2025, 5, 5)))
_MISSING = {
    "state": SyncState.FAILED,
    "problem": msg("The folder is not there."),
}

_REPORT = "The test report is due on Wednesday 14 May; Zhang San writes it. If it is late, the launch moves by a week."
_REPORT_ZH = "测试报告周三前完成，由张三负责。如果没有按时完成，发布时间顺延一周。"

ENGLISH = World(
    question="When is the test report due?",
    typed="test report",
    answer=Answer(
        text=Text(
            "The test report is due on Wednesday 14 May; Zhang San writes it. [1]\n"
            "If it is late, the launch moves by a week. [1] The plan it follows is version 4. [2]"
        ),
        items=(
            item(
                "weekly-2025-05-10",
                "Weekly meeting, 10 May",
                _REPORT,
                source_type=EntryKind.NOTE,
            ),
            item("plan-4", "Test plan, version 4", "Load tests first, then the upgrade path.", days=9),
            item(
                "plan-3",
                "Test plan, version 3",
                "The upgrade path first, then load tests.",
                days=30,
                stale_reason=_NEWER,
            ),
        ),
        route="extract",
        request_id="a1",
    ),
    hits=(
        item(
            "weekly-2025-05-10",
            "Weekly meeting, 10 May",
            _REPORT,
            source_type=EntryKind.NOTE,
        ),
        item(
            "plan-4", "Test plan, version 4", "Load tests first, then the upgrade path. Report by the tester.", days=9
        ),
        item(
            "mail-17",
            "Re: who writes the report?",
            "I can take it, if I get the logs by Monday. Zhang San",
            days=5,
            source_type=EntryKind.MAIL,
        ),
        item(
            "plan-3",
            "Test plan, version 3",
            "The upgrade path first, then load tests.",
            days=30,
            stale_reason=_NEWER,
        ),
    ),
    agenda=(
        event("e1", "Stand-up", 0, "09:00", "09:15", location="Room Cedar"),
        event(
            "e2", "Test report due", 0, "17:00", "", kind=EntryKind.TASK, status=Status.ACTIVE, people=("Zhang San",)
        ),
        event("e3", "Launch review", 1, "10:30", "11:30", location="Room Cedar", people=("Li Si", "Zhang San")),
        event("e4", "Lunch with Anna", 1, "12:30", "13:30", location="Harbour Kitchen"),
        event("e5", "Launch", 2, "", ""),
    ),
    sources=(
        source("s1", "files", "Notes", "/home/mei/Notes", 312),
        source("s2", "ics", "Work calendar", "/home/mei/Calendars/work.ics", 148),
        source("s3", "files", "Papers", "/media/mei/archive/Papers", 1204, **_MISSING),
    ),
    changes=(
        change(1, "Trip to Berlin", msg("Cancelled by “{title}” of {date}", title="Berlin", date="2025-05-13")),
        change(2, "Dinner with Anna", msg("Cancelled by an entry of {date}", date="2025-05-12"), is_suggestion=True),
        change(
            3,
            "Launch",
            msg("Moved from {old} to {new}", old="2025-05-16", new="2025-05-23"),
            undone_at=NOW,
            undone_by="owner",
        ),
    ),
    questions=("What do I have on Wednesday?", "When is the test report due?", "What did we decide about the launch?"),
)

CHINESE = World(
    question="测试报告什么时候交？",
    typed="测试报告",
    answer=Answer(
        text=Text(
            "测试报告周三（5月14日）前完成，由张三负责。[1]\n"
            "如果没有按时完成，发布时间顺延一周。[1] 测试按第四版计划进行。[2]"
        ),
        items=(
            item(
                "周会-2025-05-10",
                "项目周会纪要（5月10日）",
                _REPORT_ZH,
                source_type=EntryKind.NOTE,
            ),
            item("计划-4", "测试计划（第四版）", "先做压力测试，再验证升级路径。", days=9),
            item(
                "计划-3",
                "测试计划（第三版）",
                "先验证升级路径，再做压力测试。",
                days=30,
                stale_reason=_NEWER,
            ),
        ),
        route="extract",
        request_id="a1",
    ),
    hits=(
        item(
            "周会-2025-05-10",
            "项目周会纪要（5月10日）",
            _REPORT_ZH,
            source_type=EntryKind.NOTE,
        ),
        item("计划-4", "测试计划（第四版）", "先做压力测试，再验证升级路径。测试报告由测试人员撰写。", days=9),
        item(
            "邮件-17",
            "回复：测试报告谁来写？",
            "如果周一能拿到日志，我可以写。张三",
            days=5,
            source_type=EntryKind.MAIL,
        ),
    ),
    agenda=(
        event("e1", "站会", 0, "09:00", "09:15", location="雪松会议室"),
        event("e2", "测试报告截止", 0, "17:00", "", kind=EntryKind.TASK, status=Status.ACTIVE, people=("张三",)),
        event("e3", "发布评审", 1, "10:30", "11:30", location="雪松会议室", people=("李四", "张三")),
        event("e4", "和安娜吃午饭", 1, "12:30", "13:30", location="海港餐厅"),
        event("e5", "产品发布", 2, "", ""),
    ),
    sources=(
        source("s1", "files", "笔记", "/home/mei/笔记", 312),
        source("s2", "ics", "工作日历", "/home/mei/日历/工作.ics", 148),
        source("s3", "files", "论文", "/media/mei/资料/论文", 1204, **_MISSING),
    ),
    changes=(
        change(1, "柏林之行", msg("Cancelled by “{title}” of {date}", title="柏林", date="2025-05-13")),
        change(2, "和安娜吃晚饭", msg("Cancelled by an entry of {date}", date="2025-05-12"), is_suggestion=True),
    ),
    questions=("周三有什么安排？", "测试报告什么时候交？", "关于发布我们决定了什么？"),
)
