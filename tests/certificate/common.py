"""What the tests of certificates share."""
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tests"))
import patience


class Tally:
    """Counts what is right, and runs programs."""

    def __init__(self):
        self.passed = self.failed = 0

    def expect(self, is_right, words):
        self.passed += bool(is_right)
        self.failed += not is_right
        if not is_right:
            print(words)

    def run(self, *command):
        return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=patience.seconds(120), cwd=ROOT)


def is_accepted(answer):
    """All that the verifier was asked for; or in part, since the certificate says nothing of some properties."""
    in_part = answer.returncode == 3 and answer.stdout.startswith("accepted in part") and "  not certified: " in answer.stdout \
        and "the certificate says nothing of " in answer.stderr
    return answer.returncode == 0 or in_part


def flip_bit(data, chance, path):
    """Writes the data with one bit changed."""
    data = bytearray(data)
    place = chance.randrange(8 * len(data))
    data[place // 8] ^= 1 << place % 8
    path.write_bytes(data)
    return f"bit {place} flipped"
