"""Documents of results in a terminal and as pages, charts, forms of a report. Nothing else writes HTML or SVG."""
