"""Parser errors in words for the user of the file."""

from __future__ import annotations


def error_text(problem: Exception) -> str:
    """Return an error's message without advice on configuring Python.

    >>> error_text(RecursionError("maximum recursion depth exceeded")), error_text(ValueError("Out of range float values"))
    ('nested too deeply', 'Out of range float values')
    """
    if isinstance(problem, RecursionError):
        return "nested too deeply"
    text = str(problem)
    return "a number of thousands of digits" if "integer string conversion" in text else text
