"""Check submissions: every error of every file, without gold."""
