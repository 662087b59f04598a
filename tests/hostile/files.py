#!/usr/bin/env python3
"""tests/hostile/files.py BINARY: folders and files from somebody else are no way to files of the user, and a limit of the size of files (ulimit -f)
is a write error.

Links, pipes and hard links in the folder of a checkpoint and of --evidence are not followed; the command in a manifest writes no files;
no text of a model runs a program;
where a file cannot be written, the old one of that name stays and no temporary file is left behind. The last line is "N passed, N failed"."""
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import patience

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = str(pathlib.Path(sys.argv[1]).resolve())
MODEL, BUG, PROVED = (str(ROOT / "examples" / name) for name in ("german.m", "german-bug.m", "semaphore-mutex.m"))
SECRET = "somebody needs this\n" * 100
passed = failed = 0


def expect(is_right, words):
    global passed, failed
    passed, failed = passed + bool(is_right), failed + (not is_right)
    if not is_right:
        print(words)


def run(folder, *words, most_bytes=None):
    def limit():
        if most_bytes is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes))
    return subprocess.run([BINARY, *map(str, words)], cwd=folder, capture_output=True, text=True, timeout=patience.seconds(120), preexec_fn=limit)


def begin(folder, *words):
    """A checkpoint of a search that is not over."""
    answer = run(folder, "check", "-q", MODEL, "--checkpoint", "kept", "--every", "0.01", "--states", "3000", *words)
    expect(answer.returncode == 3 and (folder / "kept/manifest").exists(), f"no checkpoint: {answer.stdout}{answer.stderr}")


def try_links(folder):
    """Each file of the folder in turn is something else."""
    begin(folder)
    names = sorted(path.name for path in (folder / "kept").iterdir()) + ["manifest.new", "segment-0-000002", "segment-0-000003"]
    for name in names:
        for kind in ("link", "dangling", "pipe", "hard link"):
            copy, secret = folder / "copy", folder / "secret"
            shutil.copytree(folder / "kept", copy)
            content = (copy / name).read_bytes() if (copy / name).exists() else SECRET.encode()
            secret.write_bytes(content + b"and more\n" * 1000)
            before = secret.read_bytes()
            (copy / name).unlink(missing_ok=True)
            if kind == "link":
                (copy / name).symlink_to(secret)
            elif kind == "dangling":
                (copy / name).symlink_to(folder / "nothing")
            elif kind == "pipe":
                os.mkfifo(copy / name)
            else:
                os.link(secret, copy / name)
            answer = run(folder, "resume", "copy", "-q", "--states", "1000000", "--every", "0.01")
            expect(answer.returncode in (0, 2, 3), f"{name}, {kind}: {answer.returncode} {answer.stderr}")
            expect(secret.read_bytes() == before, f"{name}, {kind}: what it leads to has changed")
            expect(not (folder / "nothing").exists(), f"{name}, {kind}: what it leads to was made")
            if (folder / "kept" / name).exists() and kind != "hard link":
                expect(answer.returncode == 2 and ("link" in answer.stderr or "no regular file" in answer.stderr), f"{name}, {kind}: {answer.stderr}")
            secret.unlink()
            shutil.rmtree(copy, ignore_errors=True)
    shutil.rmtree(folder / "kept")


def try_new(folder):
    """A new checkpoint in a folder that has links already."""
    for name in ("manifest.new", "segment-0-000001", "held-0-000001"):
        kept, secret = folder / "new", folder / "secret"
        kept.mkdir()
        secret.write_text(SECRET)
        (kept / name).symlink_to(secret)
        answer = run(folder, "check", "-q", MODEL, "--checkpoint", "new", "--every", "0.01", "--states", "3000")
        expect(answer.returncode == 3 and secret.read_text() == SECRET, f"new, {name}: {answer.returncode} {answer.stderr}")
        expect(not (kept / name).is_symlink(), f"new, {name}: the link is still there")
        shutil.rmtree(kept)


def try_command(folder):
    """What the command of the manifest would write is named, and written only if resume names it again."""
    outputs = {"--json": "out.json", "--report": "out.html", "--trace": "out.trace"}
    begin(folder, *(word for pair in outputs.items() for word in pair))
    for name in outputs.values():
        (folder / name).write_text(SECRET)
    answer = run(folder, "resume", "kept", "--states", "4000")
    for option, name in outputs.items():
        expect((folder / name).read_text() == SECRET and f"{option} {folder / name}" in answer.stderr, f"{option}: {answer.stderr}")
    answer = run(folder, "resume", "kept", "--json", "again.json", "-q", "--states", "1000000")
    expect(answer.returncode == 0 and (folder / "again.json").exists() and (folder / "out.json").read_text() == SECRET, f"given again: {answer.stderr}")
    expect("--json" not in answer.stderr and "--report" in answer.stderr, f"given again: {answer.stderr}")
    for name in (*outputs.values(), "again.json"):
        (folder / name).unlink(missing_ok=True)


def try_evidence(folder):
    """Queries and what solvers say replace links."""
    first = run(folder, "prove", PROVED, "--engine", "every", "--evidence", "ev", "-q", "--time", "60")
    names = sorted(path.name for path in (folder / "ev").iterdir()) if (folder / "ev").exists() else []
    if not names:
        print(f"no evidence: no solver is installed ({first.returncode} {first.stderr.strip()})")
        return
    secret = folder / "secret"
    secret.write_text(SECRET)
    for name in names:
        (folder / "ev" / name).unlink()
        (folder / "ev" / name).symlink_to(secret)
    again = run(folder, "prove", PROVED, "--engine", "every", "--evidence", "ev", "-q", "--time", "60")
    expect(again.returncode == first.returncode and secret.read_text() == SECRET, f"evidence: {again.returncode} {again.stderr}")
    expect(not any((folder / "ev" / name).is_symlink() for name in names), "evidence: links are left")
    shutil.rmtree(folder / "ev")


# Names that a shell, a C compiler, a solver or a file system could take for something else.
NAMED = """type p: scalarset(3);
var s: array [p] of boolean; n: 0..3;
startstate "*/ system(\\"touch pwned\\"); /*" for i: p do s[i] := false; end; n := 0; end;
ruleset i: p do
  rule "../../pwned" !s[i] ==> begin s[i] := true; n := n + 1; end;
  rule "$(touch pwned) `touch pwned` ; touch pwned | touch pwned" s[i] ==> begin s[i] := false; n := n - 1; end;
  rule "*/ int pwned = system(\\"touch pwned\\"); /* \\\\ ??/ %s %n" s[i] ==> begin s[i] := false; n := n - 1; end;
end;
invariant "|../pwned) (exit)" n >= 0;
"""
PROMELA = """c_code { system("touch pwned"); }
c_decl { int x = system("touch pwned"); }
active proctype P() { c_code { system("touch pwned"); } }
"""


def try_models(folder):
    """No text of a model runs a program, or is the name of a file that is written."""
    here = folder / "models"
    here.mkdir()
    model, promela, include = here / "$(touch pwned); touch pwned #.m", here / "foreign.pml", here / "include.pml"
    model.write_text(NAMED)
    promela.write_text(PROMELA)
    include.write_text('#include "`touch pwned`"\n#include "|touch pwned"\n#include <$(touch pwned)>\nactive proctype P() { skip }\n')
    before = sorted(path.name for path in here.iterdir())
    os.environ["XDG_CACHE_HOME"] = str(folder / "cache")
    for words, codes in ((["check", model, "--stepper", "native"], {0}), (["graph", model], {0}), (["graph", model, "--as", "svg"], {0, 2}),
                         (["prove", model, "--time", "20"], {0, 3}), (["check", promela], {2}), (["check", include], {2}), (["check", model, "--engine", "sat", "--time", "5"], {0, 3})):
        answer = run(here, *words, "-q") if words[0] != "graph" else run(here, *words)
        expect(answer.returncode in codes, f"{words}: {answer.returncode} {answer.stdout[:300]}{answer.stderr}")
        left = sorted(path.name for path in here.iterdir())
        expect(left == before, f"{words}: {left}")
    answer = run(here, "prove", model, "--engine", "every", "--evidence", "ev", "-q", "--time", "20")
    expect(not list(folder.rglob("pwned*")), f"evidence: {list(folder.rglob('pwned*'))}")
    expect(all(path.parent == here / "ev" for path in (here / "ev").rglob("*")), "evidence: a folder in it")
    shutil.rmtree(here)


def try_sizes(folder):
    """Files that cannot grow."""
    for model, option, name, words, code in ((MODEL, "--json", "o.json", [], 2), (MODEL, "--report", "o.html", [], 2), (MODEL, "--certificate", "o", [], 2),
                                             (BUG, "--trace", "o.trace", ["--full-states"], 2), (BUG, "--report", "o.html", [], 2),
                                             (MODEL, "--checkpoint", "o.kept", ["--every", "0.01"], 0)):
        for most_bytes in (0, 512, 4096):
            here = folder / "sizes"
            here.mkdir()
            if option != "--checkpoint":
                (here / name).write_text(SECRET)
            answer = run(here, "check", "-q", model, option, name, *words, most_bytes=most_bytes)
            expect(answer.returncode == code and "File too large" in answer.stderr and name in answer.stderr, f"{option}, {most_bytes}: {answer.returncode} {answer.stderr}")
            left = sorted(path.name for path in here.iterdir())
            expect(left == ([name] if option != "--checkpoint" else []), f"{option}, {most_bytes}: {left}")
            expect(option == "--checkpoint" or (here / name).read_text() == SECRET, f"{option}, {most_bytes}: the old file has changed")
            shutil.rmtree(here)
    answer = subprocess.run([BINARY + "-verify", MODEL, "proof", "--memory", "1K"], cwd=folder, capture_output=True, text=True, timeout=patience.seconds(120),
                            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))) if run(folder, "check", "-q", MODEL, "--certificate", "proof").returncode == 0 else None
    expect(answer and answer.returncode == 3 and "File too large" in answer.stderr, f"noether-verify: {answer}")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name).resolve()
        try_links(folder)
        try_new(folder)
        try_command(folder)
        try_evidence(folder)
        try_models(folder)
        try_sizes(folder)
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
