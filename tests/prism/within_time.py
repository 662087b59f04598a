#!/usr/bin/env python3
"""Chances and rewards within a time of a ctmc, against closed forms with 60 digits: the interval contains the value, and is narrow beside
the value itself, however small that is and whatever else happens meanwhile. Where there are many states of which few matter, the value is
found forward from the initial state; where that cannot be near enough, backward; and a value that is next to nothing is bounded.

    tests/prism/within_time.py NOETHER
"""
import json
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


def closed_forms(rate, time):
    kept = (-rate * time).exp()
    return {f"P=? [ F<={time} broken ]": 1 - kept, f"P=? [ G<={time} !broken ]": kept,
            f'R{{"down"}}=? [ I={time} ]': 1 - kept, f'R{{"down"}}=? [ C<={time} ]': time - (1 - kept) / rate,
            f'R{{"third"}}=? [ I={time} ]': (1 - kept) / 3}


def ask(binary, model, rate, formulas):
    words = [word for formula in formulas for word in ("--property", formula)]
    run = subprocess.run([binary, "check", str(model), "-D", f"often={rate}", *words, "--json", "-"], capture_output=True, text=True)
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
             if one[0] > other[1] or other[0] > one[1] or one == other]
    (lower, upper), = ask(sys.argv[1], model, "0.5", [RARE])
    found += [f"{RARE}: {lower} to {upper}"] if lower != 0 or not 0 < upper <= Decimal("1e-12") else []
    return found, len(forms) + 1 - len(found)


def main():
    with tempfile.TemporaryDirectory() as folder:
        small, large = (pathlib.Path(folder) / name for name in ("part.sm", "queues.sm"))
        small.write_text(MODEL)
        large.write_text(QUEUES)
        parts = [compare(small, ("0.5", "1e-3", "1e-9", "1e-14", "700"), ("0.25", "3", "40"), "1e-8"),
                 compare(large, ("0.5", "1e-14"), ("3",), "1e-6"), compare_ways(large)]
    found, passed = [line for lines, _ in parts for line in lines], sum(count for _, count in parts)
    print("\n".join(found), end="\n" if found else "")
    print(f"{passed} passed, {len(found)} failed")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
