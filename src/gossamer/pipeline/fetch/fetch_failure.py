"""From libcurl's error codes to the names of outcomes."""

import pycurl

from gossamer.core.outcomes import Outcome, Truncation

_BEFORE_HEAD = {
    pycurl.E_UNSUPPORTED_PROTOCOL: Outcome.BAD_RESPONSE,  # HTTP/0.9, a plain body without a head
    pycurl.E_URL_MALFORMAT: Outcome.BAD_URL,
    pycurl.E_COULDNT_RESOLVE_PROXY: Outcome.PROXY_FAILED,
    pycurl.E_COULDNT_RESOLVE_HOST: Outcome.DNS_FAILED,
    pycurl.E_COULDNT_CONNECT: Outcome.CONNECT_FAILED,
    pycurl.E_FTP_WEIRD_SERVER_REPLY: Outcome.BAD_RESPONSE,
    pycurl.E_PARTIAL_FILE: Outcome.RESET,
    pycurl.E_WRITE_ERROR: Outcome.HEADERS_TOO_LARGE,  # our header callback said stop
    pycurl.E_SSL_CONNECT_ERROR: Outcome.TLS_FAILED,
    pycurl.E_GOT_NOTHING: Outcome.EMPTY_REPLY,
    pycurl.E_SEND_ERROR: Outcome.RESET,
    pycurl.E_RECV_ERROR: Outcome.RESET,
    pycurl.E_SSL_CERTPROBLEM: Outcome.TLS_FAILED,
    pycurl.E_SSL_CIPHER: Outcome.TLS_FAILED,
    pycurl.E_PEER_FAILED_VERIFICATION: Outcome.TLS_FAILED,
    pycurl.E_SSL_ENGINE_NOTFOUND: Outcome.TLS_FAILED,
    pycurl.E_SSL_CACERT_BADFILE: Outcome.TLS_FAILED,
    pycurl.E_SSL_INVALIDCERTSTATUS: Outcome.TLS_FAILED,
    pycurl.E_HTTP2: Outcome.BAD_RESPONSE,
    92: Outcome.RESET,  # CURLE_HTTP2_STREAM
    97: Outcome.PROXY_FAILED,  # CURLE_PROXY
    100: Outcome.HEADERS_TOO_LARGE,  # CURLE_TOO_LARGE
}


def name_failure(code: int, message: str, has_asked: bool) -> Outcome:
    """Name the failure of an exchange that ended before a whole head arrived."""
    if code == pycurl.E_OPERATION_TIMEDOUT:
        if "too slow" in message:
            return Outcome.TOO_SLOW
        return Outcome.TIMEOUT if has_asked else Outcome.CONNECT_TIMEOUT
    if code == pycurl.E_RECV_ERROR and _is_header_complaint(message):
        return Outcome.HEADERS_TOO_LARGE
    return _BEFORE_HEAD.get(code, Outcome.FETCH_FAILED)


def _is_header_complaint(message: str) -> bool:
    return "oo large response headers" in message or "oo many response headers" in message


def name_truncation(code: int) -> Truncation:
    """Name the cause of a body's early end when the head had arrived."""
    if code == pycurl.E_OPERATION_TIMEDOUT:
        return Truncation.TIME
    if code == pycurl.E_WRITE_ERROR:  # our body callback said stop
        return Truncation.LENGTH
    return Truncation.DISCONNECT
