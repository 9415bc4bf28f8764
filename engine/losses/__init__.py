"""Losses as pure functions of logits and parameters."""
