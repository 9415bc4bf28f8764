"""Critics: networks that score how well two observations belong together."""
