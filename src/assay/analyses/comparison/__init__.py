"""Which run is better: `assay.compare`."""
