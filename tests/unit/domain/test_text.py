import pytest

from app.domain.text import Text, counted, msg


def test_values_are_filled_into_any_template():
    text = msg("{count} files in {folder}", count=3, folder="Notes")
    assert str(text) == "3 files in Notes"
    assert text.fill("{folder} 中有 {count} 个文件") == "Notes 中有 3 个文件"


def test_braces_in_values_are_harmless():
    assert str(msg("Title: {title}", title="{x} {0.__class__}")) == "Title: {x} {0.__class__}"


def test_a_sentence_without_values_keeps_its_braces():
    assert str(Text("a {b} c")) == "a {b} c"


@pytest.mark.parametrize(
    ("count", "said"),
    [(0, "0 files"), (1, "1 file"), (2, "2 files"), ("1", "1 file"), ("1,001", "1,001 files"), (1.5, "1.5 files")],
)
def test_one_is_counted_as_one(count, said):
    assert str(counted("{count} file", "{count} files", count=count)) == said


def test_the_first_value_is_the_one_that_counts():
    assert str(counted("{n} of {all} file", "{n} of {all} files", all=1, n=5)) == "5 of 1 file"
    assert str(counted("{n} of {all} file", "{n} of {all} files", all=5, n=1)) == "1 of 5 files"
