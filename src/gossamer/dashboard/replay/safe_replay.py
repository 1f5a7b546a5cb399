"""Elements and attributes of a page that are written out; all others are not. What does not stand here is
not."""


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


ELEMENTS = _names(
    "a abbr acronym address area article aside audio b bdi bdo big blockquote body br button caption "
    "center cite code col colgroup data datalist dd del details dfn dir div dl dt em fieldset figcaption "
    "figure font footer h1 h2 h3 h4 h5 h6 header hgroup hr html head i img input ins kbd label legend li "
    "link main map mark menu meter nav ol optgroup option output p picture pre progress q rp rt ruby s "
    "samp section select small source span strike strong style sub summary sup svg table tbody td "
    "textarea tfoot th thead time title tr tt u ul var video wbr"
)
DRAWN = _names(
    "circle clippath defs ellipse g line lineargradient path pattern polygon polyline radialgradient rect "
    "stop svg text tspan"
)
"""Elements within a drawing (SVG)."""
DRAWN_IN_PAGES = DRAWN | {"image"}
"""The same of a drawing within a page, which may load pictures as the page may."""
EMBEDDED = {"object": "data", "embed": "src"}
"""Elements that show whatever their address leads to, and the attribute that has it."""
GONE = _names(
    "script template iframe frame frameset base meta noframes noembed foreignobject animate "
    "animatemotion animatetransform set use handler listener"
)
"""Elements that go with all that is in them. Of others that are not known, what is in them stays."""
RENAMED = {"form": "div", "plaintext": "pre", "xmp": "pre", "listing": "pre"}
VOID = _names("area br col hr img input link source wbr")
"""Elements without an end."""

ATTRIBUTES = _names(
    "abbr align alt bgcolor border cellpadding cellspacing checked class cols colspan color controls "
    "coords datetime dir disabled face for frame headers height hidden high id label lang loop low max "
    "maxlength media min multiple name nowrap open optimum placeholder readonly reversed role rows "
    "rowspan rules scope selected shape size sizes span start step summary title type usemap valign value "
    "vspace hspace width wrap"
)
DRAWN_ATTRIBUTES = _names(
    "class cx cy d dx dy fill fill-opacity fill-rule font-family font-size font-weight gradienttransform "
    "gradientunits height id offset opacity patternunits points preserveaspectratio r rx ry stop-color "
    "stop-opacity stroke stroke-dasharray stroke-linecap stroke-linejoin stroke-opacity stroke-width "
    "text-anchor transform viewbox width x x1 x2 xmlns y y1 y2"
)
"""Attributes of elements within a drawing; any that names a `url` is left out."""
EMBEDDED_ATTRIBUTES = _names("align alt class dir height hspace id lang style title vspace width")
LEADING = {
    ("a", "href"): "link",
    ("area", "href"): "link",
    ("img", "src"): "copy",
    ("img", "srcset"): "set",
    ("source", "src"): "copy",
    ("source", "srcset"): "set",
    ("video", "src"): "copy",
    ("video", "poster"): "copy",
    ("audio", "src"): "copy",
    ("link", "href"): "copy",
    ("input", "src"): "copy",
    ("image", "href"): "copy",
    ("image", "xlink:href"): "copy",
    ("body", "background"): "copy",
    ("table", "background"): "copy",
    ("td", "background"): "copy",
    ("th", "background"): "copy",
}
"""Attributes that lead somewhere, and how: to a page, to what is shown here, or to several."""
