"""Corruptions of small images in five severities, on NumPy and SciPy alone."""
