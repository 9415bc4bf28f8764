"""Configs of agents, one file for each kind; `catalog/agents.py` has the tables."""
