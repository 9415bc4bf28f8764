"""Terminal application."""
