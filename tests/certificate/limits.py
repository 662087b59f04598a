#!/usr/bin/env python3
"""noether-verify keeps its limits, whatever the files are: devices and pipes that never end, heads that take much memory, checks that take
long; and it ends at a signal.

    limits.py NOETHER

The last line is "N passed, N failed"."""
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))
import common
import patience

LOCK = HERE / "lock.m"
MEMORY, BESIDES = 40, 64  # MiB
PART = 100000  # of what is written repeatedly: this process stays small, as its size counts for its children's
SLOW = """const N: 9;
var a: array [0..7] of 0..N; x: 0..1;
startstate for i: 0..7 do a[i] := 0; end; x := 0; end;
ruleset i: 0..7 do rule a[i] < N ==> begin a[i] := a[i] + 1; end; end;
invariant "long" forall i: 0..7 do forall j: 0..7 do forall k: 0..7 do forall l: 0..7 do forall m: 0..7 do
  forall n: 0..7 do a[i] + a[j] + a[k] + a[l] + a[m] + a[n] >= 0 end end end end end end;
"""


def most_memory():
    """Of the children that have ended, in MiB."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024


class Test(common.Tally):
    def __init__(self, binary, folder):
        self.binary, self.folder = os.path.abspath(binary), folder
        super().__init__()
        self.good = folder / "good"
        self.run(self.binary, "check", "-q", LOCK, "--certificate", self.good)
        self.fifo = folder / "fifo.m"
        os.mkfifo(self.fifo)

    def verify(self, *words):
        return self.run(self.binary + "-verify", *words)

    def try_files(self):
        for path in ("/dev/zero", self.fifo, self.folder):
            told = self.verify(LOCK, path)
            self.expect(told.returncode == 2 and ("no regular file" in told.stderr), f"{path}: {told.returncode} {told.stderr}")
        long = self.folder / "long"
        with open(long, "wb") as file:
            file.truncate(1 << 36)  # without an end of line, and not on the disk
        told = self.verify(LOCK, long)
        self.expect(told.returncode == 2 and "not complete" in told.stderr, f"a long line: {told.returncode} {told.stderr}")
        with open(long, "r+b") as file:
            file.write(self.good.read_bytes().split(b"\n")[0] + b"\n")
        told = self.verify("--time", "0.3", LOCK, long)
        self.expect(told.returncode == 3 and "time limit" in told.stderr, f"64 GiB of states: {told.returncode} {told.stderr}")
        long.unlink()

    def try_waiting(self):
        """A pipe as model that nobody writes to."""
        told = self.verify("--time", "0.2", self.fifo, self.good)
        self.expect(told.returncode == 3 and "time limit" in told.stderr, f"a pipe: {told.returncode} {told.stderr}")
        for number in (signal.SIGINT, signal.SIGTERM):
            process = subprocess.Popen([self.binary + "-verify", self.fifo, self.good], stderr=subprocess.PIPE, text=True)
            while process.poll() is None and not self.is_caught(process.pid, number):
                time.sleep(0.01)
            process.send_signal(number)
            try:
                _, said = process.communicate(timeout=patience.seconds(60))
            except subprocess.TimeoutExpired:
                process.kill()
                _, said = process.communicate()
            self.expect(process.returncode == 3 and "interrupted" in said, f"signal {number}: {process.returncode} {said}")

    @staticmethod
    def is_caught(pid, number):
        """The handler is there."""
        lines = pathlib.Path(f"/proc/{pid}/status").read_text().splitlines()
        caught = next(int(line.split()[1], 16) for line in lines if line.startswith("SigCgt:"))
        return caught >> (number - 1) & 1

    def try_memory(self):
        """Heads of JSON whose values take many times their length."""
        for begin, part, count, end in ((b'{"format": [', b"[],", 30, b"[]]}"), (b'{"labels": [', b"0,", 40, b"0]}"), (b'{"format": "', b"x", 600, b'"}')):
            path = self.folder / "head"
            with open(path, "wb") as file:
                file.write(begin)
                for _ in range(count):
                    file.write(part * PART)
                file.write(end + b"\n" + bytes(16))
            told = self.verify("--memory", f"{MEMORY}M", LOCK, path)
            self.expect(told.returncode == 3 and "memory limit" in told.stderr, f"{begin}: {told.returncode} {told.stderr}")
            path.unlink()
        self.expect(most_memory() < 1.15 * (MEMORY + BESIDES), f"{most_memory():.0f} MiB")
        told = self.verify("--memory", f"{MEMORY}M", "--language", "murphi", "/dev/zero", self.good)
        self.expect(told.returncode == 3 and "memory limit" in told.stderr, f"a model without end: {told.returncode} {told.stderr}")
        self.expect(most_memory() < 1.5 * (MEMORY + BESIDES), f"{most_memory():.0f} MiB for a model without end")

    def try_check(self):
        """States that take long to check."""
        model, proof = self.folder / "slow.m", self.folder / "slow"
        model.write_text(SLOW.replace("N: 9", "N: 1"))
        self.run(self.binary, "check", "-q", model, "--deadlock", "off", "--certificate", proof)
        told = self.verify("--time", "0.05", "--deadlock", "off", model, proof)
        self.expect(told.returncode == 3 and "time limit" in told.stderr, f"long checks: {told.returncode} {told.stdout}{told.stderr}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        test = Test(sys.argv[1], pathlib.Path(folder))
        test.try_memory()
        test.try_files()
        test.try_waiting()
        test.try_check()
    print(f"{test.passed} passed, {test.failed} failed")
    return test.failed != 0


if __name__ == "__main__":
    sys.exit(main())
