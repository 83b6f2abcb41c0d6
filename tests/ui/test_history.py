from __future__ import annotations

from app.ui.history import LIMIT, History


def test_newest_first_and_each_once():
    history = History()
    for question in ("a", "b", " a ", "", "  "):
        history.add(question)
    assert history.questions == ("a", "b")


def test_walking_back_through_it():
    history = History()
    for question in ("first", "second", "third"):
        history.add(question)
    assert history.before("") == "third"
    assert history.before("third") == "second"
    assert history.before("first") is None
    assert History().before("") is None


def test_it_has_an_end_and_can_be_forgotten():
    history, told = History(), []
    history.changed.connect(lambda: told.append(len(history.questions)))
    for number in range(LIMIT + 5):
        history.add(str(number))
    assert len(history.questions) == LIMIT
    history.clear()
    assert told[-1] == 0
