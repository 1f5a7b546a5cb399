"""Tags, attributes, comments and raw text, distinguished as the tokenizer of the HTML standard does.

The states are those of section 13.2.5, joined where that changes nothing for us. Each kernel takes
the place where something begins and returns the place behind it.
"""

from gossamer.core.kernel import Numbers, inlined_kernel, inner_kernel
from gossamer.pipeline.parse.html_kernel.entities import find
from gossamer.pipeline.parse.html_kernel.kernel_names import ATTRIBUTE_SLOTS, LONG, MASK, SHORT
from gossamer.pipeline.parse.html_kernel.kernel_workspace import (
    ATTRIBUTES,
    IS_CLOSED,
    NAME,
    REFERRING,
    SEEN,
    VALUES,
)
from gossamer.pipeline.parse.html_kernel.octets import EACH, below, each, equal, first, head, load

_ABOVE_SPACE, _LOWER = each(33), each(32)
_SLASHES, _ENDS, _EQUALS = each(ord("/")), each(ord(">")), each(ord("="))


@inner_kernel
def is_white(byte: int) -> bool:
    return byte <= 32 and (byte == 32 or byte == 10 or byte == 9 or byte == 13 or byte == 12)


@inner_kernel
def is_letter(byte: int) -> bool:
    return 97 <= (byte | 32) <= 122


@inner_kernel
def lower(byte: int) -> int:
    return byte + 32 if 65 <= byte <= 90 else byte


@inlined_kernel
def read_name(data: Numbers, i: int, end: int, workspace: Numbers) -> int:
    """A tag's name; leaves its key on the workspace."""
    if i + 8 <= end:
        word = load(data, i)
        length = first(below(word, _ABOVE_SPACE) | equal(word, _SLASHES) | equal(word, _ENDS))
        if _is_short(data, i, length):
            workspace[NAME] = head(word | _LOWER, length)
            return i + length
    after, workspace[NAME] = _read_key(data, i, end, 62)
    return after


@inner_kernel
def _is_short(data: Numbers, i: int, length: int) -> bool:
    """Is this the length of a name of which nothing special is to be known?"""
    return 0 < length < SHORT and (data[i + length] > 32 or is_white(data[i + length]))


@inner_kernel
def _read_key(data: Numbers, i: int, end: int, stop: int) -> tuple[int, int]:
    """A name, letter by letter: where it ends, and its key. `stop` ends it, too, unless it comes first."""
    key = value = length = 0
    has_control = False
    while i < end:
        byte = data[i]
        if byte == 62 or byte == 47 or is_white(byte) or (byte == stop and length):  # > /
            break
        if length < SHORT:
            key |= (byte | 32) << 8 * length
        value = (value * 31 + lower(byte)) & MASK
        has_control |= byte < 32
        length += 1
        i += 1
    return i, LONG | value if length > SHORT or has_control else key


@inlined_kernel
def read_attributes(data: Numbers, i: int, end: int, workspace: Numbers) -> int:
    """The attributes of a tag; -1 when the page ends before the tag does."""
    workspace[SEEN] = workspace[REFERRING] = workspace[IS_CLOSED] = 0
    while i < end:
        byte = data[i]
        if byte == 62:  # >
            return i + 1
        if byte == 47:  # /
            i += 1
            if i < end and data[i] == 62:
                workspace[IS_CLOSED] = 1
        elif is_white(byte):
            i += 1
        else:
            i = _read_attribute(data, i, end, workspace)
    return -1


@inlined_kernel
def _read_attribute(data: Numbers, i: int, end: int, workspace: Numbers) -> int:
    key = length = 0
    if i + 8 <= end:
        word = load(data, i)
        marks = below(word, _ABOVE_SPACE) | equal(word, _SLASHES) | equal(word, _ENDS)
        length = first(marks | equal(word, _EQUALS))
        if _is_short(data, i, length):
            key = head(word | _LOWER, length)
            i += length
    if key == 0:
        i, key = _read_key(data, i, end, 61)
    if i + 1 < end and data[i] == 61 and data[i + 1] > 32:
        return _read_value(data, i + 1, end, workspace, key)
    after = _skip_white(data, i, end)
    if after < end and data[after] == 61:
        return _read_value(data, _skip_white(data, after + 1, end), end, workspace, key)
    _keep(data, workspace, key, i, i)
    return i


@inner_kernel
def _skip_white(data: Numbers, i: int, end: int) -> int:
    while i < end and is_white(data[i]):
        i += 1
    return i


@inlined_kernel
def _read_value(data: Numbers, i: int, end: int, workspace: Numbers, key: int) -> int:
    if i >= end:
        return end
    quote = data[i]
    if quote == 34 or quote == 39:  # " '
        begin = i + 1
        i = find_byte(data, begin, end, quote)
        _keep(data, workspace, key, begin, i)
        return i + 1
    begin = i
    while i < end and data[i] != 62 and not is_white(data[i]):
        i += 1
    _keep(data, workspace, key, begin, i)
    return i


@inlined_kernel
def find_byte(data: Numbers, i: int, end: int, byte: int) -> int:
    """The place where a byte stands next, or the end."""
    pattern = byte * EACH
    while i + 8 <= end:
        length = first(equal(load(data, i), pattern))
        i += length
        if length < 8:
            return i
    while i < end and data[i] != byte:
        i += 1
    return i


@inlined_kernel
def _keep(data: Numbers, workspace: Numbers, key: int, begin: int, last: int) -> None:
    """Note where the value of a known attribute stands; the first of a name counts."""
    code = find(workspace, ATTRIBUTES, ATTRIBUTE_SLOTS, key) - 1
    if code < 0:
        return
    bit = 1 << code
    if workspace[SEEN] & bit:
        return
    workspace[SEEN] |= bit
    workspace[VALUES + 2 * code] = begin
    workspace[VALUES + 2 * code + 1] = last
    for i in range(begin, last):
        if data[i] == 38 or data[i] == 0:  # &
            workspace[REFERRING] |= bit
            return


@inner_kernel
def skip_declaration(data: Numbers, i: int, end: int) -> int:
    """Skip what begins with `<!` and is no CDATA: a comment, a doctype, nonsense."""
    if i + 3 < end and data[i + 2] == 45 and data[i + 3] == 45:  # --
        return _skip_comment(data, i + 4, end)
    return skip_past(data, i, end, 62)


@inner_kernel
def skip_past(data: Numbers, i: int, end: int, byte: int) -> int:
    return min(find_byte(data, i, end, byte) + 1, end)


@inner_kernel
def _skip_comment(data: Numbers, i: int, end: int) -> int:
    """`i` is behind `<!--`. It ends with `-->` or `--!>`, and may end at once with `>` or `->`."""
    if i < end and data[i] == 62:
        return i + 1
    if i + 1 < end and data[i] == 45 and data[i + 1] == 62:
        return i + 2
    while i + 2 < end:
        if data[i] == 45 and data[i + 1] == 45:
            if data[i + 2] == 62:
                return i + 3
            if data[i + 2] == 33 and i + 3 < end and data[i + 3] == 62:  # !
                return i + 4
        i += 1
    return end


@inner_kernel
def is_cdata(data: Numbers, i: int, end: int) -> bool:
    """Does `<![CDATA[` stand here?"""
    if i + 8 >= end or data[i + 2] != 91 or data[i + 8] != 91:
        return False
    return (
        data[i + 3] == 67
        and data[i + 4] == 68
        and data[i + 5] == 65
        and data[i + 6] == 84
        and data[i + 7] == 65
    )


@inner_kernel
def find_cdata_end(data: Numbers, i: int, end: int) -> int:
    """The place of `]]>`, or the end."""
    while i + 2 < end:
        if data[i] == 93 and data[i + 1] == 93 and data[i + 2] == 62:
            return i
        i += 1
    return end


@inner_kernel
def find_raw_end(data: Numbers, i: int, end: int, key: int) -> int:
    """The place of the end tag of a raw text element, or the end."""
    i = find_byte(data, i, end, 60)
    while i < end and not is_end_tag_of(data, i, end, key):
        i = find_byte(data, i + 1, end, 60)
    return i


@inner_kernel
def is_end_tag_of(data: Numbers, i: int, end: int, key: int) -> bool:
    return i + 2 < end and data[i + 1] == 47 and _is_tag_of(data, i + 2, end, key)


@inner_kernel
def _is_tag_of(data: Numbers, i: int, end: int, key: int) -> bool:
    """Does the short name with this key stand here, and end as a tag's name does?"""
    found = shift = 0
    while i < end and shift < 8 * SHORT and is_letter(data[i]):
        found |= (data[i] | 32) << shift
        shift += 8
        i += 1
    if found != key or i >= end:
        return False
    return data[i] == 62 or data[i] == 47 or is_white(data[i])


@inner_kernel
def find_script_end(data: Numbers, i: int, end: int, key: int) -> int:
    """The same for a script, in which `<!-- <script>` hides the next `</script>`."""
    is_escaped = is_double = False
    while i < end:
        byte = data[i]
        if byte == 60:
            if is_end_tag_of(data, i, end, key):
                if not is_double:
                    return i
                is_double = False
            elif is_escaped:
                is_double |= _is_tag_of(data, i + 1, end, key)
            elif _is_at(data, i, end, 33, 45, 45):  # !--
                is_escaped = True
                i += 1  # the dashes may be those of an end: <!-->
        elif byte == 45 and is_escaped and _is_at(data, i - 1, end, 45, 45, 62):
            is_escaped = is_double = False
        i += 1
    return end


@inner_kernel
def _is_at(data: Numbers, i: int, end: int, first: int, second: int, third: int) -> bool:
    """Do these three bytes follow the one at `i`?"""
    return i + 3 < end and data[i + 1] == first and data[i + 2] == second and data[i + 3] == third
