"""Answers with non-response and confidence: correct, incorrect, unanswered or failed."""
