"""OpenAI evals: events as JSONL."""
