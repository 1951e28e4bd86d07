"""What the interpreter says of a file it cannot read, in words for the person whose file it is."""

from __future__ import annotations


def told(problem: Exception) -> str:
    """Without advice on how to configure an interpreter.

    >>> told(RecursionError("maximum recursion depth exceeded")), told(ValueError("Out of range float values"))
    ('nested too deeply', 'Out of range float values')
    """
    if isinstance(problem, RecursionError):
        return "nested too deeply"
    text = str(problem)
    return "a number of thousands of digits" if "integer string conversion" in text else text
