"""Tables of outcomes in two layouts: CSV, TSV, Parquet, data frames, and records (JSONL, a JSON array, a list of dicts).

    long   a line per run and question: run, id, then outcome, answer or score, confidence, candidate, sample, kind, problem,
           and what the answer took: cost (dollars), latency (seconds), tokens
    wide   a line per question: id, a gold column, and a column per run with its answers (or, without a gold column,
           with outcomes); a cell ABSENT says that the run does not mention the question

An empty answer leaves the question unanswered. An empty outcome or score says neither right nor wrong: the question is excluded
for that run, and a remark counts such cells. An empty cost, latency or tokens is not known. Samples count from 0 or 1.

`columns="run=llm,id=qset+question_id"` names columns that are called something else; several joined by + make one id.
Python may give a dict, as in `columns={"run": "llm"}`. Where neither these names nor `columns` say what decides, `resolved`,
`passed` or `is_correct` is the outcome, `score` or `reward` the score, or `pred` the answer beside a gold called `answer`.
Every other column is a field of the question, to group by. A data frame is read as its lines would be.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from assay.errors import InputError, shorten_list
from assay.formats.answers.column_roles import OTHER_VERDICT, ROLES, USUAL, named_columns
from assay.formats.answers.outcome_words import USUAL as USUAL_WORDS
from assay.formats.answers.outcome_words import Words, outcome_of
from assay.formats.answers.questions import NIL, GoldAnswer, GoldQuestion, says_decline
from assay.formats.answers.rows import (
    CORRECT,
    GRADED,
    INCORRECT,
    NO_VERDICT,
    SHOULD_DECLINE,
    USAGE,
    OutcomeColumns,
    Rows,
    confidence_of,
    number_samples_from_1,
)
from assay.formats.answers.sample_names import SampleNumbers
from assay.formats.answers.usual_names import (
    ATTEMPTS,
    MODELS,
    SAMPLES,
    VERDICTS,
    Guess,
    ambiguity,
    guesses,
    likely,
    likely_id,
)
from assay.formats.frames import alternatives as alternatives_of
from assay.formats.frames import as_frame, check_ids, table_rows
from assay.formats.object_ids import note_line
from assay.formats.recognition import reads
from assay.formats.records import JSON_RECORDS, Records
from assay.io.heads import Head
from assay.io.sources import Source

OPTIONAL_ROLES = ("answer", "confidence", "candidate", "sample", "score", "kind", "problem", *USAGE)
"""The roles of cells that a line of a long table may leave empty."""
NO_PROBLEM = ("", "none", "null", "nan", "na", "<na>", "false", "0", "no")
"""Cells of a column named as the problem that say there was none."""
ABSENT = "ABSENT"
TRUTH = {"true": "1", "false": "0"}
"""Scores in words."""
ROW_NUMBERS = ("", "Unnamed: 0")
"""Names of the column of row numbers that pandas writes and reads back; it is ignored."""


class OutcomesTable(msgspec.Struct, eq=False):
    """The content of a file: its runs, its own gold if it has any, and the fields of its questions."""

    runs: dict[str, Rows] = {}
    gold: list[GoldQuestion] | None = None
    fields: dict[str, dict[str, Any]] = {}
    """By field and question. A field that differs between runs of one question is dropped."""
    remark: str = ""
    """What was read by a usual name, in words."""
    header: list[str] = []

    def check_repeats(self, source: Source, columns: Mapping[str, str]) -> None:
        """Refuse a question that a run answers twice without a number of the sample, and say which columns may tell."""
        for rows in self.runs.values():
            if rows.samples is not None or len({*rows.ids}) == len(rows.ids):
                continue
            first: dict[str, int] = {}
            for identity, line in zip(rows.ids, rows.lines, strict=True):
                if identity in first:
                    left = [name for name in self.header if name not in columns.values()]
                    sample, run = likely(left, ATTEMPTS), likely(left, MODELS)
                    fixes = [f"`columns='sample={sample}'` where these are several attempts"]
                    if "run" not in columns and {*USUAL["run"]}.isdisjoint(self.header) and run not in ("…", sample):
                        fixes.append(f"`columns='run={run}'` where they are several runs")
                    problem = (
                        f"question {identity!r} is already on line {first[identity]}. Fix: add {', or '.join(fixes)}"
                    )
                    raise source.error(line, problem)
                first[identity] = line


def _names(head: Head) -> bool:
    """a first line of names between commas, tabs or semicolons, none of them a number; a data frame; Parquet; a list of dicts."""
    return head.shape in ("table", "frame", "parquet", "records")


def _names_of_gold(head: Head) -> bool:
    """a first line of names, none of them a number; a data frame, Parquet or list of dicts with a column gold, outcome or answer."""
    if head.shape == "parquet":
        return any(name in head.text for name in (b"gold", b"outcome", b"answer"))
    return head.shape == "table" or not {"gold", "outcome", "answer"}.isdisjoint(head.columns)


NATIVE = ("answer", "answers", "outcome", "candidate", "score", "kind", "problem")
"""Fields of a line of answers."""
OTHERS = ("value", "judgment", "winner", "label", "nuggets")
"""Fields of other files with ids."""


def _records_by_usual_names(head: Head) -> bool:
    """a first object with an id, and `correct`, `passed`, `reward` or another usual name, but no field of a line of answers."""
    usual = head.has("correct", "reward", "pred", "prediction", *VERDICTS)
    if head.has(*OTHERS) or not head.has(*USUAL["id"]):
        return False
    return usual and not head.has(*NATIVE) if head.has("id") else usual or head.has("answer", "outcome", "score")


@reads(
    "records",
    role="run",
    task="outcomes",
    yields="answers or outcomes of one or more runs, by usual names",
    recognises=_records_by_usual_names,
    shapes="json array",
    after=("nugget-run", "nugget-assignments", "citation-support", "kilt", "dpr", "search-hits", "rank-eval"),
)
@reads(
    "table run",
    role="run",
    task="outcomes",
    yields="answers or outcomes of one or more runs",
    recognises=_names,
    shapes="table parquet frame records",
    after=("argue-scores", "pan-answers"),
    recovers="row, line",
)
@reads(
    "table",
    role="gold",
    task="outcomes",
    yields="questions with a gold column",
    recognises=_names_of_gold,
    shapes="table parquet frame records",
    after=("battles", "argue-scores"),
)
def read_table(
    source: Source, columns: Mapping[str, str] | None = None, as_gold: bool = False, words: Words = USUAL_WORDS,
    guess: bool = True,
) -> OutcomesTable:  # fmt: skip
    """Read all runs of a table, long or wide.

    as_gold   also accept files with gold alone
    guess     where nothing else says what decides, read the columns with usual names, even if there are answers to judge
    """
    columns = columns or {}
    source = as_frame(source)
    records = Records(source) if source.head.shape in (*JSON_RECORDS, "records") else None
    header, lines = table_rows(source) if records is None else (records.names, records.rows())
    places = _places(source, header, columns)
    if "id" not in places:
        advice = f"name it with `columns='id={likely_id(header)}'`"
        raise source.error(1, f"no column for the question's id among {', '.join(header)}; {advice}")
    if records is None:
        check_ids(source, places["id"])
    else:
        records.check_ids(places["id"])
    if as_gold and "gold" not in places and "answer" in places and "run" not in places:
        places["gold"] = places.pop("answer")
    is_guessed = not as_gold and (guess or "answer" not in places)
    reading = _guess(source, header, places, columns) if is_guessed else None
    if reading is not None and _may_be_wide(reading, places):
        # A table with a column per run may have columns of these names, too.
        lines = iter(read := list(lines))
        reading = None if _other_runs(header, read, places, reading, words) else reading
    if reading is not None:
        places |= {role: [header.index(name)] for role, name in reading.columns.items()}
    scored = "score" in places and ("run" in places or "score" in columns or reading is not None)
    if scored and "outcome" not in places and "answer" not in places:
        places["outcome"] = places.pop("score")
        words = words.of_any_range() if "score" in columns else words
    alternatives: Mapping[int, list[str]] = {}
    if "gold" in places:
        gold = places["gold"][0]
        alternatives = alternatives_of(source, gold) if records is None else records.alternatives(gold)
    if "outcome" in places or "answer" in places:
        table = _read_long(source, header, places, lines, columns, words, alternatives)
    else:
        table = _read_wide(source, header, places, lines, columns, as_gold, words, alternatives)
    for rows in table.runs.values():
        _keep_other_ranges(rows)
    table.header = header
    table.remark = "" if reading is None else reading.remark
    if as_gold and table.gold:
        return table
    if not table.runs or not any(rows.ids for rows in table.runs.values()):
        raise InputError(f"{source.name}: holds no answers below its header")
    if source.label and len(table.runs) == 1:
        (rows,) = table.runs.values()
        rows.name = source.label
        table.runs = {source.label: rows}
    return table


def _guess(
    source: Source, header: list[str], places: Mapping[str, list[int]], columns: Mapping[str, str]
) -> Guess | None:  # fmt: skip
    """Return the reading of a table by usual names; None where its roles are known, or where there is none."""
    if "outcome" in places or "gold" in places or not {"score", "runs"}.isdisjoint(columns):
        return None
    named = named_columns(columns)
    readings = guesses([name for name in header if name not in named])
    readings = [reading for reading in readings if reading.columns.keys().isdisjoint(columns)]
    if len(readings) > 1:
        raise source.error(1, ambiguity(readings, _joined(columns)))
    return readings[0] if readings else None


def _may_be_wide(reading: Guess, places: Mapping[str, list[int]]) -> bool:
    return "run" not in places and ("gold" in reading.columns or reading.columns.get("score") == "score")


def _other_runs(
    header: list[str], lines: Sequence[tuple[int, list[str]]], places: Mapping[str, list[int]], reading: Guess,
    words: Words,
) -> bool:  # fmt: skip
    """Return whether columns outside a reading look like runs."""
    taken = {*places["id"], *(header.index(name) for name in reading.columns.values())}
    left = [place for place, name in enumerate(header) if place not in taken and not is_noted(name)]
    by_place = {place: [cells[place].strip() for _, cells in lines] for place in left}
    gold = header.index("answer") if "gold" in reading.columns else None
    return bool(_run_columns(lines, gold, set(), by_place, words))


def _places(source: Source, header: Sequence[str], columns: Mapping[str, str]) -> dict[str, list[int]]:
    """Return the column indices of each role."""
    places: dict[str, list[int]] = {}
    place_of = {name: place for place, name in enumerate(header)}
    # A column that `columns` gives a role plays no other role by its name.
    taken = named_columns(columns)
    for role in ROLES[:-1]:
        if role in columns:
            parts = columns[role].split("+")
            for column in parts:
                if column not in place_of:
                    problem = f"no column {column!r} (`columns='{role}={column}'`); it has {', '.join(header)}"
                    raise source.error(1, problem)
        elif OTHER_VERDICT.get(role) in columns:
            continue
        else:
            parts = [usual for usual in USUAL.get(role, ()) if usual in place_of and usual not in taken][:1]
        if parts:
            places[role] = [place_of[column] for column in parts]
    return places


def _read_long(
    source: Source,
    header: list[str],
    places: dict[str, list[int]],
    lines: Iterator[tuple[int, list[str]]],
    columns: Mapping[str, str],
    words: Words,
    alternatives: Mapping[int, list[str]],
) -> OutcomesTable:
    table = OutcomesTable()
    stated: dict[str, OutcomeColumns] = {}
    # A column that is only part of the id, such as the name of a question set, is still worth grouping by.
    used = {indices[0] for role, indices in places.items() if role != "fields" and len(indices) == 1}
    others = places.get("fields") or [p for p, name in enumerate(header) if p not in used and name not in ROW_NUMBERS]
    differing: set[str] = set()
    scored_failures: Counter[str] = Counter()
    fields = {header[place]: place for place in others} | _declining(places)
    table.fields = {name: {} for name in fields}
    single = source.label or source.stem
    outcome, gold = places.get("outcome", [None])[0], places.get("gold", [None])[0]
    known: dict[str, tuple[str, int]] = {}
    outcome_name = "outcome" if outcome is None else header[outcome]
    fix = f". Fix: `columns='score={outcome_name}'` takes scores of any range as they are"
    samples = SampleNumbers(source, "sample" in columns) if "sample" in places else None
    for line, cells in lines:
        run = "/".join(cells[place] for place in places["run"]) if "run" in places else single
        identity = "/".join(cells[place] for place in places["id"])
        if not identity or not run:
            raise source.error(line, f"the {'question' if run else 'run'} has no name")
        rows = table.runs.get(run)
        if rows is None:
            rows = table.runs[run] = Rows(run, source.name)
            stated[run] = OutcomeColumns(rows)
        statements = {role: cells[places[role][0]].strip() or None for role in OPTIONAL_ROLES if role in places}
        sure, worth = statements.get("confidence"), statements.get("score")
        if "problem" in columns:
            problem = statements["problem"]
            statements["problem"] = None if problem is None or problem.lower() in NO_PROBLEM else problem
        if "problem" in columns and statements["problem"] is not None:
            # Harnesses often score a failed attempt, mostly with 0.
            scored_failures[run] += any(
                _is_above_0(cell, words) for cell in (worth, None if outcome is None else cells[outcome])
            )
            verdict = worth = statements["kind"] = None
        else:
            verdict = (
                None if outcome is None else outcome_of(cells[outcome], source.name, line, words, outcome_name, fix)
            )
            if verdict is None and "score" in places:
                verdict = NO_VERDICT, None  # until a score says otherwise
        stated[run].add(
            identity, line, verdict, score=TRUTH.get(str(worth).lower(), worth), kind=statements.get("kind"),
            problem=statements.get("problem"), text=statements.get("answer"), candidate=statements.get("candidate"),
            confidence=None if sure is None else confidence_of(sure, source.name, line),
            sample=None if samples is None else samples.number(run, identity, line, statements["sample"]),
            usage={name: statements.get(name) for name in USAGE},
        )  # fmt: skip
        for name, place in fields.items():
            before = table.fields[name].setdefault(identity, cells[place])
            if before != cells[place]:
                differing.add(name)
                if name == SHOULD_DECLINE:
                    both = f"{cells[place]!r} here and {before!r} above"
                    raise source.error(
                        line, f"{SHOULD_DECLINE} of question {identity!r} is {both}; expected one of them"
                    )
        if gold is not None:
            right, before = known.setdefault(identity, (cells[gold].strip(), line))
            if right != cells[gold].strip():
                problem = f"question {identity!r} has the gold {cells[gold]!r} here and {right!r} on line {before}"
                raise source.error(line, problem)
    for name, count in scored_failures.items():
        if count:
            several = f"{count} answers have a problem and a score above 0, and count"
            several = "1 answer has a problem and a score above 0, and counts" if count == 1 else several
            table.runs[name].warnings.append(f"{name}: {several} as failed (`columns='problem={columns['problem']}'`)")
    for notes in stated.values():
        notes.finish()
    number_samples_from_1(table.runs.values())
    for name in differing:
        del table.fields[name]
    if known:
        table.gold = [_question(source, table, identity, *answer, alternatives) for identity, answer in known.items()]
    return table


def _keep_other_ranges(rows: Rows) -> None:
    """Where a run has scores outside 0 to 1, take 0 and 1 for scores as well, not for wrong and right."""
    if rows.scores is not None and any(score is not None and not 0 <= score <= 1 for score in rows.scores):
        for place, state in enumerate(rows.outcomes):
            if state in (CORRECT, INCORRECT):
                rows.outcomes[place] = GRADED


def _declining(places: Mapping[str, list[int]]) -> dict[str, int]:
    """Return the column that tells which questions should be declined, as a field of that name."""
    return {SHOULD_DECLINE: places[SHOULD_DECLINE][0]} if SHOULD_DECLINE in places else {}


def _is_above_0(cell: str | None, words: Words) -> bool:
    """Return whether a cell gives any credit, as an outcome or as a score.

    >>> [_is_above_0(cell, Words()) for cell in ("1", "0.5", "0", "wrong", "crashed", None)]
    [True, True, False, False, False, False]
    """
    try:
        return cell is not None and words(cell)[0] in (CORRECT, GRADED)
    except ValueError:
        return False


def _question(
    source: Source, table: OutcomesTable, identity: str, text: str, line: int, alternatives: Mapping[int, list[str]]
) -> GoldQuestion:
    """Return a question with the answer of a cell, or with all answers of a list, of which any is right."""
    fields = {name: values[identity] for name, values in table.fields.items()}
    try:
        decline = says_decline(fields.get(SHOULD_DECLINE, ""))
    except ValueError as problem:
        raise source.error(line, str(problem)) from None
    texts = [answer for answer in alternatives.get(line, [text]) if answer]
    if not texts and not decline:
        raise source.error(line, f"question {identity!r} has no answer in the gold column")
    known = [] if texts == [NIL] else [GoldAnswer(answer) for answer in texts]
    return GoldQuestion(identity, line, known, nil=not known, fields=fields)


def _read_wide(
    source: Source, header: list[str], places: dict[str, list[int]], lines: Iterator[tuple[int, list[str]]],
    columns: Mapping[str, str], as_gold: bool, words: Words, alternatives: Mapping[int, list[str]],
) -> OutcomesTable:  # fmt: skip
    (gold,) = places.get("gold", [None])
    guessed = "runs" not in places and "fields" not in places
    if guessed and gold is None and is_log_header(header):
        raise _refusal(source, header, places, [name for name in header if is_noted(name)], [], {}, columns)
    read: list[tuple[int, list[str]]] = []
    first: dict[str, int] = {}
    for line, cells in lines:
        read.append((line, cells))
        identity = "/".join(cells[place] for place in places["id"])
        if not identity:
            raise source.error(line, "the question has no name")
        if identity in first and not {"run", "sample"}.isdisjoint(places):
            taken = {header[place] for at in places.values() for place in at}
            left = [name for name in header if name not in taken]
            raise source.error(
                line, f"question {identity!r} is already on line {first[identity]}, and no column says how it ended. Fix: name one of "
                f"{', '.join(left) or 'the columns'} with `columns='score=…'` or `columns='outcome=…'`",
            )  # fmt: skip
        note_line(first, identity, source, line, f"question {identity!r}")
    ids, lines_of = list(first), list(first.values())
    table = OutcomesTable()
    whole_id = places["id"] if len(places["id"]) == 1 else []
    declining = _declining(places)
    other_columns = {*whole_id, gold, *declining.values()}
    left = [p for p, name in enumerate(header) if p not in other_columns and name not in ROW_NUMBERS]
    by_place = {place: [cells[place].strip() for _, cells in read] for place in left}
    runs = places.get("runs") or _run_columns(read, gold, {*places.get("fields", ())}, by_place, words)
    chosen = {*runs}
    if guessed and gold is None:
        names = [header[place] for place in runs]
        doubtful = doubtful_columns(header, names)
        if doubtful:
            left = [name for name in names if name not in doubtful]
            named_cells = {header[p]: cells for p, cells in by_place.items()}
            raise _refusal(source, header, places, doubtful, left, named_cells, columns)
    if not runs and not (as_gold and gold is not None):
        named = ", ".join(header)
        raise source.error(1, f"no column of {named} looks like a run; name them with `columns='gold=…,runs=…+…'`")
    table.fields = {
        header[place]: dict(zip(ids, by_place[place], strict=True)) for place in left if place not in chosen
    }
    for name, place in declining.items():
        table.fields[name] = dict(zip(ids, (cells[place].strip() for _, cells in read), strict=True))
    if gold is not None:
        rows = zip(read, ids, strict=True)
        table.gold = [
            _question(source, table, identity, cells[gold].strip(), line, alternatives)
            for (line, cells), identity in rows
        ]
    absent = columns.get("absent", ABSENT)
    for place in runs:
        name, cells = header[place], by_place[place]
        table.runs[name] = _run_of_column(
            source.name, name, ids, lines_of, cells, absent, words if gold is None else None
        )
    other = [name for name in table.fields if name not in declining]
    if guessed and other and table.runs:
        next(iter(table.runs.values())).warnings.append(
            f"{source.name}: {len(runs)} columns are taken as runs; not {', '.join(other)} (`columns='fields=…'`)"
        )
    return table


def _refusal(
    source: Source, header: list[str], places: Mapping[str, list[int]], doubtful: Sequence[str], runs: Sequence[str],
    cells: Mapping[str, Sequence[str]], columns: Mapping[str, str],
) -> InputError:  # fmt: skip
    """Return an error for a table without a column per run, with advice how to read it."""
    identity = "+".join(header[place] for place in places["id"])
    few = shorten_list(list(map(repr, doubtful)))
    advice = suggested_columns(header, identity, runs, cells, columns)
    return source.error(1, f"{few} would be taken as runs, but look like what a log notes of each sample; {advice}")


def _run_columns(
    read: Sequence[tuple[int, list[str]]], gold: int | None, fields: set[int], by_place: Mapping[int, list[str]],
    words: Words,
) -> list[int]:  # fmt: skip
    """Return the columns with answers: some cell equals some gold; without gold, all cells are outcomes."""
    if gold is None:
        known = {*words.known, ABSENT.lower()}
        return [p for p, cells in by_place.items() if p not in fields and all(cell.lower() in known for cell in cells)]
    answers = {_bare(cells[gold]) for _, cells in read} - {""}
    return [p for p, cells in by_place.items() if p not in fields and any(_bare(cell) in answers for cell in cells)]


def _bare(cell: str) -> str:
    """Return the letters and digits of a cell: (B) is B."""
    return "".join(filter(str.isalnum, cell)).lower()


def _run_of_column(
    file: str, name: str, ids: list[str], lines: list[int], cells: list[str], absent: str, words: Words | None
) -> Rows:
    """Return the run of a column of answers, or of outcomes where there are words for them."""
    rows = Rows(name, file)
    if absent in cells:
        kept = [(i, line, cell) for i, line, cell in zip(ids, lines, cells, strict=True) if cell != absent]
        ids, lines, cells = [k[0] for k in kept], [k[1] for k in kept], [k[2] for k in kept]
    nothing: list[Any] = [None] * len(cells)
    if words is not None:
        outcomes = [outcome_of(cell, file, line, words) for cell, line in zip(cells, lines, strict=True)]
        rows.fill(ids, lines, nothing, [state for state, _ in outcomes])
        if GRADED in rows.outcomes:
            rows.scores = [score for _, score in outcomes]
    else:
        rows.fill(ids, lines, [cell or None for cell in cells], nothing)
    return rows


NOTED = re.compile(
    r"(|unnamed.*|index|idx|row|no|nr|number|epochs?|samples?|trials?|repeats?|repetitions?|attempts?|seeds?|folds?|runs?|"
    r"turns?|steps?|retries|tokens|cost|price|latency|duration|time|timestamp|date|error|errors|limit|status|"
    r"cached|truncated|timeout|completed|invalidated|length|size|rank|version|log|"
    r"sample_id|eval_id|run_id|task_id|uuid|hash|"
    r".*_(count|time|tokens|cost|seconds|ms|length|retries|error|errors|limit|usage|version)|(n|num|count|total|is|has)_.*)"
)
"""Names of columns with notes of a harness on a sample."""
SCORED = re.compile(r"(.*_)?scores?(_.*)?")
"""The score of one run: score, score_attempted, judge_score."""


def is_noted(name: str) -> bool:
    """Return whether a column is more likely a note on a sample than a system.

    >>> [name for name in ("epoch", "turn_count", "gpt-4", "Unnamed: 0", "total_time") if not is_noted(name)]
    ['gpt-4']
    """
    return NOTED.fullmatch(name.strip().lower()) is not None


def is_scored(name: str) -> bool:
    """Return whether a column is named as a score.

    >>> is_scored("score_attempted"), is_scored("judge_score"), is_scored("underscored")
    (True, True, False)
    """
    return SCORED.fullmatch(name.strip().lower()) is not None


def is_log_header(header: Sequence[str]) -> bool:
    """Return whether a header has a score and at least two notes on samples."""
    return any(map(is_scored, header)) and sum(map(is_noted, header)) >= 2


def doubtful_columns(header: Sequence[str], guessed: Sequence[str]) -> list[str]:
    """Return the columns taken as runs that are probably none: notes, or all others beside a score.

    >>> doubtful_columns(["id", "gpt", "epoch"], ["gpt", "epoch"]), doubtful_columns(["id", "a_score", "b_score"], ["a_score", "b_score"])
    (['epoch'], [])
    """
    noted = [name for name in guessed if is_noted(name)]
    others = [name for name in guessed if not is_scored(name)]
    scored = any(is_scored(name) for name in header)
    return others if scored and others else noted


def suggested_columns(
    header: Sequence[str], identity: str, runs: Sequence[str], cells: Mapping[str, Sequence[str]],
    columns: Mapping[str, str] | None = None,
) -> str:  # fmt: skip
    """Return the `columns` that would read such a table: one line per question, or else the remaining runs.

    columns   those that were given
    """
    scores = [name for name in header if is_scored(name)]
    roles = {"id": identity}
    if not scores:
        roles["runs"] = "+".join(runs) or "…"
        return f"`columns='{_joined(roles)}'` names the runs"
    roles["outcome"] = scores[0]
    lower = {name.lower(): name for name in header}
    model = next((lower[name] for name in MODELS if name in lower), None)
    sample = next((lower[name] for name in SAMPLES if name in lower), None)
    if model is not None:
        roles["run"] = model
    if sample is not None and all(cell.isascii() and cell.isdecimal() for cell in cells.get(sample, ())):
        roles["sample"] = sample
    more = f" (or another of {', '.join(scores)})" if len(scores) > 1 else ""
    named = _joined({**roles, **(columns or {})})
    return f"`gold=None` and `columns='{named}'` read it with a line per question and sample{more}"


def _joined(roles: Mapping[str, str]) -> str:
    return ",".join(f"{role}={name}" for role, name in roles.items())
