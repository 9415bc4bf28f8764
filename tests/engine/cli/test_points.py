"""`--tau` and `--kappa`: points, their identity, and what is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from augury.engine.catalog.scenarios import settings_of
from augury.engine.cli.points import with_points, with_rows
from augury.engine.cli.selection import checked, command_text, problem_file
from augury.engine.errors import UsageError
from augury.engine.plan import Selection, expand
from tests.engine.cli.test_selection import write_arrays

QUICK = Selection(("testbed-quick",), ("mlp",))


def planned(tau: tuple[str, ...] = (), kappa: tuple[str, ...] = (), selection: Selection = QUICK):
    return expand(checked(with_points(selection, tau, kappa)))


@pytest.mark.parametrize(
    ("tau", "kappa", "points"),
    [
        ((), (), ((1, 0), (10, 0), (10, 2))),
        (("1,10,100",), ("iid,2",), ((1, 0), (10, 0), (10, 2), (100, 0), (100, 2))),
        (("10",), ("1", "2", "10"), ((10, 1), (10, 2), (10, 10))),
        (("1",), ("3",), ((1, 0),)),
        (("3",), (), ((3, 0), (3, 2))),
        ((), ("5",), ((1, 0), (10, 5))),
    ],
)
def test_every_tau_goes_with_every_kappa(tau, kappa, points) -> None:
    assert settings_of(planned(tau, kappa)[0].cell).points == points


def test_the_defaults_in_any_order_are_the_same_cells() -> None:
    plain = [p.cell.cell_id for p in planned()]
    assert [p.cell.cell_id for p in planned(("10,1",), ("2,iid,2",))] == plain
    assert [p.cell.cell_id for p in planned(("10",))] != plain


def test_both_scenarios_of_joint_predictions_take_them() -> None:
    cells = planned(("4",), selection=Selection(("quick",)))
    found = {p.cell.scenario: dict(p.cell.settings) for p in cells}
    assert found["testbed"] == {"tau": [4]}
    assert found["real"] == {"tau": [4], "num_epistemic": 300}  # quick: fewer samples, too
    assert "tau" not in found["mi"]


def test_rows_of_real_data_may_be_made_otherwise() -> None:
    real = Selection(("quick",))
    found = expand(checked(with_rows(real, "feature", "random")))
    changed = {"preprocess": "feature", "subsample": "random"}
    made = [p.cell.scenario for p in found if changed.items() <= p.cell.settings.items()]
    assert set(made) == {"real"}
    assert with_rows(real, None, None) == real
    usual = expand(with_rows(Selection(("real-quick",)), "example", "first"))
    assert [p.cell for p in usual] == [p.cell for p in expand(Selection(("real-quick",)))]
    with pytest.raises(UsageError, match="are of real data: choose real"):
        with_rows(QUICK, "feature", None)


def test_the_command_says_them() -> None:
    text = command_text(with_points(QUICK, ("1,100",), ("iid",)))
    assert "--set 'testbed.tau=[1,100]' --set 'testbed.kappa=[0]'" in text


@pytest.mark.parametrize(
    ("tau", "kappa", "words"),
    [
        (("0",), (), "--tau takes whole numbers from 1 on"),
        (("-1",), (), "--tau takes"),
        (("1.5",), (), "--tau takes"),
        (("nan",), (), "--tau takes"),
        (("iid",), (), "--tau takes"),
        ((",",), (), "--tau ',' has an empty item"),
        ((), ("0",), "--kappa 0 is written --kappa iid"),
        ((), ("two",), "--kappa takes"),
        (("10001",), (), "tau must be of 1 to 10,000"),
        ((), ("20000",), r"kappa must be of 0 \(iid\) to 10,000"),
    ],
)
def test_what_is_no_point(tau, kappa, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        planned(tau, kappa)


def test_what_has_no_room() -> None:
    with pytest.raises(UsageError, match="1,000 test batches of 10,000 inputs in 100 dimensions"):
        planned(("10000",), ("iid",), Selection(("testbed",), ("mlp",)))


def test_other_scenarios_have_none() -> None:
    with pytest.raises(UsageError, match="choose testbed or real"):
        planned(("10",), selection=Selection(("mi-quick",)))


def test_a_files_own_draws_are_what_is_scored(tmp_path: Path) -> None:
    draws = {"test_tau3_kappa0_x": np.zeros((2, 3, 2)), "test_tau3_kappa0_y": np.zeros((2, 3))}
    write_arrays(tmp_path / "carried.npz", **draws)
    write_arrays(tmp_path / "plain.npz")
    carried, plain = (
        Selection(("testbed",), ("mlp",), problem_files=(problem_file(str(tmp_path / name)),))
        for name in ("carried.npz", "plain.npz")
    )
    with pytest.raises(UsageError, match="carries test draws"):
        planned(("10",), selection=carried)
    assert len(planned(selection=carried)) == len(planned(("10",), selection=plain)) == 1


@pytest.mark.parametrize("sweep", ["coins", "logistic"])
def test_studies_are_never_in_memory_whole(sweep: str) -> None:
    """Their own largest points are planned as they stand."""
    assert planned(selection=Selection((sweep,), scale="full"))
