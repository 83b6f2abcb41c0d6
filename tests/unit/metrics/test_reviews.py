"""What the three reviews say (G7)."""

from __future__ import annotations

from datetime import UTC, date, datetime

from app.domain.metrics import MetricsReport, TuningProposal, WeightChange
from app.domain.text import msg
from app.metrics import rule_report, weekly
from app.metrics.counts import Count
from app.metrics.layers import LayerRows, layer_figures
from app.metrics.rates import five_rates
from app.metrics.rule_report import rule_report as write_rules
from app.metrics.weekly import weekly_review
from app.metrics.weight_report import weight_report
from app.store.layer_rows import ChangeCount, Holdings, MergeCount, ModelCount
from app.store.metric_rows import RequestRow

AT = datetime(2025, 5, 12, 9, 30, tzinfo=UTC)
NO_PROPOSAL = TuningProposal("", (), 3, 1, None, None, None, None, False, msg("Too few marks."))


def counted(name, part, whole, ranking="ranking-2"):
    return Count(name, AT, part, whole, ranking)


def report(*counts, requests=()):
    rates = five_rates(counts)
    rows = LayerRows([], Holdings(0, 0, 0), 0, [], MergeCount(0, 0), requests, [])
    return MetricsReport(date(2025, 5, 12), date(2025, 5, 18), rates, layer_figures(rows, rates, AT), (), len(requests))


def asked(client="owner", items=2, ranking="ranking-2", number=0):
    return RequestRow(f"{client}{number}", AT, client, "ask", "x", False, items, ranking)


def test_the_weekly_review_sets_a_week_against_the_one_before():
    requests = [asked(), asked("agent|x", items=0)]
    now = report(counted("task_success", 10, 20), counted("expired_context", 2, 40), requests=requests)
    before = report(counted("task_success", 18, 20))
    text = weekly_review(now, before, requests, str)
    assert "# Week from 2025-05-12 to 2025-05-18" in text
    assert "| Task success | 50.0% | 10 / 20 | 90.0% |" in text
    assert "| Adoption | nothing counted yet | 0 / 0 | nothing counted yet |" in text
    assert "- Task success got worse: 90.0%, now 50.0%." in text
    assert "- 2 items were handed out that were no longer so" in text
    assert "- 1 search found nothing." in text
    assert "is marked" in text
    assert "| agent\\|x | 1 | 0 | 0 |" in text


def test_a_change_of_few_is_no_news():
    now, before = report(counted("task_success", 0, 3)), report(counted("task_success", 3, 3))
    assert weekly.worth_a_look(now, before, []) == []


def test_less_expired_context_is_no_bad_news():
    good, bad = report(counted("expired_context", 0, 50)), report(counted("expired_context", 20, 50))
    assert weekly.worth_a_look(good, bad, []) == []
    assert "got worse" in str(weekly.worth_a_look(bad, good, [])[0])


def test_rules_that_are_often_taken_back_are_worth_a_look():
    changes = [
        ChangeCount("supersession", "supersession-1", "move", 5, 3),
        ChangeCount("supersession", "supersession-1", "cancel", 50, 2),
        ChangeCount("freshness", "freshness-1", "", 1, 1),
    ]
    assert [str(one).partition(":")[0] for one in rule_report.worth_a_look(changes)] == ["supersession"]
    versions = [("freshness-1", AT)]
    text = write_rules(report(), report(), changes, MergeCount(4, 1), versions, say=str)
    assert "| supersession: move | supersession-1 | 5 | 3 | 60.0% |" in text
    assert "| freshness | freshness-1 | 1 | 1 | 100.0% |" in text
    assert "supersession: move (supersession-1): 3 of 5 changes" in text
    assert "taken for one 4 times, taken apart again by you 1 time." in text
    assert "| freshness-1 | 2025-05-12 |" in text


def test_a_quiet_month():
    text = write_rules(report(), report(), [], MergeCount(0, 0), [], say=str)
    assert "Nothing was changed." in text
    assert "None: hardly anything was taken back." in text


def test_the_quarterly_report_tells_rankings_apart():
    requests = [asked(), asked(number=1, items=0), asked(ranking="ranking-2+abcd1234", number=2)]
    counts = [
        counted("task_success", 1, 2),
        counted("task_success", 3, 3, "ranking-2+abcd1234"),
        counted("context_hit", 1, 4, "ranking-2+abcd1234"),
    ]
    models = [ModelCount("multilingual-e5", "1", 42)]
    text = weight_report(report(requests=requests), counts, requests, models, NO_PROPOSAL, say=str)
    unknown = "nothing counted yet"
    assert f"| ranking-2 | 2 | 50.0% | 50.0% | {unknown} | {unknown} | {unknown} | {unknown} |" in text
    assert f"| ranking-2+abcd1234 | 1 | 100.0% | 100.0% | {unknown} | 25.0% | {unknown} | {unknown} |" in text
    assert "| multilingual-e5 | 1 | 42 |" in text
    assert "Too few marks." in text


def test_the_quarterly_report_shows_what_tuning_would_do():
    changes = (WeightChange("final.freshness", 0.2, 0.5),)
    proposal = TuningProposal("x", changes, 28, 12, 0.8, 0.9, 0.5, 0.75, True)
    text = weight_report(report(), [], [], [], proposal, say=str)
    assert "| final.freshness | 0.2 | 0.5 |" in text
    assert "On 12 questions that were held out: hits 80.0%, then 90.0%; order (nDCG@10) 0.500, then 0.750." in text
    assert "`famulus tune --apply`" in text
    assert "Nothing was searched for." in text
    assert "words alone are searched" in text
