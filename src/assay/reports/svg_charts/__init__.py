"""Draw Vega-Lite specifications as SVG: the one renderer of pages, PDF, notebooks and `plot()`.

It replaces Vega's runtime in pages (.83 MB in each, and a second of vl-convert to bundle it) and vl-convert on paper, which takes
a hundred times as long for a chart. What it costs: about a thousand lines of ours, and only the marks, channels, scales and axes
that `vega_spec` lists (no facets, arcs, time scales, zooming or brushing); anything else raises `UnsupportedSpec`, which a test of
every chart would show. In exchange charts are in the page without a script and in print, have patterns, halos and labels in a
column of their own, which Vega-Lite has not, and serve any width. The script of a page adds tooltips, downloads, and the marks
of what a reader chooses: a topic's plot, two runs. Specifications stay valid Vega-Lite for people who want to go on in Altair.
"""
