import io
import json
from pathlib import Path

import pytest


@pytest.fixture
def rows(monkeypatch):
    def lay(data):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data), "ascii"))

    return lay


def test_rows_keep_their_order_and_a_bad_one_is_its_error(shell, wiring, rows):
    rows(b'{"id": 1, "query": "x"}\n\nnot json\n[1]\n{"id": "\xe4\xb8\xad"}\r\n\xff\n' + b"[" * 9999 + b"\n")
    out = shell("batch", "retrieve", "--corpus", "c.jsonl", "--mode", "words")
    results = [json.loads(line) for line in out.splitlines()]
    assert [row["id"] for row in results] == [1, None, None, "中", None, None]
    assert results[0] == {"id": 1, "ranked": ["b", "a"]}
    assert "error" in results[1]
    assert wiring.calls == [("batch", "retrieve", Path("c.jsonl"), None, "words")]


def test_a_number_that_is_no_json_is_a_bad_row(shell, rows):
    rows(b'{"id": 1e999, "query": "x"}\n{"id": NaN, "query": "x"}\n{"id": 2.5, "query": "x"}\n')
    results = [json.loads(line) for line in shell("batch", "retrieve", "--corpus", "c.jsonl").splitlines()]
    assert [row["id"] for row in results] == [None, None, 2.5]


def test_a_folder_of_corpora(shell, wiring, rows):
    rows(b"")
    assert shell("batch", "retrieve", "--corpora", "dir") == ""
    assert wiring.calls == [("batch", "retrieve", None, Path("dir"), "full")]


@pytest.mark.parametrize("options", [(), ("--corpus", "a", "--corpora", "b"), ("--corpus", "a", "--mode", "magic")])
def test_wrong_use(shell, options):
    shell("batch", "retrieve", *options, expect=2)
