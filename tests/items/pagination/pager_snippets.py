"""Pagers as content management systems, forums, shops and search pages write them, and rows that are none.

Each is the part of a page that matters, written from what these programs are known to emit, with the URLs
that a person would name. Paths are relative to the URL of the page.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Snippet:
    name: str
    url: str
    html: str
    next: tuple[str, ...] = ()
    previous: tuple[str, ...] = ()
    pages: tuple[str, ...] = ()


def _none(name: str, url: str, html: str) -> Snippet:
    return Snippet(name, url, html)


SNIPPETS = (
    Snippet(
        "wordpress paginate_links",
        "https://a.example/category/news/page/3/",
        """<nav class="navigation pagination" role="navigation"><h2 class="screen-reader-text">Posts
        navigation</h2><div class="nav-links"><a class="prev page-numbers"
        href="/category/news/page/2/">Previous</a> <a class="page-numbers" href="/category/news/">1</a>
        <a class="page-numbers" href="/category/news/page/2/">2</a>
        <span aria-current="page" class="page-numbers current">3</span>
        <a class="page-numbers" href="/category/news/page/4/">4</a> <span class="page-numbers dots">…</span>
        <a class="page-numbers" href="/category/news/page/19/">19</a>
        <a class="next page-numbers" href="/category/news/page/4/">Next</a></div></nav>""",
        ("/category/news/page/4/",),
        ("/category/news/page/2/",),
        (
            "/category/news/",
            "/category/news/page/2/",
            "/category/news/page/4/",
            "/category/news/page/19/",
        ),
    ),
    Snippet(
        "wordpress older and newer",
        "https://a.example/page/4/",
        """<nav id="nav-below"><div class="nav-previous"><a href="/page/5/"><span>←</span> Older
        posts</a></div><div class="nav-next"><a href="/page/3/">Newer posts <span>→</span></a></div></nav>""",
        ("/page/3/",),
        ("/page/5/",),
    ),
    Snippet(
        "drupal 7",
        "https://a.example/blog?page=1",
        """<ul class="pager"><li class="pager-first first"><a title="Go to first page"
        href="/blog">« first</a></li><li class="pager-previous"><a href="/blog">‹ previous</a></li>
        <li class="pager-item"><a title="Go to page 1" href="/blog">1</a></li><li class="pager-current">2</li>
        <li class="pager-item"><a title="Go to page 3" href="/blog?page=2">3</a></li>
        <li class="pager-next"><a href="/blog?page=2">next ›</a></li>
        <li class="pager-last last"><a href="/blog?page=7">last »</a></li></ul>""",
        ("/blog?page=2",),
        ("/blog",),
        ("/blog", "/blog?page=2", "/blog?page=7"),
    ),
    Snippet(
        "drupal 9",
        "https://a.example/articles",
        """<nav class="pager" role="navigation" aria-labelledby="pagination-heading"><h4
        id="pagination-heading"
        class="visually-hidden">Pagination</h4><ul class="pager__items js-pager__items">
        <li class="pager__item is-active"><a href="?page=0" title="Current page"><span
        class="visually-hidden">Current page</span>1</a></li><li class="pager__item"><a href="?page=1"
        title="Go to page 2"><span class="visually-hidden">Page</span>2</a></li>
        <li class="pager__item pager__item--next"><a href="?page=1" title="Go to next page" rel="next"><span
        class="visually-hidden">Next page</span><span aria-hidden="true">››</span></a></li>
        <li class="pager__item pager__item--last"><a href="?page=1" title="Go to last page"><span
        class="visually-hidden">Last page</span><span aria-hidden="true">Last »</span></a></li></ul></nav>""",
        ("/articles?page=1",),
        (),
        ("/articles?page=1",),
    ),
    Snippet(
        "joomla 3",
        "https://a.example/index.php/news?start=10",
        """<div class="pagination"><p class="counter">Page 2 of 4</p><ul><li class="pagination-start"><a
        title="Start" href="/index.php/news" class="pagenav">Start</a></li><li class="pagination-prev"><a
        title="Prev" href="/index.php/news" class="pagenav">Prev</a></li><li><a
        href="/index.php/news" class="pagenav">1</a></li><li><span class="pagenav">2</span></li><li><a
        href="/index.php/news?start=20" class="pagenav">3</a></li><li><a href="/index.php/news?start=30"
        class="pagenav">4</a></li><li class="pagination-next"><a title="Next"
        href="/index.php/news?start=20" class="pagenav">Next</a></li><li class="pagination-end"><a title="End"
        href="/index.php/news?start=30" class="pagenav">End</a></li></ul></div>""",
        ("/index.php/news?start=20",),
        ("/index.php/news",),
        ("/index.php/news", "/index.php/news?start=20", "/index.php/news?start=30"),
    ),
    Snippet(
        "phpbb 2",
        "http://a.example/viewforum.php?f=3&topicdays=0&start=50",
        """<span class="nav">Page <b>2</b> of <b>9</b></span> <span class="gensmall">Goto page
        <a href="viewforum.php?f=3&amp;topicdays=0&amp;start=0">Previous</a>&nbsp;&nbsp;<a
        href="viewforum.php?f=3&amp;topicdays=0&amp;start=0">1</a>, <b>2</b>, <a
        href="viewforum.php?f=3&amp;topicdays=0&amp;start=100">3</a> ... <a
        href="viewforum.php?f=3&amp;topicdays=0&amp;start=400">9</a>&nbsp;&nbsp;<a
        href="viewforum.php?f=3&amp;topicdays=0&amp;start=100">Next</a></span>""",
        ("/viewforum.php?f=3&topicdays=0&start=100",),
        ("/viewforum.php?f=3&topicdays=0&start=0",),
        (
            "/viewforum.php?f=3&topicdays=0&start=0",
            "/viewforum.php?f=3&topicdays=0&start=100",
            "/viewforum.php?f=3&topicdays=0&start=400",
        ),
    ),
    Snippet(
        "phpbb 3 with arrows as icons",
        "http://a.example/viewtopic.php?f=2&t=77&start=15",
        """<div class="pagination">32 posts<ul><li class="arrow previous"><a class="button button-icon-only"
        href="./viewtopic.php?f=2&amp;t=77" rel="prev" role="button"><i class="icon fa-chevron-left"></i><span
        class="sr-only">Previous</span></a></li><li><a class="button"
        href="./viewtopic.php?f=2&amp;t=77" role="button">1</a></li><li
        class="active"><span>2</span></li><li><a
        class="button" href="./viewtopic.php?f=2&amp;t=77&amp;start=30" role="button">3</a></li><li
        class="arrow next"><a class="button button-icon-only"
        href="./viewtopic.php?f=2&amp;t=77&amp;start=30" rel="next" role="button"><i
        class="icon fa-chevron-right"></i><span class="sr-only">Next</span></a></li></ul></div>""",
        ("/viewtopic.php?f=2&t=77&start=30",),
        ("/viewtopic.php?f=2&t=77",),
        ("/viewtopic.php?f=2&t=77", "/viewtopic.php?f=2&t=77&start=30"),
    ),
    Snippet(
        "vbulletin 3",
        "http://a.example/forum/showthread.php?t=500",
        """<div class="pagenav" align="right"><table class="tborder"><tr><td class="vbmenu_control">Page 1 of
        12</td><td class="alt2"><span class="smallfont"><strong>1</strong></span></td><td class="alt1"><a
        class="smallfont" href="showthread.php?t=500&amp;page=2" title="Show results 11 to 20">2</a></td>
        <td class="alt1"><a class="smallfont" href="showthread.php?t=500&amp;page=3">3</a></td>
        <td class="alt1"><a rel="next" class="smallfont" href="showthread.php?t=500&amp;page=2"
        title="Next Page - Results 11 to 20 of 118">&gt;</a></td><td class="alt1"><a class="smallfont"
        href="showthread.php?t=500&amp;page=12" title="Last Page">Last
        <strong>»</strong></a></td></tr></table>
        </div>""",
        ("/forum/showthread.php?t=500&page=2",),
        (),
        (
            "/forum/showthread.php?t=500&page=2",
            "/forum/showthread.php?t=500&page=3",
            "/forum/showthread.php?t=500&page=12",
        ),
    ),
    Snippet(
        "xenforo 2",
        "https://a.example/threads/tea.10/page-2",
        """<div class="pageNavWrapper pageNavWrapper--full"><div class="pageNav"><a
        href="/threads/tea.10/" class="pageNav-jump pageNav-jump--prev">Prev</a><ul class="pageNav-main">
        <li class="pageNav-page"><a href="/threads/tea.10/">1</a></li><li
        class="pageNav-page pageNav-page--current"><a href="/threads/tea.10/page-2">2</a></li><li
        class="pageNav-page"><a href="/threads/tea.10/page-3">3</a></li></ul><a
        href="/threads/tea.10/page-3" class="pageNav-jump pageNav-jump--next">Next</a></div></div>""",
        ("/threads/tea.10/page-3",),
        ("/threads/tea.10/",),
        ("/threads/tea.10/", "/threads/tea.10/page-2", "/threads/tea.10/page-3"),
    ),
    Snippet(
        "xenforo 1",
        "https://a.example/forums/cups/",
        """<div class="PageNav" data-page="1" data-last="8"><span class="pageNavHeader">Page 1 of
        8</span><nav>
        <a href="forums/cups/" class="currentPage" rel="start">1</a>
        <a href="/forums/cups/page-2" class="">2</a> <span class="item unreadLink">→</span>
        <a href="/forums/cups/page-8" class="">8</a> <a href="/forums/cups/page-2" class="text">Next &gt;</a>
        </nav></div>""",
        ("/forums/cups/page-2",),
        (),
        ("/forums/cups/forums/cups/", "/forums/cups/page-2", "/forums/cups/page-8"),
    ),
    Snippet(
        "mybb",
        "http://a.example/forum-2-page-2.html",
        """<div class="pagination"><span class="pages">Pages (3):</span>
        <a href="forum-2.html" class="pagination_previous">« Previous</a>
        <a href="forum-2.html" class="pagination_page">1</a> <span class="pagination_current">2</span>
        <a href="forum-2-page-3.html" class="pagination_page">3</a>
        <a href="forum-2-page-3.html" class="pagination_next">Next »</a></div>""",
        ("/forum-2-page-3.html",),
        ("/forum-2.html",),
        ("/forum-2.html", "/forum-2-page-3.html"),
    ),
    Snippet(
        "smf",
        "http://a.example/index.php?board=4.0",
        """<div class="pagesection"><div class="pagelinks floatleft">Pages: [<strong>1</strong>] <a
        class="navPages" href="http://a.example/index.php?board=4.20">2</a> <a class="navPages"
        href="http://a.example/index.php?board=4.40">3</a> <span
        style="font-weight: bold;">...</span> <a class="navPages"
        href="http://a.example/index.php?board=4.180">10</a></div></div>""",
        (),
        (),
        ("/index.php?board=4.20", "/index.php?board=4.40", "/index.php?board=4.180"),
    ),
    Snippet(
        "invision 4",
        "https://a.example/forum/5-talk/page/2/",
        """<ul class="ipsPagination" data-ipsPagination-pages="5"><li class="ipsPagination_first"><a
        href="https://a.example/forum/5-talk/" rel="first"><i class="fa fa-angle-double-left"></i></a></li><li
        class="ipsPagination_prev"><a href="https://a.example/forum/5-talk/" rel="prev">Prev</a></li><li
        class="ipsPagination_page"><a href="https://a.example/forum/5-talk/">1</a></li><li
        class="ipsPagination_page ipsPagination_active"><a
        href="https://a.example/forum/5-talk/page/2/">2</a></li><li class="ipsPagination_page"><a
        href="https://a.example/forum/5-talk/page/3/">3</a></li><li class="ipsPagination_next"><a
        href="https://a.example/forum/5-talk/page/3/" rel="next">Next</a></li><li
        class="ipsPagination_last"><a href="https://a.example/forum/5-talk/page/5/" rel="last"><i
        class="fa fa-angle-double-right"></i></a></li></ul>""",
        ("/forum/5-talk/page/3/",),
        ("/forum/5-talk/",),
        (
            "/forum/5-talk/",
            "/forum/5-talk/page/2/",
            "/forum/5-talk/page/3/",
            "/forum/5-talk/page/5/",
        ),
    ),
    Snippet(
        "magento 2",
        "https://a.example/cups.html?p=2",
        """<div class="pages"><strong class="label pages-label" id="paging-label">Page</strong><ul
        class="items pages-items"><li class="item pages-item-previous"><a class="action previous"
        href="https://a.example/cups.html?p=1" title="Previous"><span class="label">Page</span><span>Previous
        </span></a></li><li class="item"><a href="https://a.example/cups.html?p=1" class="page"><span
        class="label">Page</span><span>1</span></a></li><li class="item current"><strong
        class="page"><span class="label">You're currently reading page</span><span>2</span></strong></li><li
        class="item"><a href="https://a.example/cups.html?p=3" class="page"><span
        class="label">Page</span><span>3</span></a></li><li class="item pages-item-next"><a
        class="action next"
        href="https://a.example/cups.html?p=3" title="Next"><span
        class="label">Page</span><span>Next</span></a>
        </li></ul></div><div class="limiter"><a href="?product_list_limit=12">12</a> <a
        href="?product_list_limit=24">24</a> <a href="?product_list_limit=36">36</a></div>""",
        ("/cups.html?p=3",),
        ("/cups.html?p=1",),
        ("/cups.html?p=1", "/cups.html?p=3"),
    ),
    Snippet(
        "woocommerce",
        "https://a.example/shop/",
        """<nav class="woocommerce-pagination"><ul class='page-numbers'><li><span aria-current="page"
        class="page-numbers current">1</span></li><li><a class="page-numbers"
        href="https://a.example/shop/page/2/">2</a></li><li><a class="next page-numbers"
        href="https://a.example/shop/page/2/">&rarr;</a></li></ul></nav>""",
        ("/shop/page/2/",),
        (),
        ("/shop/page/2/",),
    ),
    Snippet(
        "shopify",
        "https://a.example/collections/all?page=2",
        """<div class="pagination"><span class="prev"><a href="/collections/all?page=1" title="">&laquo;
        Previous</a></span> <span class="page"><a href="/collections/all?page=1" title="">1</a></span>
        <span class="page current">2</span> <span class="page"><a href="/collections/all?page=3"
        title="">3</a></span> <span class="next"><a href="/collections/all?page=3" title="">Next
        &raquo;</a></span></div>""",
        ("/collections/all?page=3",),
        ("/collections/all?page=1",),
        ("/collections/all?page=1", "/collections/all?page=3"),
    ),
    Snippet(
        "opencart",
        "https://a.example/index.php?route=product/category&path=20",
        """<ul class="pagination"><li class="active"><span>1</span></li><li><a
        href="https://a.example/index.php?route=product/category&amp;path=20&amp;page=2">2</a></li><li><a
        href="https://a.example/index.php?route=product/category&amp;path=20&amp;page=2">&gt;</a></li><li><a
        href="https://a.example/index.php?route=product/category&amp;path=20&amp;page=5">&gt;|</a></li></ul>""",
        ("/index.php?route=product/category&path=20&page=2",),
        (),
        (
            "/index.php?route=product/category&path=20&page=2",
            "/index.php?route=product/category&path=20&page=5",
        ),
    ),
    Snippet(
        "oscommerce",
        "http://a.example/index.php?cPath=3",
        """<td class="smallText" align="right">Result Pages: &nbsp;<b>1</b>&nbsp;&nbsp;<a
        href="http://a.example/index.php?cPath=3&sort=2a&page=2" class="pageResults"
        title=" Page 2 "><u>2</u></a>&nbsp;&nbsp;<a
        href="http://a.example/index.php?cPath=3&sort=2a&page=2" class="pageResults"
        title=" Next Page "><u>[Next&nbsp;&gt;&gt;]</u></a>&nbsp;</td>""",
        ("/index.php?cPath=3&sort=2a&page=2",),
        (),
        ("/index.php?cPath=3&sort=2a&page=2",),
    ),
    Snippet(
        "prestashop",
        "https://a.example/3-women?p=2",
        """<div id="pagination" class="pagination"><ul class="pagination"><li id="pagination_previous"><a
        href="/3-women" rel="prev">&laquo;&nbsp;Précédent</a></li><li><a
        href="/3-women"><span>1</span></a></li>
        <li class="active current"><span><span>2</span></span></li><li><a
        href="/3-women?p=3"><span>3</span></a></li><li id="pagination_next"><a href="/3-women?p=3"
        rel="next">Suivant&nbsp;&raquo;</a></li></ul></div>""",
        ("/3-women?p=3",),
        ("/3-women",),
        ("/3-women", "/3-women?p=3"),
    ),
    Snippet(
        "rails will_paginate",
        "https://a.example/issues?page=3&q=x",
        """<div role="navigation" class="pagination"><a class="previous_page" rel="prev"
        href="/issues?page=2&amp;q=x">&#8592; Previous</a> <a rel="start" href="/issues?page=1&amp;q=x">1</a>
        <a rel="prev" href="/issues?page=2&amp;q=x">2</a> <em class="current">3</em> <a rel="next"
        href="/issues?page=4&amp;q=x">4</a> <a class="next_page" rel="next"
        href="/issues?page=4&amp;q=x">Next &#8594;</a></div>""",
        ("/issues?page=4&q=x",),
        ("/issues?page=2&q=x",),
        ("/issues?page=1&q=x", "/issues?page=2&q=x", "/issues?page=4&q=x"),
    ),
    Snippet(
        "laravel",
        "https://a.example/users?page=2",
        """<ul class="pagination" role="navigation"><li class="page-item"><a class="page-link"
        href="https://a.example/users?page=1" rel="prev" aria-label="« Previous">‹</a></li><li
        class="page-item"><a class="page-link" href="https://a.example/users?page=1">1</a></li><li
        class="page-item active" aria-current="page"><span class="page-link">2</span></li><li
        class="page-item"><a class="page-link" href="https://a.example/users?page=3">3</a></li><li
        class="page-item"><a class="page-link" href="https://a.example/users?page=3" rel="next"
        aria-label="Next »">›</a></li></ul>""",
        ("/users?page=3",),
        ("/users?page=1",),
        ("/users?page=1", "/users?page=3"),
    ),
    Snippet(
        "typo3 indexed by path",
        "https://a.example/aktuelles/seite/2/",
        """<div class="page-navigation"><p>Seite 2 von 6</p><ul class="f3-widget-paginator"><li
        class="previous"><a href="/aktuelles/">vorherige</a></li><li class="first"><a
        href="/aktuelles/">1</a></li><li class="current">2</li><li><a href="/aktuelles/seite/3/">3</a></li><li
        class="last"><a href="/aktuelles/seite/6/">6</a></li><li class="next"><a
        href="/aktuelles/seite/3/">nächste</a></li></ul></div>""",
        ("/aktuelles/seite/3/",),
        ("/aktuelles/",),
        ("/aktuelles/", "/aktuelles/seite/3/", "/aktuelles/seite/6/"),
    ),
    Snippet(
        "ghost",
        "https://a.example/page/2/",
        """<nav class="pagination" role="navigation"><a class="newer-posts" href="/"><span
        aria-hidden="true">←</span> Newer Posts</a><span class="page-number">Page 2 of 9</span><a
        class="older-posts" href="/page/3/">Older Posts <span aria-hidden="true">→</span></a></nav>""",
        ("/page/3/",),
        ("/",),
    ),
    Snippet(
        "jekyll",
        "https://a.example/blog/page2/",
        """<div class="pagination"><a class="pagination-item older" href="/blog/page3">Older</a><a
        class="pagination-item newer" href="/blog/">Newer</a></div>""",
        ("/blog/page3",),
        ("/blog/",),
    ),
    Snippet(
        "blogger",
        "https://a.example/search?updated-max=2020-01-02T00:00:00Z&max-results=7",
        """<div class="blog-pager" id="blog-pager"><span id="blog-pager-newer-link"><a
        class="blog-pager-newer-link" href="https://a.example/search?max-results=7"
        id="Blog1_blog-pager-newer-link" title="Newer Posts">Newer Posts</a></span><span
        id="blog-pager-older-link"><a class="blog-pager-older-link"
        href="https://a.example/search?updated-max=2019-12-01T00:00:00Z&amp;max-results=7&amp;start=7"
        title="Older Posts">Older Posts</a></span> <a class="home-link"
        href="https://a.example/">Home</a></div>""",
        ("/search?updated-max=2019-12-01T00:00:00Z&max-results=7&start=7",),
        ("/search?max-results=7",),
    ),
    Snippet(
        "tumblr",
        "https://a.example/page/2",
        """<div class="pagination"><a href="/page/1" class="previous-page">Newer</a> <a href="/page/3"
        class="next-page">Older</a></div>""",
        ("/page/3",),
        ("/page/1",),
    ),
    Snippet(
        "mediawiki category",
        "https://a.example/w/index.php?title=Category:Teas",
        """<div id="mw-pages"><p>The following 200 pages are in this category, out of 842 total.</p>(previous
        page) (<a href="/w/index.php?title=Category:Teas&amp;pagefrom=Oolong#mw-pages"
        title="Category:Teas">next page</a>)</div>""",
        ("/w/index.php?title=Category:Teas&pagefrom=Oolong",),
    ),
    Snippet(
        "mediawiki history",
        "https://a.example/w/index.php?title=Tea&action=history",
        """<div class="mw-pager-navigation-bar">(newest | <a
        href="/w/index.php?title=Tea&amp;action=history&amp;dir=prev" class="mw-lastlink">oldest</a>)
        View (newer
        50 | <a href="/w/index.php?title=Tea&amp;offset=20190101000000&amp;action=history" rel="next"
        class="mw-nextlink">older 50</a>) (<a class="mw-numlink"
        href="/w/index.php?title=Tea&amp;action=history&amp;limit=20">20</a> | <a class="mw-numlink"
        href="/w/index.php?title=Tea&amp;action=history&amp;limit=100">100</a> | <a class="mw-numlink"
        href="/w/index.php?title=Tea&amp;action=history&amp;limit=250">250</a>)</div>""",
        ("/w/index.php?title=Tea&offset=20190101000000&action=history",),
    ),
    Snippet(
        "news links with more",
        "https://a.example/news?p=2",
        """<table><tr><td class="title"><a href="https://b.example/x">A story</a></td></tr><tr><td
        class="title"><a href="news?p=3" class="morelink" rel="next">More</a></td></tr></table>""",
        ("/news?p=3",),
    ),
    Snippet(
        "search results",
        "https://a.example/search?q=tea&start=10",
        """<table id="nav"><tr><td class="b"><a href="/search?q=tea&amp;start=0"><span
        class="csb ch"></span>Previous</a></td><td><a href="/search?q=tea&amp;start=0">1</a></td><td
        class="cur">2</td><td><a href="/search?q=tea&amp;start=20">3</a></td><td><a
        href="/search?q=tea&amp;start=30">4</a></td><td class="b"><a
        href="/search?q=tea&amp;start=20">Next</a></td></tr></table>""",
        ("/search?q=tea&start=20",),
        ("/search?q=tea&start=0",),
        ("/search?q=tea&start=0", "/search?q=tea&start=20", "/search?q=tea&start=30"),
    ),
    Snippet(
        "bootstrap with words for arrows",
        "https://a.example/jobs/2",
        """<nav aria-label="Page navigation"><ul class="pagination"><li class="page-item"><a class="page-link"
        href="/jobs/1" aria-label="Previous"><span aria-hidden="true">&laquo;</span></a></li><li
        class="page-item"><a class="page-link" href="/jobs/1">1</a></li><li class="page-item active"><a
        class="page-link" href="#">2</a></li><li class="page-item"><a class="page-link"
        href="/jobs/3">3</a></li><li class="page-item"><a class="page-link" href="/jobs/3"
        aria-label="Next"><span aria-hidden="true">&raquo;</span></a></li></ul></nav>""",
        ("/jobs/3",),
        ("/jobs/1",),
        ("/jobs/1", "/jobs/3"),
    ),
    Snippet(
        "discuz",
        "http://a.example/forum-36-2.html",
        """<div class="pg"><a href="forum-36-1.html" class="prev">&nbsp;&nbsp;</a><a
        href="forum-36-1.html">1</a><strong>2</strong><a href="forum-36-3.html">3</a><a
        href="forum-36-88.html"
        class="last">... 88</a><label><input type="text" name="custompage" class="px" value="2" /><span> / 88
        页</span></label><a href="forum-36-3.html" class="nxt">下一页</a></div>""",
        ("/forum-36-3.html",),
        ("/forum-36-1.html",),
        ("/forum-36-1.html", "/forum-36-3.html", "/forum-36-88.html"),
    ),
    Snippet(
        "bitrix in russian",
        "http://a.example/news/?PAGEN_1=2",
        """<font class="text">Новости 21 - 40 из 300<br /></font><font class="text"><a
        href="/news/?PAGEN_1=1">Начало</a> | <a href="/news/?PAGEN_1=1">Пред.</a> | <a
        href="/news/?PAGEN_1=1">1</a> <b>2</b> <a href="/news/?PAGEN_1=3">3</a> | <a
        href="/news/?PAGEN_1=3">След.</a> | <a href="/news/?PAGEN_1=15">Конец</a></font>""",
        ("/news/?PAGEN_1=3",),
        ("/news/?PAGEN_1=1",),
        ("/news/?PAGEN_1=1", "/news/?PAGEN_1=3", "/news/?PAGEN_1=15"),
    ),
    Snippet(
        "japanese shop",
        "https://a.example/list.php?cid=4&pg=1",
        """<ul class="pageNav"><li>1</li><li><a href="list.php?cid=4&amp;pg=2">2</a></li><li><a
        href="list.php?cid=4&amp;pg=3">3</a></li><li><a href="list.php?cid=4&amp;pg=2">次へ&gt;&gt;</a></li>
        </ul>""",
        ("/list.php?cid=4&pg=2",),
        (),
        ("/list.php?cid=4&pg=2", "/list.php?cid=4&pg=3"),
    ),
    Snippet(
        "gnuboard",
        "http://a.example/bbs/board.php?bo_table=free&page=2",
        """<nav class="pg_wrap"><span class="pg"><a href="./board.php?bo_table=free&amp;page=1"
        class="pg_page pg_start">처음</a> <a href="./board.php?bo_table=free&amp;page=1"
        class="pg_page">1<span class="sound_only">페이지</span></a> <strong class="pg_current">2</strong> <a
        href="./board.php?bo_table=free&amp;page=3" class="pg_page">3<span
        class="sound_only">페이지</span></a> <a href="./board.php?bo_table=free&amp;page=11"
        class="pg_page pg_next">다음</a></span></nav>""",
        ("/bbs/board.php?bo_table=free&page=11",),
        (),
        (
            "/bbs/board.php?bo_table=free&page=1",
            "/bbs/board.php?bo_table=free&page=3",
        ),
    ),
    Snippet(
        "arabic",
        "https://a.example/news/2",
        """<div class="pages-nav"><a href="/news/1" class="prev">السابق</a><a href="/news/1">١</a><span
        class="on">٢</span><a href="/news/3">٣</a><a href="/news/3" class="nxt">التالي</a></div>""",
        ("/news/3",),
        ("/news/1",),
        ("/news/1", "/news/3"),
    ),
    Snippet(
        "article in parts",
        "https://a.example/2020/long-story.html",
        """<p>…</p><p class="article-pages">Seite <b>1</b> <a href="/2020/long-story-2.html">2</a> <a
        href="/2020/long-story-3.html">3</a> <a href="/2020/long-story-2.html">Weiter »</a></p>""",
        ("/2020/long-story-2.html",),
        (),
        ("/2020/long-story-2.html", "/2020/long-story-3.html"),
    ),
    Snippet(
        "wordpress post in parts",
        "https://a.example/2020/05/trip/",
        """<div class="page-links">Pages: <span class="post-page-numbers current">1</span> <a
        href="https://a.example/2020/05/trip/2/" class="post-page-numbers">2</a> <a
        href="https://a.example/2020/05/trip/3/" class="post-page-numbers">3</a></div>""",
        (),
        (),
        ("/2020/05/trip/2/", "/2020/05/trip/3/"),
    ),
    Snippet(
        "threads in a list have pages",
        "http://a.example/viewforum.php?f=9",
        """<ul class="topiclist"><li><a class="topictitle" href="./viewtopic.php?t=7">Tea</a><div
        class="pagination"><ul><li><a href="./viewtopic.php?t=7">1</a></li><li><a
        href="./viewtopic.php?t=7&amp;start=25">2</a></li><li><a
        href="./viewtopic.php?t=7&amp;start=50">3</a></li></ul></div></li></ul>""",
        (),
        (),
        ("/viewtopic.php?t=7", "/viewtopic.php?t=7&start=25", "/viewtopic.php?t=7&start=50"),
    ),
    Snippet(
        "load more as a link",
        "https://a.example/stories",
        """<div class="load-more"><a class="btn" href="/stories?page=2">Load more</a></div>""",
        ("/stories?page=2",),
    ),
    Snippet(
        "turkish, divs",
        "https://a.example/haberler/sayfa-2",
        """<div class="sayfalama"><a href="/haberler/">« Önceki</a> <a href="/haberler/">1</a>
        <span>2</span> <a href="/haberler/sayfa-3">3</a> <a href="/haberler/sayfa-3">Sonraki »</a></div>""",
        ("/haberler/sayfa-3",),
        ("/haberler/",),
        ("/haberler/", "/haberler/sayfa-3"),
    ),
    Snippet(
        "classified ads with images",
        "https://a.example/ads/o2",
        """<div class="pager_wrap"><a class="prev" href="/ads/"><img src="l.png" alt="Előző"></a>
        <a href="/ads/">1</a> <b>2</b> <a href="/ads/o3">3</a> <a class="last" href="/ads/o30"><img
        src="ll.png"
        alt="Utolsó oldal"></a> <a class="next" href="/ads/o3"><img src="r.png" alt="Következő"></a></div>""",
        ("/ads/o3",),
        ("/ads/",),
        ("/ads/", "/ads/o3", "/ads/o30"),
    ),
    _none(
        "days of a calendar",
        "https://a.example/events",
        """<table class="calendar"><tr><td><a href="/2020/05/01/">1</a></td><td><a
        href="/2020/05/02/">2</a></td><td>3</td><td><a
        href="/2020/05/04/">4</a></td><td>5</td><td>6</td><td><a
        href="/2020/05/07/">7</a></td></tr></table>""",
    ),
    _none(
        "the number of results shown",
        "https://a.example/list",
        """<div class="show">Show: <a href="?limit=10">10</a> <a href="?limit=20">20</a> <a
        href="?limit=50">50</a> <a href="?limit=100">100</a></div>""",
    ),
    _none(
        "archive by year",
        "https://a.example/archive",
        """<p><a href="/archive/2017">2017</a> <a href="/archive/2018">2018</a> <a
        href="/archive/2019">2019</a></p>""",
    ),
    _none(
        "neighbours of a post",
        "https://a.example/2020/05/a-day/",
        """<nav class="navigation post-navigation"><div class="nav-links"><div class="nav-previous"><a
        href="https://a.example/2020/04/before/" rel="prev">Before the day</a></div><div class="nav-next"><a
        href="https://a.example/2020/06/after/" rel="next">After the day</a></div></div></nav>""",
    ),
    _none(
        "neighbours of a thread",
        "https://a.example/showthread.php?t=50",
        """<div><a href="showthread.php?t=49" rel="prev">Previous Thread</a> | <a
        href="showthread.php?t=51" rel="next">Next Thread</a></div>""",
    ),
    _none(
        "arrows of a carousel",
        "https://a.example/",
        """<div class="carousel"><a class="carousel-control-prev" href="#c">Previous</a><a
        class="carousel-control-next" href="#c">Next</a></div>""",
    ),
    _none(
        "comments counted",
        "https://a.example/",
        """<div><a href="/a#comments">3</a></div><div><a href="/b#comments">12</a></div>""",
    ),
    _none(
        "read more",
        "https://a.example/",
        """<article><p>Text <a class="more-link" href="/2020/a-story/">Read more »</a></p></article>""",
    ),
    _none(
        "stars of a rating",
        "https://a.example/film",
        """<div class="rating"><a href="/rate?f=9&amp;v=1">1</a><a href="/rate?f=9&amp;v=2">2</a><a
        href="/rate?f=9&amp;v=3">3</a></div>""",
    ),
    _none(
        "versions of a manual",
        "https://a.example/docs/12/intro.html",
        """<div>Supported versions: <a href="/docs/13/intro.html">13</a> <a
        href="/docs/12/intro.html">12</a> <a href="/docs/11/intro.html">11</a></div>""",
    ),
    _none(
        "sizes of a shoe",
        "https://a.example/shoe",
        """<ul class="sizes"><li><a href="/shoe?size=38">38</a></li><li><a
        href="/shoe?size=39">39</a></li><li><a
        href="/shoe?size=40">40</a></li></ul>""",
    ),
)
