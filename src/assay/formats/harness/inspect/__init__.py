"""Read the logs of Inspect: header, scores, texts and totals of an archive or a JSON file."""
