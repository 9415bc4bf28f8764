"""Identity is frozen: a change here makes every stored number of a scenario unfindable.

If a default, a formula or a split changed on purpose, bump the version in the catalog and freeze
the new id beside it. If nothing changed on purpose, the change is a bug.
"""

import pytest

from augury.engine.plan import Selection, expand


@pytest.mark.parametrize(
    ("sweep", "subject", "overrides", "cell_id"),
    [
        ("testbed", "mlp", (), "de7565c31adc58998b935be1e0408736"),
        (
            "testbed",
            "ensemble+",
            ("ensemble+.num_ensemble=30", "ensemble+.prior_scale=1"),
            "d7d2544cea2053031300b7d4b6a7a8d4",
        ),
        ("testbed-2d", "uniform", (), "2b1bc25226b30052448389743cbfbe97"),
        ("real", "mlp", (), "5f7bdf3a94169b5cebdb8c7e524403c0"),
        ("ppc-quadratic", "ensemble", (), "c7f3ae9c2532e57ff3ec901779c0b3bc"),
        ("ppc-analytic", "posterior", (), "33a847b9335e591163376312871f42af"),
        ("mi-gaussian", "smile-5", (), "7f69f22443916cb28bc00c5d0a7976be"),
    ],
)
def test_first_cell_keeps_its_id(sweep, subject, overrides, cell_id):
    selection = Selection((sweep,), (subject,), (0,), "full", overrides)
    assert expand(selection)[0].cell.cell_id == cell_id


def test_equal_numbers_are_one_cell():
    whole, real = (
        expand(Selection(("testbed-quick",), ("mlp",), (0,), "full", (f"mlp.weight_decay={text}",)))
        for text in ("2", "2.0")
    )
    assert [p.cell.cell_id for p in whole] == [p.cell.cell_id for p in real]
