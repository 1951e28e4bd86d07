"""Parser errors in words for the user of the file."""

from __future__ import annotations


def told(problem: Exception) -> str:
    """Return an error's message without advice on configuring Python.

    >>> told(RecursionError("maximum recursion depth exceeded")), told(ValueError("Out of range float values"))
    ('nested too deeply', 'Out of range float values')
    """
    if isinstance(problem, RecursionError):
        return "nested too deeply"
    text = str(problem)
    return "a number of thousands of digits" if "integer string conversion" in text else text
