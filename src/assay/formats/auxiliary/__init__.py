"""Readers of files beside gold and runs: topics, documents, pools, characteristics, judges' labels."""
