"""Posterior predictive checks: pure functions over NumPy arrays in float64, without JAX."""
