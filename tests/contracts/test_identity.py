"""Identity is frozen: a change here makes every stored number of a scenario unfindable.

If a default, a formula or a split changed on purpose, bump the version in the catalog and freeze
the new id beside it. If nothing changed on purpose, the change is a bug.
"""

from hashlib import blake2b

import pytest

from augury.engine.catalog.entry import as_json
from augury.engine.catalog.scenarios import SCENARIOS, default_settings
from augury.engine.plan import Selection, expand
from augury.engine.types import canonical

# Version and defaults of every scenario and subject. An id holds only what differs from the
# defaults, so a default may not change under an unchanged version. A new field whose default
# leaves every number as it was changes a digest here, and no version.
DEFAULTS = {
    "testbed": "1ba2bd51",
    "testbed/uniform": "8217581d",
    "testbed/prior": "8217581d",
    "testbed/mlp": "ae4fce6d",
    "testbed/ensemble": "263bfc53",
    "testbed/ensemble+": "4aba5ec2",
    "testbed/sgmcmc": "7c305731",
    "testbed/hypermodel": "fdae1be8",
    "testbed/bbb": "437d0216",
    "testbed/dropout": "fa6e385c",
    "testbed/epinet": "ec610c2a",
    "testbed/deep-kernel": "c0b7badb",
    "testbed/logistic-regression": "29cc875d",
    "testbed/knn": "e74052b2",
    "testbed/random-forest": "ab43bb2f",
    "testbed/posterior": "24534bd1",
    "testbed/shared-bias": "24534bd1",
    "testbed/marginal": "8217581d",
    "testbed/floor": "8217581d",
    "real": "f76e6aa3",
    "real/uniform": "8217581d",
    "real/mlp": "ae383393",
    "real/ensemble": "18e648d8",
    "real/ensemble+": "8aba5d3d",
    "real/sgmcmc": "8048945a",
    "real/hypermodel": "32f96401",
    "real/bbb": "ef9cd853",
    "real/dropout": "3fa16691",
    "real/epinet": "0fe15a74",
    "real/deep-kernel": "71dca7ca",
    "real/logistic-regression": "75c1fc2e",
    "real/knn": "e74052b2",
    "real/random-forest": "ab43bb2f",
    "ppc": "491cdb36",
    "ppc/posterior": "75a8da28",
    "ppc/ensemble": "3313a7b0",
    "ppc/dropout": "953cb25b",
    "ppc/mlp-ensemble": "4d97c464",
    "ppc/mlp-dropout": "23620c0a",
    "ppc/cnn-ensemble": "97e5a8e8",
    "ppc/cnn-dropout": "8cb616b0",
    "ppc/resnet20-ensemble": "9164c9ef",
    "ppc/resnet20-dropout": "4cf6bdd9",
    "mi": "ae4e4599",
    "mi/nwj": "f528237c",
    "mi/infonce": "f528237c",
    "mi/dv": "f528237c",
    "mi/mine": "f528237c",
    "mi/js": "f528237c",
    "mi/js-compat": "f528237c",
    "mi/smile-1": "f528237c",
    "mi/smile-5": "f528237c",
    "mi/smile-inf": "f528237c",
    "mi/tuba": "f528237c",
    "mi/interpolated": "af582adf",
    "mi/infonce-symmetric": "f528237c",
    "mi/infonce-anchor": "f528237c",
    "mi/kl-dime": "f528237c",
    "mi/gan-dime": "f528237c",
    "mi/hd-dime": "f528237c",
    "mi/demi": "f528237c",
    "mi/ksg": "4b25c2d4",
    "mi/cca": "2da47aa4",
}


def digest(version, config):
    text = canonical([version, as_json(config)])
    return blake2b(text.encode(), digest_size=4).hexdigest()


def test_defaults_are_frozen():
    found = {}
    for name, scenario in SCENARIOS.items():
        found[name] = digest(scenario.version, default_settings(name))
        for subject, entry in scenario.subjects.items():
            found[f"{name}/{subject}"] = digest(entry.version, entry.config)
    assert found == DEFAULTS


@pytest.mark.parametrize(
    ("sweep", "subject", "overrides", "cell_id"),
    [
        ("testbed", "mlp", (), "1620c52eb43169f18568c9d21207f37f"),
        (
            "testbed",
            "ensemble+",
            ("ensemble+.num_ensemble=30", "ensemble+.prior_scale=1"),
            "063348755dcffc6bcb5ac61da6f02670",
        ),
        ("testbed-2d", "uniform", (), "58a8efba7404a4c31fced69cc9004102"),
        ("real", "mlp", (), "277e91a505c79a677ee784bc45488a25"),
        ("real-regimes", "ensemble+", (), "5f824fd4aa1edbb242066ffbe0bd8bcb"),
        ("real-regimes-tuning", "mlp", (), "5edf7b843e8ea79f01709a81d26e565b"),
        ("ppc-quadratic", "ensemble", (), "69966c7d8a21ac18ba75c3bbc786fbf7"),
        ("ppc-corruptions", "cnn-ensemble", (), "2926cef7836a80eb1f5559a326ccad29"),
        ("ppc-analytic", "posterior", (), "33a847b9335e591163376312871f42af"),
        ("mi-gaussian", "smile-5", (), "e3448c413da7bd8498405767ad57c767"),
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
