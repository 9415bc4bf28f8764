"""The application in a browser: a token, then a cookie, nothing from outside."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tui.web.served import NEEDS, UPGRADE, Served

for needed in ("aiohttp", "textual_serve"):
    pytest.importorskip(needed, reason=NEEDS)
FOREIGN = re.compile(r"""url\((?!["']?/[^/]|["']?data:)""")
OUTSIDE = re.compile(r"(?:https?:)?//[\w.-]+\.\w")


def test_without_the_token_nothing_is_seen(served: Served) -> None:
    wrong = f"augury-{served.port}=wrong"
    for path in ("/", "/?token=wrong", "/ws", "/static/js/textual.js", "/page/page.css"):
        for headers in ({}, {"Cookie": wrong}):
            assert served.ask(path, **headers).status == 403, path
    assert served.ask("/ws", **UPGRADE).status == 403
    assert served.ask("/ws", Cookie=wrong, **UPGRADE).status == 403


def test_other_names_and_other_pages_get_nothing(served: Served) -> None:
    cookie = served.cookie()
    wrong = served.ask("/", Cookie=cookie, Host="evil.example")
    assert wrong.status == 403 and b"Wrong Host" in wrong.body and b"evil" not in wrong.body
    page = served.ask("/", Cookie=cookie, Origin="http://evil.example")
    assert page.status == 403 and b"Wrong Origin" in page.body and b"token" not in page.body
    origin = {"Cookie": cookie, "Origin": "http://evil.example"}
    assert served.ask("/ws", **origin, **UPGRADE).status == 403


def test_the_page_loads_nothing_from_outside(served: Served) -> None:
    cookie = served.cookie()
    answer = served.ask("/", Cookie=cookie)
    page = answer.body.decode()
    assert answer.status == 200 and f"ws://127.0.0.1:{served.port}/ws" in page
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    linked = re.findall(r'(?:src|href)="(/[^"]+)"', page)
    assert len(linked) == 4 and not OUTSIDE.search(
        page.replace(f"ws://127.0.0.1:{served.port}", "")
    )
    for path in linked:
        found = served.ask(path, Cookie=cookie)
        text = found.body.decode() if path.endswith(".css") else ""
        assert found.status == 200, path
        if path.endswith(".css"):
            assert not FOREIGN.search(text), path
            for font in re.findall(r'url\("(/[^"]+)"\)', text):
                assert served.ask(font, Cookie=cookie).status == 200


def test_the_socket_carries_the_application(served: Served) -> None:
    answer = served.ask("/ws?width=80&height=24", Cookie=served.cookie(), **UPGRADE)
    assert answer.status == 101 and len(answer.body) == 2  # a first frame begins


def test_a_port_that_is_taken(served: Served, store: Path) -> None:
    command = [sys.executable, "-P", "-m", "augury", "--store", str(store), "serve"]
    said = subprocess.run(
        [*command, "--port", str(served.port)], capture_output=True, text=True, check=False
    )
    assert said.returncode == 1 and "Choose another --port" in said.stderr
    assert said.stderr.count("\n") == 1
