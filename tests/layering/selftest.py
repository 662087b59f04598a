#!/usr/bin/env python3
"""The layering test must see each kind of breach: small trees with one breach each, and one without."""
import pathlib
import subprocess
import sys
import tempfile

RUN = pathlib.Path(__file__).with_name("run.py")
TREES = [
    ("clean", {"base/a.h": "", "ir/b.c": '#include "base/a.h"\n#include <stdio.h>\n'}, None),
    ("upwards", {"ir/b.h": "", "base/a.c": '#include "ir/b.h"\n'}, "base may not include ir/b.h"),
    ("other language", {"lang/x/x.h": "", "lang/y/y.c": '#include "lang/x/x.h"\n'}, "may not include"),
    ("other engine", {"engine/x/x.h": "", "engine/y/y.c": '#include "engine/x/x.h"\n'}, "may not include"),
    ("engine and language", {"lang/x/x.h": "", "engine/y/y.c": '#include "lang/x/x.h"\n'}, "may not include"),
    ("third party twice", {"base/a.c": "#include <gmp.h>\n", "base/b.c": "#include <gmp.h>\n"}, "exactly one"),
    ("third party in a header", {"base/a.h": "#include <gmp.h>\n"}, "exactly one"),
    ("rounding mode set in two places", {"base/a.c": "#include <fenv.h>\n", "base/b.c": "#include <fenv.h>\n"}, "exactly one"),
    ("header cycle", {"base/a.h": '#include "base/b.h"\n', "base/b.h": '#include "base/a.h"\n'}, "each other"),
    ("short path", {"base/a.h": "", "base/b.c": '#include "a.h"\n'}, "not a path from src/"),
    ("unknown folder", {"cellar/a.c": ""}, "has no row"),
]

failed = 0
for name, files, expected in TREES:
    with tempfile.TemporaryDirectory() as folder:
        for path, content in files.items():
            target = pathlib.Path(folder) / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(content)
        done = subprocess.run([sys.executable, RUN, folder], capture_output=True, text=True)
        good = done.returncode == (1 if expected else 0) and (expected or "") in done.stdout
        if not good:
            failed += 1
            print(f"{name}: expected {expected!r}, got\n{done.stdout}{done.stderr}")
print(f"{len(TREES) - failed} passed, {failed} failed")
sys.exit(1 if failed else 0)
