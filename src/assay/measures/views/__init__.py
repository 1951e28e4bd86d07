"""Views, the input of measures: one topic of one run, as a ranking, answers, subtopics or preferences."""
