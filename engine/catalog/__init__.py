"""WHAT exists, with its knobs: pure data, read by the terminal side, so no JAX here."""
