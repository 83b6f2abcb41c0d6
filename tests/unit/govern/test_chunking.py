"""Passages of 200-500 tokens with their place; nothing is lost (G2.3)."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.entries import QUOTED, SIGNATURE, Block, Place
from app.domain.labels import BlockKind, EntryKind
from app.govern.chunking import DEFAULT_LIMITS, chunk
from tests.unit.govern.makers import WHEN, WordCounter, entry, heading, paragraph

if TYPE_CHECKING:
    from app.domain.entries import Chunk

COUNTER = WordCounter()
LIMITS = DEFAULT_LIMITS


def words(count: int, name: str = "w") -> str:
    return " ".join(f"{name}{number}" for number in range(count))


def sentences(count: int, length: int = 10) -> str:
    return " ".join(f"{words(length - 1, f's{number}x')} end." for number in range(count))


def bare(text: str) -> str:
    return "".join(text.split())


def cut(*blocks: Block, title: str = "A title", kind: EntryKind = EntryKind.DOCUMENT) -> list[Chunk]:
    return chunk(entry(blocks, title=title, kind=kind), COUNTER)


def test_a_short_document_is_one_passage() -> None:
    (only,) = cut(heading("Top", "Top", line=1), paragraph("Hello world.", "Top", line=3))
    assert only.text == "Top\n\nHello world."
    assert only.embed_text == "A title\nTop\n\nHello world."
    assert only.place == Place(heading_path=("Top",), first_line=1, last_line=3)
    assert only.token_count == 3
    assert only.language == "en"


def test_an_entry_without_text_is_found_by_its_title() -> None:
    (only,) = cut(title="Holiday photos 2024")
    assert only.text == "Holiday photos 2024"
    assert only.embed_text == "Holiday photos 2024"


def test_paragraphs_are_packed_until_they_are_enough() -> None:
    made = cut(*(paragraph(words(90, f"p{number}x"), "H") for number in range(8)))
    assert [part.token_count for part in made] == [270, 450]


def test_a_short_end_joins_what_stands_before_it() -> None:
    made = cut(*(paragraph(words(90, f"p{number}x"), "H") for number in range(7)))
    assert [part.token_count for part in made] == [270, 360]


def test_a_heading_stays_with_what_follows_it() -> None:
    blocks = [paragraph(words(250), "One"), heading("Two", "Two"), paragraph(words(250, "v"), "Two")]
    first, second = cut(*blocks)
    assert "Two" not in first.text
    assert second.text.startswith("Two\n\nv0")
    assert second.place.heading_path == ("Two",)
    assert second.embed_text.startswith("A title\nTwo")


def test_a_new_section_begins_a_passage_only_when_the_old_one_is_full_enough() -> None:
    small = cut(paragraph(words(20), "One", "A"), paragraph(words(20, "v"), "One", "B"))
    assert len(small) == 1
    assert small[0].place.heading_path == ("One",)


def test_a_long_paragraph_is_cut_at_sentences() -> None:
    made = cut(paragraph(sentences(100)))
    assert len(made) > 2
    assert all(part.text.endswith("end.") for part in made)
    assert all(LIMITS.floor <= part.token_count <= LIMITS.ceiling for part in made)


def test_chinese_is_cut_at_its_own_full_stops() -> None:
    made = cut(paragraph("今天我们讨论了项目的进度和预算。" * 60))
    assert len(made) > 1
    assert all(part.text.endswith("。") for part in made)
    assert {part.language for part in made} == {"zh"}


def test_a_word_without_end_is_cut_all_the_same() -> None:
    made = chunk(entry([paragraph("字" * 2000)]), COUNTER)
    assert max(part.token_count for part in made) <= LIMITS.ceiling
    assert sum(len(part.text) for part in made) == 2000


def test_a_table_repeats_its_header() -> None:
    rows = "\n".join(f"{number} | {words(20, f'c{number}x')}" for number in range(60))
    made = cut(Block(BlockKind.TABLE, f"id | values\n{rows}", Place(first_line=10, last_line=70)))
    assert len(made) > 2
    assert all(part.text.startswith("id | values\n") for part in made)
    assert all(part.text.count("id | values") == 1 for part in made)
    found = [line for part in made for line in part.text.splitlines()[1:]]
    assert found == rows.splitlines()
    assert made[0].place.first_line == 11
    assert made[-1].place.last_line == 70


def test_lines_are_exact_where_the_block_is_its_own_lines() -> None:
    text = "\n".join(words(40, f"l{number}x") for number in range(30))
    made = cut(Block(BlockKind.CODE, text, Place(first_line=5, last_line=34)))
    assert made[0].place.first_line == 5
    for before, after in pairwise(made):
        assert after.place.first_line == (before.place.last_line or 0) + 1
    assert made[-1].place.last_line == 34


def test_the_minutes_of_a_meeting_are_cut_by_item() -> None:
    blocks = [
        heading("1. Budget", "1. Budget"),
        paragraph("We agreed on 5,000.", "1. Budget"),
        heading("2. Launch", "2. Launch"),
        paragraph("Next Friday.", "2. Launch"),
    ]
    assert len(cut(*blocks, title="Weekly meeting notes")) == 2
    assert len(cut(*blocks, title="Plans")) == 1


def test_chinese_minutes_without_headings_are_cut_by_numbered_item() -> None:
    made = cut(
        paragraph("参会人：张三、李四"), paragraph("一、预算通过"), paragraph("二、下周五上线"), title="项目会议纪要"
    )
    assert [part.text for part in made] == ["参会人：张三、李四", "一、预算通过", "二、下周五上线"]


def test_a_chat_keeps_its_messages_apart() -> None:
    messages = [
        Block(BlockKind.PARAGRAPH, text, Place(message_id=name)) for text, name in (("Anna: Hi", "1"), ("Bo: Yes", "2"))
    ]
    made = chunk(entry(messages, title="", kind=EntryKind.CHAT, event_time=WHEN), COUNTER)
    assert [(part.text, part.place.message_id) for part in made] == [("Anna: Hi", "1"), ("Bo: Yes", "2")]
    assert made[1].embed_text == "Saturday 10 May 2025\nBo: Yes"


def test_pages_and_ordinals_count_on() -> None:
    pages = [Block(BlockKind.PARAGRAPH, words(260, f"p{page}x"), Place(page=page)) for page in (1, 2, 3)]
    made = cut(*pages)
    assert [part.ordinal for part in made] == [0, 1, 2]
    assert [part.place.page for part in made] == [1, 2, 3]


def test_a_passage_of_what_was_said_is_of_one_minute() -> None:
    said = [Block(BlockKind.PARAGRAPH, f"{second}: words", Place(second=second)) for second in (5, 35, 64, 65, 754)]
    made = cut(Block(BlockKind.HEADING, "Talk"), *said)
    assert [(part.place.second, part.text) for part in made] == [
        (5, "Talk\n\n5: words\n\n35: words\n\n64: words"),
        (65, "65: words"),
        (754, "754: words"),
    ]


TEXTS = st.one_of(
    st.integers(1, 60).map(sentences),
    st.integers(1, 700).map(words),
    st.integers(1, 300).map(lambda count: "会议讨论了预算。" * count),
    st.text(max_size=200),
)
BLOCKS = st.builds(
    lambda kind, text, depth: Block(kind, text, Place(heading_path=("a", "b", "c")[:depth])),
    st.sampled_from([kind for kind in BlockKind if kind is not BlockKind.TABLE]),
    TEXTS,
    st.integers(0, 3),
)


@settings(max_examples=40, deadline=None)
@given(blocks=st.lists(BLOCKS, max_size=8), title=st.sampled_from(["Plan", "Meeting notes"]))
def test_no_text_is_lost_and_no_passage_is_too_long(blocks: list[Block], title: str) -> None:
    made = cut(*blocks, title=title)
    text = bare("".join(block.text for block in blocks if block.text.strip()))
    assert bare("".join(part.text for part in made)) == (text or bare(title))
    assert all(part.token_count <= LIMITS.ceiling for part in made)
    assert all(part.text in part.embed_text for part in made)
    assert [part.ordinal for part in made] == list(range(len(made)))


@settings(max_examples=25, deadline=None)
@given(blocks=st.lists(st.integers(1, 700).map(words).map(paragraph), min_size=1, max_size=12))
def test_no_two_passages_are_needlessly_short(blocks: list[Block]) -> None:
    made = cut(*blocks)
    for before in made[:-1]:
        assert before.token_count >= LIMITS.floor
    if len(made) > 1:
        assert made[-1].token_count >= LIMITS.floor or made[-2].token_count + made[-1].token_count > LIMITS.ceiling


@pytest.mark.parametrize("kind", [BlockKind.QUOTE, BlockKind.LIST, BlockKind.CODE])
def test_every_kind_of_block_is_kept(kind: BlockKind) -> None:
    (only,) = cut(Block(kind, "- one\n- two"))
    assert only.text == "- one\n- two"


def test_what_a_mail_quotes_is_no_part_of_what_its_sender_says() -> None:
    made = cut(
        paragraph("The trip is off."),
        paragraph("Anna, tel. 123", SIGNATURE),
        paragraph("The trip is on.", QUOTED),
        paragraph("行程不变。", QUOTED),
        paragraph("Sorry!"),
        kind=EntryKind.MAIL,
    )
    assert [part.text for part in made[1:]] == ["Anna, tel. 123", "The trip is on.\n\n行程不变。", "Sorry!"]
    assert made[0].text.endswith("The trip is off.")
    assert [part.place.is_own_words for part in made] == [True, False, False, True]
    assert [part.place.is_signature for part in made] == [False, True, False, False]
    assert [part.place.is_quoted for part in made] == [False, False, True, False]
    assert made[2].embed_text == "A title\nThe trip is on.\n\n行程不变。"


def test_a_greeting_and_a_name_stay_with_the_words_that_they_close() -> None:
    made = cut(
        paragraph("The trip is off."), paragraph("Best regards,\n张三", SIGNATURE), paragraph("tel. 5", SIGNATURE)
    )
    assert [part.text.split()[-2:] for part in made] == [["regards,", "张三"], ["tel.", "5"]]
    assert [part.place.is_signature for part in made] == [False, True]
