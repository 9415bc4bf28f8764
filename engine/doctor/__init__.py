"""`augury doctor`: what this machine, terminal and store are like, and what to do about it."""
