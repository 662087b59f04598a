#!/usr/bin/env python3
"""Chances and rewards within a time of a ctmc, against closed forms with 60 digits: the interval contains the value, and is narrow beside
the value itself, however small that is and whatever else happens meanwhile.

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
"""


def closed_forms(rate, time):
    kept = (-rate * time).exp()
    return {f"P=? [ F<={time} broken ]": 1 - kept, f"P=? [ G<={time} !broken ]": kept,
            f'R{{"down"}}=? [ I={time} ]': 1 - kept, f'R{{"down"}}=? [ C<={time} ]': time - (1 - kept) / rate}


def ask(binary, model, rate, formulas):
    words = [word for formula in formulas for word in ("--property", formula)]
    run = subprocess.run([binary, "check", str(model), "-D", f"often={rate}", *words, "--json", "-"], capture_output=True, text=True)
    results = [result["value"] for result in json.loads(run.stdout)["results"] if result["kind"] == "quantity"]
    return [(Decimal(value["lower"]), Decimal(value["upper"])) for value in results]


def main():
    found, passed = [], 0
    with tempfile.TemporaryDirectory() as folder:
        model = pathlib.Path(folder) / "part.sm"
        model.write_text(MODEL)
        for rate in ("0.5", "1e-3", "1e-9", "1e-14", "700"):
            for time in ("0.25", "3", "40"):
                wanted = closed_forms(Decimal(rate), Decimal(time))
                for (formula, value), (lower, upper) in zip(wanted.items(), ask(sys.argv[1], model, rate, wanted), strict=True):
                    # G is 1 less the chance of the opposite: narrow beside 1
                    size = Decimal(1) if "G" in formula else value
                    if lower <= value <= upper and upper - lower <= Decimal("1e-8") * size:
                        passed += 1
                    else:
                        found.append(f"rate {rate}, {formula}: {value:.20} and {lower} to {upper}")
    print("\n".join(found), end="\n" if found else "")
    print(f"{passed} passed, {len(found)} failed")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
