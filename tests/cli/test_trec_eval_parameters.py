"""`assay trec_eval` with names and parameters as trec_eval takes them."""

from __future__ import annotations

from assay.cli import main

TWO = "1 0 a 1\n1 0 b 0\n2 0 a 1\n"


ONE = "1 Q0 a 1 2 t\n1 Q0 b 2 1 t\n"


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
    assert "The grades of the first documents" in out


def test_gains_that_are_all_the_same(trec_eval, capfd, printed) -> None:
    assert trec_eval("1 0 a 1\n1 0 b 2\n", ONE, "-m", "rbp.1=5,2=5,0=5") == 0
    assert printed()["rbp_1=5,2=5,0=5", "all"] == f"{0.1 * 1.9:.4f}"
