"""Views × measures → score table; distributed scoring; the store."""
