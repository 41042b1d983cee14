"""Everything that people read or programs load: HTML, charts, tables, reports. Nothing else writes HTML or SVG."""
