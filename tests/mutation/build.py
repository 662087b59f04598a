"""Programs with one mutated file. Nothing of the source tree or of the build is touched: the mutated file is compiled to an
object of its own, which comes before the libraries when a program is linked. So the linker leaves the original in its
library. (Rooms are not optimised together: that takes long.)"""
import hashlib
import json
import os
import pathlib
import shlex
import subprocess


class Unbuildable(Exception):
    """The compiler or the linker does not take it: no mutant."""


class Builder:
    def __init__(self, root, build):
        self.root, self.build = root, build
        commands = json.loads((build / "compile_commands.json").read_text())
        self.commands = {os.path.relpath(entry["file"], root): shlex.split(entry["command"]) for entry in commands}
        self.directory = commands[0]["directory"]
        self.plain = {}  # what an unchanged file compiles to, by file

    def files(self, room):
        """The sources of a room, with their sizes."""
        found = [file for file in self.commands if file.startswith(f"src/{room}/") and (self.root / file).exists()]
        return {file: (self.root / file).stat().st_size for file in sorted(found)}

    def lines(self, file):
        return (self.root / file).read_bytes().count(b"\n")

    def flags(self, file):
        """What the parser of the syntax tree needs to know."""
        return [word for word in self.commands[file] if word.startswith(("-D", "-I", "-std="))]

    def compile(self, file, text, output):
        """Compiles this text in place of the file."""
        source = output.with_suffix(".c")
        source.write_bytes(text)
        words = [word for word in self.commands[file] if not word.startswith(("-flto", "-ffat", "-W", "-g"))]
        words[words.index("-o") + 1] = str(output)
        words[words.index("-c") + 1] = str(source)
        words = ["ccache" if word == "ccache" else word for word in words]
        # A function that does not exist is an error here, not of the linker.
        done = subprocess.run([*words, "-w", "-Werror=implicit-function-declaration", f"-fmacro-prefix-map={source.parent}=x"], cwd=self.directory, capture_output=True, text=True)
        if done.returncode:
            raise Unbuildable(done.stderr)

    def code(self, path):
        """Of an object: everything but its name."""
        done = subprocess.run(["objcopy", "--strip-debug", "-R", ".comment", str(path), str(path) + ".bare"], capture_output=True)
        return hashlib.sha256(pathlib.Path(str(path) + ".bare").read_bytes()).hexdigest() if not done.returncode else None

    def is_equivalent(self, file, mutated):
        """Does the compiler see no difference?"""
        if file not in self.plain:
            output = mutated.parent / "plain.o"
            (mutated.parent / "same").mkdir(exist_ok=True)
            output = mutated.parent / "same" / mutated.name  # the name of the source is in the object
            self.compile(file, (self.root / file).read_bytes(), output)
            self.plain[file] = self.code(output)
        return self.code(mutated) == self.plain[file]

    def link_command(self, program):
        """How a program of the build is linked, and in which folder: as make has it, or ninja."""
        place = self.build / program
        listing = place.parent / "CMakeFiles" / f"{place.name}.dir" / "link.txt"
        if listing.exists():
            return shlex.split(listing.read_text()), place.parent
        commands = subprocess.run(["ninja", "-t", "commands", program], cwd=self.build, capture_output=True, text=True, check=True)
        words = shlex.split(commands.stdout.splitlines()[-1])
        return [word for word in words if word not in (":", "&&")], self.build

    def link(self, program, mutated, folder):
        """Links a program of the build, with the mutated object (None: without), into the folder."""
        words, here = self.link_command(program)
        words = [word for word in words if not word.startswith("-flto")]
        output = folder / program
        output.parent.mkdir(parents=True, exist_ok=True)
        words[words.index("-o") + 1] = str(output)
        first = next(i for i, word in enumerate(words) if word.endswith(".o"))
        words[first:first] = [str(mutated)] if mutated else []
        done = subprocess.run([*words, "-fno-lto", "-Wl,--strip-debug"], cwd=here, capture_output=True, text=True)
        if done.returncode:
            raise Unbuildable(done.stderr)
        return output
