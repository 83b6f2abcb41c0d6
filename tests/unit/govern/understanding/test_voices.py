"""Who speaks, and to whom (G2.4)."""

from __future__ import annotations

from app.domain.labels import EntryKind
from app.govern.understanding.voices import OWN, Talk, Voice, without_label


def test_a_mail_is_its_senders() -> None:
    assert Talk(EntryKind.MAIL, "I owe you", ["Anna"], ["Wei"]).at(0) == Voice("Anna", "Wei")
    assert Talk(EntryKind.MAIL, "I owe you", ["Anna"], ["Wei", "Bob"]).at(0) == Voice("Anna", None)


def test_a_line_of_a_chat_is_whoevers_label_stands_before_it() -> None:
    text = "Anna: Hello. I owe you\n小蕾：好的\nAnna: ok"
    talk = Talk(EntryKind.CHAT, text, ["Anna", "小蕾"])
    assert talk.at(text.index("I owe")) == Voice("Anna", "小蕾")
    assert talk.at(text.index("好的")) == Voice("小蕾", "Anna")
    assert talk.at(len(text) - 1) == Voice("Anna", "小蕾")


def test_a_note_is_the_persons_own() -> None:
    assert Talk(EntryKind.NOTE, "I owe Ben 40 euros").at(3) == Voice(OWN, None)


def test_a_label_is_taken_off() -> None:
    assert without_label("Anna: I owe you") == "I owe you"
    assert without_label("小蕾：你欠我") == "你欠我"
    assert without_label("at 12:30 we meet") == "at 12:30 we meet"
