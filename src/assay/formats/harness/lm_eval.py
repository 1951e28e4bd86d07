"""lm-evaluation-harness: samples of three layouts."""
