"""Built-in English refusal patterns (`refusal="auto"`): openings with which a model says that it does not, or will not, answer.

An answer is a refusal if it begins with a pattern and gives no answer after all. Words such as "cannot", "sorry" or "I don't know"
inside another sentence do not count: the patterns prefer to miss a refusal over taking an answer for one.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from assay.formats.answers.rows import DECLINED, REFUSED

VERSION = 1
"""Goes up with any change of the patterns, because numbers change with them."""
LONGEST = 2000
"""Letters of an answer that are searched."""
CANNOT = (
    r"I(?: (?:cannot|can ?not|can'?t|could not|couldn'?t|won'?t(?: be able to)?|will not(?: be able to)?|would rather not|am not able to"
    r"|am unable to)|'?m (?:not able|unable) to)"
)
QUESTION = r"(?:that|this|it|you|(?:the|that|this|your) (?:question|query|answer)(?: (?:to|of) (?:that|this|the|your) question)?)"
TAIL = r"(?:[^.!?;:,\n]|, ?(?=and\b|or\b|as\b|since\b|because\b|including\b|such\b|especially\b|which\b|so\b|nor\b))*"
"""The rest of a sentence, without a colon or a clause that may hold an answer."""


class Pattern(NamedTuple):
    """How a refusal begins: the kind, a regular expression, an example, and whether no answer may follow in other sentences."""

    kind: str
    expression: str
    example: str
    alone: bool = True


PATTERNS = (
    Pattern(DECLINED, r"(?:idk|no answer|unanswerable|not answerable)", "No answer."),
    Pattern(
        DECLINED, rf"I (?:really |honestly |actually |simply |just )?(?:do not|don'?t) know(?: {QUESTION}| for (?:sure|certain))*",
        "I don't know the answer to that question.",
    ),
    Pattern(
        DECLINED, rf"I (?:do not|don'?t) know (?-i:who|what|when|where|which)\b{TAIL}", "I don't know who wrote that book.",
    ),
    Pattern(
        DECLINED, rf"I(?: am|'?m) (?:not |un)(?:entirely |really |completely )?(?:sure|certain)(?: (?:about|of) {QUESTION})?",
        "I'm not sure about that.",
    ),
    Pattern(
        DECLINED, r"I (?:have no|do not have|don'?t have|lack)(?: an?| any| the| enough| sufficient| specific| access to| real-time"
        rf"| up-to-date)* (?:idea|answer|information|info|knowledge|data|context|details|access)\b{TAIL}",
        "I don't have enough information to answer.",
    ),
    Pattern(
        DECLINED, rf"{CANNOT} (?:determine|confirm|verify|infer|answer|recall|(?:tell|say)(?: you)? (?:who|what|when|where|which|how"
        rf"|for (?:sure|certain))|find (?:the |any |an |enough )?(?:answer|information|relevant|mention))\b{TAIL}",
        "I cannot determine that from the text.",
    ),
    Pattern(
        DECLINED, r"(?:This|That|It|The (?:correct |exact )?(?:question|answer)|This question) (?:cannot|can'?t|could not) be"
        rf" (?:determined|answered|known|inferred|verified)\b{TAIL}",
        "The answer cannot be determined from the passage.",
    ),
    Pattern(
        DECLINED, r"There (?:is|was)(?: not|n'?t)? (?:no|not|any|enough|insufficient|sufficient)(?: enough| sufficient| relevant)*"
        r" (?:information|context|data|evidence) (?:to (?:answer|determine|say|tell|know|conclude)|(?:given|provided|available)\b)"
        rf"{TAIL}",
        "There is not enough information to answer the question.",
    ),
    Pattern(
        DECLINED, r"The (?:[a-z]+ ){0,2}(?:text|passage|context|documents?|article|information|question)"
        r" (?:does not|doesn'?t|do not|don'?t) (?:provide|contain|include|give|have|say|specify)(?: enough| sufficient| any| the| this)*"
        rf" (?:information|answer|context|details?)\b{TAIL}",
        "The context does not contain the answer.",
    ),
    Pattern(
        REFUSED, rf"{CANNOT} (?:help|assist)(?: you)?(?: (?:with|in)\b{TAIL})?", "I'm sorry, but I can't help with that.", False
    ),
    Pattern(
        REFUSED, rf"{CANNOT} (?:comply|engage|participate|fulfill?|satisfy|discuss|endorse|condone|encourage|support|promote)\b{TAIL}",
        "I cannot fulfill your request.", False,
    ),
    Pattern(
        REFUSED, rf"{CANNOT} (?:provide|offer|give|share|generate|create|write|produce|recommend|suggest)"
        r"(?: (?:you|with|a|an|any|the|or|and|such|this|that|specific|personal|detailed|medical|legal|financial|harmful|illegal|suggest"
        r"|recommend))* (?:help|information|advice|guidance|guidelines"
        r"|instructions?|assistance|support|content|response|opinions?|details|suggestions|recommendations|tips"
        rf"|answers?|explanation|reasons|strategy)\b{TAIL}",
        "I cannot provide instructions on how to do that.", False,
    ),
    Pattern(REFUSED, rf"I (?:must|have to|need to|will have to) (?:decline|refuse)\b{TAIL}", "I must decline to answer.", False),
    Pattern(
        REFUSED, rf"I (?:decline|refuse) to (?:answer|help|assist|respond|comply|participate|engage|say)\b{TAIL}",
        "I refuse to answer that.", False,
    ),
    Pattern(
        REFUSED, rf"I(?: am|'?m) (?:not comfortable|uncomfortable) (?:answering|helping|assisting|providing|discussing|with)\b{TAIL}",
        "I'm not comfortable discussing this.", False,
    ),
    Pattern(
        REFUSED, rf"(?:That|This)(?: i|')s (?:not )?something (?:that )?{CANNOT} (?:help|assist|answer|discuss|do|provide)\b{TAIL}",
        "That's something I can't help with.", False,
    ),
    Pattern(
        REFUSED, rf"It(?: i|')s (?:not (?:appropriate|ethical|safe)|inappropriate|unethical)(?: or [a-z]+)* for me to\b{TAIL}",
        "It is not appropriate for me to say.", False,
    ),
)  # fmt: skip
"""In the order in which they are tried."""

LEAD = (
    r"(?:(?:final )?(?:answer|a|response)\s*[:=]\s*)?"
    r"(?:(?:I(?: am|'?m) (?:so |very |truly |really |deeply )?sorry|sorry|unfortunately|regrettably|(?:my )?apologies|I apologi[sz]e)"
    r"(?: (?:about|for) (?:that|this|the (?:confusion|inconvenience)))?[,.!:;]*(?: (?:but|however,?))? ?|I(?: am|'?m) afraid (?:that )?)?"
    r"(?:as an? (?:AI|artificial intelligence|large language model|language model)[^,.\n]{0,60}, )?"
)
"""What may stand before a pattern: a label, an apology, what the model is."""
ANSWERED = re.compile(
    r"\b(?:(?:answer|choice|option) (?:is|would be)|answer:|guess|(?:choose|option|choice) \(?[A-J]\b)|\\boxed|####|\([A-J]\)",
    re.IGNORECASE,
)
"""Signs of an answer after the opening."""
TALK = re.compile(
    r"\b(?:I|I'm|me|my|you|your|please|sorry|information|context|question|answer|provided|let)\b", re.IGNORECASE
)
"""A sentence with one of these words speaks about the conversation, and holds no answer."""
QUOTES = "\"'“‘«"
END = r"(?:,? (?:sorry|unfortunately|(?:though,? )?I'?m afraid))?[ \t]*(?:[.!;]+|\n|$)"
_OPENING = re.compile(rf"[*_`\s]*{LEAD}[*_`\s]*(?:I[ 'a-z]|no answer|un|not an|Th|It)", re.IGNORECASE)
"""Every pattern begins so; most answers do not, and are compared with nothing else."""
_compiled: list[tuple[Pattern, re.Pattern[str]]] = []


def built_in_refusal(text: str) -> str | None:
    """Return the kind of refusal that an English answer is, or None.

    >>> built_in_refusal("I'm sorry, but I can't help with that."), built_in_refusal("I don't know.")
    ('refused', 'declined')
    >>> built_in_refusal("You cannot divide by zero."), built_in_refusal("I don't know for sure, but I think Paris.")
    (None, None)
    """
    return _built_in_refusal(text.strip()[:LONGEST])


@lru_cache(maxsize=1 << 14)
def _built_in_refusal(text: str) -> str | None:
    if text.startswith(tuple(QUOTES)):
        return None  # a quotation
    text = text.replace("’", "'")
    if _OPENING.match(text) is None:
        return None
    plain = re.sub(r"[*_`]", "", text).strip()
    if not _compiled:
        _compiled.extend((each, re.compile(rf"{LEAD}{each.expression}{END}", re.IGNORECASE)) for each in PATTERNS)
    for pattern, expression in _compiled:
        match = expression.match(plain)
        if match is not None:
            rest = plain[match.end() :]
            answered = ANSWERED.search(rest) or (pattern.alone and not _is_talk(rest))
            return None if answered else pattern.kind
    return None


def _is_talk(rest: str) -> bool:
    """Return whether every sentence speaks about the conversation."""
    return all(TALK.search(sentence) for sentence in re.split(r"[.!?;\n]+", rest) if sentence.strip())
