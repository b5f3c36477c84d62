"""Seals: what this installation has written under the very same key is believed, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from paddock.store.database import Store
from paddock.store.sealing import LENGTH, SECRET, SealedRecords, secret_in

SECRETS = [bytes([n]) * LENGTH for n in range(2)]


def test_a_secret_is_made_once_and_is_the_users_alone(tmp_path: Path) -> None:
    made = secret_in(tmp_path / "state")
    assert made is not None and len(made) == LENGTH
    assert secret_in(tmp_path / "state") == made
    assert secret_in(tmp_path / "other") != made
    (tmp_path / "state" / SECRET).chmod(0o644)
    assert secret_in(tmp_path / "state") is None


def test_without_a_folder_for_it_there_is_no_secret(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert secret_in(tmp_path / "file") is None
    records = SealedRecords(Store(tmp_path), None, "this")
    records.write("lemma", {"a": 1})
    assert records.read("lemma", "a") is None
    assert Store(tmp_path).entries() == []


def test_what_is_sealed_is_believed_where_it_was_sealed(tmp_path: Path) -> None:
    store = Store(tmp_path)
    SealedRecords(store, SECRETS[0], "this").write("lemma", {"a": [["f", 1]], "b": None})
    assert SealedRecords(store, SECRETS[0], "this").read("lemma", "a") == [["f", 1]]
    assert SealedRecords(store, SECRETS[1], "this").read("lemma", "a") is None
    assert SealedRecords(store, SECRETS[0], "another version").read("lemma", "a") is None


@pytest.mark.parametrize("forge", ["value", "key", "kind", "seal", "shape"])
def test_what_was_changed_is_not_believed(tmp_path: Path, forge: str) -> None:
    store = Store(tmp_path)
    records = SealedRecords(store, SECRETS[0], "this")
    records.write("lemma", {"a": [["f", 1]]})
    record = store.read("lemma", "a")
    match forge:
        case "value":
            store.write("lemma", "a", {**record, "value": []})
        case "seal":
            store.write("lemma", "a", {**record, "seal": "ä" * 64})
        case "shape":
            store.write("lemma", "a", [json.dumps(record)])
    assert records.read("answer" if forge == "kind" else "lemma", "b" if forge == "key" else "a") is None
    if forge == "key":
        store.write("lemma", "b", record)
        assert records.read("lemma", "b") is None
    elif forge == "kind":
        store.write("answer", "a", record)
        assert records.read("answer", "a") is None
