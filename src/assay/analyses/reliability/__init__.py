"""Would other topics say the same: `assay.reliability`."""
