"""Readers of what stands beside gold and runs: topics, documents, pools, characteristics, judges' labels."""
