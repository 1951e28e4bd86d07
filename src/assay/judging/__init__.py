"""Whether an answer is right: a text becomes a verdict (judgment, class, grade, NIL), here and nowhere else.

    key.py           the answer key: questions, rule, the judge that follows from both, the right answers known
    rules.py         the rules by name, in words, and as settings
    exact.py         equal texts after normalisation        patterns.py    regular expressions
    letters.py       option letters                         assessors.py   a file of judgments
    normalising.py   the forms in which texts are compared  known.py       the right answers of a question
    refusals.py      texts that decline to answer

A task asks `key.judge(question, text, doc)` and makes of the verdict what it counts: strict or lenient.
"""
