"""Draw the charts' Vega-Lite specifications as SVG for the PDF; only the subset they use."""
