#!/usr/bin/env python3
"""Compare the boards that `marelle show` draws with what recorded matches say.

usage: boards.py --marelle PROGRAM [--shared FOLDER] [--only TEXT] [--keep FILE] [--for SECONDS]
                 [--kept-only] [--write FILE] [--sheets NAME]

Two witnesses that know nothing of each other.  `marelle show --json` says which
grids it draws, by structure alone.  The other side are the matches in
FOLDER/oracle, which another prover recorded, read by the eyes of a person: a
fluent that is called like a board (cell, location, square, ...) and has two
arguments that count (1 2 3, a b c, row1 row2), with one content on a square at
the start, is a grid; its size is what states show and the text of the rules
allows; its pieces are the contents that were seen.  --write makes the page,
--keep remembers what was drawn, so that a run that --for has ended can go on.

Of each picture in the middle of a match it asks besides: do all kinds of pieces
look different, is a fluent that changes only listed as a fact, does a piece have
the colour of who moves it in the matches, does the empty square take part in the
changes?  --sheets draws 100 games, evenly from the list of different names, on
four contact sheets NAME-1.png to NAME-4.png for a person to judge.
"""
import argparse
import csv
import gzip
import json
import os
import re
import resource
import subprocess
import sys
import time

import board_pictures

CPU_SECONDS = 60
BOARD_WORDS = ("cell", "board", "square", "location", "loc", "piece", "pos", "tile", "field", "grid", "place", "peg", "pawn",
               "queen", "king", "stone", "disc", "checker", "mark", "at", "on", "holds", "occup", "blank", "dot", "light", "knight",
               "wall", "robot", "monster", "gold", "tower", "color", "owner", "chocolate", "fill",
               "maked", "number", "xy", "in", "visited", "hole", "pit")
BLANKS = {"b", "blank", "empty", "e", "nil", "none", "clear", "free", "nothing", "off", "space", "zero"}
LONGEST = 100


# ---- reading ----

def read_terms(text):
    """Nested lists of words."""
    stack = [[]]
    for token in re.findall(r"[()]|[^\s()]+", text):
        if token == "(":
            stack.append([])
        elif token == ")":
            if len(stack) > 1:
                done = stack.pop()
                stack[-1].append(done)
        else:
            stack[-1].append(token)
    return stack[0]


def flat(term):
    """(at (pos 1 2) x) as ("at", "1", "2", "x")."""
    if isinstance(term, str):
        return (term,)
    parts = [term[0] if isinstance(term[0], str) else ""]
    for argument in term[1:]:
        if isinstance(argument, str):
            parts.append(argument)
        else:
            parts.extend(flat(argument)[1:] or flat(argument))
    return tuple(parts)


def recorded_states(path):
    states = []
    with gzip.open(path, "rt", encoding="utf-8", errors="replace") as file:
        for line in file:
            if line.startswith("state "):
                states.append([flat(term) for term in read_terms(line[6:])])
    return states


class Text:
    """The rules as they are written: what values an argument is given there, one argument at a time."""

    def __init__(self, path):
        with open(path, encoding="utf-8", errors="replace") as file:
            text = re.sub(r";[^\n]*", "", file.read()).lower()
        self.rules = {}
        for term in read_terms(text):
            head, body = (term[1], term[2:]) if isinstance(term, list) and len(term) > 1 and term[0] == "<=" else (term, [])
            if isinstance(head, list) and head and isinstance(head[0], str):
                self.rules.setdefault((head[0], len(head) - 1), []).append((head, body))

    def values(self, relation, arity, argument, open_questions=()):
        """What may stand there; None where nothing that never changes says so."""
        question = (relation, arity, argument)
        if question in open_questions or relation in ("true", "does", "not", "distinct"):
            return None
        found = set()
        for head, body in self.rules.get((relation, arity), []):
            part = self.values_of(head[argument + 1], body, open_questions + (question,))
            if part is None:
                return None
            found |= part
        return found or None

    def values_of(self, term, body, open_questions=()):
        if not isinstance(term, str):
            return None
        if not term.startswith("?"):
            return {term}
        found = None
        for literal in self.positive(body):
            for k, argument in enumerate(literal[1:]):
                values = self.values(literal[0], len(literal) - 1, k, open_questions) if argument == term else None
                if values is not None:
                    found = values if found is None else found & values
        return found

    def positive(self, body):
        for literal in body:
            if isinstance(literal, list) and literal and literal[0] == "and":
                yield from self.positive(literal[1:])
            elif isinstance(literal, list) and literal and literal[0] not in ("not", "or", "distinct", "true", "does"):
                yield literal

    def stated(self, keyword, name, arity, column):
        """Values of a column of a fluent in heads with this keyword."""
        found = set()
        for head, body in self.rules.get((keyword, 1), []):
            fact = flat(head[1])
            if fact[0] == name and len(fact) == arity + 1:
                found |= self.values_of(fact[column + 1], body) or set()
        return found


# ---- a person's eyes ----

def count_of(value):
    """("", 3) for "3", ("a", 2) for "b", ("row", 3) for "row3"; None if it counts nothing."""
    found = re.fullmatch(r"([a-z_]*?)_?(\d+)", value)
    if found:
        return found.group(1), int(found.group(2))
    return ("letter", ord(value) - ord("a")) if re.fullmatch(r"[a-z]", value) else None


def range_of(values):
    """All numbers from the first to the last, if these are numbers of one kind without great gaps."""
    counts = [count_of(value) for value in values]
    if None in counts or len({kind for kind, _ in counts}) != 1:
        return None
    numbers = {number for _, number in counts}
    whole = range(min(numbers), max(numbers) + 1)
    return whole if 2 <= len(numbers) and len(whole) <= min(LONGEST, 2 * len(numbers)) else None


def families(states):
    found = {}
    for index, state in enumerate(states):
        for fact in state:
            found.setdefault((fact[0], len(fact) - 1), {}).setdefault(index, set()).add(fact[1:])
    return found


def find_plane(states, i, j, arity):
    """-1 if a square has one content at the start, the column that numbers boards if one does; else None."""
    for plane in [-1] + [k for k in range(arity) if k not in (i, j) and arity > 3]:
        columns = (i, j) if plane < 0 else (i, j, plane)
        if len({tuple(fact[k] for k in columns) for fact in states[0]}) == len(states[0]):
            return plane
    return None


def see_grid(name, by_state, text):
    """The two columns that a person takes for coordinates, and the size: what matches showed at least,
    and what the text says where the first state does not fill the board."""
    everything = set().union(*by_state.values())
    arity = len(next(iter(everything)))
    states = list(by_state.values())
    for i in range(arity):
        for j in range(i + 1, arity):
            shown = [{fact[k] for fact in everything} for k in (i, j)]
            ranges = [(range_of(values), range_of(values | stated(text, name, arity, k))) for k, values in zip((i, j), shown)]
            if not ranges[0][0] or not ranges[1][0]:
                continue
            first = {(fact[i], fact[j]) for fact in states[0]}
            is_full = len(first) == len(ranges[0][0]) * len(ranges[1][0])
            plane = find_plane(states, i, j, arity)
            one_alone = any(all(len({fact[k] for fact in facts}) == len(facts) for facts in states) for k in (i, j))
            if plane is None or (arity == 2 and one_alone and max(map(len, states)) > 1):
                continue
            contents = {" ".join(fact[k] for k in range(arity) if k not in (i, j, plane)) for fact in everything}
            least = tuple(len(seen) for seen, _ in ranges)
            most = least if is_full else tuple(max(len(seen), len(said or seen)) for seen, said in ranges)
            planes = len({fact[plane] for fact in everything}) if plane >= 0 else 0
            return {"least": least, "most": most, "contents": contents, "planes": planes}
    return None


def stated(text, name, arity, column):
    """`base` says it; without it `init` and `next`."""
    return text.stated("base", name, arity, column) or text.stated("init", name, arity, column) | text.stated("next", name, arity, column)


def seen_grids(states, text):
    """By fluent, those called like a board."""
    grids = {}
    for (name, arity), by_state in families(states).items():
        if arity >= 2 and (name in BOARD_WORDS or any(word in name for word in BOARD_WORDS if len(word) > 2)):
            grid = see_grid(name, by_state, text)
            if grid:
                grids[name] = grid
    return grids


# ---- ours ----

def draw(marelle, path, moves):
    """Grids, what else the pictures need, and CPU seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        command = [marelle, "show", "--json", path] + (["--moves", moves] if moves else [])
        run = subprocess.run(command, capture_output=True, text=True, timeout=600,
                             preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS + 1)))
    except subprocess.TimeoutExpired:
        return None, None, float(CPU_SECONDS)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if run.returncode:
        return None, None, cpu
    shown = json.loads(run.stdout)
    grids = shown["board"]["grids"]
    for grid in grids:
        grid["holes"] = len(grid["holes"])
    return grids, shown, cpu


def in_order(labels):
    counts = [count_of(label) for label in labels]
    if None in counts:
        return False
    numbers = [number for _, number in counts]
    steps = {b - a for a, b in zip(numbers, numbers[1:])}
    return steps in ({1}, {-1})


def verdict(name, seen, grids):
    """right, exchanged, or what is wrong with the grid of this fluent."""
    contents, least, most = seen["contents"], seen["least"], seen["most"]
    ours = next((grid for grid in grids or [] if name in grid["fluents"]), None)
    if not ours or not ours["y"]:
        return "no grid"
    if len(ours["planes"]) != seen["planes"] and max(len(ours["planes"]), seen["planes"]) > 1:
        return "other boards"
    size = (ours["width"], ours["height"])
    fits = [all(low <= length <= high for low, length, high in zip(least, order, most)) for order in (size, size[::-1])]
    if not any(fits):
        return "wrong size"
    if not in_order(ours["x"]) or not in_order(ours["y"]):
        return "wrong order"
    pieces = {piece["piece"]: piece["blank"] for piece in ours["pieces"] if piece["fluent"] == name}
    if contents != {""} and not contents <= set(pieces):
        return "pieces missing"
    blank = next((piece for piece, is_blank in pieces.items() if is_blank), None)
    usual = contents & BLANKS
    if usual and blank not in usual and contents - usual:
        return "another blank"
    if least != most and sorted(size) != sorted(most):
        return "as seen" if size == least else "between"
    return "right" if fits[0] else "exchanged"


# ---- the table ----

def load(path):
    kept = {}
    if path and os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            for line in file:
                entry = json.loads(line)
                kept[entry["file"]] = entry
    return kept


def trace_of(options, file):
    return os.path.join(options.shared, "oracle", file.replace("/", "_").rsplit(".", 1)[0] + ".trace.gz")


def draw_all(options, files, kept):
    started = time.monotonic()
    for file in files:
        if file in kept:
            continue
        if options.seconds and time.monotonic() - started > options.seconds:
            print("not done yet")
            return False
        trace = trace_of(options, file)
        roles, matches = board_pictures.read_match(trace) if os.path.exists(trace) else ([], [])
        grids, shown, cpu = draw(options.marelle, os.path.join(options.shared, "corpus", file), board_pictures.middle(matches))
        complaints = board_pictures.audit(shown, roles, matches) if shown else []
        kept[file] = {"file": file, "grids": grids, "cpu": cpu, "complaints": complaints}
        if options.keep:
            with open(options.keep, "a", encoding="utf-8") as out:
                out.write(json.dumps(kept[file]) + "\n")
    return True


def compare(options, files, kept):
    rows = []
    for file in files:
        trace = trace_of(options, file)
        if file not in kept or not os.path.exists(trace):
            continue
        seen = seen_grids(recorded_states(trace), Text(os.path.join(options.shared, "corpus", file)))
        verdicts = {name: verdict(name, grid, kept[file]["grids"]) for name, grid in seen.items()}
        rows.append({"file": file, "seen": seen, "grids": kept[file]["grids"], "verdicts": verdicts, "cpu": kept[file]["cpu"],
                     "complaints": kept[file]["complaints"]})
    return rows


# Read in the rules by a person where the witnesses differ or cannot tell: what holds, by a part of the file's name.
READ = {
    "blobwars": ("right", "`o` is empty, `b` is blue"), "mineClearing": ("right", "`dot` is empty, `b` is a mine"),
    "wallmaze": ("right", "`o` is floor, `a` and `b` are players"), "tritactoe": ("right", "`o` is open, `a`, `b` and `c` are players"),
    "pentago": ("right", "four quadrants of 3 x 3"), "kitten": ("right", "the way out is at 15 4"),
    "doubletictactoe": (None, "squares are numbered from 1 to 9"), "doubletoetictac": (None, "squares are numbered from 1 to 9"),
    "dominion": (None, "cards in hands and piles"),
    "sudokuGrade": ("right", "9 x 9 as squares of squares"), "duidoku": ("right", "squares of squares"),
    "stanford/sudoku": ("right", "9 x 9 as squares of squares"), "nineBoard": ("right", "boards of boards"),
    "nineboard": ("right", "boards of boards"), "tictactoex9": ("right", "boards of boards"),
}

GOOD = ("right", "as seen")
WORDS = {"right": "right", "exchanged": "right, width and height exchanged", "no grid": "no grid", "wrong size": "wrong size",
         "wrong order": "wrong order", "pieces missing": "pieces missing", "another blank": "another blank",
         "other boards": "another number of boards", "between": "the matches do not tell",
         "as seen": "as the matches show; the text allows more"}


def judge(row):
    """The verdict on the fluent that is called like a board most of all, or has the largest; a person's
    word counts more."""
    for part, (word, reason) in READ.items():
        if part in row["file"]:
            return word, reason
    if not row["seen"]:
        return None, ""
    usual = [name for name in row["seen"] if name in ("cell", "location", "board", "piece", "square")] or row["seen"]
    main_fluent = max(usual, key=lambda name: row["seen"][name]["least"][0] * row["seen"][name]["least"][1])
    return row["verdicts"][main_fluent], ""


def size_text(seen):
    least, most = seen["least"], seen["most"]
    boards = f"{seen['planes']} of " if seen["planes"] else ""
    return f"{boards}{least[0]} x {least[1]}" + (f" to {most[0]} x {most[1]}" if most != least else "")


def drawn_text(grid):
    shape = "hexagons " if grid["shape"] == "hexagons" else ""
    boards = f"{len(grid['planes'])} of " if len(grid["planes"]) > 1 else ""
    return f"{shape}{boards}{grid['width']} x {grid['height']} {'+'.join(grid['fluents'])}, {len(grid['pieces'])} pieces"


def write_page(path, rows, waiting, listed):
    judged = [(row, *judge(row)) for row in rows]
    grids = [(row, word, why) for row, word, why in judged if word]
    count = {word: sum(found == word for _, found, _ in grids) for word in WORDS}
    well = count["right"] + count["as seen"]
    unjudged = sum(not word and any(grid["y"] for grid in row["grids"]) for row, word, _ in judged)
    names = {}
    for row, word, _ in grids:
        names.setdefault(re.sub(r"(_(v\d|alt|sql).*|\.\w+)$", "", row["file"].split("/")[1]).lower(), set()).add(word in GOOD)
    whole = sum(all(found) for found in names.values())
    cpu = sorted(row["cpu"] for row in rows)
    with open(path, "w", encoding="utf-8") as out:
        out.write(f"""# Boards against recorded matches

Written by `bench/boards.py --write`. It compares what `marelle show` draws for the canonical games of the corpus with what
recorded matches of another engine look like to a person. That side goes by names, as people do: a fluent called like a
board (`cell`, `location`, `piece`, ...), two arguments that count (1 2 3, a b c, row1 row2), at most one content per square.
Its size is what states show; if the first state does not fill the board, it is at most what `base`, or else `init` and
`next`, give each argument in the text. `marelle show` never looks at a name. A board is right if width, height, the order
along both axes, all contents that occurred and the empty square (if one is called `b`, `blank`, `empty`, ...) agree. Both
sides take the first coordinate for the horizontal one. Where a reason is given the rules were read.
[boards.md](../how-it-works/boards.md) tells how boards are found.

| | files |
|---|---|
| canonical files | {listed} |
| not drawn in this run, for want of time | {waiting} |
| refused by the reader, or without recorded matches | {listed - waiting - len(rows)} |
| with a grid, by the matches or by reading | {len(grids)} |
| right | {well} ({100 * well / max(1, len(grids)):.1f} %), {count["as seen"]} of them have the size that matches show where the text allows more |
""")
        for word in WORDS:
            if count[word] and word not in GOOD:
                out.write(f"| {WORDS[word]} | {count[word]} |\n")
        out.write(f"""
Of {len(names)} different games with a grid, {whole} ({100 * whole / max(1, len(names)):.1f} %) are right in all versions. {unjudged} files in which the matches
show no grid are drawn with one; these were not judged. Drawing took {cpu[len(cpu) // 2]:.2f} CPU seconds in the median, {sum(cpu) / len(cpu):.2f} on
average, {cpu[-1]:.1f} at most, building the circuit included.

## Every file

| file | matches show | drawn | |
|---|---|---|---|
""")
        for row, word, why in judged:
            seen = "; ".join(f"{name} {size_text(grid)}, {len(grid['contents'])} contents" for name, grid in row["seen"].items())
            drawn = "; ".join(drawn_text(grid) for grid in row["grids"] if grid["y"])
            out.write(f"| {row['file']} | {seen} | {drawn} | {WORDS.get(word, '')}{': ' + why if why else ''} |\n")
    print(f"{well} of {len(grids)} grids right ({100 * well / max(1, len(grids)):.1f} %)")


# Not games but problems and rules written to measure reasoners; none has a board.
NO_GAMES = re.compile("qdimacs|sat_|satlike|uf20|gt_|ruledepth|untwisty|statespace|urmadd|duplicatestate|haystack|survival", re.I)


def write_sheets(options, files):
    names = {}
    for file in files:
        name = re.sub(r"(_(v\d|alt|sql).*|\.\w+)$", "", file.split("/")[1]).lower()
        name = re.sub(r"\d+(ug|lg|x\d+)?$", "", re.sub(r"[-_ ]", "", name))
        if not NO_GAMES.search(file):
            names.setdefault(name, file)
    different = list(names.values())
    for sheet in range(4):
        entries = []
        for i in range(25 * sheet, 25 * sheet + 25):
            file = different[i * len(different) // 100]
            trace = trace_of(options, file)
            moves = board_pictures.middle(board_pictures.read_match(trace)[1]) if os.path.exists(trace) else ""
            entries.append((f"{i + 1} {file}", board_pictures.picture(options.marelle, os.path.join(options.shared, "corpus", file), moves)))
        board_pictures.write_sheet(f"{options.sheets}-{sheet + 1}", entries)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--marelle", required=True)
    parser.add_argument("--shared", default=os.environ.get("MARELLE_SHARED", "../shared"))
    parser.add_argument("--only", default="")
    parser.add_argument("--keep")
    parser.add_argument("--for", dest="seconds", type=float)
    parser.add_argument("--kept-only", action="store_true")
    parser.add_argument("--write")
    parser.add_argument("--sheets")
    options = parser.parse_args()
    with open(os.path.join(options.shared, "corpus", "index.csv"), encoding="utf-8") as file:
        files = sorted({row["file"] for row in csv.DictReader(file) if row["canonical"] == "1" and options.only in row["file"]})
    kept = load(options.keep)
    if not options.kept_only:
        draw_all(options, files, kept)
    rows = [row for row in compare(options, files, kept) if row["grids"] is not None]
    for row in rows:
        word, _ = judge(row)
        if word and word not in GOOD:
            print(f"{word}: {row['file']} " + "; ".join(f"{name} {size_text(grid)} {row['verdicts'][name]}" for name, grid in row["seen"].items()),
                  "|", "; ".join(f"{grid['width']}x{grid['height']} {'+'.join(grid['fluents'])}" for grid in row["grids"]))
    complaints = [(row["file"], complaint) for row in rows for complaint in row["complaints"]]
    for file, complaint in complaints:
        print(f"{file}: {complaint}")
    print(f"{len(rows) - len({file for file, _ in complaints})} of {len(rows)} pictures without a complaint")
    if options.sheets:
        write_sheets(options, files)
    if options.write:
        write_page(options.write, rows, sum(file not in kept for file in files), len(files))
    return 0


if __name__ == "__main__":
    sys.exit(main())
