"""Do judges agree: `assay.agree`."""
