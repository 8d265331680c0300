"""Programs built from a build tree with one source file replaced, without touching the tree.

The replaced text lies in a folder of its own. Only the objects that read the file are compiled again, by the tree's own
commands with that folder in front of the include path, and each program is linked by its own command with these objects
in place of the tree's. So any number of variants can be built side by side, and none needs a tree of its own.
"""
import hashlib
import json
import os
import re
import resource
import shlex
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

root = Path(__file__).resolve().parents[2]
ninja = next((str(p) for p in [root / "build/deps/python/bin/ninja"] if p.exists()), "ninja")


def _limit():
    """A planted bug may write or allocate for ever."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (2 << 30, 2 << 30))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _limit_memory_too():
    _limit()
    resource.setrlimit(resource.RLIMIT_AS, (12 << 30, 12 << 30))


def output_of(command, cwd=None, seconds=None, environment=None, sanitized=False):
    """(exit status, output) of a command and all that it started; status None: it took too long."""
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(command, cwd=cwd, env=environment, stdin=subprocess.DEVNULL, stdout=said,
                                   stderr=subprocess.STDOUT, start_new_session=True,
                                   # A sanitizer reserves terabytes of addresses, and cannot start without.
                                   preexec_fn=_limit if sanitized else _limit_memory_too)
        try:
            status = process.wait(seconds)
        except subprocess.TimeoutExpired:
            status = None
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()
        said.seek(0)
        return status, said.read(4 << 20).decode(errors="replace")


class build_tree:
    """A configured tree whose programs are built. `build`: its folder."""

    def __init__(self, build, programs):
        self.build = Path(build).resolve()
        self.programs = programs
        status, output = output_of([ninja, "-C", str(self.build), *programs])
        if status != 0:
            raise SystemExit(f"{self.build} does not build:\n{output[-3000:]}")
        commands = json.loads((self.build / "compile_commands.json").read_text())
        self.embedded = self.build / "core/embedded_headers.cpp"  # what NVRTC compiles, and what is shown
        self.sanitized = any("-fsanitize=" in c["command"] for c in commands)
        # As ninja names them: from the build's folder (CMake 4 writes whole paths).
        self.compile = {os.path.relpath(self.build / c["output"], self.build): shlex.split(c["command"]) for c in commands}
        self.as_text = set()  # files that are in a program as text
        self.readers = self._readers()
        self.links = {p: self._link_command(p) for p in programs}

    def _readers(self):
        """Source file, from the root -> the objects that read it."""
        readers = {}
        listed = subprocess.check_output([ninja, "-C", str(self.build), "-t", "deps"], text=True, errors="replace")
        target = None
        for line in listed.splitlines():
            if not line.startswith(" "):
                target = line.split(":")[0]
                continue
            path = os.path.normpath(self.build / line.strip())
            if target in self.compile and path.startswith(f"{root}/"):
                readers.setdefault(os.path.relpath(path, root), set()).add(target)
        if self.embedded.exists():
            made = next(o for o, command in self.compile.items() if str(self.embedded) in command)
            for name in re.findall(r'^    {"([^"]+)", {text_', self.embedded.read_text(), re.MULTILINE):
                readers.setdefault(name, set()).add(made)
                self.as_text.add(name)
        return readers

    def _link_command(self, program):
        listed = subprocess.check_output([ninja, "-C", str(self.build), "-t", "commands", program], text=True)
        link = next(part.strip() for part in reversed(listed.splitlines()[-1].split("&&")) if f" -o {program} " in part)
        words = [w for w in shlex.split(link) if not w.startswith("-Wl,--dependency-file")]
        # Of an archive only those objects that the program needs.
        nowhere = [w if w != program else "/dev/null" for w in words]
        taken = re.findall(r"^\(?(\S+?\.a)[()](\S+?\.o)\)?$", output_of([*nowhere, "-Wl,--trace,--trace"], self.build)[1], re.MULTILINE)
        needed = {(os.path.normpath(self.build / archive), member) for archive, member in taken}
        objects = set()
        for archive in {w for w in words if w.endswith(".a") and not w.startswith("/")}:
            asked = subprocess.check_output([ninja, "-C", str(self.build), "-t", "query", archive], text=True)
            here = os.path.normpath(self.build / archive)
            objects |= {o for line in asked.splitlines()
                        if (o := line.strip()).endswith(".o") and (here, os.path.basename(o)) in needed}
        return words, objects

    def _is_linked_into(self, obj, program):
        words, in_archives = self.links[program]
        return obj in words or obj in in_archives


def _as_literals(text):
    """Bytes as core/embed.cmake writes them."""
    return "".join('"' + "".join(f"\\x{b:02x}" for b in text[i:i + 64]) + '"\n' for i in range(0, len(text), 64)).rstrip("\n")


class variant:
    """One file of the tree with another text. `place`: an empty folder."""

    def __init__(self, tree, place, file, text):
        self.tree, self.place, self.file = tree, Path(place), file
        self.objects = {}  # of the tree -> here
        self.alike = set()  # of these the compiler made what is in the tree
        copy = self.place / "source" / file
        copy.parent.mkdir(parents=True)
        copy.write_text(text)

    @property
    def same(self):
        return len(self.alike) == len(self.objects)

    def _embedded(self):
        """The tree's embedded headers with this file as it is here."""
        old, new = (root / self.file).read_bytes(), (self.place / "source" / self.file).read_bytes()
        text = self.tree.embedded.read_text()
        number = re.search(rf'{{"{re.escape(self.file)}", {{text_(\d+), ', text).group(1)
        assert _as_literals(old) in text, f"{self.tree.embedded} is not of this source"
        text = text.replace(f"text_{number}[] =\n\"\"{_as_literals(old)}", f"text_{number}[] =\n\"\"{_as_literals(new)}")
        text = text.replace(f"{{text_{number}, {len(old)}}}", f"{{text_{number}, {len(new)}}}")
        copy = self.place / "embedded_headers.cpp"
        copy.write_text(text)
        return str(copy)

    def _command(self, obj, made, source):
        """The tree's command for an object, with the file from the folder `source`."""
        command = [w for w in self.tree.compile[obj] if w != "-fdiagnostics-color=always"]
        command[command.index("-o") + 1] = str(made)
        at = command.index("-c") + 1
        if os.path.relpath(command[at], root) == self.file:
            command[at] = str(source / self.file)
        command.insert(command.index(f"-I{root}"), f"-I{source}")
        return command

    @staticmethod
    def _definitions(obj):
        """The functions and objects that no other file may define."""
        listed = subprocess.check_output(["nm", "-g", "--defined-only", obj], text=True)
        return {line.split()[-1] for line in listed.splitlines() if line.split()[-2] in "TDBR"}

    def is_proved_same(self, most=12):
        """Whether another optimisation or another compiler makes the same of every changed object, with the file and
        without: then the two mean the same. Of few objects only."""
        changed = [o for o in self.objects if o not in self.alike]
        if len(changed) > most or self.file in self.tree.as_text:
            return False
        right = self.place / "right"
        (right / self.file).parent.mkdir(parents=True, exist_ok=True)
        (right / self.file).write_bytes((root / self.file).read_bytes())
        clang = ["clang++-14", "-O2", "-Wno-everything", "-Wno-error"]

        def same(obj, first, last):
            digests = []
            for source in (self.place / "source", right):
                made = self.place / "other.o"
                command = self._command(obj, made, source)
                command = [*(first or command[:1]), *command[1:], *last]
                if first:
                    command = [w for w in command if not w.startswith("-Wshadow")]
                if not shutil.which(command[0]) or output_of(command, self.tree.build, 300)[0] != 0:
                    return False
                digests.append(hashlib.sha256(made.read_bytes()).digest())
            return digests[0] == digests[1]

        ways = [([], ["-O1"]), ([], ["-Os"]), (clang, []), ([], ["-O3"])]
        return all(any(same(o, first, last) for first, last in ways) for o in changed)

    def changes(self, program):
        """Whether another object than the tree's is in the program; it is made."""
        return any(self.tree._is_linked_into(o, program) for o in self.objects if o not in self.alike)

    def make(self, program, seconds=600):
        """Compiles what the program needs and links it; '' or the compiler's words."""
        readers = [o for o in sorted(self.tree.readers.get(self.file, ())) if self.tree._is_linked_into(o, program)]
        for obj in readers:
            if obj in self.objects:
                continue
            made = self.place / f"{len(self.objects)}.o"
            command = self._command(obj, made, self.place / "source")
            if str(self.tree.embedded) in command:
                command[command.index(str(self.tree.embedded))] = self._embedded()
            status, words = output_of(command, self.tree.build, seconds)
            if status != 0:
                return words or "the compiler does not end"
            if lost := self._definitions(self.tree.build / obj) - self._definitions(made):
                # Of an archive the linker would take the tree's object for it.
                return f"error: {sorted(lost)[0]} is gone"
            digest = [hashlib.sha256(p.read_bytes()).digest() for p in (made, self.tree.build / obj)]
            if digest[0] == digest[1]:
                self.alike.add(obj)
            self.objects[obj] = str(made)
        words, _ = self.tree.links[program]
        command = [self.objects.get(w, w) for w in words]
        in_archives = [self.objects[o] for o in readers if o not in words]
        command[command.index("-o"):command.index("-o")] = in_archives
        command[command.index("-o") + 1] = str(self.place / program)
        status, words = output_of(command, self.tree.build, seconds)
        return "" if status == 0 else words or "the linker does not end"


class tests:
    """Runs gtests of a folder of programs. What the tests run as a program comes from that folder, too."""

    def __init__(self, tree, folder, cases):
        self.folder, self.sanitized = Path(folder), tree.sanitized
        if not (self.folder / "assets").exists():
            (self.folder / "assets").symlink_to(tree.build / "assets")
        self.environment = os.environ | {"RC_PARAMS": f"max_success={cases}", "PIVOTSCOPE_BUILT": str(tree.build)}
        self.environment.pop("PIVOTSCOPE_LEAST_CASES", None)

    def run(self, program, pattern, seconds):
        """'' when green, else what is red."""
        status, output = output_of([str(self.folder / program), f"--gtest_filter={pattern}", "--gtest_fail_fast"],
                                   self.folder, seconds, self.environment, self.sanitized)
        if status is None:
            return f"{program}: no end after {seconds:.0f} s"
        if "Running 0 tests" in output:
            raise SystemExit(f"{program} has no test {pattern}")
        if status == 0:
            return ""
        red = re.findall(r"^\[  FAILED  \] ([^\s,(]+)", output, re.MULTILINE)
        begun = re.findall(r"^\[ RUN      \] (\S+)", output, re.MULTILINE)
        return red[0] if red else f"{begun[-1] if begun else program}: exit status {status}"
