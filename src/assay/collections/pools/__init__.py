"""Choose which documents to judge: `assay.pool` and leave-one-team-out."""
