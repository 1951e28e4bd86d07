"""Scores corrected by human labels: `assay.correct`."""
