#!/usr/bin/env python3
"""pick_json.py KEY...: values out of the JSON on standard input, one a line.

A key is a path such as `roles`, `moves.0` or `mean_goals.xplayer`; `missing`
is printed where there is nothing.  Without a key the whole value is printed.
Input with one JSON value a line is treated line by line.  Scenarios call it `json`.
"""
import json
import sys


def pick(value, path):
    for part in path.split("."):
        if isinstance(value, list) and part.isdigit() and int(part) < len(value):
            value = value[int(part)]
        elif isinstance(value, dict) and part in value:
            value = value[part]
        else:
            return "missing"
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def values(text):
    try:
        return [json.loads(text)]
    except json.JSONDecodeError:
        return [json.loads(line) for line in text.split("\n") if line.strip()]


def main():
    try:
        found = values(sys.stdin.read())
    except json.JSONDecodeError as error:
        sys.exit(f"not JSON: {error}")
    for value in found:
        for key in sys.argv[1:]:
            print(pick(value, key))
        if len(sys.argv) == 1:
            print(json.dumps(value, separators=(",", ":"), ensure_ascii=False))


if __name__ == "__main__":
    main()
