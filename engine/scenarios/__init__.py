"""The scenario families: each gives `run_batch(cells, emit, context)`."""
