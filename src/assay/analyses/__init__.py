"""The verbs of assay, a package each: its function and its result object."""
