"""Judge the documents of a pool by hand: queue, judgments file and browser page."""
