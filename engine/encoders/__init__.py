"""Frozen maps of images: representations whose information is known, or bounded."""
