"""promptfoo: results as JSON or JSONL."""
