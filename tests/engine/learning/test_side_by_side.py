"""Rows of several cells in one array that is used again."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest

from augury.engine.learning.side_by_side import give_back, side_by_side

CAPACITY = 300  # no multiple of the rows copied at a time


def _cell(fill: float, count: int, capacity: int = CAPACITY) -> Any:
    x = np.zeros((capacity, 3), np.float32)
    x[:count] = fill + np.arange(3 * count).reshape(count, 3)
    y = np.zeros(capacity, np.int32)
    y[:count] = np.arange(count) % 7
    return jnp.asarray(x), jnp.asarray(y), jnp.int32(count)


@pytest.mark.parametrize("counts", [(1, 300), (256, 257), (17, 255, 299)])
def test_each_cell_has_its_rows_and_the_last_fills_the_width(counts: tuple[int, ...]) -> None:
    cells = [_cell(1000.0 * n, count) for n, count in enumerate(counts)]
    x, y = side_by_side(cells, 4)
    assert x.shape == (4, CAPACITY, 3) and y.shape == (4, CAPACITY)
    for place in range(4):
        own_x, own_y, count = cells[min(place, len(cells) - 1)]
        np.testing.assert_array_equal(x[place, :count], own_x[:count])
        np.testing.assert_array_equal(y[place, :count], own_y[:count])


def test_memory_that_was_given_back_serves_the_next_cells_of_the_same_shapes() -> None:
    first = side_by_side([_cell(0.0, 100)], 2)
    where = first[0].unsafe_buffer_pointer()
    give_back(first)
    second = side_by_side([_cell(5.0, 50)], 2)
    assert second[0].unsafe_buffer_pointer() == where
    assert first[0].is_deleted()
    np.testing.assert_array_equal(second[0][1, :50], _cell(5.0, 50)[0][:50])


def test_what_was_not_given_back_is_left_alone() -> None:
    first = side_by_side([_cell(0.0, 100)], 2)
    before = np.asarray(first[0])
    side_by_side([_cell(5.0, 300)], 2)
    np.testing.assert_array_equal(first[0], before)


def test_other_shapes_get_memory_of_their_own() -> None:
    give_back(side_by_side([_cell(0.0, 100)], 2))
    x, _ = side_by_side([_cell(1.0, 9, capacity=10)], 3)
    assert x.shape == (3, 10, 3)
    np.testing.assert_array_equal(x[2, :9], _cell(1.0, 9, capacity=10)[0][:9])
