"""Mutual-information estimators as pure functions of a matrix of critic scores."""
