"""Build a release: compile the core for every system, make a wheel for each, and check every wheel."""
