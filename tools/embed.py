#!/usr/bin/env python3
"""embed.py OUTPUT FILE...: C text with the bytes of the files, by name, sorted.

The page is part of the program: nothing has to be found at run time, and no
request ever reaches a file system."""
import hashlib
import os
import sys

TYPES = {".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8",
         ".js": "text/javascript; charset=utf-8", ".json": "application/json",
         ".svg": "image/svg+xml", ".png": "image/png"}


def main():
    output, names = sys.argv[1], sorted(sys.argv[2:], key=os.path.basename)
    parts = ["/* Made by tools/embed.py. */\n#include \"server/page/assets.h\"\n\n"]
    for number, name in enumerate(names):
        with open(name, "rb") as file:
            data = file.read()
        lines = [",".join(map(str, data[i:i + 24])) for i in range(0, len(data), 24)]
        parts.append(f"static const unsigned char bytes_{number}[] = {{\n" + ",\n".join(lines or ["0"]) + "};\n")
    parts.append("\nconst Asset assets[] = {\n")
    for number, name in enumerate(names):
        with open(name, "rb") as file:
            data = file.read()
        tag = hashlib.sha256(data).hexdigest()[:16]
        kind = TYPES[os.path.splitext(name)[1]]
        parts.append(f'    {{"{os.path.basename(name)}", "{kind}", "\\"{tag}\\"", bytes_{number}, {len(data)}}},\n')
    parts.append("};\nconst size_t asset_count = sizeof assets / sizeof *assets;\n")
    with open(output, "w", encoding="utf-8") as file:
        file.write("".join(parts))


main()
