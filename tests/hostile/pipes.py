#!/usr/bin/env python3
"""tests/hostile/pipes.py BINARY: pipes and devices as inputs and outputs end no limit of time and keep no signal away."""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import patience

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = str(pathlib.Path(sys.argv[1]).resolve())
HOLDS, VIOLATED = str(ROOT / "examples/german.m"), str(ROOT / "examples/german-bug.m")
OLD = '{"verdict": "holds"}'


def expect(condition, what):
    if not condition:
        raise AssertionError(what)


def start(*words, **how):
    return subprocess.Popen([BINARY, *words], stdin=subprocess.DEVNULL, stdout=how.pop("stdout", subprocess.PIPE),
                            stderr=subprocess.STDOUT, text=True, **how)


def finish(child, limit=20):
    try:
        output, _ = patience.communicate(child, limit)
    except subprocess.TimeoutExpired:
        child.kill()
        child.communicate()
        raise AssertionError("it did not end") from None
    return child.returncode, output


def a_model_that_nobody_writes(folder):
    answer = folder / "answer.json"
    answer.write_text(OLD)
    os.mkfifo(folder / "pipe.m")
    code, output = finish(start("check", str(folder / "pipe.m"), "--time", "1", "--json", str(answer)))
    expect(code == 3 and "time limit (1 s)" in output, f"exit status {code}\n{output}")
    expect(json.loads(answer.read_text())["verdict"] == "unknown", "the old answer is still there")


def a_model_that_is_written_late(folder):
    os.mkfifo(folder / "pipe.m")
    child = start("check", str(folder / "pipe.m"))
    time.sleep(0.3)
    (folder / "pipe.m").write_text(pathlib.Path(HOLDS).read_text())
    code, output = finish(child)
    expect(code == 0 and "28,088 states" in output, f"exit status {code}\n{output}")


def a_model_without_end(folder):
    code, output = finish(start("check", "/dev/zero", "--language", "murphi", "--memory", "300M"), 60)
    expect(code in (2, 3) and ("memory limit" in output or "1 GiB" in output), f"exit status {code}\n{output}")


def outputs_that_nobody_reads(folder):
    os.mkfifo(folder / "pipe")
    pipe = str(folder / "pipe")
    for words in (["check", HOLDS, "--json", pipe], ["check", HOLDS, "--report", pipe],
                  ["check", VIOLATED, "--trace", pipe], ["graph", HOLDS, "--max-nodes", "5", "-o", pipe],
                  ["check", HOLDS, "--csv", pipe, "-D", "NODE_NUM=1:2"], ["reduce", str(folder / "m.prism"), "-o", pipe]):
        (folder / "m.prism").write_text("dtmc\nmodule a\nx:[0..1] init 0;\n[] x=0 -> (x'=1);\nendmodule\n"
                                        "module b=a[x=y] endmodule\n")
        code, output = finish(start(*words, "--time", "1"))
        expect(code in (2, 3) and ("nothing read it" in output or words[0] == "reduce"), f"{words}: exit status {code}\n{output}")


def a_signal_ends_the_wait(folder):
    os.mkfifo(folder / "pipe")
    child = start("check", HOLDS, "--json", str(folder / "pipe"))
    expect(patience.listens(child.pid), "no signals are caught")
    time.sleep(1)
    child.send_signal(signal.SIGTERM)
    code, output = finish(child)
    expect(code == 2 and "nothing read it" in output, f"exit status {code}\n{output}")


def an_output_that_is_read_late(folder):
    os.mkfifo(folder / "pipe")
    child = start("check", HOLDS, "--json", str(folder / "pipe"))
    time.sleep(0.3)
    answer = json.loads((folder / "pipe").read_text())
    code, _ = finish(child)
    expect(code == 0 and answer["verdict"] == "holds", f"exit status {code}")


def a_reader_of_the_text_that_sleeps(folder):
    """The text is longer than a pipe holds."""
    reader, writer = os.pipe()
    child = start("check", VIOLATED, "--full-states", "--report", "-", "--time", "1", stdout=writer)
    os.close(writer)
    code, _ = finish(child)
    expect(code == 2, f"exit status {code}")
    os.close(reader)


def devices(folder):
    for path, code in (("/dev/null", 0), ("/dev/full", 2), ("/dev/stdout", 0)):
        expect(finish(start("check", HOLDS, "--json", path))[0] == code, path)


TESTS = [a_model_that_nobody_writes, a_model_that_is_written_late, a_model_without_end, outputs_that_nobody_reads,
         a_signal_ends_the_wait, an_output_that_is_read_late, a_reader_of_the_text_that_sleeps, devices]


def main():
    failed = []

    def run(test):
        with tempfile.TemporaryDirectory() as folder:
            try:
                test(pathlib.Path(folder))
            except (AssertionError, OSError, ValueError) as error:
                failed.append(test)
                print(f"FAIL {test.__name__}: {error}", flush=True)

    threads = [threading.Thread(target=run, args=[test]) for test in TESTS]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(f"{len(TESTS) - len(failed)} passed, {len(failed)} failed")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
