"""A link-following Scrapy spider: the peer that a Python crawler is measured by."""

import json
import resource
import sys
import time
from urllib.parse import urlparse

import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.linkextractors import LinkExtractor


class SiteSpider(scrapy.Spider):
    name = "site"

    def __init__(self, start: str) -> None:
        super().__init__()
        self.start_urls = [start]
        self.allowed_domains = [urlparse(start).hostname]
        self.links = LinkExtractor()
        self.pages = 0

    def parse(self, response):
        self.pages += 1
        if not hasattr(response, "text"):
            return
        for link in self.links.extract_links(response):
            yield response.follow(link.url, self.parse)


def main(start: str, most: int = 0) -> None:
    process = CrawlerProcess(
        {
            "CONCURRENT_REQUESTS": 64,
            "CONCURRENT_REQUESTS_PER_DOMAIN": 64,
            "DOWNLOAD_DELAY": 0,
            "ROBOTSTXT_OBEY": True,
            "CLOSESPIDER_PAGECOUNT": most,
            "LOG_LEVEL": "ERROR",
            "TELNETCONSOLE_ENABLED": False,
        }
    )
    crawler = process.create_crawler(SiteSpider)
    began = time.monotonic()
    process.crawl(crawler, start=start)
    process.start()
    seconds = time.monotonic() - began
    used = resource.getrusage(resource.RUSAGE_SELF)
    pages = crawler.stats.get_value("response_received_count", 0)
    print(json.dumps({"pages": pages, "seconds": seconds, "cpu": used.ru_utime + used.ru_stime,
                      "memory": used.ru_maxrss * 1024}))  # fmt: skip


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
