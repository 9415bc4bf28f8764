"""Matrix products of a compiled program, counted from what was traced, and this machine's rates.

The floor of a program is the time its matrix products would take at the rate measured here for
products of the same shapes, one after another and in cache. Everything else a program does
(activations, optimiser, random numbers, copies) is above the floor.
"""

from __future__ import annotations

import functools
import math
import time
from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp


class Product(NamedTuple):
    """`batch` products [m, k] @ [k, n]."""

    batch: int
    m: int
    k: int
    n: int

    @property
    def flops(self) -> float:
        """Multiplications and additions."""
        return 2.0 * self.batch * self.m * self.k * self.n


def products(function: Callable[..., Any], arguments: Any, trips: int = 1) -> Counter[Product]:
    """How often each product occurs in one call; loops of unknown length run `trips` times."""
    shapes = jax.tree.map(lambda leaf: jax.ShapeDtypeStruct(leaf.shape, leaf.dtype), arguments)
    return _count(jax.make_jaxpr(function)(*shapes).jaxpr, trips)


def floor(found: Counter[Product]) -> float:
    """Seconds of CPU at the measured rates."""
    return sum(times * product.flops / rate(product) for product, times in found.items())


@functools.cache
def rate(product: Product) -> float:
    """This machine's FLOP/s of CPU time for one product, operands in cache where they fit.

    Products are repeated within one program, as programs do: a call of its own costs as much as
    thousands of multiplications.
    """
    batch, m, k, n = product
    left, right = jnp.ones((batch, m, k)), jnp.ones((batch, k, n))
    repeats = max(1, min(2_000, int(2e8 / product.flops)))

    @jax.jit
    def run(left: Any, right: Any) -> Any:
        def again(_: Any, carried: tuple[Any, Any]) -> tuple[Any, Any]:
            # A number of each product goes into the next: equal ones would be computed once.
            left, found = carried
            left = left.at[0, 0, 0].set(jnp.minimum(found[0, 0, 0], 1.0))
            return left, jnp.matmul(left, right)

        return jax.lax.fori_loop(0, repeats, again, (left, jnp.zeros((batch, m, n))))

    nothing = jax.jit(lambda a: a + 1.0)
    spent = _best(lambda: run(left, right), 1) - _best(lambda: nothing(1.0), 1)
    return repeats * product.flops / max(spent, 1e-9)


def _best(call: Callable[[], Any], repeats: int, tries: int = 7) -> float:
    jax.block_until_ready(call())
    best = math.inf
    for _ in range(tries):
        started = time.process_time()
        for _ in range(repeats):
            jax.block_until_ready(call())
        best = min(best, (time.process_time() - started) / repeats)
    return best


def _count(jaxpr: Any, trips: int) -> Counter[Product]:
    found: Counter[Product] = Counter()
    for equation in jaxpr.eqns:
        if equation.primitive.name == "dot_general":
            found[_product(equation)] += 1
            continue
        times = {"scan": equation.params.get("length", 1), "while": trips}
        for inner in _inside(equation.params):
            for product, number in _count(inner, trips).items():
                found[product] += number * times.get(equation.primitive.name, 1)
    return found


def _inside(parameters: dict[str, Any]) -> list[Any]:
    """The programs within an equation; of a custom slope's two, the value alone is there."""
    found = []
    for value in parameters.values():
        for part in value if isinstance(value, (tuple, list)) else (value,):
            part = getattr(part, "jaxpr", part)
            if hasattr(part, "eqns"):
                found.append(part)
    return found


def _product(equation: Any) -> Product:
    left, right = (variable.aval.shape for variable in equation.invars)
    (left_k, right_k), (left_b, right_b) = equation.params["dimension_numbers"]
    size = lambda shape, axes: math.prod(shape[axis] for axis in axes)  # noqa: E731
    rest = lambda shape, *used: math.prod(  # noqa: E731
        length for axis, length in enumerate(shape) if axis not in {a for u in used for a in u}
    )
    return Product(
        size(left, left_b), rest(left, left_k, left_b), size(left, left_k),
        rest(right, right_k, right_b),
    )  # fmt: skip
