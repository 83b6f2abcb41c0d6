from app.domain.text import Text, msg


def test_values_are_filled_into_any_template():
    text = msg("{count} files in {folder}", count=3, folder="Notes")
    assert str(text) == "3 files in Notes"
    assert text.fill("{folder} 中有 {count} 个文件") == "Notes 中有 3 个文件"


def test_braces_in_values_are_harmless():
    assert str(msg("Title: {title}", title="{x} {0.__class__}")) == "Title: {x} {0.__class__}"


def test_a_sentence_without_values_keeps_its_braces():
    assert str(Text("a {b} c")) == "a {b} c"
