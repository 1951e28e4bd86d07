"""Which documents to judge: `assay.pool` and leave-one-team-out."""
