"""The functions of libnoether (include/noether.h), by ctypes."""
from __future__ import annotations

import ctypes
import ctypes.util
import os
from ctypes import POINTER, c_char_p, c_double, c_int, c_size_t, c_uint32, c_uint64, c_void_p

SONAME = "libnoether.so.0.2"


class Options(ctypes.Structure):
    """noether_options."""

    _fields_ = [
        ("struct_size", c_size_t), ("use_symmetry", c_int), ("depth_first", c_int), ("keep_going", c_int), ("deadlock", c_int),
        ("memory_bytes", c_uint64), ("states", c_uint64), ("seconds", c_double), ("depth", c_uint32), ("threads", c_uint32),
        ("engine", c_char_p), ("cancel", POINTER(c_int)),
    ]


# name, result, arguments; texts that the caller frees are pointers (c_void_p): ctypes would lose them as bytes.
_FUNCTIONS = [
    ("version", c_char_p, []),
    ("init_options", None, [POINTER(Options), c_size_t]),
    ("load_within", c_void_p, [c_char_p, POINTER(c_char_p), c_char_p, c_char_p, POINTER(Options), POINTER(c_void_p), POINTER(c_int)]),
    ("free_model", None, [c_void_p]),
    ("check_with", c_void_p, [c_void_p, POINTER(Options), POINTER(c_void_p)]),
    ("free_result", None, [c_void_p]),
    ("json", c_void_p, [c_void_p]),
    ("property_trace", c_void_p, [c_void_p, c_size_t]),
    ("free_text", None, [c_void_p]),
]


def load() -> ctypes.CDLL:
    """The library: $NOETHER_LIBRARY, else the one that is installed."""
    path = os.environ.get("NOETHER_LIBRARY") or SONAME
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(f"cannot load {path}: {error}; install libnoether0.2, or set NOETHER_LIBRARY") from error
    for name, result, arguments in _FUNCTIONS:
        function = getattr(library, "noether_" + name)
        function.restype, function.argtypes = result, arguments
    return library
