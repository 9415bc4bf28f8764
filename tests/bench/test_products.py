"""The bench's count of matrix products, against programs counted by hand."""

from __future__ import annotations

import jax
import jax.numpy as jnp

from tests.bench.products import Product, floor, products


def test_loops_batches_and_slopes_are_counted() -> None:
    """A loss with one product has two more in its slope; a scan repeats them; vmap batches."""

    def loss(w: jax.Array, x: jax.Array) -> jax.Array:
        return jnp.sum((w @ x) ** 2)

    def train(w: jax.Array, x: jax.Array) -> jax.Array:
        def step(w: jax.Array, _: None) -> tuple[jax.Array, None]:
            return w - 0.1 * jax.vmap(jax.grad(loss), (0, None))(w, x), None

        return jax.lax.scan(step, w, None, 7)[0]

    found = products(train, (jnp.ones((5, 4, 3)), jnp.ones((3, 2))))
    assert sum(found.values()) == 14  # forward, and the slope of w: x needs none
    assert sum(times * p.flops for p, times in found.items()) == 7 * 2 * (2 * 5 * 4 * 3 * 2)


def test_a_loop_of_unknown_length_runs_as_often_as_told() -> None:
    """The training loop's number of steps is traced."""

    def repeat(x: jax.Array, steps: jax.Array) -> jax.Array:
        return jax.lax.fori_loop(0, steps, lambda i, x: x @ x, x)

    found = products(repeat, (jnp.ones((3, 3)), jnp.int32(5)), trips=11)
    assert found == {Product(1, 3, 3, 3): 11}


def test_the_floor_is_a_time() -> None:
    """Twice the products, twice the floor."""
    found = products(jnp.matmul, (jnp.ones((64, 64)), jnp.ones((64, 64))))
    assert floor(found) > 0
    doubled = products(lambda a: (a @ a, a @ (a + 1)), (jnp.ones((64, 64)),))
    assert floor(doubled) == 2 * floor(found)
