"""Read the samples that lm-evaluation-harness logs, and the results file beside them."""
