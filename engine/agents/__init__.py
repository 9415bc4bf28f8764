"""Agents: one file for each; all are a few pure functions, or the two-line contract."""
