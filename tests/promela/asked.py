"""What is asked for with options that SPIN does not have, or has in another way."""
from compare import OFF, Refused, ask
from micro import FOLDER

ANY = ["--process-death", "any"]
STRONG, WEAK = ["--fairness", "strong"], ["--fairness", "weak"]
ACCEPT, PROGRESS = ["--property", "no acceptance cycle"], ["--property", "no non-progress cycle"]
# death-any: each of three processes has 9 local states, init 2 beside them.
# The model, options, and verdicts by property; "states", "represented": of the statistics; "refused": a part of the message.
CASES = [("fair-strong", STRONG, {"first": "holds", "some": "holds"}), ("fair-strong", WEAK, {"first": "violated", "some": "holds"}),
         ("fair-strong", [*STRONG, *OFF], {"first": "holds", "some": "holds"}), ("fair-ends", WEAK, {"stays": "violated"}),
         ("fair-ends", [*STRONG, *OFF], {"stays": "violated"}), ("accept", ["--cycles", "off"], {"no acceptance cycle": None}),
         ("accept", ["--cycles", "off", *ACCEPT], {"no acceptance cycle": "violated"}), ("fair-strong", ACCEPT, {"no acceptance cycle": "holds"}),
         ("fair-strong", PROGRESS, {"no non-progress cycle": "violated"}), ("fair-ends", PROGRESS, {"no non-progress cycle": "holds"}),
         ("progress", ["--cycles", "off"], {"no non-progress cycle": None}), ("accept-stands", WEAK, {"no acceptance cycle": "violated"}),
         ("death-any", [*ANY, *OFF], {"states": 1459}), ("death-any", ANY, {"states": 331, "represented": "1459"}),
         ("run", ANY, {"refused": "pids that are not known"}), ("accept", ["--fairness", "weak Looper"], {"refused": "is weak or strong"}),
         ("accept", ["--property", "x > 1"], {"refused": "stand in the model"}),
         ("crowd", ["--engine", "counter"], {"states": 81, "assert(inside == 1)": "holds"}),
         ("crowd", ["--engine", "counter", "-D", "N=200"], {"states": 100701, "assert(inside == 1)": "holds"}),
         ("crowd", ["--engine", "counter", "-D", "N=300"], {"states": 226051}), ("crowd", ["-D", "N=10001"], {"refused": "between 0 and 10000"}),
         ("crowd", ["--engine", "adaptive"], {"assert(inside == 1)": "holds"}), ("crowd", ["--engine", "symbolic"], {"assert(inside == 1)": "holds"})]


def compare_case(noether, model, options, wanted):
    try:
        answer = ask(noether, FOLDER / f"{model}.pml", *options, "--deadlock", "off", "--keep-going")
    except Refused as reason:
        if "refused" not in wanted or wanted["refused"] not in str(reason):
            yield f"refused: {reason}"
        return
    found = {result["name"]: result["verdict"] for result in answer["results"]} | {key: answer["statistics"][key] for key in ("states", "represented")}
    for name, value in wanted.items():
        if found.get(name) != value:
            yield f"{name}: {found.get(name)}, expected {value}"


def check_asked(noether):
    failed = 0
    for model, options, wanted in CASES:
        found = list(compare_case(noether, model, options, wanted))
        failed += bool(found)
        if found:
            print(f"FAILED {model} {' '.join(options)}: {'; '.join(found)}")
    return len(CASES) - failed, failed
