"""Noether, a model checker for systems made of many similar parts.

    import noether
    answer = noether.load("german.m", NODE_NUM=4).check()
    print(answer.verdict, answer.states, answer.represented)
    for result in answer.results:
        print(result.name, result.verdict)
        for step in result.trace or []:
            print(step.rule, step.parameters, step.state)

A check runs without the interpreter's lock; Ctrl-C ends it, with what is known by then.
"""
from __future__ import annotations

import ctypes
import json
import os
import threading
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Iterable, Iterator, List, Mapping, Optional, Tuple, Union

from . import _library

__all__ = ["Answer", "Model", "ModelError", "Refused", "Result", "Step", "load", "sweep", "version"]

Value = Union[bool, int, str, None, List[Any]]
Path = Union[str, "os.PathLike[str]"]
_DEADLOCKS = {"stuttering": 0, "stuck": 1, "off": 2}
_lib = _library.load()


class ModelError(Exception):
    """The model cannot be read, or has errors: its text has the diagnostics, with places."""


class Refused(Exception):
    """The engine does not support the model."""


@dataclass(frozen=True)
class Step:
    """A step of a run; the first is the start state. `state` is None where the step fails: then `fault` says how."""

    rule: str
    parameters: Dict[str, Value]
    state: Optional[Dict[str, Value]]
    fault: Optional[Dict[str, Any]] = None
    text: Optional[str] = None


@dataclass(frozen=True)
class Result:
    """What was found out about one property."""

    name: str
    kind: str
    verdict: str  # "holds", "violated", "unknown"
    reason: Optional[str]
    line: int
    trace: Optional[List[Step]]
    loop: Optional[int]  # the run goes on for ever: its last state is the one after this step
    bounds: Optional[Tuple[float, float]]  # of a number that was asked for
    raw: Mapping[str, Any] = field(repr=False, default_factory=dict)

    @property
    def value(self) -> Optional[float]:
        """The middle of the bounds."""
        return None if self.bounds is None else (self.bounds[0] + self.bounds[1]) / 2


@dataclass(frozen=True)
class Answer:
    """The answer to a check; `raw` is all of it, as docs/json.md says."""

    verdict: str
    complete: bool
    stopped_by: Optional[str]
    states: int
    represented: Optional[int]
    seconds: float
    results: List[Result]
    raw: Mapping[str, Any] = field(repr=False, default_factory=dict)

    def __getitem__(self, name: str) -> Result:
        for result in self.results:
            if result.name == name:
                return result
        raise KeyError(name)

    def __bool__(self) -> bool:
        """Does every property hold?"""
        return self.verdict == "holds"


def _take_text(pointer: Optional[int]) -> Optional[str]:
    if not pointer:
        return None
    try:
        return ctypes.cast(pointer, ctypes.c_char_p).value.decode(errors="replace")  # type: ignore[union-attr]
    finally:
        _lib.noether_free_text(pointer)


def _number(text: str) -> float:
    return float("inf") if text == "infinity" else float(text)


def _step(raw: Mapping[str, Any]) -> Step:
    parameters = {each["name"]: each["value"] for each in raw["parameters"]}
    return Step(raw["rule"], parameters, raw.get("state"), raw.get("fault"), raw.get("step"))


def _result(raw: Mapping[str, Any]) -> Result:
    value = raw.get("value")
    trace = raw.get("trace")
    return Result(raw["name"], raw["kind"], raw["verdict"], raw["reason"], raw["line"],
                  None if trace is None else [_step(step) for step in trace], raw.get("loop"),
                  None if not value else (_number(value["lower"]), _number(value["upper"])), raw)


def _answer(raw: Mapping[str, Any]) -> Answer:
    figures = raw["statistics"]
    represented = figures["represented"]
    return Answer(raw["verdict"], raw["complete"], raw["stopped_by"], int(figures["states"]),
                  None if represented is None else int(represented), figures["seconds"], [_result(each) for each in raw["results"]], raw)


Properties = Union[str, Iterable[str]]


def _property_text(properties: Optional[Properties]) -> Optional[bytes]:
    """One text, or several."""
    if properties is None or isinstance(properties, str):
        return None if properties is None else properties.encode()
    texts = list(properties)
    if not all(isinstance(text, str) for text in texts):
        raise TypeError("properties: a str, or several of them")
    return ";\n".join(text.rstrip().rstrip(";") for text in texts).encode()


class Model:
    """A loaded model. It may be checked several times, and by several threads."""

    def __init__(self, path: Path, properties_file: Optional[Path] = None, properties: Optional[Properties] = None, *,
                 load_seconds: float = 0, load_memory: int = 0, **defines: Any):
        texts = [f"{name}={str(value).lower() if isinstance(value, bool) else value}".encode() for name, value in defines.items()]
        array = (ctypes.c_char_p * (len(texts) + 1))(*texts, None)
        more = None if properties_file is None else os.fsencode(properties_file)
        asked = _property_text(properties)
        options, cancel = _options(load_seconds, load_memory)
        error = ctypes.c_void_p()
        self._handle = None
        self.path = os.fspath(path)

        def work() -> None:
            self._handle = _lib.noether_load_within(os.fsencode(path), array, more, asked, ctypes.byref(options), ctypes.byref(error), None)

        if _in_thread(work, cancel):
            raise KeyboardInterrupt
        message = _take_text(error.value)
        if not self._handle:
            raise ModelError(message or "the model cannot be loaded")

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            _lib.noether_free_model(self._handle)
            self._handle = None

    def check(self, *, symmetry: bool = True, depth_first: bool = False, keep_going: bool = False, deadlock: str = "stuttering",
              memory: int = 0, states: int = 0, seconds: float = 0, depth: int = 0, threads: int = 0, engine: Optional[str] = None) -> Answer:
        """Checks all properties. Limits of 0 are none; `engine` as --engine (default: chosen for the model)."""
        options, cancel = _options(seconds, memory)
        options.use_symmetry, options.depth_first, options.keep_going = symmetry, depth_first, keep_going
        if deadlock not in _DEADLOCKS:
            raise ValueError(f"deadlock is one of {', '.join(_DEADLOCKS)}, not {deadlock!r}")
        options.deadlock = _DEADLOCKS[deadlock]
        options.states, options.depth, options.threads = states, depth, threads
        options.engine = engine.encode() if engine else None
        return _run(self, options, cancel)


def _options(seconds: float, memory: int) -> Tuple[_library.Options, ctypes.c_int]:
    """With the flag that cancels."""
    cancel = ctypes.c_int(0)
    options = _library.Options()
    _lib.noether_init_options(ctypes.byref(options), ctypes.sizeof(options))
    options.seconds = seconds
    if memory:
        options.memory_bytes = memory
    options.cancel = ctypes.pointer(cancel)
    return options, cancel


def _in_thread(work: Callable[[], None], cancel: ctypes.c_int) -> bool:
    """In another thread, so that Ctrl-C reaches the interpreter. Was it pressed, and the work cancelled?"""
    done = threading.Event()
    is_cancelled = False

    def run() -> None:
        try:
            work()
        finally:
            done.set()

    def wait() -> None:
        while not done.wait(0.2):  # a signal that came just before a wait, or to another thread, would wait for its end
            pass

    threading.Thread(target=run).start()
    try:
        try:
            wait()
        except KeyboardInterrupt:  # once: what there is so far
            cancel.value = 1
            is_cancelled = True
            wait()
    except BaseException:
        cancel.value = 1
        raise
    return is_cancelled


def _run(model: Model, options: _library.Options, cancel: ctypes.c_int) -> Answer:
    """The other thread keeps the model, whatever is raised here. After Ctrl-C: the answer so far."""
    found: List[Any] = []

    def work() -> None:
        error = ctypes.c_void_p()
        result = _lib.noether_check_with(model._handle, ctypes.byref(options), ctypes.byref(error))
        found.extend([result, _take_text(error.value)])

    _in_thread(work, cancel)
    result, message = found
    if not result:
        raise Refused(message or "the engine does not support the model")
    try:
        return _answer(json.loads(_take_text(_lib.noether_json(result)) or "null"))
    finally:
        _lib.noether_free_result(result)


def load(path: Path, properties_file: Optional[Path] = None, properties: Optional[Properties] = None, *, load_seconds: float = 0,
         load_memory: int = 0, **defines: Any) -> Model:
    """Loads a model: `load("german.m", NODE_NUM=5)`. Properties come from a file, or as a text or several, besides those of the model.
    At a limit (seconds, bytes) it raises a ModelError."""
    return Model(path, properties_file, properties, load_seconds=load_seconds, load_memory=load_memory, **defines)


def sweep(path: Path, constant: str, values: Iterable[Any], properties_file: Optional[Path] = None, properties: Optional[Properties] = None,
          defines: Optional[Mapping[str, Any]] = None, **options: Any) -> Iterator[Tuple[Any, Answer]]:
    """The answer for each value of a constant, one after the other."""
    if properties is not None and not isinstance(properties, str):
        properties = list(properties)  # read again for each value
    for value in values:
        yield value, load(path, properties_file, properties, **{**(defines or {}), constant: value}).check(**options)


def version() -> str:
    """Of the library."""
    return _lib.noether_version().decode()
