"""Which data sets are here, and what is said of those that are not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from augury.engine.catalog.datasets import DATASETS
from augury.engine.datasets import needs
from augury.engine.datasets.presence import advice, look, sweeps_with, verify
from augury.engine.errors import AuguryError
from augury.engine.types import Cell

IRIS = DATASETS["iris"]
AWAY = replace(IRIS, bundled=False)  # as one that is not shipped


@pytest.mark.parametrize("name", [name for name, card in DATASETS.items() if card.bundled])
def test_what_is_shipped_is_here_and_right(name: str) -> None:
    card = DATASETS[name]
    found = look(name, card)
    assert (found.state, found.missing) == ("here", ()) and found.size == found.total == card.size
    assert verify(name, card) == "" and advice(name, card, found) == ""


@pytest.mark.parametrize("name", [name for name, card in DATASETS.items() if not card.bundled])
def test_what_is_fetched_is_absent_and_says_where_it_belongs(name: str, tmp_path: Path) -> None:
    card = DATASETS[name]
    found = look(name, card)
    assert (found.state, found.size, found.total) == ("absent", 0, card.size)
    assert Path(found.folder).is_relative_to(tmp_path / "cache" / "augury" / "data")
    told = advice(name, card, found)
    assert f"into {found.folder}" in told and all(file in told for file in found.missing)
    assert card.urls(card.files[0])[0] in told


def test_sweeps_that_need_it() -> None:
    everywhere = ("real", "real-regimes", "real-regimes-more")
    assert sweeps_with("iris") == (*everywhere, "real-quick")
    found = sweeps_with("mnist")
    assert found[:3] == everywhere and {"ppc-corruptions", "mi", "mi-nuisance"} <= set(found)
    assert "mi-gaussian" not in found


def test_a_file_put_in_its_place_is_found_and_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUGURY_DATA", str(tmp_path))
    found = look("iris", AWAY)
    assert found.missing == ("iris.data",) and found.folder == str(tmp_path / "iris")
    assert advice("iris", AWAY, found).startswith(f"Put iris.data into {tmp_path}/iris.")
    (tmp_path / "iris").mkdir()
    (tmp_path / "iris" / "iris.data").write_text("not iris")
    assert (look("iris", AWAY).state, look("iris", AWAY).size) == ("damaged", 8)
    assert "is damaged" in verify("iris", AWAY)


def test_a_set_that_shares_a_folder_may_have_one_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUGURY_DATA", str(tmp_path))
    name, card = "emnist/letters", DATASETS["emnist/letters"]
    assert look(name, card).folder == str(tmp_path / "emnist")
    for folder in (tmp_path / "emnist" / "letters", tmp_path / "emnist"):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / card.files[3].name).write_bytes(bytes(card.files[3].size))
        found = look(name, card)
        assert (found.state, len(found.missing), found.folder) == ("part", 3, str(folder))


def test_a_run_is_refused_before_it_fails() -> None:
    iris = Cell("real", "real/iris/n120", "mlp")
    assert needs.lacking([iris]) == ""
    needs.check([iris, Cell("testbed", "testbed/d2-l1-t0.1/e0", "mlp")])
    with pytest.raises(AuguryError) as caught:
        needs.check([iris, Cell("real", "real/mnist/n1000", "mlp"),
                     Cell("real", "real/mnist/n10", "mlp")])  # fmt: skip
    assert caught.value.message == (
        "1 data set is not here. To fetch (11.6 MB): `augury data fetch mnist`. Or without: "
        "--filter dataset=iris."
    )
    with pytest.raises(AuguryError, match=r"`augury data fetch cifar10 emnist/letters`\.$"):
        needs.check([Cell("real", f"real/{name}/n10", "mlp")
                     for name in ("cifar10", "emnist/letters")])  # fmt: skip
