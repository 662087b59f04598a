"""Child processes in groups of their own: one that is stopped is stopped with all it has started, and none outlives the
program that runs the tests."""
import os
import signal
import subprocess
import sys

LIVE = set()


def start(words, **more):
    child = subprocess.Popen(words, stdin=subprocess.DEVNULL, start_new_session=True, **more)
    LIVE.add(child.pid)
    return child


def stop(group):
    """Everything in the group; nothing where there is none."""
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        pass


def ended(group):
    """It was waited for; what it has left behind is stopped."""
    LIVE.discard(group)
    stop(group)


def fields_of(process):
    """What the system says of it, from its state on; that of one that is gone is as of one that has ended."""
    try:
        with open(f"/proc/{process}/stat", encoding="ascii", errors="replace") as file:
            return file.read().rsplit(")", 1)[1].split()
    except OSError:
        return ["Z"] + ["0"] * 50


def is_running(process):
    return fields_of(process)[0] not in "ZX"


def busy_seconds(process):
    """That a processor was busy for it."""
    return sum(map(int, fields_of(process)[11:13])) / os.sysconf("SC_CLK_TCK")


def caught_signals(process):
    """A bit for each."""
    try:
        with open(f"/proc/{process}/status", encoding="ascii", errors="replace") as file:
            return next((int(line.split()[1], 16) for line in file if line.startswith("SigCgt:")), 0)
    except OSError:
        return 0


def started_by(process):
    return sorted(int(word) for word in subprocess.run(["pgrep", "-P", str(process)], stdout=subprocess.PIPE, text=True, check=False).stdout.split())


def stop_all(number, frame):
    for group in list(LIVE):
        stop(group)
    sys.stdout.flush()
    os._exit(128 + number)


def end_with_us():
    """From now on signals that end this program end its children, too."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop_all)
