"""What became of the cells of a run."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from augury.engine.cli.main import main
from augury.engine.service.reader import Reader


def check_nothing_is_lost(store: Path) -> None:
    """The only run of a store has finished: one outcome for each cell of its plan."""
    (run,) = Reader(store).status()["runs"]
    done, total = run["done"], run["total"]
    assert run["state"] == "finished" and 0 < done <= done + run["failed"] == total
    count = "select count(*), count(distinct cell_id) from"
    assert _asked(store, f"{count} run_cells") == [total, total]
    assert _asked(store, f"{count} attempts")[1] == total
    assert _asked(store, f"{count} attempts where outcome = 'done'") == [done, done]
    assert _asked(store, f"{count} results")[1] == done


def _asked(store: Path, words: str) -> list[int]:
    said = CliRunner().invoke(main, ["--store", str(store), "sql", words, "--format", "csv"])
    assert said.exit_code == 0, said.output
    return [int(word) for word in said.stdout.splitlines()[1].split(",")]
