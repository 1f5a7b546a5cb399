"""How many pages per second the simulated web serves from one process, measured with wrk.

    python benchmarks/sim_server.py [--pages 1000000] [--hosts 5000] [--seconds 5] [--behaviours …]

Each request asks for another page of another host; pages are computed, not remembered. The second
figure divides by the processor time of the server, so that it holds on a busy machine too.
"""

import argparse
import os
import random
import re
import subprocess
import tempfile
import time
from pathlib import Path

from gossamer.lab import Web, serve

SAMPLE = 20_000


def draw_pages(web: Web, count: int) -> list[tuple[str, str]]:
    """Host and path of random pages, each page of the web being equally likely."""
    chance = random.Random(1)
    sizes = [web.size(site) for site in range(web.hosts)]
    sites = chance.choices(range(web.hosts), sizes, k=count)
    urls = [web.url(site, chance.randrange(sizes[site])) for site in sites]
    return [(url.split("/", 3)[2], "/" + url.split("/", 3)[3]) for url in urls]


def write_script(pages: list[tuple[str, str]], place: Path) -> None:
    """A wrk script that asks for the pages one after the other."""
    place.with_suffix(".txt").write_text("".join(f"{host} {path}\n" for host, path in pages))
    place.write_text(
        f"""
local requests, place = {{}}, 0
function init()
  for line in io.lines("{place.with_suffix(".txt")}") do
    local host, path = line:match("(%S+) (%S+)")
    requests[#requests + 1] = wrk.format("GET", path, {{["Host"] = host}})
  end
end
function request()
  place = place % #requests + 1
  return requests[place]
end
"""
    )


def run_wrk(script: Path, address: str, connections: int, seconds: int) -> str:
    command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "-s", str(script), address]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def cpu_seconds(pid: int) -> tuple[float, float]:
    """Processor time of a process so far: its own, and the kernel's for it."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    ticks = os.sysconf("SC_CLK_TCK")
    return int(fields[11]) / ticks, int(fields[12]) / ticks


def resident_megabytes(pid: int) -> float:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / (1 << 20)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=1_000_000)
    parser.add_argument("--hosts", type=int, default=5_000)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--log", action="store_true", help="log every request, as tests do")
    parser.add_argument("--behaviours", default="")
    options = parser.parse_args()
    names = [name for name in options.behaviours.split(",") if name]
    web = Web(7, options.pages, options.hosts, behaviours=names)
    begun = time.perf_counter()
    log = Path(os.devnull) if options.log else None
    with serve(web, log=log) as served, tempfile.TemporaryDirectory() as folder:
        print(f"started in {time.perf_counter() - begun:.2f} s")
        script = Path(folder) / "pages.lua"
        write_script(draw_pages(served.web, SAMPLE), script)
        address = f"http://127.10.0.1:{served.http_port}/"
        run_wrk(script, address, options.connections, 1)  # the first second makes the text
        before = cpu_seconds(served.pid)
        result = run_wrk(script, address, options.connections, options.seconds)
        own, kernel = (b - a for a, b in zip(before, cpu_seconds(served.pid), strict=True))
        pages = int(re.findall(r"(\d+) requests in", result)[0])
        print(result)
        print(f"{pages / options.seconds:,.0f} pages/s")
        print(f"{pages / (own + kernel):,.0f} pages per CPU second of the server")
        print(
            f"{own / pages * 1e6:.1f} µs own and {kernel / pages * 1e6:.1f} µs kernel time a page"
        )
        print(f"{resident_megabytes(served.pid):.0f} MB resident")


if __name__ == "__main__":
    main()
