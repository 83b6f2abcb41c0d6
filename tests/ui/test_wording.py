"""Words follow the language, also while the window is open; widgets that are gone are left alone (D8.6)."""

from __future__ import annotations

import gc

import pytest
from PySide6.QtWidgets import QLabel
from shiboken6 import delete

from app.domain.text import msg
from app.runtime import translation
from app.ui.bindings import Bindings
from app.ui.wording import Wording


@pytest.fixture
def wording(qapp, monkeypatch):
    monkeypatch.setattr(translation, "translate", lambda text: f"{translation.language()}: {text}")
    return Wording("en")


def test_a_bound_label_changes_with_the_language(wording):
    label, told = QLabel(), []
    wording.bind(label, "setText", msg("Home"))
    wording.changed.connect(lambda: told.append(label.text()))
    wording.use("zh_CN")
    assert label.text() == "zh_CN: Home"
    assert told == ["zh_CN: Home"], "whoever composes sentences is told after the simple ones have changed"


def test_the_last_binding_of_a_setter_counts(wording):
    label = QLabel()
    wording.bind(label, "setText", msg("Pause"))
    wording.bind(label, "setText", msg("Go on"))
    wording.use("zh_CN")
    assert label.text() == "zh_CN: Go on"


def test_names_are_listed_as_the_language_does(wording):
    parts = ["Mei", msg("work"), "Home"]
    assert wording.listed(parts) == "Mei, en: work, Home", "what is data stays as it is, whatever it says"
    wording.use("zh_CN")
    assert wording.listed(parts) == "Mei、zh_CN: work、Home"


def test_numbers_are_written_as_the_language_does(wording):
    assert wording.number(1204) == "1,204"


def test_an_unknown_language_gives_one_that_exists(wording):
    wording.use("auto")
    assert wording.language in translation.LANGUAGES


def test_bindings_let_dead_widgets_go(qapp):
    bindings, label = Bindings(), QLabel()
    bindings.bind(label, "setText", lambda: "x")
    delete(label)
    bindings.refresh()
    del label
    gc.collect()
    assert len(bindings._bound) == 0
