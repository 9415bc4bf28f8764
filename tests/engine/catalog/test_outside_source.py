"""What the client refuses of an agent's file without running it."""

import subprocess
import sys
from pathlib import Path

import pytest

from augury.engine.catalog.outside_source import check
from augury.engine.cli.main import main
from augury.engine.errors import UsageError


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (b"x = 1\ndef make_agent(:\n", r"f\.py, line 2: invalid syntax"),
        (b"x = 1\0", "f.py.*null bytes"),
        (b"# coding: nothing-known\n", "f.py.*encoding"),
        (b"x = " + b"(" * 500, "f.py"),
        (b"", "has no 'make_agent'; it has no function"),
        (b"def make_agents(): ...", "has no 'make_agent'; its functions: make_agents"),
        (b"class A:\n def make_agent(self): ...", "has no 'make_agent'"),
        (b"def f():\n make_agent = 1", "has no 'make_agent'"),
        (b"\n\ndef make_agent(data, prior, key): ...", "line 3: make_agent needs data, prior, key"),
        (b"def make_agent(a, b=1, *, c, d=2): ...", "needs a, c; name a function of no arguments"),
        (b"async def make_agent(): ...", "is async"),
    ],
)
def test_a_file_that_gives_no_agent_is_refused(code: bytes, message: str) -> None:
    with pytest.raises(UsageError, match=message) as caught:
        check("f.py", code, "make_agent")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "code",
    [
        "def make_agent(): ...",
        "def make_agent(a=1, *more, b=2, **others): ...",
        "make_agent = lambda: 0",
        "first, make_agent = 1, 2",
        "make_agent: int = 3",
        "class make_agent:\n def __init__(self): ...",
        "from mine import build as make_agent",
        "from mine import *",
        "try:\n from mine import make_agent\nexcept ImportError:\n def make_agent(n): ...",
        "if True:\n with open('x') as make_agent: pass",
        "import functools\n@functools.partial\ndef make_agent(n): ...",
        "def make_agent(n): ...\nmake_agent = partial(make_agent, 3)",
        "globals()['make_agent'] = 1",
        "def __getattr__(name): ...",
        "def f():\n global make_agent\n make_agent = 1\nf()",
        'text = "\\d"\ndef make_agent(): ...',
    ],
)
def test_what_may_give_one_is_left_to_the_worker(
    code: str, recwarn: pytest.WarningsRecorder
) -> None:
    check("f.py", code.encode(), "make_agent")
    assert not recwarn.list


def test_run_refuses_it_without_starting_anything(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, store = tmp_path / "f.py", tmp_path / "store"
    file.write_text("def make_agent(data, prior, key): ...\n")
    words = ["run", "testbed-2d", "--agent", f"{file}:make_agent", "--store", str(store)]
    with pytest.raises(SystemExit, match="2"):
        main(words)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1 and "needs data, prior, key" in lines[0]
    assert not store.exists()


def test_reading_imports_no_jax() -> None:
    code = (
        "import sys; from augury.engine.catalog.outside_source import check\n"
        "check('f.py', b'import jax\\ndef make_agent(): ...', 'make_agent')\n"
        "sys.exit('jax' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-P", "-c", code], check=False).returncode == 0
