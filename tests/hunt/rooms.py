"""Modules of other test folders. Several folders have a generate.py or a run.py, so only one folder is entered at a time:

    with rooms.entered("promela") as promela:
        promela("generate").generate(1)
"""
import contextlib
import importlib
import pathlib
import sys

TESTS = pathlib.Path(__file__).resolve().parents[1]
_kept = {}  # folder -> its modules, by name


@contextlib.contextmanager
def entered(folder):
    """Yields a function from the name of a module to the module. What is imported while the folder is entered comes from there."""
    own = {each.stem for each in (TESTS / folder).glob("*.py")}
    outside = {name: sys.modules.pop(name) for name in own if name in sys.modules}
    sys.modules.update(_kept.get(folder, {}))
    path = list(sys.path)
    sys.path[:0] = [str(TESTS / folder), str(TESTS)]
    try:
        yield importlib.import_module
    finally:
        sys.path[:] = path
        _kept[folder] = {name: sys.modules.pop(name) for name in own if name in sys.modules}
        sys.modules.update(outside)
