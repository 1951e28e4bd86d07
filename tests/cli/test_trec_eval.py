"""`assay trec_eval` prints trec_eval's bytes, and where trec_eval is broken does what its help promises."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

import pytest

from assay.cli import main


def commands() -> list[tuple[str, str]]:
    folder = Path(os.environ.get("ASSAY_DATA", Path(__file__).resolve().parents[3] / "shared" / "data"))
    listing = folder / "trec_eval_tests" / "COMMANDS"
    if not listing.exists():
        return []
    lines = [line for line in listing.read_text().splitlines() if line and not line.startswith("#")]
    return [tuple(line.split(" : ", 1)) for line in lines]  # type: ignore[misc]


@pytest.mark.parametrize(("expected", "arguments"), commands())
def test_published_outputs_byte_for_byte(expected, arguments, shared_data, monkeypatch, capfdbinary) -> None:
    folder = shared_data("trec_eval_tests")
    monkeypatch.chdir(folder)
    assert main(["trec_eval", *shlex.split(arguments)]) == 0
    assert capfdbinary.readouterr().out == (folder / expected).read_bytes()


def test_all_published_commands_are_there(shared_data) -> None:
    shared_data("trec_eval_tests", "COMMANDS")
    assert len(commands()) == 15


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Write qrels and run, and call assay trec_eval on them."""
    monkeypatch.chdir(tmp_path)

    def call(qrels: str, run: str, *flags: str) -> int:
        Path("qrels").write_text(qrels)
        Path("run").write_text(run)
        return main(["trec_eval", *flags, "qrels", "run"])

    return call


def printed(capfd) -> dict[tuple[str, str], str]:
    lines = capfd.readouterr().out.splitlines()
    return {(name.strip(), topic): value for name, topic, value in (line.split("\t") for line in lines)}


TWO = "1 0 a 1\n1 0 b 0\n2 0 a 1\n"
ONE = "1 Q0 a 1 2 t\n1 Q0 b 2 1 t\n"


def test_recall_levels_by_both_rules(files, capfd) -> None:
    """The example of the documentation: relevant at ranks 1, 2, 4 and 15."""
    run = "".join(f"1 Q0 d{r:02} {r} {100 - r} t\n" for r in range(1, 16))
    qrels = "".join(f"1 0 d{r:02} {int(r in (1, 2, 4, 15))}\n" for r in range(1, 16))
    files(qrels, run, "-m", "iprec_at_recall")
    ten = printed(capfd)
    assert [ten[f"iprec_at_recall_0.{i}0", "all"] for i in (5, 6, 7, 8, 9)] == [
        "1.0000",
        "1.0000",
        "0.7500",
        "0.7500",
        "0.2667",
    ]
    files(qrels, run, "--compat", "9", "-m", "iprec_at_recall")
    nine = printed(capfd)
    assert [nine[f"iprec_at_recall_0.{i}0", "all"] for i in (5, 6, 7, 8)] == ["1.0000", "0.7500", "0.7500", "0.2667"]
    assert (
        main(["evaluate", "qrels", "run", *[w for i in (5, 6, 7, 8) for w in ("-m", f"IPrec@0.{i}")], "-f", "tsv"]) == 0
    )
    values = capfd.readouterr().out.splitlines()[1].split("\t")[2:]
    assert [round(float(v), 2) for v in values] == [1.0, 0.75, 0.75, 0.27]


def test_topics_missing_without_c_are_left_out(files, capfd) -> None:
    assert files(TWO, ONE, "-m", "map", "-m", "num_q") == 0
    out = printed(capfd)
    assert (out["num_q", "all"], out["map", "all"]) == ("1", "1.0000")


def test_topics_missing_with_c_count_zero_and_have_rows(files, capfd) -> None:
    assert files(TWO, ONE, "-c", "-q", "-m", "map", "-m", "num_rel", "-m", "utility.1,-1,-1,0", "-m", "yaap") == 0
    out = printed(capfd)
    assert (out["map", "2"], out["map", "all"]) == ("0.0000", "0.5000")
    assert out["num_rel", "2"] == "1"
    assert out["utility_1,-1,-1,0", "2"] == "0.0000"  # trec_eval leaks -1 here
    assert out["yaap", "2"] == "0.0000"


def test_compat_9_prints_no_rows_for_missing_topics(files, capfd) -> None:
    files(TWO, ONE, "--compat", "9", "-c", "-q", "-m", "map")
    out = printed(capfd)
    assert ("map", "2") not in out
    assert out["map", "all"] == "0.5000"


@pytest.mark.parametrize("ending", ["# the end\n", "# one\n# two\n", "\n", "  # indented"])
def test_comments_and_blank_lines_anywhere(files, capfd, ending) -> None:
    """A trailing comment crashes trec_eval 10.0, and two comment lines in a row are malformed to it."""
    assert files(TWO + ending, ONE + ending, "-m", "map") == 0
    assert printed(capfd)["map", "all"] == "1.0000"


def test_rbp_of_graded_judgments_does_not_depend_on_other_measures(files, capfd) -> None:
    qrels = "1 0 a 2\n1 0 b 1\n1 0 c 0\n"
    run = "1 Q0 b 1 3 t\n1 Q0 c 2 2 t\n1 Q0 a 3 1 t\n"
    files(qrels, run, "-m", "rbp")
    alone = printed(capfd)["rbp", "all"]
    files(qrels, run, "-m", "all_trec", "-m", "yaap")
    assert printed(capfd)["rbp", "all"] == alone == f"{0.1 * (0.5 + 1.0 * 0.81):.4f}"


def test_fractional_gains_are_sorted_as_numbers(files, capfd) -> None:
    """trec_eval sorts gains by integer difference and prints 0.0000 here."""
    files("1 0 a 1\n1 0 b 2\n", "1 Q0 b 1 2 t\n1 Q0 a 2 1 t\n", "-m", "ndcg.1=0.3,2=0.6")
    assert printed(capfd)["ndcg_1=0.3,2=0.6", "all"] == "1.0000"


def test_n_without_q_says_why_nothing_is_printed(files, capfd) -> None:
    assert files(TWO, ONE, "-n", "-m", "map") == 0
    out, err = capfd.readouterr()
    assert out == ""
    assert "-n without -q" in err


def test_judged_only_that_leaves_nothing_is_zero(files, capfd) -> None:
    files("1 0 a 1\n", "1 Q0 x 1 1 t\n", "-J", "-m", "11pt_avg")
    assert printed(capfd)["11pt_avg", "all"] == "0.0000"


def test_a_topic_with_only_unjudged_documents_does_not_borrow_from_the_one_before(files, capfd) -> None:
    files("1 0 a 3\n2 0 a -1\n", "1 Q0 a 1 1 t\n2 Q0 a 1 1 t\n", "-q", "-m", "ideal_dcg")
    assert printed(capfd)["ideal_dcg", "2"] == "0.0000"


def test_relevance_level_counts_relevant_documents_under_c_too(files, capfd) -> None:
    files("1 0 a 1\n1 0 b 2\n", "1 Q0 a 1 1 t\n", "-c", "-l2", "-m", "num_rel")
    assert printed(capfd)["num_rel", "all"] == "1"


def test_compat_9_keeps_scores_as_float32(files, capfd) -> None:
    run = "1 Q0 a 1 0.500000001 t\n1 Q0 b 2 0.5 t\n"
    files("1 0 a 1\n1 0 b 0\n", run, "-m", "recip_rank")
    assert printed(capfd)["recip_rank", "all"] == "1.0000"
    files("1 0 a 1\n1 0 b 0\n", run, "--compat", "9", "-m", "recip_rank")
    assert printed(capfd)["recip_rank", "all"] == "0.5000"


def test_compat_9_has_no_rbp_and_unj_in_all_trec(files, capfd) -> None:
    files(TWO, ONE, "-m", "all_trec")
    assert {"rbp", "rbp_resid", "unj_5"} <= {name for name, _ in printed(capfd)}
    files(TWO, ONE, "--compat", "9", "-m", "all_trec")
    assert not {"rbp", "rbp_resid", "unj_5"} & {name for name, _ in printed(capfd)}


def test_only_the_first_parameters_of_a_measure_count(files, capfd) -> None:
    files(TWO, ONE, "-m", "P.1", "-m", "P.2")
    assert set(printed(capfd)) == {("P_1", "all")}


def test_long_options_and_options_after_files(files, capfd) -> None:
    Path("q").write_text(TWO)
    Path("r").write_text(ONE)
    assert main(["trec_eval", "q", "r", "--measure", "map", "--query_eval_wanted", "--complete_rel_info_wanted"]) == 0
    assert printed(capfd)["map", "2"] == "0.0000"


def test_debug_flag_selects_a_topic_and_o_is_accepted(files, capfd) -> None:
    files(TWO, ONE + "2 Q0 a 1 1 t\n", "-o", "-D", "0.2", "-q", "-m", "map")
    assert {topic for _, topic in printed(capfd)} == {"2", "all"}


def test_help_explains_the_measures_asked_for(capsys) -> None:
    assert main(["trec_eval", "-h", "-m", "map", "-m", "relstring"]) == 0
    out = capsys.readouterr().out
    assert "Average precision" in out
    assert "The grades of the first documents" in out


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["-m", "nosuch"], "unknown measure 'nosuch'"),
        (["-m", "P.0"], "at least 1"),
        (["-m", "P.5,5"], "twice"),
        (["-m", "P."], "parameters after the dot"),
        (["-m", "ndcg.3"], "pairs"),
        (["-m", "utility.1,2"], "four coefficients"),
        (["-M", "x"], "whole number"),
        (["-R", "xml"], "expected one of"),
        (["-T", "xml"], "trec_results"),
        (["--compat", "8"], "expected 9 or 10"),
        (["-x"], "not recognized"),
    ],
)
def test_bad_usage_is_explained(files, capfd, flags, message) -> None:
    assert files(TWO, ONE, *flags) == 2
    assert message in capfd.readouterr().err


def test_bad_z_scores_are_named(files, capfd) -> None:
    Path("z").write_text("1 map 0.5 0.1\n1 map x 0.1\n")
    assert files(TWO, ONE, "-Z", "z") == 3
    assert "z:2: expected two numbers" in capfd.readouterr().err


def test_no_topics_in_common(files, capfd) -> None:
    assert files(TWO, "9 Q0 a 1 1 t\n", "-m", "map") == 3
    assert files(TWO, "9 Q0 a 1 1 t\n", "-c", "-m", "map") == 0
    assert printed(capfd)["map", "all"] == "0.0000"


@pytest.mark.parametrize(
    ("format", "measure"),
    [
        ("prefs", "map"),
        ("qrels_jg", "prefs_simp"),
        ("qrels_prefs", "num_rel"),
        ("qrels", "prefs_simp"),
        ("qrels_jg", "P"),
    ],
)
def test_measures_that_the_judgments_cannot_serve(files, capfd, format, measure) -> None:
    assert files(TWO, ONE, "-R", format, "-m", measure) == 2
    assert f"cannot be calculated from judgments in the format {format}" in capfd.readouterr().err


def test_preferences_have_measures_of_their_own_by_default(files, capfd) -> None:
    assert files(TWO, ONE, "-c", "-R", "qrels_prefs") == 0
    assert ("prefs_simp", "all") in printed(capfd)


def test_selecting_a_topic_counts_that_topic_alone(files, capfd) -> None:
    files("1 0 a 1\n1 0 b 1\n2 0 a 1\n", ONE, "-c", "-D", "0.1", "-m", "num_q", "-m", "num_rel")
    out = printed(capfd)
    assert (out["num_q", "all"], out["num_rel", "all"]) == ("1", "2")


def test_gains_that_are_all_the_same(files, capfd) -> None:
    assert files("1 0 a 1\n1 0 b 2\n", ONE, "-m", "rbp.1=5,2=5,0=5") == 0
    assert printed(capfd)["rbp_1=5,2=5,0=5", "all"] == f"{0.1 * 1.9:.4f}"


def test_parametrised_measures_of_missing_topics_are_0_too(files, capfd) -> None:
    files(TWO, ONE, "-c", "-q", "-m", "rbp_resid.p=0.5", "-m", "unj.1")
    out = printed(capfd)
    assert (out["rbp_resid_p=0.5", "2"], out["unj_1", "2"]) == ("0.0000", "0.0000")


def test_z_scores_without_spread(files, capfd) -> None:
    """The mean itself is 0 standard deviations away; anything else has no answer, which trec_eval prints as -1000000."""
    Path("z").write_text("1 map 1.0 0\n1 Rprec 0.5 0\n")
    files(TWO, ONE, "-q", "-n", "-Z", "z", "-m", "map", "-m", "Rprec", "-m", "P.5")
    out = printed(capfd)
    assert out["Zmap", "1"] == "0.0000"
    assert out["ZRprec", "1"] == out["ZP_5", "1"] == "-1000000.0000"


def test_a_depth_below_1_is_refused(files, capfd) -> None:
    assert files(TWO, ONE, "-M", "0") == 2
    assert "-M 0: expected a whole number of at least 1" in capfd.readouterr().err
