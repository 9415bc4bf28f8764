"""Every wrong input: one line on stderr, exit code 2, nothing on stdout, no traceback."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from augury.engine.cli.main import COMMANDS, main
from augury.engine.paths import store_directory

WRONG = {
    "lederboard": "Did you mean 'leaderboard'?",
    "--foo": "--foo",
    "run": "name a sweep, a scenario or 'quick'",
    "run qick": "Did you mean 'quick'?",
    "run quick --sedds 3": "--seeds",
    "run quick --seeds x": "0-4",
    "run quick --seeds 4-1": "ends before it starts",
    "run quick --seeds 0-99999999": "10,000",
    "run quick --seeds 2147483648": "2^31",
    "run quick --seeds": "requires an argument",
    "run quick --scale big": "smoke",
    "run quick --agent ensembel": "Did you mean 'ensemble'?",
    "run quick --agent nowhere.py:make": "No such file",
    "run quick --agent README.md:make": "unknown agent",
    "run mi --agent mlp": "no subject of mi",
    "run quick --set foo": "SUBJECT.FIELD=VALUE",
    "run quick --set ensembel.num_ensemble=3": "Did you mean 'ensemble'?",
    "run quick --set ensemble.num_ens=3": "Did you mean 'num_ensemble'?",
    "run quick --set ensemble.num_ensemble=-3": "at least 1",
    "run quick --set ensemble.num_ensemble=many": "takes int",
    "run quick --set mlp.learning_rate=NaN": "finite",
    "run quick --set uniform.x=1": "unknown field of uniform 'x': it has none",
    "run testbed --agent sgmcmc --set sgmcmc.momentum_decay=1": "at least 0 and below 1, got 1.0",
    "run testbed --tau 1 --set testbed.tau=[10]": "--tau and --set testbed.tau=[10] say the same",
    "run real --kappa 3 --set 'real.kappa = [2]'": "--kappa and --set real.kappa",
    "run quick --problem nowhere.npz": "No such file",
    "leaderboard": "WHAT",
    "leaderboard tesbed-2d": "Did you mean 'testbed-2d'?",
    "leaderboard quick": "several boards: give one of testbed-quick, real-quick",
    "leaderboard coins --sweep logistic": "coins is a sweep, and --sweep logistic another",
    "leaderboard coins --by kappa,agent --plot": "give --by kappa",
    "compare coins --sweep testbed": "coins is a sweep, and --sweep testbed another",
    "cells --scenario coins": "coins is a sweep: give --sweep coins",
    "--store /nowhere/at/all": "no store at /nowhere/at/all yet; `augury run quick --store",
    "leaderboard tesbed": "Did you mean 'testbed'?",
    "leaderboard testbed --format xls": "csv",
    "leaderboard testbed --settings []": "a JSON object",
    "leaderboard testbed --settings 3": "a JSON object",
    "leaderboard testbed --sort=--accuracy": "-COLUMN",
    "leaderboard testbed --config bset": "best",
    "leaderboard testbed --tau few": "whole numbers",
    "leaderboard mi --kappa 2": "no joint predictions",
    "leaderboard testbed --plot": "give --by kappa",
    "run real-quick --config all": "no tuning environments",
    "run quick --config best": "no tuning environments",
    "tuning real-quick": "no tuning environments",
    "tuning testbed --settings 3": "a JSON object",
    "compare tesbed": "Did you mean 'testbed'?",
    "compare testbed --tau 0": "--tau",
    "compare testbed --kappa few": "whole numbers",
    "compare testbed --agent mlp": "at least two agents",
    "claims --config all": "best",
    "claims ppc": "ppc",
    "claims mi --config best": "leave out --config",
    "transfer --config all": "best",
    "plot transfer": "nothing of testbed is evaluated here yet: augury run testbed",
    "plot transfer -o none.svg": "nothing of real is evaluated here yet: augury run real",
    "problem clasification/3": "Did you mean 'classification'?",
    "problem testbed/d0-l1-t0.1/e0": "no known form",
    "problem classification/360": "classification/359",
    "cells --sort=--seed": "-COLUMN",
    "cells --limit 99999999999999999999": "--limit",
    "cells --limit 0": "--limit",
    "cells --scenario tesbed": "Did you mean 'testbed'?",
    "list nothing": "agents",
    "retry": "--failed",
    "retry --failed ''": "RUN is empty",
    "resume ''": "RUN is empty",
    "run ''": "WHAT is empty",
    "run quick --agent ''": "--agent or --estimator is empty",
    "run quick --estimator ''": "--agent or --estimator is empty",
    "run quick --agent mlp,,bbb": "--agent 'mlp,,bbb' has an empty item",
    "run quick --agent mlp, --dry-run": "--agent 'mlp,' has an empty item",
    "run quick --agent ' '": "--agent ' ' has an empty item",
    "run quick --seeds ''": "--seeds is empty",
    "run quick --seeds 0,,2": "0-4",
    "run testbed --tau 1,,10": "--tau '1,,10' has an empty item",
    "run testbed --kappa 0": "--kappa 0 is written --kappa iid",
    "run quick --store ''": "--store is empty",
    "--store '' status": "--store is empty",
    "tuning --agent ''": "--agent is empty",
    "compare testbed --agent mlp,,bbb": "has an empty item",
    "compare testbed --kappa 0": "--kappa 0 is written --kappa iid",
    "compare testbed --kappa 2,3": "one value",
    "leaderboard testbed --kappa iid,0": "--kappa 0 is written --kappa iid",
    "leaderboard testbed --sort ''": "--sort is empty",
    "leaderboard testbed --sort kl_t1,": "has an empty item",
    "leaderboard testbed --columns agent,,kl_t1": "has an empty item",
    "leaderboard testbed --run ''": "--run is empty",
    "cells --sweep ''": "--sweep is empty",
    "cells -o ''": "-o or --output is empty",
    "logs -n -3": "-n",
    "cancel": "--all",
    "cancel r1 --all": "--all",
    "priority r1": "N",
    "priority r1 high": "integer",
    "engine start": "restart",
    "completion csh": "bash",
    "goldens nothing": "testbed",
    "sql": "STATEMENT",
    "where nothing": "store",
}


@pytest.fixture(autouse=True)
def _store() -> None:
    """A store that is there, and empty."""
    store_directory().mkdir()


def call(words: str) -> Result:
    return CliRunner().invoke(main, shlex.split(words), prog_name="augury")


@pytest.mark.parametrize("words", WRONG)
def test_one_line_and_exit_code_2(words: str) -> None:
    result = call(words)
    assert result.exit_code == 2, result.stderr
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith("augury: ")
    assert WRONG[words] in result.stderr


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_every_command_has_help_that_fits_80_columns(name: str, flag: str) -> None:
    result = call(f"{name} {flag}")
    assert result.exit_code == 0
    assert result.stdout.startswith(f"Usage: augury {name}")
    lines = result.stdout.splitlines()
    examples = lines.index("Examples:") if "Examples:" in lines else len(lines)
    assert max(map(len, lines[:examples])) <= 80
    assert max(map(len, lines[examples:]), default=0) <= 100


@pytest.mark.parametrize("name", COMMANDS)
def test_the_summary_of_the_table_names_a_command_that_exists(name: str) -> None:
    assert main.get_command(None, name) is not None  # type: ignore[arg-type]


def test_help_lists_every_command() -> None:
    shown = call("--help").stdout
    assert all(f"\n  {name} " in shown for name in COMMANDS)


def test_version() -> None:
    result = call("--version")
    assert result.exit_code == 0
    assert result.stdout.startswith("augury ")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script_for_augury(shell: str) -> None:
    result = call(f"completion {shell}")
    assert result.exit_code == 0
    assert f"_AUGURY_COMPLETE={shell}_complete" in result.stdout


@pytest.mark.parametrize(
    ("typed", "answers"),
    [
        ("lea", ["leaderboard"]),
        ("run qui", ["quick"]),
        ("run quick --agent mlp,ens", ["mlp,ensemble", "mlp,ensemble+"]),
        ("run quick --scale s", ["smoke"]),
        (
            "leaderboard rea",
            [
                "real",
                "real-regimes",
                "real-regimes-more",
                "real-tuning",
                "real-regimes-tuning",
                "real-regimes-more-tuning",
                "real-quick",
            ],
        ),
        ("compare coi", ["coins"]),
    ],
)
def test_completion(monkeypatch: pytest.MonkeyPatch, typed: str, answers: list[str]) -> None:
    monkeypatch.setenv("_AUGURY_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", f"augury {typed}")
    monkeypatch.setenv("COMP_CWORD", str(len(typed.split())))
    shown = CliRunner().invoke(main, [], prog_name="augury").stdout.split()
    assert shown == [f"plain,{answer}" for answer in answers]


def test_a_store_that_is_a_file_is_one_line(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("text")
    result = call(f"where --store {file}")
    assert result.exit_code == 1
    assert result.stderr == f"augury: {file} is no directory: give --store a directory.\n"


def test_store_may_stand_before_the_command(tmp_path: Path) -> None:
    assert call(f"--store {tmp_path}/a where store").stdout == f"{tmp_path}/a\n"
    assert (
        call(f"--store {tmp_path}/a where store --store {tmp_path}/b").stdout == f"{tmp_path}/b\n"
    )


@pytest.mark.parametrize("what", ["agent.py", ".", "sub"])
def test_a_file_without_its_function_names_the_form(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "agent.py").write_text("def make_agent(): ...\n")
    (tmp_path / "sub").mkdir()
    result = call(f"run quick --agent {what}")
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert "FILE.py:make_agent" in result.stderr
