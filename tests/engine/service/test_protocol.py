from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from augury.engine import errors
from augury.engine.service import protocol


def test_lines_round_trip() -> None:
    message = {"id": 1, "text": "σ\n", "list": [1, None, 0.1]}
    line = protocol.encode(message)
    assert line.endswith(b"\n") and line.count(b"\n") == 1
    assert protocol.decode(line) == message


def test_what_json_lacks_travels_as_text() -> None:
    moment = datetime(2026, 1, 2, 3, 4, 5, 678_000, UTC)
    line = protocol.encode({"at": moment, "path": Path("/a"), "set": {2, 1}})
    assert protocol.decode(line) == {
        "at": "2026-01-02T03:04:05.678+00:00",
        "path": "/a",
        "set": [1, 2],
    }
    with pytest.raises(ValueError, match="not JSON compliant"):
        protocol.encode({"nan": float("nan")})
    with pytest.raises(TypeError, match="no JSON form"):
        protocol.encode({"odd": object()})


@pytest.mark.parametrize("line", [b"", b"x", b"[1]", b"\xff", b"3"])
def test_other_lines_are_refused(line: bytes) -> None:
    with pytest.raises(errors.EngineError):
        protocol.decode(line)


@pytest.mark.parametrize(
    "error",
    [
        errors.UsageError("a"),
        errors.StoreLockedError("b"),
        errors.StoreError("c", "Title"),
        errors.EngineAbsentError("d"),
    ],
)
def test_errors_round_trip(error: errors.AuguryError) -> None:
    back = protocol.error_from_json(protocol.error_to_json(error))
    assert type(back) is type(error)
    assert (back.message, back.title, back.exit_code) == (
        error.message,
        error.title,
        error.exit_code,
    )


def test_unknown_errors_become_engine_errors() -> None:
    told = protocol.error_to_json(KeyError("x"))
    assert type(protocol.error_from_json(told)) is errors.EngineError
    assert "KeyError" in told["message"]
    assert type(protocol.error_from_json({"kind": "Odd"})) is errors.EngineError
