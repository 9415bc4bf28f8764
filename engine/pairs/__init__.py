"""Mutual information of a person's own rows: what is read, estimated, checked and told."""
