#!/usr/bin/env python3
"""Chances and rewards within a time of a ctmc, against closed forms with 60 digits: the interval contains the value, and is narrow beside
the value itself, however small that is and whatever else happens meanwhile. Where there are many states of which few matter, the value is
found forward from the initial state, unless few sweeps backward suffice; where that cannot be near enough, also through states that are next to nothing, or backward; and a value that would take too long is bounded.

    tests/prism/within_time.py NOETHER
"""
import json
import math
import pathlib
import subprocess
import sys
import tempfile
from decimal import Decimal, getcontext

getcontext().prec = 60
# A part that fails with a rate, and one that has nothing to do with it and is busy.
MODEL = """ctmc
const double often;
module part
  broken : bool init false;
  [] !broken -> often:(broken'=true);
endmodule
module other
  on : bool init false;
  [] on -> 500:(on'=false);
  [] !on -> 20:(on'=true);
endmodule
rewards "down" broken : 1; endrewards
rewards "third" broken : 1/3; endrewards
"""
# Such a part beside two queues that are nearly empty: 57,800 states.
QUEUES = """ctmc
const double often;
module part
  broken : bool init false;
  [] !broken -> often:(broken'=true);
endmodule
rewards "down" broken : 1; endrewards
rewards "third" broken : 1/3; endrewards
module queue1
  q1 : [0..169] init 0;
  [] q1<169 -> 1:(q1'=q1+1);
  [] q1>0 -> 12:(q1'=q1-1);
endmodule
module queue2 = queue1 [ q1=q2 ] endmodule
rewards "length" true : q1; endrewards
"""
RARE = "P=? [ F<=1000000 q1=169 & q2=169 ]"  # less than 1e-100
# Steps on a line: a Poisson process. What is expected does not settle while it goes on, and most of the states are never reached.
LINE = """ctmc
const double often;
const int LENGTH;
const int PLACE = 5;
module line
  s : [0..LENGTH] init 0;
  [] s<LENGTH -> often:(s'=s+1);
endmodule
rewards "far" true : s; endrewards
rewards "there" s=PLACE : 1; endrewards
"""

# Molecules that change fast between two kinds, and slowly to a third and back: 61,776 states, and 63,000 jumps within 20. Long steps, over a
# window of the states. Molecules do not depend on one another: what is expected is so many times that of one.
MOLECULES = """ctmc
const double often;
const int N = 350;
module molecules
  b : [0..N] init 0;
  c : [0..N] init 0;
  [] b+c<N -> (N-b-c):(b'=b+1);
  [] b>0 -> 9*b:(b'=b-1);
  [] b>0 & c<N -> often*b:(b'=b-1)&(c'=c+1);
  [] c>0 -> 0.02*c:(c'=c-1);
endmodule
rewards "done" true : c; endrewards
"""


def closed_forms(rate, time):
    kept = (-rate * time).exp()
    return {f"P=? [ F<={time} broken ]": 1 - kept, f"P=? [ G<={time} !broken ]": kept,
            f'R{{"down"}}=? [ I={time} ]': 1 - kept, f'R{{"down"}}=? [ C<={time} ]': time - (1 - kept) / rate,
            f'R{{"third"}}=? [ I={time} ]': (1 - kept) / 3}


def poisson_tail(mean, count):
    """The chance of at least so many."""
    term, below = (-mean).exp(), Decimal(0)
    if mean < count:  # small: from there on
        for k in range(1, count + 1):
            term = term * mean / k
        tail, k = Decimal(0), count
        while term > tail * Decimal("1e-55"):
            tail, k = tail + term, k + 1
            term = term * mean / k
        return tail
    for k in range(count):
        below, term = below + term, term * mean / (k + 1)
    return 1 - below


def on_a_line(time):
    time = Decimal(time)
    return {f"P=? [ F<={time} s=2000 ]": poisson_tail(time, 2000), f"P=? [ F<={time} s=6 ]": poisson_tail(time, 6),
            f'R{{"there"}}=? [ C<={time} ]': poisson_tail(time, 6), f'R{{"far"}}=? [ I={time} ]': time, f'R{{"far"}}=? [ C<={time} ]': time * time / 2}


def compare_line(model, length, time):
    """For the initial state only (forward, if that takes long), and for all (backward): the interval contains the value."""
    wanted = {form: value for form, value in on_a_line(time).items() if length > 2000 or "s=2000" not in form}
    forms = [*wanted, *(f'filter(max, {form}, "init")' for form in wanted)]
    bounds = ask(sys.argv[1], model, "1", forms, "-D", f"LENGTH={length}")
    found = [f"{length} states, {form}: {value:.20} and {lower} to {upper}"
             for form, value, (lower, upper) in zip(forms, [*wanted.values()] * 2, bounds, strict=True) if not lower <= value <= upper]
    if length > 2000 and Decimal(time) > 1000:  # more than few sweeps
        found += [f"{form}: forward and backward are the same to the last digit"
                  for i, form in enumerate(wanted) if "far" in form and bounds[i] == bounds[i + len(wanted)]]
        found += [f"{form}: {value:.20} and {lower} to {upper} is wide"  # next to nothing, 1e-34, also
                  for (form, value), (lower, upper) in zip(wanted.items(), bounds) if upper - lower > Decimal("1e-6") * value]
    return found, len(forms) - len(found)


def one_molecule(often, back, time):
    """The chance that it is of the third kind at the time, and for how long it is until then: the series of the exponential, in short steps."""
    moves = [(0, 1, Decimal(1)), (1, 0, Decimal(9)), (1, 2, often), (2, 0, back)]
    now, until, steps = [Decimal(1), Decimal(0), Decimal(0)], Decimal(0), 200
    length = time / steps
    for _ in range(steps):
        term, following = now, [Decimal(0)] * 3
        for k in range(1, 60):
            until += term[2] * length / k
            following = [one + other for one, other in zip(following, term, strict=True)]
            term = [sum((rate * term[source] * ((target == kind) - (source == kind)) for source, target, rate in moves), Decimal(0)) * length / k
                    for kind in range(3)]
        now = following
    return now[2], until


def binomial(count, chance, number):
    return math.comb(count, number) * chance ** number * (1 - chance) ** (count - number)


def compare_long(model, stays):
    """Long steps: the interval contains the value, and is narrow. `stays`: the same where the third kind stays what it is."""
    often, time, count = Decimal("0.05"), Decimal(20), 350
    chance, until = one_molecule(often, Decimal("0.02"), time)
    wanted = {f'R{{"done"}}=? [ I={time} ]': count * chance, f'R{{"done"}}=? [ C<={time} ]': count * until,
              f"P=? [ F[{time},{time}] c=27 ]": binomial(count, chance, 27)}
    chance, _ = one_molecule(often, Decimal(0), time)
    within = {f"P=? [ F<={time} c=25 ]": 1 - sum(binomial(count, chance, number) for number in range(25))}
    asked = [*((model, form) for form in wanted), *((stays, form) for form in within)]
    bounds = [ask(sys.argv[1], path, str(often), [form])[0] for path, form in asked]  # one by one: they would share what one has found
    found = [f"{form}: {value:.20} and {lower} to {upper}" for (form, value), (lower, upper) in zip((wanted | within).items(), bounds, strict=True)
             if not lower <= value <= upper or upper - lower > Decimal("1e-6") * value]
    return found, 4 - len(found)


def compare_slow(model):
    """A part that is repaired, slowly: both ways contain the value."""
    often, time = Decimal("0.001"), Decimal(100)
    gone = 1 - (-3 * often * time).exp()
    wanted = {f'R{{"down"}}=? [ I={time} ]': gone / 3, f'R{{"down"}}=? [ C<={time} ]': (time - gone / (3 * often)) / 3}
    forms = [*wanted, *(f'filter(max, {form}, "init")' for form in wanted)]
    bounds = ask(sys.argv[1], model, str(often), forms)
    found = [f"{form}: {value:.20} and {lower} to {upper}"
             for form, value, (lower, upper) in zip(forms, [*wanted.values()] * 2, bounds, strict=True) if not lower <= value <= upper]
    return found, len(forms) - len(found)


def ask(binary, model, rate, formulas, *more):
    words = [word for formula in formulas for word in ("--property", formula)]
    run = subprocess.run([binary, "check", str(model), "-D", f"often={rate}", *more, *words, "--json", "-"], capture_output=True, text=True)
    results = [result["value"] for result in json.loads(run.stdout)["results"] if result["kind"] == "quantity"]
    return [(Decimal(value["lower"]), Decimal(value["upper"])) for value in results]


def compare(model, rates, times, width):
    """What is wrong, and how many are right."""
    found, passed = [], 0
    for rate in rates:
        for time in times:
            wanted = closed_forms(Decimal(rate), Decimal(time))
            for (formula, value), (lower, upper) in zip(wanted.items(), ask(sys.argv[1], model, rate, wanted), strict=True):
                # G is 1 less the chance of the opposite: narrow beside 1
                size = Decimal(1) if "G" in formula else value
                if lower <= value <= upper and upper - lower <= Decimal(width) * size:
                    passed += 1
                else:
                    found.append(f"rate {rate}, {formula}: {value:.20} and {lower} to {upper}")
    return found, passed


def compare_ways(model):
    """Forward, and backward for all states: what both say is the same. And what is next to nothing."""
    forms = [f'R{{"length"}}=? [ {when} ]' for when in ("I=2", "C<=2", "C<=20")] + ["P=? [ F[1,2] q1=3 ]", "P=? [ q2<2 U<=2 q1=4 ]"]
    both = forms + [f'filter(max, {form}, "init")' for form in forms]
    bounds = ask(sys.argv[1], model, "0.5", both)
    found = [f"{form}: {one} and {other}" for form, one, other in zip(forms, bounds, bounds[len(forms):])
             if one[0] > other[1] or other[0] > one[1]]
    (lower, upper), = ask(sys.argv[1], model, "0.5", [RARE])
    found += [f"{RARE}: {lower} to {upper}"] if not 0 <= lower < upper <= Decimal("1e-12") else []
    return found, len(forms) + 1 - len(found)


def main():
    with tempfile.TemporaryDirectory() as folder:
        small, large, line, long = (pathlib.Path(folder) / name for name in ("part.sm", "queues.sm", "line.sm", "molecules.sm"))
        line.write_text(LINE)
        long.write_text(MOLECULES)
        stays = pathlib.Path(folder) / "stays.sm"
        stays.write_text(MOLECULES.replace("  [] c>0 -> 0.02*c:(c'=c-1);\n", ""))
        slow = pathlib.Path(folder) / "slow.sm"
        slow.write_text(QUEUES.replace("often:(broken'=true);", "often:(broken'=true);\n  [] broken -> 2*often:(broken'=false);"))
        small.write_text(MODEL)
        large.write_text(QUEUES)
        parts = [compare(small, ("0.5", "1e-3", "1e-9", "1e-14", "700"), ("0.25", "3", "40"), "1e-8"),
                 compare(large, ("0.5", "1e-14"), ("3",), "1e-6"), compare_ways(large), compare_slow(slow), compare_long(long, stays),
                 *(compare_line(line, length, time) for length, time in ((100, "0.001"), (60000, "0.001"), (60000, "0.01"), (60000, "2000"), (60000, "1500")))]
    found, passed = [line for lines, _ in parts for line in lines], sum(count for _, count in parts)
    print("\n".join(found), end="\n" if found else "")
    print(f"{passed} passed, {len(found)} failed")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
