"""What a campaign has found: symptoms that are the same are one group; of each group a model is made small and written, with a row for tests/findings."""
import collections
import json
import pathlib
import re
import shutil
import tempfile

import inner
import rooms
import sources

def group(findings):
    """Of the same lane, language and symptom."""
    groups = collections.defaultdict(list)
    for each in findings:
        groups[each["lane"], each["language"], each["symptom"]].append(each)
    return sorted(groups.items(), key=lambda item: -len(item[1]))


def made_of(finding):
    if finding["text"] or finding["lane"] != "inner":
        return sources.Made(finding["text"], finding["extension"], finding["properties"])
    return sources.SOURCES[finding["source"]][1](finding["seed"])


def smaller(hunter, finding, options, seconds):
    """A smaller model with the same symptom, in the same drawn configurations; the model itself where it does not show it again."""
    made, salt = made_of(finding), f"{finding['source']}-{finding['seed']}"

    def shows(text):
        return finding["symptom"] in hunter.symptoms(sources.Made(text, made.extension, made.properties), salt, *options)

    if not shows(made.text):
        return made, False
    with rooms.entered("differential") as room:
        text = room("shrink").shrink(made.text, shows, seconds)
    return sources.Made(text, made.extension, made.properties), True


def name_of(finding):
    words = re.findall(r"[a-z]+", f"{finding['language']} {finding['symptom']}".lower())[:8]
    return "_".join(words)


def row(name, model, finding, count):
    options = re.sub(r" \([^)]*\)", "", finding["command"].split(" ", 3)[-1]) if finding["lane"] == "inner" else ""
    return (f"# {count} of the models; {finding['lane']}, {finding['source']} {finding['seed']}: {finding['detail'][:300]}\n[[row]]\nname = \"{name}\"\n"
            f"run = \"check {model} {options}\"\nexit = 0  # what it should be\nexpect = []\n").replace("\\", "\\\\")


def write(findings, folder, program, options=(), seconds=0):
    """Writes FOLDER/NAME/: the model, row.toml, finding.json. `seconds`: so long a model is made smaller. Yields lines for the summary."""
    folder = pathlib.Path(folder)
    with tempfile.TemporaryDirectory() as place:
        hunter = inner.Hunter(program, place)
        for (lane, language, symptom), members in group(findings):
            first = min(members, key=lambda each: len(each["text"]) or 10**6)
            made, is_small = smaller(hunter, first, options, seconds) if seconds and lane == "inner" else (made_of(first), False)
            name = name_of(first)
            home = folder / name
            shutil.rmtree(home, ignore_errors=True)
            home.mkdir(parents=True)
            model = f"{name}{made.extension}"
            (home / model).write_text(made.text)
            if made.properties:
                (home / model).with_suffix(".props").write_text(made.properties)
            (home / "row.toml").write_text(row(name, model, first, len(members)))
            about = {key: value for key, value in first.items() if key != "text"} | {"models": len(members), "seeds": [each["seed"] for each in members[:20]], "is_small": is_small}
            (home / "finding.json").write_text(json.dumps(about, indent=1) + "\n")
            yield f"{len(members):6} {lane} {language}: {symptom}  ({home})"
