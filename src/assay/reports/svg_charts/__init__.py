"""Draw Vega-Lite specifications as SVG for the PDF; only the features that the charts use."""
