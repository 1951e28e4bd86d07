"""Four questions and two runs: a declines one and is right on two of three; b gives no confidence that tells."""

from __future__ import annotations

GOLD = [
    {"id": "q1", "type": "factoid", "answers": ["Paris"], "lang": "fr"},
    {"id": "q2", "type": "factoid", "nil": True},
    {"id": "q3", "type": "list", "answers": ["Rome", "Milan"]},
    {"id": "q4", "type": "list", "answers": ["Oslo"]},
]
A = [
    {"id": "q1", "answer": "Paris", "confidence": 0.9},
    {"id": "q2", "answer": "NIL", "confidence": 0.4},
    {"id": "q3", "answer": "Bern", "confidence": 0.3},
    {"id": "q4", "answer": None},
]
B = [
    {"id": "q1", "answer": "Lyon", "confidence": 0.0},
    {"id": "q2", "answer": "Lyon", "confidence": 0.0},
    {"id": "q3", "answer": "Rome", "confidence": 0.0},
    {"id": "q4", "answer": "Oslo", "confidence": 0.0},
]
