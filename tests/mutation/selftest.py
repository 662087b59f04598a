#!/usr/bin/env python3
"""tests/mutation/selftest.py: script/mutate finds what it should, and tells what a test notices from what none does."""
import pathlib
import sys
import tempfile
import types

import mutants
import run
import table

SAMPLE = """
#define ENSURE(condition) ((condition) ? (void)0 : broken(#condition))
void broken(const char *what);
double clip(double x, double lower, double upper);
int sample(int a, int b, double *out)
{
    ENSURE(a < 100);
    if (a < b && out)
        *out = clip(0.5, a, b);
    for (int i = 0; i < a; i++)
        b += 3;
    broken("a < b");
    double lower = 0, upper = 1;
    return clip(*out, lower, upper) >= lower;
}
"""
EXPECTED = ["comparison: <  ->  <=", "operator: &&  ->  ||", "negation: a < b && out  ->  !(a < b && out)", "operator: +=  ->  -=",
            'dropped: broken("a < b")  ->  (nothing)', "constant: 3  ->  4", "swapped: lower, upper  ->  upper, lower", "side: lower  ->  upper",
            "comparison: >=  ->  >"]
POISSON = "src/numeric/poisson.c"


def sample_is_mutated():
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "sample.c").write_text(SAMPLE)
        found = [mutant.describe() for mutant in mutants.find(pathlib.Path(folder), "sample.c", [])]
    for wanted in EXPECTED:
        assert any(text.endswith(wanted) for text in found), f"no mutant {wanted!r} in {found}"
    line = SAMPLE[:SAMPLE.index("ENSURE(a")].count("\n") + 1
    assert not any(text.startswith(f"sample.c:{line}:") for text in found), "an assertion was mutated"
    assert found == sorted(found, key=lambda text: int(text.split(":")[1])), "not in the order of the text"


def outcome(campaign, mutant, tests):
    table.FIRST["numeric"] = tests
    return campaign.build_and_judge(mutant)["outcome"]


def mutants_are_told_apart():
    run.WORK = run.BUILD / "mutate-selftest"
    run.WORK.mkdir(parents=True, exist_ok=True)
    campaign = run.Campaign(types.SimpleNamespace(seed=1, minutes=None, first=True))
    dropped = next(mutant for mutant in campaign.source.of_file(POISSON) if mutant.kind == "dropped" and mutant.before.startswith("poisson.error ="))
    text = (run.ROOT / POISSON).read_text()
    begin = text.index("/*")
    comment = mutants.Mutant(POISSON, 1, "dropped", begin, text.index("*/") + 2, "", "")
    nonsense = mutants.Mutant(POISSON, 1, "dropped", 0, 0, "", "?")
    unit = table.unit("poisson")
    for mutant, tests, wanted in ((dropped, unit, "killed"), (dropped, [], "survived"), (comment, unit, "equivalent"), (nonsense, unit, "none")):
        found = outcome(campaign, mutant, tests)
        assert found == wanted, f"{mutant.describe()} with {tests}: {found}, expected {wanted}"


def choice_depends_on_the_seed_only():
    pick = lambda seed: [mutant.name() for mutant, _ in zip(run.Source(run.Builder(run.ROOT, run.BUILD), seed).of_room("engine/counter"), range(5))]
    assert pick(1) == pick(1) != pick(2)


def main():
    checks = (sample_is_mutated, mutants_are_told_apart, choice_depends_on_the_seed_only)
    failed = 0
    for check in checks:
        try:
            check()
        except AssertionError as wrong:
            failed += 1
            print(f"FAIL {check.__name__}: {wrong}")
    print(f"{len(checks) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
