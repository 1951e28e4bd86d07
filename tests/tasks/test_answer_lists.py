"""How gold, judgments and runs of answers come together in qa, list and context."""

from __future__ import annotations

import pytest
from answer_rows import Write, answers, judgment

import assay
from assay.errors import AssayError, FormatError, InputError, UsageError
from assay.table.scores import Scores


def qa(gold: str, *runs: str, measures: list[str] | None = None, **settings: object) -> Scores:
    return assay.evaluate(gold, list(runs), measures, task="qa", **settings)


class TestJudgments:
    def test_the_document_decides_and_a_judgment_without_one_is_for_all(self, write: Write):
        gold = write(
            "j.jsonl",
            judgment("1", "Paris@d1", "correct"),
            judgment("1", "Paris@d2", "unsupported"),
            judgment("1", "Lyon", "incorrect"),
        )
        run = write("r.jsonl", answers("1", "Lyon@d7", "Paris@d2", " Paris @d1"))
        scores = qa(gold, run)
        assert scores.values("RR", "r") == {"1": 1 / 3}
        assert scores.values("RR(judged=lenient)", "r") == {"1": 1 / 2}
        assert "judgments file" in scores.run("r").notes.judging

    def test_an_answer_nobody_judged(self, write: Write):
        gold = write("j.jsonl", judgment("1", "Paris@d1", "correct"))
        run = write("r.jsonl", answers("1", "Paris@d1"), "")
        other = write("s.jsonl", "", answers("1", "Rome@d3", "Paris@d1", "Oslo"))
        with pytest.raises(
            FormatError, match=r"s\.jsonl:2: the answer 'Rome' with document 'd3' to question '1' has no judg"
        ):
            qa(gold, run, other)
        scores = qa(gold, run, other, unjudged="incorrect")
        assert scores.mean("RR") == {"r": 1.0, "s": 0.5}
        assert [scores.run(name).notes.unjudged for name in "rs"] == [0, 2]
        assert scores.run("s").notes.warnings == [
            "s: 2 answers without a judgment count as incorrect (`unjudged='incorrect'`)"
        ]

    def test_a_judgment_for_an_answer_no_run_gave(self, write: Write):
        gold = write(
            "j.jsonl",
            judgment("1", "Paris", "correct"),
            judgment("1", "Pariss", "correct"),
            judgment("1", "x", "inexact"),
        )
        run = write("r.jsonl", answers("1", "Paris"))
        with pytest.raises(
            FormatError, match=r"j\.jsonl:2: judges the answer 'Pariss' .*which no run gave \(and 1 more"
        ):
            qa(gold, run)
        assert qa(gold, run, unused_judgments="ignore").mean("RR") == {"r": 1.0}
        other = write("s.jsonl", answers("1", "x", "Pariss"))
        assert qa(gold, run, other).mean("RR") == {"r": 1.0, "s": 0.5}

    def test_the_same_judgment_twice_is_one_judgment(self, write: Write):
        gold = write("j.jsonl", judgment("1", "Paris", "correct"), judgment("1", "Paris", "correct"))
        assert qa(gold, write("r.jsonl", answers("1", "Paris"))).mean("RR") == {"r": 1.0}

    def test_nil_is_judged_by_the_question(self, write: Write):
        gold = write(
            "j.jsonl",
            judgment("1", "NIL", "correct"),
            judgment("2", "Rome", "correct"),
            judgment("3", "Bonn", "incorrect"),
        )
        run = write("r.jsonl", answers("1", "NIL"), answers("2", "NIL", "Rome"), answers("3", "Bonn"))
        scores = qa(gold, run)
        # Question 2 has an answer, so NIL is wrong there though nobody said so.
        assert (scores.mean("NIL"), scores.mean("NILCorrect"), scores.mean("RR")) == ({"r": 2}, {"r": 1}, {"r": 0.5})
        unknown = write("u.jsonl", answers("1", "NIL"), answers("2", "Rome"), answers("3", "NIL", "Bonn"))
        with pytest.raises(FormatError, match=r"u\.jsonl:3: the answer 'NIL' to question '3' has no judgment"):
            qa(gold, unknown)

    def test_an_unsupported_answer_does_not_make_nil_wrong(self, write: Write):
        """Nobody knows whether the collection has an answer: an assessor must say."""
        gold = write("j.jsonl", judgment("1", "Rome", "unsupported"))
        with pytest.raises(FormatError, match=r"r\.jsonl:1: the answer 'NIL' to question '1' has no judgment"):
            qa(gold, write("r.jsonl", answers("1", "Rome", "NIL")))

    def test_judgments_beside_a_gold_of_questions(self, write: Write):
        gold = write(
            "g.jsonl",
            {"id": "1", "answers": [{"text": "Paris", "class": "p", "grade": 3}, {"text": "Lutetia", "class": "l"}]},
            {"id": "2", "nil": True},
        )
        said = write(
            "j.jsonl",
            judgment("1", "paris", "correct", grade=3),  # no class of its own: that of the gold's Paris
            judgment("1", "Lugdunum", "correct", **{"class": "x", "grade": 2}),
        )
        run = write("r.jsonl", answers("1", "paris", "Lugdunum"), answers("2", "NIL"))
        scores = qa(gold, run, measures=["Q", "RR"], judgments=said)
        # Three classes: p (3), x (2), l (1). An ideal start of 2: (1 + 1)/3.
        assert scores.values("Q", "r") == {"1": pytest.approx(2 / 3), "2": 1.0}

    def test_contradictions(self, write: Write):
        run = write("r.jsonl", answers("1", "NIL"))
        gold = write("g.jsonl", {"id": "1", "answers": ["Paris"]})
        with pytest.raises(FormatError, match=r"j\.jsonl:1: NIL is correct here, but question '1'"):
            qa(gold, run, judgments=write("j.jsonl", judgment("1", "NIL", "correct")))
        with pytest.raises(FormatError, match=r"k\.jsonl:2: judges question '9', which is not in"):
            qa(gold, run, judgments=write("k.jsonl", judgment("1", "NIL", "incorrect"), judgment("9", "x", "correct")))
        with pytest.raises(FormatError, match=r"m\.jsonl:2: .*is incorrect here and correct on line 1"):
            qa(write("m.jsonl", judgment("1", "x", "correct"), judgment("1", "x", "incorrect")), run)
        again = write("o.jsonl", judgment("1", "x", "correct", **{"class": "a"}), judgment("1", "x ", "correct"))
        with pytest.raises(
            FormatError, match=r"o\.jsonl:2: 'x ' to question '1' has another judgment, class or grade on"
        ):
            qa(again, run)
        with pytest.raises(FormatError, match=r"n\.jsonl:1: "):
            qa(write("n.jsonl", judgment("1", "x", "perfect")), run)

    def test_nil_is_the_only_right_answer_where_it_is_one(self, write: Write):
        run = write("r.jsonl", answers("1", "NIL"))
        nil = write("g.jsonl", {"id": "1", "nil": True})
        with pytest.raises(FormatError, match=r"j\.jsonl:1: NIL is incorrect here, but question '1' has no answer"):
            qa(nil, run, judgments=write("j.jsonl", judgment("1", "NIL", "incorrect")))
        both = write("k.jsonl", judgment("1", "NIL", "correct"), judgment("1", "x", "correct"))
        with pytest.raises(FormatError, match=r"k\.jsonl:2: 'x' is correct here, but so is NIL to question '1'"):
            qa(both, run)
        doubt = write("l.jsonl", judgment("1", "NIL", "correct"), judgment("1", "x", "unsupported"))
        assert qa(doubt, write("s.jsonl", answers("1", "x", "NIL"))).mean("RR") == {"s": 0.5}
        for gold in ({"id": "1", "nil": True, "answers": ["x"]}, {"id": "1", "nil": True, "patterns": ["x"]}):
            with pytest.raises(FormatError, match=r"m\.jsonl:2: question '1' has NIL and other right answers"):
                qa(write("m.jsonl", "", gold), run)
        with pytest.raises(FormatError, match=r"p\.txt:1: question '1' has NIL and other right answers"):
            qa(write("p.txt", "1 x", "1 NIL"), run)


class TestGold:
    def test_exact_match_and_the_documents_that_support_it(self, write: Write):
        gold = write("g.jsonl", {"id": "1", "answers": [{"text": "Victor Hugo", "docs": ["d1", "d2"]}, "Hugo"]})
        run = write("r.jsonl", answers("1", "V. Hugo", "victor  HUGO!@d9", "hugo@d9", "Victor Hugo@d2"))
        scores = qa(gold, run, measures=["Rank", "Rank(judged=lenient)"])
        assert scores.values("Rank", "r") == {"1": 3}  # `Hugo` names no documents
        assert scores.values("Rank(judged=lenient)", "r") == {"1": 2}

    def test_equal_gold_answers_support_each_other(self, write: Write):
        """Of two that read alike, d1 supports the one and d2 the other; d3 supports neither."""
        gold = [{"text": "Paris", "docs": ["d1"]}, {"text": "paris", "docs": ["d2"]}]
        run = write("r.jsonl", answers("1", "Paris@d3", "Paris@d1"), answers("2", "Paris@d2"))
        path = write("g.jsonl", {"id": "1", "answers": gold}, {"id": "2", "answers": gold})
        scores = qa(path, run, measures=["Rank", "Rank(judged=lenient)", "Q"])
        assert scores.values("Rank", "r") == {"1": 2, "2": 1}
        assert scores.values("Rank(judged=lenient)", "r") == {"1": 1, "2": 1}
        assert scores.values("Q", "r")["2"] == 1.0  # one class

    @pytest.mark.parametrize("target", [0, -1])
    def test_a_target_is_a_number_of_instances(self, write: Write, target: int):
        gold = write("g.jsonl", {"id": "1", "answers": ["a"]}, {"id": "2", "answers": ["a"], "target": target})
        with pytest.raises(FormatError, match=rf"g\.jsonl:2: question '2' has the target {target}; expected"):
            assay.evaluate(gold, write("r.jsonl", answers("1", "a")), task="list")

    def test_a_rule_the_gold_cannot_serve(self, write: Write):
        """Every answer would be wrong, and nobody would know why."""
        run = write("r.jsonl", answers("1", "x"))
        judged = write("j.jsonl", judgment("1", "x", "correct"))
        patterns = write("p.txt", "1 x")
        with pytest.raises(
            FormatError, match=r"j\.jsonl:1: question '1': `judging='exact'` needs an answer in the gold"
        ):
            qa(judged, run, judging="exact")
        with pytest.raises(FormatError, match=r"j\.jsonl:1: .*`judging='patterns'` needs a pattern or an answer"):
            qa(judged, run, judging="patterns")
        with pytest.raises(FormatError, match=r"p\.txt:1: question '1': `judging='exact'` needs an answer"):
            qa(patterns, run, judging="exact")

    def test_the_best_grade_of_a_class_is_the_ideal_whatever_the_order(self, write: Write):
        wordings = [{"text": "aa", "class": "A", "grade": 3}, {"text": "a", "class": "A", "grade": 2}]
        run = write("r.jsonl", answers("1", "a"))
        for order in (wordings, wordings[::-1]):
            scores = qa(write("g.jsonl", {"id": "1", "answers": order}), run, measures=["Q"])
            assert scores.values("Q", "r") == {"1": pytest.approx(3 / 4)}  # (2 + 1)/(3 + 1)

    def test_grades_and_classes(self, write: Write):
        gold = write(
            "g.jsonl",
            {
                "id": "1",
                "answers": [{"text": "a", "class": "A", "grade": 2}, {"text": "aa", "class": "A", "grade": 3}, "b"],
            },
        )
        run = write("r.jsonl", answers("1", "a", "aa", "b"))
        # First of class A at its own grade 2; ideal 3, 1: (3/(3 + 1) + (3 + 2)/(4 + 3))/2.
        assert qa(gold, run, measures=["Q"]).values("Q", "r") == {"1": pytest.approx((3 / 4 + 5 / 7) / 2)}

    def test_a_grade_of_0_is_wrong(self, write: Write):
        gold = write("g.jsonl", {"id": "1", "answers": [{"text": "a", "grade": 0}, "b"]})
        assert qa(gold, write("r.jsonl", answers("1", "a", "b")), measures=["RR", "Q"]).mean("RR") == {"r": 0.5}

    def test_missing_questions_are_not_found(self, write: Write):
        gold = write("g.jsonl", *({"id": str(i), "answers": ["x"]} for i in range(4)))
        run = write("r.jsonl", answers("0", "x"), {"id": "1", "answer": None})
        scores = qa(gold, run, measures=["RR", "NotFound"])
        assert (scores.mean("RR"), scores.mean("NotFound")) == ({"r": 0.25}, {"r": 3})
        skipped = qa(gold, run, measures=["RR", "NotFound"], missing="skip")
        assert (skipped.mean("RR"), skipped.mean("NotFound")) == ({"r": 0.5}, {"r": 1})

    @pytest.mark.parametrize(
        ("line", "message"),
        [
            (answers("9", "x"), r"r\.jsonl:2: answers question '9', which is not in"),
            (answers("1", "x"), r"r\.jsonl:2: question '1' is already answered on line 1"),
            ({"id": "2", "outcome": "correct"}, r"r\.jsonl:2: question '2' has an outcome"),
            (answers("2", *"abcdef"), r"r\.jsonl:2: question '2' has 6 answers; expected at most 5 \(`answers=N`\)"),
            (answers("2", "a", "b", final=3), r"r\.jsonl:2: final 3"),
            ({"id": "2"}, r"r\.jsonl:2: question '2' gives no answer"),
        ],
    )
    def test_bad_runs_name_their_line(self, write: Write, line: object, message: str):
        gold = write("g.jsonl", {"id": "1", "answers": ["x"]}, {"id": "2", "answers": ["x"]})
        with pytest.raises(FormatError, match=message):
            qa(gold, write("r.jsonl", answers("1", "x"), line))

    def test_more_answers_by_choice(self, write: Write):
        gold = write("g.jsonl", {"id": "1", "answers": ["x"]})
        run = write("r.jsonl", answers("1", *"abcde", "x"))
        scores = qa(gold, run, measures=["Rank", "NQcorrect5", "NQcorrect@6"], answers=6)
        assert [scores.mean(m)["r"] for m in ("Rank", "NQcorrect5", "NQcorrect@6")] == [6, 0, 1]

    def test_usage(self, write: Write):
        gold, run = write("g.jsonl", {"id": "1", "answers": ["x"]}), write("r.jsonl", answers("1", "x"))
        with pytest.raises(UsageError, match=r"`depth=3`: is a setting of the task ranked, .*; this is qa"):
            qa(gold, run, depth=3)
        with pytest.raises(UsageError, match="`missing='unanswered'`: expected one of zero"):
            qa(gold, run, missing="unanswered")
        with pytest.raises(UsageError, match="`answers=0`: expected"):
            qa(gold, run, answers=0)
        with pytest.raises(UsageError, match="unjudged='maybe'"):
            qa(gold, run, unjudged="maybe")
        with pytest.raises(UsageError, match="side by side"):
            qa(gold, run, judging="judgments-lenient", judgments=gold)
        with pytest.raises(UsageError, match="needs answer patterns"):
            qa(gold, run, support=run)
        with pytest.raises(UsageError, match="no runs given"):
            qa(gold)
        with pytest.raises(InputError, match="expected a path or bytes"):
            assay.evaluate({"1": "x"}, [run], task="qa")
        with pytest.raises(InputError, match="expected a path or bytes"):
            assay.evaluate(gold, {"mine": {"1": "x"}}, task="qa")


class TestPatterns:
    def test_patterns_and_supporting_documents(self, write: Write):
        gold = write("p.txt", "1 Victor\\s+Hugo", "1 V\\. Hugo", "2 NIL", "3 19\\d\\d")
        support = write("s.txt", "1 d1 d2")
        run = write(
            "r.jsonl",
            answers("1", "Hugo@d1", "by victor   hugo@d9", "V. Hugo@d2"),
            answers("2", "NIL"),
            answers("3", "in 1862@d5", "in 1985@d5"),
        )
        scores = qa(gold, run, measures=["Rank", "Rank(judged=lenient)", "NILCorrect"], support=support)
        assert scores.values("Rank", "r") == {"1": 3, "2": 1, "3": 2}
        assert scores.values("Rank(judged=lenient)", "r") == {"1": 2, "2": 1, "3": 2}
        assert scores.mean("NILCorrect") == {"r": 1}
        assert "regular expressions" in scores.run("r").notes.judging

    def test_a_broken_expression_names_its_line(self, write: Write):
        run = write("r.jsonl", answers("1", "x"))
        with pytest.raises(FormatError, match=r"p\.txt:2: '\(Hugo' is no regular expression"):
            qa(write("p.txt", "1 Hugo", "2 (Hugo"), run)
        with pytest.raises(FormatError, match=r"g\.jsonl:2: '\*' is no regular expression"):
            qa(write("g.jsonl", {"id": "1", "patterns": ["x"]}, {"id": "2", "patterns": ["*"]}), run)

    def test_patterns_of_a_question_belong_to_its_answers(self, write: Write):
        gold = write(
            "g.jsonl",
            {
                "id": "1",
                "answers": [{"text": "Victor Hugo", "class": "h", "grade": 2, "docs": ["d1"]}],
                "patterns": ["Hugo", "Zola"],
            },
        )
        run = write("r.jsonl", answers("1", "old Hugo@d1", "Victor Hugo@d1", "Zola@d2"))
        scores = qa(gold, run, measures=["Q", "Q(judged=lenient)"])
        # Classes: h, matched by the pattern Hugo, of grade 2; and Zola's own, of grade 1, whose document does not support.
        assert scores.values("Q", "r") == {"1": pytest.approx(1 / 2)}
        assert scores.values("Q(judged=lenient)", "r") == {"1": pytest.approx((1 + (3 + 2) / (3 + 3)) / 2)}

    def test_one_pattern_for_several_answers(self, write: Write):
        """What equals a gold answer is of its class, though the pattern found another first."""
        gold = write("g.jsonl", {"id": "1", "answers": ["red wine", "white wine"], "patterns": ["wine"]})
        run = write("r.jsonl", answers("1", "white wine", "red wine"))
        assert qa(gold, run, measures=["Q"]).values("Q", "r") == {"1": 1.0}

    def test_what_supports_an_answer(self, write: Write):
        """The support file, or for a question it leaves out the gold's documents; no document, no doubt."""
        known = [{"text": "x", "docs": ["d1"]}]
        gold = write("g.jsonl", *({"id": id, "answers": known, "patterns": ["x"]} for id in ("1", "2", "3")))
        run = write("r.jsonl", answers("1", "x@d1", "x@d2"), answers("2", "x@d2", "x@d1"), answers("3", "x"))
        scores = qa(gold, run, measures=["Rank"], support=write("s.txt", "1 d2"))
        assert scores.values("Rank", "r") == {"1": 2, "2": 2, "3": 1}
        mixed = write("h.jsonl", {"id": "1", "answers": known}, {"id": "2", "patterns": ["x"]})
        two = write("t.jsonl", answers("1", "x@d1", "x@d2"), answers("2", "x"))
        scores = qa(mixed, two, measures=["Rank"], support=write("s.txt", "1 d2"))
        assert scores.values("Rank", "t") == {"1": 2, "2": 1}  # also where a question has no pattern


class TestConfidence:
    def test_confident_on_the_final_answer(self, write: Write):
        gold = write("g.jsonl", *({"id": str(i), "answers": ["x"]} for i in range(4)))
        run = write(
            "r.jsonl",
            answers("0", "a", "x", final=2, confident=True),
            answers("1", "a", "x", confident=True),
            answers("2", "x", confident=False),
            answers("3", "x"),
        )
        silent = write("s.jsonl", answers("0", "x"))
        scores = qa(gold, run, silent)
        assert scores.mean("Confident") == {"r": 0.5, "s": None}
        assert scores.mean("ConfidentCorrect") == {"r": 0.5, "s": None}

    def test_it_is_shown_only_where_stated(self, write: Write):
        gold = write("g.jsonl", {"id": "1", "answers": ["x"]})
        scores = qa(gold, write("s.jsonl", answers("1", "x")))
        assert "Confident" not in [m.name for m in scores.measures]


class TestLists:
    def test_accuracy_precision_recall_f(self, write: Write):
        gold = write(
            "g.jsonl",
            {"id": "1", "answers": [{"text": "a", "class": 1}, {"text": "A.", "class": 1}, "b", "c"], "target": 3},
            {"id": "2", "answers": ["x"]},
        )
        run = write("r.jsonl", answers("1", "a", "A.", "z", "b"), answers("2", "x"))
        scores = assay.evaluate(gold, run, task="list")
        assert scores.values("ListAccuracy", "r") == {"1": 1 / 3, "2": None}
        assert scores.values("InstanceP", "r") == {"1": 2 / 4, "2": 1}
        assert scores.values("InstanceR", "r") == {"1": 2 / 3, "2": 1}
        assert scores.values("InstanceF", "r") == {"1": pytest.approx(2 * 2 / (4 + 3)), "2": 1}
        assert scores.value("r", "ListAccuracy").topics == 1
        assert "1 answers beyond the target of 1 questions" in scores.run("r").notes.warnings[0]

    def test_without_targets_there_is_no_accuracy(self, write: Write):
        gold = write("g.jsonl", {"id": "1", "answers": ["a"]})
        scores = assay.evaluate(gold, write("r.jsonl", answers("1", *"abcdefgh")), task="list")
        assert [m.name for m in scores.measures] == ["InstanceP", "InstanceR", "InstanceF"]
        assert scores.mean("InstanceP") == {"r": 1 / 8}  # any number of answers

    def test_judgments_give_the_classes(self, write: Write):
        gold = write(
            "j.jsonl",
            judgment("1", "US", "correct", **{"class": "usa"}),
            judgment("1", "America", "correct", **{"class": "usa"}),
            judgment("1", "Peru", "unsupported"),
            judgment("1", "Oz", "incorrect"),
        )
        run = write("r.jsonl", answers("1", "US", "America", "Peru", "Oz"))
        scores = assay.evaluate(gold, run, ["R", "R(judged=lenient)", "P", "P(judged=lenient)"], task="list")
        assert [scores.mean(m.name)["r"] for m in scores.measures] == [1.0, 1.0, 1 / 4, 2 / 4]


class TestContext:
    def test_series_by_letter(self, write: Write):
        gold = write("g.jsonl", *({"id": id, "answers": ["x"]} for id in ("1a", "1b", "1c", "2a", "2b", "10a")))
        run = write(
            "r.jsonl",
            answers("1a", "x"),
            answers("1b", "y", "x"),
            answers("1c", "y"),
            answers("2b", "x"),
            answers("10a", "x"),
        )
        scores = assay.evaluate(gold, run, task="context")
        assert [m.name for m in scores.measures] == ["RR", "InstanceF", "Alive@1", "Alive@2", "Alive@3"]
        assert scores.mean("Alive@1") == {"r": 2 / 3}
        assert scores.mean("Alive@2") == {"r": 1 / 2}
        assert scores.mean("Alive@3") == {"r": 0}
        assert scores.values("InstanceF", "r")["1b"] == pytest.approx(2 / 3)

    def test_series_by_field_in_the_order_of_the_file(self, write: Write):
        rows = [{"id": id, "series": "s", "answers": ["x"]} for id in ("z", "m", "a")]
        run = write("r.jsonl", answers("z", "x"), answers("m", "x"), answers("a", "y"))
        scores = assay.evaluate(write("g.jsonl", *rows), run, task="context")
        assert [scores.mean(f"Alive@{k}")["r"] for k in (1, 2, 3)] == [1, 1, 0]

    @pytest.mark.parametrize(
        ("ids", "message"),
        [
            (["1a", "17"], r"g\.jsonl:2: question '17': expected an id such as 3b"),
            (["1a", "1c"], r"g\.jsonl:2: question '1c' is number 3 of series 1, which has no 2"),
        ],
    )
    def test_bad_series(self, write: Write, ids: list[str], message: str):
        gold = write("g.jsonl", *({"id": id, "answers": ["x"]} for id in ids))
        with pytest.raises(FormatError, match=message):
            assay.evaluate(gold, write("r.jsonl", answers("1a", "x")), task="context")

    def test_a_series_is_a_text_or_a_number(self, write: Write):
        gold = write(
            "g.jsonl", {"id": "x", "series": 1, "answers": ["x"]}, {"id": "y", "series": [1], "answers": ["x"]}
        )
        with pytest.raises(FormatError, match=r"g\.jsonl:2: series \[1\]: expected a text or a whole number"):
            assay.evaluate(gold, write("r.jsonl", answers("x", "x")), task="context")

    def test_two_questions_in_one_place(self, write: Write):
        gold = write(
            "g.jsonl",
            {"id": "s1", "series": "1", "answers": ["x"]},
            {"id": "1a", "answers": ["x"]},
            {"id": "1b", "answers": ["x"]},
        )
        with pytest.raises(AssayError, match="has the place of"):
            assay.evaluate(gold, write("r.jsonl", answers("1a", "x")), task="context")


def test_questions_with_another_prefix() -> None:
    gold = b'{"id": "test.1", "answers": ["a"]}\n{"id": "test.2", "answers": ["a"]}\n'
    said = r"answers question 'q\.1', which is not in <gold>; ids begin with 'q\.' here and with 'test\.' in <gold>"
    for runs in (b'{"id": "q.1", "answer": "a"}\n', b"id,outcome\nq.1,1\n"):
        with pytest.raises(FormatError, match=said):
            assay.evaluate(gold, [runs])
