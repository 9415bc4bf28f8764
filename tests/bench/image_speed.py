"""How fast networks of images train and predict on this machine, ways side by side: printed.

    python -m tests.bench.image_speed resnet20 --networks 10 --batch 128 --steps 50

Images are noise of CIFAR-10's shape. On a GPU all networks train at once, on CPU one by one;
`--ways both` does each here, so that what `ImageAgent.programs` chooses can be checked.
`--masks 50` times one network with dropout instead.
"""

from __future__ import annotations

import argparse
import time

import jax
import numpy as np

from augury.engine.catalog.agent_configs.images import ImageDropoutConfig, ImageEnsembleConfig
from augury.engine.networks import fitted_images as images


def main() -> None:
    """Read the options, then time."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("network", choices=("mlp", "cnn", "resnet20"))
    parser.add_argument("--networks", type=int, default=10)
    parser.add_argument("--masks", type=int, default=0)
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--width", type=int, default=16)
    parser.add_argument("--steps", type=int, default=50)
    parser.add_argument("--rows", type=int, default=4_000)
    parser.add_argument("--side", type=int, default=32)
    parser.add_argument("--ways", choices=("own", "both"), default="own")
    given = parser.parse_args()
    own = jax.default_backend()
    print(f"{own}: {jax.devices()[0].device_kind}")
    for way in {"own": (own,), "both": ("cpu", "gpu")}[given.ways]:
        _time(given, way)


def _time(given: argparse.Namespace, way: str) -> None:
    fields = {
        "network": given.network, "width": given.width, "batch_size": given.batch,
        "num_steps": given.steps, "augment": True,
    }  # fmt: skip
    if given.masks:
        agent = images.ImageAgent(
            ImageDropoutConfig(**fields, num_samples=given.masks), 1, given.masks
        )
    else:
        config = ImageEnsembleConfig(**fields, num_ensemble=given.networks)
        agent = images.ImageAgent(config, given.networks)
    channels = 3 if given.side == 32 else 1
    shape = (given.side, given.side, channels)
    rng = np.random.default_rng(0)
    x = rng.integers(0, 256, (given.rows, *shape), np.uint8)
    y = rng.integers(0, 10, given.rows)
    built = agent.programs(shape, 10, way)
    members = given.masks or given.networks
    for turn in ("with compilation", "compiled"):
        began, cpu = time.perf_counter(), time.process_time()
        fitted, _ = images.fit(built, agent.config, x, y, jax.random.key(0))
        jax.block_until_ready(fitted.params)
        wall, cpu = time.perf_counter() - began, time.process_time() - cpu
        print(
            f"{way} way, {built.at_once} of {built.num_networks} networks at once, {turn}: "
            f"{wall:.1f} s ({cpu:.1f} CPU s), {wall / given.steps * 1e3:.2f} ms a step of all"
        )
    for turn in ("with compilation", "compiled"):
        began, cpu = time.perf_counter(), time.process_time()
        images.predict(built, fitted, x, jax.random.key(1))
        wall, cpu = time.perf_counter() - began, time.process_time() - cpu
        each = wall / len(x) / members * 1e6
        print(f"  predict, {turn}: {wall:.2f} s ({cpu:.2f} CPU s), {each:.2f} us an image, member")


if __name__ == "__main__":
    main()
