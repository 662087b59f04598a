#!/usr/bin/env python3
"""Rules as functions of the state, against the evaluator. Certificates of the models in tests/ and examples/: whenever `noether check` writes one, noether-verify accepts it, also with
little memory. And what is said where there is none, and what a limit does.

    run.py NOETHER

The last line is "N passed, N failed"."""
import os
import pathlib
import re
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))
import common

ROOT = HERE.parents[1]
FOLDERS = ["tests/certificate", "tests/models", "tests/models/adaptive", "tests/models/boolean", "tests/models/promela", "examples"]
LANGUAGES = {".m", ".pml", ".bp", ".tts"}
LEAST = 150  # certificates; fewer: something is wrong with writing them
MOST_STATES = "30000"
RANDOM = "60"  # models of each profile
LOCK = HERE / "lock.m"
UNDECIDED = {"loop-counts-messages.m"}  # whose group the verifier cannot check (docs/certificates.md)

COVERED = """var x: 0..1;
startstate x := 0; end;
rule x := 1 - x; end;
invariant "small" x < 2;
ltl "back" G F (x = 0);
"""


class Test(common.Tally):
    def __init__(self, binary, folder):
        self.binary, self.folder = os.path.abspath(binary), folder
        self.file = folder / "certificate"
        super().__init__()
        self.certificates = 0

    def check(self, model, *options):
        self.file.unlink(missing_ok=True)
        return self.run(self.binary, "check", "-q", model, "--certificate", self.file, *options)

    def verify(self, model, *options):
        return self.run(self.binary + "-verify", *options, model, self.file)

    def try_model(self, model):
        answer = self.check(model, "--states", MOST_STATES)
        if answer.returncode == 0:
            self.expect(self.file.exists() or "certificate" in answer.stderr, f"{model}: it holds, and nothing is said of the certificate")
        if not self.file.exists():
            return
        self.certificates += 1
        told = self.verify(model)
        if model.name in UNDECIDED:
            self.expect(told.returncode == 3 and "a rule looks at a multiset after it has added to it" in told.stderr,
                        f"{model}: {told.stdout}{told.stderr}")
            return
        self.expect(common.is_accepted(told), f"{model}: {told.stdout}{told.stderr}")
        told = self.verify(model, "--memory", "1K")
        self.expect(common.is_accepted(told), f"{model}, with little memory: {told.stdout}{told.stderr}")

    def try_refused(self):
        """What has no certificate: known before the search, or by its result."""
        for options, words in ((["--engine", "symbolic"], "symbolic engine"), (["--reduction", "por"], "not all states"),
                               (["--hash-compact"], "same hash"), (["--symmetry", "guarded"], "another model"),
                               (["-D", "N=2:3"], "not about a table")):
            answer = self.check(LOCK, *options)
            self.expect(answer.returncode == 2 and words in answer.stderr and not self.file.exists(), f"{options}: {answer.stderr}")
        answer = self.check("examples/german-bug.m")
        self.expect(answer.returncode == 1 and "a property is violated" in answer.stderr and not self.file.exists(), f"violated: {answer.stderr}")
        answer = self.check(LOCK, "--states", "3")
        self.expect(answer.returncode == 3 and "not complete" in answer.stderr and not self.file.exists(), f"cut: {answer.stderr}")
        answer = self.check(LOCK, "--property", "ltl \"fine\" [] true;")
        self.expect("not part of the certificate" in answer.stderr or answer.returncode == 2, f"ltl: {answer.stderr}")
        for path in ("-", "/dev/null", str(self.folder)):
            answer = self.run(self.binary, "check", "-q", LOCK, "--certificate", path)
            self.expect(answer.returncode == 2, f"to {path}: {answer.stdout}{answer.stderr}")
        self.expect(not [path for path in self.folder.iterdir() if path != self.file], "files are left behind")

    def try_claims(self):
        """What the certificate is about must be what was asked for."""
        self.check(LOCK, "-D", "N=4")
        self.expect(self.verify(LOCK, "-D", "N=4").returncode == 0, "its constant")
        self.expect("N = 4" in self.verify(LOCK).stdout, "the constant is part of what is said")
        self.expect(self.verify(LOCK, "-D", "N=3").returncode == 1, "another constant")
        self.expect(self.verify(HERE / "ring.m").returncode in (1, 2), "another model")
        told = self.run(self.binary + "-verify", LOCK, self.folder / "nothing")
        self.expect(told.returncode == 2 and "cannot be read" in told.stderr, f"no certificate: {told.stdout}{told.stderr}")
        told = self.run(self.binary + "-verify", self.file, LOCK)
        self.expect(told.returncode == 2 and "no certificate" in told.stderr, f"operands the wrong way round: {told.stdout}{told.stderr}")
        self.expect(self.run(self.binary + "-verify", LOCK).returncode == 2, "too few operands")
        self.expect("usage" in self.run(self.binary + "-verify", "--help").stdout, "help")

    def try_values(self):
        """-D asks for the value that a constant has, wherever it comes from."""
        model, properties = self.folder / "steps.prism", self.folder / "steps.props"
        model.write_text("dtmc\nconst int K = 3;\nconst double p;\nmodule m\n  x : [0..K];\n"
                         "  [] x < K -> p : (x' = x + 1) + 1 - p : (x' = 0);\n  [] x = K -> true;\nendmodule\n")
        properties.write_text("const double q = 0.9;\nP>=q [ F x=3 ]\n")
        for words, given, asked in (
                ([ROOT / "examples/german.m"], ["NODE_NUM=2"], {"NODE_NUM=2": 0, "NODE_NUM=02": 0, "DATA_NUM=2": 0, "DATA_NUM=3": 1, "NOPE=4": 2, "NODE_NUM": 2}),
                ([ROOT / "examples/ring-election.pml"], [], {"N=4": 0, "N=3": 1, "NOPE=4": 2}),
                ([model, properties], ["p=0.5"], {"K=3": 0, "K=4": 1, "p=1/2": 0, "p=0.4": 1, "q=0.9": 0, "q=0.8": 1, "x=3": 2, "NOPE=4": 2})):
            self.check(*words, *(word for define in given for word in ("-D", define)))
            for define, code in asked.items():
                told = self.run(self.binary + "-verify", "-D", define, *words, self.file)
                self.expect(told.returncode == code or (code == 0 and common.is_accepted(told)), f"{words[0]}, -D {define}: {told.returncode} {told.stdout}{told.stderr}")
                if define == "NOPE=4":
                    self.expect('"NOPE"' in told.stderr, f"{words[0]}, -D {define}: {told.stderr}")
        model.unlink()
        properties.unlink()

    def try_coverage(self):
        """What the certificate proves of each property, and exit status 3 where something that is wanted is missing."""
        model = self.folder / "covered.m"
        model.write_text(COVERED)
        for given, asked, code, words in (
                ([], [], 3, "says nothing of ltl back"),
                ([], ["--properties", "small"], 0, "not certified: ltl back"),
                ([], ["--properties", "small", "--properties", "deadlock"], 0, "holds: deadlock (stuttering)"),
                ([], ["--properties", "back"], 3, "says nothing of ltl back"),
                ([], ["--properties", "large"], 2, '"large"'),
                ([], ["--deadlock", "never"], 2, "usage"),
                (["--deadlock", "off"], ["--properties", "small"], 0, "not certified: deadlock"),
                (["--deadlock", "off"], ["--properties", "deadlock"], 3, "says nothing of deadlock"),
                (["--deadlock", "off"], [], 3, "says nothing of deadlock, ltl back"),
                (["--deadlock", "off"], ["--deadlock", "off"], 3, "says nothing of ltl back"),
                (["--deadlock", "stuck"], ["--properties", "deadlock"], 3, "says nothing of deadlock"),
                (["--deadlock", "stuck"], ["--properties", "deadlock", "--deadlock", "stuck"], 0, "holds: deadlock (stuck)"),
                (["--property", 'assume "none" false;'], ["--properties", "small"], 3, "adds assumption none to the model (--conditions allows that)"),
                (["--property", 'assume "none" false;'], ["--properties", "small", "--conditions"], 0, "assumed: assumption none"),
                (["--final", "x = 1"], ["--properties", "small"], 3, "adds a final condition"),
                (["--final", "x = 1"], ["--properties", "small", "--conditions"], 0, "holds: invariant small"),
                (["--property", 'invariant "more" x < 3;'], ["--properties", "more"], 0, "holds: invariant more")):
            self.check(model, *given)
            told = self.verify(model, *asked)
            first = {0: "accepted: ", 3: "accepted in part: "}.get(code, "")
            self.expect(told.returncode == code and words in told.stdout + told.stderr and told.stdout.startswith(first),
                        f"{given} {asked}: {told.returncode} {told.stdout}{told.stderr}")
            quiet = self.verify(model, "-q", *asked)
            self.expect(quiet.returncode == code and not quiet.stdout and bool(quiet.stderr) == bool(code), f"{given} {asked} -q: {quiet.stdout}{quiet.stderr}")
        model.unlink()

    def try_disk(self):
        """With little memory a missing state is found, too, and where it is missing is said."""
        model = "examples/peterson.m"
        self.check(model)
        told = self.verify(model, "--memory", "10K")
        self.expect(told.returncode == 0 and "sorted on disk" in told.stdout, f"on disk: {told.stdout}{told.stderr}")
        told = self.verify(model, "--memory", "10K", "--spill", "/nowhere")
        self.expect(told.returncode == 3 and "/nowhere: No such file or directory" in told.stderr, f"no place for a file: {told.stdout}{told.stderr}")
        told = self.verify(model, "--time", "0.02")
        self.expect(told.returncode == 3 and "time limit" in told.stderr, f"no time: {told.stdout}{told.stderr}")
        data = self.file.read_bytes()
        head = data.index(b"\n") + 1
        size = 8 * int(data[:head].split(b'"words":')[1].split(b",")[0].rstrip(b"}\n"))
        self.file.write_bytes(data[:head + 40 * size] + data[head + 41 * size:-16])
        self.run(pathlib.Path(self.binary).parent / "tests" / "certificate" / "seal", self.file, size // 8)
        for memory in ("10K", "1G"):
            told = self.verify(model, "--memory", memory)
            self.expect(told.returncode == 1 and "leads out of the certificate" in told.stdout and "rule" in told.stdout,
                        f"a state is missing, memory {memory}: {told.returncode} {told.stdout}{told.stderr}")


    def try_effects(self):
        """Rules as functions of the state, which the check of a group rests on, against the evaluator."""
        models = [path for name in FOLDERS for path in sorted((ROOT / name).iterdir()) if path.suffix in LANGUAGES]
        for profile in ("plain", "crowd", "partial", "symbolic"):
            self.run("python3", "tests/differential/generate.py", profile, "1", RANDOM, self.folder)
            models += sorted(self.folder.glob("*.m"))
            told = self.run(pathlib.Path(self.binary).parent / "tests" / "certificate" / "effects", *models)
            passed, failed = map(int, re.findall(r"(\d+) passed, (\d+) failed", told.stdout)[-1])
            self.passed += passed
            self.expect(failed == 0 and passed > 500, f"rules as functions: {told.stdout}{told.stderr}")
            for path in self.folder.glob("*.m"):
                path.unlink()
            models = []


def main():
    with tempfile.TemporaryDirectory() as folder:
        test = Test(sys.argv[1], pathlib.Path(folder))
        test.try_refused()
        test.try_claims()
        test.try_values()
        test.try_coverage()
        test.try_disk()
        test.try_effects()
        for name in FOLDERS:
            for model in sorted((ROOT / name).iterdir()):
                if model.suffix in LANGUAGES:
                    test.try_model(model)
    print(f"{test.certificates} certificates")
    test.expect(test.certificates >= LEAST, f"fewer than {LEAST} certificates")
    print(f"{test.passed} passed, {test.failed} failed")
    return test.failed != 0


if __name__ == "__main__":
    sys.exit(main())
