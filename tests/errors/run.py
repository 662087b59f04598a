#!/usr/bin/env python3
"""Bad inputs: every NAME.m here must be refused with the diagnostic its header states.

    -- expect: 7:12: error: unknown name "Stat"      the first diagnostic (without a position: "error: ...")
    -- hint: did you mean "State"?                   its hint; a line "--" means it has none
    -- errors: 1                                     how many errors there are; may be missing

usage: run.py NOETHER [NAME...]
"""
import pathlib
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import patience


def read_header(path):
    lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    expected = lines[0].removeprefix("-- expect: ")
    hint = lines[1].removeprefix("-- hint: ") if lines[1].startswith("-- hint: ") else None
    count = lines[2].removeprefix("-- errors: ") if lines[2].startswith("-- errors: ") else None
    return expected, hint, count and int(count)


def first_diagnostic(path, output):
    """The first diagnostic about the file, without the file's name, and its hint."""
    lines = output.split("\n")
    for i, line in enumerate(lines):
        if not line.startswith(f"{path}:"):
            continue
        hint = None
        for follow in lines[i + 1:i + 4]:
            if follow.startswith(f"{path}:"):
                break
            if follow.strip().startswith("hint: "):
                hint = follow.strip().removeprefix("hint: ")
        return line.removeprefix(f"{path}:").strip(), hint
    return None, None


def check(noether, path):
    """None, or what is wrong."""
    try:
        run = subprocess.run([noether, "check", str(path)], capture_output=True, timeout=patience.seconds(20))
    except subprocess.TimeoutExpired:
        return "no answer in 20 seconds"
    output = (run.stderr + run.stdout).decode("utf-8", errors="replace")
    *expected, count = read_header(path)
    errors = sum(line.startswith(f"{path}:") and " error: " in line for line in output.split("\n"))
    found = first_diagnostic(path, output)
    if run.returncode != 2:
        return f"exit code {run.returncode}, expected 2"
    if count and errors != count:
        return f"expected {count} errors, found {errors}"
    if list(found) != expected:
        return f"expected {expected}\n    found    {found}"
    return None


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    folder = pathlib.Path(__file__).resolve().parent
    names = sys.argv[2:]
    paths = [folder / f"{name}.m" for name in names] if names else sorted(folder.glob("*.m"))
    failed = 0
    for path in paths:
        problem = check(sys.argv[1], path)
        if problem:
            failed += 1
            print(f"FAILED {path.name}\n    {problem}")
    print(f"{len(paths) - failed} passed, {failed} failed")
    sys.exit(1 if failed or not paths else 0)


if __name__ == "__main__":
    main()
