"""Building a test collection: pools, checking submissions, assessment."""
