"""Taking sentences of several wishes apart (L3.3)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.inference.intent.splitting import LONGEST, MOST_PARTS, Openings, split

OPENINGS = Openings(
    ["add milk", "add eggs", "remind me", "remind Tom", "show it", "show that", "把灯", "把门", "提醒我", "提醒他",
     "查日程", "查日历", "查日子", "发邮件", "发邮寄", "请帮我发邮件", "给小王发邮件", "给妈妈打电话", "the day",
     "the night"]
)  # fmt: skip
PIECES = st.lists(
    st.sampled_from(
        ["add milk", "remind me", "eggs", " and ", " then ", "，", "然后", "再", "先", "查日程", ". ", " ", "x"]
    ),
    max_size=30,
).map("".join)


def parts(text: str) -> list[str]:
    return [stretch.of(text) for stretch in split(text, OPENINGS, lambda left, right: True)]


def test_joints() -> None:
    assert parts("add milk and remind me") == ["add milk", "remind me"]
    assert parts("Add milk, and then show it; remind me later") == ["Add milk", "show it", "remind me later"]
    assert parts("add milk. please remind me") == ["add milk", "please remind me"]
    assert parts("first add milk then show it") == ["add milk", "show it"]
    assert parts("先查日程再发邮件") == ["查日程", "发邮件"]
    assert parts("查日程，然后提醒我，并且把灯关了") == ["查日程", "提醒我", "把灯关了"]
    assert parts("帮我查日程，顺便帮我发邮件") == ["帮我查日程", "帮我发邮件"]
    assert parts("查日程，然后给王芳发邮件") == ["查日程", "给王芳发邮件"]


def test_things_and_words_are_left_whole() -> None:
    for text in ("add milk and eggs", "show sand and the day", "查再见", "add then", "", " and ", "再，再", "先"):
        assert parts(text) == [text.strip()]


def test_strength_of_a_joint() -> None:
    text = "add milk and remind me then show it"
    found = split(text, OPENINGS, lambda left, right: True)
    assert [stretch.is_strong for stretch in found] == [True, False, True]


def test_what_does_not_fit_stays_together() -> None:
    text = "add milk and remind me and show it"
    found = split(text, OPENINGS, lambda left, right: right.of(text).startswith("show"))
    assert [stretch.of(text) for stretch in found] == ["add milk and remind me", "show it"]


@given(st.one_of(st.text(max_size=LONGEST + 50), PIECES), st.booleans())
def test_parts_stand_in_order_and_lose_nothing_but_joints(text: str, fits: bool) -> None:
    found = split(text, OPENINGS, lambda left, right: fits)
    assert 1 <= len(found) <= MOST_PARTS
    assert len(found) == 1 or fits
    ends = [0]
    for stretch in found:
        assert ends[-1] <= stretch.start <= stretch.end <= len(text)
        assert stretch.of(text) == stretch.of(text).strip()
        ends.append(stretch.end)
    if len(found) == 1:
        assert found[0].of(text) == text.strip()
