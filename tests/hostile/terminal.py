#!/usr/bin/env python3
"""tests/hostile/terminal.py BINARY: nothing that a model, a file name, an option or a trace says is obeyed by a terminal.

Every command is run on models full of control characters, on a terminal and not: only our own colours may come out, letters of other
languages stay, and JSON, SARIF and HTML can still be read."""
import json
import os
import pathlib
import pty
import re
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import patience

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = str(pathlib.Path(sys.argv[1]).resolve())
# Bytes: a title, a colour, clear the screen, a bell, DEL, CSI as one character in UTF-8 and as one byte, right to left, no UTF-8.
EVIL = b"\x1b]0;owned\x07\x1b[31mred\x1b[0m\x1b[2J\x08\x7f\xc2\x9b5m\x9b6m\xe2\x80\xae\xff\xc3(\r"
LETTERS = "Größe 大小 λ → ∀".encode()
COLOURS = re.compile(rb"\x1b\[(32|1;31|33|1|2|0)m")
BAD = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]")


def murphi(name):
    return b"""const N: 2; type S: scalarset(N); E: enum {a, b};
var x: 0..3; e: E; s: array [S] of boolean;
startstate "go %(n)s" begin x := 0; e := a; for i: S do s[i] := false; end; end;
ruleset i: S do rule "up %(n)s" x < 3 ==> begin x := x + 1; s[i] := true; put "%(n)s"; assert "as %(n)s" x < 9; end; end;
rule "b %(n)s" x = 1 ==> begin e := b; end;
invariant "in %(n)s" x < 3;
cover "co %(n)s" x = 2;
liveness "li %(n)s" x = 3;
""" % {b"n": name}


def prism(name):
    return b"""dtmc
module m s: [0..3] init 0; [] s<3 -> 0.5:(s'=s+1) + 0.5:(s'=0); [] s=3 -> true; endmodule
label "%(n)s" = s=3;
rewards "r%(n)s" s=1: 1; endrewards
""" % {b"n": name}


def expect(condition, what):
    if not condition:
        raise AssertionError(what)


def check_text(output, words, is_terminal=False):
    plain = COLOURS.sub(b"", output).replace(b"\r\n", b"\n") if is_terminal else output
    found = BAD.search(plain)
    expect(not found, f"{words}: {found and plain[max(0, found.start() - 40):found.end() + 20]!r}")
    try:
        plain.decode()
    except UnicodeDecodeError as problem:
        raise AssertionError(f"{words}: no UTF-8: {problem}") from problem


def run(words, text=None, codes=(0, 1, 2, 3)):
    done = subprocess.run([BINARY, *words], cwd=ROOT, capture_output=True, input=text, timeout=patience.seconds(60))
    expect(done.returncode in codes, f"{words}: exit status {done.returncode}\n{done.stderr}")
    return done.stdout, done.stderr


def run_on_terminal(words):
    main, other = pty.openpty()
    child = subprocess.Popen([BINARY, *words], cwd=ROOT, stdin=subprocess.DEVNULL, stdout=other, stderr=other,
                             env={**os.environ, "TERM": "xterm"})
    os.close(other)
    output = b""
    while True:
        try:
            part = os.read(main, 65536)
        except OSError:
            break
        if not part:
            break
        output += part
    child.wait(timeout=patience.seconds(60))
    os.close(main)
    return output


def commands(path, trace):
    return [["check", path], ["check", path, "-v", "--keep-going"], ["check", path, "--full-states", "--profile"],
            ["check", path, "--engine", "symbolic", "-v"], ["check", path, "--engine", "counter"],
            ["check", path, "--engine", "adaptive"], ["check", path, "--engine", "complete", "-v"],
            ["check", path, "--dump=ir"], ["check", path, "--dump=c"], ["symmetry", path], ["symmetry", path, "-v"],
            ["graph", path], ["graph", path, "--as", "json"], ["reduce", path], ["simulate", path, "--random", "5"],
            ["explain", path, trace], ["replay", path, trace], ["replay", path, trace, "-v"], ["check", path, "--json", "-"],
            ["check", path, "--format", "sarif"]]


def models_with_control_characters(folder):
    evil = folder / "evil.m"
    evil.write_bytes(murphi(EVIL))
    trace = str(folder / "trace.json")
    run(["check", str(evil), "--trace", trace], codes=(1,))
    for words in commands(str(evil), trace):
        output, errors = run(words)
        check_text(output, words)
        check_text(errors, words)
    for words in (["check", str(evil), "-v"], ["check", str(evil), "--keep-going"], ["symmetry", str(evil)],
                  ["replay", str(evil), trace, "-v"], ["explain", str(evil), trace], ["graph", str(evil)]):
        check_text(run_on_terminal(words), words, is_terminal=True)
    output, errors = run(["simulate", str(evil)], b"1\n2\nstate\nlist\nwhy\nuntil " + EVIL + b"\n" + EVIL + b"\n")
    check_text(output, "simulate")
    check_text(errors, "simulate")
    shown = run(["check", str(evil), "-v"])[0]
    expect(rb"up \x1b]0;owned\x07\x1b[31mred" in shown, f"not escaped: {shown!r}")
    for words in (["--json", "-"], ["--format", "sarif"]):
        json.loads(run(["check", str(evil), *words])[0].decode())


def chains_with_control_characters(folder):
    evil = folder / "evil.prism"
    evil.write_bytes(prism(EVIL))
    for asked in (b'P=? [ F "%s" ]', b"P=? [ F s=3 ] %s", b'R{"r%s"}=? [ F s=3 ]', b'"%s": P=? [ F<=3 s=2 ]',
                  b"P=? [ F s=2 ]  // %s"):
        asked = asked % EVIL.replace(b"\r", b"") if b"%s" in asked else asked
        properties = folder / "evil.props"
        properties.write_bytes(asked + b" // RESULT: " + EVIL)
        for words in (["check", str(evil), "--property", asked], ["check", str(evil), str(properties)], ["reduce", str(evil)],
                      ["check", str(evil), "--property", asked, "--engine", "symbolic"],
                      ["check", str(evil), str(properties), "--results"],
                      ["check", str(evil), "--property", asked, "--json", "-"]):
            output, errors = run(words)
            check_text(output, words)
            check_text(errors, words)


def wrong_models(folder):
    """Diagnostics show the line."""
    for number, text in enumerate((EVIL, b"rule \"a\" " + EVIL, b"const a" + EVIL + b": 3", b"-- " + EVIL + b" \n x",
                                   b'rule "' + EVIL, b"dtmc\nmodule " + EVIL)):
        path = folder / f"wrong{number}.m"
        path.write_bytes(text)
        for language in ([], ["--language", "prism"]):
            output, errors = run(["check", str(path), *language], codes=(2,))
            check_text(output + errors, path)
            check_text(run_on_terminal(["check", str(path), *language]), path, is_terminal=True)
    path = folder / "caret.m"
    path.write_bytes("-- λ大\x1b\n\"λ大\x1b\xff\" var".encode("utf-8").replace(b"\xc3\xbf", b"\xff"))
    lines = run(["check", str(path)], codes=(2,))[1].decode().splitlines()
    place = [i for i, line in enumerate(lines) if line.startswith("    2 | ")]
    expect(place and lines[place[0]] == '    2 | "λ大??" var', lines)


def file_names_and_options(folder):
    name = folder / os.fsdecode(EVIL.replace(b"/", b"") + b".m")
    name.write_bytes(murphi(b"plain"))
    trace = str(name) + ".json"
    for words in (["check", str(name)], ["check", str(name), "-v"], ["check", str(name), "--trace", trace], ["graph", str(name)],
                  ["explain", str(name), trace], ["replay", str(name), trace], ["reduce", str(name)],
                  ["check", str(name) + "x"], ["check", str(name), "--json", str(name) + "/x"], [os.fsdecode(EVIL)],
                  ["check", "--" + os.fsdecode(EVIL)], ["check", str(name), "-D", "N=" + os.fsdecode(EVIL)],
                  ["check", str(name), "-D", os.fsdecode(EVIL) + "=1"], ["check", str(name), "--time", os.fsdecode(EVIL)],
                  ["check", str(name), "--engine", os.fsdecode(EVIL)], ["help", os.fsdecode(EVIL)],
                  ["check", str(name), "--property", os.fsdecode(EVIL)], ["check", str(name), "--json", "-"],
                  ["check", str(name), "--format", "sarif"], ["graph", str(name), "--around", os.fsdecode(EVIL)],
                  ["check", str(name), "--language", os.fsdecode(EVIL)], ["explain", str(name), os.fsdecode(EVIL)]):
        output, errors = run(words)
        check_text(output, words)
        check_text(errors, words)
        check_text(run_on_terminal(words), words, is_terminal=True)
    page = folder / "page.html"
    run(["check", str(name), "--report", str(page)])
    check_text(page.read_bytes(), "page")


def traces(folder):
    """A trace file is from anybody, too."""
    model = folder / "model.m"
    model.write_bytes(murphi(b"plain"))
    path = folder / "trace.json"
    run(["check", str(model), "--trace", str(path)], codes=(1,))
    good = json.loads(path.read_text())
    evil = EVIL.decode("latin-1")

    def spoil(value, at):
        """The same, with the string number `at[0]` spoiled."""
        if isinstance(value, str):
            at[0] -= 1
            return value + evil if at[0] == -1 else value
        if isinstance(value, list):
            return [spoil(item, at) for item in value]
        if isinstance(value, dict):
            return {spoil(key, at): spoil(item, at) for key, item in value.items()}
        return value

    for number in range(200):
        left = [number]
        spoiled = spoil(good, left)
        if left[0] >= 0:
            break
        path.write_text(json.dumps(spoiled))
        for command in ("replay", "explain"):
            output, errors = run([command, str(model), str(path)])
            check_text(output + errors, f"{command}: string {number}")
        words = ["replay", str(model), str(path), "-v"]
        check_text(run_on_terminal(words), f"{words}: string {number}", is_terminal=True)
    path.write_bytes(b'{"version": ' + EVIL)
    check_text(b"".join(run(["replay", str(model), str(path)])), "no JSON")


def letters_stay(folder):
    model = folder / os.fsdecode(LETTERS.replace(b" ", b"-") + b".m")
    model.write_bytes(murphi(LETTERS))
    output, _ = run(["check", str(model), "-v"], codes=(1,))
    for part in (b'invariant "in ' + LETTERS + b'"', b"up " + LETTERS, os.fsencode(model.name) + b": violated"):
        expect(part in output, f"{part!r} is not in {output!r}")
    answer = json.loads(run(["check", str(model), "--json", "-"])[0].decode())
    expect(any(row["name"] == "in " + LETTERS.decode() for row in answer["results"]), answer["results"])
    expect(LETTERS in run(["graph", str(model)])[0], "graph")


TESTS = [models_with_control_characters, chains_with_control_characters, wrong_models, file_names_and_options, traces, letters_stay]


def main():
    failed = 0
    for test in TESTS:
        with tempfile.TemporaryDirectory() as folder:
            try:
                test(pathlib.Path(folder))
            except (AssertionError, OSError, ValueError, subprocess.SubprocessError) as problem:
                failed += 1
                print(f"FAIL {test.__name__}: {problem!r}")
    print(f"{len(TESTS) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
