"""The list of public names: complete, and a name that disappears from the code is an error that says what to do."""

from __future__ import annotations

import pytest
from pages import ROOT, load_generator

from assay.formats.recognition import Reader

generate, public_names = load_generator("generate"), load_generator("public_names")


@pytest.fixture(scope="module")
def declared() -> tuple[list[type], list[Reader]]:
    return generate.result_classes(), generate.declared_readers()


LISTED = (ROOT / "docs" / "public_names.txt").read_text("utf-8").splitlines()


@pytest.mark.parametrize(
    "name",
    [
        "python assay.compare",
        "python assay.compare(scores) at 1",
        "python assay.compare(measure) at 2",
        "python assay.compare(baseline)",
        "python assay.compare(**ScoringWithoutSeed)",
        "keyword ScoringWithoutSeed depth",
        "python assay.Scores.topics",
        "python assay.Scores.to_csv(measure) at 1",
        "python assay.analyses.comparison.result.Comparison.tiers",
        "python assay.analyses.comparison.result.PairResult.difference",
        "python assay.FormatError.line",
        "python assay.define.topic(higher_is_better)",
        "command compare",
        "option compare --baseline",
        "task known-item",
        "setting ranked depth",
        "measure ranked AP",
        "measure ranked map",
        "measure ranked P(rel)",
        "format log inspect",
    ],
)
def test_names_of_every_kind_are_listed(name) -> None:
    assert name in LISTED


def test_the_list_has_every_public_name_and_no_other(declared) -> None:
    assert sorted(set(public_names.public_names(*declared))) == LISTED


def test_a_name_that_disappears_is_refused_and_a_new_one_is_added(declared, tmp_path, monkeypatch) -> None:
    shortened = tmp_path / "public_names.txt"
    monkeypatch.setattr(public_names, "LIST", shortened)
    shortened.write_text("".join(f"{name}\n" for name in LISTED if name != "command compare"))
    assert public_names.page(*declared).splitlines() == LISTED
    shortened.write_text("".join(f"{name}\n" for name in sorted([*LISTED, "python assay.compare(versus)"])))
    with pytest.raises(
        SystemExit,
        match=r"^docs/public_names\.txt: python assay\.compare\(versus\): no longer in the code\. Fix: keep ",
    ):
        public_names.page(*declared)
