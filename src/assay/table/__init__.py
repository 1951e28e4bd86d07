"""The immutable score table: run × topic × measure, what missing topics count, notes and run names."""
