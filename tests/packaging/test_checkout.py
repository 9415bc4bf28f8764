"""What a fresh clone holds."""

import os
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
SOURCES = sorted(
    path
    for folder in ("engine", "tui", "tests", "leaderboards", "assets", ".dev/augury", ".ci")
    for path in (ROOT / folder).rglob("*")
    if path.is_file() and path.suffix in {".py", ".sql", ".toml", ".tcss", ".sh", ".md", ""}
    if "__pycache__" not in path.parts
    if not any(part.is_symlink() for part in path.parents if part != ROOT)
)


@pytest.mark.parametrize("name", ["engine", "tui", "assets", "leaderboards"])
def test_link_resolves(name):
    link = ROOT / ".dev" / "augury" / name
    assert link.is_symlink()
    assert link.resolve() == ROOT / name
    assert (ROOT / name).is_dir()


@pytest.mark.parametrize("name", ["augury", "test", ".ci/run"])
def test_launcher_is_executable(name):
    assert os.access(ROOT / name, os.X_OK)


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE"])
def test_document_is_there(name):
    assert len((ROOT / name).read_text()) > 200


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-cuda.lock"])
def test_lock_names_no_host_and_hashes_everything(name):
    text = (ROOT / name).read_text()
    assert "://" not in text
    pins = re.split(r"\n(?=\S)", text)
    pinned = [pin for pin in pins if not pin.startswith("#") and pin.strip()]
    assert all("==" in pin and "--hash=sha256:" in pin for pin in pinned)


def test_lock_covers_what_the_project_needs():
    wanted = [*PROJECT["project"]["dependencies"], *PROJECT["dependency-groups"]["dev"]]
    names = {re.split(r"[\[<>=]", line)[0].lower() for line in wanted}
    assert names <= pins("requirements.lock")
    assert pins("requirements.lock") | {"jax-cuda13-plugin"} <= pins("requirements-cuda.lock")


def pins(lock):
    return set(re.findall(r"^([a-z0-9.-]+)==", (ROOT / lock).read_text(), re.MULTILINE))


def test_sources_were_found():
    assert len(SOURCES) > 50


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_file_is_one_thing(path):
    assert len(path.read_text().splitlines()) <= 400


# Built from parts, so that this file does not hold what it looks for.
UNFINISHED = re.compile("|".join(["TO" + "DO", "FIX" + "ME", "NotImplemented" + "Error"]))
ELSEWHERE = re.compile("|".join(["/wo" + "rk/", "/ro" + "ot/", "/tm" + "p/wt"]))
WORDS = [re.compile(rf"\b{word}s?\b", re.IGNORECASE) for word in ("jo" + "b", "tri" + "al")]
ASYNCIO = re.compile(r"\btas" + r"ks?\b", re.IGNORECASE)  # that library's own word


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_words_belong(path):
    text = path.read_text()
    for pattern in (UNFINISHED, ELSEWHERE, *WORDS):
        assert not pattern.findall(text)
    assert "import asyncio" in text or not ASYNCIO.findall(text)


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "pyproject.toml"])
def test_words_of_documents_belong(name):
    test_words_belong(ROOT / name)


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_links_of_documents_lead_somewhere(name):
    targets = re.findall(r"\]\((?!https?:)([^)#]+)\)", (ROOT / name).read_text())
    assert all((ROOT / target).is_file() for target in targets)
