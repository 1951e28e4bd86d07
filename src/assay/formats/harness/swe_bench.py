"""SWE-bench: which instances a system's patches resolved, as the report of a run, reports of instances, or a list.

None of the three says what the denominator is: a run may submit patches for some of the instances, and a list has the resolved
ones alone. `split=` chooses it: submitted, completed, total, or the number of instances of the data set.
"""

from __future__ import annotations

import os
import re

import msgspec

from assay.formats.answers.rows import CORRECT, INCORRECT, UNANSWERED, Rows
from assay.formats.harness.logs import MAX_UNLISTED, Log, LogReading, folder_of
from assay.formats.json_files import decode, has_keys, keys_of
from assay.formats.recognition import reads
from assay.io.heads import Head
from assay.io.sources import Source

SUBMITTED, COMPLETED, TOTAL = "submitted", "completed", "total"
EXPECTED_RUN = "a run report of SWE-bench, with resolved_ids, unresolved_ids, empty_patch_ids and error_ids"
EXPECTED_INSTANCE = "an instance report of SWE-bench, {INSTANCE: {resolved, patch_exists, …}}"
EXPECTED_LIST = "a list of resolved instances, {resolved: [INSTANCE, …]}"
SIZES = "SWE-bench Verified has 500, Lite 300, the full test set 2294"
INSTANCE_KEY = "patch_successfully_applied"


class _RunReport(msgspec.Struct):
    resolved_ids: list[str]
    unresolved_ids: list[str]
    total_instances: int
    empty_patch_ids: list[str] = []
    error_ids: list[str] = []
    submitted_ids: list[str] = []
    incomplete_ids: list[str] = []
    infra_failure_ids: list[str] = []
    resolved_instances: int | None = None
    unresolved_instances: int | None = None
    empty_patch_instances: int | None = None
    error_instances: int | None = None
    submitted_instances: int | None = None


class _InstanceReport(msgspec.Struct):
    resolved: bool | None = None
    patch_is_None: bool = False
    patch_exists: bool = True


class _ResolvedList(msgspec.Struct):
    resolved: list[str]
    no_generation: list[str] = []
    no_logs: list[str] = []


def _is_run_report(head: Head) -> bool:
    return has_keys(head, "total_instances", "resolved_instances")


def _is_instance_report(head: Head) -> bool:
    return b'"%s"' % INSTANCE_KEY.encode() in head.text and any(
        key.endswith(f".{INSTANCE_KEY}") for key in keys_of(head.text)
    )


def _report(head: Head) -> bool:
    """one JSON object with `total_instances` and `resolved_instances`, with a list of `resolved` (or `no_generation` and
    `generated`), or of instances with
    `patch_successfully_applied`."""
    listed = has_keys(head, "resolved") and re.search(rb'"resolved"\s*:\s*\[', head.text) is not None
    listed = listed or has_keys(
        head, "no_generation", "generated"
    )  # long lists may come before that of the resolved ones
    return head.shape == "json" and (_is_run_report(head) or listed or _is_instance_report(head))


@reads(
    "swe-bench",
    role="log",
    task="outcomes",
    yields="SWE-bench: a run report, an instance report or a list of resolved instances",
    recognises=_report,
    shapes="json",
    markers=("resolved_instances", "resolved", "no_generation"),
)
def read_swe_bench(source: Source, reading: LogReading) -> list[Rows]:
    """Return one run. Instances without a patch are unanswered, those whose evaluation broke are failed."""
    if _is_run_report(source.head):
        return _read_run(source, reading)
    return _read_instances(source, reading) if _is_instance_report(source.head) else _read_list(source, reading)


def _read_run(source: Source, reading: LogReading) -> list[Rows]:
    report = decode(source, _RunReport, EXPECTED_RUN)
    log = reading.log(source, "SWE-bench")
    for name in ("resolved", "unresolved", "empty_patch", "error", "submitted"):
        count, listed = getattr(report, f"{name}_instances"), getattr(report, f"{name}_ids")
        if count is not None and listed and count != len(listed):
            raise log.error(0, "", f"{name}_instances is {count}, but {name}_ids lists {len(listed)}")
    split, total = _split(reading, source, SUBMITTED, report.total_instances)
    run = source.label or source.stem
    graded = _lists(log, {
        "resolved_ids": (report.resolved_ids, CORRECT), "unresolved_ids": (report.unresolved_ids, INCORRECT),
        "empty_patch_ids": (report.empty_patch_ids, UNANSWERED), "error_ids": (report.error_ids, None),
        "incomplete_ids": (report.incomplete_ids, INCORRECT),
    })  # fmt: skip
    absent = {*report.incomplete_ids}
    for identity, (place, state) in graded.items():
        left = state not in (CORRECT, INCORRECT) and split == COMPLETED
        if left or (identity in absent and split != TOTAL):
            continue
        problem = "its evaluation ended in an error" if state is None else None
        log.add(identity, run=run, state=state, problem=problem, where=place)
    if split != COMPLETED:
        for identity in report.submitted_ids:
            if identity not in graded:
                log.add(identity, run=run, problem="it was submitted and has no result", where="submitted_ids")
    submitted = len({*graded, *report.submitted_ids} - absent)
    solved, many = len(report.resolved_ids), f"{source.name}: {len(report.resolved_ids)} resolved"
    if split == TOTAL:
        rest = total - submitted
        counted = f"; {rest} not submitted {'counts' if rest == 1 else 'count'} as incorrect" if rest > 0 else ""
        log.warnings.append(f"{many} of {total} instances{counted}")
    else:
        counted = submitted if split == SUBMITTED else solved + len(report.unresolved_ids)
        others = f", and of all {total} with `split='total'`" if total > counted else ""
        log.warnings.append(f"{many} of {counted} {split} instances{others}")
    infrastructure = {*report.infra_failure_ids} & {*report.unresolved_ids}
    if infrastructure:
        log.warnings.append(
            f"{source.name}: {len(infrastructure)} unresolved instances have likely infrastructure failures "
            "(`infra_failure_ids`) and count as incorrect, as in SWE-bench"
        )
    return _finished(log, total if split == TOTAL else None)


def _read_instances(source: Source, reading: LogReading) -> list[Rows]:
    reports = decode(source, dict[str, _InstanceReport], EXPECTED_INSTANCE)
    log = reading.log(source, "SWE-bench")
    split, total = _split(reading, source, COMPLETED, None)
    folder, run = _run_of_instance(source, reports)
    for identity, report in reports.items():
        empty = report.patch_is_None or not report.patch_exists
        log.add(
            identity, run=run, where=identity, state=UNANSWERED if empty else CORRECT if report.resolved else INCORRECT,
            problem="its report does not say whether it is resolved" if report.resolved is None and not empty else None,
        )  # fmt: skip
    without = "instances without a report"
    if split == TOTAL:
        log.warnings.append(f"{source.name}: {without} count as incorrect, of {total} in all")
    else:
        log.warnings.append(f"{source.name}: {without} are in no denominator; `split=N` counts N instances ({SIZES})")
    runs = _finished(log, total if split == TOTAL else None)
    for rows in runs:
        rows.part_of = folder
    return runs


def _read_list(source: Source, reading: LogReading) -> list[Rows]:
    report = decode(source, _ResolvedList, EXPECTED_LIST)
    log = reading.log(source, "SWE-bench")
    split, total = _split(reading, source, "", None)
    if split != TOTAL:
        raise log.error(
            0, "", "lists the resolved instances and not how many there were; expected their number. "
            f"Fix: give it with `split=N` ({SIZES})",
        )  # fmt: skip
    graded = _lists(log, {
        "resolved": (report.resolved, CORRECT), "no_generation": (report.no_generation, UNANSWERED),
        "no_logs": (report.no_logs, None),
    })  # fmt: skip
    for identity, (place, state) in graded.items():
        problem = "its evaluation has no log" if state is None else None
        log.add(identity, run=source.label or _run_of_list(source), state=state, problem=problem, where=place)
    log.warnings.append(
        f"{source.name}: {len(report.resolved)} resolved of {total} instances (`split=`); those not listed count as incorrect"
    )
    if not graded:
        log.rows(source.label or _run_of_list(source))
    return _finished(log, total)


def _split(reading: LogReading, source: Source, default: str, total: int | None) -> tuple[str, int]:
    """Return the chosen denominator, and the number of instances where it counts them all."""
    known = [SUBMITTED, COMPLETED, TOTAL] if total is not None else [default] if default else []
    choice = reading.chosen("split")
    number = int(choice) if choice is not None and len(choice) < 10 and choice.strip().isdecimal() else 0
    if max(total or 0, number) > MAX_UNLISTED:
        raise source.error(None, f"{max(total or 0, number)} instances; expected at most {MAX_UNLISTED}")
    if number:
        if total is not None and number != total:
            raise source.error(None, f"states {total} instances, not {number} (`split=`)")
        return TOTAL, number
    if choice is None:
        return default, total or 0
    if choice not in known:
        listed = ", ".join([*known, "the number of instances"])
        raise source.error(None, f"`split={choice!r}`: expected {listed} ({SIZES})")
    return choice, total or 0


def _lists(log: Log, lists: dict[str, tuple[list[str], int | None]]) -> dict[str, tuple[str, int | None]]:
    """Return list and state of every instance; refuse instances that are listed twice."""
    listed: dict[str, tuple[str, int | None]] = {}
    for name, (identities, state) in lists.items():
        for identity in identities:
            if identity in listed:
                before = listed[identity][0]
                twice = f"twice in {name}" if before == name else f"in {before} and in {name}"
                raise log.error(0, "", f"instance {identity!r} is {twice}; expected it once")
            listed[identity] = name, state
    return listed


def _run_of_instance(source: Source, reports: dict[str, _InstanceReport]) -> tuple[str, str]:
    """Return the folder of a run and its name, of RUN/MODEL/INSTANCE/report.json or SUBMISSION/logs/INSTANCE/report.json."""
    place = folder_of(source)
    if os.path.basename(place) not in reports:
        return "", source.label or source.stem
    folder = os.path.dirname(place)
    named = os.path.dirname(folder) if os.path.basename(folder) == "logs" else folder
    return folder, source.label or os.path.basename(named)


def _run_of_list(source: Source) -> str:
    """Return the submission, of SUBMISSION/results/results.json."""
    folder = folder_of(source)
    if not folder or source.stem != "results":
        return source.stem
    return os.path.basename(os.path.dirname(folder) if os.path.basename(folder) == "results" else folder)


def _finished(log: Log, total: int | None) -> list[Rows]:
    runs = log.finish()
    for rows in runs:
        rows.unlisted = total
    return runs
