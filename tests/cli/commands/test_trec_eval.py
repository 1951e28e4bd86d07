"""`assay trec_eval` prints trec_eval's bytes, and where trec_eval is broken does what its help promises."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

import pytest

from assay.cli import main


def commands() -> list[tuple[str, str]]:
    folder = Path(os.environ.get("ASSAY_DATA", Path(__file__).resolve().parents[4] / "shared" / "data"))
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


TWO = "1 0 a 1\n1 0 b 0\n2 0 a 1\n"
ONE = "1 Q0 a 1 2 t\n1 Q0 b 2 1 t\n"


def test_recall_levels_by_both_rules(trec_eval, capfd, printed) -> None:
    """The example of the documentation: relevant at ranks 1, 2, 4 and 15."""
    run = "".join(f"1 Q0 d{r:02} {r} {100 - r} t\n" for r in range(1, 16))
    qrels = "".join(f"1 0 d{r:02} {int(r in (1, 2, 4, 15))}\n" for r in range(1, 16))
    trec_eval(qrels, run, "-m", "iprec_at_recall")
    ten = printed()
    assert [ten[f"iprec_at_recall_0.{i}0", "all"] for i in (5, 6, 7, 8, 9)] == [
        "1.0000",
        "1.0000",
        "0.7500",
        "0.7500",
        "0.2667",
    ]
    trec_eval(qrels, run, "--compat", "9", "-m", "iprec_at_recall")
    nine = printed()
    assert [nine[f"iprec_at_recall_0.{i}0", "all"] for i in (5, 6, 7, 8)] == ["1.0000", "0.7500", "0.7500", "0.2667"]
    assert (
        main(["evaluate", "qrels", "run", *[w for i in (5, 6, 7, 8) for w in ("-m", f"IPrec@0.{i}")], "-f", "tsv"]) == 0
    )
    values = capfd.readouterr().out.splitlines()[1].split("\t")[2:]
    assert [round(float(v), 2) for v in values] == [1.0, 0.75, 0.75, 0.27]


def test_topics_missing_without_c_are_left_out(trec_eval, capfd, printed) -> None:
    assert trec_eval(TWO, ONE, "-m", "map", "-m", "num_q") == 0
    out = printed()
    assert (out["num_q", "all"], out["map", "all"]) == ("1", "1.0000")


def test_topics_missing_with_c_count_zero_and_have_rows(trec_eval, capfd, printed) -> None:
    assert trec_eval(TWO, ONE, "-c", "-q", "-m", "map", "-m", "num_rel", "-m", "utility.1,-1,-1,0", "-m", "yaap") == 0
    out = printed()
    assert (out["map", "2"], out["map", "all"]) == ("0.0000", "0.5000")
    assert out["num_rel", "2"] == "1"
    assert out["utility_1,-1,-1,0", "2"] == "0.0000"  # trec_eval leaks -1 here
    assert out["yaap", "2"] == "0.0000"


def test_compat_9_prints_no_rows_for_missing_topics(trec_eval, capfd, printed) -> None:
    trec_eval(TWO, ONE, "--compat", "9", "-c", "-q", "-m", "map")
    out = printed()
    assert ("map", "2") not in out
    assert out["map", "all"] == "0.5000"


@pytest.mark.parametrize("ending", ["# the end\n", "# one\n# two\n", "\n", "  # indented"])
def test_comments_and_blank_lines_anywhere(trec_eval, capfd, ending, printed) -> None:
    """A trailing comment crashes trec_eval 10.0, and two comment lines in a row are malformed to it."""
    assert trec_eval(TWO + ending, ONE + ending, "-m", "map") == 0
    assert printed()["map", "all"] == "1.0000"


def test_rbp_of_graded_judgments_does_not_depend_on_other_measures(trec_eval, capfd, printed) -> None:
    qrels = "1 0 a 2\n1 0 b 1\n1 0 c 0\n"
    run = "1 Q0 b 1 3 t\n1 Q0 c 2 2 t\n1 Q0 a 3 1 t\n"
    trec_eval(qrels, run, "-m", "rbp")
    alone = printed()["rbp", "all"]
    trec_eval(qrels, run, "-m", "all_trec", "-m", "yaap")
    assert printed()["rbp", "all"] == alone == f"{0.1 * (0.5 + 1.0 * 0.81):.4f}"


def test_n_without_q_says_why_nothing_is_printed(trec_eval, capfd) -> None:
    assert trec_eval(TWO, ONE, "-n", "-m", "map") == 0
    out, err = capfd.readouterr()
    assert out == ""
    assert "-n without -q" in err


def test_judged_only_that_leaves_nothing_is_zero(trec_eval, capfd, printed) -> None:
    trec_eval("1 0 a 1\n", "1 Q0 x 1 1 t\n", "-J", "-m", "11pt_avg")
    assert printed()["11pt_avg", "all"] == "0.0000"


def test_a_topic_with_only_unjudged_documents_does_not_borrow_from_the_one_before(trec_eval, capfd, printed) -> None:
    trec_eval("1 0 a 3\n2 0 a -1\n", "1 Q0 a 1 1 t\n2 Q0 a 1 1 t\n", "-q", "-m", "ideal_dcg")
    assert printed()["ideal_dcg", "2"] == "0.0000"


def test_relevance_level_counts_relevant_documents_under_c_too(trec_eval, capfd, printed) -> None:
    trec_eval("1 0 a 1\n1 0 b 2\n", "1 Q0 a 1 1 t\n", "-c", "-l2", "-m", "num_rel")
    assert printed()["num_rel", "all"] == "1"


def test_long_options_and_options_after_files(trec_eval, capfd, printed) -> None:
    Path("q").write_text(TWO)
    Path("r").write_text(ONE)
    assert main(["trec_eval", "q", "r", "--measure", "map", "--query_eval_wanted", "--complete_rel_info_wanted"]) == 0
    assert printed()["map", "2"] == "0.0000"


def test_debug_flag_selects_a_topic_and_o_is_accepted(trec_eval, capfd, printed) -> None:
    trec_eval(TWO, ONE + "2 Q0 a 1 1 t\n", "-o", "-D", "0.2", "-q", "-m", "map")
    assert {topic for _, topic in printed()} == {"2", "all"}


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
def test_bad_usage_is_explained(trec_eval, capfd, flags, message) -> None:
    assert trec_eval(TWO, ONE, *flags) == 2
    assert message in capfd.readouterr().err


def test_bad_z_scores_are_named(trec_eval, capfd) -> None:
    Path("z").write_text("1 map 0.5 0.1\n1 map x 0.1\n")
    assert trec_eval(TWO, ONE, "-Z", "z") == 3
    assert "z:2: expected two numbers" in capfd.readouterr().err


def test_no_topics_in_common(trec_eval, capfd, printed) -> None:
    assert trec_eval(TWO, "9 Q0 a 1 1 t\n", "-m", "map") == 3
    assert trec_eval(TWO, "9 Q0 a 1 1 t\n", "-c", "-m", "map") == 0
    assert printed()["map", "all"] == "0.0000"


def test_selecting_a_topic_counts_that_topic_alone(trec_eval, capfd, printed) -> None:
    trec_eval("1 0 a 1\n1 0 b 1\n2 0 a 1\n", ONE, "-c", "-D", "0.1", "-m", "num_q", "-m", "num_rel")
    out = printed()
    assert (out["num_q", "all"], out["num_rel", "all"]) == ("1", "2")


def test_parametrised_measures_of_missing_topics_are_0_too(trec_eval, capfd, printed) -> None:
    trec_eval(TWO, ONE, "-c", "-q", "-m", "rbp_resid.p=0.5", "-m", "unj.1")
    out = printed()
    assert (out["rbp_resid_p=0.5", "2"], out["unj_1", "2"]) == ("0.0000", "0.0000")


def test_z_scores_without_spread(trec_eval, capfd, printed) -> None:
    """The mean itself is 0 standard deviations away; anything else has no answer, which trec_eval prints as -1000000."""
    Path("z").write_text("1 map 1.0 0\n1 Rprec 0.5 0\n")
    trec_eval(TWO, ONE, "-q", "-n", "-Z", "z", "-m", "map", "-m", "Rprec", "-m", "P.5")
    out = printed()
    assert out["Zmap", "1"] == "0.0000"
    assert out["ZRprec", "1"] == out["ZP_5", "1"] == "-1000000.0000"


def test_a_depth_below_1_is_refused(trec_eval, capfd) -> None:
    assert trec_eval(TWO, ONE, "-M", "0") == 2
    assert "-M 0: expected a whole number of at least 1" in capfd.readouterr().err


def test_binary_rbp_does_not_depend_on_other_measures(trec_eval, capfd, printed) -> None:
    """trec_eval 10.0 prints .0900 alone and .0552 beside map and ndcg; (1 - .9) · .9 = .09."""
    qrels, run = "1 0 a 1\n1 0 b 0\n1 0 c 1\n", "1 Q0 b 1 3 t\n1 Q0 a 2 2 t\n1 Q0 x 3 1 t\n"
    for others in ([], ["-m", "map", "-m", "ndcg"], ["-m", "all_trec"]):
        trec_eval(qrels, run, "-m", "rbp", *others)
        assert printed()["rbp", "all"] == "0.0900"


def test_rndcg_where_no_grade_is_above_0(trec_eval, capfd, printed) -> None:
    """trec_eval 10.0 divides 0 by 0 under -l 0."""
    trec_eval("1 0 a 0\n1 0 b 0\n", "1 Q0 a 1 1 t\n", "-l", "0", "-m", "Rndcg")
    assert printed()["Rndcg", "all"] == "0.0000"


@pytest.mark.parametrize("level", ["-1", "-2", "-99999999999999999999999"])
def test_a_level_below_0_makes_no_unjudged_document_relevant(trec_eval, capfd, printed, level) -> None:
    """Relevant at rank 2 of two judged: AP = (1/2)/2. trec_eval 10.0 prints a map of 1 and P_1 of 1."""
    trec_eval(
        "1 0 a 1\n1 0 b 0\n", "1 Q0 x 1 3 t\n1 Q0 a 2 2 t\n", "-l", level, "-m", "map", "-m", "P.1", "-m", "num_rel"
    )
    out = printed()
    assert (out["map", "all"], out["P_1", "all"], out["num_rel", "all"]) == ("0.2500", "0.0000", "2")


@pytest.mark.parametrize("levels", ["0.8,0.2,0.5", "0.2,0.5,0.8", "0.5,0.8,0.2"])
def test_the_order_of_recall_levels_does_not_matter(trec_eval, capfd, printed, levels) -> None:
    """Two relevant, one found at rank 2: precision 1/2 at levels .2 and .5, 0 at .8 (of 2 documents 2). trec_eval 10.0
    prints .5000 for the first order."""
    trec_eval("1 0 a 1\n1 0 b 0\n1 0 c 1\n", "1 Q0 b 1 3 t\n1 Q0 a 2 2 t\n", "-m", f"11pt_avg.{levels}")
    assert printed()[f"11pt_avg_{levels}", "all"] == "0.3333"


def test_selecting_a_topic_leaves_means_of_that_topic(trec_eval, capfd, printed) -> None:
    """trec_eval 10.0 divides by all three topics: num_q 3, map .3333."""
    qrels = "1 0 a 1\n2 0 a 1\n3 0 a 1\n3 0 b 1\n"
    trec_eval(qrels, ONE, "-c", "-D", "0.1", "-m", "map", "-m", "num_q", "-m", "num_rel")
    out = printed()
    assert (out["map", "all"], out["num_q", "all"], out["num_rel", "all"]) == ("1.0000", "1", "1")


def test_z_scores_of_num_rel_are_summed_under_c_too(trec_eval, capfd, printed) -> None:
    """(1 - 0)/1 and (1 - 3)/2; trec_eval 10.0 prints the 2 relevant documents themselves."""
    Path("z").write_text("1 num_rel 0 1\n2 num_rel 3 2\n")
    trec_eval(TWO, ONE, "-c", "-Z", "z", "-m", "num_rel")
    assert printed()["Znum_rel", "all"] == "0.0000"


@pytest.mark.parametrize("mark", ["qrels", "run", "both"])
def test_a_byte_order_mark_is_no_part_of_the_first_topic(trec_eval, capfd, printed, mark) -> None:
    qrels, run = TWO, ONE
    trec_eval("\ufeff" * (mark != "run") + qrels, "\ufeff" * (mark != "qrels") + run, "-c", "-q", "-m", "map")
    out = printed()
    assert (out["map", "1"], out["map", "all"]) == ("1.0000", "0.5000")


@pytest.mark.parametrize("topic", ["{1", "{", "{{}}", '{"a"', '{"', "[1", '{"x}'])
def test_ids_may_begin_as_json_does(trec_eval, capfd, printed, topic) -> None:
    assert trec_eval(f"{topic} 0 {topic}d 1\n", f"{topic} Q0 {topic}d 1 0.5 {topic}t\n", "-q", "-m", "map") == 0
    assert printed()["map", topic] == "1.0000"


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["-m", "P.1e2"], "P: expected whole numbers as cutoffs, found '1e2'"),
        (["-m", "unj.5x"], "unj: expected whole numbers as cutoffs, found '5x'"),
        (["-m", "P.1_0"], "found '1_0'"),
        (["-m", "P.٣"], "found '٣'"),
        (["-m", "P.9999999999999999999"], "at most 18 digits"),
        (["-m", "iprec_at_recall..5x"], "expected a number, found '.5x'"),
        (["-m", "set_F.0x2"], "expected a number, found '0x2'"),
        (["-m", "set_F.nan"], "expected a number, found 'nan'"),
        (["-m", "set_F.-1"], "from 0 to 1000"),
        (["-m", "rbp.p=1.5"], "from 0 to 1"),
        (["-m", "rbp.p=0.5,p=0.7"], "given twice"),
        (["-m", "rbp.q=3"], "unknown parameter 'q'"),
        (["-m", "ndcg.-1=1"], "a grade below 0 means a document without a judgment"),
        (["-m", "rbp.-2=1"], "a grade below 0 means a document without a judgment"),
        (["-m", "ndcg.1=3,1=9"], "grade 1 is given twice"),
        (["-m", f"ndcg.{'9' * 5000}=1"], "unknown parameter"),
        (["-l", "1.5"], "-l 1.5: expected a whole number"),
        (["-M", "5x"], "-M 5x: expected a whole number"),
        (["-N", "1e6"], "-N 1e6: expected a whole number"),
        (["-M", "1_0"], "-M 1_0: expected a whole number"),
    ],
)
def test_what_trec_eval_guesses_is_refused(trec_eval, capfd, flags, message) -> None:
    assert trec_eval(TWO, ONE, *flags) == 2
    assert message in capfd.readouterr().err


def test_hexadecimal_scores_are_refused(trec_eval, capfd) -> None:
    assert trec_eval(TWO, "1 Q0 a 1 0x10 t\n") == 3
    assert "run:1: expected a number as score (field 5), found '0x10'" in capfd.readouterr().err


@pytest.mark.parametrize(("flag", "measure", "expected"), [("-M", "num_ret", "2"), ("-l", "num_rel", "0")])
def test_numbers_beyond_a_long_are_the_largest(trec_eval, capfd, printed, flag, measure, expected) -> None:
    """As C's atol has it: 2**64 + 1 is not 1."""
    for text in ("18446744073709551617", "9" * 30, "9223372036854775807"):
        assert trec_eval(TWO, ONE, flag, text, "-m", measure) == 0
        assert printed()[measure, "all"] == expected


def test_cutoffs_are_exact_and_fractions_cut_off(trec_eval, capfd, printed) -> None:
    trec_eval(TWO, ONE, "-m", "P.5.5,999999999999999999")
    assert set(printed()) == {("P_5", "all"), ("P_999999999999999999", "all")}


def test_older_official_figures_have_ties_in_float32(trec_eval, capfd, printed) -> None:
    """-0.48203352 and -0.48203353 are one float32: the tie goes to the higher id, as in trec_eval 9.0.8."""
    qrels, run = "1 0 a 1\n1 0 b 0\n", "1 Q0 a 1 -0.48203352 t\n1 Q0 b 2 -0.48203353 t\n"
    trec_eval(qrels, run, "-m", "recip_rank")
    assert printed()["recip_rank", "all"] == "1.0000"
    trec_eval(qrels, run, "--compat", "9", "-m", "recip_rank")
    assert printed()["recip_rank", "all"] == "0.5000"


def test_fractional_gains_are_sorted_as_numbers(trec_eval, capfd, printed) -> None:
    """trec_eval sorts gains by integer difference and prints 0.0000 here."""
    trec_eval("1 0 a 1\n1 0 b 2\n", "1 Q0 b 1 2 t\n1 Q0 a 2 1 t\n", "-m", "ndcg.1=0.3,2=0.6")
    assert printed()["ndcg_1=0.3,2=0.6", "all"] == "1.0000"


def test_compat_9_has_no_rbp_and_unj_in_all_trec(trec_eval, capfd, printed) -> None:
    trec_eval(TWO, ONE, "-m", "all_trec")
    assert {"rbp", "rbp_resid", "unj_5"} <= {name for name, _ in printed()}
    trec_eval(TWO, ONE, "--compat", "9", "-m", "all_trec")
    assert not {"rbp", "rbp_resid", "unj_5"} & {name for name, _ in printed()}


def test_only_the_first_parameters_of_a_measure_count(trec_eval, capfd, printed) -> None:
    trec_eval(TWO, ONE, "-m", "P.1", "-m", "P.2")
    assert set(printed()) == {("P_1", "all")}


def test_help_explains_the_measures_asked_for(capsys) -> None:
    assert main(["trec_eval", "-h", "-m", "map", "-m", "relstring"]) == 0
    out = capsys.readouterr().out
    assert "Average precision" in out
    assert "the grades of the first documents" in out


def test_gains_that_are_all_the_same(trec_eval, capfd, printed) -> None:
    assert trec_eval("1 0 a 1\n1 0 b 2\n", ONE, "-m", "rbp.1=5,2=5,0=5") == 0
    assert printed()["rbp_1=5,2=5,0=5", "all"] == f"{0.1 * 1.9:.4f}"


def test_compat_9_keeps_scores_as_float32(trec_eval, capfd, printed) -> None:
    run = "1 Q0 a 1 0.500000001 t\n1 Q0 b 2 0.5 t\n"
    trec_eval("1 0 a 1\n1 0 b 0\n", run, "-m", "recip_rank")
    assert printed()["recip_rank", "all"] == "1.0000"
    trec_eval("1 0 a 1\n1 0 b 0\n", run, "--compat", "9", "-m", "recip_rank")
    assert printed()["recip_rank", "all"] == "0.5000"


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
def test_measures_that_the_judgments_cannot_serve(trec_eval, capfd, format, measure) -> None:
    assert trec_eval(TWO, ONE, "-R", format, "-m", measure) == 2
    assert f"cannot be calculated from judgments in the format {format}" in capfd.readouterr().err


def test_preferences_have_measures_of_their_own_by_default(trec_eval, capfd, printed) -> None:
    assert trec_eval(TWO, ONE, "-c", "-R", "qrels_prefs") == 0
    assert ("prefs_simp", "all") in printed()
