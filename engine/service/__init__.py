"""The engine process of a store, and how others talk to it."""
