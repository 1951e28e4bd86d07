"""The immutable score table: run × topic × measure, policies for missing topics, notes and run names."""
