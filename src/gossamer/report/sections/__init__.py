"""One question about a site in each file: a pure function of its pages and of who refers to them."""
