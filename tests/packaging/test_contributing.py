"""The agent that CONTRIBUTING.md shows is a whole agent."""

import re
from pathlib import Path

import augury

TEXT = (Path(__file__).resolve().parents[2] / "CONTRIBUTING.md").read_text()


def test_the_example_learns(key):
    (code,) = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    names = {}
    exec(compile(code, "neighbours.py", "exec"), names)
    problem = augury.problem("testbed/d2-l10-t0.1/e0", scale="smoke")

    def joint_kl(agent: augury.Agent) -> float:
        rows = problem.score(agent(problem.train, problem.prior, key), key)
        values = {(row.metric, row.tau, row.kappa): row.value for row in rows}
        return values["kl", 10, 2] or float("nan")

    assert joint_kl(names["make_agent"]()) < 0.7 * joint_kl(augury.agent("uniform"))


def test_it_is_short():
    assert len(TEXT.splitlines()) <= 80
