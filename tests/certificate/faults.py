#!/usr/bin/env python3
"""Certificates with planted faults: noether-verify rejects them all.

    faults.py NOETHER [--count N] [--seed S]

Good certificates of a few models are changed in one place; where the change is not one of a byte, the checksum is made
right again, so that the check itself has to find it. The last line is "N passed, N failed"."""
import argparse
import collections
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))
import common
import patience

TRAILER = 16
# With the options of the check, and changes of the text after which a property is false, or rules are not symmetric.
MODELS = {
    HERE / "lock.m": ([], [("state[p] = Wait & isundefined(holder)", "state[p] = Wait"), ("undefine holder; state[p] := Out;", "undefine holder;"),
                           ("state[p] = In & state[q] = In -> p = q", "state[p] != In"), ("state[p] := Wait;", "error \"asked\";")]),
    HERE / "ring.m": (["-D", "N=4"], [("has[p] := false; ", ""), ("has[p] & !work[p] ==> begin has[p]", "has[p] ==> begin has[p]"),
                                      ("(p + 1) % N", "(p * p + 1) % N"), ("work[p] -> has[p]", "work[p] -> p != 1")]),
    HERE / "mail.m": ([], [("multisetremove(i, net)", "put 1"), ("!waits[c] ==>", "true ==>"), ("waits[net[i].client] := false;", ""),
                           ("multiset [N]", "multiset [N - 1]")]),
    HERE / "timeout.pml": ([], [("has[_pid] = 1; ", ""), ("taken = 7;", "taken = 7 + _pid;"), ("timeout -> asked--", "timeout -> asked = asked - (_pid != 1)"),
                                ("timeout -> asked--", "timeout -> _pid != 2 -> asked--"), ("taken == 0", "taken <= 1")]),
}


class Certificate:
    def __init__(self, data):
        end = data.index(b"\n") + 1
        self.head = json.loads(data[:end])
        self.size = 8 * self.head["words"]
        body = data[end:-TRAILER]
        self.states = [body[i:i + self.size] for i in range(0, len(body), self.size)]

    def write(self, path, seal):
        path.write_bytes(json.dumps(self.head).encode() + b"\n" + b"".join(self.states))
        subprocess.run([seal, path, str(self.head["words"])], check=True)


class Plant:
    """One kind of fault a method: returns what was done, or None where the certificate has no place for it."""

    def __init__(self, data, model, changes, seal, chance):
        self.data, self.model, self.changes, self.seal, self.random = data, model, changes, seal, chance

    def bit(self, path):
        return common.flip_bit(self.data, self.random, path)

    def truncated(self, path):
        length = self.random.randrange(1, len(self.data))  # an empty file is no certificate
        path.write_bytes(self.data[:length])
        return f"cut to {length} bytes"

    def longer(self, path):
        path.write_bytes(self.data + self.random.randbytes(self.random.choice([1, 8, 16, 64])))
        return "bytes appended"

    def removed(self, path):
        certificate = Certificate(self.data)
        number = self.random.randrange(len(certificate.states))
        del certificate.states[number]
        certificate.write(path, self.seal)
        return f"state {number + 1} removed"

    def several_removed(self, path):
        certificate = Certificate(self.data)
        keep = self.random.random()
        left = [state for state in certificate.states if self.random.random() < keep]
        if len(left) == len(certificate.states):
            return None
        certificate.states = left
        certificate.write(path, self.seal)
        return f"{len(left)} states left"

    def changed(self, path):
        """One bit of a state: it is another orbit then, and its own is missing; or it is no state."""
        certificate = Certificate(self.data)
        number, place = self.random.randrange(len(certificate.states)), self.random.randrange(8 * certificate.size)
        state = bytearray(certificate.states[number])
        state[place // 8] ^= 1 << place % 8
        certificate.states[number] = bytes(state)
        certificate.write(path, self.seal)
        return f"bit {place} of state {number + 1} flipped"

    def label(self, path):
        certificate = Certificate(self.data)
        labels = [label for label in certificate.head.get("labels", []) if len(label) > 3]
        if not labels:
            return None
        label = self.random.choice(labels)
        place = self.random.randrange(3, len(label))
        label[place] = (label[place] + 1) % certificate.head["elements"]
        certificate.write(path, self.seal)
        return f"a label became {label}"

    def value(self, path):
        certificate = Certificate(self.data)
        classes = certificate.head.get("classes", [])
        if not classes:
            return None
        values = self.random.choice(classes)
        place = 3 * self.random.randrange(len(values) // 3) + 2
        values[place] = (values[place] + 1) % certificate.head["elements"]
        certificate.write(path, self.seal)
        return f"values became {values}"

    def forgotten(self, path):
        """A cell that the group is said to leave alone."""
        certificate = Certificate(self.data)
        if not certificate.head.get("labels"):
            return None
        gone = certificate.head["labels"].pop(self.random.randrange(len(certificate.head["labels"])))
        certificate.write(path, self.seal)
        return f"label {gone} removed"

    def generator(self, path):
        certificate = Certificate(self.data)
        factors = [factor for factor in certificate.head.get("factors", []) if "generators" in factor]
        if not factors:
            return None
        images = self.random.choice(self.random.choice(factors)["generators"])
        i, j = self.random.sample(range(len(images)), 2)
        images[i], images[j] = (images[j], images[i]) if self.random.random() < 0.5 else (images[j], images[j])
        certificate.write(path, self.seal)
        return f"a generator became {images}"

    def fuller(self, path):
        """A group that is said to be all permutations."""
        certificate = Certificate(self.data)
        factors = [factor for factor in certificate.head.get("factors", []) if "generators" in factor]
        if not factors:
            return None
        del self.random.choice(factors)["generators"]
        certificate.write(path, self.seal)
        return "a factor became full"

    def field(self, path):
        """Another number or text in the head: of what the claim is about, or of the form of states."""
        certificate = Certificate(self.data)
        head, name = certificate.head, self.random.choice(["model", "properties", "language", "cells", "words", "version", "format", "elements", "defines", "deadlock", "asked"])
        if name not in head:
            return None
        old = json.dumps(head[name])
        head[name] = {"model": "%016x" % self.random.randrange(1, 2**64), "properties": "0123456789abcdef",
                      "language": "boolean", "cells": head["cells"] + self.random.choice([-1, 1]), "words": head["words"] + 1,
                      "version": 2, "format": "certificate", "elements": head.get("elements", 1) - 1,
                      "defines": [["N", str(self.random.choice([2, 5]))]], "deadlock": "never", "asked": 5}[name]
        if json.dumps(head[name]) == old:
            return None
        certificate.write(path, self.seal)
        return f"{name} became {head[name]}"

    def form(self, path):
        """What the verifier does not know, or could read in two ways."""
        certificate = Certificate(self.data)
        name, value = self.random.choice([("unknown", None), ("defines", [["N", "3"], ["N", "3"]]), ("defines", [["N", "3", "4"]]), ("defines", {"N": "3"}),
                                          ("manner", [0] * 7), ("manner", [0] * 9), ("classes", [[0, 0]])])
        certificate.head[name] = value
        certificate.write(path, self.seal)
        return f"{name} became {value}"

    def damaged_state(self, path):
        """A state with values that no cell has: all bits set."""
        certificate = Certificate(self.data)
        certificate.states.insert(self.random.randrange(len(certificate.states) + 1), b"\xff" * certificate.size)
        certificate.write(path, self.seal)
        return "a state of ones added"

    def mutant(self, path):
        """The certificate of the model for one that is violated, or has less symmetry: it names the other text."""
        text = self.model.read_text()
        old, new = self.random.choice(self.changes)
        assert old in text, old
        places = [match.start() for match in re.finditer(re.escape(old), text)]
        place = self.random.choice(places)
        other = path.with_suffix(self.model.suffix)
        other.write_text(text[:place] + new + text[place + len(old):])
        self.for_other(other, path)
        return f'"{old}" became "{new}"'

    def for_other(self, other, path):
        """As if the certificate had been made for the other text: the hash is what a check of it writes."""
        certificate = Certificate(self.data)
        certificate.head["model"] = subprocess.run([self.seal, other], capture_output=True, text=True, check=True).stdout.strip()
        certificate.write(path, self.seal)


def kinds():
    return [name for name in vars(Plant) if not name.startswith("_") and name not in ("for_other",)]


class Faults:
    def __init__(self, binary, folder, seed):
        self.binary, self.folder, self.random = binary, folder, random.Random(seed)
        self.seal = str(pathlib.Path(binary).parent / "tests" / "certificate" / "seal")
        self.done, self.failed = collections.Counter(), 0
        self.good = {}
        for model, (options, changes) in MODELS.items():
            path = folder / (model.stem + ".certificate")
            self.check(model, options, path)
            assert self.verify(model, path)[0] == 0, self.verify(model, path)
            self.good[model] = path.read_bytes()

    def run(self, *command):
        return subprocess.run(command, capture_output=True, text=True, timeout=patience.seconds(60))

    def check(self, model, options, path):
        answer = self.run(self.binary, "check", "-q", model, *options, "--certificate", path)
        if not path.exists():
            raise SystemExit(f"{model}: {answer.stdout}{answer.stderr}")

    def verify(self, model, path, *options):
        answer = self.run(self.binary + "-verify", "-q", *options, model, path)
        return answer.returncode, answer.stdout + answer.stderr

    def plant(self):
        model = self.random.choice(list(MODELS))
        kind = self.random.choice(kinds())
        plant = Plant(self.good[model], model, MODELS[model][1], self.seal, self.random)
        path = self.folder / "planted"
        what = getattr(plant, kind)(path)
        if what is None:
            return
        about = path.with_suffix(model.suffix) if kind == "mutant" else model
        code, words = self.verify(about, path)
        self.done[kind] += 1
        if code not in (1, 2) or (code == 2 and kind != "field"):
            self.failed += 1
            print(f"{model.name}: {kind}: {what}: exit status {code}, not rejected: {words.strip()[:300]}")


# Violated; with v = 1 at the start it holds.
SLOTS = """type V: 0..1;
var v: V; m: multiset [2] of V;
startstate begin v := 0; undefine m; multisetadd(0, m); end;
rule "add" multisetcount(i: m, true) = 1 ==> begin multisetadd(0, m); end;
invariant "odd" multisetcount(i: m, true) = 2 -> (v + multisetcount(i: m, m[i] = 1)) % 2 = 1;
"""


def forge_slots(faults):
    """A group that exchanges the values of one slot of a multiset, and not those of the other: an element is added to
    either. The states are those of the model that holds."""
    model, other, path = (faults.folder / name for name in ("slots.m", "other.m", "slots.certificate"))
    model.write_text(SLOTS)
    other.write_text(SLOTS.replace("v := 0", "v := 1"))
    faults.check(other, ["--deadlock", "off"], path)
    certificate = Certificate(path.read_bytes())
    value_of_second_slot = 4
    certificate.head.update(model=faults.run(faults.seal, model).stdout.strip(), elements=2, factors=[{"first": 0, "degree": 2}],
                            classes=[[0, 0, 0, 1, 0, 1]], labels=[[0, 0, -1], [value_of_second_slot, 0, -1]])
    certificate.write(path, faults.seal)
    code, words = faults.verify(model, path, "--deadlock", "off")
    faults.done["slots"] += 1
    if code != 1 or "mixes" not in words:
        faults.failed += 1
        print(f"slots of a multiset with values of different classes: exit status {code}: {words.strip()[:300]}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--count", type=int, default=patience.many(600))
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        faults = Faults(options.binary, pathlib.Path(folder), options.seed)
        forge_slots(faults)
        while sum(faults.done.values()) < options.count:
            faults.plant()
    for kind, count in sorted(faults.done.items()):
        print(f"{count:5} {kind}")
    missing = [kind for kind in kinds() if not faults.done[kind]]
    if missing:
        print("never planted: " + ", ".join(missing))
        faults.failed += 1
    print(f"{sum(faults.done.values()) - faults.failed} passed, {faults.failed} failed")
    return faults.failed != 0


if __name__ == "__main__":
    sys.exit(main())
