"""How long tests wait. A limit that is generous on a quiet machine is not one on a machine that does something else at the
same time: what is slow there is not wrong. So limits grow with the load."""
import os
import time

PROCESSORS = os.cpu_count() or 1


def load():
    """How many processes want a processor, for each there is; at least 1."""
    return max(1.0, os.getloadavg()[0] / PROCESSORS)


def is_loaded():
    return load() > 1.5


def seconds(limit):
    """The limit, in seconds of a quiet machine, for the machine as it is now."""
    return limit * load()


def is_time_up():
    """Is the time that the whole of script/test has over? Then tests on random inputs, which come last, take no more of them."""
    return time.time() > float(os.environ.get("NOETHER_TEST_UNTIL", "inf"))


def many(count):
    """How many random inputs a test takes where it is not told: some times as many in `script/test thorough`."""
    return round(count * float(os.environ.get("NOETHER_TEST_TIMES", "1")))
