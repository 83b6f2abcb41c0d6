"""The rules of understanding and of freshness, as they stand in resources/rules (G2.8). Read when first needed."""

from __future__ import annotations

from dataclasses import dataclass

from app.domain.labels import EntryKind
from app.govern.rule_tables import made_of_rules, rule_table


@dataclass(frozen=True, slots=True)
class Reading:
    """Which entries are read, and how much of them by the model.

    Attributes:
        kinds: whose text states records at all.
        model_kinds: whose passages the span model reads, up to `model_passages` of them.
        model_cued_passages: of any other text, so many passages that have a cue.
        whole_passages: of a text with more passages, only those with a cue are read by the rules.
        longest_passages: of a longer text the rest is not read.
    """

    kinds: frozenset[EntryKind]
    model_kinds: frozenset[EntryKind]
    model_passages: int
    model_cued_passages: int
    whole_passages: int
    longest_passages: int


@dataclass(frozen=True, slots=True)
class Limits:
    """Thresholds; confidences in 0..1."""

    task_confidence: float
    decision_confidence: float
    longest_title: int
    furthest_days: int
    unsure_days: int
    tentative: float
    whole_entry_characters: int


@dataclass(frozen=True, slots=True)
class Rules:
    """All of understanding.toml. English words are in lower case."""

    version: str
    reading: Reading
    limits: Limits
    not_owners: frozenset[str]
    surnames: str
    stop_en: frozenset[str]
    stop_zh: tuple[str, ...]
    signs_zh: frozenset[str]
    plan_verbs_zh: tuple[str, ...]
    not_subjects_en: frozenset[str]
    not_subjects_zh: frozenset[str]


@dataclass(frozen=True, slots=True)
class FreshnessRules:
    """All of freshness.toml: (English, Chinese) each."""

    version: str
    unsettling: tuple[tuple[str, ...], tuple[str, ...]]
    failing: tuple[tuple[str, ...], tuple[str, ...]]
    pronouns: tuple[tuple[str, ...], tuple[str, ...]]


@made_of_rules
def understanding_rules() -> Rules:
    """The rules in force."""
    data = rule_table("understanding")
    reading, topics, plans, people = data["reading"], data["topics"], data["plans"], data["people"]
    return Rules(
        version=data["version"],
        reading=Reading(
            kinds=frozenset(EntryKind(kind) for kind in reading["kinds"]),
            model_kinds=frozenset(EntryKind(kind) for kind in reading["model_kinds"]),
            model_passages=reading["model_passages"],
            model_cued_passages=reading["model_cued_passages"],
            whole_passages=reading["whole_passages"],
            longest_passages=reading["longest_passages"],
        ),
        limits=Limits(**data["limits"]),
        not_owners=frozenset(people["not_owners_en"]) | frozenset(people["not_owners_zh"]),
        surnames=people["surnames"],
        stop_en=frozenset(topics["stop_en"]),
        stop_zh=tuple(sorted(topics["stop_zh"], key=len, reverse=True)),
        signs_zh=frozenset(topics["signs_zh"]),
        plan_verbs_zh=tuple(sorted(plans["verbs_zh"], key=len, reverse=True)),
        not_subjects_en=frozenset(plans["not_subjects_en"]),
        not_subjects_zh=frozenset(plans["not_subjects_zh"]),
    )


@made_of_rules
def freshness_rules() -> FreshnessRules:
    """The rules in force."""
    data = rule_table("freshness")

    def both(name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        return tuple(data[name]["en"]), tuple(data[name]["zh"])

    return FreshnessRules(data["version"], both("unsettling"), both("failing"), both("pronouns"))
