"""Random models with loops and quantifiers whose bounds and steps may be in any order, with --dialect rumur and in rumur."""
import json
import pathlib
import random
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "models"))
import patience
from rumur import rumur_ask

WAYS = [["--engine", "explicit", "--symmetry", "off", "--stepper", stepper] for stepper in ("evaluator", "vm", "native")]
SETS = [["--engine", "symbolic"], ["--engine", "sat"]]


class Loops:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def bound(self):
        return self.random.choice(["-2", "-1", "0", "1", "2", "a", "a", "b", "b", "a + 1", "b - 1", "a - b", "a * b", "least(a, b)"])

    def step(self):
        return self.random.choice([""] * 8 + [" by 1", " by -1", " by 2", " by -2", " by s", " by (a > b ? -1 : 1)", " by a"])

    def domain(self):
        return f"i := {self.bound()} to {self.bound()}{self.step()}"

    def rule(self, number):
        guard, what = self.random.choice(["a != b", "a < b", "a > b", "true", "x < 3", f"{self.word()} {self.domain()} do i != x end"]), self.random.random()
        body = f"for {self.domain()} do x := ((x * 2 + i + 12) % 5); end;" if what < 0.6 else f"f := {self.word()} {self.domain()} do i = x | f end;"
        return f'rule "r{number}" {guard} ==> {body} end;'

    def word(self):
        return self.random.choice(["forall", "exists"])

    def model(self):
        rules = [self.rule(number) for number in range(self.random.choice([1, 1, 2]))]
        return "\n".join([
            "-- --dialect rumur", "var a, b: -2..2; s: -2..2; x: 0..4; f: boolean;",
            "function least(v: -2..2; w: -2..2): -2..2; begin if v < w then return v; end; return w; end;",
            f"startstate a := {self.random.choice([0, 1])}; b := {self.random.choice([0, -1, 2])}; s := {self.random.choice([1, -1])}; x := 0; f := false; end;",
            'rule "up" a < 2 ==> a := a + 1; end;', 'rule "over" a = 2 ==> a := -2; b := (b = 2 ? -2 : b + 1); end;', *rules,
            f'invariant "i" x != {self.random.choice([2, 3, 4])} | !f;']) + "\n"


def ask(noether, model, options):
    done = subprocess.run([noether, "check", model, "--dialect", "rumur", "--deadlock", "off", "--json", "-", *options], capture_output=True,
                          text=True, errors="replace", timeout=patience.seconds(60), check=False)
    return done.returncode, json.loads(done.stdout) if done.returncode in (0, 1) else None


def differences(noether, text):
    """None: rumur refuses the model."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "model.m"
        path.write_text(text)
        answer = rumur_ask(path, "off", patience.seconds(60))
        if isinstance(answer, str):
            return None if ask(noether, path, WAYS[1])[0] == 2 else [answer]
        violated, states, rules = answer[0] == "violated", *answer[1:]
        found = []
        for options in WAYS + SETS:
            status, answer = ask(noether, path, options)
            if status != int(violated) and (options in WAYS or status != 3):
                found.append(f"{' '.join(options)}: exit status {status}, rumur says {'violated' if violated else 'holds'}")
            figures = answer["statistics"] if answer else {}
            if options in WAYS and not violated and status == 0 and (int(figures["states"]), int(figures["rules_fired"])) != (states, rules):
                found.append(f"{' '.join(options)}: {figures['states']} states, {figures['rules_fired']} rules fired, rumur has {states}, {rules}")
        return found


def compare(noether, seeds):
    """(passed, failed)"""
    passed = failed = refused = 0
    for seed in seeds:
        text = Loops(seed).model()
        found = differences(noether, text)
        refused += found is None
        passed, failed = passed + (not found), failed + bool(found)
        if found:
            print(f"FAILED loops of seed {seed}: {'; '.join(found)}\n{text}")
    print(f"loops: {passed + failed} random models, {refused} refused by rumur and by us")
    return passed, failed


if __name__ == "__main__":
    sys.exit(compare(sys.argv[1], range(int(sys.argv[2]), int(sys.argv[2]) + int(sys.argv[3])))[1] > 0)
