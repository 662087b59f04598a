"""Models of one construct each: what their head comments say must come out; and models with a table of SPIN's counts.

    /* noether: verdict=holds states=13 */
    /* noether: verdict=violated kinds=deadlock,assertion states=20 */      all states, were there no violations
    /* noether: ltl reached=holds fair:reached=holds */
    /* noether: symmetry=6 canonical=12 */                                  order of the group, representatives

The comments are written by `micro.py FILE...` from what SPIN says (symmetry and canonical: by hand)."""
import csv
import pathlib
import re
import sys

from compare import WAYS, Refused, ask, compare, compare_fair, compare_formulas
from spin import Spin
from truth import Truth

FOLDER = pathlib.Path(__file__).resolve().parents[1] / "models" / "promela"
LINE = re.compile(r"^/\* noether: (.*) \*/$", re.M)


def expectation(path):
    """(truth, more): more has the words that are not from SPIN."""
    truth, more = Truth(), {}
    found = LINE.findall(path.read_text())
    for word in " ".join(found).split():
        key, _, value = word.partition("=")
        if key == "states":
            truth.states = int(value)
        elif key == "kinds":
            truth.kinds = value.split(",")
        elif key in ("symmetry", "canonical"):
            more[key] = value
        elif value:
            truth.verdicts[f"{key[5:]} fair" if key.startswith("fair:") else key] = value
    verdict = truth.verdicts.pop("verdict", "")
    assert found and verdict == truth.verdict(), f"{path}: it does not say what is expected"
    truth.complete = bool(truth.states)
    return truth, more


def compare_symmetry(noether, path, more):
    answer = ask(noether, path, "--deadlock", "off")
    if "symmetry" in more and answer["symmetry"]["order"] != more["symmetry"]:
        yield f"a group of order {answer['symmetry']['order']}, expected {more['symmetry']}"
    if "canonical" in more and str(answer["statistics"]["states"]) != more["canonical"]:
        yield f"{answer['statistics']['states']} representatives, expected {more['canonical']}"


def check_folder(noether):
    passed = failed = 0
    for path in sorted(FOLDER.glob("*.pml")):
        truth, more = expectation(path)
        found = list(compare(noether, path, None, truth))
        if more:
            try:
                found += compare_symmetry(noether, path, more)
            except Refused as reason:
                found.append(f"refused: {reason}")
        passed, failed = passed + (not found), failed + bool(found)
        if found:
            print(f"FAILED {path.name}: {'; '.join(found)}")
    return passed, failed


def reference_truth(row):
    kinds = [kind for text, kind in (("assertion violated -", "index"), ("assertion violated (", "assertion"), ("invalid end", "deadlock"),
                                     ("in d_step", "d_step-blocks")) if text in row["messages"]]
    return Truth(int(row["plain states"]), "d_step" not in row["messages"], kinds)


def report(label, found, more=""):
    """(passed, failed) of one model."""
    print(f"{'FAILED' if found else 'ok    '} {label}: {'; '.join(found) or more}", flush=True)
    return int(not found), int(bool(found))


def reference_formulas(noether, folder, rows, model):
    """Formulas of one model; the table has verdicts without fairness and with weak fairness."""
    truth = Truth()
    for row in rows:
        truth.verdicts[row["ltl"]] = row["verdict (no fairness)"].split(":")[0]
        truth.verdicts[f"{row['ltl']} fair"] = row["verdict (weak fairness, pan -a -f)"].split(":")[0]
    for way, options in WAYS.items():
        try:
            yield from compare_formulas(ask(noether, folder / "ltl" / model, *options, "--deadlock", "off", "--keep-going"), truth, way)
            yield from compare_fair(noether, folder / "ltl" / model, truth, way)
        except Refused as reason:
            yield f"{way}: refused: {reason}"


def check_reference(noether, folder):
    if not (folder / "micro.tsv").exists():
        print("note: the table of reference models is not there")
        return 0, 0
    totals = []
    with open(folder / "micro.tsv", newline="") as table:
        for row in csv.DictReader(table, delimiter="\t"):
            found = list(compare(noether, folder / "micro" / row["model"], None, reference_truth(row)))
            totals.append(report(row["model"], found, f"{row['plain states']} states"))
    with open(folder / "ltl.tsv", newline="") as table:
        rows = list(csv.DictReader(table, delimiter="\t"))
    for model in sorted({row["model"] for row in rows}):
        found = list(reference_formulas(noether, folder, [row for row in rows if row["model"] == model], model))
        totals.append(report(model, found, "formulas"))
    passed, failed = map(sum, zip(*totals))
    return passed, failed


def measured(path):
    """The first lines of a model: what SPIN says."""
    text = path.read_text()
    with Spin(text) as spin:
        plain = spin.plain()
        assert not plain.refused, f"{path}: {plain.refused}"
        words = [f"verdict={plain.verdict()}", *([f"kinds={','.join(sorted(plain.kinds))}"] if plain.kinds else []),
                 *([f"states={plain.states}"] if plain.complete else [])]
        lines = [" ".join(words)]
        for name in re.findall(r"^ltl (\w+)", text, re.M):
            lines.append(f"ltl {name}={spin.formula(name).verdict()}" + (f" fair:{name}={spin.formula(name, fair=True).verdict()}" if "fair:" in text else ""))
        if re.search(r"^never", text, re.M):
            lines.append(f"claim={spin.accept().verdict()}")
        if "accept" in text and not re.search(r"^(never|ltl)", text, re.M):
            lines.append(f"accept={spin.accept().verdict()}")
        if "progress" in text:
            lines.append(f"progress={spin.progress().verdict()}")
    return lines


def main():
    for name in sys.argv[1:]:
        path = pathlib.Path(name)
        kept = [line for line in path.read_text().splitlines() if not LINE.match(line) or "symmetry=" in line]
        place = next(i for i, line in enumerate(kept) if not line.startswith("/*") and not line.startswith(" *"))
        lines = [f"/* noether: {line} */" for line in measured(path)]
        path.write_text("\n".join([*kept[:place], *lines, *kept[place:]]) + "\n")


if __name__ == "__main__":
    main()
