"""What rumur says of a model, with symmetry off: the second opinion on verdicts and counts."""
import hashlib
import pathlib
import re
import subprocess
import tempfile

COUNTS = re.compile(r"(\d+) states?, (\d+) rules? fired")


# What it said: the name of a model, a digest of its text and of how deadlocks were understood, and the answer.
ANSWERS = pathlib.Path(__file__).resolve().parent / "rumur-answers.txt"


def rumur_digest(model, deadlock):
    return hashlib.sha256(deadlock.encode() + b" " + model.read_bytes()).hexdigest()[:24]


def rumur_recorded():
    """Answers by digest: a model that has changed has none."""
    rows = [line.split() for line in ANSWERS.read_text().splitlines()] if ANSWERS.exists() else []
    return {digest: (verdict, *(None if word == "-" else int(word) for word in words)) for _, digest, verdict, *words in rows}


def rumur_record(answers):
    """answers: (model, deadlock, what rumur_ask said). Those of other models stay."""
    names = {model.name for model, _, _ in answers}
    kept = [line for line in ANSWERS.read_text().splitlines() if line.split()[0] not in names] if ANSWERS.exists() else []
    rows = kept + [" ".join([model.name, rumur_digest(model, deadlock), answer[0], *("-" if number is None else str(number) for number in answer[1:])])
            for model, deadlock, answer in answers]
    ANSWERS.write_text("\n".join(sorted(set(rows))) + "\n")


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
