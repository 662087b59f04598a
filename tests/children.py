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


def stop_all(number, frame):
    for group in list(LIVE):
        stop(group)
    sys.stdout.flush()
    os._exit(128 + number)


def end_with_us():
    """From now on signals that end this program end its children, too."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop_all)
