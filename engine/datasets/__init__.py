"""Data sets: from verified bytes to standardised rows in the published order. NumPy only."""
