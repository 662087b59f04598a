"""How long tests wait. A limit that is generous on a quiet machine is not one on a machine that does something else at the
same time: what is slow there is not wrong. So limits grow with the load."""
import os
import signal
import subprocess
import time

import children

PROCESSORS = os.cpu_count() or 1


def load():
    """How many processes want a processor, for each there is; at least 1."""
    return max(1.0, os.getloadavg()[0] / PROCESSORS)


def is_loaded():
    return load() > 1.5


def seconds(limit):
    """The limit, in seconds of a quiet machine, for the machine as it is now."""
    return limit * load()


def communicate(child, limit):
    """Its outputs, when it has ended. The load of the last minute, which is what limits grow with, may become known only while one waits."""
    begin = time.monotonic()
    while True:
        try:
            return child.communicate(timeout=max(begin + seconds(limit) - time.monotonic(), 0.01))
        except subprocess.TimeoutExpired:
            if time.monotonic() - begin >= seconds(limit):
                raise


def listens(pid, limit=60):
    """Waits until the program catches the signals that end it: one that comes earlier just kills it. False: it has ended, or does not."""
    end = time.monotonic() + seconds(limit)
    while children.is_running(pid) and time.monotonic() < end:
        if children.caught_signals(pid) >> (signal.SIGHUP - 1) & 1:
            return True
        time.sleep(0.001)
    return False


def works(pid, amount, limit=60):
    """Waits until the process has worked for so many seconds more: a pause would be too short where it gets no processor."""
    begin, end = children.busy_seconds(pid), time.monotonic() + seconds(limit)
    while children.is_running(pid) and children.busy_seconds(pid) < begin + amount and time.monotonic() < end:
        time.sleep(0.01)


def is_time_up():
    """Is the time that the whole of script/test has over? Then tests on random inputs, which come last, take no more of them."""
    return time.time() > float(os.environ.get("NOETHER_TEST_UNTIL", "inf"))


def many(count):
    """How many random inputs a test takes where it is not told: some times as many in `script/test thorough`."""
    return round(count * float(os.environ.get("NOETHER_TEST_TIMES", "1")))
