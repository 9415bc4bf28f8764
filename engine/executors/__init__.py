"""Where batches run: one small protocol, one module for each kind of place."""
