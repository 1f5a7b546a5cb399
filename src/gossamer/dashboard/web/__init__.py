"""From records to the browser and to programs: HTML, JSON, events, figures for Prometheus.

`app` puts it together. `door` is what every request passes first. A subject comes out by `html` and `api`,
and by `events` as often as the crawl has something new.
"""
