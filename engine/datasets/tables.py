"""Parsers of the sets that come as text: one record a line."""

from __future__ import annotations

import csv
from collections.abc import Mapping

import numpy as np

from augury.engine.datasets.records import Records, Source

_SPECIES = {"Iris-setosa": 0, "Iris-versicolor": 1, "Iris-virginica": 2}


def read_iris(files: Mapping[str, bytes]) -> Source:
    """Sepal length and width, petal length and width (cm); species 0, 1, 2.

    The repository's file differs from Fisher's table in two records (34 and 37, from 0); splits
    that others published rest on the file, so it stays as it is.
    """
    rows = [line.split(",") for line in files["iris.data"].decode().split()]
    x = np.array([row[:4] for row in rows], dtype=np.float64)
    return Source(Records(x, np.array([_SPECIES[row[4]] for row in rows])))


def read_wine(files: Mapping[str, bytes]) -> Source:
    """White wines: 11 measurements, columns by name; label = quality as given, 3 to 9."""
    lines = csv.reader(files["winequality-white.csv"].decode().splitlines(), delimiter=";")
    header = next(lines)
    table = np.array(list(lines), dtype=np.float64)
    quality = header.index("quality")
    columns = [header.index(name) for name in sorted(header) if name != "quality"]
    return Source(Records(table[:, columns], table[:, quality].astype(np.int64)))


def read_german(files: Mapping[str, bytes]) -> Source:
    """24 numeric attributes of a loan; label 1 for a good risk, 0 for a bad one."""
    lines = files["german.data-numeric"].decode().splitlines()
    table = np.array([line.split() for line in lines], dtype=np.int64)
    return Source(Records(table[:, :-1].astype(np.float64), 2 - table[:, -1]))
