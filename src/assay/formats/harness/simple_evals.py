"""OpenAI simple-evals: all results as JSON."""
