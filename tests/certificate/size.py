#!/usr/bin/env python3
"""noether-verify stays small enough to be read: under 1,800 lines of code, without comments and blank lines, for states and
steps, and under 700 more for probabilities and rewards. The last line is "N passed, N failed"."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
NUMBERS = {"measure.c", "measure.h", "rows.c", "rows.h"}
LIMITS = {"states and steps": 1800, "probabilities and rewards": 700}


def lines_of_code(path):
    text = re.sub(r"/\*.*?\*/", lambda match: "\n" * match.group().count("\n"), path.read_text(), flags=re.S)
    return sum(1 for line in text.splitlines() if line.strip())


def main():
    counts = dict.fromkeys(LIMITS, 0)
    for path in [*(ROOT / "src/verify").glob("*.[ch]"), ROOT / "src/noether_verify.c"]:
        counts["probabilities and rewards" if path.name in NUMBERS else "states and steps"] += lines_of_code(path)
    failed = [what for what, limit in LIMITS.items() if not 0 < counts[what] < limit]
    for what, count in counts.items():
        print(f"{what}: {count} lines of code, under {LIMITS[what]}")
    print(f"{len(counts) - len(failed)} passed, {len(failed)} failed")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
