"""The one place that knows DuckDB: schema, writes, named queries, boards, exports."""
