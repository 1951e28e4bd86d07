"""One module per task: from scores and figures to the report's model."""
