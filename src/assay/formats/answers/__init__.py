"""Readers of answers and outcomes: JSONL, tables, PAN, SQuAD, nuggets, battles."""
