"""Words that tell what is not part of an article: in the names of elements, and at the beginning of lines.

English, German, French, Spanish, Portuguese, Italian, Dutch and Polish, and the names of widely used
services; `names` says how they are matched. Words that documentation has for its own matter (note, warning,
topic, example, listing) do not belong here.
"""


def words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


ENTRIES = frozenset(words("hentry h-entry"))
"""Microformats: such an element is an entry of its own, and its other names tell what it is about."""
COMMENTS = words("comment kommentar comentario reacties")
COMMENTS_WORDS = frozenset(words("respond replies"))

CLUTTER = words("""
    breadcrumb brotkrumen newsletter news-letter cookie consent gdpr cmplz disqus sharedaddy shareaholic
    sharethis addthis addtoany heateor outbrain taboola plista ligatus zergnet revcontent paywall advert
    werbung anzeige adsbygoogle adslot ad-slot adbox ad-box reklam publicidad publicite pubblicita
    sponsor affiliate signup sign-up mc4wp mailchimp optin subscri abonn skip-link screen-reader
    visually-hidden visuallyhidden sr-only tooltip paginat tagcloud taglist tag-list bildunterschrift
    image-annotation img-desc bildnachweis bildquelle fotocredit photo-credit image-credit whatsapp
    facebook twitter instagram telegram back-to-top backtotop totop print-only most-read mostread
    meistgelesen most-popular trending top-stories topstories lire-aussi a-lire also-read read-also
    read-next readnext up-next lesen-sie-auch lesetipp leia-tambem relacionad leggi-anche lees-ook
    czytaj-takze further-reading more-stories more-news more-articles more-from jp-relatedposts yarpp
    crosslink app-promo
    """)
CLUTTER_WORDS = frozenset(
    words("""
    share sharing shares socials nav navi navbar menu ad ads adv promo promoted login signin pager
    paging rss noprint breadcrumbs crumbs crumb a2a abo cmp follow tweet
    """)
)
CLUTTER_NAMES = frozenset(
    words("""
    hidden invisible contentinfo navigation complementary banner search dialog alertdialog
    """)
)

BESIDE = words("""
    social related recommend empfehl similar aehnlich verwandt correlat gerelateerd polecan podobne
    teaser sidebar right-rail randspalte marginal byline footer readmore read-more weiterlesen mehr-zum
    popular beliebt navigat prev-next next-prev entry-meta post-meta postmeta article-meta article-info
    post-info posted-on posted-in cat-links author autor auteur avatar follow-us donat spenden onward
    promotion linklist link-list linkbox latest recent- call-to-action disclaimer impressum disclosure
    copyright popup pop-up
    """)
BESIDE_WORDS = frozenset(
    words("""
    bio aside suggested writer contributor subscribe similar
    """)
)

FRILL = words("""
    caption lightbox modal toolbar slideshow carousel slider swiper slick gallery galerie diashow rating
    legend timestamp dateline reading-time lesezeit schlagwort etiquetas hashtag table-of-contents
    ez-toc inhaltsverzeichnis weather wetter ticker poll umfrage survey views viewcount embed
    """)
FRILL_WORDS = frozenset(
    words("""
    print credit credits vote votes banner search suche topics player register toc cta headlines profile
    utility tools actions tags keywords widget
    """)
)
FRILL_LAST = frozenset(
    words("""
    tag meta date datum time more mehr kicker reply legal categories category prev next published
    updated
    """)
)

LEADS = words(
    "lead intro teaser summary abstract excerpt standfirst subtitle vorspann anriss chapo entradilla"
)

POINTERS = (
    "read (?:more|also|next)",
    "also read",
    "related (?:articles?|stor(?:y|ies)|posts?|content|news)",
    "more (?:on|from|about) ",
    "you (?:may|might) also",
    "recommended",
    "lesen sie (?:auch|mehr|dazu|hier)",
    "(?:auch|schon) (?:lesen|gelesen|interessant)",
    "mehr (?:zum thema|dazu|lesen)",
    "zum thema",
    "weiterlesen",
    "das könnte (?:sie|dich|ihnen)",
    "(?:à )?lire (?:aussi|également|la suite)",
    "sur le même (?:sujet|thème)",
    "(?:lea|lee|leer|ver) (?:también|además|más)",
    "te puede interesar",
    "leia (?:também|mais)",
    "(?:leggi|vedi) anche",
    "lees (?:ook|meer)",
    "(?:czytaj|zobacz|przeczytaj) (?:też|także|również|więcej)",
    "advertise?ment",
    "(?:anzeige|werbung|publicidad|publicité|pubblicità|reklama?)\\W*$",
    "share (?:this|on|via)",
    "(?:artikel )?teilen\\W*$",
    "(?:subscribe|sign up|follow us|folgen sie uns|newsletter)",
    "(?:foto|fotos|photo|bild|image|titelbild)(?:credit|nachweis|quelle)?s?:",
    "©",
)
"""How lines begin that lead from an article to others, or stand where something else is put."""
