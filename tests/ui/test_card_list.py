"""A list of cards makes the first of them, and more on wish; what is looked for is found wherever it stands."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from app.ui.parts.card_list import AT_ONCE, CardList
from app.ui.wording import Wording


class Cards(CardList[int, str, QPushButton]):
    """Cards that are buttons; `looked_for` is what the field above would hold."""

    def __init__(self) -> None:
        self.looked_for = ""
        super().__init__(Wording("en"), QPushButton, lambda card, text: card.text() == text, self._has)

    def _has(self, text: str) -> bool:
        return self.looked_for in text

    def seen(self) -> list[str]:
        """What stands on the screen, from its top."""
        shown = [card for card in self.cards.values() if card.isVisibleTo(self)]
        return [card.text() for card in sorted(shown, key=QWidget.y)]


def many(count: int) -> dict[int, str]:
    return {number: f"agent {number:04}" for number in range(count)}


def shown(count: int) -> Cards:
    made = Cards()
    made.show_items(many(count))
    made.show()
    QApplication.processEvents()
    return made


def test_a_few_are_all_there(qapp):
    cards = shown(3)
    assert cards.seen() == list(many(3).values())
    assert not cards.more_button.isVisible()


def test_of_a_thousand_the_first_are_made_and_more_on_wish(qapp):
    cards = shown(1000)
    assert cards.seen() == list(many(AT_ONCE).values())
    assert "The first 30 of 1,000 are shown." in cards._told.text()
    cards.more_button.click()
    QApplication.processEvents()
    assert cards.seen() == list(many(2 * AT_ONCE).values())
    assert "The first 60 of 1,000 are shown." in cards._told.text()


def test_the_last_one_is_found_by_looking_for_it(qapp):
    cards = shown(1000)
    cards.looked_for = "0999"
    cards.narrow()
    QApplication.processEvents()
    assert cards.seen() == ["agent 0999"]
    assert not cards.more_button.isVisible()
    cards.looked_for = "nobody"
    cards.narrow()
    assert cards.nothing.isVisible()
    assert not cards.seen()


def test_what_changed_is_made_anew_and_the_rest_stays(qapp):
    cards = shown(3)
    kept = cards.cards[0]
    cards.show_items({-1: "newcomer", 0: "agent 0000", 1: "renamed"})
    QApplication.processEvents()
    assert cards.seen() == ["newcomer", "agent 0000", "renamed"]
    assert cards.cards[0] is kept


def test_one_in_which_somebody_writes_stays_while_others_come_before_it(qapp):
    cards = shown(AT_ONCE)
    last = cards.cards[AT_ONCE - 1]
    cards.show_items({-1: "newcomer", **many(AT_ONCE)})
    QApplication.processEvents()
    assert last.isVisible()
    assert cards.seen() == ["newcomer", *many(AT_ONCE).values()]
