"""Decide whether an answer is right: text to verdict by judgment, exact match, pattern or letter, and refusals.

    key.py          the answer key: questions, rule, the judge that follows from both
    rules.py        the rules: equal texts, regular expressions, option letters; and texts that decline to answer
    assessors.py    a file of judgments                    known.py   the right answers of a question
    normalising.py  the forms in which texts are compared

A task asks `key.judge(question, text, doc)` and makes of the verdict what it counts: strict or lenient.
"""
