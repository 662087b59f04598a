#!/usr/bin/env python3
"""Optional parts (MPI, CaDiCaL, cmocka, BuDDy) never break the build: tests/parts/run.py

CMake is run with each of them absent, and half there: a compiler wrapper whose headers are missing, a header without its
library, a library without the functions. It must say that the part is left out, and go on. With half of MPI the rooms
that know of optional parts are built, too. A part that is there as it should be stays in use."""
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
LEFT_OUT = "{} cannot be used"


def write_tool(path, text):
    path.write_text("#!/bin/sh\n" + text)
    path.chmod(0o755)
    return path


def make_fakes(folder):
    """A header without a library, a library without functions, and wrappers of MPI that lead nowhere."""
    (folder / "empty").mkdir()
    for name in ("ccadical.h", "cmocka.h", "bdd.h", "mpi.h"):
        (folder / name).write_text("/* nothing */\n")
    (folder / "none.c").write_text("int nothing_of_use;\n")
    subprocess.run(["cc", "-c", "none.c"], cwd=folder, check=True)
    subprocess.run(["ar", "rc", "libnone.a", "none.o"], cwd=folder, check=True)
    write_tool(folder / "mpicc", f"""case "$*" in
*compile*) echo "-I{folder}/nowhere/include" ;;
*link*) echo "-L{folder} -lnone" ;;
*) exec cc -I{folder}/nowhere/include "$@" ;;
esac
""")
    write_tool(folder / "mpicc-empty", f"""case "$*" in
*compile*) echo "-I{folder}" ;;
*link*) echo "-L{folder} -lnone" ;;
*) exec cc -I{folder} "$@" ;;
esac
""")


def cases(folder):
    """Title, what CMake is told, the part that is left out."""
    yield "MPI is absent", ["-DCMAKE_DISABLE_FIND_PACKAGE_MPI=ON"], "MPI"
    yield "mpicc without headers", [f"-DMPI_C_COMPILER={folder}/mpicc"], "MPI"
    yield "mpicc without functions", [f"-DMPI_C_COMPILER={folder}/mpicc-empty"], "MPI"
    for name, variable in (("CaDiCaL", "CADICAL"), ("cmocka", "CMOCKA"), ("BuDDy", "BUDDY")):
        yield f"{name} without headers", [f"-D{variable}_INCLUDE={folder}/empty", f"-D{variable}_LIBRARY={folder}/libnone.a"], name
        yield f"{name} without a library", [f"-D{variable}_INCLUDE={folder}", f"-D{variable}_LIBRARY={folder}/nowhere.a"], name
        yield f"{name} without functions", [f"-D{variable}_INCLUDE={folder}", f"-D{variable}_LIBRARY={folder}/libnone.a"], name


def configure(folder, number, words):
    build = folder / f"build{number}"
    done = subprocess.run(["cmake", "-G", "Ninja", "-S", ROOT, "-B", build, "-DNOETHER_LTO=OFF", *words], capture_output=True, text=True,
                          check=False, env={**os.environ, "LC_ALL": "C"})
    return build, done.returncode, done.stdout + done.stderr


def try_case(folder, number, title, words, part):
    """None, or what is wrong."""
    build, code, said = configure(folder, number, words)
    if code:
        return f"{title}: CMake fails:\n{said}"
    if LEFT_OUT.format(part) not in said:
        return f"{title}: it is not said that {part} is left out:\n{said}"
    if title == "mpicc without headers":
        done = subprocess.run(["ninja", "-C", build, "ranks", "bits"], capture_output=True, text=True, check=False)
        if done.returncode:
            return f"{title}: the build fails:\n{done.stdout}{done.stderr}"
    shutil.rmtree(build)
    return None


def try_whole(folder):
    """Nothing is left out that this machine has."""
    _, code, said = configure(folder, "whole", [])
    wrong = [name for name, there in (("MPI", shutil.which("mpicc")), ("cmocka", pathlib.Path("/usr/include/cmocka.h").exists()))
             if there and LEFT_OUT.format(name) in said]
    return f"as the machine is: exit status {code}, left out: {wrong}\n{said}" if code or wrong else None


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        make_fakes(folder)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            waiting = [pool.submit(try_case, folder, number, *case) for number, case in enumerate(cases(folder))]
            waiting.append(pool.submit(try_whole, folder))
            wrong = [done.result() for done in waiting]
    for what in filter(None, wrong):
        print(f"FAILED {what}")
    failed = sum(what is not None for what in wrong)
    print(f"{len(wrong) - failed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
