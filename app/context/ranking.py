"""The ranking formula, and its weights (G4.2, G2.8).

    final = 0.55 semantic + 0.15 lexical + 0.20 freshness + 0.10 confidence (+ a small bonus for an active task)
    freshness = max(0, 1 - age_days / window_days)

All parts are in 0..1 and mean the same for every question, so results of different questions can be compared. The
weights stand in resources/rules/ranking.toml; <config>/ranking.toml may change them.
"""

from __future__ import annotations

import hashlib
import tomllib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from app.domain.errors import BadInput
from app.domain.text import msg
from app.domain.toml_text import read_toml

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from app.domain.text import Text

    Floats = NDArray[np.float64]

_SUM_TOLERANCE = 1e-6
_LARGEST = 1e9
"""No number of the file is meant to come near it."""
_FINAL_PARTS = ("semantic", "lexical", "freshness", "confidence")


@dataclass(frozen=True, slots=True)
class FinalWeights:
    """The weights of the four parts, which add up to 1, and the bonus."""

    semantic: float = 0.55
    lexical: float = 0.15
    freshness: float = 0.20
    confidence: float = 0.10
    active_task_bonus: float = 0.03


@dataclass(frozen=True, slots=True)
class TimeWeights:
    """In days."""

    window_days: float = 1095.0
    half_life_days: float = 180.0


@dataclass(frozen=True, slots=True)
class CandidateWeights:
    """Which passages are ranked at all, and how their scores come about; see resources/rules/ranking.toml."""

    semantic: float = 0.6
    lexical: float = 0.4
    pool: int = 12
    full_match: float = 0.4
    word_before: float = 0.5
    word_after: float = 0.3
    same_entry: float = 0.25
    one_sentence: float = 0.5


@dataclass(frozen=True, slots=True)
class ClueWeights:
    """What a passage's form adds to its semantic score (`clues`), and how many passages are looked at for it."""

    looked_at: int = 50
    speaker: float = 0.09
    asks: float = 0.11
    says_when: float = 0.14
    in_time: float = 0.14
    order: float = 0.07


@dataclass(frozen=True, slots=True)
class Weights:
    """All numbers of the ranking. `version` says which file made them; one that was changed carries a hash (G2.8)."""

    version: str
    final: FinalWeights
    time: TimeWeights
    candidates: CandidateWeights
    clues: ClueWeights


@dataclass(frozen=True, slots=True)
class Features:
    """What is known of n passages before they are ranked; arrays of length n.

    Attributes:
        semantic, lexical, confidence: 0..1.
        age_days: since the passage's event or its last change; negative in the future.
        is_active_task: whether it belongs to a task that is active and not past its time.
    """

    semantic: Floats
    lexical: Floats
    confidence: Floats
    age_days: Floats
    is_active_task: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Scores:
    """The parts and the sum for n passages; arrays of length n, all in 0..1."""

    freshness: Floats
    time_decay: Floats
    bonus: Floats
    final: Floats


def score(features: Features, weights: Weights) -> Scores:
    """Apply the formula (G4.2)."""
    final = weights.final
    age = np.maximum(features.age_days, 0.0)
    freshness = np.maximum(0.0, 1.0 - age / weights.time.window_days)
    bonus = np.where(features.is_active_task, final.active_task_bonus, 0.0)
    total = (
        final.semantic * features.semantic
        + final.lexical * features.lexical
        + final.freshness * freshness
        + final.confidence * features.confidence
        + bonus
    )
    return Scores(
        freshness=freshness,
        time_decay=np.exp2(-age / weights.time.half_life_days),
        bonus=bonus,
        final=np.clip(total, 0.0, 1.0),
    )


def load_weights(shipped: Path, own: Path | None = None) -> Weights:
    """Read the shipped weights, and the person's changes to them where there are any.

    Raises:
        BadInput: the person's file is no TOML, names something unknown, or has a value out of its range; it says which.
    """
    tables = tomllib.loads(shipped.read_text("utf-8"))
    version = str(tables.pop("version"))
    if own is not None and own.exists():
        changes, digest = _read_own(own)
        changes.pop("version", None)
        _merge(tables, changes)
        version = f"{version}+{digest}"
    return _checked(version, tables)


def _read_own(path: Path) -> tuple[dict[str, Any], str]:
    if not path.is_file():  # a pipe is never read to its end
        raise _bad(msg("The file ranking.toml cannot be read."))
    try:
        data = path.read_bytes()
        # an editor of Windows begins a file with a mark
        return read_toml(data.decode("utf-8-sig")), hashlib.sha256(data).hexdigest()[:8]
    except (OSError, ValueError) as error:
        raise _bad(msg("The file ranking.toml cannot be read.")) from error


def _merge(tables: dict[str, Any], changes: Mapping[str, Any]) -> None:
    for table, values in changes.items():
        if not isinstance(tables.get(table), dict) or not isinstance(values, dict):
            raise _bad(msg("The file ranking.toml has an unknown part: {name}.", name=table))
        for name, value in values.items():
            if name not in tables[table]:
                raise _bad(msg("The file ranking.toml has an unknown part: {name}.", name=f"{table}.{name}"))
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise _bad(msg("In ranking.toml, {name} is not a number.", name=f"{table}.{name}"))
            tables[table][name] = value


def _checked(version: str, tables: Mapping[str, Mapping[str, float]]) -> Weights:
    for table, values in tables.items():
        for name, value in values.items():
            if not 0 <= value <= _LARGEST:
                raise _bad(msg("In ranking.toml, {name} is out of its range.", name=f"{table}.{name}"))
    final = tables["final"]
    if abs(sum(final[name] for name in _FINAL_PARTS) - 1.0) > _SUM_TOLERANCE:
        raise _bad(msg("In ranking.toml, the four weights of [final] do not add up to 1."))
    time, candidates = tables["time"], dict(tables["candidates"])
    pool = candidates.pop("pool")
    if time["window_days"] <= 0 or time["half_life_days"] <= 0:
        raise _bad(msg("In ranking.toml, {name} is out of its range.", name="time"))
    shares = [candidates[name] for name in ("full_match", "word_before", "word_after", "same_entry", "one_sentence")]
    is_sum_one = abs(candidates["semantic"] + candidates["lexical"] - 1.0) <= _SUM_TOLERANCE
    if pool < 1 or not is_sum_one or max(shares) > 1 or candidates["full_match"] == 0:
        raise _bad(msg("In ranking.toml, {name} is out of its range.", name="candidates"))
    clues = dict(tables["clues"])
    looked_at = clues.pop("looked_at")
    if looked_at < 1 or max(clues.values()) > 1:
        raise _bad(msg("In ranking.toml, {name} is out of its range.", name="clues"))
    return Weights(
        version=version,
        final=FinalWeights(**final),
        time=TimeWeights(**time),
        candidates=CandidateWeights(pool=int(pool), **candidates),
        clues=ClueWeights(looked_at=int(looked_at), **clues),
    )


def _bad(what: Text) -> BadInput:
    return BadInput(what, next_step=msg("Mend the file ranking.toml in the configuration folder, or remove it."))
