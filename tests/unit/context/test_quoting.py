"""What is quoted of a passage tells something (G4.1)."""

from __future__ import annotations

from datetime import UTC, datetime
from types import MappingProxyType

import pytest

from app.context.quoting import body, definition, going_on, labelled, listed, steps_behind, summary, tells
from app.domain.entries import Place
from app.domain.labels import EntryKind, Sensitivity, Trust
from app.store.reading import Passage

AT = datetime(2025, 5, 10, tzinfo=UTC)
MAIL = "Lunch\nfrom Anna\nto me\nSaturday 10 May 2025\n\nHi Wei,\n\nLunch is at noon in the canteen.\n\nBest,\nAnna"


def passage(
    text: str, *, kind: EntryKind = EntryKind.NOTE, title: str = "A title", path: tuple[str, ...] = ()
) -> Passage:
    return Passage(
        chunk_id=1,
        entry_id=1,
        ordinal=0,
        text=text,
        place=Place(path),
        token_count=9,
        language="en",
        source_id="s",
        native_id="n",
        kind=kind,
        title=title,
        source_uri="test:///n",
        created_at=AT,
        updated_at=AT,
        event_time=AT,
        ingested_at=AT,
        valid_from=None,
        valid_to=None,
        status=None,
        scope="personal",
        acl="owner",
        sensitivity=Sensitivity.INTERNAL,
        trust=Trust.OWN_FILES,
        confidence=1.0,
        rule_version="r",
        metadata=MappingProxyType({}),
        version=1,
        stale_reason=None,
        superseded_by=None,
    )


@pytest.mark.parametrize(
    "sentence",
    [
        "The wifi password is blue-horse-42.",
        "办公室的无线密码是蓝马。",
        "Best offer is the red car.",
        "Thanks to Anna the report is ready.",
        "Hello Kitty is a cat from Japan.",
        "Rent,1200",
        "- Paris, France: June 21",
    ],
)
def test_a_sentence_tells_something(sentence: str) -> None:
    assert tells(sentence, passage(sentence))


@pytest.mark.parametrize(
    "sentence",
    ["A title", "# A title", "Can I get a partial refund?", "可以退款吗？", "Hi Emma,", "Dear John Smith,", "Best,",
     "Best, Emma",
     "Kind regards", "Mark", "李四，你好", "谢谢！", "", "Plans", "第一章"],
)  # fmt: skip
def test_a_sentence_tells_nothing(sentence: str) -> None:
    assert not tells(sentence, passage("A title\n\nText that tells something.", path=("Plans",)))


def test_what_stands_before_a_mail_tells_nothing() -> None:
    mail = passage(MAIL, kind=EntryKind.MAIL, title="Lunch")
    assert not tells("Saturday 10 May 2025", mail)
    assert not tells("from Anna", mail)
    assert tells("Lunch is at noon in the canteen.", mail)
    assert body(mail).startswith("Hi Wei,")


def test_an_event_is_told_as_a_whole() -> None:
    text = "Gym\nSaturday 10 May 2025, 09:00 - 10:00\nat Main St 5\n\nBring shoes."
    assert summary(passage(text, kind=EntryKind.EVENT)) == (
        "Gym, Saturday 10 May 2025, 09:00 - 10:00, at Main St 5 - Bring shoes."
    )
    assert summary(passage(text)) is None


STEPS = (
    "Merging puts two notes into one.\n\n1. Open the first note.\n2. Choose Merge.\n3. Pick the other.\n\nThat is all."
)


@pytest.mark.parametrize(
    "question", ["How do I merge two notes?", "how to merge notes", "怎么合并两条笔记", "如何合并笔记？"]
)
def test_who_asks_how_gets_the_steps(question: str) -> None:
    found = steps_behind(question, "Merging puts two notes into one.", STEPS)
    assert found == ["1. Open the first note.", "2. Choose Merge.", "3. Pick the other."]


@pytest.mark.parametrize(
    "question", ["What does merging do?", "how many notes are there", "合并怎么样", "how much is it"]
)
def test_who_asks_otherwise_gets_none(question: str) -> None:
    assert steps_behind(question, "Merging puts two notes into one.", STEPS) == []


@pytest.mark.parametrize(
    ("question", "text", "said"),
    [
        (
            "What is a backlink?",
            "It is listed. A backlink is a link to this note.",
            "A backlink is a link to this note.",
        ),
        ("什么是反向链接？", "列表在右边。反向链接是指向当前笔记的链接。", "反向链接是指向当前笔记的链接。"),
        (
            "反向链接是什么",
            "一篇笔记的反向链接是指从另一篇笔记指向它的链接。",
            "一篇笔记的反向链接是指从另一篇笔记指向它的链接。",
        ),
        ("what is a backlink", "See the pane for every backlink there is.", None),
        ("how do I make a backlink", "A backlink is a link to this note.", None),
        ("what is (this|that", "this is it", None),
    ],
)
def test_who_asks_what_a_thing_is_gets_who_says_so(question: str, text: str, said: str | None) -> None:
    assert definition(question, text) == said


FORMATS = (
    "Obsidian supports the following file types:\n\n- Markdown: .md\n- Images: .png\n- PDF: .pdf\n\nMore by plugins."
)


@pytest.mark.parametrize(
    "question", ["Which file formats are accepted?", "what formats does it support", "支持哪些格式"]
)
def test_who_asks_which_gets_the_list(question: str) -> None:
    assert listed(question, FORMATS) == (
        "Obsidian supports the following file types:",
        ["- Markdown: .md", "- Images: .png", "- PDF: .pdf"],
    )


@pytest.mark.parametrize("question", ["What is Markdown?", "what does it cost", "when does it start", "格式是什么"])
def test_who_asks_for_one_thing_gets_no_list(question: str) -> None:
    assert listed(question, FORMATS) is None


def test_steps_are_numbered_whatever_stands_between_them() -> None:
    text = "Export it first.\n\n- a note\n\n1. Click More.\n   picture\n2. Choose JSON.\n\nImport:\n\n1. Open settings."
    assert steps_behind("how do I export it", "Export it first.", text) == ["1. Click More.", "2. Choose JSON."]


PLAN = "Vacation Plans\n\nDestination: Hawaii\nDates: June 10th - June 20th\n\n- June 11: Beach day"


def test_what_a_label_says_is_told_where_it_is_asked_for() -> None:
    assert labelled("Where are we going in June?", passage(PLAN)) == "Destination: Hawaii; Dates: June 10th - June 20th"
    assert labelled("我们去哪里？", passage("目的地：杭州")) == "目的地：杭州"
    assert labelled("Who is coming?", passage(PLAN)) is None
    assert labelled("Where is it?", passage("No label here.")) is None


def test_a_sentence_goes_on_within_its_paragraph() -> None:
    text = "We do not buy a car. We share one instead.\n\nMilk is out again today."
    assert going_on("We do not buy a car.", passage(text)) == "We do not buy a car. We share one instead."
    chat = passage(text, kind=EntryKind.CHAT)
    assert going_on("We do not buy a car.", chat) == "We do not buy a car."


def test_what_is_open_and_a_request() -> None:
    assert not tells("- Open: name of the app", passage("x"))
    assert not tells("待定：应用的名字和价格", passage("x"))
    assert tells("Could you let me have the contract by Friday?", passage("x"))
    assert tells("能不能帮我把照片发过来？", passage("x"))
