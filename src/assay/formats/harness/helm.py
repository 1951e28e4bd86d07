"""HELM: a folder per run."""
