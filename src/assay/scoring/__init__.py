"""From gold and runs to the score table; distributed scoring; the store; score files."""
