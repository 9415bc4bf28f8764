"""Agents that do not look at data."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class UniformConfig:
    """Equal probability for every class; the floor that anything trained should beat."""


@dataclass(frozen=True, slots=True)
class PriorConfig:
    """Fresh draws of the generative network, no learning: the truth before data."""
