"""The verbs of assay: each package or module has the function and its result object."""
