"""Words that carry no meaning in a question. They are indexed all the same, and left out of queries alone (X9.3).

So “to be or not to be” is found when nothing else is asked, and a list that changes needs no new index.
"""

from __future__ import annotations

_ENGLISH = """
    a about again all also am an and any are arent as at be been being both but by can cant could couldnt did didnt do
    does doesnt doing dont each for from had hadnt has hasnt have havent having he her here hers herself him himself his
    how i id if ill im in into is isnt it its itself ive just lets me might more most must my myself no nor not of on
    once only or other our ours ourselves out over own please same shall she should shouldnt so some such tell than that
    thats the their theirs them themselves then there theres these they theyd theyll theyre theyve this those through to
    too under until up us very was wasnt we wed well were werent weve what whats when where which while who whom whos
    whose why will with wont would wouldnt you youd youll your youre yours yourself youve
"""

_CHINESE_BIGRAMS = """
    请问 问我 告诉 诉我 帮我 我想 想知 知道 是否 有没 没有 有什 有哪 有谁 在哪 哪里 里有 如何 多少 什么 么时 时候 候的
    候是 怎么 么样 样的 为什 一下 一个 哪个 个是 哪些 些是 关于 于我 可以 以吗 能否 是在 我在 你在 我有 你有 会是 是多
"""

ENGLISH = frozenset(_ENGLISH.split())

CHINESE_CHARACTERS = frozenset("的了吗呢吧啊呀着么是我你您他她它们这那哪什谁怎几也都就还又很之而且但")
"""A bigram of two of these is left out of a query; one that holds a single one of them counts less."""

CHINESE_BIGRAMS = frozenset(_CHINESE_BIGRAMS.split())
"""Bigrams that belong to the asking and not to what is asked for."""
