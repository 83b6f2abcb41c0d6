"""Metrics, marks, tuning and reviews through the facade of a whole house (G7, G7.2)."""

from __future__ import annotations

import os
from datetime import date, timedelta

import pytest

from app.domain.collecting import SourceDraft
from app.domain.context_item import SearchRequest
from app.domain.errors import BadInput, Cancelled, DiskFull
from app.domain.events import ReviewWritten
from app.domain.metrics import ReviewKind
from app.domain.serving import Outcome
from app.domain.text import msg
from app.famulus import tuning_desk
from app.runtime import clock
from app.runtime.stop import StopSwitch
from app.settings.declarations import LANGUAGE
from tests.integration.conftest import PASSPHRASE, copied, furnished

TOPICS = [a + b for a in ("bol", "tar", "mig", "fen", "sul", "kor") for b in ("ando", "ivex", "umra", "opel", "ezin")]
QUESTION = "which hotel in Lisbon"


@pytest.fixture
def notes(tmp_path):
    folder = tmp_path / "notes"
    folder.mkdir()
    return folder


async def collect(api, folder):
    source = await api.add_source(SourceDraft("files", str(folder)))
    await api.sync(source.source_id)
    await api.wait_until_indexed()


def write(folder, name, text, *, days_old):
    path = folder / name
    path.write_text(text, "utf-8")
    moment = (clock.present() - timedelta(days=days_old)).timestamp()
    os.utime(path, (moment, moment))


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """A house with two notes, one of which answers the question, in English and in Chinese; it is closed."""
    folder = tmp_path_factory.mktemp("model")
    notes = folder / "notes"
    notes.mkdir()
    write(notes, "trip.md", "# Trip\nThe hotel in Lisbon is Casa Azul.\n", days_old=3)
    write(notes, "budget.md", "# 预算\n五月的预算由王芳审批。\n", days_old=3)
    furnished(folder / "base", lambda api: collect(api, notes))
    return folder / "base"


@pytest.fixture
def placed(model, basedir):
    copied(model, basedir)


@pytest.fixture
async def lisbon(placed, household):
    await household.api.unlock(passphrase=PASSPHRASE)
    await household.api._vault.offices()
    return household.api


def values(report):
    return {rate.name: rate.value for rate in report.rates}


async def request_id(api, query):
    audit = await api.audit()
    return next(line.request_id for line in audit.lines if line.query == query)


async def test_numbers_and_texts_that_nobody_means_are_refused_or_do_nothing(lisbon):
    for number in (0, -1, 2**63, 10**40):
        with pytest.raises(BadInput):
            await lisbon.mark(QUESTION, number, is_wanted=True)
        with pytest.raises(BadInput):
            await lisbon.review(number)
        await lisbon.mark(QUESTION, number, is_wanted=None)
    with pytest.raises(BadInput):
        await lisbon.items_to_mark("hotel", more="x" * 10_000_000)
    with pytest.raises(BadInput):
        await lisbon.asked_questions(limit=0)
    (found, *_) = await lisbon.items_to_mark("\u202ehotel\0 \ud800")
    await lisbon.mark("\u202ehotel\0 \ud800", found.entry_id, is_wanted=True)
    assert (await lisbon.items_to_mark("\u202eHOTEL\0 \ud800"))[0].is_wanted


async def test_rates_from_asking_to_the_outcome(lisbon):
    api = lisbon
    assert set(values(await api.metrics()).values()) == {None}
    answer = await api.ask(QUESTION)
    await api.search(SearchRequest("五月的预算"))
    number = await request_id(api, QUESTION)
    cited = tuple(item.item_id for item in answer.items)
    await api.report_outcome(
        Outcome(number, is_success=True, is_adopted=False, cited=cited, fields_total=4, fields_edited=1)
    )
    found = await api.items_to_mark(QUESTION)
    wanted = next(one for one in found if one.item.title == "Trip")
    await api.mark(QUESTION.upper(), wanted.entry_id, is_wanted=True)
    report = await api.metrics()
    assert values(report) == {
        "task_success": 1.0,
        "user_adoption": 0.0,
        "context_hit": 1.0,
        "expired_context": 0.0,
        "manual_correction": 0.25,
    }
    assert report.requests == 2
    assert dict(report.weeks[-1].values)["task_success"] == 1.0
    layers = {figure.name: figure.value for figure in report.layers}
    assert (layers["source_coverage"], layers["understood"], layers["hit_rate"]) == (1.0, 1.0, 1.0)
    assert [(one.query, one.marked) for one in await api.asked_questions()] == [("五月的预算", 0), (QUESTION, 1)]


async def test_marking_is_no_request_and_can_be_taken_back(lisbon):
    api = lisbon
    found = await api.items_to_mark("Lisbon", more="预算")
    assert {one.item.title for one in found} == {"Trip", "预算"}
    assert {one.is_wanted for one in found} == {None}
    budget = next(one.entry_id for one in found if one.item.title == "预算")
    await api.mark("Lisbon", budget, is_wanted=False)
    missed = [one for one in await api.items_to_mark("Lisbon") if one.entry_id == budget]
    assert [one.is_wanted for one in missed] == [False]
    await api.mark("lisbon ", budget, is_wanted=None)
    assert all(one.is_wanted is None for one in await api.items_to_mark("Lisbon"))
    assert list(await api.asked_questions()) == []
    assert (await api.metrics()).requests == 0


@pytest.mark.parametrize("query", ["", " \n", "x" * 3000])
async def test_what_is_no_question_cannot_be_marked(lisbon, query):
    with pytest.raises(BadInput):
        await lisbon.items_to_mark(query)
    with pytest.raises(BadInput):
        await lisbon.mark(query, 1, is_wanted=True)


@pytest.mark.parametrize(
    "said",
    [
        {},
        {"fields_total": 3},
        {"fields_total": 3, "fields_edited": 4},
        {"fields_total": 10**9, "fields_edited": 1},
        {"is_success": True, "cited": ("c1; DROP TABLE mark",)},
        {"is_success": True, "cited": ("c1",) * 1001},
    ],
)
async def test_an_outcome_that_cannot_be_is_refused(lisbon, said):
    await lisbon.ask(QUESTION)
    number = await request_id(lisbon, QUESTION)
    with pytest.raises(BadInput):
        await lisbon.report_outcome(Outcome(number, **said))
    for wrong in ("none", "", "\0", "\ud800", "x" * 10_000_000):
        with pytest.raises(BadInput):
            await lisbon.report_outcome(Outcome(wrong, is_success=True))
    assert set(values(await lisbon.metrics()).values()) == {None, 0.0}


@pytest.mark.parametrize(
    "days", [(date(2025, 2, 1), date(2025, 1, 1)), (date(1, 1, 1), date(9999, 12, 31)), (None, date.min)]
)
async def test_days_that_cannot_be_counted(lisbon, days):
    with pytest.raises(BadInput):
        await lisbon.metrics(first_day=days[0], last_day=days[1])


async def test_reviews_are_written_by_the_clock_once_and_only_where_something_happened(lisbon, household):
    api, told = lisbon, []
    desk = household.api._vault.house.opened.reception.reviews
    household.bus.subscribe(ReviewWritten, told.append)
    assert await desk.write_due(clock.present() + timedelta(days=7)) == []
    await api.ask(QUESTION)
    await household.api._vault.house.opened.reception.serving.book.settle()
    later = clock.present() + timedelta(days=7)
    (written,) = [one for one in await desk.write_due(later) if one.kind is ReviewKind.WEEKLY]
    assert "| owner | 1 | 0 | 1 |" in written.text
    assert [one.kind for one in await desk.write_due(later) if one.kind is ReviewKind.WEEKLY] == []
    assert "weekly" in [event.kind for event in told]
    listed = await api.reviews()
    assert {(one.review_id, one.text) for one in listed} >= {(written.review_id, "")}
    assert await api.review(written.review_id) == written
    with pytest.raises(BadInput):
        await api.review(10_000)


async def test_every_review_can_be_written_on_demand_in_the_persons_language(lisbon):
    for kind in ReviewKind:
        review = await lisbon.write_review(kind)
        assert review.text.startswith("# ")
        assert review.first_day <= clock.present().date() <= review.last_day
    again = await lisbon.write_review(ReviewKind.WEEKLY)
    assert len(await lisbon.reviews()) == 3
    assert again.review_id in {one.review_id for one in await lisbon.reviews()}
    await lisbon.change_setting(LANGUAGE.name, "zh_CN")
    assert (await lisbon.write_review(ReviewKind.WEEKLY)).text.startswith("# ")


def question_of(topic):
    return f"{topic} {topic}plan {topic}group {topic}day"


async def mark_newest(api):
    """Of every topic the newest note is wanted."""
    for topic in TOPICS:
        query = question_of(topic)
        found = await api.items_to_mark(query)
        newest = next(one for one in found if one.item.title == f"new {topic}")
        await api.mark(query, newest.entry_id, is_wanted=True)


@pytest.fixture
async def topics(api, notes):
    """Notes on many things: of each an old one that says the words of the question, and a new one that says less."""
    for number, topic in enumerate(TOPICS):
        old = f"The {topic}plan of the {topic}group was: every {number + 3} {topic}day about {topic}.\n"
        write(notes, f"old {topic}.md", old, days_old=500 + number)
        new = f"About {topic}: from now on in room {number + 40}, with cake.\n"
        write(notes, f"new {topic}.md", new, days_old=5 + number % 7)
    await collect(api, notes)
    return api


async def test_tuning_finds_that_freshness_matters_and_is_traceable(topics, household, basedir):
    api = topics
    await mark_newest(api)
    before = household.api._vault.house.context.weights.version
    proposal = await api.propose_tuning()
    assert proposal.is_better, proposal
    assert (proposal.learned_from, proposal.held_out) == (21, 9)
    changes = {one.name: (one.before, one.after) for one in proposal.changes}
    assert changes["final.freshness"][1] > changes["final.freshness"][0]
    assert proposal.order_after > proposal.order_before
    assert proposal.hit_after >= proposal.hit_before
    for wrong in ("", "0" * 16):
        with pytest.raises(BadInput):
            await api.apply_tuning(wrong)
    version = await api.apply_tuning(proposal.proposal_id)
    assert version.startswith(f"{before}+")
    found = await api.search(SearchRequest(question_of(TOPICS[0])))
    assert found[0].title == f"new {TOPICS[0]}"
    await household.api._vault.house.opened.reception.serving.book.settle()
    with household.api._vault.house.store.database.reader() as reader:
        assert reader.value("SELECT ranking FROM request_log WHERE action = 'search' ORDER BY at DESC") == version
        assert reader.value("SELECT count(*) FROM rule_version WHERE version = ?", version) == 1
    with pytest.raises(BadInput):
        await api.apply_tuning(proposal.proposal_id)
    assert await api.reset_tuning() == before
    assert not (basedir / "config" / "ranking.toml").exists()
    assert (await api.search(SearchRequest(question_of(TOPICS[0]))))[0].title == f"old {TOPICS[0]}"


async def test_weights_that_hold_are_told_so_though_the_database_is_full(lisbon, monkeypatch):
    def full(*_arguments, **_more):
        raise DiskFull(msg("The disk is full."), next_step=msg("Free some space."))

    version = await lisbon.reset_tuning()
    monkeypatch.setattr(tuning_desk, "note_rules", full)
    assert await lisbon.reset_tuning() == version


async def test_few_marks_propose_nothing_and_say_so(lisbon):
    (found, *_) = await lisbon.items_to_mark(QUESTION)
    await lisbon.mark(QUESTION, found.entry_id, is_wanted=True)
    proposal = await lisbon.propose_tuning()
    assert (proposal.is_better, proposal.changes, proposal.proposal_id) == (False, (), "")
    assert "at least 20" in str(proposal.reason)


async def test_tuning_can_be_stopped(lisbon):
    (found, *_) = await lisbon.items_to_mark(QUESTION)
    await lisbon.mark(QUESTION, found.entry_id, is_wanted=True)
    stop = StopSwitch()
    stop.stop()
    with pytest.raises(Cancelled):
        await lisbon.propose_tuning(stop=stop)


async def test_a_review_of_half_a_week_is_written_anew_when_the_week_is_over_and_none_ahead(lisbon, household):
    await lisbon.ask(QUESTION)
    half = await lisbon.write_review(ReviewKind.WEEKLY)
    await household.api._vault.house.opened.reception.serving.book.settle()
    later = clock.present() + timedelta(days=7)
    written = await household.api._vault.house.opened.reception.reviews.write_due(later)
    (whole,) = [one for one in written if one.kind is ReviewKind.WEEKLY]
    assert (whole.review_id, whole.made_at) == (half.review_id, later)
    for kind in ReviewKind:
        with pytest.raises(BadInput):
            await lisbon.write_review(kind, day=clock.present().date() + timedelta(days=100))
