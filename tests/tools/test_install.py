#!/usr/bin/env python3
"""Installs the build into an empty folder and uses it from there as a stranger
would: the example of the header's comment is compiled with what pkg-config says,
against the shared and against the static library, and the program finds its games.
"""
import argparse
import os
import re
import shlex
import subprocess
import sys
import tempfile

import scenario

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
FILES = [
    "bin/marelle",
    "include/marelle/analysis.h",
    "include/marelle/boards.h",
    "include/marelle/environments.h",
    "include/marelle/gpu.h",
    "include/marelle/marelle.h",
    "include/marelle/matches.h",
    "include/marelle/learning.h",
    "include/marelle/models.h",
    "include/marelle/networks.h",
    "include/marelle/search.h",
    "share/man/man1/marelle.1",
    "share/bash-completion/completions/marelle",
    "share/zsh/site-functions/_marelle",
    "share/fish/vendor_completions.d/marelle.fish",
    "share/marelle/games/tic_tac_toe.kif",
]


SUBJECTS = ["analysis", "boards", "environments", "gpu", "matches", "models", "networks", "search"]
EXAMPLES = {"first_match": "marelle", **{name: name for name in SUBJECTS}}


def example_of_header(name):
    """The code of the first comment of a header: lines indented by four more blanks."""
    lines = []
    with open(os.path.join(ROOT, f"include/marelle/{name}.h"), encoding="utf-8") as file:
        for line in file:
            if line.startswith(" *     "):
                lines.append(line[7:])
            elif lines and line == " *\n":
                lines.append("\n")
            elif lines:
                break
    return "".join(lines).strip()


class Installation:
    def __init__(self, build, folder):
        self.build, self.folder = build, folder
        self.prefix = os.path.join(folder, "usr")
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith(("DESTDIR", "MARELLE_"))}

    def run(self, command, **variables):
        done = subprocess.run(
            command, env={**self.environment, **variables}, cwd=self.folder, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
        )
        if done.returncode != 0:
            raise RuntimeError(f"{shlex.join(command)}: status {done.returncode}\n{done.stdout}")
        return done.stdout

    def install(self):
        """Into a folder that stands for /, then moved as if / were the prefix's parent."""
        stage = os.path.join(self.folder, "stage")
        self.run(["meson", "install", "-C", self.build, "--no-rebuild", "--quiet", "--destdir", stage])
        prefixes = [path for path, folders, _ in os.walk(stage) if "bin" in folders and "include" in folders]
        os.rename(prefixes[0], self.prefix)
        missing = [name for name in FILES if not os.path.exists(os.path.join(self.prefix, name))]
        games = os.listdir(os.path.join(self.prefix, "share/marelle/games"))
        strangers = [name for name in games if not name.endswith((".kif", ".trace"))]
        if missing or strangers:
            raise RuntimeError(f"missing: {missing}, too much: {strangers}")

    def library_folder(self):
        return next(path for path, folders, _ in os.walk(self.prefix) if "pkgconfig" in folders)

    def pkg_config(self, *arguments):
        folder = os.path.join(self.library_folder(), "pkgconfig")
        return shlex.split(self.run(
            ["pkg-config", f"--define-variable=prefix={self.prefix}", *arguments, "marelle"],
            PKG_CONFIG_PATH=folder,
        ))

    def compile(self, name, flags):
        source = os.path.join(ROOT, "examples/first_match.c")
        program = os.path.join(self.folder, name)
        self.run(["cc", "-Wall", "-Wextra", "-Werror", "-std=c17", "-o", program, source, *flags])
        return program

    def play(self, program):
        game = os.path.join(self.prefix, "share/marelle/games/tic_tac_toe.kif")
        text = self.run([program, game], LD_LIBRARY_PATH=self.library_folder())
        if "turns on average" not in text:
            raise RuntimeError(f"unexpected output:\n{text}")

    def use_shared(self):
        self.play(self.compile("shared", self.pkg_config("--cflags", "--libs")))

    def use_static(self):
        flags = self.pkg_config("--static", "--cflags", "--libs")
        archive = os.path.join(self.library_folder(), "libmarelle.a")
        flags = [archive if flag == "-lmarelle" else flag for flag in flags]
        self.play(self.compile("static", flags))

    def use_program(self):
        """With a games folder of its own: the built-in one belongs to the real prefix."""
        program = os.path.join(self.prefix, "bin/marelle")
        games = os.path.join(self.prefix, "share/marelle/games")
        self.run([program, "check", "--quiet", "tic_tac_toe"], MARELLE_GAMES=games)

    def use_header_in_cpp(self):
        source = os.path.join(self.folder, "header.cpp")
        with open(source, "w", encoding="utf-8") as file:
            file.write("#include <marelle/marelle.h>\nint main() { return marelle_version()[0] == 0; }\n")
        self.run(["c++", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", *self.pkg_config("--cflags"), source])

    def show_public_names_only(self):
        library = os.path.join(self.library_folder(), "libmarelle.so")
        names = self.run(["nm", "--dynamic", "--defined-only", library]).split()[2::3]
        unversioned = [name for name in names if not re.fullmatch(r"marelle_\w+@@MARELLE_0|MARELLE_0", name)]
        if unversioned or not names:
            raise RuntimeError(f"exported, or without a version: {unversioned}")
        headers = "".join(open(os.path.join(ROOT, name), encoding="utf-8").read() for name in FILES
                          if name.endswith(".h"))
        declared = set(re.findall(r"\bmarelle_\w+(?=\()", re.sub(r"/\*.*?\*/", "", headers, flags=re.DOTALL)))
        exported = {name.split("@")[0] for name in names} - {"MARELLE_0"}
        if declared != exported:
            raise RuntimeError(f"declared or exported, not both: {declared ^ exported}")
        if "[libmarelle.so.0]" not in self.run(["readelf", "--dynamic", library]):
            raise RuntimeError("the soname is not libmarelle.so.0")


def main():
    parser = argparse.ArgumentParser(description="install, then use what was installed")
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    build = os.path.abspath(parser.parse_args().build)
    cases = []

    def step(name, action, needs=None):
        if needs and subprocess.run(["which", needs], stdout=subprocess.DEVNULL, check=False).returncode:
            cases.append(scenario.Case(name, "skip", [f"no {needs} here"]))
            return
        try:
            action()
            cases.append(scenario.Case(name, "ok"))
        except (RuntimeError, OSError, StopIteration, IndexError) as error:
            cases.append(scenario.Case(name, "not ok", (str(error) or repr(error)).split("\n")))

    def compare_examples():
        for example, header in EXAMPLES.items():
            with open(os.path.join(ROOT, f"examples/{example}.c"), encoding="utf-8") as file:
                code = file.read().split("\n", 1)[1].strip()
            if code != example_of_header(header):
                raise RuntimeError(f"examples/{example}.c is not the example of {header}.h")

    with tempfile.TemporaryDirectory(prefix="marelle-install-") as folder:
        place = Installation(build, folder)
        step("example.c is the example of marelle.h", compare_examples)
        step("install", place.install)
        step("the installed program runs", place.use_program)
        step("a program with the shared library", place.use_shared, "pkg-config")
        step("a program with the static library", place.use_static, "pkg-config")
        step("the header in C++", place.use_header_in_cpp, "c++")
        step("the shared library shows public names only", place.show_public_names_only, "nm")
    scenario.print_tap(cases)


if __name__ == "__main__":
    sys.exit(main())
