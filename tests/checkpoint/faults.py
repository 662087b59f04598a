#!/usr/bin/env python3
"""Searches that are killed, or whose disk is full, lose nothing.

    tests/checkpoint/faults.py NOETHER [--kills N] [--full N] [--seed N] [--only KIND NUMBER] [--jobs N]

kill: the process gets SIGKILL (now and then SIGTERM) at a random time, is resumed with another number of threads, killed
again, and so on; at last it is let alone. Some searches have their visited states on the disk (--disk); some are those of several
ranks (--distributed, where there is mpirun): then one rank is killed, or all of them and mpirun, and others go on, as many or not, or
one process without MPI.
full: files cannot grow beyond a random size (a small file system where one may be mounted, else the limit of the system on
the size of files, or --disk-limit). The search must come to its end all the same, or is cut in between; then it is resumed from what
was written last, with room on the disk.

The answer must be that of a search in one piece: verdicts, lengths of runs, every count. Nothing may be left behind: no
checkpoint, no temporary file. The seed is printed; --only repeats one fault."""
import argparse
import concurrent.futures
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time

from answers import HANG, REFUSED, ROOT, Folder, Lost, children, essence, insist_nothing_left, insist_same, patience

KILLS = 4 # of one search, at most
MODELS = [
    ("examples/german.m", ["-D", "NODE_NUM=3", "--symmetry", "off"]),
    ("examples/german.m", ["-D", "NODE_NUM=5"]),
    ("examples/german-bug.m", ["-D", "NODE_NUM=4", "--symmetry", "off"]),
    ("examples/german-bug.m", ["-D", "NODE_NUM=5", "--hash-compact"]),
    ("examples/mcs-lock.m", ["-D", "N=5", "--symmetry", "off"]),
    ("examples/mcs-lock.m", ["-D", "N=7"]),
    ("examples/peterson.m", ["-D", "N=6"]),
    ("examples/flash.m", ["--representative", "greedy"]),
    ("examples/snoopy-cache.pml", ["--keep-going"]),
]


SMALL = MODELS[:1] + MODELS[4:5] # for ranks, which share a few processors
MPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
       "OMPI_MCA_mpi_yield_when_idle": "1", "OMPI_MCA_btl": "self,vader", "OMPI_MCA_btl_vader_single_copy_mechanism": "none"}
SLOWER = {"plain": 1, "disk": 2, "ranks": 4} # than the search in one piece, about


def settings(noether):
    """In which searches meet with faults: how many of a hundred."""
    has_ranks = shutil.which("mpirun") and os.path.exists(os.path.join(os.path.dirname(noether), "noether-mpi.so"))
    return {"plain": 40, "disk": 30, "ranks": 30} if has_ranks else {"plain": 60, "disk": 40}


def environment(folder):
    temporary = folder / "tmp"
    temporary.mkdir(exist_ok=True)
    return {**os.environ, **MPI, "TMPDIR": str(temporary), "OMPI_MCA_btl_vader_backing_directory": str(temporary),
            "NOETHER_DISK_STATES": "5000"}


def start(words, folder, limits=None):
    """The answer comes through a pipe: files may be limited."""
    return subprocess.Popen([*words, "--json", "-", "--every", "0.02"], cwd=folder, env=environment(folder),
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace", preexec_fn=limits,
                            start_new_session=True)


def processes(option, process):
    """What mpirun has started (-P), or all of its session (-s) that is left."""
    return [int(word) for word in subprocess.run(["pgrep", option, str(process.pid)], stdout=subprocess.PIPE, text=True, check=False).stdout.split()]


def send(victims, number):
    for victim in victims:
        try:
            os.kill(victim, number)
        except ProcessLookupError: # it has just ended
            pass


def kill_session(process):
    send([process.pid], signal.SIGKILL)
    while left := [each for each in processes("-s", process) if each != process.pid]: # it may have started one more
        send(left, signal.SIGKILL)
        time.sleep(0.02)


def wait_for(process):
    """mpirun ends when a rank has died; now and then, when that one was just starting, it waits for it for ever."""
    end = time.monotonic() + patience.seconds(10)
    while process.poll() is None and time.monotonic() < end:
        is_alone = not any(children.is_running(each) for each in processes("-s", process) if each != process.pid)
        end = min(end, time.monotonic() + 3) if is_alone else end
        time.sleep(0.05)
    if process.poll() is None:
        kill_session(process)


def strike(draw, process, is_distributed):
    """Kills it, or one of its ranks, or all of them."""
    if not is_distributed:
        process.send_signal(draw.choice((signal.SIGKILL, signal.SIGKILL, signal.SIGKILL, signal.SIGTERM)))
        return
    kind, ranks = draw.choice(("one", "one", "all", "term")), processes("-P", process)
    if kind == "one" and ranks:
        send([draw.choice(ranks)], signal.SIGKILL)
        wait_for(process)
    elif kind == "term":
        process.send_signal(signal.SIGTERM)
    else:
        kill_session(process)


def finish(process):
    """Exit status, what was said, the answer or None."""
    try:
        answer, said = patience.communicate(process, HANG)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise Lost("it does not come to an end") from None
    end = time.monotonic() + patience.seconds(HANG)
    while any(children.is_running(each) for each in processes("-s", process)) and time.monotonic() < end: # mpirun does not wait for all
        time.sleep(0.02)
    try:
        document = json.loads(answer) if answer.strip() else None
    except json.JSONDecodeError:
        document = None
    return process.returncode, said, document


def is_kept(folder):
    return (folder / "kept/manifest").exists()


def command_of(noether, draw, model, words, folder, setting="plain"):
    """The check, or its continuation where there is one."""
    more, before = ["--threads", str(draw.choice((1, 2, 3)))], []
    if setting == "disk":
        (folder / "disk").mkdir(exist_ok=True)
        more += ["--disk", "disk"]
    if setting == "ranks":
        ranks = draw.choice((0, 2, 2, 3, 4)) if is_kept(folder) else draw.choice((2, 3, 4))
        more = [*(["--distributed"] if ranks else []), "--threads", "1"]
        before = ["mpirun", "-q", "-n", str(ranks)] if ranks else []
    if is_kept(folder):
        return [*before, noether, "resume", "kept", "--time", "1000", *more]
    return [*before, noether, "check", str(ROOT / model), *words, "--engine", "explicit", "--checkpoint", "kept", *more]


def insist_clean(folder):
    # The folder of a compiler, or of mpirun, that was killed with its program stays: it is none of the search; nor is its memory.
    left = [path.name for path in (folder / "tmp").iterdir() if not path.is_dir() and not path.name.startswith("vader_segment")]
    if left:
        raise Lost(f"temporary files were left: {left}")
    shutil.rmtree(folder / "tmp")
    insist_nothing_left(folder)


def conclude(noether, draw, model, words, expected, folder, setting):
    """In one piece from here on."""
    status, said, answer = finish(start(command_of(noether, draw, model, words, folder, setting), folder))
    if answer is None:
        raise Lost(f"exit status {status}: {said.strip()}")
    insist_same(expected, answer)
    insist_clean(folder)


def kill(noether, draw, model, words, expected, seconds, folder, setting):
    resumed = 0
    for _ in range(draw.randrange(1, KILLS + 1)):
        command = command_of(noether, draw, model, words, folder, setting)
        process = start(command, folder)
        time.sleep(draw.random() * 1.2 * seconds * SLOWER[setting])
        strike(draw, process, command[0] == "mpirun")
        status, said, answer = finish(process)
        if status == REFUSED:
            raise Lost(f"refused: {said.strip()}")
        if answer and answer["stopped_kind"] != "interrupted":
            insist_same(expected, answer)
        resumed += is_kept(folder)
    conclude(noether, draw, model, words, expected, folder, setting)
    return resumed


def limit_files(size):
    def limits():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN) # a write fails then, as on a full disk
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
    return limits


class SmallDisk:
    """A file system of a few pages in place of the checkpoint's folder, where one may be mounted; else nothing."""

    def __init__(self, folder, size):
        self.path = folder / "kept"
        self.path.mkdir()
        self.is_mounted = self.mount(f"size={size}")
        if not self.is_mounted:
            self.path.rmdir()

    def mount(self, options):
        return subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(self.path)], stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, check=False).returncode == 0

    def make_room(self):
        if self.is_mounted and not self.mount("remount,size=1G"):
            raise Lost("the file system cannot be made larger")

    def insist_empty(self):
        """A mounted folder cannot be removed by the program."""
        if self.is_mounted and os.listdir(self.path):
            raise Lost(f"left behind: {os.listdir(self.path)}")
        self.end()

    def end(self):
        if self.is_mounted:
            subprocess.run(["umount", str(self.path)], check=True)
            self.path.rmdir()
        self.is_mounted = False


def fill(noether, draw, model, words, expected, seconds, folder, setting):
    """Of ranks it is the checkpoint's disk that is full, of --disk the one, the other or both."""
    size = int(expected["states"] * (40 if setting == "disk" else 8) * draw.random() ** 2) + 1
    more = ["--time", f"{draw.random() * seconds * SLOWER[setting] + 0.05:.3f}"] if draw.random() < 0.6 else []
    has_limit = setting == "disk" and draw.random() < 0.4
    disk = SmallDisk(folder, size) if (draw.random() < 0.5 or setting == "ranks") and not has_limit else None
    # The memory that ranks share is a file, too: it must not be limited.
    limits = None if has_limit or setting == "ranks" or disk and disk.is_mounted else limit_files(size)
    more += ["--disk-limit", str(size)] if has_limit else []
    try:
        command = [*command_of(noether, draw, model, words, folder, setting), *more, "--stepper", "vm"]
        status, said, answer = finish(start(command, folder, limits))
        if answer is None:
            raise Lost(f"exit status {status}: {said.strip()}")
        was_full = "could not be written" in said or answer["stopped_kind"] == "memory"
        if answer["stopped_kind"] == "time" or setting == "disk" and answer["stopped_kind"] == "memory":
            if is_kept(folder) and "noether resume" not in said:
                raise Lost(f"nothing is said of the checkpoint: {said.strip()}")
            if disk:
                disk.make_room()
            room = ["--disk-limit", "100G"] if has_limit else []
            status, said, answer = finish(start([*command_of(noether, draw, model, words, folder, setting), *room], folder))
            if answer is None:
                raise Lost(f"resumed, exit status {status}: {said.strip()}")
        insist_same(expected, answer)
        if disk:
            disk.insist_empty()
        insist_clean(folder)
        return was_full
    finally:
        if disk:
            disk.end()


KINDS = {"kill": kill, "full": fill}


def try_fault(noether, kind, number, seed, references):
    draw = random.Random(f"{seed} {kind} {number}")
    shares = settings(noether)
    setting = draw.choices(list(shares), list(shares.values()))[0]
    models = SMALL if setting == "ranks" else [row for row in MODELS if setting != "disk" or "--hash-compact" not in row[1]]
    model, words = draw.choice(models)
    expected, seconds = references[model, *words]
    label = f"{kind} {number}, {setting}: {model} {' '.join(words)}"
    with Folder() as folder:
        try:
            return label, KINDS[kind](noether, draw, model, words, expected, seconds, folder, setting), None
        except Lost as wrong:
            return label, 0, str(wrong)


def refer(noether, model, words):
    """The answer in one piece, and how long it takes."""
    with Folder() as folder:
        begin = time.monotonic()
        process = subprocess.Popen([noether, "check", str(ROOT / model), *words, "--engine", "explicit", "--threads", "1",
                                    "--json", "-"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder)
        status, said, answer = finish(process)
        if answer is None:
            raise SystemExit(f"{model}: exit status {status}: {said}")
        return essence(answer), time.monotonic() - begin


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("noether")
    parser.add_argument("--kills", type=int, default=12)
    parser.add_argument("--full", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1 if os.environ.get("CI") else int(time.strftime("%Y%m%d")))
    parser.add_argument("--only", nargs=2)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    noether = os.path.abspath(arguments.noether)
    faults = [("kill", number) for number in range(arguments.kills)] + [("full", number) for number in range(arguments.full)]
    if arguments.only:
        faults = [(arguments.only[0], int(arguments.only[1]))]
    print(f"seed {arguments.seed}")
    references = {(model, *words): refer(noether, model, words) for model, words in MODELS}
    hits, met = {"kill": 0, "full": 0}, {}
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        work = pool.map(lambda fault: try_fault(noether, *fault, arguments.seed, references), faults)
        for (kind, _), (label, count, wrong) in zip(faults, work):
            hits[kind] += count
            setting = label.split(", ")[1].split(":")[0]
            met[kind, setting] = met.get((kind, setting), 0) + 1
            failed += bool(wrong)
            if wrong:
                print(f"FAILED {label}: {wrong}", flush=True)
    print(", ".join(f"{kind} {setting}: {count}" for (kind, setting), count in sorted(met.items())))
    print(f"{hits['kill']} resumed after they were killed, {hits['full']} found the disk full")
    print(f"{len(faults) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
