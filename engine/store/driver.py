"""What is used of DuckDB at run time: its core alone.

The package `duckdb` loads a layer of Python for relations, Arrow and data frames around that core.
It costs 60 CPU ms at every start and nothing here needs it, so no module imports it by that name.
"""

from __future__ import annotations

try:
    from _duckdb import (
        BinderException,
        CatalogException,
        ConversionException,
        Error,
        InterruptException,
        OutOfMemoryException,
        StatementType,
        connect,
    )
except ImportError:  # a release that arranges its inside otherwise: its public names stay
    from duckdb import (
        BinderException,
        CatalogException,
        ConversionException,
        Error,
        InterruptException,
        OutOfMemoryException,
        StatementType,
        connect,
    )

__all__ = [
    "BinderException",
    "CatalogException",
    "ConversionException",
    "Error",
    "InterruptException",
    "OutOfMemoryException",
    "StatementType",
    "connect",
]
