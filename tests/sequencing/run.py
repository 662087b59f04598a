#!/usr/bin/python3
"""Finds expressions whose meaning depends on an order of evaluation that C leaves open, in the syntax tree of every file:

    f(g(&x), x)      gcc on x86-64 reads x before g writes it, gcc on aarch64 and clang after
    f(g(&x), h(&x))  where g and h may both write
    {g(&x), x}       in an initialiser
    g(&x) + x        and other operators but &&, ||, the comma and ?:

A call is taken to write what it gets the address of, unless as a pointer to const; x may be a variable, or a part of one (also `p->field`:
g(&p->field) beside p->field). -Wsequence-point and -Wunsequenced do not see this: a call is a sequence point, only not one between its
neighbours.

    run.py [FILE...]   the files of build/compile_commands.json, or these

A file is looked at again when it, a header of ours, or this program has changed (build/sequencing.json); files that may be compiled together are
read together. Needs libclang (python3-clang)."""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import shlex
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "cmake"))
import batches

LINES = 4000  # of files that are read together
MEMORY = ROOT / "build" / "sequencing.json"
DEREFERENCED = "*"
SEEN = set()  # what stands in headers, by file and offset

try:
    from clang.cindex import Config, CursorKind as Kind, Index, TranslationUnit, TranslationUnitLoadError, TranslationUnitSaveError, TypeKind, conf
except ImportError:
    Config = None


def strip(cursor):
    """Without parentheses, implicit and explicit conversions."""
    while cursor.kind in (Kind.UNEXPOSED_EXPR, Kind.PAREN_EXPR, Kind.CSTYLE_CAST_EXPR):
        inner = [child for child in cursor.get_children() if child.kind.is_expression()]
        if len(inner) != 1:
            break
        cursor = inner[0]
    return cursor


def is_pointer(kind_of_type):
    return kind_of_type.get_canonical().kind == TypeKind.POINTER


def is_array(kind_of_type):
    return kind_of_type.get_canonical().kind in (TypeKind.CONSTANTARRAY, TypeKind.VARIABLEARRAY, TypeKind.INCOMPLETEARRAY)


def is_address_of(cursor, operand):
    """Is the unary operator & (or else *, or one that computes)? By the types: tokens say nothing inside macros."""
    return is_pointer(cursor.type) and cursor.type.get_canonical().get_pointee() == operand.type.get_canonical()


def is_dereference(cursor, operand):
    return is_pointer(operand.type) and operand.type.get_canonical().get_pointee() == cursor.type.get_canonical()


class Access:
    def __init__(self, place, is_write, cursor):
        self.place, self.is_write, self.cursor = place, is_write, cursor


def meet(written, other):
    """Does a write to one place change what is at the other?"""
    shorter = min(len(written), len(other))
    if written[:shorter] != other[:shorter]:
        return False
    return DEREFERENCED not in written[shorter:]  # a pointer stays the same when what it points to is written


class File:
    """A file, or several that may be compiled together (cmake/batches.py): their headers are read once."""

    def __init__(self, paths, arguments):
        self.problems = []
        text = "".join(f'#include "{path}"\n' for path in paths)
        name, unsaved = (paths[0], None) if len(paths) == 1 else (str(ROOT / "together.c"), [(str(ROOT / "together.c"), text)])
        self.unit = Index.create(excludeDecls=True).parse(name, args=arguments, unsaved_files=unsaved)
        self.sources = {path: pathlib.Path(path).read_bytes() for path in paths}
        errors = [problem for problem in self.unit.diagnostics if problem.severity >= 3]
        self.has_errors = bool(errors)
        if errors:
            self.problems.append(f"{paths[0]}: cannot be read: {errors[0].spelling}")
        for cursor in self.unit.cursor.get_children():
            if cursor.kind in (Kind.FUNCTION_DECL, Kind.VAR_DECL) and cursor.is_definition() and self.is_new(cursor.location):
                self.accesses(cursor)

    def is_new(self, location):
        """Ours, and not of a header that this process has seen in another file."""
        if not location.file or location.file.name in self.sources:
            return location.file is not None
        name = location.file.name
        if "/src/" not in name or (name, location.offset) in SEEN:
            return False
        SEEN.add((name, location.offset))
        return True

    # --- what an expression reads and writes ---

    def place(self, cursor):
        """What an lvalue names, as a tuple (variable, part...) or None; and what is accessed to find it."""
        cursor = strip(cursor)
        children = [child for child in cursor.get_children() if child.kind.is_expression()]
        if cursor.kind == Kind.DECL_REF_EXPR:
            named = cursor.referenced
            is_variable = named is not None and named.kind in (Kind.VAR_DECL, Kind.PARM_DECL)
            return ((named.hash,) if is_variable else None), []
        if cursor.kind == Kind.MEMBER_REF_EXPR and children:
            return self.part(children[0], (cursor.spelling,))
        if cursor.kind == Kind.ARRAY_SUBSCRIPT_EXPR:
            place, accessed = self.part(children[0], ())
            return place, accessed + self.accesses(children[1])
        if cursor.kind == Kind.UNARY_OPERATOR and is_dereference(cursor, children[0]):
            return self.part(children[0], ())
        return None, self.accesses(cursor)

    def part(self, base, names):
        """Of an aggregate, or of what a pointer points to, which is then read."""
        inner = strip(base)
        place, accessed = self.place(base)
        if is_pointer(inner.type):
            if place:
                accessed = accessed + [Access(place, False, inner)]
            return place and place + (DEREFERENCED,) + names, accessed
        return place and place + names, accessed

    def accesses(self, cursor):
        kind = cursor.kind
        if kind == Kind.CALL_EXPR:
            return self.call(cursor)
        if kind in (Kind.DECL_REF_EXPR, Kind.MEMBER_REF_EXPR, Kind.ARRAY_SUBSCRIPT_EXPR):
            return self.value(cursor)
        if kind == Kind.CXX_UNARY_EXPR:
            return []  # sizeof: not evaluated
        children = list(cursor.get_children())
        if kind == Kind.UNARY_OPERATOR:
            if is_address_of(cursor, children[0]):
                return self.place(children[0])[1]
            if is_dereference(cursor, children[0]):
                return self.value(cursor)
        parts = [self.accesses(child) for child in children]
        if kind == Kind.INIT_LIST_EXPR:
            self.compare(cursor, parts)
        elif kind == Kind.BINARY_OPERATOR:
            self.operator(cursor, children, parts)
        elif kind == Kind.COMPOUND_ASSIGNMENT_OPERATOR:
            self.compare(cursor, parts)
        elif not kind.is_expression():
            return []
        return [access for part in parts for access in part]

    def value(self, cursor):
        place, accessed = self.place(cursor)
        if place and not is_array(cursor.type):
            accessed = accessed + [Access(place, False, cursor)]
        return accessed

    def call(self, cursor):
        children = [child for child in cursor.get_children() if child.kind.is_expression()]
        if not children:
            return []
        parts = [self.accesses(child) for child in children]
        self.compare(cursor, parts)
        function = children[0].type.get_canonical()
        function = function.get_pointee() if function.kind == TypeKind.POINTER else function
        types = list(function.argument_types()) if function.kind == TypeKind.FUNCTIONPROTO else []
        for number, argument in enumerate(children[1:]):
            place = self.pointed(argument)
            if not place:
                continue
            wanted = types[number].get_canonical() if number < len(types) else None
            is_const = wanted is not None and (wanted.kind != TypeKind.POINTER or wanted.get_pointee().is_const_qualified())
            is_read_only = is_const or (wanted is None and strip(argument).kind != Kind.UNARY_OPERATOR)
            parts.append([Access(place, not is_read_only, argument)])
        return [access for part in parts for access in part]

    def pointed(self, argument):
        """The place whose address an argument is."""
        inner = strip(argument)
        if inner.kind == Kind.UNARY_OPERATOR:
            operand = next(iter(inner.get_children()))
            return self.place(operand)[0] if is_address_of(inner, operand) else None
        return self.place(inner)[0] if is_array(inner.type) else None

    # --- what has no order ---

    def operator(self, cursor, children, parts):
        """&&, || and the comma have an order; an assignment writes last, so that x = g(&x) is well."""
        if len(parts) != 2 or not self.clash(parts):
            return
        between = self.text_between(children[0], children[1])
        if between in ("&&", "||", ",") or between is None:
            return
        if between == "=":
            parts = [self.place(children[0])[1], parts[1]]
        self.compare(cursor, parts)

    def text_between(self, left, right):
        """The operator as it is written; None inside a macro."""
        end, begin = left.extent.end, right.extent.start
        if not end.file or not begin.file or end.file.name not in self.sources or end.offset >= begin.offset:
            return None
        return self.sources[end.file.name][end.offset:begin.offset].decode(errors="replace").strip(" \t\n()") or None

    def clash(self, parts):
        for number, part in enumerate(parts):
            for access in part:
                if access.is_write:
                    for other_number, other in enumerate(parts):
                        for beside in other if other_number != number else ():
                            if meet(access.place, beside.place):
                                return access, beside
        return None

    def compare(self, cursor, parts):
        found = self.clash(parts)
        if not found:
            return
        written, beside = found
        where, name = cursor.location, strip(written.cursor)
        text = self.words(written.cursor)
        what = "written" if beside.is_write else "read"
        self.problems.append(f"{where.file.name}:{where.line}: {text} is written by a call at {name.location.line}:"
                             f"{name.location.column} and {what} at {beside.cursor.location.line}:"
                             f"{beside.cursor.location.column}, in no order")

    def words(self, cursor):
        extent = cursor.extent
        source = self.sources.get(extent.start.file.name, b"") if extent.start.file else b""
        text = source[extent.start.offset:extent.end.offset].decode(errors="replace")
        return text.lstrip("&(") if 0 < len(text) < 60 else "a variable"


# What most files include of the C library is read once; it takes half of the time to read a file.
SYSTEM = ("math", "setjmp", "stdarg", "stdbool", "stddef", "stdint", "stdio", "stdlib", "string")


def read_system(folder):
    """The words that stand for these headers; none where they cannot be kept."""
    header, kept = pathlib.Path(folder) / "system.h", str(pathlib.Path(folder) / "system.pch")
    header.write_text("".join(f"#include <{name}.h>\n" for name in SYSTEM))
    try:
        Index.create().parse(str(header), args=["-x", "c-header", "-std=c11", "-D_GNU_SOURCE"],
                             options=TranslationUnit.PARSE_INCOMPLETE).save(kept)
    except (TranslationUnitLoadError, TranslationUnitSaveError):
        return []
    return ["-include-pch", kept]


def look(job):
    """The problems of each of some files. One that is known from a header is told with the first of them."""
    paths, system, arguments = job
    found = File(paths, system + arguments)
    if found.has_errors and system:  # a name of a header that the file does not include
        found = File(paths, arguments)
    if found.has_errors and len(paths) > 1:
        return [answer for path in paths for answer in look(([path], system, arguments))]
    problems = {path: set() for path in paths}
    for problem in found.problems:
        problems[next((path for path in paths if problem.startswith(path + ":")), paths[0])].add(problem)
    return [(path, sorted(told)) for path, told in problems.items()]


def together(jobs):
    """Jobs of one file each as jobs of several, the largest first."""
    words, found = dict(jobs), []
    for folder in sorted({pathlib.Path(path).parent for path in words if path.startswith(f"{ROOT}/src/")}):
        for batch in batches.batches(folder, LINES):
            paths = [str(file.path) for file in batch.files if words.get(str(file.path)) == words.get(str(batch.files[0].path))]
            found.append([path for path in paths if path in words])
    found += [[path] for path in sorted(set(words) - {path for paths in found for path in paths})]
    return [(paths, words[paths[0]]) for paths in sorted(found, key=len, reverse=True) if paths]


def jobs_of_build():
    """Each file once, with what matters of how it is compiled."""
    jobs = {}
    for entry in json.loads((ROOT / "build" / "compile_commands.json").read_text()):
        path = os.path.join(entry["directory"], entry["file"])
        if path.startswith(str(ROOT / "build")):
            continue  # embedded text
        words = shlex.split(entry["command"])
        others = [f"-I{folder}" for option, folder in zip(words, words[1:]) if option == "-isystem"]
        jobs[path] = [word for word in words if word.startswith(("-D", "-I", "-std"))] + others + ["-DNOETHER_SEQUENCING"]
    return sorted(jobs.items())


def digest(paths):
    whole = hashlib.sha256()
    for path in paths:
        whole.update(pathlib.Path(path).read_bytes())
    return whole.hexdigest()


def main():
    if Config is None:
        print("sequencing: skipped: there is no python3-clang")
        return 0
    files = sys.argv[1:]
    jobs = [(os.path.abspath(path), ["-std=c11", f"-I{ROOT}/src"]) for path in files] or jobs_of_build()
    headers = digest([__file__, *sorted(str(path) for folder in ("src", "include", "tests") for path in (ROOT / folder).rglob("*.h"))])
    known = json.loads(MEMORY.read_text()) if MEMORY.exists() and not files else {}
    marks = {path: headers + digest([path]) for path, _ in jobs}
    results = {path: known[path][1] for path in marks if known.get(path, [None])[0] == marks[path]}
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ProcessPoolExecutor(max_workers=os.cpu_count()) as pool:
        system = read_system(folder)
        missing = [(path, words) for path, words in jobs if path not in results]
        for answers in pool.map(look, [(paths, system, words) for paths, words in together(missing)]):
            results.update(answers)
    if not files:
        MEMORY.write_text(json.dumps({path: [marks[path], results[path]] for path in marks}))
    problems = sorted({problem for found in results.values() for problem in found})
    for problem in problems:
        print(problem.removeprefix(str(ROOT) + "/"))
    print(f"sequencing: {len(jobs)} files, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
