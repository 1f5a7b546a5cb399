"""Settings that a program may give by their name alone, with their types, for type checkers and editors.

Made from `settings`, section by section; a test keeps it in step. Names that more than one section has are
left out, and `seeds`, which are given as arguments.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, TypedDict


class NamedSettings(TypedDict, total=False):
    """Keyword arguments of a crawl that change its settings."""

    # [crawl]
    max_pages: int
    max_seconds: float
    max_errors: int
    partitions: int
    stop_within: float
    hung_after: float
    brought: Sequence[Literal["scope", "parsers", "order"]]
    known: str
    storage: str
    lease: float
    random_seed: int

    # [agent]
    product: str
    contact: str
    user_agent: str

    # [politeness]
    delay: float
    factor: float
    ceiling: float
    per_host: int
    per_address: int
    address_delay: float
    retries: int
    retry_wait: float
    hold_after: int
    hold_ceiling: float
    patience: float
    unanswered_wait: float

    # [url]
    rules: Sequence[str]

    # [frontier]
    levels: int
    back_queues: int

    # [dns]
    servers: Sequence[str]
    families: Sequence[Literal["ipv4", "ipv6"]]
    min_ttl: float
    max_ttl: float
    not_found_ttl: float
    failed_ttl: float
    cache_size: int
    attempts: int
    first_wait: float
    last_wait: float
    per_domain: int
    in_flight: int

    # [robots]
    obey: bool
    sitemaps: bool
    give_up: int
    max_age: float
    min_age: float
    stale_age: float
    failure_wait: float
    failure_ceiling: float
    failure_limit: float
    max_crawl_delay: float
    cached_origins: int
    cached_bytes: int

    # [fetch]
    transfers: int
    max_transfers: int
    long_seconds: float
    connect_timeout: float
    timeout: float
    slow_bytes: int
    slow_seconds: float
    max_body: int
    max_decoded: int
    max_headers: int
    max_url: int
    allow_private: bool
    allow_addresses: Sequence[str]
    max_ratio: int
    verify_tls: bool
    schemes: Sequence[str]
    routes: Mapping[str, str]
    proxy: str
    logins: Mapping[str, str]
    cookies: Mapping[str, str]
    secrets: str
    ca_file: str

    # [parse]
    max_html: int
    max_sitemap: int
    max_links: int
    max_entries: int
    page_requisites: bool
    text_links: bool
    installed: bool
    sandbox_processes: int
    sandbox_seconds: float
    sandbox_memory: int

    # [content]
    shingle: int
    threshold: float
    sketch: int
    least_text: int
    novelty_memory: int

    # [scope]
    include: Sequence[str]
    exclude: Sequence[str]
    max_depth: int
    nofollow: bool
    follow_duplicates: bool
    follow_near: int
    follow_last: bool
    follow_actions: bool

    # [detect]
    worth: bool
    traps: bool
    soft_errors: bool
    dust: bool
    as_found: Sequence[str]
    mirrors: bool
    share: float
    barren: int
    sample_every: int
    looks: int
    same_answers: int
    pairs: int
    samples: int
    agreements: int
    patterns: int
    hosts: int

    # [budget]
    function: str
    top: int
    lowest: int
    highest: int
    delays: bool
    host_delay: float
    least_host_delay: float
    server_delay: float
    least_server_delay: float
    queues: int
    most_queues: int
    seats: int
    tail: float
    least_tail: int
    busy_hosts: float
    most_waiting: int

    # [order]
    name: str

    # [revisit]
    continuous: bool
    policy: str
    visits_per_day: float
    visits_share: float
    new_share: float
    discovery: float
    weights: Literal["equal", "order"]
    shortest: float
    longest: float
    half_life: float
    believe: bool
    minor: float
    gone_after: int
    day: float

    # [listen]
    announced: bool
    listen_address: str
    listen_port: int
    public_url: str
    indexnow: bool
    websub: bool
    max_subscriptions: int
    lease_days: float
    hubs_every: float
    urls_per_hour: int
    host_urls_per_hour: int
    keys_per_hour: int
    key_seconds: float
    max_request: int
    max_clients: int
    request_seconds: float

    # [store]
    warc: bool
    warc_size: int
    links: bool
    secret_fields: Sequence[str]
    max_stored_pages: int
    rows: int
    history_memory: int
    checkpoint_every: float
    commit_pages: int
    tables_every: float
    journal_bytes: int

    # [search]
    title: int
    headings: int
    anchors: int
    url: int
    description: int
    names: float
    pagerank: float
    surroundings: float

    # [log]
    log_level: Literal["debug", "info", "warning", "error"]
    log_json: bool
    log_bytes: int
    log_files: int
