"""The experiments of Cho, Garcia-Molina and Page (1998) on other webs, figure by figure.

experiments   the crawls of each figure, with those of `gossamer.lab.crawl_orders`
pieces        a site of 1,100 pages, cut out of a large web
page          figures and tables as a page, with *agrees* or *differs*
"""
