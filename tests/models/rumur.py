"""What rumur says of a model, with symmetry off: the second opinion on verdicts and counts."""
import pathlib
import re
import subprocess
import tempfile

COUNTS = re.compile(r"(\d+) states?, (\d+) rules? fired")


def rumur_ask(model, deadlock, seconds):
    """(verdict, states, rules), or a sentence when there is no answer."""
    with tempfile.TemporaryDirectory() as folder:
        code, program = pathlib.Path(folder) / "model.c", pathlib.Path(folder) / "model"
        made = subprocess.run(["rumur", str(model), "--symmetry-reduction", "off", "--threads", "1",
                               "--deadlock-detection", deadlock, "--output", str(code)],
                              capture_output=True, text=True, errors="replace")
        if made.returncode:
            return "rumur refuses the model: " + made.stderr.strip().split("\n")[0]
        built = subprocess.run(["cc", "-std=c11", "-O0", "-w", "-march=native", str(code), "-o", str(program),
                                "-lpthread", "-latomic"], capture_output=True, text=True, errors="replace")
        if built.returncode:
            return "rumur's C does not compile"
        try:
            done = subprocess.run([str(program)], capture_output=True, text=True, errors="replace", timeout=seconds)
        except subprocess.TimeoutExpired:
            return f"rumur takes more than {seconds} s"
    counts = COUNTS.findall(done.stdout)
    states, rules = map(int, counts[-1]) if counts else (None, None)
    return ("violated" if done.returncode else "holds"), states, rules
