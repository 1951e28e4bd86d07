"""Readers of ranked retrieval: qrels, runs, subtopics, preferences, filtering."""
