#!/usr/bin/env python3
"""tests/install/run.py FOLDER: what `cmake --install FOLDER` puts where, and that it can be used from there."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(sys.argv[1]).resolve()
PROGRAM = """#include <noether.h>
#include <stdio.h>
int main(int count, char **words)
{
    char *error;
    noether_model *model = noether_load(words[count - 1], NULL, &error);
    noether_result *result = noether_check(model, NULL);
    printf("%s %s\\n", noether_version(), noether_verdict_name(noether_verdict_of(result)));
    noether_free_result(result);
    noether_free_model(model);
    return 0;
}
"""
checked, problems = 0, []


def expect(condition, what):
    global checked
    checked += 1
    if not condition:
        problems.append(what)


def output(*words, **more):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, **more)


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    done = output("cmake", "--install", BUILD, "--prefix", folder / "usr")
    expect(done.returncode == 0, done.stderr)
    there = {str(path.relative_to(folder / "usr")) for path in folder.rglob("*") if path.is_file()}
    have = lambda pattern: any(re.fullmatch(pattern, path) for path in there)
    for pattern in ("bin/noether", "bin/noether-verify", r"lib(/[\w-]+)?/libnoether\.so\.0\.2\.\d+", r"lib(/[\w-]+)?/pkgconfig/noether\.pc", "include/noether.h",
                    "share/man/man1/noether.1", "share/man/man1/noether-verify.1", "share/bash-completion/completions/noether",
                    "share/zsh/vendor-completions/_noether", "share/doc/noether/README.md", "share/doc/noether/docs/tutorial.md",
                    "share/doc/noether/docs/languages/murphi.md", "share/doc/noether/examples/german.m", "share/noether/editors/vim/.*"):
        expect(have(pattern), f"{pattern} is not installed")
    pages = [path for path in (folder / "usr/share/doc/noether").rglob("*.md")]
    dead = {f"{page.name}: {link}" for page in pages
            for link in re.findall(r"\]\((?![a-z]+:|#)([^)\s#]+)", re.sub(r"`[^`\n]*`", "", re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S)))
            if not (page.parent / link).exists()}
    expect(len(pages) > 20 and not dead, f"pages that are installed lead nowhere: {sorted(dead)}")
    library = next((path for path in folder.rglob("libnoether.so.0.2") if path.is_symlink()), None)
    expect(library is not None, "there is no libnoether.so.0.2")
    if library and shutil.which("nm"):
        names = [line.split()[-1] for line in output("nm", "-D", "--defined-only", library).stdout.splitlines()]
        functions = [name for name in names if name.startswith("noether_")]
        declared = set(re.findall(r"NOETHER_API [^;(]*?(noether_\w+)\(", (ROOT / "include/noether.h").read_text()))
        expect({name.split("@")[0] for name in functions} == declared, f"exported: {set(functions) ^ declared}")
        expect(all(name.endswith("@@NOETHER_0.2") for name in functions), "symbols without a version")
        others = {name for name in names if name not in functions and not name.startswith("NOETHER_")}
        expect(others == {"alloc_error"}, f"others are seen: {others}")  # nauty's would end the process
        listed = set(re.findall(r"^ (noether_\w+)@", (ROOT / "debian/libnoether0.2.symbols").read_text(), re.M))
        expect(listed == declared, f"debian/libnoether0.2.symbols: {listed ^ declared}")
    if library and shutil.which("pkg-config"):
        (folder / "use.c").write_text(PROGRAM)
        environment = os.environ | {"PKG_CONFIG_PATH": str(library.parent / "pkgconfig"), "LD_LIBRARY_PATH": str(library.parent)}
        flags = output("pkg-config", "--define-variable=prefix=" + str(folder / "usr"), "--cflags", "--libs", "noether", env=environment).stdout.split()
        flags = [f"-I{folder}/usr/include", f"-L{library.parent}", *flags]
        done = output("cc", folder / "use.c", "-o", folder / "use", *flags)
        expect(done.returncode == 0, done.stderr)
        if done.returncode == 0:
            expect(output(folder / "use", ROOT / "examples/german.m", env=environment).stdout == "0.2.0 holds\n", "the program does not run")
    # Without a compiler the rules are interpreted, and -v says so.
    done = output(folder / "usr/bin/noether", "check", "-v", ROOT / "examples/german.m", "-D", "NODE_NUM=2", env={"PATH": "/nowhere", "HOME": name})
    expect(done.returncode == 0 and "compiler" in done.stdout, "without a compiler: " + done.stdout + done.stderr)

for problem in problems:
    print(problem)
print(f"{checked - len(problems)} passed, {len(problems)} failed")
sys.exit(1 if problems else 0)
