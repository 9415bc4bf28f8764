"""Which subjects mean something on a sweep, and which run when nobody names any."""

from __future__ import annotations

from augury.engine.catalog.entry import Extra
from augury.engine.catalog.scenarios import SCENARIOS
from augury.engine.catalog.sweeps import SWEEPS


def fitting(sweep: str) -> tuple[str, ...]:
    """The subjects that mean something on a sweep; those of a study only where it names them."""
    table = SCENARIOS[SWEEPS[sweep].scenario].subjects
    return SWEEPS[sweep].subjects or tuple(n for n, e in table.items() if "study" not in e.tags)


def usual(sweep: str) -> tuple[str, ...]:
    """The subjects that run on a sweep when none is named.

    A reference's quirks are among them only where the sweep names them; none needs a package that
    this environment lacks.
    """
    lacking = missing(sweep)
    return tuple(name for name in _wanted(sweep) if name not in lacking)


def missing(sweep: str) -> dict[str, Extra]:
    """Those that would run, and the package that each one lacks in this environment."""
    table = SCENARIOS[SWEEPS[sweep].scenario].subjects
    needs = {name: table[name].needs for name in _wanted(sweep)}
    return {name: extra for name, extra in needs.items() if extra is not None and extra.missing}


def _wanted(sweep: str) -> tuple[str, ...]:
    table = SCENARIOS[SWEEPS[sweep].scenario].subjects
    plain = (name for name in fitting(sweep) if "compat" not in table[name].tags)
    return SWEEPS[sweep].usual or tuple(plain)
