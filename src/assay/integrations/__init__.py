"""Integrations with other tools; each module needs the tool of its name."""
