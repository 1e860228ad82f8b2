"""The layout that generated descriptions share: facts, headers, alternation."""

import sys
import textwrap


def fill(facts):
    """Several facts on a line, within 78 characters."""
    lines = [""]
    for fact in facts:
        if lines[-1] and len(lines[-1]) + 1 + len(fact) > 78:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + fact
    return "\n".join(lines)


def each(name, values):
    """(name 1) (name 2) ..."""
    return fill(f"({name} {value})" for value in values)


def numbers(name, first, last):
    """(name first) ... (name last)"""
    return each(name, range(first, last + 1))


def chain(name, first, last):
    """(name 1 2) (name 2 3) ..."""
    return fill(f"({name} {i} {i + 1})" for i in range(first, last))


def header(title, **entries):
    """The comment at the top of a file: a title and labelled paragraphs."""
    lines = [title, ""]
    for label, text in entries.items():
        lines += textwrap.wrap(" ".join(text.split()), width=76,
                               initial_indent=f"{label + ':':<11}",
                               subsequent_indent=" " * 11)
    return "\n".join(f"; {line}".rstrip() for line in lines)


def two_roles(first, second):
    return f"""\
; ---- Roles ----

(role {first})
(role {second})
(opponent {first} {second})
(opponent {second} {first})"""


ALTERNATE_NOOP = """\
(<= (legal ?player noop)
    (true (control ?other))
    (opponent ?player ?other))"""

ALTERNATE_NEXT = """\
(<= (next (control ?other))
    (true (control ?player))
    (opponent ?player ?other))"""

ALTERNATE_BASE = """\
(<= (base (control ?player))
    (role ?player))"""

NOOP_INPUT = """\
(<= (input ?player noop)
    (role ?player))"""


def two_and_chance(first, second):
    """Two players, each the other's opponent, and chance."""
    return f"""\
; ---- Roles ----

(role {first})
(role {second})
(role random)
(opponent {first} {second})
(opponent {second} {first})"""


# `(better player)` says who would win.
WIN_GOALS = """\
(<= (goal ?player 100)
    (better ?player))
(<= (goal ?other 0)
    (better ?player)
    (opponent ?player ?other))
(<= some_better
    (better ?player))
(<= (goal ?player 50)
    (opponent ?player ?other)
    (not some_better))
(goal random 0)"""


def require(condition, message):
    if not condition:
        sys.exit(f"generate.py: {message}")
