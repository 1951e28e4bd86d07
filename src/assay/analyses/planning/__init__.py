"""How many topics, samples or labels are needed: `assay.plan`."""
