"""A newcomer's agent in plain NumPy, in a file of its own, through the whole of run_batch."""

import sys
from pathlib import Path

import pytest

from augury.engine.agents.outside import make_agent
from augury.engine.catalog.outside import resolve
from augury.engine.errors import ChangedError, UsageError
from augury.engine.plan import Selection, expand
from augury.engine.scenarios.testbed import run_batch
from augury.engine.types import BatchContext, CellFinished

FREQUENCIES = """
import numpy as np

def make_agent():
    def agent(data, prior, key):
        counts = np.bincount(np.asarray(data.y).ravel(), minlength=prior.num_classes) + 1.0
        logits = np.log(counts / counts.sum())
        return lambda x, key: np.broadcast_to(logits, (np.asarray(x).shape[0], len(logits)))
    return agent
"""


def test_a_file_of_numpy_is_ranked_like_any_agent(tmp_path: Path) -> None:
    file = tmp_path / "frequencies.py"
    file.write_text(FREQUENCIES)
    found = resolve(f"{file}:make_agent")
    assert found is not None
    selection = Selection(("testbed-quick",), (found[0],), (0,), scale="smoke", outside=(found,))
    cell = expand(selection)[0].cell
    events: list[object] = []
    run_batch([cell], events.append, BatchContext())
    finished = [e for e in events if isinstance(e, CellFinished)]
    assert [f.cell_id for f in finished] == [cell.cell_id]
    kl = {(r.tau, r.kappa): r.value for r in finished[0].rows if r.metric == "kl"}
    assert set(kl) == {(1, 0), (10, 0), (10, 2)}
    assert all(value is not None and value > 0 for value in kl.values())


def test_a_file_that_changed_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "frequencies.py"
    file.write_text(FREQUENCIES)
    with pytest.raises(ChangedError, match="changed since"):
        make_agent(f"{file}:make_agent", "0" * 64)


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("globals().clear()", "has no 'make_agent'"),  # too odd to be told by reading
        ("make_agent = lambda: None", "returned NoneType, not a function agent"),
    ],
)
def test_a_factory_that_gives_no_agent_is_named(code: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "empty.py"
    file.write_text(code)
    found = resolve(f"{file}:make_agent")
    assert found is not None
    with pytest.raises(UsageError, match=message):
        make_agent(found[2], found[1])


@pytest.mark.parametrize("shape", ["(len(x), 7)", "(len(x), 1)", "(len(x),)", "(2, len(x))"])
@pytest.mark.parametrize("module", ["numpy", "jax.numpy"])
def test_logits_of_a_wrong_shape_are_named(shape: str, module: str, tmp_path: Path) -> None:
    file = tmp_path / "wrong.py"
    file.write_text(
        f"import {module} as np\n"
        f"make_agent = lambda: lambda data, prior, key: lambda x, key: np.zeros({shape})\n"
    )
    found = resolve(f"{file}:make_agent")
    assert found is not None
    selection = Selection(("testbed-quick",), (found[0],), (0,), scale="smoke", outside=(found,))
    with pytest.raises(UsageError, match="shape .rows, classes."):
        run_batch([expand(selection)[0].cell], lambda event: None, BatchContext())


@pytest.mark.parametrize(
    ("end", "kind", "message"),
    [
        ("", UsageError, "imports .*beside_an_agent.py: .* go unseen"),
        ("\n1 / 0\n", ZeroDivisionError, "zero"),
    ],
)
def test_a_file_beside_it_is_refused_and_forgotten(
    end: str, kind: type[Exception], message: str, tmp_path: Path
) -> None:
    (tmp_path / "beside_an_agent.py").write_text("SCALE = 1.0")
    file = tmp_path / "scaled.py"
    file.write_text(
        f"import sys\nsys.path.insert(0, {str(tmp_path)!r})\n"
        "from beside_an_agent import SCALE\n" + FREQUENCIES + end
    )
    found = resolve(f"{file}:make_agent")
    assert found is not None
    path = list(sys.path)
    for _ in range(2):  # nor does a second try find what the first has left
        with pytest.raises(kind, match=message):
            make_agent(found[2], found[1])
        assert sys.path == path and "beside_an_agent" not in sys.modules
