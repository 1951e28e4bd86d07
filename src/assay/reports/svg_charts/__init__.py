"""Charts as SVG for paper, drawn here: what the specifications of `charts` use of Vega-Lite, and nothing more."""
