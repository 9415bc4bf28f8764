"""Charts as values: drawn in a terminal, written as SVG, PNG or CSV; no terminal library here."""
