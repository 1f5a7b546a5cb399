"""A reader of BVGraph files that is as plain as the specification, to check the kernels by."""

from pathlib import Path


class Bits:
    def __init__(self, data: bytes) -> None:
        self._bits = "".join(f"{byte:08b}" for byte in data)
        self.place = 0

    def take(self, count: int) -> int:
        self.place += count
        return int(self._bits[self.place - count : self.place] or "0", 2)

    def unary(self) -> int:
        end = self._bits.index("1", self.place)
        count, self.place = end - self.place, end + 1
        return count

    def gamma(self) -> int:
        size = self.unary()
        return (1 << size | self.take(size)) - 1

    def zeta(self) -> int:
        step = self.unary()
        least, most = 1 << 3 * step, self.take(3 * step + 2)
        return most + least - 1 if most < least else (most << 1 | self.take(1)) - 1


def _signed(number: int) -> int:
    return number >> 1 if number & 1 == 0 else -(number >> 1) - 1


def read_plainly(name: Path, least: int) -> tuple[list[list[int]], list[int], list[int]]:
    """The rows of a graph, how far back each refers, and where each begins."""
    nodes = int(name.with_suffix(".properties").read_text().partition("\nnodes=")[2].split()[0])
    bits = Bits(name.with_suffix(".graph").read_bytes())
    rows, backs, places = list[list[int]](), list[int](), list[int]()
    for node in range(nodes):
        places.append(bits.place)
        row, back = _read_row(bits, node, rows, least)
        rows.append(row)
        backs.append(back)
    return rows, backs, [*places, bits.place]


def _read_row(bits: Bits, node: int, rows: list[list[int]], least: int) -> tuple[list[int], int]:
    count = bits.gamma()
    if not count:
        return [], 0
    back = bits.unary()
    row = _copied(bits, rows[node - back]) if back else []
    rest = count - len(row)
    if rest and least:
        end = 0
        for number in range(bits.gamma()):
            begin = node + _signed(bits.gamma()) if number == 0 else end + bits.gamma() + 1
            end = begin + bits.gamma() + least
            row += range(begin, end)
        rest = count - len(row)
    last = 0
    for number in range(rest):
        last = node + _signed(bits.zeta()) if number == 0 else last + bits.zeta() + 1
        row.append(last)
    return sorted(row), back


def _copied(bits: Bits, source: list[int]) -> list[int]:
    lengths = [bits.gamma() + (number > 0) for number in range(bits.gamma())]
    lengths.append(len(source) - sum(lengths))
    copied, at = [], 0
    for number, length in enumerate(lengths):
        copied += source[at : at + length] if number % 2 == 0 else []
        at += length
    return copied
