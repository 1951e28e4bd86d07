"""Names that are each run's own, by the rule written plainly, and in one pass."""

from __future__ import annotations

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.io.sources import Source
from assay.table.run_names import make_names_unique
from assay.table.run_scores import RunScores


@pytest.mark.slow
def test_naming_many_runs_does_not_take_the_square_of_their_number() -> None:
    """30,000 runs that share a tag two and two; comparing each with each would be 450 million comparisons."""
    many = [RunScores(f"t{i // 2}", None, {}, ()) for i in range(30_000)]
    named = make_names_unique(many, [Source(f"r{i}", path=f"r{i}") for i in range(30_000)], "tag")
    assert [run.name for run in named] == [f"r{i}" for i in range(30_000)]
    assert many[0].notes.warnings == [
        "30000 runs are not alone in their names (t0, t1, t10, t100, t1000, t10000, t10001, t10002, t10003, t10004 and 14,990 more); "
        "naming them by file name"
    ]


def plainly(tags: list[str], paths: list[str], own: list[bool], name_by: str) -> list[str]:
    """The rule for names, each run held against all: the tag, else the file's name, its folder's, the path, a number."""
    stems = [os.path.basename(path) for path in paths]
    folders = [os.path.basename(os.path.dirname(os.path.abspath(path))) for path in paths]
    names = [stem if name_by == "file" and mine else tag for tag, stem, mine in zip(tags, stems, own, strict=True)]
    clashing = [i for i, name in enumerate(names) if names.count(name) > 1]
    for instead in (stems, folders, paths):
        if all(names.count(name) == 1 for name in names):
            return names
        for i in clashing:
            names[i] = instead[i] if own[i] else names[i]
    return [f"{n}#{names[: i + 1].count(n)}" if names.count(n) > 1 else n for i, n in enumerate(names)]


@given(
    files=st.lists(
        st.tuples(
            st.sampled_from(["x/a", "y/a", "x/b", "z"]), st.lists(st.sampled_from("abxz"), min_size=1, max_size=3)
        ),
        min_size=1,
        max_size=6,
    ),
    name_by=st.sampled_from(["tag", "file"]),
)
def test_names_are_those_of_the_rule_written_plainly(files, name_by) -> None:
    sources: list[Source] = []
    for path, tags in files:
        sources += [Source(path, path=path)] * len(tags)
    shared = {path for path, tags in files if len(tags) > 1}
    tags = [tag for _, inside in files for tag in inside]
    paths = [source.name for source in sources]
    named = make_names_unique([RunScores(tag, None, {}, ()) for tag in tags], sources, name_by)
    assert [run.name for run in named] == plainly(tags, paths, [path not in shared for path in paths], name_by)
    assert len({run.name for run in named}) == len(named)


@pytest.mark.parametrize(("tags", "said"), [(2, "t0, t1"), (10, ", ".join(f"t{i}" for i in range(10)))])
def test_a_warning_lists_the_names_that_are_shared(tags, said) -> None:
    runs = [RunScores(f"t{i // 2}", None, {}, ()) for i in range(2 * tags)]
    make_names_unique(runs, [Source(f"r{i}", path=f"r{i}") for i in range(2 * tags)], "tag")
    assert runs[0].notes.warnings == [
        f"{2 * tags} runs are not alone in their names ({said}); naming them by file name"
    ]
