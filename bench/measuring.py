"""What the benchmarks share: CPU seconds of a program, and a table."""
import os
import pathlib
import re
import resource
import signal
import subprocess
import time


def spend(words, limit, folder):
    """Runs a program. Returns its exit status (None: stopped at the limit), output, CPU seconds, peak MiB."""
    def limit_cpu():
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
    with open(pathlib.Path(folder) / "output", "w+", errors="replace") as output:
        # Compiled code is kept for the next run, but not from one model, or one benchmark, to the next.
        process = subprocess.Popen(words, stdout=output, stderr=subprocess.DEVNULL, preexec_fn=limit_cpu,
                                   env={**os.environ, "XDG_CACHE_HOME": str(folder)})
        status, usage, kilobytes = watch(process.pid)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        text = output.read()
    code = process.returncode
    if code in (-signal.SIGXCPU, -signal.SIGKILL):
        code = None
    return code, text, usage.ru_utime + usage.ru_stime, kilobytes / 1024


def watch(pid):
    """Waits for a process. ru_maxrss would count the memory of this script, from before the exec, so the peak is
    read from /proc as long as the process is there."""
    peak = 0
    while True:
        try:
            status_file = pathlib.Path(f"/proc/{pid}/status").read_text()
            peak = max([peak] + [int(kilobytes) for kilobytes in re.findall(r"VmHWM:\s*(\d+) kB", status_file)])
        except OSError:
            pass
        done, status, usage = os.wait4(pid, os.WNOHANG)
        if done:
            return status, usage, peak
        time.sleep(0.002)


def print_table(heads, left, rows, is_markdown):
    """`left`: the columns that are not numbers."""
    widths = [max(len(row[i]) for row in [heads] + rows) for i in range(len(heads))]
    def line(row):
        cells = [cell.ljust(width) if i in left else cell.rjust(width)
                 for i, (cell, width) in enumerate(zip(row, widths))]
        return "| " + " | ".join(cells) + " |" if is_markdown else "  ".join(cells)
    print(line(heads))
    if is_markdown:
        print("|" + "|".join("-" * (w + 2) if i in left else "-" * (w + 1) + ":" for i, w in enumerate(widths)) + "|")
    for row in rows:
        print(line(row))
