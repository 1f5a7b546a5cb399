"""A crawl on 1 to 1,000 machines, on paper: what it sends, keeps and ships, and what is too small first.

figures     what was measured, each with where it comes from
measuring   small runs with the real parts that measure it
popular     how often a link was just told: the power law of the simulated web, and a table of fixed size
model       the arithmetic
page        the same in words and tables
"""
