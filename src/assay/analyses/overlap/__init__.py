"""How similar rankings are, without judgments: `assay.overlap`."""
