"""The 19 corruptions of CIFAR-10-C (Hendrycks and Dietterich 2019, arXiv:1903.12261)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

SEVERITIES = (1, 2, 3, 4, 5)
Numbers = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class CorruptionCard:
    """One corruption: what it does, and its parameters at each severity."""

    target: str  # "augury.engine.corruptions.noise:shot_noise"
    family: Literal["noise", "blur", "weather", "digital"]
    parameters: tuple[Numbers, ...]  # handed to the function in this order
    # Why a higher severity need not lie farther from the image in squared error; empty: it does.
    # Parameters were published in the order in which networks find them hard.
    disorder: str = ""


def _card(family: str, name: str, *parameters: Numbers, disorder: str = "") -> CorruptionCard:
    target = f"augury.engine.corruptions.{family}:{name}"
    return CorruptionCard(target, family, parameters, disorder)  # type: ignore[arg-type]


# The parameters for images of 32 pixels. The last four are those that papers call extra.
CORRUPTIONS: dict[str, CorruptionCard] = {
    "gaussian_noise": _card(
        "noise", "gaussian_noise", (0.04,), (0.06,), (0.08,), (0.09,), (0.10,)),
    "shot_noise": _card("noise", "shot_noise", (500,), (250,), (100,), (75,), (50,)),
    "impulse_noise": _card("noise", "impulse_noise", (0.01,), (0.02,), (0.03,), (0.05,), (0.07,)),
    "defocus_blur": _card(
        "blur", "defocus_blur", (0.3, 0.4), (0.4, 0.5), (0.5, 0.6), (1.0, 0.2), (1.5, 0.1)),
    "glass_blur": _card(
        "blur", "glass_blur", (0.05, 1, 1), (0.25, 1, 1), (0.4, 1, 1), (0.25, 1, 2), (0.4, 1, 2),
        disorder="a wider blur averages out what was moved"),
    "motion_blur": _card(
        "blur", "motion_blur", (6, 1.0), (6, 1.5), (6, 2.0), (8, 2.0), (9, 2.5),
        disorder="3 and 4 are one blur: weights beyond radius 6 are below a thousandth"),
    "zoom_blur": _card("blur", "zoom_blur", (1.05,), (1.10,), (1.15,), (1.20,), (1.25,)),
    "snow": _card(
        "weather", "snow",
        (0.1, 0.2, 1.0, 0.6, 8, 3.0, 0.95), (0.1, 0.2, 1.0, 0.5, 10, 4.0, 0.9),
        (0.15, 0.3, 1.75, 0.55, 10, 4.0, 0.9), (0.25, 0.3, 2.25, 0.6, 12, 6.0, 0.85),
        (0.3, 0.3, 1.25, 0.65, 14, 12.0, 0.8)),
    "frost": _card(
        "weather", "frost", (1.0, 0.2), (1.0, 0.3), (0.9, 0.4), (0.85, 0.4), (0.75, 0.45),
        disorder="the image fades as ice brightens it"),
    "fog": _card("weather", "fog", (0.2, 3.0), (0.5, 3.0), (0.75, 2.5), (1.0, 2.0), (1.5, 1.75)),
    "brightness": _card("weather", "brightness", (0.05,), (0.1,), (0.15,), (0.2,), (0.3,)),
    "contrast": _card("digital", "contrast", (0.75,), (0.5,), (0.4,), (0.3,), (0.15,)),
    "elastic_transform": _card(
        "digital", "elastic_transform",
        (0.0, 0.0, 0.08), (0.05, 0.2, 0.07), (0.08, 0.06, 0.06), (0.1, 0.04, 0.05),
        (0.1, 0.03, 0.03), disorder="the affine part shrinks while the warp gets rougher"),
    "pixelate": _card("digital", "pixelate", (0.95,), (0.9,), (0.85,), (0.75,), (0.65,)),
    "jpeg_compression": _card("digital", "jpeg_compression", (80,), (65,), (58,), (50,), (40,)),
    "speckle_noise": _card("noise", "speckle_noise", (0.06,), (0.1,), (0.12,), (0.16,), (0.2,)),
    "gaussian_blur": _card("blur", "gaussian_blur", (0.4,), (0.6,), (0.7,), (0.8,), (1.0,)),
    "spatter": _card(
        "weather", "spatter",
        (0.62, 0.1, 0.7, 0.7, 0.5, 0), (0.65, 0.1, 0.8, 0.7, 0.5, 0),
        (0.65, 0.3, 1.0, 0.69, 0.5, 0), (0.65, 0.1, 0.7, 0.69, 0.6, 1),
        (0.65, 0.1, 0.5, 0.68, 0.6, 1), disorder="water up to 3, thinner mud from 4"),
    "saturate": _card(
        "digital", "saturate", (0.3, 0.0), (0.1, 0.0), (1.5, 0.0), (2.0, 0.1), (2.5, 0.2),
        disorder="paler up to 2, richer from 3; of grey images the contrast"),
}  # fmt: skip
