"""Run work in threads, processes or on a cluster; knows nothing of scores."""
