#!/usr/bin/env python3
"""Long-run values of two queues in a row, whose rates are in balance: found with little memory, too, where an elimination that would help has no
room. By symmetry of the first queue, which is full as often as it is empty, half of its places are taken on average.

    tests/prism/long_run.py NOETHER
"""
import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import patience

MODEL = """ctmc
const int N = 300;
module first
  a : [0..N] init 0;
  [] a<N -> 1:(a'=a+1);
  [go] a>0 -> 1:(a'=a-1);
endmodule
module second
  b : [0..N] init 0;
  [go] b<N -> 1:(b'=b+1);
  [] b>0 -> 1:(b'=b-1);
endmodule
rewards "all" true : a+b; endrewards
"""


def ask(noether, model, *options):
    words = [noether, "check", str(model), "--property", 'R{"all"}=? [ S ]', "--json", "-", *options]
    done = subprocess.run(words, capture_output=True, text=True, timeout=patience.seconds(600), check=False)
    value = json.loads(done.stdout)["results"][-1]
    bounds = value.get("value") or {}
    return float(bounds.get("lower", "-inf")), float(bounds.get("upper", "inf")), done


def main():
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        model = pathlib.Path(folder) / "queues.prism"
        model.write_text(MODEL)
        for options in ([], ["--memory", "55M"], ["--memory", "50M"]):
            lower, upper, done = ask(sys.argv[1], model, *options)
            # A place of the first queue that is free is like one of the second that is taken: N in all, on average.
            if not lower <= 300 <= upper or upper - lower > 1e-2:
                failed += 1
                print(f"FAIL {options}: between {lower} and {upper}, expected 300\n{done.stdout[:2000]}{done.stderr}")
    print(f"{3 - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
