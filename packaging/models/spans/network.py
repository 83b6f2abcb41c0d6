"""The encoder of multilingual-e5-small in torch, with low-rank changes to its matrices and two heads on top.

Only training needs it. What it learns (the low-rank factors and the heads) is a few megabytes, and is merged into the
4-bit weights when the pack is built, without torch (app.inference.graph).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional

if TYPE_CHECKING:
    from app.inference.weights import Weights

MATRICES = ("q", "k", "v", "ao", "fi", "fo")


class Linear(nn.Module):
    """A frozen matrix, a change to it of low rank, and a bias: W + B A."""

    def __init__(self, weight: torch.Tensor, bias: torch.Tensor, rank: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(weight, requires_grad=False)
        self.bias = nn.Parameter(bias)
        self.a = nn.Parameter(torch.randn(rank, weight.shape[1]) / math.sqrt(weight.shape[1]))
        self.b = nn.Parameter(torch.zeros(weight.shape[0], rank))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """The product with the changed matrix."""
        changed = functional.linear(functional.linear(x, self.a), self.b)
        return functional.linear(x, self.weight, self.bias) + changed


class Layer(nn.Module):
    """One transformer block, normalised after each part."""

    def __init__(self, weights: Weights, number: int, rank: int) -> None:
        super().__init__()
        shape, name = weights.shape, f"l{number}."
        self.heads, self.epsilon = shape.heads, shape.epsilon
        sizes = dict.fromkeys(MATRICES, (shape.hidden, shape.hidden))
        sizes |= {"fi": (shape.inner, shape.hidden), "fo": (shape.hidden, shape.inner)}
        for part, (rows, columns) in sizes.items():
            matrix = torch.from_numpy(weights.dequantised(f"{name}{part}.w", rows, columns).copy())
            bias = torch.from_numpy(weights.floats(f"{name}{part}.b", rows).copy())
            setattr(self, part, Linear(matrix, bias, rank))
        for part in ("aln", "oln"):
            for kind in ("w", "b"):
                values = torch.from_numpy(weights.floats(f"{name}{part}.{kind}", shape.hidden).copy())
                setattr(self, f"{part}_{kind}", nn.Parameter(values))
        self.dropout = nn.Dropout(0.1)

    def forward(self, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """The block's output for hidden states [batch, tokens, hidden]."""
        batch, length, hidden = x.shape

        def split(y: torch.Tensor) -> torch.Tensor:
            return y.view(batch, length, self.heads, hidden // self.heads).transpose(1, 2)

        mixed = functional.scaled_dot_product_attention(
            split(self.q(x)), split(self.k(x)), split(self.v(x)), attn_mask=mask
        )
        attended = self.dropout(self.ao(mixed.transpose(1, 2).reshape(batch, length, hidden)))
        x = functional.layer_norm(x + attended, (hidden,), self.aln_w, self.aln_b, self.epsilon)
        outer = self.dropout(self.fo(functional.gelu(self.fi(x))))
        return functional.layer_norm(x + outer, (hidden,), self.oln_w, self.oln_b, self.epsilon)


class SpanNetwork(nn.Module):
    """Token scores for entities and for clauses.

    Args:
        rank: of the low-rank changes.
    """

    def __init__(self, weights: Weights, entity_tags: int, clause_tags: int, *, rank: int) -> None:
        super().__init__()
        shape = weights.shape
        words = torch.from_numpy(weights.dequantised("emb.word", shape.vocabulary, shape.hidden))
        self.words = nn.Embedding.from_pretrained(words, freeze=True)
        places = weights.floats("emb.pos", shape.positions, shape.hidden)
        kinds = weights.floats("emb.type", shape.types, shape.hidden)
        self.register_buffer("places", torch.from_numpy(places + kinds[0]))
        self.register_buffer("gain", torch.from_numpy(weights.floats("emb.ln.w", shape.hidden).copy()))
        self.register_buffer("shift", torch.from_numpy(weights.floats("emb.ln.b", shape.hidden).copy()))
        self.layers = nn.ModuleList(Layer(weights, n, rank) for n in range(shape.layers))
        self.entity_head = nn.Linear(shape.hidden, entity_tags)
        self.clause_head = nn.Linear(shape.hidden, clause_tags)
        self.dropout = nn.Dropout(0.1)
        self.epsilon = shape.epsilon

    def forward(self, ids: torch.Tensor, mask: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Scores [batch, tokens, tags] of both heads, for ids and mask [batch, tokens]; true where a token is."""
        x = self.words(ids) + self.places[: ids.shape[1]]
        x = functional.layer_norm(x, (x.shape[-1],), self.gain, self.shift, self.epsilon)
        attention = mask[:, None, None, :]
        for layer in self.layers:
            x = layer(x, attention)
        x = self.dropout(x)
        return self.entity_head(x), self.clause_head(x)
