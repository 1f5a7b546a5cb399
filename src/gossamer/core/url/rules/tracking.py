"""Parameters that tell the server where a visitor came from, and change nothing of the page."""

from gossamer.core.url.rules.parameters import drop_parameters

_PREFIXES = ("utm_", "pk_", "mtm_", "matomo_", "piwik_", "hsa_")
"""Campaign parameters of Google Analytics, Matomo and HubSpot."""

_CLICKS = """
    gclid gclsrc dclid gbraid wbraid gad_source gad_campaignid srsltid fbclid igshid igsh msclkid
    yclid ysclid ymclid twclid ttclid li_fat_id epik rdt_cid sccid irclickid rb_clickid wickedid
    _openstat
"""
_MAILINGS = """
    mc_cid mc_eid mkt_tok _hsenc _hsmi __hstc __hssc __hsfp hsctatracking vero_id vero_conv
    oly_anon_id oly_enc_id ml_subscriber ml_subscriber_hash
"""
_ACROSS_DOMAINS = "_ga _gl _ke s_cid guccounter guce_referrer guce_referrer_sig"

_NAMES = frozenset(f"{_CLICKS} {_MAILINGS} {_ACROSS_DOMAINS}".split())


def drop_tracking(path: str, query: str) -> tuple[str, str]:
    """Leave out tracking parameters.

    >>> drop_tracking("/", "utm_source=x&id=3&fbclid=y")
    ('/', 'id=3')
    """
    return path, drop_parameters(query, _is_tracking) if query else query


def _is_tracking(name: str, value: str) -> bool:
    return name in _NAMES or name.startswith(_PREFIXES)
