"""Question answering with confidence and abstention: correct, incorrect, unanswered or failed."""
