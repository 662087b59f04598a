"""What fuzzing starts from: our own models, the examples, bad inputs, random models; and the words of the languages."""
import json
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "tests/boolean"), str(ROOT / "tests")]
import generate
import patience

HERE = ROOT / "tests/fuzz"
MOST_BYTES = 16 << 10
FEW_BYTES = 1 << 10  # of a model that is checked whole, twice
SLOW = ["herman9.prism", "hub.prism", "idle-coins.prism", "idle-dice.prism", "arr1m.m", "arr1mb.m", "functions-in-functions.m"]  # seconds with sanitizers
SUBJECTS = [("desk.m", None), ("choice.prism", "choice.props"), ("queue.prism", "queue.props"), ("coin.prism", "coin.props")]  # as in subjects.h
COMMANDS = ["check", "symmetry", "replay", "reduce", "graph", "simulate", "explain", "help"]


def files(pattern, *folders):
    """What small files below folders hold."""
    for folder in folders:
        for path in sorted((ROOT / folder).rglob(pattern)):
            if path.stat().st_size <= MOST_BYTES and path.name not in SLOW:
                yield path.read_bytes()


def murphi(folder):
    yield from files("*.m", "tests/models", "tests/ltl", "tests/errors", "tests/findings", "tests/fuzz/subjects", "examples")
    random = folder / "random"
    random.mkdir(parents=True, exist_ok=True)
    for profile in ("plain", "symbolic"):
        subprocess.run(["python3", "tests/differential/generate.py", profile, "1", "60", str(random)], cwd=ROOT, check=True)
        for path in sorted(random.glob("*.m")):
            yield path.read_bytes()
    model = (ROOT / "examples/survey-semaphore.m").read_bytes()
    yield model + b"\f" + b"\n".join(re.findall(rb"^ctl.*;$", model, re.M))


def prism():
    """Model, properties."""
    for folder in ("tests/prism", "tests/findings", "tests/fuzz", "examples"):
        for path in sorted((ROOT / folder).rglob("*.prism")):
            properties = path.with_suffix(".props")
            if path.stat().st_size <= MOST_BYTES and path.name not in SLOW:
                yield path.read_bytes(), properties.read_bytes() if properties.exists() else b""


def boolean():
    """Bytes that say whether a program or edges follow, then those, then properties."""
    for kind, extension in (b"0", "bp"), (b"1", "tts"):
        for path in sorted((ROOT / "tests/models/boolean").glob(f"*.{extension}")):
            own = path.with_suffix(".prop")
            yield kind + path.read_bytes() + (b"\f" + own.read_bytes() if own.exists() else b"")
    for kind, name in (b"0", "boolean.txt"), (b"1", "tts.txt"):
        for case in re.split(r"^=== .*\n", (ROOT / "tests/errors" / name).read_text(), flags=re.M)[1:]:
            text = "".join(line + "\n" for line in case.split("\n") if not line.startswith("> "))
            yield kind + text.replace("--- props\n", "\f").encode()
    for seed in range(1, 61):
        yield b"0" + generate.text_of(generate.make(seed)[0], seed).encode()


def promela():
    """The models inside the unit test of the reader, good and bad, and the macros of the command line."""
    text = (ROOT / "tests/unit/promela_read_test.c").read_text()
    for literals in re.findall(r'"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*', text):
        parts = "".join(re.findall(r'"((?:[^"\\\n]|\\.)*)"', literals))
        model = parts.encode().decode("unicode_escape").encode("latin-1")
        if any(word in model for word in (b"proctype", b"init", b"#", b"ltl")):
            yield model
            yield model + b"\f3"
    yield from files("*.pml", "tests/models", "tests/promela", "tests/findings", "examples")


def properties():
    """Number of the subject, text."""
    texts = list(files("*.props", "tests", "examples"))
    for number, (_, own) in enumerate(SUBJECTS):
        for text in [(HERE / "subjects" / own).read_bytes()] if own else []:
            yield number, text
        for text in texts if own else []:
            for line in text.splitlines():
                yield number, line
    for model in files("*.m", "tests/models", "tests/ltl", "tests/findings", "tests/fuzz/subjects", "examples"):
        for text in re.findall(rb"^(?:ctl|ltl|fair|fairness|invariant|liveness|cover)[^;]*;", model, re.M):
            yield 0, text


def generators():
    """Number of the subject, permutations."""
    for number, lines in enumerate(["guest: (guest_1 guest_2)", "a and its copies: (a c)", "0..1: (0 1)", "# none"]):
        yield number, lines.encode()
        yield number, f"generators:\n  {lines}\n\nrules\n".encode()
        name, cycles = lines.split(":") if ":" in lines else ("", "")
        yield number, json.dumps({"factors": [{"type": name, "degree": 2, "generators": [cycles.strip()]}]}).encode()
    for text in ("P {1, 2} and Q: (P 1 P 2)(Q 1 Q 2)", "P: (1 2)(1", "P: ()"):
        yield 0, text.encode()


def traces(folder, noether, environment):
    """Number of the subject, trace file: a run for each property that has one, as `noether check --trace` writes the first."""
    out = folder / "answer.json"
    for number, (model, own) in enumerate(SUBJECTS):
        operands = [str(HERE / "subjects" / name) for name in (model, own) if name]
        for more in ([], ["--symmetry", "off"], ["--deadlock", "stuck"], ["--search", "dfs"]):
            out.unlink(missing_ok=True)
            subprocess.run([str(noether), "check", *operands, *more, "--keep-going", "--witness", "--stepper", "vm", "--json", str(out)],
                           cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=patience.seconds(60), env=environment)
            answer = json.loads(out.read_text()) if out.exists() else {"results": []}
            for result in answer["results"]:
                if result.get("trace"):
                    yield number, json.dumps({key: answer[key] for key in ("version", "model", "defines", "options")}
                                             | {"result": result}).encode()


def certificates(folder, noether, environment):
    """Of a model that is like the first subject, and holds: without the end of the file, which the target makes."""
    model, out = folder / "desk.m", folder / "desk.certificate"
    kept = [line for line in (HERE / "subjects/desk.m").read_text().splitlines()
            if not re.match(r'(invariant|cover|liveness|ctl) |rule "too far"', line)]
    model.write_text("\n".join(kept) + "\n")
    for more in ([], ["--symmetry", "off"], ["--deadlock", "off"]):
        out.unlink(missing_ok=True)
        subprocess.run([str(noether), "check", "-q", str(model), *more, "--certificate", str(out)], cwd=ROOT,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=patience.seconds(60), env=environment)
        data = out.read_bytes()[:-16] if out.exists() else b""
        yield data
        yield data[:data.find(b"\n") + 1 + 8 * 40]


def option_words():
    """The names of options and the values of choices, from the table."""
    table = (ROOT / "src/driver/option_table.h").read_text()
    rows = re.findall(r'(?:OPTION|SETTING)\(\w+,\s*(\S+),\s*"([^"]+)",\s*(KIND_\w+),\s*(?:"([^"]*)"|NULL)', table)
    for letter, name, kind, argument in rows:
        yield f"--{name}", kind, argument
        if letter.startswith("'"):
            yield f"-{letter[1]}", kind, argument


VALUES = {"KIND_SIZE": "1.5G", "KIND_TIME": "2h", "KIND_COUNT": "7", "KIND_SHARE": "1e-6", "KIND_TEXT": "x.json", "KIND_DEFINE": "N=4,K=2"}


def options():
    for command in COMMANDS:
        yield f"{command}\nmodel.m"
        yield f"{command}\nmodel.prism\nmodel.props\ntrace.json"
    for name, kind, argument in option_words():
        for value in argument.split("|") if kind == "KIND_CHOICE" else [VALUES.get(kind)]:
            for command in COMMANDS[:-1]:
                yield "\n".join([command, "model.m", name, *([value] if value else [])])
                yield "\n".join([command, name + (f"={value}" if value else ""), "--", "model.m"])


def put(folder, number, contents):
    (folder / f"{number:05}").write_bytes(contents)


def checkpoints(folder, noether, environment):
    """Manifest, NUL, segment: as checkpoint_fuzz reads them. The first byte is the number of words of a state, less one."""
    place = folder / "checkpoints"
    for number, (model, states) in enumerate((("tests/models/violated-invariant.m", 20), ("examples/peterson.m", 300))):
        shutil.rmtree(place, ignore_errors=True)
        subprocess.run([noether, "check", str(ROOT / model), "--engine", "explicit", "--checkpoint", str(place), "--states",
                        str(states), "-q"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False, env=environment)
        manifest, segment = ((place / name).read_bytes() for name in ("manifest", "segment-0-000001"))
        body = manifest.split(b"\n", 1)[1]
        for words in range(2):
            yield bytes([words]) + manifest + b"\0" + segment
            yield bytes([words]) + body + b"\0" + segment[:2000 * (number + 1)]
    shutil.rmtree(place, ignore_errors=True)


def write_words(folder):
    folder.mkdir(parents=True, exist_ok=True)
    murphi_words, prism_words, boolean_words, promela_words = (
        (HERE / f"{name}.dict").read_text() for name in ("murphi", "prism", "boolean", "promela"))
    keys = sorted(set(re.findall(r'json_get\([^;]*?"(\w+)"\)', "".join(
        (ROOT / path).read_text() for path in ("src/report/trace_read.c", "src/cli/recording.c")))))
    parts = sorted(set(re.findall(r'json_set\(\w+, "(\w+)"', "".join(
        (ROOT / path).read_text() for path in ("src/engine/explicit/keep_search.c", "src/store/segment.c", "src/driver/keeping.c")))))
    words = {"murphi": murphi_words, "prism": prism_words, "boolean": boolean_words, "promela": promela_words,
             "both": murphi_words + prism_words,
             "trace": "".join(f'"\\"{key}\\":"\n' for key in keys) + '"null"\n"true"\n"-1"\n"4294967296"\n',
             "certificate": "".join(f'"\\"{key}\\":"\n' for key in sorted(set(re.findall(
                 r'(?:json_get|read_text|read_hash)\([^;]*?"(\w+)"\)', (ROOT / "src/verify/certificate.c").read_text())))),
             "checkpoint": "".join(f'"\\"{key}\\":"\n' for key in parts) + '"noether checkpoint 2 "\n"segment-0-000001"\n',
             "options": "".join(f'"{word}"\n' for word in sorted({name for name, _, _ in option_words()} | set(COMMANDS)))}
    for name, text in words.items():
        (folder / f"{name}.dict").write_text(text)


def write(folder, noether, environment):
    """Seeds and words of every target, below the folder."""
    write_words(folder / "words")
    models, chains = list(murphi(folder)), list(prism())
    made = {
        "murphi_fuzz": models,
        "pipeline_fuzz": models,
        "prism_fuzz": [model + (b"\n//PROPERTIES\n" + asked if asked else b"") for model, asked in chains],
        "boolean_fuzz": list(boolean()),
        "promela_fuzz": list(promela()),
        # Every model in some way: bytes that say the language and the way.
        "check_fuzz": [bytes([number * 2 % 256, number * 7 % 256]) + text for number, text in enumerate(models) if len(text) <= FEW_BYTES]
        + [bytes([(number * 2 + 1) % 256, number * 5 % 256]) + model + (b"\f" + asked if asked else b"")
           for number, (model, asked) in enumerate(chains) if len(model) <= FEW_BYTES],
        "properties_fuzz": [bytes([subject + 4 * (number % 64), number * 11 % 256]) + text
                            for number, (subject, text) in enumerate(properties())],
        "generators_fuzz": [bytes([subject]) + text for subject, text in generators()],
        "trace_fuzz": [bytes([subject]) + text for subject, text in traces(folder, noether, environment)],
        "certificate_fuzz": list(certificates(folder, noether, environment)),
        "options_fuzz": [text.encode() for text in options()],
        "checkpoint_fuzz": list(checkpoints(folder, noether, environment)),
    }
    for target, contents in made.items():
        place = folder / "seeds" / target
        place.mkdir(parents=True, exist_ok=True)
        for old in place.iterdir():
            old.unlink()
        for number, text in enumerate(dict.fromkeys(contents)):
            put(place, number, text)
