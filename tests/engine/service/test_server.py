from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from augury.engine.errors import AuguryError, EngineError, UsageError
from augury.engine.plan import Selection
from augury.engine.service import address, client, lock
from augury.engine.service.client import Client, ensure
from augury.engine.service.protocol import LINE_LIMIT
from tests.engines import until

Calls = Callable[..., Any]


def _say(store: Path, data: bytes, half_close: bool = False) -> list[dict[str, Any]]:
    """Everything the engine answers until it hangs up or falls silent."""
    with address.connect(store, 5.0) as sock:
        sock.settimeout(1.0 if not half_close else 10.0)
        try:
            sock.sendall(data)
        except OSError:
            return []
        if half_close:
            sock.shutdown(socket.SHUT_WR)
        said = b""
        try:
            while block := sock.recv(1 << 16):
                said += block
        except OSError:
            pass
    return [json.loads(line) for line in said.splitlines()]


@pytest.mark.parametrize(
    "line",
    [
        b"\n",
        b"not json\n",
        b"[1, 2]\n",
        b'{"method": 3}\n',
        b'{"method": "status", "params": [1]}\n',
        b'{"method": "no such thing"}\n',
        b'{"method": "submit", "params": {}}\n',
        b'{"method": "submit", "params": {"selection": {"what": 3}}}\n',
        b'{"method": "submit", "params": {"selection": {"odd": ["x"]}}}\n',
        b'{"method": "cancel", "params": {"run": {"a": 1}}}\n',
        b'{"method": "query", "params": {"name": "sql", "params": {"sql": "drop table runs"}}}\n',
        b'{"method": "query", "params": {"name": "cells", "params": 3}}\n',
        b'{"method": "export", "params": {"name": "cells", "format": "exe"}}\n',
        b'{"method": "query", "params": 5}\n',
        b'{"method": "query", "params": {"name": "runs", "params": [1]}}\n',
        b'{"method": "query", "params": {"name": "row", "params": {"limit": {"a": []}}}}\n',
        b'{"method": "export", "params": {"name": "cells", "params": "x"}}\n',
        b'{"id": NaN, "method": "ping"}\n',
        b'{"id": 1e999, "method": "ping"}\n',
        b'{"id": [-Infinity], "method": "ping"}\n',
        b'{"method": "status"',
        b"\xff\xfe\x00\n",
        b"[" * 200_000 + b"\n",
    ],
)
def test_malformed_requests_get_an_error_and_harm_nothing(store: Path, line: bytes) -> None:
    answers = _say(store, line, half_close=True)
    assert "hello" in answers[0]
    assert len(answers) == 1 + (line.strip() != b"" and line.endswith(b"\n"))
    assert all("error" in answer for answer in answers[1:])
    assert all("\n" not in answer["error"]["message"] for answer in answers[1:])
    with client.connect(store) as peer:
        assert peer.call("ping")
    assert "Traceback" not in (store / "engine.log").read_text()


def test_an_engine_that_is_asked_is_not_idle(
    store: Path, engine: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine.call("drain")
    until(lambda: not lock.held(store))
    monkeypatch.setenv("AUGURY_IDLE_SECONDS", "0.2")
    slow = "SELECT count(*) FROM range(4000) a, range(4000) b, range(60) c WHERE a.range <> c.range"
    with ensure(store) as peer:
        assert peer.call("query", name="sql", params={"sql": slow})["rows"] == [[959_760_000]]


@pytest.fixture(autouse=True)
def _engine(engine: Client) -> None:
    return None


def test_a_request_without_end_is_cut_off(store: Path) -> None:
    answers = _say(store, b"x" * (LINE_LIMIT + (1 << 20)))
    assert len(answers) <= 2
    with client.connect(store) as peer:
        assert peer.call("ping")


def test_a_half_closed_peer_gets_its_answer(store: Path) -> None:
    answers = _say(store, b'{"id": 7, "method": "ping"}\n', half_close=True)
    assert answers[1]["id"] == 7 and answers[1]["result"]


def test_requests_on_one_connection_are_answered_in_order(store: Path) -> None:
    data = b"".join(b'{"id": %d, "method": "ping"}\n' % n for n in range(50))
    assert [a["id"] for a in _say(store, data, half_close=True)[1:]] == list(range(50))


def test_a_hundred_clients_at_once(store: Path, engine: Client, submit: Calls) -> None:
    clients = [client.connect(store) for _ in range(100)]
    streams = [peer.subscribe() for peer in clients[:50]]
    run_id = submit(engine, *range(4))["run_id"]
    ends: list[str] = []

    def follow(events: client.Subscription) -> None:
        for event in events:
            if event["event"] == "run" and event["run"]["state"] == "finished":
                ends.append(event["run"]["run_id"])
                return

    threads = [threading.Thread(target=follow, args=(events,)) for events in streams]
    for thread in threads:
        thread.start()
    for peer in clients:
        assert peer.call("status")["engine"]["pid"] == engine.hello["pid"]
    for thread in threads:
        thread.join(60)
    assert ends == [run_id] * 50
    for each in (*clients, *streams):
        each.close()


def test_a_subscriber_that_never_reads_does_not_stall_the_run(
    store: Path, engine: Client, submit: Calls, finished: Calls
) -> None:
    with engine.subscribe():
        run_id = submit(engine, *range(200))["run_id"]
        finished(engine, run_id)


def test_events_tell_the_whole_run_and_results_come_after_the_commit(
    engine: Client, submit: Calls
) -> None:
    with engine.subscribe() as events:
        run_id = submit(engine, *range(20))["run_id"]
        done: list[str] = []
        kinds = set()
        for event in events:
            kinds.add(event["event"])
            assert event["time"].endswith("+00:00")
            if event["event"] == "cells":
                assert event["run_ids"] == [run_id]
                done += event["done"]
                sql = "SELECT count(*) FROM cells WHERE status = 'done'"
                stored = engine.call("query", name="sql", params={"sql": sql})["rows"][0][0]
                assert stored >= len(done)
            elif event["event"] == "progress":
                assert run_id in event["runs"] and event["label"] == "uniform"
                assert event["phase"] == "train" and event["problem"].startswith("testbed/")
            elif event["event"] == "run" and event["run"]["state"] == "finished":
                break
    assert len(done) == len(set(done)) == 40
    assert {"run", "progress", "cells", "worker", "batch"} <= kinds


def test_who_comes_late_hears_of_every_cell_at_work(
    engine: Client, submit: Calls, run_of: Calls, until: Calls
) -> None:
    waits = 1003  # of the toy scenario: goes on until it is cancelled
    run_id = submit(engine, waits)["run_id"]
    until(lambda: run_of(engine, run_id)["running"] == 2, "both cells at work")
    begun: dict[str, list[str]] = {}
    with engine.subscribe() as events:
        for event in events:
            if event["event"] == "batch" and event["state"] == "begun":
                assert event["runs"] == [run_id]
                begun[event["batch"]] = event["cells"]
            elif event["event"] == "progress":
                assert set(event["cells"]) <= set(begun[event["batch"]])
                break
        assert len({c for cells in begun.values() for c in cells}) == 2
        engine.call("cancel", run=run_id)
        for event in events:
            if event["event"] == "batch" and event["state"] == "ended":
                del begun[event["batch"]]
            if not begun:
                break


def test_errors_keep_their_kind(engine: Client) -> None:
    with pytest.raises(UsageError, match="unknown method"):
        engine.call("divine")
    with pytest.raises(UsageError, match="sweep or scenario 'nowhere'"):
        engine.call("preview", selection={"what": ["nowhere"]})
    with pytest.raises(UsageError, match="no run starts with"):
        engine.call("cancel", run="zzz")


def test_a_finished_run_cannot_be_cancelled(engine: Client, submit: Calls, finished: Calls) -> None:
    run_id = submit(engine, 0)["run_id"]
    finished(engine, run_id)
    with pytest.raises(EngineError, match="finished already"):
        engine.call("cancel", run=run_id)


def test_other_sources_may_read_but_not_submit(
    store: Path, engine: Client, submit: Calls, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "source_hash", lambda: "another")
    with ensure(store) as peer:
        assert not peer.compatible
        assert peer.call("status")["engine"]["pid"] == engine.hello["pid"]
        with pytest.raises(EngineError, match="augury engine restart"):
            submit(peer, 0)


def test_a_run_whose_data_are_not_here_is_refused(engine: Client) -> None:
    chosen = Selection(("real",), ("uniform",), (0,), "full", filter="dataset=iris,mnist")
    request = {"selection": chosen.to_json(), "command": "augury run real"}
    with pytest.raises(AuguryError, match=r"`augury data fetch mnist`.*--filter dataset=iris"):
        engine.call("submit", **request)
    assert engine.call("preview", selection=chosen.to_json())["new"] == 2
    assert engine.call("status")["runs"] == []
