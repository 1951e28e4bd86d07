"""RAGAS: a data frame with a column per metric."""
