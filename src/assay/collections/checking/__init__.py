"""Is a submission valid? Everything that is wrong with it, not the first thing alone; no gold is needed."""
