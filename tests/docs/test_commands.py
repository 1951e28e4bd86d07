"""Every command that a document shows is one: those with their output are run by the tests of their pages, and the others here, on small
files that are called as the documents call theirs; what writes a page or waits for a browser is parsed.

A command stands in a ```console block with what it prints, in a ```sh block without, or as code within a sentence.
"""

from __future__ import annotations

import glob
import lzma
import re
import shlex
import tomllib
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from pages import PAGES_WITH_FILES, ROOT, console_blocks

from assay.cli import commands, main
from assay.cli.commands.trec_eval import LONG, Options
from assay.demo import data
from assay.measures import define, registry

NAMES = [command.name for command in commands.every()]
PAGES = ["README.md", "CONTRIBUTING.md", *sorted(str(p.relative_to(ROOT)) for p in (ROOT / "docs").glob("*.md"))]
TEXTS = {page: (ROOT / page).read_text(encoding="utf-8") for page in PAGES}
WALKED = "docs/organising.md"
"""The page whose commands follow each other; tests/docs/test_organising.py runs all of them in their order."""
RUN_ELSEWHERE = {WALKED, *(f"docs/{page}" for page in PAGES_WITH_FILES)}
"""Pages with files of their own; tests/docs/test_files_of_pages.py runs their console blocks."""
PARSED = {"report", "view", "pack", "demo", "judge"}
"""Commands that take seconds each, or end when somebody ends them; tests/cli runs them."""
RANKED = {
    "qrels.txt", "runs/", "runs", "bm25.run", "dense.run", "runs.toml", "topics.txt", "topics.tsv", "topics.jsonl", "docs.jsonl",
    "periods.txt", "ap.csv", "p10.csv", "ndcg.csv", "nDCG.csv", "adhoc8_ap.csv", "board.csv", "TRACK.csv", "scores.json", "mine.py",
    "runs/*.xz",
    "ann.qrels", "bob.qrels", "machine.qrels", "judgments.csv", "pilot.csv", "sample.strata", "pool.jsonl",
    "ann.judgments.jsonl", "bob.judgments.jsonl",
    "organising/pool.jsonl", "organising/topics.jsonl", "organising/docs.jsonl",
    "followir.run", "changed.json", "rules.toml", "scores/",
}  # fmt: skip
ANSWERS = {
    "gold.jsonl",
    "old.jsonl",
    "new.jsonl",
    "run.jsonl",
    "bold.jsonl",
    "shy.jsonl",
    "runs/*.jsonl",
    "graded.csv",
    "logs/",
    "logs",
    "judgments.jsonl",
    "judge.csv",
    "labels.csv",
}
PUBLIC = {"qrels-rnd1.txt", "BERT", "prefs.test", "prefs.results.test", "qrels.test", "results.test"}
"""Files of NIST's and of TREC-COVID's, which a clone has not; tests/peers and tests/test_trec_covid.py run on them."""
OWN = {"suite/", "out/", "battles.csv", "assignments.jsonl", "support.jsonl", "results/*/annotations.json"}
"""What pages with files of their own speak of."""
OUTPUT = re.compile(r"-o|--output|--comment|--save-scores|--write|--write-rules|--adjudicate|--qrels|--store")
FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
PLUGIN = re.search(r"^```python\n([^`]*?\bLast\b.*?)^```", TEXTS["CONTRIBUTING.md"], re.MULTILINE | re.DOTALL)


def lines_of(page: str) -> list[str]:
    """Commands without output: the lines of sh blocks, and the examples of every command's help."""
    blocks = FENCE.findall(TEXTS[page])
    found = [line for kind, block in blocks if kind == "sh" for line in block.splitlines() if line.strip()]
    for _, block in blocks if page == "docs/commands.md" else ():
        examples = block.partition("example")[2]
        found += [re.split(r"\s{3,}", line.strip())[0] for line in re.findall(r"^  assay .*", examples, re.MULTILINE)]
    return found


def inline(page: str) -> list[str]:
    """Commands within sentences and tables."""
    return re.findall(r"`((?:assay|make|python|pip|inspect) [^`\n]*)`", FENCE.sub("", TEXTS[page]))


def words_of(line: str) -> list[str]:
    """The words of a command, without what is set for it and without what is said of it."""
    words = shlex.split(line, comments=True)
    while re.match(r"[A-Z_]+=", words[0]):
        words = words[1:]
    return words


SHOWN = {(page, line): words_of(line) for page in PAGES if page != WALKED for line in lines_of(page)}
OURS = sorted({tuple(words) for words in SHOWN.values() if words[0] == "assay"})
EXECUTED = [
    words for words in OURS if words[1] not in PARSED and "dask" not in words and not (PUBLIC | OWN) & set(words)
]


def unknown_files(words: list[str]) -> list[str]:
    """Words that look like files and are none that a test knows; an output may be called anything."""
    given = [word for before, word in pairwise(words) if not OUTPUT.fullmatch(before)]
    looks = [word.rpartition("=")[2] for word in given if re.search(r"/$|\.[a-z]+$|^runs$|^logs$", word)]
    return [word for word in looks if word not in RANKED | ANSWERS | PUBLIC | OWN]


def test_there_is_something_to_check() -> None:
    assert len(EXECUTED) > 25
    assert len(OURS) > 45


def test_every_page_with_output_is_run() -> None:
    """tests/test_docs.py runs the pages that say where their data comes from."""
    with_output = {page for page in PAGES if console_blocks(page)}
    on_demo_data = {page for page in with_output if "the data that `assay demo`" in TEXTS[page]}
    assert with_output - on_demo_data - RUN_ELSEWHERE == set()
    for page in with_output:
        strange = [command for _, command, _ in console_blocks(page) if not command.startswith("assay ")]
        assert strange == [], page


def test_no_command_hides_in_another_block() -> None:
    """Where a block is neither console nor sh, its lines would be checked by nobody. The pipeline of gate_gitlab.md is run as a whole."""
    for page in PAGES:
        for kind, block in FENCE.findall(TEXTS[page]):
            if kind not in ("console", "sh") and (page, kind) not in {
                ("docs/commands.md", ""),
                ("docs/gate_gitlab.md", "yaml"),
                ("CONTRIBUTING.md", "markdown"),
            }:
                found = re.findall(
                    rf"^\W*(?:assay (?:{'|'.join(NAMES)})|make \w+|pip install|inspect eval)\b.*",
                    block,
                    re.MULTILINE,
                )
                assert found == [], page


def test_options_and_files_exist(subtests) -> None:
    for words in OURS:
        with subtests.test(" ".join(words)):
            assert unknown_files(list(words)) == []
            if words[1] == "trec_eval":
                assert len(Options(words[2:]).files) == 2
            elif words[1] not in ("COMMAND", "--version"):
                commands.find(words[1]).parser(words[2:]).parse_args(words[2:])


@pytest.fixture(scope="module")
def worlds(tmp_path_factory) -> dict[str, Path]:
    """Folders with what goes with qrels, with right answers, with answers to questions of no cluster, and with compressed runs."""
    import assay

    ranked, answers = tmp_path_factory.mktemp("ranked"), tmp_path_factory.mktemp("answers")
    for folder, files in ((ranked, data.ranked(1, topics=50, documents=20)), (answers, data.answers(1, questions=500))):
        for name, content in files.items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_text(content, encoding="utf-8")
    judges = data.judges(1)
    for name, content in judges.items():
        (ranked / name).write_text(content, encoding="utf-8")
    rows = [line.split() for line in judges["ann.qrels"].splitlines()]
    (ranked / "pool.jsonl").write_text("".join(f'{{"topic": "{row[0]}", "document": "{row[2]}"}}\n' for row in rows))
    for judge in ("ann", "bob"):
        lines = map(str.split, judges[f"{judge}.qrels"].splitlines())
        told = [f'{{"topic": "{t}", "document": "{d}", "grade": {g}, "judge": "{judge}"}}\n' for t, _, d, g in lines]
        (ranked / f"{judge}.judgments.jsonl").write_text("".join(told))
    said = {"human": judges["ann.qrels"], "machine": judges["machine.qrels"]}
    rows = [(*line.split(), judge) for judge, text in said.items() for line in text.splitlines()]
    table = "".join(f"{topic},{document},{judge},{grade}\n" for topic, _, document, grade, judge in rows)
    (ranked / "judgments.csv").write_text(f"topic,document,judge,grade\n{table}", encoding="utf-8")
    sample = [line.split() for line in judges["bob.qrels"].splitlines()]
    drawn = "".join(
        f"{topic} 0 {document} 1 {grade if n % 2 else -1}\n" for n, (topic, _, document, grade) in enumerate(sample)
    )
    (ranked / "sample.strata").write_text(drawn)
    for name in ("topics.txt", "rules.toml"):
        (ranked / name).write_text(data.organising(1, topics=50)[name])
    for name in ("bm25", "dense"):
        (ranked / f"{name}.run").write_bytes((ranked / "runs" / f"{name}.run").read_bytes())
    (ranked / "followir.run").write_text(
        "q1-og Q0 d7 1 2 f\nq1-og Q0 d8 2 1 f\nq1-changed Q0 d8 1 2 f\nq1-changed Q0 d7 2 1 f\n"
    )
    verdicts = "".join(f"q{i},{i % 3 > 0:d},{'' if i > 60 else int(i % 5 > 1)}\n" for i in range(600))
    (ranked / "pilot.csv").write_text(f"id,judge,human\n{verdicts}")
    (ranked / "changed.json").write_text('{"q1": ["d7"]}')
    table = assay.evaluate(str(ranked / "qrels.txt"), str(ranked / "runs"), ["AP", "P@10", "nDCG@10"])
    for name, measure in {"ap": "AP", "p10": "P@10", "ndcg": "nDCG@10"}.items():
        (ranked / f"{name}.csv").write_text(table.to_csv(measure), encoding="utf-8")
    rows = (ranked / "ap.csv").read_text().splitlines()
    lacking = [row.rpartition(",")[0] + "," if n in (3, 8) else row for n, row in enumerate(rows)]
    (ranked / "board.csv").write_text("\n".join(lacking) + "\n")
    named = (ranked / "ap.csv").read_text().replace("bm25-rm3", "run125", 1).replace("dense", "run126", 1)
    (ranked / "adhoc8_ap.csv").write_text(named)
    for folder in (ranked, answers):
        named = sorted(path.stem for path in (folder / "runs").iterdir())
        described = (f'["{run}"]\nlanguage = "{"de" if n % 2 else "en"}"\n' for n, run in enumerate(named))
        (folder / "runs.toml").write_text("".join(described))
    assert PLUGIN is not None
    (ranked / "mine.py").write_text(PLUGIN[1])
    assert (
        main(
            [
                "evaluate",
                str(ranked / "qrels.txt"),
                str(ranked / "runs"),
                "-q",
                "-f",
                "json",
                "-o",
                str(ranked / "scores.json"),
            ]
        )
        == 0
    )
    sources = sorted((answers / "runs").iterdir())
    for name, source in zip(("old", "new", "run", "bold", "shy"), [*sources, *sources, *sources][:5], strict=True):
        (answers / f"{name}.jsonl").write_bytes(source.read_bytes())
    (answers / "graded.csv").write_text(GRADED)
    some = [line.split(",")[:3] for line in GRADED.splitlines()[1:] if int(line.split(",")[1][1:]) % 3 == 0]
    (answers / "labels.csv").write_text("run,id,human\n" + "".join(",".join(cells) + "\n" for cells in some))
    (answers / "judge.csv").write_text(
        "id,judge,human\n" + "".join(f"q{n},{n % 2},{n % 2 if n < 9 else ''}\n" for n in range(40))
    )
    for name, content in data.logs(1).items():
        (answers / "logs" / name).parent.mkdir(parents=True, exist_ok=True)
        (answers / "logs" / name).write_text(content, encoding="utf-8")
    (ranked / "followir.run").write_text("".join(f"q1-{when} Q0 d1 1 1.0 r\n" for when in ("og", "changed")))
    (ranked / "changed.json").write_text('{"q1": ["d1"]}')
    packed = tmp_path_factory.mktemp("packed")
    (packed / "runs").mkdir()
    (packed / "qrels.txt").write_bytes((ranked / "qrels.txt").read_bytes())
    (packed / "runs" / "bm25.xz").write_bytes(lzma.compress((ranked / "bm25.run").read_bytes()))
    return {"ranked": ranked, "answers": answers, "packed": packed}


def graded(run: str, seed: int) -> str:
    """Forty judged answers of one run, most of them right, with a confidence and two fields."""
    chance = Random(seed)
    rows = [(n, chance.random() < 0.85 - n / 60, chance.randrange(9)) for n in range(40)]
    return "".join(
        f"{run},q{n},{'correct' if right else 'incorrect'},0.{1 + sure},{'art' if n % 2 else 'law'},{'en' if n % 3 else 'es'}\n"
        for n, right, sure in rows
    )


GRADED = "run,id,outcome,confidence,subject,lang\n" + "".join(
    graded(f"other{seed}" if seed else "gpt-4o", seed) for seed in range(6)
)


@pytest.mark.parametrize("command", sorted({words[1] for words in EXECUTED}))
def test_it_runs(worlds, monkeypatch, capfd, command, subtests) -> None:
    for words in EXECUTED:
        if words[1] == command:
            with subtests.test(" ".join(words)), monkeypatch.context() as patched:
                run_shown(worlds, patched, capfd, words)


def run_shown(worlds: dict[str, Path], monkeypatch, capfd, words: tuple[str, ...]) -> None:
    if words[1] in ("COMMAND", "--version"):
        words = ("assay", "--version")
    monkeypatch.chdir(worlds["answers" if ANSWERS & set(words) else "packed" if "runs/*.xz" in words else "ranked"])
    given = [name for word in words for name in (sorted(glob.glob(word)) if "*" in word else [word])]
    registry.declarations()  # all of them, so that none is declared meanwhile but a plugin's
    monkeypatch.setattr(define, "_declared", {task: dict(names) for task, names in define._declared.items()})
    code = main(given[1:])
    assert code in (0, 1), capfd.readouterr().err


def makefile() -> set[str]:
    return set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_commands_of_others() -> None:
    """make has the target, Python the script, pip the package and its extras; what Inspect takes is asked of it in tests/peers."""
    shown = [(page, words) for (page, _), words in SHOWN.items() if words[0] != "assay"]
    inside = [(page, shlex.split(line)) for page in PAGES for line in inline(page) if not line.startswith("assay")]
    for page, words in [*shown, *inside]:
        match words:
            case ["make", target, *more]:
                assert target in makefile(), target
                assert all(re.fullmatch(r"[A-Z]+=\w+", word) for word in more)
            case ["python", script]:
                assert (ROOT / script).is_file(), script
            case ["pip", "install", what]:
                name, extras = re.fullmatch(r"([\w.-]+?)(?:\[([\w,]+)\])?(?:==VERSION)?|dist/…whl", what).groups()
                assert name in (None, ".", "pyarrow", PROJECT["name"]), what
                assert set((extras or "").split(",")) - {""} <= set(PROJECT["optional-dependencies"])
            case (
                ["inspect", "eval" | "eval-set" | "score" | "view", *_]
                | ["dask", "scheduler" | "worker", *_]
                | ["trec_eval", *_]
            ):
                pass
            case _:
                pytest.fail(f"{page}: nobody checks {shlex.join(words)}")


def test_commands_within_sentences() -> None:
    """Often a part of one, or with … in it: the command is there, and every option is its own."""
    for line in dict.fromkeys(line for page in PAGES for line in inline(page)):
        program, command, *words = shlex.split(line)
        if program != "assay" or command in ("--version", "--help"):
            continue
        assert command in NAMES, line
        assert unknown_files([command, *words]) == [], line
        options = {word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)}
        if command == "trec_eval":
            assert options <= {f"--{name.rstrip('=')}" for name in LONG} | {
                f"-{letter}" for letter in "hvqmclnDJNMRTZ"
            }, line
        else:
            # This help lists every option, whatever else is missing.
            assert options <= set(commands.find(command).parser(["--help", "all"])._option_string_actions), line
