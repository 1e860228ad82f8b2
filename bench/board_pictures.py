"""What boards.py asks of the pictures of one game, and contact sheets of many.

A recorded match gives a position in its middle, and tells who moves which piece.
"""
import gzip
import os
import re
import shutil
import subprocess
import tempfile
import xml.etree.ElementTree as tree
from collections import Counter

SVG = "{http://www.w3.org/2000/svg}"
LONGEST = 14      # turns played before a picture is taken
MOST = 90         # percent of the arrivals of a piece in turns of its owner
INVOLVED = 50     # percent of the changes of a board in which the empty square takes part


def read_match(path):
    """States, joint moves and numbers of legal moves by role of the matches in a file, and the roles."""
    roles, matches = [], []
    with gzip.open(path, "rt", encoding="utf-8", errors="replace") as file:
        for line in file:
            word, _, rest = line.strip().partition(" ")
            if word == "roles":
                roles = rest.split()
            elif word == "match":
                matches.append([])
            elif word == "state":
                matches[-1].append({"state": rest, "legal": {}, "does": None})
            elif word == "legal":
                role, _, moves = rest.partition(" ")
                matches[-1][-1]["legal"][role] = len(re.findall(r"\([^()]*(?:\([^()]*\)[^()]*)*\)|[^\s()]+", moves))
            elif word == "does":
                matches[-1][-1]["does"] = rest
    return roles, matches


def middle(matches):
    """The moves that lead to the middle of the first match."""
    moves = [turn["does"] for turn in matches[0] if turn["does"]] if matches else []
    return " ".join(moves[:min(len(moves) * 2 // 3, LONGEST)])


def looks(view):
    """By grid: name of a kind of piece to the drawings it has."""
    found = {}
    for picture in view["pictures"]:
        if picture["grid"] is None:
            continue
        for cell in tree.fromstring(picture["svg"]).iter(f"{SVG}g"):
            title = cell.find(f"{SVG}title")
            if cell.get("class") != "cell" or title is None or ": " not in title.text or ", " in title.text:
                continue
            name = title.text.split(": ", 1)[1]
            drawn = "".join(tree.tostring(piece, encoding="unicode") for piece in cell.iter(f"{SVG}g")
                            if piece.get("class") == "piece")
            found.setdefault(picture["grid"], {}).setdefault(name, set()).add(drawn)
    return found


def alike(view):
    """Kinds that look like others of the same board, or like nothing."""
    names = set()
    for kinds in looks(view).values():
        for name, drawn in kinds.items():
            names |= {name for other, same in kinds.items() if other != name and drawn & same}
            names |= {name} if "" in drawn else set()
    return names


def terms(state):
    return set(re.findall(r"\((?:[^()]|\([^()]*\))*\)|[^\s()]+", state))


def hidden(board, matches):
    """Fluents that change and are only listed as facts."""
    changing = set()
    for match in matches:
        for before, after in zip(match, match[1:]):
            changing |= {term.strip("()").split()[0].lower() for term in terms(before["state"]) ^ terms(after["state"])}
    return {family["name"] for family in board["fluents"] if family["kind"] == "facts" and family["name"] in changing}


def squares(state, grid):
    """The facts of a state that are on this grid, as (fluent, rest) to their kind of piece."""
    kinds = sorted({(piece["fluent"], piece["piece"]) for piece in grid["pieces"]}, key=lambda kind: -len(kind[1]))
    found = {}
    for term in terms(state):
        words = term.replace("(", " ").replace(")", " ").lower().split()
        ends = [kind for kind in kinds if words[-len(kind[1].split()):] == kind[1].split()]
        for fluent, piece in ends + kinds:  # contents come last most of the time
            own = piece.split() if piece != fluent else []
            if words[0] == fluent and not Counter(own) - Counter(words[1:]):
                rest = words[:0:-1]
                for word in own:
                    rest.remove(word)  # the last one, since coordinates come first
                found[(fluent, tuple(rest))] = piece
                break
    return found


def witness(grid, roles, matches):
    """Who brings each kind to new squares, and whether what is drawn empty can be the empty square: it takes part
    in half of the changes of the board, or no other kind is on more squares and takes part in as many."""
    arrivals, changes, involved, others, standing = {}, 0, 0, Counter(), Counter()
    blanks = {piece["piece"] for piece in grid["pieces"] if piece["blank"]}
    with_blank = {piece["fluent"] for piece in grid["pieces"] if piece["blank"]}
    for match in matches[:4]:
        for before, after in zip(match, match[1:]):
            old, new = squares(before["state"], grid), squares(after["state"], grid)
            movers = [role for role in roles if before["legal"].get(role, 0) > 1]
            different = [where for where in set(old) | set(new) if old.get(where) != new.get(where)]
            filled = [where for where in different if where[0] in with_blank]
            changes += bool(filled)
            kinds = {kind for where in filled for kind in (old.get(where), new.get(where)) if kind is not None}
            involved += bool(kinds & blanks)
            others.update(kinds - blanks)
            standing.update(kind for where, kind in old.items() if where[0] in with_blank)
            for where in different:
                if len(movers) == 1 and new.get(where) is not None:
                    by = arrivals.setdefault(new[where], {})
                    by[movers[0]] = by.get(movers[0], 0) + 1
    owners = {}
    for piece, by in arrivals.items():
        role, count = max(by.items(), key=lambda one: one[1])
        if piece not in blanks and count * 100 >= MOST * sum(by.values()) and sum(by.values()) > 4:
            owners[piece] = role.lower()
    seen = sum(standing[kind] for kind in blanks)
    better = any(times >= involved and standing[kind] > seen for kind, times in others.items())
    return owners, blanks, not blanks or involved * 100 >= INVOLVED * changes or not better


def audit(shown, roles, matches):
    """Complaints about the picture of one position, as texts."""
    board, view = shown["board"], shown["view"]
    complaints = [f"{name} looks like another or nothing" for name in sorted(alike(view))]
    complaints += [f"{name} is only listed" for name in sorted(hidden(board, matches))]
    for grid in board["grids"]:
        owners, blanks, involved = witness(grid, roles, matches)
        sides = {piece["piece"]: piece["side"] for piece in grid["pieces"]}
        if len([role for role in roles if role != "random"]) > 1 and all(" " not in piece or piece in sides for piece in owners):
            complaints += [f"{piece} is moved by {role}, drawn for {sides[piece]}" for piece, role in sorted(owners.items())
                           if sides.get(piece) not in (None, role)]
        if not involved:
            complaints.append(f"{', '.join(sorted(blanks))} is no empty square")
    return complaints


# ---- contact sheets ----

def picture(marelle, path, moves):
    command = [marelle, "show", path, "--svg"] + (["--moves", moves] if moves else [])
    return subprocess.run(command, capture_output=True, text=True, timeout=600).stdout


def write_sheet(name, entries, columns=5, size=300):
    """Writes NAME.png: (caption, SVG) side by side.  Needs rsvg-convert or chromium."""
    rows = (len(entries) + columns - 1) // columns
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{columns * size}" height="{rows * (size + 18)}">'
           '<rect width="100%" height="100%" fill="#fff"/>']
    for i, (caption, svg) in enumerate(entries):
        x, y = i % columns * size + 4, i // columns * (size + 18)
        out.append(f'<text x="{x}" y="{y + 13}" font-size="12" font-family="DejaVu Sans">{caption}</text>')
        head = re.match(r'<svg [^>]*?viewBox="([^"]*)" width="[^"]*" height="[^"]*"([^>]*)>', svg)
        if head:
            out.append(f'<svg x="{x}" y="{y + 18}" width="{size - 8}" height="{size - 8}" viewBox="{head.group(1)}"{head.group(2)}>'
                       + svg[head.end():])
    out.append("</svg>")
    draw_png(name, "\n".join(out), columns * size, rows * (size + 18))


def draw_png(name, svg, width, height):
    """Writes NAME.png with rsvg-convert, or else with a browser."""
    if shutil.which("rsvg-convert"):
        subprocess.run(["rsvg-convert", "-o", name + ".png"], input=svg, text=True, check=True)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "sheet.svg")
        with open(path, "w", encoding="utf-8") as file:
            file.write(svg)
        subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--user-data-dir={folder}/profile",
                        f"--screenshot={os.path.abspath(name)}.png", f"--window-size={width},{height}", "file://" + path],
                       check=True, capture_output=True, timeout=300)
