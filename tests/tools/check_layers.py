#!/usr/bin/env python3
"""The layers of src/ keep their order: the table "Layers" of docs/architecture.md.

- A file includes headers of its own layer and of the layers above its row only.
- A header is found by one name: no basename stands twice below src/.
- No layer hides a dependency: an extern table declared in one layer is defined
  there.
- No file has more than 800 lines.
- Memory comes from base/memory.h, which can give up a reserve; nothing else
  allocates, and nothing else ends the program.
"""
import collections
import os
import re

import scenario

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
SRC = os.path.join(ROOT, "src")
MAX_LINES = 800


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def layer_order():
    """The first column of the table of layers, top to bottom."""
    text = read(os.path.join(ROOT, "docs", "architecture.md"))
    table = re.search(r"^## Layers\n.*?^\| layer .*?\n\|[-| ]+\n((?:\|[^\n]*\n)+)", text, re.M | re.S).group(1)
    return [re.match(r"\|\s*`?([a-z]+)", line).group(1) for line in table.splitlines()]


def sources():
    for path, _, names in os.walk(SRC):
        for name in names:
            if name.endswith((".c", ".h")):
                yield os.path.join(path, name)


def layer_of(path):
    return os.path.relpath(path, SRC).split(os.sep)[0]


def case(name, notes):
    return scenario.Case(name, "not ok" if notes else "ok", sorted(notes))


def main():
    order = layer_order()
    rank = {layer: place for place, layer in enumerate(order)}
    files = list(sources())
    texts = {path: read(path) for path in files}
    relative = {path: os.path.relpath(path, ROOT) for path in files}

    unknown = {layer_of(path) for path in files} ^ set(order)
    upward = []
    for path, text in texts.items():
        for header in re.findall(r'^#include "([a-z]+)/', text, re.M):
            if header in rank and rank[header] > rank[layer_of(path)]:
                upward.append(f"{relative[path]} includes {header}/")

    names = collections.Counter(os.path.basename(path) for path in files)
    twice = [name for name, count in names.items() if count > 1]

    hidden = []
    for path, text in texts.items():
        for name in re.findall(r"^extern const [^;(]*?(\w+)\[\];", text, re.M):
            defined = {layer_of(other) for other, body in texts.items()
                       if re.search(rf"^const [^;(]*\b{name}\[[^\]]*\] = ", body, re.M)}
            if defined and defined != {layer_of(path)}:
                hidden.append(f"{relative[path]}: {name} is defined in {', '.join(sorted(defined))}/")

    long = [f"{relative[path]} has {text.count(chr(10))} lines" for path, text in texts.items()
            if text.count("\n") > MAX_LINES]
    allocators = re.compile(r"\b(malloc|calloc|realloc|posix_memalign|aligned_alloc|strdup|strndup|v?asprintf|abort)\(")
    direct = [f"{relative[path]} calls {found}" for path, text in texts.items()
              if relative[path] != "src/base/memory.c" for found in allocators.findall(text)]
    scenario.print_tap([
        case("every folder of src/ is a row of the table of layers", unknown),
        case("no include goes upwards", upward),
        case("no basename stands twice", twice),
        case("no layer declares a table that another one defines", hidden),
        case(f"no file has more than {MAX_LINES} lines", long),
        case("memory is allocated by base/memory.h", direct),
    ])


if __name__ == "__main__":
    main()
