#!/usr/bin/env python3
"""tests/generators/run.py BINARY: the group that a user gives (--generators FILE) is proved and used.

What `noether symmetry --generators` prints, and its JSON, are read back: the same group, and as many states are stored.
Random permutations of random models (tests/detection/generate.py): a permutation that is accepted takes the unreduced
states, start states and steps to themselves, one that does not is refused, and as many states are stored as the accepted
ones have orbits, counted here on the unreduced graph. The messages of refused files are those of REFUSED."""
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "tests"), str(ROOT / "tests/detection")]
import patience

import generate

AGAIN = ["tests/detection/models/email.m", "tests/detection/models/hypercube.m", "tests/detection/models/tree.m",
         "tests/detection/models/torus.m", "tests/detection/models/readers-writers.m", "tests/detection/models/property-names-one.m",
         "examples/readers-writers.m", "examples/german.m", "examples/philosophers.pml", "examples/client-server.pml",
         "tests/models/promela/places.pml", "examples/mutex.prism", "examples/polling.prism", "examples/herman.prism",
         "tests/models/boolean/bell.bp"]
RANDOM_MODELS, PERMUTATIONS = 50, 3
LEAST_KEPT, LEAST_REFUSED = 12, 25

RING = """type P: 0..3;
var x: array [P] of boolean;
startstate for p: P do x[p] := false; end; end;
ruleset p: P do rule "pass" !x[p] & !x[(p + 1) % 4] ==> x[p] := true; end; end;
invariant "calm" true;
"""
NAMED = """type P: 1..5;
var x: array [P] of boolean;
startstate for p: P do x[p] := false; end; end;
ruleset p: P do rule "take" !x[p] ==> x[p] := true; end; end;
invariant "two" !(x[2] & !x[2]) | x[1];
"""
TYPES = """type P: 1..2; Q: 1..2;
var x: array [P] of boolean; y: array [Q] of boolean; c: 0..2;
startstate for p: P do x[p] := false; end; for q: Q do y[q] := false; end; c := 0; end;
ruleset p: P do ruleset q: Q do rule "both" !x[p] & !y[q] ==> x[p] := true; y[q] := true; end; end; end;
"""
STARTS = """type P: 1..3;
var x: array [P] of boolean; least: P;
startstate "one" for p: P do x[p] := p = 1; end; least := 1; end;
ruleset p: P do rule "flip" x[p] := !x[p]; least := p; end; end;
"""

# Model, file of generators, what is said: the first line without its path, and the notes.
REFUSED = [
    (RING, "P: (0 1)", '1:4: error: this permutation does not take the model to itself\n'
     'note: rule "pass" with p = 0 becomes no rule of the model'),
    (STARTS, "P: (1 2)", '1:4: error: this permutation does not take the model to itself\n'
     'note: start state "one" becomes no start state of the model'),
    (RING, "# a comment\n\n P: (0 1 2 3)\n P: (0 2", "4:5: error: this cycle is not closed"),
    (RING, "P: (0 1)(1 2)", "1:10: error: this is no permutation: 1 stands in it twice"),
    (RING, "P: (0 4)", '1:7: error: "4" is no element of P'),
    (RING, "P: (0 )1", "1:8: error: a cycle belongs here, as in (1 2)"),
    (RING, "P: 0 1", "1:4: error: the cycles of a permutation belong here, as in (1 2)(3 4)"),
    (RING, "P: (())", "1:5: error: an element belongs here"),
    (RING, "P (0 1)", '1:3: error: ":" and the cycles of a permutation belong here, as in Node: (1 2)(3 4)'),
    (RING, "P {0, 1: (0 1)", "1:3: error: this brace is not closed"),
    (RING, "Q: (0 1)", '1:1: error: the model has no type or family "Q"\nhint: elements of these can be permuted: P'),
    (TYPES, "P and Q: (P 1 Q 2)", "1:15: error: a cycle has elements of one type: this one began with P\n"
     "hint: types are permuted together in cycles of their own: (Client 1 Client 2)(Box 6 Box 7)"),
    (TYPES, "P and Q: (1 2)", "1:11: error: is this an element of P or of Q?\nhint: write its type before it: (P 1 ...)"),
    (TYPES, "0..2: (0 1)", "1:1: error: elements of 0..2 cannot be permuted"),
    (TYPES, '{"factors": [', "1:1: error: this is no JSON"),
    (TYPES, "{}", "1:1: error: this is no answer of noether symmetry --json: it has no factors"),
    (TYPES, '{"factors": [{"type": "P", "degree": 200, "generators": []}]}',
     "1:1: error: the generators of P are not in this answer: there are too many\n"
     "hint: the text that noether symmetry --generators prints has them all"),
    (TYPES, '{"factors": [{"type": "P",\n "generators": ["(1 3)"]}]}', '2:21: error: "3" is no element of P'),
]
# Model, generators, options of check, order of the group that is used.
GROUPS = [
    (NAMED, "P: (1 2)\nP: (1 2 3 4 5)", [], "6"),              # both sides generated: the stabiliser of 1 and 2
    (NAMED, "P: (1 3 5)(2 4)", [], "1"),                        # a cyclic group: nothing is left
    (NAMED, "P: (1 3)(2 4)\nP: (3 4)(1 2)\nP: (3 5)", [], "6"),  # listed: neither set of generators is in the other
    (NAMED, "P: (3 4 5)", [], "3"),
    (RING, "P: (0 2)(1 3)", [], "2"),                           # a subgroup of the rotations
    (TYPES, "Q: (1 2)", [], "2"),                               # one of two types
    (TYPES, "P and Q: (P 1 P 2)(Q 1 Q 2)", [], "2"),            # the diagonal of a product of full groups
]
USAGE = [
    (["--symmetry", "off"], "--generators gives the symmetry: it goes with --symmetry auto or detected only"),
    (["--engine", "sat"], "--generators is not for the sat engine: it uses the symmetry of scalarsets only"),
    (["--engine", "adaptive"], "--generators is not for the adaptive engine: it finds symmetry rule by rule"),
    (["--checkpoint", "FOLDER"], "--checkpoint does not keep the generators of a file: leave one of them out"),
]


class Tester:
    def __init__(self, binary, folder):
        self.binary, self.folder, self.passed, self.failed = binary, pathlib.Path(folder), 0, 0

    def expect(self, condition, what):
        self.passed += bool(condition)
        self.failed += not condition
        if not condition:
            print(f"FAIL {what}")

    def run(self, *words):
        return subprocess.run([self.binary, *map(str, words)], capture_output=True, text=True, timeout=patience.seconds(60))

    def ask(self, *words):
        done = self.run(*words, "--json", "-")
        return json.loads(done.stdout) if done.stdout and done.returncode != 2 else None

    def file(self, name, text):
        (self.folder / name).write_text(text)
        return self.folder / name

    def check(self, model, *words):
        """Order, states, verdicts; None: refused."""
        answer = self.ask("check", model, "--states", "3000", "--threads", "1", "--deadlock", "off", *words)
        chosen = answer and {name: answer["statistics"].get(name) for name in ("states", "represented")}
        return answer and (answer["symmetry"]["order"], chosen, [r["verdict"] for r in answer["results"]])

    def again(self, name):
        model = ROOT / name
        printed, group = self.run("symmetry", "--generators", model), self.ask("symmetry", model)
        explicit = [] if name.endswith(".prism") else ["--engine", "explicit", "--representative", "canonical", "--store", "plain"]
        expected = self.check(model, "--symmetry", "detected", *explicit)
        for form, text in (("text", printed.stdout), ("json", json.dumps(group, indent=1))):
            given = self.file(f"again.{form}", text)
            shown = self.run("symmetry", f"--generators={given}", model).stdout
            order = re.search(r"group of order ([\d ]+)", shown)
            self.expect(order and order.group(1).replace(" ", "") == group["order"] != "1", f"{name}: {form} gives {shown[:200]}")
        self.expect(self.check(model, "--generators", given, *explicit) == expected, f"{name}: other states or verdicts")

    def refused(self, model, text, expected):
        given = self.file("refused.txt", text + "\n")
        done = self.run("check", "--generators", given, self.file("refused.m", model))
        lines = [re.sub(r"^.*?refused\.txt:", "", done.stderr.split("\n")[0])]
        lines += re.findall(r"(?:note|hint): .*", done.stderr)
        self.expect(done.returncode == 2 and "\n".join(lines).startswith(expected), f"{text!r}: {done.stderr}")

    def groups(self, model, text, words, order):
        path = self.file("group.m", model)
        found = self.check(path, "--generators", self.file("group.txt", text + "\n"), *words)
        plain = self.check(path, "--symmetry", "off")
        self.expect(found and found[0] == order and found[1]["represented"] == plain[1]["represented"] and found[2] == plain[2],
                    f"{text!r}: {found}, without symmetry {plain}, expected order {order}")


def read_graph(answer):
    """Start states and steps, of states as sorted pairs; None: not the whole graph."""
    if not answer["complete"] or any(edge["to"] is None for edge in answer["edges"]):
        return None
    states = [tuple(sorted(node["state"].items())) for node in answer["nodes"]]
    starts = {states[node["number"]] for node in answer["nodes"] if node["start"]}
    return set(states), starts, {(states[edge["from"]], states[edge["to"]]) for edge in answer["edges"]}


def image_of(state, image):
    """Of a state of a model of generate.py: arrays a and b over the elements, and p that is one."""
    moved = {}
    for name, value in state:
        at = re.fullmatch(r"([ab])\[(\d+)\]", name)
        moved[f"{at[1]}[{image[int(at[2])]}]" if at else name] = image.get(value, value) if name == "p" else value
    return tuple(sorted(moved.items()))


def is_symmetry(graph, image):
    states, starts, steps = graph
    return ({image_of(s, image) for s in states} == states and {image_of(s, image) for s in starts} == starts and
            {(image_of(a, image), image_of(b, image)) for a, b in steps} == steps)


def count_orbits(states, images):
    left, orbits = set(states), 0
    while left:
        orbits, todo = orbits + 1, [left.pop()]
        while todo:
            state = todo.pop()
            for other in (image_of(state, image) for image in images):
                if other in left:
                    left.remove(other)
                    todo.append(other)
    return orbits


def cycles(image):
    text, left = "", set(image)
    for first in sorted(image):
        cycle, at = [], first
        while at in left:
            left.remove(at)
            cycle.append(str(at))
            at = image[at]
        text += f"({' '.join(cycle)})" if len(cycle) > 1 else ""
    return text or "()"


def compare_random(tester):
    kept = refused = 0
    for seed in range(RANDOM_MODELS):
        text = re.sub(r"\ninvariant .*", "", generate.model(seed))
        size = int(re.search(r"1\.\.(\d)", text)[1])
        model = tester.file("random.m", text)
        done = tester.run("graph", model, "--symmetry", "off", "--as", "json", "--max-nodes", "100000")
        graph = read_graph(json.loads(done.stdout))
        rng, accepted = random.Random(seed), []
        for _ in range(PERMUTATIONS):
            image = dict(zip(range(1, size + 1), rng.sample(range(1, size + 1), size)))
            given = tester.file("random.txt", f"T: {cycles(image)}\n")
            done = tester.run("symmetry", f"--generators={given}", model)
            if done.returncode == 0:
                accepted.append(image)
                tester.expect(not graph or is_symmetry(graph, image), f"seed {seed}: {cycles(image)} is no symmetry")
            refused += done.returncode == 2 and "does not take the model to itself" in done.stderr
        accepted = [image for image in accepted if any(image[e] != e for e in image)]
        if not accepted or not graph:
            continue
        kept += 1
        given = tester.file("random.txt", "".join(f"T: {cycles(image)}\n" for image in accepted))
        found = tester.check(model, "--generators", given, "--representative", "canonical")
        orbits = count_orbits(graph[0], accepted)
        tester.expect(found and found[1]["states"] == orbits, f"seed {seed}: {found}, {orbits} orbits")
    tester.expect(kept >= LEAST_KEPT and refused >= LEAST_REFUSED, f"only {kept} groups and {refused} refusals compared")


def main():
    with tempfile.TemporaryDirectory() as folder:
        tester = Tester(sys.argv[1], folder)
        for name in AGAIN:
            tester.again(name)
        for row in REFUSED:
            tester.refused(*row)
        for row in GROUPS:
            tester.groups(*row)
        for words, message in USAGE:
            given, model = tester.file("usage.txt", "P: (0 1 2 3)\n"), tester.file("usage.m", RING)
            words = [str(tester.folder / "kept") if word == "FOLDER" else word for word in words]
            done = tester.run("check", "--generators", given, *words, model)
            tester.expect(done.returncode == 2 and message in done.stderr, f"{words}: {done.stderr}")
        compare_random(tester)
    print(f"{tester.passed} passed, {tester.failed} failed")
    return tester.failed != 0


if __name__ == "__main__":
    sys.exit(main())
