#!/usr/bin/env python3
"""Bad PRISM models, Boolean programs, thread transition systems and Promela models, and their properties, and bad properties
behind Murphi models: every case of prism.txt, boolean.txt, tts.txt, promela.txt and murphi.txt must be refused with the diagnostics it states.

A case begins with a line "=== NAME OPTIONS". Its model follows; after a line "--- props" its properties; then, each after
"> ", all lines that Noether prints (the files are called model and props).

usage: prism.py NOETHER [--write]          --write: puts down what is printed now, to be looked at
"""
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import patience

FOLDER = pathlib.Path(__file__).resolve().parent
# Of the models of each file.
EXTENSIONS = {"prism.txt": ".prism", "boolean.txt": ".bp", "tts.txt": ".tts", "promela.txt": ".pml", "murphi.txt": ".m"}


def read_cases(path):
    for block in re.split(r"^=== ", path.read_text(), flags=re.M)[1:]:
        head, _, body = block.partition("\n")
        lines = body.rstrip("\n").split("\n")
        name, *options = head.split()
        text = "\n".join(line for line in lines if not line.startswith("> "))
        model, _, properties = text.partition("--- props\n")
        yield head, name, options, model, properties, [line[2:] for line in lines if line.startswith("> ")]


def diagnose(noether, options, model, properties, folder, extension):
    model_path, properties_path = folder / f"model{extension}", folder / "props.props"
    model_path.write_text(model)
    properties_path.write_text(properties)
    words = [str(properties_path)] if properties else []
    run = subprocess.run([noether, "check", str(model_path), *words, *options], capture_output=True, timeout=patience.seconds(20))
    output = (run.stderr + run.stdout).decode("utf-8", errors="replace")
    output = output.replace(str(model_path), "model").replace(str(properties_path), "props")
    return run.returncode, output.rstrip("\n").split("\n")


def check(noether, path, writes, folder):
    passed = failed = 0
    written = path.read_text().split("=== ", 1)[0]
    for head, name, options, model, properties, expected in read_cases(path):
        code, found = diagnose(noether, options, model, properties, folder, EXTENSIONS[path.name])
        middle = f"--- props\n{properties}" if properties else ""
        end = "" if (middle or model).endswith("\n") else "\n"
        written += f"=== {head}\n{model}{middle}{end}" + "".join(f"> {line}\n" for line in found)
        is_right = code == 2 and found == expected
        passed, failed = passed + is_right, failed + (not is_right)
        if not is_right and not writes:
            print(f"{name}: exit code {code}, expected 2 and\n  " + "\n  ".join(expected) + "\nfound\n  " + "\n  ".join(found))
    if writes:
        path.write_text(written)
    return passed, failed


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    noether, writes = sys.argv[1], "--write" in sys.argv
    with tempfile.TemporaryDirectory() as folder:
        counts = [check(noether, FOLDER / name, writes, pathlib.Path(folder)) for name in EXTENSIONS]
    passed, failed = map(sum, zip(*counts))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
