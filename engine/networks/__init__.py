"""Networks as pure functions, members first."""
