"""Inspect: `.eval` archives and `.json` logs."""
