"""Sweeps of mutual-information estimators: seven scenarios, closed forms, nulls."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from augury.engine.catalog.estimators import COMPAT, ESTIMATORS, NEURAL, PUBLISHED
from augury.engine.catalog.problems import (
    ChannelProblem,
    ClosedFormProblem,
    EncodedProblem,
    EncodedTextProblem,
    GaussianProblem,
    ImageProblem,
    MixtureProblem,
    PairProblem,
    TextProblem,
)
from augury.engine.catalog.problems.mi_closed import RECIPES
from augury.engine.catalog.problems.mi_encoded import INVERTIBLE, LEARNT, NUM_STAGES
from augury.engine.catalog.settings import Scale
from augury.engine.catalog.sweep import Sweep
from augury.engine.types import JSON

STAGES = (2.0, 4.0, 6.0, 8.0, 10.0)  # bits, one after another with the critic carried over
TILE = (1, 2, 5)  # digits of an image with ten sources: channels, rows, columns
_Problems = tuple[PairProblem, ...]

_SEEDS: Mapping[Scale, tuple[int, ...]] = {"smoke": (0,), "quick": (0, 1), "full": (0, 1, 2)}
_ONE_QUICK: Mapping[Scale, tuple[int, ...]] = {"smoke": (0,), "quick": (0,), "full": (0, 1, 2)}
# A critic 30 times cheaper than the default, and no worse after 2,000 steps at 4 bits.
_SMALL_CRITIC: Mapping[str, JSON] = {"width": 64, "depth": 1}
_SMALL: Mapping[Scale, Mapping[str, JSON]] = {"smoke": _SMALL_CRITIC, "quick": _SMALL_CRITIC}
# Six that take minutes on two cores: a training each, and the two that train nothing.
_CHEAP = ("ksg", "cca", "infonce", "dv", "nwj", "smile-5")
# js with the offset that published results have; js-compat takes no training of its own.
_AS_PUBLISHED = tuple("js-compat" if name == "js" else name for name in PUBLISHED)
# One problem of each law, and of each map.
_FEW_CLOSED = (
    "1v1-normal-0.75", "1v1-additive-0.1", "1v1-bimodal-0.75", "student-identity-1-1-1",
    "swissroll_x-normal_cdf-1v1-normal-0.75", "multinormal-dense-5-5-0.5",
    "multinormal-sparse-5-5-2-2.0", "student-identity-2-2-1",
    "half_cube-multinormal-sparse-5-5-2-2.0", "spiral-normal_cdf-multinormal-sparse-5-5-2-2.0",
)  # fmt: skip


def _gaussian(*bits: float, sources: int = 10) -> GaussianProblem:
    return GaussianProblem(sources, bits)


def _image(*bits: float, size: int = 64, nuisance: float = 0.0) -> ImageProblem:
    return ImageProblem("mnist", TILE, size, bits, nuisance=nuisance)


def _encoded(*bits: float, grid: tuple[int, int, int] = TILE, size: int = 64) -> _Problems:
    """Images as they are, behind each encoder that can be undone, after each stage of a ResNet."""
    return (
        ImageProblem("mnist", grid, size, bits),
        *(EncodedProblem("mnist", grid, size, name, bits) for name in INVERTIBLE),
        *(EncodedProblem("mnist", grid, size, LEARNT, bits, n + 1) for n in range(NUM_STAGES)),
    )


def _text(*bits: float, encoder: str = "bert", sources: int = 10) -> TextProblem:
    return TextProblem(encoder, sources, bits)


def _encoded_text(*bits: float, sources: int = 10) -> _Problems:
    """Texts as they are, and behind each encoder that can be undone."""
    return (
        _text(*bits, sources=sources),
        *(EncodedTextProblem("bert", sources, name, bits) for name in INVERTIBLE),
    )


def _squares(sides: Iterable[int], bits: float | None) -> _Problems:
    """As many sources as each square has cells, in three domains; bits in all, or one a source."""
    found: list[PairProblem] = []
    for side in sides:
        number = side * side
        share = float(number) if bits is None else bits
        if share <= number:
            grid = ImageProblem("mnist", (1, side, side), 60, (share,))
            found += [_gaussian(share, sources=number), grid, _text(share, sources=number)]
    return tuple(found)


def _published_sources() -> _Problems:
    """As published, where the three domains have different truths: in nats, of 1 bit, in bits."""
    sides = range(1, 11)
    return (
        *(_gaussian(_bits(n), sources=n) for n in (1, 2, 3, 4, *(s * s for s in sides if s > 2))),
        *(ImageProblem("mnist", (1, s, s), 60, (1.0,)) for s in sides),
        *(_text(float(n), sources=n) for n in (1, 2, 3, 4, *(s * s for s in sides if s > 2))),
    )


def _bits(nats: float) -> float:
    """To the six digits that an id has."""
    return float(f"{nats / math.log(2):g}")


def _domains(*bits: float) -> _Problems:
    return (
        _gaussian(*bits), _image(*bits), _text(*bits), _text(*bits, encoder="roberta"),
    )  # fmt: skip


def _critics(*names: str) -> tuple[Mapping[str, JSON], ...]:
    return tuple({"critic": name} for name in names)


def _capacities(depths: Iterable[int], widths: Iterable[int]) -> tuple[Mapping[str, JSON], ...]:
    critics = ("joint", "separable")
    return (
        *({"critic": c, "depth": d} for c in critics for d in depths),
        *({"critic": c, "width": w} for c in critics for w in widths),
    )


_SPREADS = ("tile", "pad", "rotate")
_SMOKE = (_gaussian(2.0),)

MI_SWEEPS: dict[str, Sweep] = {
    "mi": Sweep(
        "mi",
        "estimators on Gaussians, images, texts, both at once; quick: three domains at 4 bits",
        full=(*_domains(*STAGES), MixtureProblem("bert", (2, 5), STAGES)),
        quick=(_gaussian(4.0), _image(4.0), _text(4.0)),
        smoke=_SMOKE,
        usual=PUBLISHED,
        config=_SMALL,
        seeds=_SEEDS,
    ),
    "mi-gaussian": Sweep(
        "mi",
        "Gaussian sources, 2 to 10 bits in five stages",
        full=(_gaussian(*STAGES), _gaussian(*STAGES, sources=20)),
        quick=(_gaussian(*STAGES),),
        smoke=(_gaussian(*STAGES),),
        usual=PUBLISHED,
        config=_SMALL,
    ),
    "mi-closed-form": Sweep(
        "mi",
        "the 40 problems of Beyond Normal, truth in closed form; quick: one of each law and map",
        full=tuple(ClosedFormProblem(name) for name in RECIPES),
        quick=tuple(ClosedFormProblem(name) for name in _FEW_CLOSED),
        smoke=(ClosedFormProblem("1v1-normal-0.75"),),
        usual=_CHEAP,
        config=_SMALL,
        seeds=_ONE_QUICK,
    ),
    "mi-null": Sweep(
        "mi",
        "nothing to find: independent and shuffled pairs",
        full=(
            _gaussian(0.0),
            GaussianProblem(10, (4.0,), shuffled=True),
            ChannelProblem(10, (0.0,)),
            *(ClosedFormProblem(name, shuffled=True) for name in _FEW_CLOSED),
            _image(0.0),
            _text(0.0),
        ),
        quick=(_gaussian(0.0), GaussianProblem(10, (4.0,), shuffled=True)),
        smoke=(_gaussian(0.0),),
        usual=_CHEAP,
        config=_SMALL,
        seeds=_SEEDS,
    ),
    "mi-critic": Sweep(
        "mi",
        "scenario 1, architecture: bilinear, separable and joint critics",
        full=(*_domains(*STAGES), _gaussian(*STAGES, sources=20)),
        quick=(_gaussian(4.0), _image(4.0)),
        smoke=_SMOKE,
        subjects=NEURAL,
        usual=PUBLISHED,
        config=_SMALL,
        kinds={"full": _critics("bilinear", "separable", "joint"),
               "quick": _critics("bilinear", "separable", "joint"),
               "smoke": _critics("bilinear", "separable")},
        seeds=_ONE_QUICK,
    ),
    "mi-capacity": Sweep(
        "mi",
        "scenario 2, capacity: depth 1 to 5 at width 256, width 8 to 2,048 at depth 2",
        full=(_gaussian(*STAGES, sources=20), _image(*STAGES), _text(*STAGES)),
        quick=(_image(6.0),),
        smoke=_SMOKE,
        subjects=NEURAL,
        usual=PUBLISHED,
        kinds={"full": _capacities(range(1, 6), (8, 32, 128, 512, 1024, 2048)),
               "quick": tuple({"critic": c, "depth": d, "width": 64}
                              for c in ("joint", "separable") for d in (1, 3, 5)),
               "smoke": ({"depth": 1, "width": 16},)},
        seeds=_ONE_QUICK,
    ),
    "mi-estimator": Sweep(
        "mi",
        "scenario 3, estimator: every one that trains a critic, four domains",
        full=_domains(*STAGES),
        quick=(_gaussian(*STAGES),),
        smoke=_SMOKE,
        subjects=NEURAL,
        usual=tuple(name for name in NEURAL if ESTIMATORS[name].tags != COMPAT),
        config=_SMALL,
        seeds=_ONE_QUICK,
    ),
    "mi-sources": Sweep(
        "mi",
        "scenario 4, number of sources: 2 bits in all, and 1 bit a source, in every domain alike",
        full=(*_squares(range(2, 9), 2.0), *_squares((1, 2, 3, 4, 5), None)),
        quick=_squares((2, 3), 2.0),
        smoke=(_gaussian(2.0, sources=4),),
        subjects=NEURAL,
        usual=PUBLISHED,
        config=_SMALL,
        seeds=_ONE_QUICK,
    ),
    "mi-sources-compat": Sweep(
        "mi",
        "scenario 4 as published: the truths of its three domains differ",
        full=_published_sources(),
        quick=(_gaussian(_bits(1), sources=1), ImageProblem("mnist", (1, 2, 2), 60, (1.0,)),
               _text(2.0, sources=2)),
        smoke=(_gaussian(_bits(1), sources=1),),
        subjects=NEURAL,
        usual=PUBLISHED,
        config=_SMALL,
        seeds=_ONE_QUICK,
    ),
    "mi-dimension": Sweep(
        "mi",
        "scenario 5, dimension: images of 32 to 224 pixels, Gaussians tiled, padded, rotated",
        full=(*(_image(6.0, size=s) for s in (32, 64, 128, 224)),
              *(GaussianProblem(10, (6.0,), d, s) for d in (20, 40, 100) for s in _SPREADS)),
        quick=(*(_image(6.0, size=s) for s in (32, 64)),
               *(GaussianProblem(10, (6.0,), 40, s) for s in _SPREADS)),
        smoke=(GaussianProblem(10, (6.0,), 40, "tile"),),
        subjects=NEURAL,
        usual=PUBLISHED,
        config=_SMALL,
        seeds=_ONE_QUICK,
    ),
    "mi-nuisance": Sweep(
        "mi",
        "scenario 6, nuisance: photographs behind the digits, from a tenth of their light to all",
        full=tuple(_image(*STAGES, nuisance=n / 10) for n in range(1, 11)),
        quick=tuple(_image(2.0, nuisance=n) for n in (0.1, 0.3, 0.8)),
        smoke=_SMOKE,
        subjects=NEURAL,
        usual=PUBLISHED,
        config=_SMALL,
        seeds=_ONE_QUICK,
    ),
    "mi-representation": Sweep(
        "mi",
        "scenario 7, representation: frozen encoders; a ResNet of our own, as the published "
        "weights are not public",
        full=(*_encoded(*STAGES), *_encoded_text(*STAGES)),
        quick=(*_encoded(2.0, grid=(1, 2, 2), size=16), *_encoded_text(1.0, sources=2)),
        smoke=_SMOKE,
        subjects=NEURAL,
        usual=("dv", "infonce", "smile-5"),
        config=_SMALL,
        seeds=_ONE_QUICK,
        settings={"quick": {"max_steps": 1_000, "num_final": 250}},
    ),
    "mi-published": Sweep(
        "mi",
        "the published joint critic on 10 Gaussian sources; five trainings of 20,000 steps a seed",
        full=(_gaussian(*STAGES),),
        quick=(_gaussian(*STAGES),),
        smoke=(_gaussian(*STAGES),),
        subjects=NEURAL,
        usual=_AS_PUBLISHED,
        config=_SMALL,
        seeds=_SEEDS,
    ),
    "mi-published-images": Sweep(
        "mi",
        "the same on images of 64 pixels, trained on all of them; quick: 1,750 steps at 2 bits",
        full=(_image(*STAGES),),
        quick=(_image(2.0),),
        smoke=_SMOKE,
        subjects=NEURAL,
        usual=("dv", "infonce", "smile-5"),
        config={"smoke": _SMALL_CRITIC},
        seeds=_ONE_QUICK,
        settings={"full": {"pool": "full"}, "smoke": {"pool": "full"},
                  "quick": {"pool": "full", "max_steps": 1_750, "num_final": 500}},
    ),
    "mi-quick": Sweep(
        "mi",
        "a first look: 10 Gaussian sources, 4 bits",
        full=(_gaussian(4.0),),
        quick=(_gaussian(4.0),),
        smoke=(_gaussian(4.0),),
        usual=PUBLISHED,
        config=_SMALL,
        scale="quick",
    ),
}  # fmt: skip
