#!/usr/bin/env python3
"""Writes a text file as a C array: embed.py INPUT OUTPUT NAME INCLUDE."""
import sys

source, target, name, include = sys.argv[1:]
with open(source, encoding="utf-8") as lines:
    quoted = [line.rstrip("\n").replace("\\", "\\\\").replace('"', '\\"') for line in lines]
with open(target, "w", encoding="utf-8") as out:
    out.write(f'#include "{include}"\n\nconst char {name}[] =\n')
    out.writelines(f'    "{line}\\n"\n' for line in quoted)
    out.write("    ;\n")
