#!/usr/bin/env python3
"""tests/format/run.py BINARY [FOLDER...]: noether format over all models and properties of examples/ and tests/, or of other folders.

The files are copied and written. Then: the tokens and comments are the same as before, in the same order, by a tokenizer that shares
nothing with the program; a second time nothing changes; a file that is refused has not changed by a byte; and none is refused because
the layout would change it."""
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = sys.argv[1]
FOLDERS = [pathlib.Path(folder) for folder in sys.argv[2:]] or [ROOT / "examples", ROOT / "tests"]
MURPHI, PRISM, PROMELA = {".m"}, {".prism", ".pm", ".nm", ".sm", ".props", ".pctl", ".csl"}, {".pml", ".prom", ".promela"}
OPERATORS = {
    "murphi": ["==>", ":=", "..", "->", "=>", "<=", ">=", "!=", "==", "<<", ">>", "&&", "||"],
    "prism": ["<=>", "=>", "->", "..", "<=", ">=", "!=", "<-"],
    "promela": ["??[", "::", "->", "..", "++", "--", "!!", "??", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "##"],
}
COMMENT = {"murphi": rb"--[^\n]*|/\*.*?\*/", "prism": rb"//[^\n]*", "promela": rb"//[^\n]*|/\*.*?\*/"}

passed = failed = 0


def expect(what, good, found=""):
    global passed, failed
    passed, failed = passed + bool(good), failed + (not good)
    if not good:
        print(f"{what}: {found}")


def language(path):
    if path.suffix in MURPHI or (path.suffix == ".props" and path.with_suffix(".m").exists()):
        return "murphi"
    return "promela" if path.suffix in PROMELA or (path.suffix == ".props" and path.with_suffix(".pml").exists()) else "prism"


def pieces(text, name):
    """Tokens and comments; blanks at the ends of the lines of a comment do not count."""
    operators = "|".join(re.escape(one) for one in OPERATORS[name]).encode()
    pattern = re.compile(COMMENT[name] + rb'|"(?:\\.|[^"\\\n])*"|[A-Za-z_]\w*|[0-9]+(?:\.[0-9]+)?|' + operators + rb"|[^\s]", re.S)
    return [b"\n".join(line.rstrip() for line in found.split(b"\n")) for found in pattern.findall(text)]


def first_difference(before, after):
    for number, (a, b) in enumerate(zip(before, after)):
        if a != b:
            return f"piece {number}: {a!r} became {b!r}"
    return f"{len(before)} pieces became {len(after)}"


def run(*words):
    return subprocess.run([BINARY, "format", *map(str, words)], capture_output=True, text=True, errors="replace")


def everything(folder):
    copies = {}
    for source in FOLDERS:
        for path in sorted(source.rglob("*")):
            if path.suffix not in MURPHI | PRISM | PROMELA or not path.is_file():
                continue
            copy = folder / source.name / path.relative_to(source)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_bytes())
            copies[copy] = path
    return copies


def whole_folders():
    with tempfile.TemporaryDirectory() as place:
        copies = everything(pathlib.Path(place))
        said = ""
        names = sorted(copies)
        for start in range(0, len(names), 500):
            said += run("--write", *names[start:start + 500]).stderr
        expect("no layout would change a text", "internal error" not in said, [line for line in said.splitlines() if "internal" in line][:5])
        refused = {pathlib.Path(re.sub(r":\d+:\d+$", "", line.split(": error")[0].split(": there is")[0].removeprefix("noether: ")))
                   for line in said.splitlines() if ": error" in line or ": there is no" in line or "this is not a text" in line}
        laid_out = []
        for copy, path in copies.items():
            before, after = path.read_bytes(), copy.read_bytes()
            if copy in refused:
                expect(f"{path}: refused, so unchanged", before == after)
                continue
            laid_out.append(copy)
            if before == after:
                continue
            old, new = pieces(before, language(path)), pieces(after, language(path))
            expect(f"{path}: the same tokens and comments", old == new, first_difference(old, new))
        for start in range(0, len(laid_out), 500):
            again = run("--check", *laid_out[start:start + 500])
            expect("a second time nothing changes", again.returncode == 0, (again.stdout + again.stderr)[:500])
        print(f"{len(laid_out)} laid out, {len(refused)} refused")
        expect("most can be laid out", len(laid_out) > len(refused), (len(laid_out), len(refused)))


def command_line():
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        good, bad, neat = folder / "good.m", folder / "bad.m", folder / "neat.m"
        good.write_text("var x:0..1;\nstartstate x:=0 end;\n")
        bad.write_text("var x:0..1;\nstartstate x:=0 \n")
        neat.write_text("var x: 0..1;\nstartstate x := 0 end;\n")
        done = run(good)
        expect("to standard output", done.stdout == neat.read_text() and done.returncode == 0, done)
        done = run("--check", good, neat)
        expect("--check names what would change", done.stdout == f"{good}\n" and done.returncode == 1, done)
        expect("--check writes nothing", good.read_text().startswith("var x:0"))
        expect("--check of what is laid out", run("--check", neat).returncode == 0)
        done = run("--write", bad)
        expect("an error is reported", done.returncode == 2 and "bad.m:" in done.stderr, done)
        expect("and the file is as it was", bad.read_text() == "var x:0..1;\nstartstate x:=0 \n")
        stamp = neat.stat().st_mtime_ns
        done = run("--write", good, neat)
        expect("--write", done.returncode == 0 and good.read_text() == neat.read_text() and not done.stdout, done)
        expect("a file that does not change is not written", neat.stat().st_mtime_ns == stamp)
        expect("--write and --check", run("--write", "--check", good).returncode == 2)
        program = folder / "p.bp"
        program.write_text("void main() begin skip; end\n")
        done = run(program)
        expect("a language without a layout is refused", done.returncode == 2 and "no layout" in done.stderr, done)
        for name, text in (("crlf.m", b"var x:0..1;\r\nstartstate /* a\r\n b */ x:=0 end;\r\n"), ("mark.m", b"\xef\xbb\xbfvar x:0..1;\nstartstate x:=0 end;\n"),
                           ("empty.prism", b"dtmc module m endmodule"), ("comment.m", b"var x: 0..1; startstate x := 0 end; -- no line end")):
            (folder / name).write_bytes(text)
            done = run("--write", folder / name)
            after = (folder / name).read_bytes()
            expect(f"{name}: laid out", done.returncode == 0 and after.endswith(b"\n"), done)
            expect(f"{name}: ends of lines and mark are kept", (b"\r\n" in text) == (b"\r\n" in after) and (b"\xef\xbb" in text) == (b"\xef\xbb" in after), after)
            expect(f"{name}: once", run("--check", folder / name).returncode == 0)


command_line()
whole_folders()
print(f"{passed} passed, {failed} failed")
sys.exit(1 if failed else 0)
