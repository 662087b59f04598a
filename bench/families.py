"""The models of the benchmarks of choices: examples at their own sizes, and families at sizes that take seconds."""
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[1]
# A model and its constants: the families of the other benchmarks, at sizes that take seconds.
FAMILIES = [
    ("examples/german.m", {"NODE_NUM": 5}),
    ("examples/msi.m", {"CACHES": 6}),
    ("examples/mesi.m", {"CACHES": 6}),
    ("examples/flash.m", {"NODES": 3, "VALUES": 3}),
    ("examples/mcs-lock.m", {"N": 10}),
    ("examples/mcs-lock-counted.m", {"N": 8}),
    ("examples/mcs-lock-counted.m", {"N": 12}),
    ("examples/mcs-lock-counted.m", {"N": 16}),
    ("examples/peterson.m", {"N": 7}),
    ("examples/two-phase-commit.m", {"PARTICIPANTS": 5}),
    ("examples/two-phase-commit.m", {"PARTICIPANTS": 8}),
    ("examples/needham-schroeder.m", {"LOWE_FIX": 1, "INITIATORS": 3, "RESPONDERS": 3}),
    ("examples/resource-controller.m", {"REGULAR": 40, "PREMIUM": 40}),
    ("examples/readers-writers.m", {"READERS": 30, "WRITERS": 20}),
    ("examples/ring-election.m", {"N": 6}),
    ("examples/semaphore-mutex.m", {"N": 64, "L": 3}),
    ("examples/semaphore-mutex.m", {"N": 1000, "L": 3}),
    ("examples/semaphore-mutex.m", {"N": 32, "L": 8}),
    ("examples/semaphore-mutex.m", {"N": 64, "L": 16}),
    ("examples/semaphore-mutex.m", {"N": 256, "L": 128}),
    ("examples/token-mutex.m", {"N": 2000}),
    ("examples/ticket-lock.m", {"N": 6}),
    ("tests/models/adaptive/resource-controller.m", {"PROCS": 80, "CLASSES": 10, "SIZE": 1}),
    ("tests/models/adaptive/resource-controller.m", {"PROCS": 80, "CLASSES": 25, "SIZE": 2}),
    ("tests/models/adaptive/resource-controller.m", {"PROCS": 300, "CLASSES": 60, "SIZE": 2}),
    ("tests/models/adaptive/readers-writers.m", {"R": 10, "W": 5}),
    ("tests/models/adaptive/readers-writers.m", {"R": 60, "W": 30}),
    ("tests/models/complete/philosophers.m", {"N": 7}),
    ("tests/models/complete/readers-writers.m", {"R": 6, "W": 3}),
    ("tests/models/complete/sum-of-ids.m", {"N": 200}),
    *((f"bench/worst/{name}.m", {}) for name in ("two", "ring", "relation", "links", "slots", "numbers")),
]


def examples(*endings):
    """The examples of some languages."""
    return [(str(path.relative_to(ROOT)), {}) for path in sorted((ROOT / "examples").iterdir()) if path.suffix in endings]


def name(model, constants):
    return model + "".join(f" {key}={value}" for key, value in constants.items())


def definitions(constants):
    """As words of a command line."""
    return [word for key, value in constants.items() for word in ("-D", f"{key}={value}")]
