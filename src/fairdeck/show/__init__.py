"""Documents of results in a terminal and as pages, charts, and the forms of a report. Nothing else writes HTML or SVG."""
