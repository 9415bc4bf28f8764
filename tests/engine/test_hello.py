from __future__ import annotations

import os

from augury.engine import hello


def test_the_source_hash_is_of_the_engine_as_it_is() -> None:
    assert hello.source_hash() == hello.source_hash()
    assert len(hello.source_hash()) == 16


def test_it_says_who_speaks() -> None:
    told = hello.hello()
    assert told["protocol"] == hello.PROTOCOL and told["pid"] == os.getpid()
    assert told["version"] == hello.code_version()
