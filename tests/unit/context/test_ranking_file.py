"""Tuning writes its own numbers into the person's file, and takes exactly those back (G2.8, G7)."""

from __future__ import annotations

import pytest

from app.context.ranking import load_weights
from app.context.ranking_file import reset_tuned, tuned_numbers, write_tuned
from app.domain.errors import BadInput
from app.runtime.paths import resource

SHIPPED = resource("rules", "ranking.toml")
NEW = {
    "final.semantic": 0.3,
    "final.lexical": 0.1,
    "final.freshness": 0.5,
    "final.confidence": 0.1,
    "time.window_days": 90.0,
}


def test_new_weights_are_written_and_versioned(basedir):
    weights = write_tuned(SHIPPED, basedir, NEW)
    assert tuned_numbers(weights) == NEW
    assert weights.version.startswith("ranking-2+")
    assert load_weights(SHIPPED, basedir / "ranking.toml") == weights
    assert (basedir / "ranking.toml").stat().st_mode & 0o077 == 0


def test_the_rest_of_a_file_stays_as_the_person_left_it(basedir):
    own = basedir / "ranking.toml"
    own.write_text("# mine\n[candidates]\npool = 20 # wide\n\n[final]\nactive_task_bonus = 0.1\n")
    weights = write_tuned(SHIPPED, basedir, NEW)
    text = own.read_text()
    assert "# mine" in text
    assert "pool = 20 # wide" in text
    assert (weights.candidates.pool, weights.final.active_task_bonus) == (20, 0.1)


def test_a_reset_leaves_no_file_where_there_was_none(basedir):
    write_tuned(SHIPPED, basedir, NEW)
    assert reset_tuned(SHIPPED, basedir) == load_weights(SHIPPED)
    assert list(basedir.iterdir()) == []


def test_a_reset_gives_the_persons_own_numbers_back_and_keeps_later_ones(basedir):
    own = basedir / "ranking.toml"
    own.write_text("[time]\nwindow_days = 365\n")
    write_tuned(SHIPPED, basedir, NEW)
    write_tuned(SHIPPED, basedir, NEW | {"time.window_days": 30.0})
    own.write_text(own.read_text() + "\n[clues]\nasks = 0.2\n")
    weights = reset_tuned(SHIPPED, basedir)
    assert weights.time.window_days == 365
    assert weights.clues.asks == 0.2
    assert weights.final == load_weights(SHIPPED).final


def test_a_reset_without_any_tuning_changes_nothing(basedir):
    own = basedir / "ranking.toml"
    own.write_text("[time]\nwindow_days = 365\n")
    assert reset_tuned(SHIPPED, basedir).time.window_days == 365
    assert own.read_text() == "[time]\nwindow_days = 365\n"


@pytest.mark.parametrize("text", ["[final\n", "final = 3\n", "time = [1]\n"])
def test_a_file_that_cannot_be_read_stays_as_it_is(basedir, text):
    own = basedir / "ranking.toml"
    own.write_text(text)
    with pytest.raises(BadInput):
        write_tuned(SHIPPED, basedir, NEW)
    assert own.read_text() == text


def test_numbers_that_cannot_be_do_not_stay(basedir):
    own = basedir / "ranking.toml"
    own.write_text("[time]\nwindow_days = 365\n")
    with pytest.raises(BadInput):
        write_tuned(SHIPPED, basedir, NEW | {"final.semantic": 0.9})
    assert own.read_text() == "[time]\nwindow_days = 365\n"


@pytest.mark.parametrize(
    "text",
    ["a = " + "[" * 20_000, "a = " + "9" * 5_000, "a" + ".a" * 30_000 + " = 1"],
    ids=["brackets", "digits", "dots"],
)
def test_a_file_that_breaks_a_reader_stays_as_it_is(basedir, text):
    (basedir / "ranking.toml").write_text(text)
    with pytest.raises(BadInput):
        write_tuned(SHIPPED, basedir, NEW)
    assert (basedir / "ranking.toml").read_text() == text


def test_a_file_before_tuning_that_was_broken_since_takes_nothing_down(basedir):
    write_tuned(SHIPPED, basedir, NEW)
    (basedir / "ranking.before.toml").write_text("final = 1\n")
    assert tuned_numbers(reset_tuned(SHIPPED, basedir)) == tuned_numbers(load_weights(SHIPPED))


def test_a_file_of_an_editor_of_windows_is_tuned_and_reset(basedir):
    (basedir / "ranking.toml").write_bytes("\ufeff# 我的\r\n[candidates]\r\npool = 20\r\n".encode())
    assert write_tuned(SHIPPED, basedir, NEW).candidates.pool == 20
    assert reset_tuned(SHIPPED, basedir).candidates.pool == 20


def test_a_reset_never_brings_back_a_file_that_the_person_removed_since(basedir):
    own = basedir / "ranking.toml"
    own.write_text("[time]\nwindow_days = 400\n")
    write_tuned(SHIPPED, basedir, NEW)
    own.unlink()
    write_tuned(SHIPPED, basedir, NEW)
    assert reset_tuned(SHIPPED, basedir) == load_weights(SHIPPED)
    assert not own.exists()
