"""Readers of the logs that harnesses write: one module a tool."""
