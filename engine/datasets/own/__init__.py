"""A person's own table: read, typed, split and turned into numbers."""
