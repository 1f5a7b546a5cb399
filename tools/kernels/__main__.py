"""`python -m tools.kernels`: compile all kernels into the source tree."""

import sys
from pathlib import Path

from tools.kernels.library import NAME, build_library, is_current, missing_for_build


def main() -> int:
    missing = missing_for_build()
    if missing:
        print(f"kernels are not compiled ahead: {missing}; each is compiled at its first call")
        return 0
    root = Path(__file__).parents[2]
    target = root / "src" / "gossamer" / "core" / NAME
    if is_current(target, root):
        return 0
    print(f"compiling kernels into {target} …", flush=True)
    print(
        f"{build_library(target, root)} versions of kernels, {target.stat().st_size / 1e6:.1f} MB"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
