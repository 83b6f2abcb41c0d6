"""What somebody else's TOML can hold: nothing of it hangs or breaks a reader."""

from __future__ import annotations

import pytest

from app.domain.toml_text import NotToml, read_toml


def test_a_text_is_read() -> None:
    assert read_toml('["词"]\nzh = ["封存"]\n' + "# ...... \n" * 20) == {"词": {"zh": ["封存"]}}


@pytest.mark.parametrize(
    "text",
    ["[a", "a = " + "9" * 5_000, "a = " + "[" * 50_000, "a" + ".a" * 500_000 + " = 1", "[" + "a." * 500_000 + "a]"],
    ids=["cut off", "digits", "brackets", "dots of a key", "dots of a table"],
)
def test_what_is_no_toml_is_one_error(text: str) -> None:
    with pytest.raises(NotToml):
        read_toml(text)
