"""Corruptions: bytes in and out, alike everywhere, worse with severity, and right by oracles."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from hashlib import blake2b

import numpy as np
import pytest
from scipy import ndimage

from augury.engine.catalog.corruptions import CORRUPTIONS, SEVERITIES
from augury.engine.corruptions import blur, colour, digital, resampling, weather
from augury.engine.corruptions.corrupt import corrupt
from augury.engine.corruptions.draws import Draws
from augury.engine.datasets.pixels import load_pixels
from augury.engine.errors import UsageError

# Frozen: bytes that change make every stored number of a corruption wrong, so they come with a new
# version of the scenario.
DIGEST = "21e5c1f772cd9e13"


def scenes(count: int = 6, side: int = 32, channels: int = 3) -> np.ndarray:
    """Gradients with a disk and grain: smooth parts, edges and texture."""
    rng = np.random.default_rng(0)
    row, column = np.mgrid[:side, :side]
    found = np.empty((count, side, side, channels))
    for image in found:
        waves = rng.uniform(3, 9, (2, channels))
        image[:] = (
            120 + 60 * np.sin(row[..., None] / waves[0]) + 40 * np.cos(column[..., None] / waves[1])
        )
        centre = rng.integers(8, side - 8, 2)
        disk = (row - centre[0]) ** 2 + (column - centre[1]) ** 2 < rng.integers(20, 80)
        image[disk] = rng.integers(0, 255, channels)
    found += np.asarray(ndimage.gaussian_filter(rng.normal(0, 60, found.shape), (0, 1, 1, 0)))
    return found.clip(0, 255).astype(np.uint8)


def psnr(clean: np.ndarray, other: np.ndarray) -> float:
    error = np.mean((clean.astype(float) - other) ** 2)
    return float(10 * np.log10(255.0**2 / max(error, 1e-9)))


COLOUR, GREY = scenes(), scenes(6, 28, 1)


def digest() -> str:
    found = blake2b(digest_size=8)
    for name in CORRUPTIONS:
        for severity in SEVERITIES:
            found.update(corrupt(COLOUR, name, severity, seed=1).tobytes())
            found.update(corrupt(GREY, name, severity).tobytes())
    return found.hexdigest()


def test_the_nineteen() -> None:
    assert len(CORRUPTIONS) == 19 and SEVERITIES == (1, 2, 3, 4, 5)
    assert all(len(card.parameters) == 5 for card in CORRUPTIONS.values())
    families = [card.family for card in CORRUPTIONS.values()]
    assert {f: families.count(f) for f in families} == {
        "noise": 4, "blur": 5, "weather": 5, "digital": 5,
    }  # fmt: skip


@pytest.mark.parametrize("name", CORRUPTIONS)
def test_bytes_whatever_the_company_and_order(name: str) -> None:
    for clean in (COLOUR, GREY):
        for severity in (1, 5):
            whole = corrupt(clean, name, severity)
            assert whole.dtype == np.uint8 and whole.shape == clean.shape
            turned = corrupt(clean[::-1], name, severity, range(5, -1, -1))[::-1]
            np.testing.assert_array_equal(whole, turned)
            alone = corrupt(clean[3:4], name, severity, [3])
            np.testing.assert_array_equal(whole[3:4], alone)
            assert not np.array_equal(whole, clean)


def test_bytes_are_those_of_another_process() -> None:
    code = "import runpy, sys; print(runpy.run_path(sys.argv[1])['digest']())"
    command = [sys.executable, "-P", "-c", code, __file__]
    there = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    assert there == digest() == DIGEST


def test_seeds_and_images_are_drawn_apart() -> None:
    same = np.repeat(COLOUR[:1], 2, 0)
    for name in ("gaussian_noise", "snow", "fog", "frost", "motion_blur", "elastic_transform"):
        first, second = corrupt(same, name, 3)
        assert not np.array_equal(first, second)
        assert not np.array_equal(first, corrupt(same, name, 3, seed=1)[0])


@pytest.mark.parametrize("name", CORRUPTIONS)
def test_severity_distorts(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Where the published parameters are ordered by squared error, more at every severity."""
    digits = load_pixels("cmaterdb").test_x[:48]
    for clean in (scenes(40), scenes(40, 28, 1), digits):
        found = [psnr(clean, corrupt(clean, name, severity)) for severity in SEVERITIES]
        with capsys.disabled():
            print(f"\n{name:18s} {clean.shape[1]}x{clean.shape[2]}x{clean.shape[3]} PSNR",
                  *(f"{value:6.2f}" for value in found), end="")  # fmt: skip
        if not CORRUPTIONS[name].disorder:
            assert all(a > b for a, b in zip(found, found[1:], strict=False))
        if name == "motion_blur":  # two of its severities are one blur
            assert found[0] > found[1] > found[2] == found[3] > found[4]
        assert found[-1] < 40.0


# Of those out of order: a function, and numbers of which one alone grows worse.
PARTS: list[tuple[str, Callable[..., np.ndarray], list[tuple[float, ...]]]] = [
    ("glass_blur, more turns", blur.glass_blur, [(0.25, 1, 1), (0.25, 1, 2), (0.25, 1, 3)]),
    ("glass_blur, narrower blur", blur.glass_blur, [(0.4, 1, 1), (0.25, 1, 1), (0.05, 1, 1)]),
    ("frost, more ice", weather.frost, [(1.0, 0.2), (1.0, 0.3), (1.0, 0.4), (1.0, 0.45)]),
    ("frost, more image", weather.frost, [(0.75, 0.45), (0.85, 0.45), (0.9, 0.45), (1.0, 0.45)]),
    ("elastic, more jitter", digital.elastic_transform,
     [(0.0, 0.0, 0.03), (0.0, 0.0, 0.04), (0.0, 0.0, 0.06), (0.0, 0.0, 0.08)]),
    ("elastic, rougher", digital.elastic_transform,
     [(0.1, 0.2, 0.0), (0.1, 0.06, 0.0), (0.1, 0.04, 0.0), (0.1, 0.03, 0.0)]),
    ("spatter, more water", weather.spatter, list(CORRUPTIONS["spatter"].parameters[:3])),
    ("spatter, more mud", weather.spatter, list(CORRUPTIONS["spatter"].parameters[3:])),
    ("saturate, paler", digital.saturate, [(0.9, 0.0), (0.3, 0.0), (0.1, 0.0)]),
    ("saturate, richer", digital.saturate, list(CORRUPTIONS["saturate"].parameters[2:])),
]  # fmt: skip


@pytest.mark.parametrize(("part", "function", "points"), PARTS, ids=[part for part, *_ in PARTS])
def test_what_is_out_of_order_is_the_published_numbers(
    part: str, function: Callable[..., np.ndarray], points: list[tuple[float, ...]]
) -> None:
    """Each number alone distorts in order; the tables turn several of them at once, or back."""
    for clean in (COLOUR, GREY):
        x = clean.astype(np.float32) / 255
        made = [function(x, Draws.of("test", 0, range(6)), *point).clip(0, 1) for point in points]
        found = [psnr(clean, image * 255) for image in made]
        assert all(a > b for a, b in zip(found, found[1:], strict=False)), found


def test_out_of_order_is_said_of_six() -> None:
    """The reasons, as numbers of the tables: a part that grows worse and one that turns back."""
    table = {name: card.parameters for name, card in CORRUPTIONS.items() if card.disorder}
    assert set(table) == {
        "glass_blur", "motion_blur", "frost", "elastic_transform", "spatter", "saturate"
    }  # fmt: skip
    column = lambda name, place: [point[place] for point in table[name]]  # noqa: E731
    assert column("glass_blur", 0) == [0.05, 0.25, 0.4, 0.25, 0.4]
    assert column("frost", 0) == sorted(column("frost", 0), reverse=True)
    assert column("elastic_transform", 2) == sorted(column("elastic_transform", 2), reverse=True)
    assert column("spatter", 5) == [0, 0, 0, 1, 1]
    assert [factor > 1 for factor in column("saturate", 0)] == [False, False, True, True, True]


def test_what_is_refused() -> None:
    with pytest.raises(UsageError, match="gaussian_noise"):
        corrupt(COLOUR, "gausian_noise", 1)
    with pytest.raises(UsageError, match="severity is one of 1 to 5"):
        corrupt(COLOUR, "fog", 0)
    with pytest.raises(UsageError, match="as many indices"):
        corrupt(COLOUR, "fog", 1, [1])
    for wrong in (COLOUR.astype(float), COLOUR[0], COLOUR[..., :2], COLOUR[:, :31]):
        with pytest.raises(UsageError, match="images are uint8"):
            corrupt(wrong, "fog", 1)
    assert corrupt(COLOUR[:0], "contrast", 1).shape == (0, 32, 32, 3)


def test_noise_has_the_moments_it_is_given() -> None:
    flat = np.full((200, 32, 32, 3), 128, np.uint8)
    size = flat.size
    for name, severity, deviation in (
        ("gaussian_noise", 3, 0.08), ("speckle_noise", 2, 0.1 * 128 / 255),
        ("shot_noise", 3, np.sqrt(128 / 255 / 100)),
    ):  # fmt: skip
        noisy = corrupt(flat, name, severity) / 255.0
        assert noisy.std() == pytest.approx(deviation, abs=5 * deviation / np.sqrt(2 * size) + 1e-4)
        # Bytes are cut: half a step below.
        assert noisy.mean() == pytest.approx(127.5 / 255, abs=5 * deviation / np.sqrt(size) + 1e-4)
    noisy = corrupt(flat, "impulse_noise", 5)
    share = [(noisy == end).mean() for end in (0, 255)]
    assert share == pytest.approx([0.035, 0.035], abs=5 * np.sqrt(0.035 / size))


@pytest.mark.parametrize("factor", [1.01, 1.07, 1.25, 1.75, 2.25])
@pytest.mark.parametrize("side", [28, 32])
def test_zoom_is_scipys(side: int, factor: float) -> None:
    image = np.random.default_rng(0).random((side, side))
    kept = int(np.ceil(side / factor))
    first = (side - kept) // 2
    middle = image[first : first + kept, first : first + kept]
    large = np.asarray(ndimage.zoom(middle, factor, order=1))
    trim = (len(large) - side) // 2
    wanted = large[trim : trim + side, trim : trim + side]
    found = resampling.zoomed(image[None, ..., None], factor)[0, ..., 0]
    np.testing.assert_allclose(found, wanted, atol=1e-12)


def test_bilinear_sampling_is_scipys() -> None:
    rng = np.random.default_rng(0)
    image = rng.random((2, 12, 10, 3))
    at = rng.uniform(-8, 18, (2, 2, 12, 10))
    found = resampling.sampled(image, at[0], at[1])
    for n in range(2):
        for c in range(3):
            wanted = ndimage.map_coordinates(image[n, ..., c], at[:, n], order=1, mode="mirror")
            np.testing.assert_allclose(found[n, ..., c], np.asarray(wanted), atol=1e-12)


def test_filters_are_scipys() -> None:
    image = np.random.default_rng(0).random((2, 16, 14, 3))
    kernel = np.random.default_rng(1).random((5, 5))
    wanted = ndimage.correlate(image, kernel[None, :, :, None], mode="mirror")
    np.testing.assert_allclose(resampling.filtered(image, kernel), wanted, atol=1e-12)
    for radius, alias in CORRUPTIONS["defocus_blur"].parameters:
        weights = blur.disk(radius, alias)
        assert weights.sum() == pytest.approx(1.0)
        np.testing.assert_allclose(weights, weights.T, atol=1e-15)


def test_boxes_average_and_repeat() -> None:
    down = resampling.box_matrix(32, 16)
    np.testing.assert_array_equal(down, np.kron(np.eye(16), [[0.5, 0.5]]))
    up = resampling.box_matrix(16, 32)
    np.testing.assert_array_equal(up, np.kron(np.eye(16), [[1], [1]]))
    uneven = resampling.box_matrix(32, 24)  # 4/3 of a pixel each
    assert (uneven.sum(1) == 1).all() and (uneven.sum(0) > 0).all()


def test_motion_along_a_row_is_a_one_sided_filter() -> None:
    image = np.random.default_rng(0).random((1, 8, 40, 1))
    found = blur.trails(image, np.zeros(1, np.float32), 6, 1.5)
    weights = np.exp(-0.5 * (np.arange(6) / 1.5) ** 2)  # the next is below a thousandth
    weights = weights[weights >= 1e-3] / weights[weights >= 1e-3].sum()
    wanted = np.sum([w * np.roll(image, -i, 2) for i, w in enumerate(weights)], axis=0)
    np.testing.assert_allclose(found[:, :, :30], wanted[:, :, :30], atol=1e-12)


def test_fractals_fill_the_unit_interval_and_wrap() -> None:
    clouds = weather.fractal(Draws.of("test", 0, range(50)), 32, 2.0)
    assert clouds.min() == 0.0 and clouds.max() == 1.0
    inner = np.abs(np.diff(clouds, axis=1)).mean()
    assert np.abs(clouds[:, 0] - clouds[:, -1]).mean() < 2 * inner
    rough = weather.fractal(Draws.of("test", 0, range(50)), 32, 1.25)
    assert np.abs(np.diff(rough, axis=1)).mean() > 1.5 * inner


def test_colour_by_hue_saturation_value() -> None:
    from colorsys import hsv_to_rgb, rgb_to_hsv

    x = COLOUR[:1, ::5, ::5].astype(np.float64) / 255.0
    hsv = np.apply_along_axis(lambda rgb: rgb_to_hsv(*rgb), 3, x)
    wanted = hsv * [1.0, 2.0, 1.0] + [0.0, 0.1, 0.0]
    wanted = np.apply_along_axis(lambda one: hsv_to_rgb(*one), 3, wanted.clip(0, 1))
    np.testing.assert_allclose(colour.saturated(x, 2.0, 0.1), wanted, atol=1e-12)
    brighter = np.apply_along_axis(
        lambda one: hsv_to_rgb(*one), 3, (hsv + [0.0, 0.0, 0.2]).clip(0, 1)
    )
    draws = Draws.of("test", 0, [0])
    np.testing.assert_allclose(weather.brightness(x, draws, 0.2), brighter, atol=1e-12)


def test_compression_keeps_what_its_tables_keep() -> None:
    """A flat block keeps its mean to half a step of the table; high quality keeps nearly all."""
    draws = Draws.of("test", 0, [0])
    flat = np.full((1, 16, 16, 1), 77 / 255, np.float32)
    table = digital._scaled(digital._LUMINANCE, 40)
    assert table[0, 0] == 20.0  # 16 * 125 / 100
    found = digital.jpeg_compression(flat, draws, 40) * 255
    assert np.ptp(found) == 0 and abs(found.flat[0] - 77) <= 20 / 8 / 2 + 0.5
    x = GREY.astype(np.float32) / 255
    near = digital.jpeg_compression(x, draws, 100)
    assert np.abs(near - x).max() <= 3 / 255
    assert psnr(x * 255, digital.jpeg_compression(x, draws, 50) * 255) < psnr(x * 255, near * 255)


def test_a_warp_without_jitter_is_none() -> None:
    x = COLOUR.astype(np.float32) / 255
    draws = Draws.of("test", 0, range(6))
    np.testing.assert_allclose(digital.elastic_transform(x, draws, 0.0, 0.0, 0.0), x, atol=1e-5)


def test_glass_moves_pixels_by_one_and_keeps_the_margin() -> None:
    places: np.ndarray = np.arange(28 * 28).reshape(28, 28)
    x = np.stack([places % 256, places // 256, places * 0], -1)[None].astype(np.float32) / 255
    found = np.rint(blur.glass_blur(x, Draws.of("test", 0, [0]), 1e-3, 1, 1)[0] * 255).astype(int)
    source = found[..., 0] + 256 * found[..., 1]
    row, column = places // 28 - source // 28, places % 28 - source % 28
    assert set(np.unique(row)) == set(np.unique(column)) == {0, 1}
    assert (row[:2] == 0).all() and (column[:, :2] == 0).all()
    assert 0.4 < row[2:, 2:].mean() < 0.6
