"""From records to the browser and to programs: HTML, JSON, events, figures for Prometheus.

`routes` puts it together. `request_gate` is what every request passes first. `view_rendering` makes HTML
(`html_templates`) or JSON of a view, and `event_stream` sends it again whenever the crawl has news.
"""
