"""What checking URLs costs a disk: the model of the IRLbot paper (Lee et al., WWW 2008, section 4).

Every URL that a crawler parses out of a page must be compared with all that were met before (URLseen). This
model says how many bytes go to and from the disk for each byte of URL text, for three ways of doing it:
Mercator-B and Polybot, which collect URLs in memory and then compare them with the whole disk file; and DRUM.

The symbols are the paper's:

    N   pages that the crawl visits
    l   links on a page
    n   links that are checked, n = lN
    p   share of links that are new
    U   entries of URLseen at the beginning
    b   bytes of a URL with what the crawler attaches to it
    bq  bytes of a URL that Polybot has compressed (q is the ratio)
    H   bytes of a hash
    P   bytes of a pointer in memory
    R   bytes of memory for checking URLs
    M   bytes of memory for each open file (DRUM)
    D   bytes of disk for what waits to be checked (DRUM)
    W   bytes a second to and from the disk
    α   bytes moved for each byte of URL text; the overhead of a crawl is ω = αbn

The paper's figures come out of its formulas if one counts KB, GB and TB in powers of ten and takes bq = 5.5,
a twentieth of b, where the text says "5 bytes". One figure does not: Dopt = 4.39 TB for R = 1 GB, and 17 TB
for 2 GB. Equation (6) gives 4.80 TB and 19.2 TB; the printed figures are what it gives for b = 100. Tables 2
and 3 and the rates in the text do not depend on it, except that Table 2 takes 4.39 TB for D. Most printed
figures are cut off after the last digit shown, some are rounded.
"""

from msgspec import Struct

KB, GB, TB = 10**3, 10**9, 10**12


class CrawlShape(Struct, frozen=True):
    """A crawl as the paper's examples have it (section 4.5)."""

    n: float
    p: float = 1 / 9
    U: float = 100e6
    b: float = 110
    bq: float = 5.5
    H: float = 8
    P: float = 4
    M: float = 256 * KB
    l: float = 59  # noqa: E741 the paper's name

    @classmethod
    def of_pages(cls, pages: float) -> "CrawlShape":
        return cls(n=59 * pages)

    @property
    def urlseen(self) -> float:
        """2UH + pHn: the bytes of URLseen at the beginning and at the end, added up."""
        return 2 * self.U * self.H + self.p * self.H * self.n


def mercator_overhead(crawl: CrawlShape, R: float) -> float:  # noqa: N803
    """α of Mercator-B, equation (1) in Theorem 1.

    >>> round(mercator_overhead(CrawlShape.of_pages(800e9), GB))
    9156
    """
    c = crawl
    return 2 * c.urlseen * (c.H + c.P) / (c.b * R) + 2 + c.p


def polybot_overhead(crawl: CrawlShape, R: float) -> float:  # noqa: N803
    """α of Polybot, equation (2) in Theorem 1."""
    c = crawl
    seen = 2 * c.U * c.bq + c.p * c.bq * c.n
    return 2 * seen * (c.b + 4 * c.P) / (c.b * R) + c.p


def drum_overhead(crawl: CrawlShape, R: float, D: float) -> float:  # noqa: N803
    """α of DRUM, equation (5) in Theorem 2: limited by the memory, or else by the disk.

    >>> round(drum_overhead(CrawlShape.of_pages(80e9), GB, 4.39 * TB), 1)
    3.3
    """
    if memory_limit(crawl, D) > R * R:
        return memory_limited_overhead(crawl, R)
    return disk_limited_overhead(crawl, D)


def memory_limit(crawl: CrawlShape, D: float) -> float:  # noqa: N803
    """Λ of Theorem 2: R² below this cannot fill the disk D."""
    c = crawl
    return 8 * c.M * D * (c.H + c.P) / (c.H + c.b)


def memory_limited_overhead(crawl: CrawlShape, R: float) -> float:  # noqa: N803
    """The first case of (5): the buckets' buffers leave no room for larger buckets."""
    c = crawl
    return 8 * c.M * (c.H + c.P) * c.urlseen / (c.b * R * R) + least_overhead(c)


def disk_limited_overhead(crawl: CrawlShape, D: float) -> float:  # noqa: N803
    """The second case of (5): the disk is full before the buckets are."""
    c = crawl
    return (c.H + c.b) * c.urlseen / (c.b * D) + least_overhead(c)


def least_overhead(crawl: CrawlShape) -> float:
    """α″min: what every method moves that stores both hashes and texts on disk."""
    return 2 + crawl.p + 2 * crawl.H / crawl.b


def optimal_disk(crawl: CrawlShape, R: float) -> float:  # noqa: N803
    """Dopt, equation (6): the disk that a memory of R bytes can make use of."""
    c = crawl
    return R * R * (c.H + c.b) / (8 * c.M * (c.H + c.P))


def scaled_disk(crawl: CrawlShape) -> float:
    """D(n) of Table 3: as large as what the crawl adds to URLseen, and at least 1 TB."""
    return max(crawl.p * crawl.H * crawl.n, TB)


def download_rate(crawl: CrawlShape, overhead: float, W: float) -> float:  # noqa: N803
    """Sdisk, Theorem 3: the pages a second that the disk can keep up with."""
    return W / (overhead * crawl.b * crawl.l)


W_IRLBOT = 0.15 * (1000e6 + 350e6) / 2
"""15 % of the mean of IRLbot's reading and writing speed: 101.25 MB/s."""


def optimal_buckets(crawl: CrawlShape, R: float) -> float:  # noqa: N803
    """kopt = R/4M: the number of buckets for D = Dopt."""
    return R / (4 * crawl.M)


def optimal_bucket(crawl: CrawlShape, R: float) -> float:  # noqa: N803
    """ropt: the bytes of the bucket buffer for D = Dopt, about a third of the memory."""
    return R * crawl.H / (2 * (crawl.H + crawl.P))
