"""assay inside the tools that people work with already. Each module is imported by its tool, or where that tool is installed."""
