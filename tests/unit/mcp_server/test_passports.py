"""Tokens: found late, asked for once, given back."""

import asyncio

import pytest

from app.domain.errors import Denied
from app.domain.text import msg
from app.mcp_server.passports import Carried, OfProcess
from tests.unit.mcp_server.makers import PaperOwner, greeting


async def test_a_carried_token_is_what_it_is():
    assert await Carried("t").token("x") == "t"
    assert Carried("t").is_known
    assert not Carried("t").take_news()


async def test_a_given_token_is_found_at_the_first_question_and_shown_once():
    found = []
    owner = PaperOwner({"client_hello": greeting()})
    passport = OfProcess(owner, lambda: found.append(1) or "t")
    assert passport.is_known
    assert found == []
    assert await asyncio.gather(passport.token("p"), passport.token("p")) == ["t", "t"]
    assert found == [1]
    assert owner.asked == [("client_hello", ("t",), {"program": "p"})]
    await passport.leave()
    assert not passport.take_news()
    assert len(owner.asked) == 1  # a registered client stays


async def test_without_a_token_the_person_is_asked_once_and_the_end_is_told():
    owner = PaperOwner({"ask_access": "w", "end_access": None})
    passport = OfProcess(owner, None)
    assert not passport.is_known
    await passport.leave()
    assert owner.asked == []
    assert await asyncio.gather(passport.token("p"), passport.token("p")) == ["w", "w"]
    assert passport.is_known
    assert passport.take_news()
    assert not passport.take_news()
    await passport.leave()
    assert [name for name, *_ in owner.asked] == ["ask_access", "end_access"]


async def test_access_that_was_forgotten_is_asked_for_anew_once_and_its_yes_is_news():
    owner = PaperOwner({"ask_access": "w", "end_access": None})
    passport = OfProcess(owner, None)
    assert await passport.token("p") == "w"
    assert passport.take_news()
    assert await passport.renewed("w", "p") == "w"  # the owner knows it still
    assert not passport.take_news()
    owner.answers["ask_access"] = "v"
    assert await asyncio.gather(passport.renewed("w", "p"), passport.renewed("w", "p")) == ["v", "v"]
    assert owner.asked[1:] == [("ask_access", ("p",), {"instead_of": "w"})] * 2
    assert await passport.token("p") == "v"
    assert passport.take_news()


async def test_a_token_that_was_given_is_never_replaced():
    owner = PaperOwner({"client_hello": greeting()})
    passport = OfProcess(owner, lambda: "t")
    assert await passport.token("p") == "t"
    assert await passport.renewed("t", "p") == "t"
    assert await Carried("t").renewed("t", "p") == "t"
    assert [name for name, *_ in owner.asked] == ["client_hello"]


async def test_a_token_that_does_not_hold_is_tried_again_at_the_next_question():
    denied = Denied(msg("No."), next_step=msg("Ask."))
    owner = PaperOwner({"client_hello": denied})
    passport = OfProcess(owner, lambda: "t")
    with pytest.raises(Denied):
        await passport.token("p")
    owner.answers["client_hello"] = greeting()
    assert await passport.token("p") == "t"
