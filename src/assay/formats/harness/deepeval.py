"""DeepEval: test runs."""
