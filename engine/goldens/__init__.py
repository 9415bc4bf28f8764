"""Published and exact numbers that our own code must give."""
