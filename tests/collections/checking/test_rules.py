"""Rules are read strictly, and a draft of them is kept by what it was drafted from."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mutated_runs import CASES, mutated
from reader_examples import EXAMPLES

import assay
from assay.collections.checking.findings import KINDS, File
from assay.collections.checking.rules import _CHECKS, FORMATS, Rules, draft, read_rules
from assay.errors import InputError
from assay.formats.recognition import readers

DOCS = Path(__file__).resolve().parents[3] / "docs" / "checking.md"


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
        ("deep = 10", "unknown rule 'deep'; expected format, topics, depth"),
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


@pytest.mark.parametrize("name", CASES)
@given(data=st.data())
@settings(max_examples=30)
def test_a_draft_is_kept_by_any_example(name, data) -> None:
    """A file without errors has none under its own rules; nor has one with errors any that it had not."""
    _, run, options = CASES[name]
    example = data.draw(mutated(run))
    columns = options.get("columns")
    before = assay.check([example], columns=columns)
    after = assay.check([example], columns=columns, rules=before.draft_rules().encode())
    kinds = [
        {finding.kind for finding in found.files[0].findings if finding.level == "error"} for found in (before, after)
    ]
    assert kinds[0] == kinds[1]


@pytest.mark.parametrize(
    "name", sorted({reader.name for reader in readers() if reader.role in ("run", "log")} & {*EXAMPLES})
)
def test_a_draft_of_every_format(name) -> None:
    example = EXAMPLES[name].encode()
    drafted = assay.check([example], rules={"format": "sets"} if name == "sets" else None).draft_rules()
    assert (name in FORMATS) == (f'format = "{name}"' in drafted)
    assert assay.check([example], rules=drafted.encode()).ok


@pytest.mark.parametrize("format", FORMATS)
def test_a_file_of_another_format_than_the_rules_ask_for_is_told_and_never_raises(format) -> None:
    for name, example in EXAMPLES.items():
        file = assay.check([example.encode()], rules={"format": format}).files[0]
        assert file.format == format
        assert {finding.kind for finding in file.findings} <= set(KINDS), name


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("depth = 5\n\ntag = '['\n", 3),
        ("depth = 5\ndeep = 7\n", 2),
        ("depth = 5\n# \u00e9\n= 7\n", 3),
        ("[topics]\n", 1),
    ],
)
def test_what_is_wrong_with_rules_is_told_with_its_line(text, line, tmp_path) -> None:
    path = tmp_path / "rules.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as problem:
        assay.check([b"1 Q0 a 1 9 t\n"], rules=path)
    assert str(problem.value).startswith(f"{path}:{line}: ")


def test_documents_of_sets_are_no_labels() -> None:
    sets = b"".join(b"t%d d%d\n" % (i, i % 2) for i in range(20))
    assert "labels" not in assay.check([sets]).draft_rules()


def test_a_name_cannot_end_the_comment() -> None:
    file = File('x\ndepth = 1\n"')
    file.format, file.tags, file.topics, file.deepest = "trec-run", ['a"b\u00e9' * 9], 1, 1
    assert read_rules(draft(file).encode()).as_dict()["tag"] == ".{1,36}"
