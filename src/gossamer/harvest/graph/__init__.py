"""Who links to whom: the web graph of a crawl."""
