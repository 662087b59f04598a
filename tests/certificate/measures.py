#!/usr/bin/env python3
"""Certificates about probabilities and expected rewards.

    measures.py NOETHER [--models N] [--faults N] [--seed S]

Those of the models in tests/ and examples/ and of random ones are accepted, and say what `noether check --exact` says. Those
with planted faults, after which what they claim is false, are rejected. The last line is "N passed, N failed"."""
import argparse
import collections
import fractions
import json
import pathlib
import random
import re
import struct
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path += [str(HERE.parent), str(HERE.parent / "differential")]
import common
import patience
import prism

TRAILER, WORDS = 16, 3
NEVER = 2**64 - 1
FOLDERS = ["examples", "tests/prism", "tests/prism/symmetry", "tests/certificate"]
LEAST = 60  # values of the models that are compared; fewer: something is wrong with writing certificates
SUBJECTS = ["die", "walk", "line"]
# Changes of the text after which a value is outside of what was claimed.
MUTANTS = {"die": [("0.5 : (s'=3) + 0.5 : (s'=4)", "0.4 : (s'=3) + 0.6 : (s'=4)"), ("0.5 : (s'=1) + 0.5 : (s'=2)", "1/3 : (s'=1) + 2/3 : (s'=2)"),
                   ("s < 7 : 1", "s < 7 : 1.01"), ("0.5 : (s'=1) + 0.5 : (s'=7) & (d'=1)", "(s'=3)")],
           "walk": [("1/3 : (x' = x + 1) + 2/3", "0.34 : (x' = x + 1) + 0.66"), ("0.75 : (x' = 0)", "0.75 : (x' = 1)"), ("true : 1/7", "true : 1/8"),
                    ("[wait] x > 1 & x < N -> true", "[wait] x > 1 & x < N -> (x' = N)"), ("0.25 : (x' = x + 2)", "0.25 : (x' = N)")],
           "line": [("3/n", "3/(n+1)"), ("-> 2 :", "-> 2.01 :"), ("true : n", "true : n + 1"), ("[in] true : 2", "[out] true : 2")]}

# Takes a moment to verify.
LARGE = """mdp
const int N = 25;
module m
  x : [0..N] init 0;
  y : [0..N] init 0;
  z : [0..20] init 0;
  [] x<N -> 1/3:(x'=x+1) + 1/3:(x'=x) + 1/3:(x'=max(0,x-1));
  [] y<N -> 1/2:(y'=y+1) + 1/4:(y'=y) + 1/4:(y'=max(0,y-1));
  [] z<20 -> 1/2:(z'=z+1) + 1/2:(z'=z);
endmodule
"""
DROPPED = """dtmc
module m
  s : [0..2] init 0;
  [] s=0 -> 0.5:(s'=1) + 0.5:(s'=2);
endmodule
"""
MOMENTS = 24
# Steps that may be free: by a coin that is tossed again, and, of a decision process, by a detour that never ends.
NOTHING = """
module m
  s : [0..4] init 0;
  [] s=0 -> 0.5:(s'=0) + 0.5:(s'=1);
  [free] s=1 -> 0.5:(s'=2) + 0.5:(s'=0);
  [idle] s=2 -> (s'=2);
  [pay] s=1 -> (s'=3);
  [pay] s=3 -> (s'=4);
endmodule
rewards [pay] true : 1; [idle] true : 1; endrewards
"""
FREE = [("mdp", "Rmin=? [ F s=2 ]", 0), ("mdp", "Rmax=? [ F s>0 ]", 0), ("mdp", "Rmin=? [ F s>0 ]", 0), ("dtmc", "R=? [ F s>0 ]", 0),
        ("mdp", "Rmin=? [ F s=4 ]", 2)]
# Kind, what follows s=0, its reward, properties, exit status, what is said.
CHANCE, EARNED = "P=? [ F s=1 ]", "R=? [ F s>0 ]"
INEXACT = [("dtmc", "0.333333333333:(s'=1) + 0.666666666666:(s'=2)", "1", CHANCE, 0, "add up to 1 exactly"),
           ("mdp", "(s+1)/3:(s'=1) + 0.666666666666:(s'=2)", "1", "Pmax=? [ F s=1 ]", 0, "add up to 1 exactly"),
           ("dtmc", "(s+1)/3:(s'=1) + 2/3:(s'=2)", "1", CHANCE, 0, ""),
           ("dtmc", "0.1:(s'=1) + 0.2:(s'=0) + 0.7:(s'=2)", "1", CHANCE, 0, ""),
           ("ctmc", "pow(2,0.5):(s'=1) + 1:(s'=2)", "1", CHANCE, 2, "root or a logarithm"),
           ("ctmc", "2:(s'=1) + 1:(s'=2)", "log(3,2)", EARNED, 2, "root or a logarithm"),
           ("ctmc", "2:(s'=1) + 1:(s'=2)", "log(3,2)", f"{EARNED}; {CHANCE}", 0, "a reward is a root"),
           ("ctmc", "2:(s'=1) + 1:(s'=2)", "1", EARNED, 0, "")]


class Certificate:
    def __init__(self, data):
        end = data.index(b"\n") + 1
        self.head = json.loads(data[:end])
        self.words = self.head["words"]
        self.count = len(self.head["measures"])
        size = 8 * (self.words + WORDS * self.count)
        body = data[end:-TRAILER]
        self.records = [bytearray(body[i:i + size]) for i in range(0, len(body), size)]

    def place(self, measure, which):
        return 8 * (self.words + WORDS * measure + which)

    def bound(self, record, measure, which):
        return struct.unpack_from("<d", record, self.place(measure, which))[0]

    def rank(self, record, measure):
        return struct.unpack_from("<Q", record, self.place(measure, 2))[0]

    def set(self, record, measure, which, value):
        struct.pack_into("<Q" if which == 2 else "<d", record, self.place(measure, which), value)

    def write(self, path, seal):
        path.write_bytes(json.dumps(self.head).encode() + b"\n" + b"".join(self.records))
        size = self.words + WORDS * self.count
        subprocess.run([seal, path, str(size)], check=True)


class Plant:
    """One kind of fault a method: returns what was done, or None where the certificate has no place for it."""

    def __init__(self, data, model, seal, chance):
        self.data, self.model, self.seal, self.random = data, model, seal, chance
        self.certificate = Certificate(data)

    def pick(self):
        certificate = self.certificate
        return self.random.randrange(len(certificate.records)), self.random.randrange(certificate.count)

    def bit(self, path):
        return common.flip_bit(self.data, self.random, path)

    def truncated(self, path):
        path.write_bytes(self.data[:self.random.randrange(1, len(self.data))])
        return "cut"

    def removed(self, path):
        number, _ = self.pick()
        del self.certificate.records[number]
        self.certificate.write(path, self.seal)
        return f"state {number + 1} removed"

    def doubled(self, path):
        number, _ = self.pick()
        self.certificate.records.insert(number, self.certificate.records[number])
        self.certificate.write(path, self.seal)
        return f"state {number + 1} twice"

    def exchanged(self, path):
        """Two states exchanged: they are out of order."""
        i, j = self.random.sample(range(len(self.certificate.records)), 2)
        records = self.certificate.records
        records[i], records[j] = records[j], records[i]
        self.certificate.write(path, self.seal)
        return f"states {i + 1} and {j + 1} exchanged"

    def other_state(self, path):
        number, _ = self.pick()
        place = self.random.randrange(64 * self.certificate.words)
        self.certificate.records[number][place // 8] ^= 1 << place % 8
        self.certificate.write(path, self.seal)
        return f"bit {place} of state {number + 1} flipped"

    def raised(self, path):
        """A lower bound above the upper one, so above the value."""
        number, measure = self.pick()
        record = self.certificate.records[number]
        upper = self.certificate.bound(record, measure, 1)
        if upper == float("inf"):
            return None
        value = self.random.choice([upper * 1.0001 + 1e-9, upper + 0.25, upper + 1])
        self.certificate.set(record, measure, 0, value)
        if self.random.random() < 0.5:
            self.certificate.set(record, measure, 1, value)
        self.certificate.write(path, self.seal)
        return f"lower bound {measure} of state {number + 1} became {value}, above {upper}"

    def lowered(self, path):
        number, measure = self.pick()
        record = self.certificate.records[number]
        lower, upper = (self.certificate.bound(record, measure, which) for which in (0, 1))
        if lower <= 0 or upper == float("inf"):
            return None
        value = self.random.choice([0.0, lower * 0.9999, lower / 2])
        self.certificate.set(record, measure, 1, value)
        if self.random.random() < 0.5:
            self.certificate.set(record, measure, 0, value)
        self.certificate.write(path, self.seal)
        return f"upper bound {measure} of state {number + 1} became {value}, below {lower}"

    def no_number(self, path):
        number, measure = self.pick()
        which, value = self.random.randrange(2), self.random.choice([float("nan"), -1.0, -float("inf")])
        self.certificate.set(self.certificate.records[number], measure, which, value)
        self.certificate.write(path, self.seal)
        return f"a bound of state {number + 1} became {value}"

    def rank(self, path):
        """A state under way whose rank nothing is below."""
        number, measure = self.pick()
        record = self.certificate.records[number]
        if self.certificate.rank(record, measure) in (0, NEVER):
            return None
        self.certificate.set(record, measure, 2, 0)
        self.certificate.write(path, self.seal)
        return f"rank {measure} of state {number + 1} became 0"

    def certain(self, path):
        """All states are said to reach the goal: what is 1 everywhere is the mean of what follows, everywhere."""
        _, measure = self.pick()
        start = [self.certificate.bound(record, measure, 1) for record in self.certificate.records]
        if all(upper >= 1 for upper in start):
            return None
        for record in self.certificate.records:
            self.certificate.set(record, measure, 0, 1.0)
            self.certificate.set(record, measure, 1, max(1.0, self.certificate.bound(record, measure, 1)))
            if self.random.random() < 0.5:
                self.certificate.set(record, measure, 2, self.random.randrange(1, 20))
        self.certificate.write(path, self.seal)
        return f"measure {measure} became 1 everywhere"

    def shifted(self, path):
        """All lower bounds of states under way a little more than all upper ones."""
        _, measure = self.pick()
        for record in self.certificate.records:
            upper = self.certificate.bound(record, measure, 1)
            if 0 < self.certificate.rank(record, measure) and upper < 1e9:
                self.certificate.set(record, measure, 0, upper + 1e-5)
                self.certificate.set(record, measure, 1, upper + 1e-4)
        certificate, changed = self.certificate, Certificate(self.data)
        if certificate.records == changed.records:
            return None
        certificate.write(path, self.seal)
        return f"measure {measure} shifted upwards"

    def measure(self, path):
        """The vectors of one property for another, or for none."""
        head = self.certificate.head
        place = self.random.randrange(len(head["measures"]))
        other = self.random.choice([0, 1, 77, head["measures"][place - 1]])
        if other == head["measures"][place]:
            return None
        head["measures"][place] = other
        self.certificate.write(path, self.seal)
        return f"measure {place} became that of property {other}"

    def repeated(self, path):
        """The vectors of one property twice."""
        certificate, measure = self.certificate, self.pick()[1]
        begin, end = certificate.place(measure, 0), certificate.place(measure + 1, 0)
        certificate.head["measures"].insert(measure, certificate.head["measures"][measure])
        for record in certificate.records:
            record[begin:begin] = record[begin:end]
        certificate.count += 1
        certificate.write(path, self.seal)
        return f"measure {measure} twice"

    def field(self, path):
        head = self.certificate.head
        name = self.random.choice(["model", "properties", "language", "cells", "words", "version", "defines", "measures"])
        head[name] = {"model": "%016x" % self.random.randrange(1, 2**64), "properties": None, "language": "murphi", "cells": head["cells"] + 1,
                      "words": head["words"] + 1, "version": 1, "defines": [["Z", "3"]], "measures": []}[name]
        self.certificate.write(path, self.seal)
        return f"{name} became {head[name]}"

    def mutant(self, path):
        """The certificate of the model for one with other values: it names the other text."""
        text = self.model.read_text()
        old, new = self.random.choice(MUTANTS[self.model.stem])
        assert old in text, old
        other = path.with_suffix(".prism")
        other.write_text(text.replace(old, new))
        self.certificate.head["model"] = subprocess.run([self.seal, other], capture_output=True, text=True, check=True).stdout.strip()
        self.certificate.write(path, self.seal)
        return f'"{old}" became "{new}"'


KINDS = [name for name in vars(Plant) if not name.startswith("_") and name != "pick"]


def claims(text):
    """What noether-verify says: name -> (verdict, lower, upper)."""
    found = {}
    for line in text.splitlines():
        match = re.fullmatch(r"  (value|holds|violated): (.*), (1 - )?(\S+) to (1 - )?(\S+)", line)
        if match:
            numbers = [fractions.Fraction(float(match[i])) if match[i] != "inf" else float("inf") for i in (4, 6)]
            if match[3]:
                numbers = [1 - number for number in numbers]
            found[match[2]] = (match[1], *numbers)
    return found


class Test(common.Tally):
    def __init__(self, binary, folder, seed):
        self.binary, self.folder, self.random = str(pathlib.Path(binary).resolve()), folder, random.Random(seed)
        self.seal = str(pathlib.Path(self.binary).parent / "tests" / "certificate" / "seal")
        self.file = folder / "certificate"
        super().__init__()
        self.compared = 0
        self.refused = collections.Counter()

    def verify(self, operands, *options):
        return self.run(self.binary + "-verify", *options, *operands, self.file)

    def try_model(self, operands, limits):
        self.file.unlink(missing_ok=True)
        answer = self.run(self.binary, "check", "-q", *operands, "--certificate", self.file, *limits)
        self.expect(answer.returncode in (0, 1, 2, 3), f"{operands}: {answer.stderr}")
        if not self.file.exists():
            self.expect("ertificate" in answer.stderr or answer.returncode != 0, f"{operands}: no word about the certificate")
            return
        told = self.verify(operands)
        self.expect(common.is_accepted(told), f"{operands}: {told.returncode} {told.stdout}{told.stderr}")
        found = claims(told.stdout)
        self.expect(found, f"{operands}: nothing is claimed")
        exact = self.folder / "exact.json"
        exact.unlink(missing_ok=True)
        self.run(self.binary, "check", "-q", *operands, "--symmetry", "off", "--exact", "--time", "5", "--json", exact)
        for result in json.loads(exact.read_text())["results"] if exact.exists() else []:
            if result["name"] in found and result["verdict"] != "unknown":
                self.compare(operands, result, *found[result["name"]])

    def compare(self, operands, result, verdict, lower, upper):
        self.compared += 1
        value = result.get("value", {}).get("exact")
        if verdict != "value":
            self.expect(verdict == result["verdict"], f"{operands}: {result['name']}: {verdict}, exactly {result['verdict']}")
        elif value and value != "infinity":
            self.expect(lower <= fractions.Fraction(value) <= upper, f"{operands}: {result['name']}: {lower} to {upper}, exactly {value}")
            self.expect(upper - lower <= 1e-5 * max(lower, 1e-30) or upper - lower <= 3e-6, f"{operands}: {result['name']}: {lower} to {upper} is wide")

    def try_random(self, count, seed):
        model, properties = self.folder / "random.prism", self.folder / "random.props"
        for number in range(count):
            made = prism.Model(seed + number)
            model.write_text(made.text())
            plain = [line for line in made.properties().splitlines() if re.match(r'("[^"]*": *)?[PR]', line)]
            properties.write_text("\n".join(plain) + "\n")
            self.try_model([model, properties], ["--time", "5"])

    def try_refused(self):
        die = HERE / "die.prism"
        for options, words in ((["--exact"], "doubles"), (["--fair"], "fair"), (["--engine", "symbolic"], "probabilistic engine"),
                               (["--property", "P=? [ X s=1 ]"], "one sweep"), (["--property", "P=? [ F<=3 s=7 ]"], "bound of steps"),
                               (["--property", "S=? [ s=7 ]"], "no probability"), (["--property", "P=? [ F P>=1 [ F d=1 ] ]"], "another probability"),
                               (["--property", 'P=? [ F "deadlock" ]'], '"deadlock"'), (["--property", 'P=? [ F "init" & s=1 ]'], '"init"'),
                               (["--property", "P=? [ X s=1 ]", "--property", "filter(max, P=? [ F s=7 ], s=0)"],
                                '"P=? [ X s=1 ]" (only F, G, U, W and R have vectors that one sweep checks, and rewards until a state), '
                                '"filter(max, P=? [ F s=7 ], s=0)" (it is a filter'),
                               ([], "no properties")):
            self.file.unlink(missing_ok=True)
            answer = self.run(self.binary, "check", "-q", die, "--certificate", self.file, *options)
            self.expect(answer.returncode == 2 and words in answer.stderr and not self.file.exists(), f"{options}: {answer.returncode} {answer.stderr}")
        answer = self.run(self.binary, "check", "-q", die, "--certificate", self.file, "--property", 'R{"flips"}=? [ F d=1 ]')
        self.expect(answer.returncode == 0 and not self.file.exists() and "no vectors" in answer.stderr, f"infinite: {answer.stderr}")
        answer = self.run(self.binary, "check", "-q", die, HERE / "die.props", "--certificate", self.file, "--states", "3")
        self.expect(answer.returncode == 3 and not self.file.exists(), f"cut: {answer.stderr}")
        self.run(self.binary, "check", "-q", die, HERE / "die.props", "--certificate", self.file)
        self.expect(self.verify([die, HERE / "die.props"], "--memory", "1K").returncode == 3, "no memory")
        self.expect(self.verify([die]).returncode == 1, "without its properties")

    def try_inexact(self):
        """What the engine takes, and the exact sweep cannot: nothing is written that would be rejected."""
        model = self.folder / "inexact.prism"
        for kind, weights, reward, asked, code, words in INEXACT:
            model.write_text(f"{kind}\nmodule m\n s : [0..2] init 0;\n [] s=0 -> {weights};\nendmodule\nrewards s=0 : {reward}; endrewards\n")
            self.file.unlink(missing_ok=True)
            answer = self.run(self.binary, "check", "-q", model, "--certificate", self.file, "--property", asked)
            self.expect(answer.returncode == code and words in answer.stderr, f"{weights}: {answer.returncode} {answer.stderr}")
            if self.file.exists():
                self.expect(common.is_accepted(self.verify([model])) and not (words and code), f"{weights}, {reward}: not accepted")
        text = model.read_text()
        certificate = Certificate(self.file.read_bytes())
        model.write_text(text.replace(f"{INEXACT[-1][2]};", "log(3,2);"))  # a root that no honest writer would certify
        certificate.head["model"] = self.run(self.seal, model).stdout.strip()
        certificate.head["asked"] = "R=? [ F s>0 ]"
        certificate.write(self.file, self.seal)
        self.expect(self.verify([model]).returncode == 3, "a logarithm is decided")

    def try_nothing(self):
        """A reward that is 0 for certain: the goal is reached, and nothing is earned before it."""
        model = self.folder / "nothing.prism"
        for kind, asked, value in FREE:
            model.write_text(kind + NOTHING)
            self.file.unlink(missing_ok=True)
            answer = self.run(self.binary, "check", "-q", model, "--certificate", self.file, "--property", asked)
            self.expect(self.file.exists(), f"{kind} {asked}: {answer.stderr}")
            told = self.verify([model]) if self.file.exists() else answer
            is_near = any(lower <= value <= upper and upper - lower <= 3e-6 * value for _, lower, upper in claims(told.stdout).values())
            self.expect(told.returncode == 0 and is_near, f"{kind} {asked}: {told.stdout}{told.stderr}")

    def try_lines(self):
        """What was asked stands behind a margin: a certificate cannot add lines to what is said."""
        die = HERE / "die.prism"
        self.run(self.binary, "check", "-q", die, "--certificate", self.file, "--property", "P=? [ F\n  s=7\n]")
        told = self.verify([die])
        self.expect(told.returncode == 0 and told.stdout.splitlines()[2:5] == ["    | P=? [ F", "    |   s=7", "    | ]"], f"lines: {told.stdout}")

    def try_dropped(self):
        """A property that is violated is left out of a certificate, which is sealed again: it is not accepted in silence."""
        model, properties = self.folder / "dropped.prism", self.folder / "dropped.props"
        model.write_text(DROPPED)
        properties.write_text("P>=0.4 [ F s=1 ]\nP>=0.9 [ F s=2 ]\nP=? [ X s=1 ]\n")
        operands, good, bad, never = [model, properties], "P>=0.4 [ F s=1 ]", "P>=0.9 [ F s=2 ]", "P=? [ X s=1 ]"
        self.run(self.binary, "check", "-q", *operands, "--certificate", self.file, "--keep-going")
        told = self.verify(operands)
        self.expect(told.returncode == 3 and f"  violated: {bad}, " in told.stdout and f"says nothing of quantity {never}\n" in told.stderr,
                    f"a formula that has no vectors: {told.stdout}{told.stderr}")
        self.expect(self.verify(operands, "--properties", good, "--properties", bad).returncode == 0, "the others")
        certificate = Certificate(self.file.read_bytes())
        certificate.records = [record[:-8 * WORDS] for record in certificate.records]
        del certificate.head["measures"][1]
        certificate.count = 1
        certificate.write(self.file, self.seal)
        told = self.verify(operands)
        self.expect(told.returncode == 3 and f"says nothing of quantity {bad}, quantity {never}\n" in told.stderr and f"  not certified: quantity {bad}\n" in told.stdout
                    and told.stdout.startswith("accepted in part: "), f"dropped: {told.returncode} {told.stdout}{told.stderr}")
        self.expect(self.verify(operands, "--properties", bad).returncode == 3, "dropped, and asked for")
        self.expect(self.verify(operands, "--properties", good).returncode == 0, "dropped, and not asked for")

    def try_minus(self):
        """A bound of -0 is 0, and shown as such."""
        die = HERE / "die.prism"
        self.run(self.binary, "check", "-q", die, "--certificate", self.file, "--property", "P=? [ G s<=7 ]")
        certificate = Certificate(self.file.read_bytes())
        for record in certificate.records:
            for which in (0, 1):
                self.expect(certificate.bound(record, 0, which) == 0, "not 0")
                certificate.set(record, 0, which, -0.0)
        certificate.write(self.file, self.seal)
        told = self.verify([die])
        self.expect(told.returncode == 0 and "1 - 0 to 1 - 0" in told.stdout, f"-0: {told.stdout}{told.stderr}")

    def try_cut(self):
        """A good certificate is not rejected, wherever the time is up."""
        model = self.folder / "large.prism"
        model.write_text(LARGE)
        self.run(self.binary, "check", "-q", model, "--certificate", self.file, "--property", "Pmax=? [ F x=N & y=N & z<18 ]")
        begin = time.monotonic()
        self.expect(self.verify([model]).returncode == 0, "large: not accepted")
        whole = time.monotonic() - begin
        for moment in range(MOMENTS):
            told = self.verify([model], "--time", f"{whole * (moment + 1) / MOMENTS:.4f}")
            self.expect(told.returncode in (0, 3), f"cut: {told.returncode} {told.stdout}{told.stderr}")

    def try_faults(self, count):
        good, done = {}, collections.Counter()
        for name in SUBJECTS:
            self.run(self.binary, "check", "-q", HERE / f"{name}.prism", HERE / f"{name}.props", "--certificate", self.file)
            good[name] = self.file.read_bytes()
        while sum(done.values()) < count:
            name, kind = self.random.choice(SUBJECTS), self.random.choice(KINDS)
            model = HERE / f"{name}.prism"
            what = getattr(Plant(good[name], model, self.seal, self.random), kind)(self.file)
            if what is None:
                continue
            done[kind] += 1
            about = self.file.with_suffix(".prism") if kind == "mutant" else model
            told = self.verify([about, HERE / f"{name}.props"])
            self.expect(told.returncode == 1 or (told.returncode == 2 and kind == "field"),
                        f"{name}: {kind}: {what}: exit status {told.returncode}: {told.stdout}{told.stderr}")
        for kind in KINDS:
            print(f"{done[kind]:5} {kind}")
            self.expect(done[kind], f"never planted: {kind}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--models", type=int, default=patience.many(20))
    parser.add_argument("--faults", type=int, default=patience.many(300))
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        test = Test(options.binary, pathlib.Path(folder), options.seed)
        test.try_refused()
        test.try_inexact()
        test.try_nothing()
        test.try_lines()
        test.try_minus()
        test.try_dropped()
        test.try_cut()
        for name in FOLDERS:
            for model in sorted((ROOT / name).glob("*.prism")):
                properties = model.with_suffix(".props")
                test.try_model([model] + [properties] * properties.exists(), ["--states", "20000", "--time", "20"])
        test.expect(test.compared >= LEAST, f"only {test.compared} values were compared")
        test.try_random(options.models, 1000 * options.seed)
        test.try_faults(options.faults)
    print(f"{test.compared} values compared")
    print(f"{test.passed} passed, {test.failed} failed")
    return test.failed != 0


if __name__ == "__main__":
    sys.exit(main())
