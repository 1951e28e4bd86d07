"""Files that harnesses write beside their logs and that hold no outcomes: what they are, and what to give instead."""

from __future__ import annotations

from assay.errors import InputError
from assay.formats.json_files import speaks_of
from assay.io.heads import Head
from assay.io.sources import Source

IN_JSON = {
    ("score", "score:std"): "is what simple-evals writes as means only; give the file …_allresults.json beside it",
    ("evaluation_results", "schema_version"): "is an aggregate of Every Eval Ever; give the …_samples.jsonl beside it",
    (
        "adapter_spec",
        "scenario_spec",
    ): "is the specification of a HELM run; give the folder, or its per_instance_stats.json",
    (
        "adapter_spec",
        "request_states",
    ): "holds the texts of a HELM run; give the folder, or its per_instance_stats.json",
    ("name", "definition_path", "tags"): "describes the scenario of a HELM run; give its per_instance_stats.json",
    ("[].instance_id", "[].predicted_text"): "holds predictions of a HELM run; give its per_instance_stats.json",
    ("[].instance_id", "[].request.prompt"): "holds requests of a HELM run; give its per_instance_stats.json",
    ("[].input.text", "[].references[].output.text"): "holds instances of a HELM run; give its per_instance_stats.json",
    ("[].name.name", "[].sum_squared"): "holds statistics of a whole HELM run; give its per_instance_stats.json",
    (
        "[].instruction",
        "[].output",
        "[].generator",
    ): "holds outputs nobody has annotated; give AlpacaEval's annotations.json",
    ("results", "configs", "versions"): "holds the means of lm-evaluation-harness; give the samples_….jsonl beside it",
    ("config_general", "results"): "holds the means of lighteval; give the details_….parquet of the same run",
    ("task_id", "solution"): "holds programs that were not run; give what EvalPlus makes of them, …_eval_results.json",
    ("task_id", "canonical_solution"): "holds problems of EvalPlus; give the results, …_eval_results.json",
}
"""By keys that such a file begins with."""
PROMPTFOO_CSV = (
    "is a table of promptfoo, whose columns repeat their names; export the results as JSON: promptfoo export eval ID -o "
    "results.json"
)


def relative(head: Head) -> str | None:
    """What to say of a file that goes with a log; None where it is none that is known.

    >>> from assay.io.heads import head_of_bytes
    >>> relative(head_of_bytes(b'{"task_id": "HumanEval/0", "solution": "pass"}'))[:33]
    'holds programs that were not run;'
    """
    if head.shape == "table":
        graded = head.columns.count("Status") > 0 and {"Score", "Named Scores", "Grader Reason"} <= {*head.columns}
        return PROMPTFOO_CSV if graded else None
    if head.shape not in ("json", "array") or speaks_of(head, "id"):
        return None
    return next((said for keys, said in IN_JSON.items() if speaks_of(head, *keys)), None)


def refuse_relative(source: Source) -> None:
    """Refuse a file that goes with a log, and say which file is the log."""
    said = relative(source.head)
    if said is not None:
        raise InputError(f"{source.name}: {said}")
