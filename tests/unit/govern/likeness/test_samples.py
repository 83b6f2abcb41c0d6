"""A quick look at the words of two texts never passes over what they share (G2.1)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.govern.likeness.samples import forget_words, may_share, overlap, sample, words_of

WORDS = st.lists(st.sampled_from([*"abcdefghijklmnop", "房", "租", "到", "期"]), max_size=60)
OTHERS = st.lists(st.sampled_from([*"abcxyz", "会", "议"]), max_size=12)


@given(WORDS, OTHERS, st.integers(0, 60))
def test_what_is_shared_is_looked_at(words: list[str], others: list[str], at: int) -> None:
    one, other = " ".join(words), " ".join([*words[:at], *others, *words[at + 1 :]])
    shared = overlap(sample(one), sample(other))
    for share in (0.3, 0.6, 0.9):
        if min(shared.of_first, shared.of_second) >= share:
            assert may_share([words_of(one), words_of(other)], share).all()


def test_what_has_other_words_is_not() -> None:
    one = words_of(
        "The landlord wants the rent by the third of every month, and sends a reminder by mail when it is late."
    )
    other = words_of(
        "Anna plays chess with Bob in the park on Mondays, unless rain or a meeting keeps both of them indoors."
    )
    assert may_share([one, other, one], 0.8).tolist() == [
        [True, False, True],
        [False, True, False],
        [True, False, True],
    ]
    assert may_share([one], 1.0).all()


def test_what_is_forgotten_is_worked_out_anew() -> None:
    before = sample("the rent is due on the third of every month")
    forget_words()
    shared = overlap(before, sample("the rent is due on the third of every month"))
    assert shared.of_first == shared.of_second == 1
