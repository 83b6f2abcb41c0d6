"""What happens in the worlds of these tests: short stories of entries that bear on each other, in both languages.

Each entry of a story gets rights of its own, so that any of them may be hidden from a viewer while the others are not.
"""

from __future__ import annotations

import hashlib
import tomllib
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.domain.entries import (
    Block,
    ContactFacts,
    Entry,
    EventFacts,
    Occurrence,
    PersonRef,
    Place,
    TaskFacts,
)
from app.domain.labels import BlockKind, EntryKind, Sensitivity, Status

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

ZONE = timezone(timedelta(hours=8))
NOW = datetime(2025, 5, 14, 9, 30, tzinfo=ZONE)
OWN = frozenset({"me@home.example"})
_DATA = Path(__file__).parents[2] / "data" / "supersession"
_FILES = ("pairs", "fresh", "fresh_again", "fresh_third", "near_misses")
_ROLES = {EntryKind.EVENT: "organizer", EntryKind.MAIL: "author", EntryKind.CHAT: "author"}


@dataclass(frozen=True)
class Rights:
    """Who may see an entry."""

    scope: str
    acl: str
    sensitivity: Sensitivity

    @property
    def source_id(self) -> str:
        return f"{self.scope}-{self.acl}-{int(self.sensitivity)}"


RIGHTS = (
    Rights("work", "team", Sensitivity.INTERNAL),
    Rights("work", "team", Sensitivity.CONFIDENTIAL),
    Rights("work", "owner", Sensitivity.INTERNAL),
    Rights("work", "team", Sensitivity.PUBLIC),
    Rights("home", "owner", Sensitivity.INTERNAL),
    Rights("work", "boss", Sensitivity.HIGHLY_SENSITIVE),
)


@dataclass(frozen=True)
class Told:
    """An entry of a story. `mark`: a word that stands nowhere else; `is_deleted`: its source takes it away again."""

    kind: EntryKind
    title: str
    text: str = ""
    at: datetime = NOW
    people: tuple[tuple[str, str, str], ...] = ()
    start: datetime | None = None
    due: datetime | None = None
    is_done: bool = False
    thread: str | None = None
    contact: ContactFacts | None = None
    native: str = ""
    rights: Rights = RIGHTS[0]
    mark: str = ""
    is_deleted: bool = False

    @property
    def entry(self) -> Entry:
        """As its source would tell it."""
        parts = [part for part in self.text.split("\n\n") if part]
        if parts and self.kind is not EntryKind.CHAT:
            parts.append(f"({self.mark})")
        blocks = tuple(
            Block(
                BlockKind.PARAGRAPH,
                part,
                Place(message_id=f"{self.mark}:{at}" if self.kind is EntryKind.CHAT else None),
            )
            for at, part in enumerate(parts)
        )
        native = self.native or f"{self.mark}.md"
        said = (self.mark, self.title, self.text, self.at, self.start, self.due, self.people)
        is_written = self.kind in {EntryKind.MAIL, EntryKind.CHAT}
        return Entry(
            source_id=self.rights.source_id,
            native_id=native,
            kind=self.kind,
            title=self.title,
            source_uri=f"test:///{self.mark}/{native}",
            content_hash=hashlib.sha256(repr(said).encode()).hexdigest(),
            blocks=blocks,
            created_at=self.at,
            updated_at=self.at,
            event_time=self.start or (self.at if is_written else None),
            status=Status.ACTIVE if self.kind is EntryKind.TASK else None,
            people=tuple(PersonRef(*person) for person in self.people),
            event=self._event,
            task=self._task,
            contact=self.contact,
            thread=self.thread,
        )

    @property
    def _event(self) -> EventFacts | None:
        if self.kind is not EntryKind.EVENT or self.start is None:
            return None
        once = Occurrence(self.start, self.start + timedelta(hours=1), is_all_day=False)
        return EventFacts(f"Room {self.mark}", (once,), is_recurring=False)

    @property
    def _task(self) -> TaskFacts | None:
        if self.kind is not EntryKind.TASK:
            return None
        return TaskFacts(Status.DONE if self.is_done else Status.ACTIVE, due_at=self.due)


Story = tuple[Told, ...]


def day(number: int, hour: int = 9, month: int = 5) -> datetime:
    return datetime(2025, month, number, hour, tzinfo=ZONE)


def note(title: str, text: str, at: datetime = NOW, **more: Any) -> Told:
    return Told(EntryKind.NOTE, title, text, at, **more)


def mail(title: str, text: str, at: datetime, who: tuple[str, str], **more: Any) -> Told:
    return Told(EntryKind.MAIL, title, text, at, ((*who, "author"), ("Me", "me@home.example", "recipient")), **more)


def chat(title: str, *messages: str, at: datetime = NOW, **more: Any) -> Told:
    return Told(EntryKind.CHAT, title, "\n\n".join(messages), at, **more)


_RENT = "The rent of the flat is 1,180 euros, due on the third of each month."
_GARDEN = "The garden plan has {} beds with roses, a pond and {} bench by the wall, says Ben Cole."
ANN, BEN, LI = ("Ann Meyer", "ann@example.com"), ("Ben Cole", "ben@example.com"), ("李思", "lisi@example.cn")
STORIES: Sequence[Story] = (
    (
        mail("Trip", "The trip to Leeds is on 20 May.", day(2), ANN),
        mail("Trip off", "The trip to Leeds is cancelled.", day(6), ANN),
        mail("Trip again", "The trip to Leeds is on again.", day(9), ANN),
        note("Packing", "Pack a coat for the trip to Leeds."),
    ),
    (
        mail("Workshop", "The workshop in Leeds is on 20 May.", day(2), ANN),
        mail("Workshop", "The workshop in York is on 27 May.", day(3), ANN),
        mail("Off", "The workshop is cancelled.", day(6), ANN),
        mail("Moved", "The workshop in York has been moved to 28 May.", day(8), ANN),
    ),
    (
        note("培训", "5月20日去上海参加培训。", day(2)),
        note("培训", "5月27日去苏州参加培训。", day(3)),
        note("取消", "培训取消了。", day(6)),
        note("改期", "苏州的培训改到5月28日。", day(8)),
    ),
    (
        mail("团建", "5月20日去团建。", day(2), LI),
        mail("团建取消", "团建取消了。", day(6), LI),
        mail("团建", "团建照常举行。", day(9), LI),
        note("备忘", "团建要带相机。"),
    ),
    (
        mail("Report", "Please finish the test report by 16 May.", day(8), BEN, thread="t-report"),
        mail(
            "Re: Report",
            "If the test report is not finished, the launch is postponed.",
            day(8, 10),
            ANN,
            thread="t-report",
        ),
        mail("Re: Report", "The launch is scheduled for 21 May.", day(8, 8), ANN, thread="t-report"),
        mail("Re: Report", "I finished the test report.", day(13), BEN, thread="t-report"),
    ),
    (
        note(
            "Weekly meeting",
            "2025-05-10 weekly meeting: Project A launch is tentatively set for next Friday; Zhang San must finish the "
            "test report by Wednesday; if the test report is not finished, the launch is postponed by one week.",
            day(10),
        ),
        note("Log", "The test report is finished.", day(12)),
        mail("Launch", "The Project A launch has been moved to 23 May.", day(13), ANN),
        mail("Launch", "The Project A launch is cancelled.", day(13, 18), ANN),
    ),
    (
        mail("Hello", "Nice to meet you, I work at Acme as a designer.", day(3), ("Annabel", "ann@example.com")),
        mail("Number", "My number is 555-0199. I live in Leeds.", day(5), ANN),
        mail("New number", "My new number is 555-0142. I moved to York.", day(11), ANN),
        Told(
            EntryKind.CONTACT,
            "Ann Meyer",
            "Ann Meyer",
            day(4),
            contact=ContactFacts(
                ("Ann Meyer",), ("ann@example.com", "ann.m@private.example"), ("555-0177",), organisation="Acme"
            ),
        ),
    ),
    (
        mail("号码", "我的电话是13800000001。我住在杭州。", day(5), LI),
        mail("换号", "我的新电话是13800000002。我搬到苏州了。", day(11), LI),
        mail("你好", "我是李思，在蓝星公司做设计。", day(3), ("思思", "lisi@example.cn")),
        note("认识的人", "李思和张三负责蓝星公司的合同。", day(12)),
    ),
    (
        note("Lease", _RENT, day(1)),
        note("Lease copy", _RENT, day(2)),
        mail("Fwd: Lease", f"---------- Forwarded message ----------\n\n{_RENT}", day(3), BEN),
        note("Budget", "Rent, power and water of the flat: budget for May.", day(4)),
    ),
    (
        Told(EntryKind.DOCUMENT, "plan v1", _GARDEN.format("three", "a"), day(1), native="plan v1.docx"),
        Told(EntryKind.DOCUMENT, "plan v2", _GARDEN.format("four", "a"), day(2), native="plan v2.docx"),
        Told(EntryKind.DOCUMENT, "plan final", _GARDEN.format("four", "no"), day(3), native="plan final.docx"),
        note("Garden", "Roses for the garden plan.", day(4)),
    ),
    (
        chat("Chat", *(f"Anna: rent and roses, number {n}" for n in range(7)), at=day(12)),
        chat("Chat", *(f"Bea: rent and dentist, number {n}" for n in range(7)), at=day(12, 10)),
        chat("Chat", *(f"Anna: the dentist moved to York, day {n}" for n in range(7)), at=day(13)),
        chat("群聊", *(f"李思：房租和合同，第{n}条" for n in range(7)), at=day(13, 10)),
    ),
    (
        Told(EntryKind.TASK, "Send the quarterly report", at=day(5), due=day(16, 18)),
        note("Done today", "I sent the quarterly report.", day(13)),
        mail("Later", "The quarterly report is postponed to 20 May.", day(12), BEN),
        mail("Not needed", "The quarterly report is cancelled.", day(13, 15), BEN),
    ),
    (
        Told(
            EntryKind.EVENT,
            "Design review",
            at=day(1),
            start=day(20, 10),
            people=((*ANN, "organizer"), (*BEN, "attendee")),
        ),
        mail("Review", "The design review has been moved from Tuesday to Thursday 22 May at 10:00.", day(12), ANN),
        mail("Review", "The design review is cancelled.", day(13), ANN),
        note("Review", "Questions for the design review: colours, rent, roses.", day(13, 12)),
    ),
    (
        note("Cache", "We decided to use Redis for the cache.", day(2)),
        note("Cache again", "We decided against Redis.", day(12)),
        note("缓存", "我们决定缓存用Redis。", day(3)),
        note("缓存改了", "我们决定不用Redis了。", day(13)),
    ),
    (
        note("shopping", "Milk, bread, roses.", day(9), native="shopping.md"),
        note("shopping", "Milk, bread, roses and coffee.", day(10), native="shopping.md"),
        note("dentist", "The dentist wants the old X-ray back.", day(10)),
        note("牙医", "牙医要以前的片子，周三前带去。", day(11)),
    ),
    (
        Told(EntryKind.EVENT, "周会", at=day(1), start=day(15, 10), people=((*LI, "organizer"),)),
        mail("周会", "周四的周会取消了。", day(13), LI),
        note("合同", "李思必须在5月16日前交合同。", day(10)),
        note("合同", "李思已经交了合同。", day(13)),
    ),
    (
        mail("Tickets", "I owe you 40 euros for the tickets.", day(3), ANN),
        note("Tickets", "Ann Meyer owes me 40 euros for the tickets.", day(5)),
        note("Paid", "Ann Meyer paid me back 40 euros.", day(8)),
        mail("Dinner", "You owe me 25 euros for the dinner.", day(9), ("Annabel", "ann@example.com")),
    ),
    (
        mail("Taxi", "You still owe me 30 euros for the taxi.", day(4), BEN),
        note("Done", "Paid Ben Cole back 30 euros.", day(9)),
        mail("Taxi", "I got your transfer of 10 euros, we are even.", day(10), BEN),
        note("Loan", "I lent Ben 12 euros, and I owe Ben Cole 55 euros.", day(11)),
    ),
    (
        mail("借钱", "我还欠你两百块。", day(4), LI),
        note("欠款", "李思欠我两百块，我欠李思50块饭钱。", day(5)),
        mail("转账", "钱已经转给你了。", day(9), LI),
        mail("Money", "I paid you back 200 yuan.", day(10), ("Li Si", "li.si@example.cn")),
    ),
    (
        mail("Rome", "I will fly to Rome on 20 May.", day(3), ANN),
        mail("Rome", "My flight to Rome is cancelled.", day(6), ANN),
        note("Oslo", "Ann Meyer will travel to Oslo on 22 May.", day(7)),
        mail("Holidays", "We are going to visit Bergen on 23 May.", day(9), ("Annabel", "ann@example.com")),
    ),
    (
        mail("行程", "我5月20日要飞上海。", day(4), LI),
        mail("行程", "上海不去了。", day(8), LI),
        note("行程", "李思5月22日去北京出差。", day(9)),
        note("Li Si", "Li Si will visit Xi'an on 24 May.", day(10)),
    ),
    (
        mail("Your account", "Your Acme account has a new password, says Acme.", day(3), ("Acme", "help@acme.example")),
        mail("Re: Your account", "Your Acme account is closed, the password is 4711.", day(4), ("Acme", "a@ac.test")),
        mail("Your account", "Your Acme account has password 0815.", day(5), ("Ann Meyer", "ann@other.example")),
        note("Account", "The password of the Acme account is 2342.", day(6)),
    ),
    (
        note("Costs", "| Service | Price |\n|---|---|\n| Internet | 35 |\n| Roses | 12 |", day(3)),
        note("Costs", "| Service | Price |\n|---|---|\n| Internet | 39 |\n| Power | 62 |", day(6)),
        mail("Internet", "The price of the internet is 44 from June.", day(9), BEN),
        note("Minutes", "Action items:\n- Ben Cole to send the invoice by 20 May\n- Ann Meyer: call Acme", day(10)),
    ),
    (
        mail("Picnic", "The picnic by the lake is on 24 May.", day(3), BEN, thread="t-picnic"),
        mail("Re: Picnic", "The picnic by the lake will be lovely, bring roses.", day(5), ANN, thread="t-picnic"),
        mail("Re: Picnic", "Sadly the picnic by the lake on 24 May fell through.", day(9), BEN, thread="t-picnic"),
        note("Lake", "The lake picnic on 24 May needs a blanket.", day(8)),
    ),
    (
        note("密码", "大门密码是9264。", day(3)),
        note("密码", "后门密码是1735。", day(4)),
        mail("换密码", "大门的密码换成了8053。", day(9), LI),
        mail("聚餐", "5月24日的聚餐黄了，大家别来了。", day(10), LI),
    ),
    # whose a task is, where another entry tells that only one is called so, or that two are
    (
        note("Actions", "Action items:\n- Emma to order the stickers by 19 May\n- Emma Johnson: book the hall", day(3)),
        mail("Stickers", "Here are the samples.", day(5), ("Emma Johnson", "emma.johnson@example.com")),
        mail("Hello", "I am new here.", day(7), ("Emma Weber", "emma.weber@example.com")),
        Told(
            EntryKind.CONTACT,
            "Emma",
            contact=ContactFacts(names=("Emma Johnson",), addresses=("ej@example.com",)),
            native="emma.vcf",
        ),
    ),
    (
        note("待办", "行动项：\n- 小浩：5月20日前寄样品\n- 王浩：订会议室", day(3)),
        mail("样品", "样品准备好了。", day(5), ("王浩", "wang.hao@example.cn")),
        mail("你好", "我是新来的。", day(7), ("Wang Hao", "wh@example.cn")),
        mail("Re: 样品", "请小浩在5月21日前发报价单。", day(9), LI),
    ),
)


def _pairs() -> list[Story]:
    tables = [tomllib.loads((_DATA / f"{name}.toml").read_text("utf-8"))["pair"] for name in _FILES]
    return [
        tuple(_told(pair[part]) for part in ("first", "second") if part in pair) for table in tables for pair in table
    ]


def _told(raw: dict[str, Any]) -> Told:
    kind, who = EntryKind(raw.get("kind", "mail")), raw.get("from")
    at = _moment(raw["at"])
    people: tuple[tuple[str, str, str], ...] = ()
    if who is not None:
        people = (("" if "@" in who else who, who if "@" in who else "", _ROLES.get(kind, "owner")),)
    start = _moment(raw["start"]) if "start" in raw else None
    due = _moment(raw["due"]) if "due" in raw else None
    return Told(kind, raw["title"], raw.get("text", ""), at, people, start, due, thread=raw.get("thread"))


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=ZONE)


ALL_STORIES: Sequence[Story] = (*STORIES * 12, *_pairs())
"""Our own ones as often as the labelled pairs."""


def with_rights(
    story: Story, rights: Sequence[Rights], mark: Callable[[], str], deleted: frozenset[int] = frozenset()
) -> list[Told]:
    """A story's entries with rights and marks; versions of one file keep its rights, as one source has them."""
    by_native: dict[str, Rights] = {}
    found: list[Told] = []
    for at, (told, own) in enumerate(zip(story, rights, strict=False)):
        kept = by_native.setdefault(told.native, own) if told.native else own
        word = mark()
        native = f"{word} {told.native}" if told.native and told.kind is EntryKind.DOCUMENT else told.native
        if told.native and told.kind is EntryKind.NOTE:
            native = f"{kept.source_id}-{told.native}"
        found.append(replace(told, rights=kept, mark=word, native=native, is_deleted=at in deleted))
    return found
