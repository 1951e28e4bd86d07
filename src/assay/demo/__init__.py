"""Demo data and the gallery."""
