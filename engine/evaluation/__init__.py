"""Scores of fitted learners and of any sampler, and the run of a batch that uses them."""
