"""The figures of the tracks: the sources' worked figures, medians by hand, periods by hand."""

from __future__ import annotations

from assay.figures.common import Count, differences, median, median_rank, median_ranks, median_values


class TestMedian:
    def test_of_values(self):
        assert median([3, 1, 2]) == 2
        assert median([4, 1, 2, 3]) == 2.5
        assert median([None, 1]) == 1
        assert median([]) is None

    def test_of_ranks_the_worse_of_the_middle_two(self):
        assert median_rank([5, 1, 2]) == 2
        assert median_rank([1, 2, 3, 4]) == 3
        assert median_rank([1, 2, None, None]) is None
        assert median_rank([1, None, 2]) == 2
        assert median_rank([None, None, 1]) is None

    def test_of_a_campaign(self, put, scored):
        gold = put("q", "1 0 a 1\n2 0 a 1\n")
        runs = [
            put(f"r{i}", text)
            for i, text in enumerate(("1 Q0 a 1 9 r0\n2 Q0 a 1 9 r0\n", "1 Q0 b 1 9 r1\n1 Q0 a 2 8 r1\n"))
        ]
        scores = scored("known-item", gold, *runs)
        assert median_ranks(scores, "Rank") == [2, None]
        assert median_values(scores, "RR") == [0.75, 0.5]
        assert median_values(scores, "RR", ["r1"]) == [0.5, 0.0]
        left_out = scored("known-item", gold, *runs, missing="skip")
        assert median_ranks(left_out, "Rank") == [2, 1]  # the run without topic 2 takes no part there
        assert median_values(left_out, "RR") == [0.75, 1.0]

    def test_differences(self):
        assert differences([1.0, None], [0.25, 0.5]) == [0.75, None]


def test_a_count_of_nothing_has_no_percentage():
    assert Count.of(0, 0).percent is None
