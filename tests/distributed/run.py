#!/usr/bin/env python3
"""Searches that are distributed over several processes give the answers of one process.

    tests/distributed/run.py NOETHER [--count N] [--seed N] [--only NUMBER] [--jobs N]

Each case draws a model (of the repository, or made at random), options, a number of ranks from 1 to 8, a number of threads of each,
and sometimes --disk. Verdicts, lengths of runs and all counts must be those of one process; runs are replayed. The same of searches
that are cut, and resumed from a checkpoint by other numbers of ranks. Then limits, signals, a rank that dies, and what is refused. Where there is no mpirun nothing is tested, and the summary says so. The seed is printed;
--only repeats one case."""
import concurrent.futures
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/checkpoint"))
sys.path.insert(0, str(ROOT / "tests"))
from answers import REFUSED, UNKNOWN, Folder, Lost, arguments_of, attempt, cut_and_resume, essence, insist_same, run, safety_models, tell  # noqa: E402
import children  # noqa: E402
import patience  # noqa: E402

MOST_STATES = 8000
JOBS = 4 # processes of MPI mostly wait for each other, at their start above all
CHOICES = [
    [], [], ["--symmetry", "off"], ["--symmetry", "declared"], ["--keep-going"], ["--keep-going", "--symmetry", "off"],
    ["--stepper", "evaluator"], ["--representative", "canonical"], ["--representative", "greedy"], ["--deadlock", "stuck"],
    ["--deadlock", "off"], ["--depth", "5"], ["--hash-compact"],
]
ENVIRONMENT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
               "OMPI_MCA_mpi_yield_when_idle": "1", "OMPI_MCA_btl": "self,vader", "OMPI_MCA_btl_vader_single_copy_mechanism": "none"}


def mpirun(ranks):
    return ["mpirun", "-q", "-n", str(ranks)]


def random_model(draw, folder):
    """Processes that move values around under guards; bugs of all kinds are likely."""
    size, top = draw.randrange(2, 4), draw.randrange(2, 4)
    lines = [f"type P: scalarset({size}); V: 0..{top};",
             "var x: array [P] of V; s: V; b: boolean;",
             "startstate \"begin\" for p: P do x[p] := 0; end; s := 0; b := false; end;"]
    tests = ["x[p] = {v}", "x[p] < {v}", "s != {v}", "b", "!b", "s = x[p]", "true"]
    steps = ["x[p] := {v}", "s := {v}", "b := !b", "x[p] := s", "s := x[p]", "if s < {t} then s := s + 1; end",
             "if x[p] < {t} then x[p] := x[p] + 1; end"]
    if draw.random() < 0.2:
        steps += ["assert s != {t} | x[p] != {t}", "x[p] := x[p] + 1"]
    for number in range(draw.randrange(2, 6)):
        fill = lambda text: text.format(v=draw.randrange(top + 1), t=top)  # noqa: E731
        guard = " & ".join(fill(draw.choice(tests)) for _ in range(draw.randrange(1, 3)))
        body = " ".join(fill(draw.choice(steps)) + ";" for _ in range(draw.randrange(1, 3)))
        lines.append(f"ruleset p: P do rule \"r{number}\" {guard} ==> begin {body} end; end;")
    lines.append(f"invariant \"one\" !(b & s = {draw.randrange(top + 1)} & forall p: P do x[p] = {draw.randrange(top + 1)} end);")
    lines.append(f"cover \"all\" forall p: P do x[p] = {draw.randrange(top + 1)} end;")
    (folder / "random.m").write_text("\n".join(lines) + "\n")
    return folder / "random.m"


def try_case(noether, number, seed):
    draw = random.Random(f"{seed} {number}")
    words = list(draw.choice(CHOICES))
    ranks, threads = draw.choice((1, 2, 2, 3, 4, 5, 8)), draw.choice((1, 1, 2))
    is_random, has_disk = draw.random() < 0.5, draw.random() < 0.15 and "--hash-compact" not in words
    label = f"case {number}"
    try:
        with Folder() as folder:
            model = random_model(draw, folder) if is_random else draw.choice(safety_models())
            label = f"{model.name} {' '.join(words)} {ranks} ranks, {threads} threads" + (", disk" if has_disk else "")
            command = [noether, "check", str(model), *words, "--engine", "explicit"]
            if "--stepper" not in words:
                command += ["--stepper", draw.choice(("vm", "vm", "vm", "native"))]
            status, said, answer = run([*command, "--threads", "1", "--states", str(MOST_STATES)], folder)
            depth_only = answer is not None and answer["stopped_kind"] == "depth"
            if status not in (0, 1) and not depth_only or answer is None or answer["stopped_kind"] == "states":
                return label, False, None # not a model for it
            disk = ["--disk", "."] if has_disk else []
            environment = ["env", "NOETHER_DISK_STATES=150"] if has_disk else []
            status, said, got = run([*mpirun(ranks), *environment, *command, *disk, "--threads", str(threads), "--distributed"],
                                    folder)
            if status == REFUSED and ("--distributed" in said or "--disk is for safety" in said):
                return label, False, None
            if got is None or "statistics" not in got:
                raise Lost(f"exit status {status}: {said.strip()} {got}")
            insist_same(essence(answer), got)
            return label, True, None
    except Lost as wrong:
        return label, True, str(wrong)
    except subprocess.TimeoutExpired:
        return label, True, "it does not end"


def try_kept(noether, number, seed):
    """Cut and resumed by other numbers of ranks, or by one process without MPI: the answer is that of one process."""
    draw = random.Random(f"{seed} kept {number}")
    words = [word for word in draw.choice(CHOICES) if word not in ("--depth", "5")]
    has_disk = draw.random() < 0.2 and "--hash-compact" not in words
    label = f"case {number}, kept"

    def way(draw):
        ranks = draw.choice((0, 1, 2, 2, 3, 4, 8))
        more = ["--threads", str(draw.choice((1, 1, 2)))] + (["--disk", "disk"] if has_disk else [])
        before = (mpirun(ranks) if ranks else []) + (["env", f"NOETHER_DISK_STATES={draw.choice((20, 150, 700))}"] if has_disk else [])
        return before, more + (["--distributed"] if ranks else []), []

    try:
        with Folder() as folder:
            model = random_model(draw, folder) if draw.random() < 0.4 else draw.choice(safety_models())
            label = f"{model.name} {' '.join(words)}, kept" + (", disk" if has_disk else "")
            words = [*words, "--stepper", "vm"] if "--stepper" not in words else words
            command = [noether, "check", str(model), *words, "--engine", "explicit"]
            status, said, answer = run([*command, "--threads", "1", "--states", str(MOST_STATES)], folder)
            if status not in (0, 1) or answer is None or answer["stopped_kind"] == "states":
                return label, False, None # not a model for it
            (folder / "disk").mkdir()
            status, said, _ = run([*mpirun(1), *command, "--distributed", "--checkpoint", "kept"], folder)
            if status == REFUSED and ("--checkpoint" in said or "--distributed" in said):
                return label, False, None
            cut_and_resume(noether, draw, [str(model), *words], essence(answer), folder, way)
            return label, True, None
    except Lost as wrong:
        return label, True, str(wrong)
    except subprocess.TimeoutExpired:
        return label, True, "it does not end"


# Many start states, and successors in bulk: each belongs to one rank.
STARTS = """var a: 0..9; b: 0..9; c: 0..9;
ruleset i: 0..9 do startstate a := i; b := 0; c := 0; endstartstate; endruleset;
rule a < 9 ==> a := a + 1; endrule;
rule a > 0 ==> a := a - 1; endrule;
rule b < 9 ==> b := b + 1; endrule;
rule c < 9 ==> c := c + 1; endrule;
invariant "small" a + b + c < 100;
"""


def try_starts(noether):
    with Folder() as folder:
        (folder / "model.m").write_text(STARTS)
        for ranks in (2, 4):
            _, said, answer = run([*mpirun(ranks), noether, "check", "model.m", "--deadlock", "off", "--distributed", "--stepper", "native"], folder)
            figures = answer and [answer["statistics"][name] for name in ("states", "depth")]
            if figures != [1000, 18]:
                raise Lost(f"{ranks} ranks: {figures} {said.strip()}")


LARGE = ["check", str(ROOT / "examples/german.m"), "-D", "NODE_NUM=5", "--symmetry", "off", "--engine", "explicit", "--stepper", "vm",
         "--distributed"]


def try_limit(noether, words, kind):
    with Folder() as folder:
        status, said, answer = run([*mpirun(3), noether, *LARGE, *words], folder)
        if answer is None or answer["stopped_kind"] != kind or status != UNKNOWN or answer["statistics"]["states"] < 100:
            raise Lost(f"exit status {status}, {answer and answer['stopped_by']}: {said.strip()}")
        if kind == "states" and answer["statistics"]["states"] > 30003:
            raise Lost(f"{answer['statistics']['states']} states")


def patient_mpirun():
    """When it ends ranks it kills them a second later, which is not enough for the last word of one that gets no processor."""
    return ["mpirun", "--mca", "odls_base_sigkill_timeout", str(round(patience.seconds(3))), "-n", "3"]


def start(noether, folder):
    """A search by three ranks. Each has done some work when this returns: it takes less to be there at all."""
    child = subprocess.Popen([*patient_mpirun(), noether, *LARGE, "--json", "answer.json"], cwd=folder, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True, start_new_session=True)
    return await_work(child)


def await_work(child):
    end = time.monotonic() + patience.seconds(60)
    while time.monotonic() < end:
        ranks = children.started_by(child.pid)
        if len(ranks) == 3 and all(children.busy_seconds(rank) > 0.4 for rank in ranks):
            break
        time.sleep(0.05)
    return child


def await_end(ranks):
    end = time.monotonic() + patience.seconds(60)
    while any(children.is_running(rank) for rank in ranks):
        if time.monotonic() > end:
            raise Lost("it does not end")
        time.sleep(0.05)


def finish(child):
    try:
        return patience.communicate(child, 30)[0]
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        raise Lost("it does not end") from None


def try_signal(noether, number):
    """mpirun hands the signal on as SIGTERM, and kills a while later."""
    with Folder() as folder:
        child = start(noether, folder)
        child.send_signal(number)
        said = finish(child)
        if "interrupted" not in said:
            raise Lost(said[-500:])


def try_death(noether):
    with Folder() as folder:
        child = start(noether, folder)
        os.kill(children.started_by(child.pid)[-1], signal.SIGKILL)
        said = finish(child)
        if child.returncode == 0 or "does not answer" not in said and "exited on signal 9" not in said and "Killed" not in said:
            raise Lost(f"exit status {child.returncode}: {said[-500:]}")


def read_manifest(folder):
    return json.loads((folder / "kept/manifest").read_text().split("\n", 1)[1])


def try_kept_death(noether, victim):
    """A rank is killed when there is a checkpoint: the message names it, and one process has all of it again."""
    with Folder() as folder:
        child = subprocess.Popen([*patient_mpirun(), noether, *LARGE, "--checkpoint", "kept", "--every", "0.2"], cwd=folder,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True)
        end = time.monotonic() + patience.seconds(60)
        while not (folder / "kept/manifest").exists() and time.monotonic() < end:
            time.sleep(0.05)
        ranks = children.started_by(child.pid)
        os.kill(ranks[victim], signal.SIGKILL)
        said = finish(child)
        await_end(ranks)  # mpirun does not: one that writes to the disk may be there for a while, and have the lock
        if child.returncode == 0 or "noether resume" not in said or "kept" not in said:
            raise Lost(f"exit status {child.returncode}: {said[-500:]}")
        manifest = read_manifest(folder)
        states = sum(segment["states"] for part in manifest["files"] for segment in part["segments"])
        words = ["resume", "kept", "--depth", str(max(1, manifest["search"]["depth"])), "--threads", "1"]
        status, said, answer = run([noether, *words], folder)
        if answer is None or answer["statistics"]["states"] != states or len(manifest["files"]) != 3:
            raise Lost(f"exit status {status}, {states} states, {answer and answer['statistics']['states']}: {said.strip()}")


def try_kept_signal(noether):
    """All is written when a signal ends the ranks: more than the last checkpoint that was due. The ranks get it from here: mpirun would sleep
    before it, and for as long behind it, before it kills. What it does when the ranks are gone is of no interest."""
    with Folder() as folder:
        aside = ["sh", "-c", 'exec "$@" >>said 2>&1', "rank"]
        child = subprocess.Popen(["mpirun", "--mca", "odls_base_sigkill_timeout", "600", "-n", "3", *aside, noether, *LARGE, "--checkpoint", "kept"],
                                 cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT, start_new_session=True)
        try:
            ranks = children.started_by(await_work(child).pid)
            for rank in ranks:
                os.kill(rank, signal.SIGTERM)
            await_end(ranks)
        finally:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
        said = (folder / "said").read_text()
        if len(ranks) != 3 or "noether resume" not in said or not (folder / "kept/manifest").exists():
            raise Lost(f"{len(ranks)} ranks: {said[-500:]}")


def try_kept_alone(noether):
    """Begun by several ranks, then resumed by one process, twice: its files were dealt by blocks, and no longer in the order of discovery."""
    with Folder() as folder:
        run([*mpirun(2), noether, *LARGE, "--depth", "60", "--checkpoint", "kept", "--states", "20000"], folder)
        run([noether, "resume", "kept", "--states", "40000"], folder)
        status, said, answer = run([noether, "resume", "kept", "--states", "60000"], folder)
        if status != UNKNOWN or answer is None or answer["statistics"]["states"] != 60000:
            raise Lost(f"exit status {status}: {said.strip()}")


# A run-time error of each of many rules: what was found is a good part of a checkpoint.
FAILING = """var a: 0..99; b: 0..99;
startstate a := 0; b := 0; endstartstate;
rule a < 99 ==> a := a + 1; endrule;
rule b < 99 ==> b := b + 1; endrule;
""" + "\n".join(f'rule a = {i % 60} & b = {i // 60 + 20} ==> assert "rule {i}" a > 99; endrule;' for i in range(400))


def violated_by(answer):
    return sum(result["verdict"] == "violated" for result in answer["results"])


def try_kept_findings(noether):
    """The time is over while findings are restored, in some ranks before others: all ranks end, and all findings come later."""
    with Folder() as folder:
        (folder / "model.m").write_text(FAILING)
        run([noether, "check", "model.m", "--engine", "explicit", "--deadlock", "off", "--keep-going", "--stepper", "vm", "--states", "6000",
             "--checkpoint", "kept"], folder)
        shutil.copytree(folder / "kept", folder / "again")
        # A rank has more than its share of the states, before any finding is read.
        status, said, answer = run([*mpirun(3), noether, "resume", "kept", "--distributed", "--states", "6000"], folder)
        if "no violation" in said or answer is None or answer["stopped_kind"] != "states":
            raise Lost(f"exit status {status}: {said.strip()}")
        for seconds in ("0.02", "0.05", "0.2", "1000"):
            if not (folder / "kept").exists(): # it was done in time
                shutil.copytree(folder / "again", folder / "kept")
            status, said, answer = run([*mpirun(3), noether, "resume", "kept", "--distributed", "--states", "100000", "--time", seconds], folder)
            if answer is None or answer["stopped_kind"] not in ("time", None) or answer["stopped_kind"] and not (folder / "kept").exists():
                raise Lost(f"{seconds} s, exit status {status}: {said.strip()}")
        if status != 1 or answer["stopped_kind"] or violated_by(answer) != 400 or answer["statistics"]["states"] != 10000:
            raise Lost(f"exit status {status}, {violated_by(answer)} violated: {said.strip()}")


def try_other_models(noether):
    """Ranks that read different models say so, whichever differ and however much."""
    with Folder() as folder:
        text = (ROOT / "examples/german.m").read_text()
        (folder / "one.m").write_text(text)
        (folder / "less.m").write_text(text.replace("NODE_NUM: 4", "NODE_NUM: 3"))
        (folder / "other.m").write_text(text.replace("Chan2[n].Cmd = Invalidate &", "", 1))
        if len({(folder / name).read_text() for name in ("one.m", "less.m", "other.m")}) != 3:
            raise Lost("the models do not differ")
        for name in ("less.m", "other.m"):
            words = [noether, "check", "one.m", "--engine", "explicit", "--distributed"]
            other = [noether, "check", name, "--engine", "explicit", "--distributed"]
            for first, second in ((words, other), (other, words)):
                status, said, _ = run([*mpirun(1), *first, ":", "-n", "1", *second], folder)
                if status != 3:
                    raise Lost(f"exit status {status}: {said.strip()}")


def try_table(noether):
    """A table of one row is that of one process. The ranks hold the same meetings, wherever the time ends: before the model is read,
    before the search or in it."""
    with Folder() as folder:
        shutil.copy(ROOT / "examples/german.m", folder / "model.m")
        check = [noether, "check", "model.m", "--engine", "explicit", "-D", "NODE_NUM=3", "--csv"]
        for words in ([*check, "one.csv"], [*mpirun(3), *check, "table.csv", "--distributed"]):
            status, said, _ = run(words, folder)
            if status != 0:
                raise Lost(f"exit status {status}: {said.strip()}")
        if (folder / "one.csv").read_text() != (folder / "table.csv").read_text():
            raise Lost("another table")
        for seconds in ("0.0001", "0.003", "0.01", "0.03"):
            status, said, _ = run([*mpirun(3), *check, "table.csv", "--distributed", "--time", seconds], folder)
            if status not in (0, 3):
                raise Lost(f"exit status {status}: {said.strip()}")


def try_kept_other_model(noether):
    with Folder() as folder:
        shutil.copy(ROOT / "examples/german.m", folder / "model.m")
        run([*mpirun(2), noether, "check", "model.m", "--engine", "explicit", "--distributed", "--checkpoint", "kept", "--states", "1000"], folder)
        (folder / "model.m").write_text((folder / "model.m").read_text().replace("NODE_NUM: 4", "NODE_NUM: 3"))
        before = sorted(os.listdir(folder / "kept"))
        for words in ([*mpirun(3), noether, "resume", "kept", "--distributed"], [noether, "resume", "kept"],
                      [*mpirun(2), noether, "resume", "nothing", "--distributed"]):
            status, said, _ = run(words, folder)
            if status != REFUSED or "are not what they were" not in said and "No such file" not in said:
                raise Lost(f"exit status {status}: {said.strip()}")
        if sorted(os.listdir(folder / "kept")) != before:
            raise Lost("the checkpoint has changed")


def try_unlike(noether, other, wanted):
    """Two ranks that are not alike: the second has something else before its command. It ends, and says why."""
    with Folder() as folder:
        shutil.copy(ROOT / "examples/german.m", folder / "model.m")
        words = ["check", "model.m", "--engine", "explicit", "--distributed", "--stepper", "native", "-D", "NODE_NUM=2"]
        cache = ["env", f"XDG_CACHE_HOME={folder}"]
        second = [*cache, *other, noether, *(word.replace("model.m", "none.m") if "model" in wanted else word for word in words)]
        done = subprocess.run(["mpirun", "-q", "-n", "1", *cache, noether, *words, ":", "-n", "1", *second], cwd=folder, capture_output=True, text=True,
                              timeout=patience.seconds(120), check=False)
        if done.returncode == 0 or wanted not in done.stdout + done.stderr:
            raise Lost(f"exit status {done.returncode}: {done.stdout}{done.stderr}")


# Two ranks, or more: what is behind `check model.m --distributed` in each; what is said, and what is not.
REFUSED_TOGETHER = {
    "several models": ([["other.m"], ["other.m"]], "one check of one model", "holds"),
    "--watch": ([["--watch"], ["--watch"]], "one check of one model", "holds"),
    "another option": ([[], ["--keep-going"]], "rank 1 has other options than rank 0: --keep-going", "refused to search"),
    "an option of the first rank only": ([["--symmetry", "off"], [], []], "rank 1 has other options than rank 0: --symmetry", "refused to search"),
    "another constant": ([["-D", "NODE_NUM=2"], ["-D", "NODE_NUM=3"]], "rank 1 has other options than rank 0: -D", "refused to search"),
    "no place for the answer": ([["--json", "no/where.json"]] * 3, "cannot write no/where.json", "others did not"),
}


def try_refused_together(noether, name):
    """All ranks end, with one message and exit status 2, instead of waiting for one another."""
    each, wanted, unwanted = REFUSED_TOGETHER[name]
    with Folder() as folder:
        for model in ("model.m", "other.m"):
            shutil.copy(ROOT / "examples/german.m", folder / model)
        words = []
        for more in each:
            words += [":" if words else "", "-n", "1", noether, "check", "model.m", *more, "--distributed"]
        done = subprocess.run(["mpirun", "-q", *words[1:]], cwd=folder, capture_output=True, text=True, timeout=patience.seconds(120), check=False)
        said = done.stdout + done.stderr
        if done.returncode != REFUSED or said.count(wanted) != 1 or unwanted in said:
            raise Lost(f"exit status {done.returncode}: {said.strip()}")


def try_least_memory(noether):
    """What MPI takes by itself does not count against a small limit of memory."""
    with Folder() as folder:
        (folder / "small.m").write_text("var x: 0..5; startstate x := 0; endstartstate; rule x < 5 ==> x := x + 1; endrule; rule x = 5 ==> x := 0; endrule;")
        for model, wanted in (("small.m", 0), (str(ROOT / "examples/german.m"), 3)):
            status, said, answer = run([*mpirun(2), noether, "check", model, "--distributed", "--engine", "explicit", "--memory", "1M"], folder)
            if status != wanted or answer is None or wanted and ("1 MiB" not in answer["stopped_by"] or not answer["statistics"]["states"]):
                raise Lost(f"exit status {status}: {answer and answer['stopped_by']} {said.strip()}")


def try_certificate(noether, model, ranks, words):
    """The states of all ranks: noether-verify accepts them, and they are as many as were found."""
    with Folder() as folder:
        (folder / "shared" / "noether-certificate").mkdir(parents=True)  # of somebody else
        words = ["env", "TMPDIR=shared", noether, "check", str(ROOT / model), "--distributed", "--certificate", "proof", *words]
        status, said, answer = run([*mpirun(ranks), *words], folder)
        if status or not (folder / "proof").exists():
            raise Lost(f"exit status {status}: {said.strip()}")
        told = subprocess.run([noether + "-verify", str(ROOT / model), "proof"], cwd=folder, capture_output=True, text=True, timeout=patience.seconds(120), check=False)
        if told.returncode not in (0, 3) or not told.stdout.startswith("accepted") or f"{answer['statistics']['states']} states" not in told.stdout:
            raise Lost(f"{told.returncode}: {told.stdout}{told.stderr}")
        if sorted(path.name for path in folder.iterdir() if path.name.startswith("proof")) != ["proof"]:
            raise Lost("files are left behind")
        if [path.name for path in (folder / "shared").iterdir()] != ["noether-certificate"]:
            raise Lost("parts are left behind")


CERTIFIED = [("examples/peterson.m", 3, []), ("examples/peterson.m", 2, ["--symmetry", "off", "--threads", "2"]), ("examples/msi.m", 4, []),
             ("tests/certificate/ring.m", 8, []), ("examples/german.m", 2, ["--disk", "."])]
UNLIKE = [(["env", "NOETHER_CC=/nowhere/cc"], "no native code"), ([], "refused to search, and others did not: are the model")]


USES = {
    "depth first": (["--search", "dfs"], "--distributed needs"),
    "partial-order reduction": (["--reduction", "por"], "--reduction por"),
    "a folder that is not there": (["--checkpoint", "no/where"], "No such file"),
    "CTL": (["--property", "ctl AG EF true;"], "--distributed is for safety"),
    "a table": (["-D", "NODE_NUM=2:3"], "one check"),
}


def try_use(noether, name):
    words, wanted = USES[name]
    with Folder() as folder:
        shutil.copy(ROOT / "examples/german.m", folder / "model.m")
        status, said, _ = run([*mpirun(2), noether, "check", "model.m", "--engine", "explicit", "--distributed", *words], folder)
        if status != REFUSED or wanted not in said:
            raise Lost(f"exit status {status}: {said.strip()}")


def try_forgotten(noether):
    """Several processes without --distributed: one of them says so, before they get into each other's way."""
    hint = "did you mean --distributed?"
    with Folder() as folder:
        shutil.copy(ROOT / "examples/german.m", folder / "model.m")
        for words, times in ((["check", "model.m", "-q", "--states", "2000", "--checkpoint", "kept"], 1), (["resume", "kept", "-q"], 1),
                             (["resume", "kept", "-q", "--distributed"], 0), (["symmetry", "model.m"], 0)):
            _, said, _ = run([*mpirun(2), noether, *words], folder)
            if said.count(hint) != times:
                raise Lost(f"{words}: {said.strip()}")


def try_without(noether):
    """The program alone, without the module: a clear refusal."""
    with Folder() as folder:
        shutil.copy(noether, folder / "noether")
        status, said, _ = run([str(folder / "noether"), "check", str(ROOT / "examples/german.m"), "--distributed"], folder)
        if status != REFUSED or "built without MPI" not in said:
            raise Lost(f"exit status {status}: {said.strip()}")


def special_cases():
    """Title, label, function and its arguments."""
    yield "starts", "many start states", try_starts
    for words, kind in ((["--time", "3"], "time"), (["--states", "30000"], "states"), (["--memory", "20M"], "memory")):
        yield "limit", " ".join(words), try_limit, words, kind
    for number in (signal.SIGTERM, signal.SIGINT):
        yield "signal", number.name, try_signal, number
    yield "a rank dies", "", try_death
    for victim in (0, 1):
        yield "a rank dies, kept", str(victim), try_kept_death, victim
    yield "signal, kept", "", try_kept_signal
    yield "another model", "", try_kept_other_model
    yield "ranks with other models", "", try_other_models
    yield "a table", "", try_table
    yield "alone, kept", "", try_kept_alone
    yield "without --distributed", "", try_forgotten
    yield "findings, kept", "", try_kept_findings
    for other, wanted in UNLIKE:
        yield "unlike", wanted, try_unlike, other, wanted
    for name in REFUSED_TOGETHER:
        yield "refused together", name, try_refused_together, name
    yield "the least memory", "", try_least_memory
    for model, ranks, words in CERTIFIED:
        yield "certificate", f"{model}, {ranks} ranks", try_certificate, model, ranks, words
    for name in USES:
        yield "refused", name, try_use, name


def main():
    arguments = arguments_of(40, JOBS)
    noether = arguments.noether
    os.environ.update(ENVIRONMENT)
    outcomes = [("", *attempt("without the module", try_without, noether))]
    if shutil.which("mpirun") and (pathlib.Path(noether).parent / "noether-mpi.so").exists():
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            waiting = [(title, pool.submit(attempt, label, work, noether, *more)) for title, label, work, *more in special_cases()
                       if arguments.only is None]
            waiting += [(f"case {number}", pool.submit(try_case, noether, number, arguments.seed)) for number in arguments.cases]
            waiting += [(f"case {number}", pool.submit(try_kept, noether, number, arguments.seed)) for number in arguments.cases]
            outcomes += [(title, *done.result()) for title, done in waiting]
    else:
        print("no MPI: nothing else is tested")
    return tell(outcomes)


if __name__ == "__main__":
    sys.exit(main())
