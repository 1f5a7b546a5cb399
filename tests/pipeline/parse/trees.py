"""Trees as the tree construction cases of web-platform-tests write them, and what we look at in them."""

import re
from collections.abc import Iterator
from pathlib import Path

from gossamer.pipeline.parse.html_kernel.kernel_names import TRAITS, Trait

WANTED = {"a": "href", "area": "href", "base": "href", "iframe": "src", "frame": "src"}
UNSEEN = frozenset({"script", "style", "title", "noframes", "noembed", "iframe", "template"})
"""Elements whose text no reader sees; of pictures only the first two."""

_NAMES = "#data|#errors|#new-errors|#document-fragment|#script-off|#script-on|#document"
_LINE = re.compile(r"^\| ( *)(.*?)(?=\n\||\Z)", re.MULTILINE | re.DOTALL)
_ELEMENT = re.compile(r"<(svg |math )?([^>]+)>")
_ATTRIBUTE = re.compile(r'([^"=]+)="(.*)"', re.DOTALL)


class Node:
    """An element; its children are elements and texts."""

    def __init__(self, name: str, namespace: str = "") -> None:
        self.name = name
        self.namespace = namespace
        self.attributes: dict[str, str] = {}
        self.children: list[Node | str] = []


def cases(folder: Path) -> Iterator[tuple[str, bytes, Node]]:
    """Name, input and expected tree of each case that is about whole pages without scripts."""
    for path in sorted(folder.glob("*.dat")):
        for number, part in enumerate(path.read_bytes().decode().split("#data\n")[1:]):
            sections = dict(_sections("#data\n" + part))
            if "#document-fragment" not in sections and "#script-on" not in sections:
                yield (
                    f"{path.name} {number}",
                    sections["#data"].encode(),
                    _tree(sections["#document"]),
                )


def _sections(part: str) -> Iterator[tuple[str, str]]:
    pieces = re.split(rf"^({_NAMES})$\n?", part, flags=re.MULTILINE)
    for name, text in zip(pieces[1::2], pieces[2::2], strict=True):
        yield name, text.removesuffix("\n")


def _tree(text: str) -> Node:
    path = [Node("")]
    for indent, line in _LINE.findall(text.rstrip("\n")):
        del path[len(indent) // 2 + 1 :]
        _add(path, line)
    return path[0]


def _add(path: list[Node], line: str) -> None:
    if line.startswith('"'):
        path[-1].children.append(line[1:-1])
    elif line == "content":
        path.append(path[-1])  # a template holds this and nothing else
    elif line.startswith(("<!--", "<!DOCTYPE", "<?")):
        path.append(Node("comment"))
    elif match := _ELEMENT.fullmatch(line):
        node = Node(match[2], (match[1] or "").strip())
        path[-1].children.append(node)
        path.append(node)
    elif match := _ATTRIBUTE.fullmatch(line):
        path[-1].attributes[match[1].replace("xlink href", "xlink:href")] = match[2]


def elements(node: Node) -> Iterator[Node]:
    """The elements below a node, in order, without the content of templates."""
    for child in node.children:
        if isinstance(child, Node):
            yield child
            if child.name != "template" or child.namespace:
                yield from elements(child)


def links(root: Node) -> list[tuple[str, str]]:
    """Elements with an address, each once: clones are a tree's doing."""
    found = []
    for node in elements(root):
        name = WANTED.get(node.name)
        if name and (not node.namespace or node.name == "a"):
            value = node.attributes.get(name) or node.attributes.get("xlink:href")
            if value is not None:
                found.append((node.name, value))
    return list(dict.fromkeys(found))


def title(root: Node) -> str:
    for node in elements(root):
        if node.name == "title" and not node.namespace:
            return "".join(child for child in node.children if isinstance(child, str))
    return ""


def text(root: Node) -> str:
    """What a reader would see, with a space between two blocks."""
    return " ".join("".join(_texts(root)).split())


def _texts(node: Node) -> Iterator[str]:
    for child in node.children:
        if isinstance(child, str):
            yield child
            continue
        if child.name in UNSEEN and not (child.namespace and child.name not in ("script", "style")):
            continue
        gap = " " if TRAITS.get(child.name, Trait(0)) & Trait.BLOCK and not child.namespace else ""
        yield gap
        yield from _texts(child)
        yield gap
