"""Small result files of agents, in the layouts of the benchmarks that write them, which docs/harness.md speaks of."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any


def _write(path: Path, content: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=1), encoding="utf-8")


def tau_bench(folder: Path) -> None:
    """Three tasks, four trials each: solved always, twice (once it crashed), never."""
    rows: list[Any] = []
    for trial in range(4):
        for task, ends in enumerate(("1111", "10E1", "0000")):
            end = ends[trial]
            talk = [
                {"role": "system", "content": "# Airline Agent Policy\n\nBe kind."},
                *[{"role": "user", "content": "Please."}, {"role": "assistant", "content": "Yes."}] * (task + 2),
            ]
            info: dict[str, Any] = {"task": {"user_id": f"u{task}", "actions": [], "instruction": f"You want {task}."}}
            if end == "E":
                info, talk = {"error": "APIError: 503", "traceback": "…"}, []
            rows.append({"task_id": task, "reward": float(end == "1"), "info": info, "traj": talk, "trial": trial})
    _write(folder / "bold-airline.json", rows)


def tau2_bench(folder: Path) -> None:
    """Three tasks, two trials each; one trial ended by an infrastructure error, one ran out of steps."""
    ends = {"0": "11", "1": "1E", "2": "0S"}
    simulations = [
        {
            "id": f"{task}{trial}", "task_id": task, "trial": trial,
            "termination_reason": {"E": "infrastructure_error", "S": "max_steps"}.get(end, "user_stop"),
            "reward_info": None if end == "E" else {"reward": float(end == "1"), "reward_basis": ["DB"]},
            "agent_cost": None if end == "E" else 0.02 + int(task) / 100, "user_cost": 0.01, "duration": 20.0,
            "messages": [] if end == "E" else [{"role": "assistant", "content": "Hi"}] * (3 + 7 * (end == "S")),
        }
        for task, several in ends.items()
        for trial, end in enumerate(several)
    ]  # fmt: skip
    info = {
        "git_commit": "abc", "num_trials": 2, "max_steps": 10, "max_errors": 10,
        "user_info": {"implementation": "user_simulator", "llm": "made/user"},
        "agent_info": {"implementation": "llm_agent", "llm": "made/bold"},
        "environment_info": {"domain_name": "retail", "policy": "# Retail agent policy"},
    }  # fmt: skip
    _write(folder / "bold.json", {"info": info, "tasks": [{"id": task} for task in ends], "simulations": simulations})


def swe_bench(folder: Path) -> None:
    """Reports of two runs on six instances: bold submitted all, careful three; and lists of what two others resolved."""
    names = [f"made__lake-{number}" for number in range(1, 7)]
    for run, ends in (("bold", "CCIIUE"), ("careful", "CCI---")):
        by_end = {end: [name for name, its in zip(names, ends, strict=True) if its == end] for end in "CIUE-"}
        lists = {
            "resolved": by_end["C"], "unresolved": by_end["I"], "empty_patch": by_end["U"], "error": by_end["E"],
            "submitted": [name for name in names if name not in by_end["-"]],
        }  # fmt: skip
        counts = {"total_instances": 6, **{f"{name}_instances": len(listed) for name, listed in lists.items()}}
        listed = {f"{name}_ids": ids for name, ids in lists.items()}
        _write(folder / f"{run}.run.json", {**counts, **listed, "incomplete_ids": by_end["-"], "schema_version": 2})
    for run, resolved in (("north", names[:3]), ("south", names[1:2])):
        _write(folder.parent / "swe_lists" / run / "results" / "results.json", {"no_logs": [], "resolved": resolved})


def terminal_bench(folder: Path) -> None:
    """A submission of two runs of three tasks; two trials of the second were never graded."""
    for run, ends in (("run1", (True, True, False)), ("run2", (True, None, None))):
        rows = [
            {
                "id": f"{run}-{task}", "trial_name": f"task-{task}.1-of-1.{run}", "task_id": f"task-{task}",
                "instruction": "Do it.", "is_resolved": end,
                "failure_mode": "unset" if end is not None else "unknown_agent_error", "parser_results": None,
                "total_input_tokens": 0, "total_output_tokens": 0,
                "agent_started_at": "2026-01-02T03:00:00+00:00", "agent_ended_at": f"2026-01-02T03:0{task}:30+00:00",
            }
            for task, end in enumerate(ends)
        ]  # fmt: skip
        resolved = [row["task_id"] for row in rows if row["is_resolved"]]
        others = [row["task_id"] for row in rows if not row["is_resolved"]]
        counts = {"n_resolved": len(resolved), "n_unresolved": len(others), "accuracy": len(resolved) / 3}
        about = {"run_id": run, "agent_name": "bold", "model_name": "made/bold-1", "n_attempts": 1}
        _write(folder / "bold" / run / "run_metadata.json", about)
        listed = {"resolved_ids": resolved, "unresolved_ids": others}
        _write(folder / "bold" / run / "results.json", {**counts, **listed, "results": rows})


def harbor(folder: Path) -> None:
    """A job of two attempts at two tasks: solved, a sandbox that did not start, solved out of time, refused."""
    ends = [("a", 1.0, None), ("a", None, "EnvironmentStartTimeoutError"), ("b", 1.0, "AgentTimeoutError"),
            ("b", 0.0, "AgentSafetyRefusalError")]  # fmt: skip
    for number, (task, reward, problem) in enumerate(ends):
        name = f"{task}__hash{number}"
        trial = {
            "id": f"t{number}", "task_name": task, "trial_name": name, "trial_uri": f"file:///{name}", "source": "made-tasks",
            "task_checksum": "0", "config": {},
            "agent_info": {"name": "bold", "version": "1", "model_info": {"name": "bold-1", "provider": "made"}},
            "agent_result": {"n_input_tokens": 900, "n_output_tokens": 100, "cost_usd": 0.25} if reward is not None else None,
            "verifier_result": None if reward is None else {"rewards": {"reward": reward}},
            "exception_info": problem and {"exception_type": problem, "exception_message": "…", "exception_traceback": "…"},
            "agent_execution": {"started_at": "2026-01-02T03:00:00Z", "finished_at": "2026-01-02T03:01:00Z"},
        }  # fmt: skip
        _write(folder / "job" / name / "result.json", trial)
    _write(
        folder / "job" / "result.json",
        {"id": "j", "started_at": "2026-01-02T03:00:00Z", "n_total_trials": 4, "stats": {}},
    )


def bfcl(folder: Path) -> None:
    """Two categories of four and two questions: two failures in the first, one of them not decoded, and none in the second."""
    for category, total, errors in (
        ("simple_python", 4, {1: "ast_decoder:decoder_failed", 3: "value_error:others"}), ("parallel", 2, {}),
    ):  # fmt: skip
        right = total - len(errors)
        lines: list[Any] = [{"accuracy": right / total, "correct_count": right, "total_count": total}]
        for number, error in errors.items():
            about = {
                "model_name": "bold",
                "test_category": category,
                "valid": False,
                "error": ["…"],
                "error_type": error,
            }
            lines.append({"id": f"{category}_{number}", **about, "prompt": {}, "model_result_raw": "…"})
        answers = [
            {
                "id": f"{category}_{number}",
                "result": "…",
                "input_token_count": 90,
                "output_token_count": 10,
                "latency": 0.5,
            }
            for number in range(total)
        ]
        for kind, rows in (("score", lines), ("result", answers)):
            path = folder / kind / "bold" / "non_live" / f"BFCL_v4_{category}_{kind}.json"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def livecodebench(folder: Path) -> None:
    """Two easy questions and a hard one, four generations each, one of them without code."""
    rows = []
    for number, (level, ends) in enumerate((("easy", "1111"), ("easy", "1100"), ("hard", "100-"))):
        graded = [end == "1" for end in ends]
        rows.append({
            "question_title": "T", "question_content": f"Do {number}.", "platform": "atcoder", "question_id": f"abc00{number}_a",
            "contest_date": f"2024-0{number + 1}-01T00:00:00", "difficulty": level,
            "output_list": ["…"] * 4, "code_list": ["" if end == "-" else f"print({place})" for place, end in enumerate(ends)],
            "graded_list": graded, "pass@1": sum(graded) / 4, "metadata": ["{}"] * 4,
        })  # fmt: skip
    _write(folder / "bold" / "Scenario.codegeneration_4_0.2_eval_all.json", rows)


def mteb(folder: Path) -> None:
    """Two models on two tasks, one of them in two languages, with the mean of which the task counts."""
    for model, means in (("bold", {"MadeClassification": (0.8, 0.6), "MadeRetrieval": (0.5,)}),
                         ("careful", {"MadeClassification": (0.75, 0.75), "MadeRetrieval": (0.6,)})):  # fmt: skip
        place = folder / "results" / f"made__{model}" / "rev1"
        _write(place / "model_meta.json", {"name": f"made/{model}", "revision": "rev1", "n_parameters": 1000})
        for task, values in means.items():
            subsets = [
                {"main_score": value, "ndcg_at_10": value / 2, "hf_subset": subset, "languages": [f"{subset}-Latn"]}
                for value, subset in zip(values, ("eng", "deu"), strict=False)
            ]
            about = {"dataset_revision": "abc", "task_name": task, "mteb_version": "2.0.0"}
            _write(place / f"{task}.json", {**about, "scores": {"test": subsets}, "evaluation_time": 10.0})


MADE: dict[str, Callable[[Path], None]] = {
    "tau_bench": tau_bench, "tau2_bench": tau2_bench, "swe_bench": swe_bench,
    "terminal_bench": terminal_bench, "harbor": harbor, "bfcl": bfcl,
    "livecodebench": livecodebench, "mteb": mteb,
}  # fmt: skip
"""By the name of the folder."""
