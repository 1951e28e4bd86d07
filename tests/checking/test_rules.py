"""Rules are read strictly, and a draft of them is kept by what it was drafted from."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import assay
from assay.checking.findings import File
from assay.checking.rules import _CHECKS, FORMATS, Rules, draft, read_rules
from assay.errors import InputError

DOCS = Path(__file__).resolve().parents[2] / "docs" / "organising.md"


def test_rules_from_a_file_and_from_python(tmp_path) -> None:
    (tmp_path / "rules.toml").write_text('\ufeffdepth = 10\ntag = "[a-z]+"\nconfidence = [0.5, 1]\n', encoding="utf-8")
    rules = read_rules(str(tmp_path / "rules.toml"))
    assert rules.as_dict() == {"depth": 10, "tag": "[a-z]+", "confidence": (0.5, 1.0)}
    assert (rules.topics, rules.ties) == (None, 0.5)
    assert read_rules(rules) is rules
    assert read_rules(None).as_dict() == Rules().as_dict() == {}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("deep = 10", "no rule 'deep'; expected format, topics, depth"),
        ("depth = 0", "depth = 0: expected a whole number of at least 1"),
        ("depth = true", "expected a whole number"),
        ("topics = 1.5", "expected a whole number"),
        ("ties = 2", "expected a number from 0 to 1"),
        ('tag = "["', "expected a regular expression"),
        ("tag = 7", "expected a regular expression"),
        ("confidence = 0.5", "expected two numbers from 0 to 1"),
        ("confidence = [1, 0]", "the lower one first"),
        ('labels = "TRUE"', "expected a list of texts"),
        ("labels = []", "expected a list of texts"),
        ('numbered_from = "1"', "expected a whole number"),
        ('format = "word"', "expected one of trec-run"),
        ("depth = ", "is not TOML"),
        ("# \xff", "is not UTF-8"),
    ],
)
def test_refused(text, said) -> None:
    with pytest.raises(InputError, match=re.escape(said)) as problem:
        read_rules(text.encode("latin-1"))
    assert str(problem.value).startswith("<rules>:1: ")


def test_rules_that_are_none() -> None:
    with pytest.raises(InputError, match="found int"):
        read_rules(7)


def test_every_rule_and_format_is_documented() -> None:
    page = DOCS.read_text(encoding="utf-8")
    table = page[page.index("| rule |") : page.index("`--topics` takes")]
    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == list(_CHECKS)
    assert [name for name in FORMATS if f"`{name}`" not in table] == []


def test_a_draft_is_kept_by_its_example() -> None:
    run = b"".join(b"%d Q0 d%d %d %d my-run\n" % (t, d, d, 100 - d) for t in (1, 2) for d in range(1, 4))
    text = assay.check([run]).draft_rules()
    assert read_rules(text.encode()).as_dict() == {
        "format": "trec-run", "topics": 2, "depth": 3, "tag": "[A-Za-z0-9_.-]{1,20}", "ties": 0.5
    }  # fmt: skip
    assert assay.check([run], rules=text.encode()).errors == 0
    assert assay.check([run + b"1 Q0 d4 4 1 my-run\n"], rules=text.encode()).errors == 1


def test_a_draft_of_labels_and_confidences() -> None:
    answers = b"".join(
        b'{"id": "%d", "answer": "%s", "confidence": 0.%d}\n' % (i, b"yes" if i % 2 else b"no", i) for i in range(1, 10)
    )
    answers += b'{"id": "0", "answer": "no", "confidence": 0.5}\n'
    text = assay.check([answers]).draft_rules()
    assert 'labels = ["no", "yes"]' in text
    assert "confidence = [0.0, 1.0]" in text
    assert assay.check([answers], rules=text.encode()).errors == 0


def test_a_name_cannot_end_the_comment() -> None:
    file = File('x\ndepth = 1\n"')
    file.format, file.tags, file.topics, file.deepest = "trec-run", ['a"b\u00e9' * 9], 1, 1
    assert read_rules(draft(file).encode()).as_dict()["tag"] == ".{1,36}"
