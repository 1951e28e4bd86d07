"""Which topics separate runs: `assay.items`."""
