"""The page of experiments: pictures, figures, and how they compare with the paper's."""

from collections.abc import Iterator
from textwrap import fill

from benchmarks.cho_figures.experiments import OrderFigure, OrderFindings
from gossamer.lab.crawl_orders.order_metrics import Curve


def write_page(findings: OrderFindings, command: str) -> str:
    """The whole page as Markdown."""
    return "\n".join(_lines(findings, command)) + "\n"


def _lines(findings: OrderFindings, command: str) -> Iterator[str]:
    yield from _opening(findings, command)
    yield from _large(findings)
    yield from _small(findings)
    yield from _topics(findings)
    yield from _beyond(findings)


def _opening(findings: OrderFindings, command: str) -> Iterator[str]:
    yield "# The right pages first: the experiments\n"
    yield _text(
        """Cho, Garcia-Molina and Page (*Efficient Crawling Through URL Ordering*, 1998) crawled a
        copy of the Stanford web in several orders, and looked how soon each order had stored
        the important pages. This page repeats their experiments on other webs. It was written by"""
    )
    yield f"```sh\n{command}\n```\n"
    yield _text(
        """which says *agrees* or *differs* by the numbers it found; the reasons after that are ours.
        Names and formulas are the paper's: *IB* is the number of pages that link to a page, *IR* its
        PageRank (d = 0.9, mean 1), *IS* whether it is about a topic; *P_ST* is the part of all hot
        pages that was fetched, *P_CS* the part of the first K pages that is among the K best. A
        virtual crawl sees nothing but the links of pages it has fetched. It looks at the order again
        after every page at first, later after every thousandth part of what it has. OPIC is not in
        the paper."""
    )
    yield "| web | pages | stands for |\n|---|---|---|"
    yield (
        f"| cnr-2000, a crawl of the Italian CNR (LAW, vigna/webgraph), {findings.links:,} links "
        f"| {findings.nodes:,} | Stanford, 179,000 pages |"
    )
    yield (
        "| the stretch of 1,100 nodes of it, in the order of URLs, whose links lead outside least "
        f"| {findings.site_pages:,} | the Database Group, 1,100 pages |"
    )
    yield f"| `gossamer.lab.Web(seed=7)` | {findings.web_pages:,} | Stanford, with its text |\n"
    yield _text(
        """cnr-2000 has no names, so its home page is not known: crawls begin at the page, among the
        twenty most linked to, from which most pages can be reached."""
    )


def _large(findings: OrderFindings) -> Iterator[str]:
    figures, like = findings.figures, findings.likeness
    three, four = figures["figure-3"], figures["figure-4"]
    six, seven = figures["figure-6"], figures["figure-7"]
    bars = [three.curve(f"G = {bar}") for bar in (3, 10, 100)]
    rest = _slope(bars[2], 0.8)
    gap = abs(seven.curve("backlinks").mean - seven.curve("breadth-first").mean)
    yield "## Figures 3, 4, 6 and 7: a large web\n"
    yield from _picture(three)
    yield _text(
        f"""{_verdict(bars[0].mean < bars[1].mean < bars[2].mean)}: the larger G, the sooner the hot
        pages are found. After 20 % of the crawl backlink order has
        {_list([curve.at(0.2) for curve in bars])} of the hot pages for G = 3, 10 and 100; the paper
        has 50 % for G = 100. {_verdict(rest < 1.5)}: the last hot pages are hard to find; from 80 %
        on they come at {rest:.1f} times the rate of a random crawl. For G = 3 and 10 backlink order is
        hardly better than chance (areas under the curves {bars[0].mean:.2f} and {bars[1].mean:.2f}; a
        random crawl has 0.5); of this the paper says nothing."""
    )
    yield from _picture(four)
    yield _text(
        f"""{_verdict(_is_best(four, "pagerank"))}: in the paper PageRank order finds pages with many
        backlinks before backlink order does. Here {_halves(four)}."""
    )
    yield _text(
        f"""Why: at CNR many backlinks and a high PageRank are not the same. Only {like.also_ranked:.0%} of
        the pages with IB ≥ 100 have IR ≥ 13, and their median IR is {like.median_rank:.0f}; and
        {like.next_to:.0%} of them are within five nodes of another one in the order of URLs: they
        stand in clusters. Backlink order that has come upon a cluster stays in it, as the paper says;
        but here clusters are where the hot pages are. Ranks computed at every hundredth part of the
        crawl instead of every tenth did not change this; of four other starting pages one had PageRank
        order ahead by a hair."""
    )
    yield from _picture(six)
    yield _text(
        f"""{_verdict(_is_best(six, "pagerank"))}: under crawl and stop PageRank order is the best for
        IB. After 20 %: {_at(six, 0.2)}. Later all curves jump to 1: {like.single:.0%} of all pages have
        at most one backlink, so that by the paper's definition (at least as important as the K-th best
        page) every page is a hot one then."""
    )
    yield from _picture(seven)
    yield _text(
        f"""{_verdict(_is_best(seven, "pagerank"))}: for pages of high PageRank, PageRank order is the
        best: {_halves(seven)}. {_verdict(gap < 0.05)}: backlink order and breadth-first are about
        equal."""
    )


def _small(findings: OrderFindings) -> Iterator[str]:
    eight, ten = findings.figures["figure-8"], findings.figures["figure-10"]
    worst = min(curve.at(0.1) for curve in eight.curves[:3])
    means = [min(curve.mean for curve in figure.curves[:3]) for figure in (eight, ten)]
    hot_depth, depth = findings.likeness.site_depth
    yield "## Figures 8 and 10: a small site\n"
    yield from _picture(eight)
    yield from _picture(ten)
    yield _text(
        f"""{_verdict(worst < 0.1)}: in the paper a small site is crawled no better than at random at
        times. Here the worst order of the three has {worst:.0%} of the hot pages after a tenth of the
        crawl. {_verdict(means[1] > means[0])}: all orders do better for IR than for IB (the smallest
        areas under the curves are {means[1]:.2f} and {means[0]:.2f}).
        {_verdict(_is_best(ten, "pagerank"))}: PageRank order is the best for IR; {_halves(ten)}."""
    )
    yield _text(
        f"""Why: {1 - eight.hot / eight.pages:.0%} of the pages of our piece have fewer than five
        backlinks, as most had in the paper; but the others are near the top. They are
        {hot_depth:.1f} links from the first page on average, all pages {depth:.1f}. So whoever goes
        from the top to the bottom finds them early, in whatever order. The paper's site had clusters
        of cross-linked pages. And with {eight.hot} and {ten.hot} hot pages one page is worth
        {1 / eight.hot:.0%} and {1 / ten.hot:.0%}: no more than the crossing of curves should be read
        from such a picture."""
    )


def _topics(findings: OrderFindings) -> Iterator[str]:
    twelve, fourteen, fifteen = (findings.figures[f"figure-{n}"] for n in (12, 14, 15))
    better = [c.name for c in fourteen.curves[:3] if c.mean > twelve.curve(c.name).mean]
    late = [figure.curve("breadth-first").at(0.5) for figure in (fourteen, twelve)]
    first, second = findings.likeness.on_one_host
    yield "## Figures 12, 14 and 15: pages about a topic\n"
    yield _text(
        """A page is hot when the word is in its title or ten times in its text. The hot queue takes
        URLs with the word in them or in a link's text (figure 12), or within three links of a hot page
        too (figures 14 and 15). The words are from two of the sixteen topics of the simulated web."""
    )
    yield from _picture(twelve)
    yield from _picture(fourteen)
    yield from _picture(fifteen)
    yield _text(
        f"""{_verdict(_is_best(twelve, "breadth-first"))}: in the paper's figure 12 only breadth-first
        does better than a random crawl. Here the areas under the curves are {_means(twelve)}; a random
        crawl has 0.5."""
    )
    yield _text(
        f"""{_verdict(len(better) == 3)}: the distance to hot pages helps every order in the paper; here
        it helps {" and ".join(better) or "none"} (areas {_means(fourteen)}). It makes the beginning
        slower, since the hot queue takes in much of a hot page's host, and the end faster: after half
        of the crawl breadth-first has {late[0]:.0%} of the hot pages instead of {late[1]:.0%}."""
    )
    yield _text(
        f"""{_verdict(_is_best(fifteen, "pagerank"))}: with another topic PageRank order is similar or
        better; areas {_means(fifteen)}."""
    )
    yield _text(
        f"""Why: a topic lives on few hosts here. {first:.0%} of the hot pages of figures 12 and 14 are on
        one host, the largest of all, where the crawl begins; PageRank order leaves most of its pages to
        the end, since a large host has many pages that few others link to. In figure 15 it is
        {second:.0%}, on a smaller host. So which order is the best depends on where a topic's pages are
        more than on the order, and the paper too calls such differences chance. Its conclusion
        holds: with the words of anchors and URLs and the distance to hot pages, a crawl has most of a
        topic's pages long before a random one would."""
    )


def _beyond(findings: OrderFindings) -> Iterator[str]:
    yield "## Beyond the paper\n"
    yield "![Weighted coverage](coverage.svg)\n"
    yield _text(
        """Weighted coverage (Olston and Najork, *Web Crawling*, 2010): the part of all PageRank that
        was fetched. How much of the web must be fetched for a quarter, a half and three quarters of
        it:"""
    )
    yield "| order | 25 % | 50 % | 75 % |\n|---|---|---|---|"
    for name, curve in findings.coverage.items():
        parts = " | ".join(f"{curve.reaches(part):.1%}" for part in (0.25, 0.5, 0.75))
        yield f"| {name} | {parts} |"
    yield "\n" + _text(
        """In the studies that the survey reports on, PageRank order is good all the time and OPIC as
        well, and there is no consensus on backlink order: Cho et al. found it fair, Baeza-Yates et al.
        poor. Here it is no better than breadth-first."""
    )
    yield _text(
        """**A limited buffer** (P_BC): every page is fetched once, only so many can be kept, and the
        policy drops those it believes to be worth least. The part of the kept pages that are among the
        best by PageRank:"""
    )
    yield "| order | 1 % kept | 10 % kept |\n|---|---|---|"
    for name, found in findings.buffers.items():
        yield f"| {name} | {found[0.01]:.1%} | {found[0.1]:.1%} |"
    yield "\n" + _text(
        f"""What is missing was dropped before its importance showed: in the end PageRank order
        would choose {findings.hindsight:.1%} of the best hundredth rightly. Breadth-first believes
        nothing, and keeps what came first. OPIC's belief is poor as long as
        pages are fetched only once: a page that was rich early, when few shared the cash, looks
        important for good."""
    )
    yield _text(
        """**Front queues.** A crawl has some front queues instead of an exact order. The part of the
        web to be fetched for half of all PageRank:"""
    )
    yield "| order | 4 levels | 16 levels | 64 levels | exact |\n|---|---|---|---|---|"
    for name, by_level in findings.levels.items():
        cells = " | ".join(f"{by_level[count]:.1%}" for count in (4, 16, 64, 0))
        yield f"| {name} | {cells} |"
    rounds = ", ".join(f"{value:.3f}" for value in findings.agreement)
    yield "\n" + _text(
        f"""**OPIC and PageRank.** Rank correlation (Spearman) of OPIC's estimate with the exact
        PageRank when all pages are fetched again once, twice, and so on: {rounds}."""
    )


# Words and numbers.


def _text(text: str) -> str:
    """A paragraph."""
    return fill(" ".join(text.split()), 118, break_long_words=False, break_on_hyphens=False) + "\n"


def _picture(figure: OrderFigure) -> Iterator[str]:
    yield f"![{figure.title}]({figure.name}.svg)\n"
    if figure.hot:
        part = f"{figure.hot:,} of {figure.pages:,} pages ({figure.hot / figure.pages:.1%})"
        yield f"*{figure.title}; {part} are hot{_extra(figure)}.*\n"


def _extra(figure: OrderFigure) -> str:
    return " for G = 100" if figure.name == "figure-3" else ""


def _verdict(agrees: bool) -> str:
    return "**Agrees**" if agrees else "**Differs**"


def _is_best(figure: OrderFigure, name: str) -> bool:
    """Of the three orders of the paper, by the area under the curve."""
    return max(figure.curves[:3], key=lambda curve: curve.mean).name == name


def _slope(curve: Curve, since: float) -> float:
    return (1.0 - curve.at(since)) / (1.0 - since)


def _orders(figure: OrderFigure) -> list[Curve]:
    return [curve for curve in figure.curves if curve.name not in ("ideal", "random")]


def _halves(figure: OrderFigure) -> str:
    found = (f"{curve.reaches(0.5):.1%} ({curve.name})" for curve in _orders(figure))
    return "half of them are found after " + ", ".join(found)


def _at(figure: OrderFigure, part: float) -> str:
    return ", ".join(f"{curve.at(part):.0%} ({curve.name})" for curve in _orders(figure))


def _means(figure: OrderFigure) -> str:
    return ", ".join(f"{curve.mean:.2f} ({curve.name})" for curve in figure.curves[:3])


def _list(values: list[float]) -> str:
    *first, last = (f"{value:.0%}" for value in values)
    return f"{', '.join(first)} and {last}"
