"""What a measure sees of one topic: a ranking, answers, subtopics, preferences."""
