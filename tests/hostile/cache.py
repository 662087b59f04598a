#!/usr/bin/env python3
"""tests/hostile/cache.py BINARY: whatever happens to the cache of compiled code, the counts are right and nothing crashes."""
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import patience

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = str(pathlib.Path(sys.argv[1]).resolve())
MODEL = ["examples/german.m", "-DNODE_NUM=2", "--stepper", "native", "-v"]
COUNTS = "852 states (for 3,390 without symmetry), 2,491 rules fired, depth 18"
COMPILED, CACHED = "native code, compiled by this run", "native code from the cache"
SEED = 7


def start(cache, **variables):
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache), **variables}
    return subprocess.Popen([BINARY, "check", *MODEL], cwd=ROOT, env=environment, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True)


def expect(condition, what):
    if not condition:
        raise AssertionError(what)


def finish(child, words=None):
    output, _ = child.communicate(timeout=patience.seconds(120))
    expect(child.returncode == 0, f"exit status {child.returncode}\n{output}")
    expect(COUNTS in output, f"other counts\n{output}")
    expect(not words or words in output, f"not {words!r}\n{output}")


def check(cache, words=None, **variables):
    finish(start(cache, **variables), words)


def library(cache):
    found = list((cache / "noether").iterdir())
    expect(len(found) == 1 and re.fullmatch(r"[0-9a-f]{32}\.so", found[0].name), f"in the cache: {found}")
    return found[0]


def a_damaged_file_is_replaced(cache):
    check(cache, COMPILED)
    path = library(cache)
    good = path.read_bytes()
    check(cache, CACHED)
    chance = random.Random(SEED)
    bad = [b"", b"\x7fELF", good[:-1], good[:len(good) // 2], good[:4096], good + b"x", bytes(len(good)),
           chance.randbytes(len(good)), good[1:] + b"\0"]
    for _ in range(12):
        flipped = bytearray(good)
        flipped[chance.randrange(len(good))] ^= 1 << chance.randrange(8)
        bad.append(bytes(flipped))
    for content in bad:
        path.write_bytes(content)
        check(cache, COMPILED)
        expect(library(cache) == path, "another name")
        check(cache, CACHED)


def another_model_under_its_name(cache):
    """As many rules, start states and properties, other code."""
    check(cache, COMPILED)
    path = library(cache)
    other = pathlib.Path(cache) / "other"
    environment = {**os.environ, "XDG_CACHE_HOME": str(other)}
    subprocess.run([BINARY, "check", "examples/german.m", "-DNODE_NUM=3", "--stepper", "native"], cwd=ROOT, env=environment,
                   stdout=subprocess.DEVNULL, check=True, timeout=patience.seconds(120))
    shutil.copy(library(other), path)
    path.chmod(0o600)
    check(cache, COMPILED)


def a_folder_others_can_write_to(cache):
    check(cache, COMPILED)
    (cache / "noether").chmod(0o777)
    check(cache, COMPILED)


def no_folder_at_all(cache):
    (cache / "noether").write_text("a file")
    check(cache, COMPILED)
    check("/dev/null", COMPILED)
    check("/proc", COMPILED)


def many_at_once(cache):
    """On an empty cache, on a good one, and while somebody damages it."""
    for _ in range(2):
        children = [start(cache) for _ in range(4)]
        for child in children:
            finish(child)
    path = library(cache)
    good = path.read_bytes()
    children = [start(cache) for _ in range(4)]
    for at in range(0, len(good), len(good) // 50):
        path.write_bytes(good[:at])
    for child in children:
        finish(child)
    library(cache)


def a_full_disk(cache):
    """On a file system of a few pages, where one can be mounted. Temporary files have room, the cache has not; then neither."""
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8k", "tmpfs", str(cache)], capture_output=True).returncode:
        print("cache.py: no small file system can be mounted here, the test of a full disk is left out")
        return
    try:
        check(cache, COMPILED)
        expect(not list((cache / "noether").iterdir()), "something is left in the full cache")
        output = subprocess.run([BINARY, "check", *MODEL], cwd=ROOT, capture_output=True, text=True, timeout=patience.seconds(120),
                                env={**os.environ, "XDG_CACHE_HOME": str(cache), "TMPDIR": str(cache)})
        expect(output.returncode == 3 and "no native code" in output.stdout, f"{output.returncode} {output.stdout}")
        automatic = subprocess.run([BINARY, "check", *MODEL[:2]], cwd=ROOT, capture_output=True, text=True, timeout=patience.seconds(120),
                                   env={**os.environ, "XDG_CACHE_HOME": str(cache), "TMPDIR": str(cache)})
        expect(automatic.returncode == 0 and COUNTS in automatic.stdout, automatic.stdout)
    finally:
        subprocess.run(["umount", str(cache)], check=True)


TESTS = [a_damaged_file_is_replaced, another_model_under_its_name, a_folder_others_can_write_to, no_folder_at_all,
         many_at_once, a_full_disk]


def main():
    if not shutil.which(os.environ.get("NOETHER_CC", "cc")):
        print("cache.py: there is no C compiler, so there is no compiled code\n0 passed, 0 failed")
        return 0
    failed = 0
    for test in TESTS:
        with tempfile.TemporaryDirectory() as folder:
            try:
                test(pathlib.Path(folder))
            except (AssertionError, OSError, subprocess.SubprocessError) as problem:
                failed += 1
                print(f"FAIL {test.__name__}: {problem}")
    print(f"{len(TESTS) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
