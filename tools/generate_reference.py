#!/usr/bin/env python3
"""Writes the files that repeat what the program's own tables say: the completions for three shells,
verbs, options and searches of the manual page, the table of verbs in docs/reference/library.md,
docs/reference/searches.md and web/searches.js.

usage: tools/generate_reference.py --marelle PROGRAM [--check]

With --check nothing is written: each file that would change is a failed test (TAP).  Everything
comes from `marelle help --json` and `marelle help searches --json`; to change a text, change the
table in the source.
"""
import argparse
import ast
import copy
import json
import os
import re
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
GAMES = "games 2>/dev/null | awk '{ print $1 }'"


def choices(option):
    """The words that an option takes."""
    return option["value"].split("|") if "|" in option.get("value", "") else []


def with_search_names(help_tree, names):
    """A copy in which options whose value is a SEARCH are choices among the names of all searches."""
    help_tree = copy.deepcopy(help_tree)
    for verb in help_tree["verbs"]:
        for option in verb["options"]:
            if option.get("value") == "SEARCH":
                option.update(kind="choice", value="|".join(names))
    return help_tree


def takes_file(option):
    return option.get("value") in ("FILE", "FOLDER", "DIR", "GAME")


def arguments_of(verb):
    """What a verb's arguments are: `game`, `file`, `record`, `words`, `verb`, `study` or nothing."""
    first = verb["arguments"].split(" ")[0].strip("[].")
    kinds = {"GAME": "game", "GAMEFILE": "game", "FILE": "game", "RECORD": "file", "VERB": "verb", "STUDY": "study"}
    if verb["name"] == "tournament":
        return "file"
    return kinds.get(first) or ("words" if "|" in first else "")


def words_of(verb):
    return verb["arguments"].split(" ")[0].split("|")


# ---- bash ----

def bash(help_tree):
    verbs, common = help_tree["verbs"], help_tree["common"]
    values = {}  # completion of an option's value -> the "verb option" pairs that have it
    for verb in verbs:
        own = {option["name"] for option in verb["options"]}
        for option in verb["options"] + [option for option in common if option["name"] not in own]:
            if option["kind"] == "flag":
                continue
            action = "-W '%s'" % " ".join(choices(option)) if choices(option) else "-f" if takes_file(option) else ""
            values.setdefault(action, []).append(f"{verb['name']} --{option['name']}")
    lines = ["# shellcheck shell=bash",
             "# Bash completion for marelle, written by tools/generate_reference.py.  Source it, or install it as",
             "# /usr/share/bash-completion/completions/marelle.", "",
             "_marelle_reply() {", '    mapfile -t COMPREPLY < <(compgen "$@")', "}", "",
             "_marelle() {",
             "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}",
             '    local verbs="%s"' % " ".join(verb["name"] for verb in verbs),
             '    local options="%s"' % " ".join("--" + option["name"] for option in common),
             '    local verb="" word', "",
             '    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do',
             "        if [[ $word != -* ]]; then", "            verb=$word", "            break", "        fi", "    done",
             "    if [[ -z $verb ]]; then", '        _marelle_reply -W "$verbs --help --version" -- "$current"',
             "        return", "    fi", "", '    case "$verb $previous" in']
    for action, pairs in values.items():
        lines.append("    " + " | \\\n        ".join(f"'{pair}'" for pair in pairs) + ")")
        if action == "-f":
            lines.append("        compopt -o filenames")
        if action:
            lines.append(f'        _marelle_reply {action} -- "$current"')
        lines += ["        return", "        ;;"]
    lines += ["    esac", "", "    case $verb in"]
    for verb in verbs:
        if verb["options"]:
            own = " ".join("--" + option["name"] for option in verb["options"])
            lines.append(f'    {verb["name"]}) options+=" {own}" ;;')
    lines += ["    esac", "    if [[ $current == -* ]]; then", '        _marelle_reply -W "$options" -- "$current"',
              "        return", "    fi", "", "    case $verb in"]
    for kind in ("words", "game", "file", "study", "verb"):
        for group in [[verb] for verb in verbs if arguments_of(verb) == kind] if kind == "words" else [
                [verb for verb in verbs if arguments_of(verb) == kind]]:
            lines.append("    " + " | ".join(verb["name"] for verb in group) + ")")
            if kind == "words":
                lines += ["        if ((COMP_CWORD == 2)); then",
                          "            _marelle_reply -W '%s' -- \"$current\"" % " ".join(words_of(group[0])),
                          "            return", "        fi"]
            if kind in ("words", "game"):
                lines += ["        compopt -o filenames",
                          '        _marelle_reply -f -W "$("${COMP_WORDS[0]}" %s)" -- "$current"' % GAMES]
            elif kind == "file":
                lines += ["        compopt -o filenames", '        _marelle_reply -f -- "$current"']
            elif kind == "study":
                lines.append('        _marelle_reply -W "$("${COMP_WORDS[0]}" experiment 2>/dev/null | '
                             "awk '{ print $1 }')\" -- \"$current\"")
            else:
                lines.append('        _marelle_reply -W "$verbs" -- "$current"')
            lines.append("        ;;")
    return "\n".join(lines + ["    esac", "}", "", "complete -F _marelle marelle", ""])


# ---- zsh ----

def zsh_quote(text):
    return text.replace("'", "'\\''")


def zsh_option(option):
    text = "--%s[%s]" % (option["name"], zsh_quote(re.sub(r"([\[\]:])", r"\\\1", option["summary"])))
    if choices(option):
        text += ":%s:(%s)" % (option["name"], " ".join(choices(option)))
    elif takes_file(option):
        text += ":%s:_files" % option["value"].lower()
    elif option["kind"] != "flag":
        text += ":%s" % zsh_quote(option["value"].lower())
    return f"'{text}'"


def zsh(help_tree):
    lines = ["#compdef marelle",
             "# Zsh completion for marelle, written by tools/generate_reference.py.  Put it into a folder of $fpath.", "",
             "_marelle_game() {", "    local -a names",
             "    names=(${(f)\"$($service %s)\"})" % GAMES,
             "    _alternative 'names:built-in game:compadd -a names' 'files:game file:_files'", "}", "",
             "_marelle_study() {", "    local -a names",
             "    names=(${(f)\"$($service experiment 2>/dev/null | awk '{ print $1 }')\"})",
             "    compadd -a names", "}", "", "_marelle() {", "    local -a verbs common", "    verbs=("]
    for verb in help_tree["verbs"]:
        lines.append("        '%s:%s'" % (verb["name"], zsh_quote(verb["summary"].replace(":", "\\:"))))
    lines += ["    )", "    common=("] + ["        " + zsh_option(option) for option in help_tree["common"]] + [
        "    )", "", "    local curcontext=$curcontext state line", "    local -A opt_args",
        "    _arguments -C '--help[explain]' '--version[print the version]' '1:verb:->verb' '*::argument:->argument'",
        "    case $state in", "    verb) _describe 'verb' verbs ;;", "    argument)", "        case $words[1] in"]
    arguments = {"game": "'*:game:_marelle_game'", "file": "'*:file:_files'", "study": "'*:study:_marelle_study'",
                 "verb": "'1:verb:(%s)'" % " ".join(verb["name"] for verb in help_tree["verbs"])}
    for verb in help_tree["verbs"]:
        kind = arguments_of(verb)
        last = arguments.get(kind, "")
        if kind == "words":
            last = "'1:what:(%s)' '*:game:_marelle_game'" % " ".join(words_of(verb))
        parts = [zsh_option(option) for option in verb["options"]] + ([last] if last else [])
        lines.append(" \\\n                ".join([f"        {verb['name']}) _arguments $common"] + parts) + " ;;")
    return "\n".join(lines + ["        esac", "        ;;", "    esac", "}", "", '_marelle "$@"', ""])


# ---- fish ----

def fish_quote(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def fish_option(condition, option):
    line = f"complete -c marelle{condition} -l {option['name']}"
    if option.get("letter"):
        line += f" -s {option['letter']}"
    if choices(option):
        line += " -x -a " + fish_quote(" ".join(choices(option)))
    elif takes_file(option):
        line += " -r"
    elif option["kind"] != "flag":
        line += " -x"
    return line + " -d " + fish_quote(option["summary"])


def fish(help_tree):
    lines = ["# Fish completion for marelle, written by tools/generate_reference.py.  Install it in",
             "# ~/.config/fish/completions/.", "",
             "function __marelle_games", "    marelle " + GAMES, "end", "",
             "function __marelle_studies", "    marelle experiment 2>/dev/null | awk '{ print $1 }'", "end", ""]
    for verb in help_tree["verbs"]:
        lines.append(f"complete -c marelle -n __fish_use_subcommand -f -a {verb['name']} "
                     f"-d {fish_quote(verb['summary'])}")
    lines.append("")
    lines += [fish_option("", option) for option in help_tree["common"]]
    for verb in help_tree["verbs"]:
        condition = f" -n '__fish_seen_subcommand_from {verb['name']}'"
        kind = arguments_of(verb)
        if kind == "words":
            lines.append(f"complete -c marelle{condition} -f -a {fish_quote(' '.join(words_of(verb)))}")
        if kind in ("words", "game"):
            lines.append(f"complete -c marelle{condition} -a '(__marelle_games)' -d 'built-in game'")
        elif kind == "study":
            lines.append(f"complete -c marelle{condition} -f -a '(__marelle_studies)'")
        elif kind == "verb":
            names = " ".join(other["name"] for other in help_tree["verbs"])
            lines.append(f"complete -c marelle{condition} -f -a {fish_quote(names)}")
        lines += [fish_option(condition, option) for option in verb["options"]]
    return "\n".join(lines + [""])


# ---- the manual page ----

def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join("\\&" + line if line[:1] in ".'" else line for line in text.split("\n"))


def roff_description(text):
    """Paragraphs; lines like "  name  meaning", which may go on below, become a list."""
    lines, in_list = [], False
    for line in text.split("\n"):
        item = re.match(r"  (\S+)  +(.*)", line)
        if item:
            lines += [".TP", "\\fB%s\\fR" % roff(item.group(1)), roff(item.group(2))]
        elif in_list and not line.startswith(" "):
            lines += [".PP", roff(line)]
        else:
            lines.append(roff(line.strip()))
        in_list = bool(item) or (in_list and line.startswith(" "))
    return "\n".join(lines)


def roff_option(option):
    name = "\\fB\\-\\-%s\\fR" % roff(option["name"])
    if option.get("value"):
        value = roff(option["value"])
        name += " " + (value if choices(option) else f"\\fI{value}\\fR")
    if option.get("letter"):
        name += f", \\fB\\-{option['letter']}\\fR"
    return f".TP\n{name}\n{roff(option['summary'])}."


def manual_section(help_tree):
    lines = []
    for verb in help_tree["verbs"]:
        usage = roff(f"marelle {verb['name']} {verb['arguments']}".strip())
        lines += [f".SS {verb['name']}", f"\\fB{usage}\\fR", ".PP", roff_description(verb["description"])]
        lines += [roff_option(option) for option in verb["options"]]
        lines += [".PP", f"Example: \\fBmarelle {roff(verb['example'])}\\fR"]
    return "\n".join(lines) + "\n"


def manual(help_tree, searches, page):
    """The page with what stands between its markers written anew."""
    options = "\n".join(roff_option(option) for option in help_tree["common"]) + "\n"
    sections = {"verbs": manual_section(help_tree), "common options": options, "searches": manual_searches(searches)}
    for name, text in sections.items():
        begin, end = f'.\\" begin: {name}\n', f'.\\" end: {name}\n'
        first, last = page.index(begin) + len(begin), page.index(end)
        page = page[:first] + text + page[last:]
    return page


# ---- searches ----

def sentence(text):
    return text[0].upper() + text[1:]


def manual_searches(searches):
    lines, seen = [], set()
    for search in searches:
        alias = f" (older name: {search['alias']})" if search["alias"] else ""
        keys = ", ".join(option["key"] for option in search["options"])
        lines += [".TP", f".B {roff(search['name'])}", roff(f"{sentence(search['summary'])}{alias}."),
                  roff(f"Options: {keys}.")]
    lines += [".PP", "Options:"]
    for search in searches:
        for option in search["options"]:
            if option["key"] not in seen:
                seen.add(option["key"])
                lines += [".TP", f".B {roff(option['key'])}", roff(describe(option))]
    return "".join(line + "\n" for line in lines)


def describe(option):
    range_ = f", {option['range']}" if option["range"] else ""
    return f"{sentence(option['meaning'])} ({option['type']}{range_}; default: {option['default']})."


def options_page(searches):
    lines = ["# Searches and their options", "",
             "Generated by `tools/generate_reference.py` from the tables in the source of each search; do not edit.",
             "`marelle help searches` prints the same. How the searches work: [searches.md](../how-it-works/searches.md).", "",
             "A search is written `NAME[:key=value,...]`, for example `uct:playouts=1000,c=0.5`: as a player of `match` and",
             "`tournament`, and after `--algo`. An option that a search does not have is refused.", "",
             "| search | older name | what it does |", "|---|---|---|"]
    for search in searches:
        alias = f"`{search['alias']}`" if search["alias"] else ""
        lines.append(f"| [`{search['name']}`](#{search['name']}) | {alias} | {search['summary']} |")
    common = set.intersection(*({option["key"] for option in search["options"]} for search in searches))
    table = ["| key | type | range | default | meaning |", "|---|---|---|---|---|"]

    def rows(options):
        return [f"| `{o['key']}` | {o['type']} | {o['range'].replace('|', ', ')} | {o['default']} | {o['meaning']} |"
                for o in options]

    lines += ["", "## Options of every search", ""] + table
    lines += rows(option for option in searches[0]["options"] if option["key"] in common)
    for search in searches:
        own = [option for option in search["options"] if option["key"] not in common]
        lines += ["", f"## {search['name']}", "", f"{sentence(search['summary'])}."]
        if own:
            lines += [""] + table + rows(own)
    return "\n".join(lines) + "\n"


def page_list(searches):
    shown = [search for search in searches if not search["name"].startswith("baseline")]
    rows = [{"name": s["name"], "summary": s["summary"], "singlePlayer": s["single_player"]} for s in shown]
    lines = ",\n".join("  " + json.dumps(row, ensure_ascii=False) for row in rows)
    return ("// The searches that may take a seat. Generated by tools/generate_reference.py; do not edit.\n"
            f"export const SEARCHES = [\n{lines},\n];\n")


# ---- the library ----

# What does from C and from Python what a verb does. A row is: functions of include/marelle/ without their prefix,
# names of the package marelle, and a remark.
LIBRARY = {
    "analyze": (["analyze"], ["analyze"], ""),
    "bench": (["playouts"], ["Game.playouts"], "the result has CPU seconds; `kernel` is an option of games"),
    "check": (["rules_check", "diagnostic"], ["Game.check", "RulesError"], "`--simulate`: random play"),
    "circuit": (["game_circuit", "game_write_circuit"], ["Game.circuit", "Game.write_circuit"], ""),
    "decompose": (["decompose"], ["decompose", "Decomposition.svg"], "`--explain`: `links` of the graph"),
    "demo": ([], [], "a tour of other verbs"),
    "experiment": ([], [], "a short way to [experiments/](../experiments.md), a package over the library"),
    "format": (["rules_write"], ["Game.write"], ""),
    "games": (["rules_read_file"], ["Game.from_file"], "the files of [games/](../../games/README.md)"),
    "gdl-perf": (["playouts"], ["Game.playouts"], "the contract of a benchmark, for the program"),
    "ground": (["rules_ground"], ["Game.ground"], ""),
    "help": (["search_methods", "solving_methods"], ["methods", "solving_methods"], "otherwise the headers, and `help()` in Python"),
    "info": (["rules_info"], ["Game.info"], ""),
    "learn": (["data_collect", "data_train", "data_audit", "model_errors", "model_try", "model_train"],
              ["collect", "Data.train", "Data.audit", "errors", "try_model", "learn"],
              "`data`, `train`, `audit`, `test`, `--gate`, `selfplay`"),
    "look": (["analyze", "decompose", "symmetries"], ["analyze", "decompose", "symmetries"], "what the page shows of them"),
    "match": (["match_play"], ["match"], "functions instead of people; no players on the network; `cpu_clock`"),
    "perft": (["count"], ["Game.count"], ""),
    "player": (["player_create", "player_answer"], ["Player"], "without a socket"),
    "replay": (["board_text", "board_state_json"], ["State.draw", "State.describe"],
               "records are JSON; play their moves and draw the states"),
    "scsp": (["network_build", "network_solve", "network_write"], ["scsp", "Network"], ""),
    "search": (["search_create", "search_run", "search_result"], ["search", "Search"],
               "several processes: the program alone"),
    "serve": ([], [], "the page is a program of its own"),
    "show": (["board_recognise", "board_text", "board_svg", "board_state_json"],
             ["State.draw", "State.svg", "State.describe", "Board"], ""),
    "simulate": (["playouts"], ["Game.playouts"], "`--threads`, `--reasoner gpu`; also from any state"),
    "solve": (["solve_by"], ["solve"], "methods with options that the verb does not have"),
    "symmetry": (["symmetries"], ["symmetries"], ""),
    "tournament": (["match_play"], ["match"], "a loop over matches; pairing and ratings are the program's"),
    "trace-check": (["trace_check"], ["Game.check_trace"], ""),
    "translate": (["rules_write"], ["Game.write"], ""),
    "version": (["version"], ["__version__"], ""),
}


def python_names():
    """The public names of the package, with the members of its classes."""
    names = {"__version__"}
    folder = os.path.join(ROOT, "python", "marelle")
    for file in os.listdir(folder):
        if not file.endswith(".py") or file == "_library.py":
            continue
        for node in ast.parse(read(os.path.join("python", "marelle", file))).body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                names.add(node.name)
            if isinstance(node, ast.ClassDef):
                names |= {f"{node.name}.{part.name}" for part in node.body if isinstance(part, ast.FunctionDef)}
    return names


def library_table(help_tree):
    verbs = [verb["name"] for verb in help_tree["verbs"]]
    if sorted(verbs) != sorted(LIBRARY):
        raise SystemExit(f"LIBRARY has no row, or one too many, for: {sorted(set(verbs) ^ set(LIBRARY))}")
    folder = os.path.join("include", "marelle")
    header = "".join(read(os.path.join(folder, name)) for name in os.listdir(os.path.join(ROOT, folder)))
    known = python_names()
    lines = ["| verb | C: `marelle_...` | Python: `marelle....` | remark |", "|---|---|---|---|"]
    for verb in sorted(verbs):
        functions, names, remark = LIBRARY[verb]
        missing = [name for name in functions if f"marelle_{name}(" not in header] + sorted(set(names) - known)
        if missing:
            raise SystemExit(f"LIBRARY, {verb}: there is no {', '.join(missing)}")
        lines.append(f"| `{verb}` | {', '.join(f'`{name}`' for name in functions)} | "
                     f"{', '.join(f'`{name}`' for name in names)} | {remark} |")
    return "\n".join(lines) + "\n"


def library_page(help_tree, page):
    """The page with its table of verbs written anew."""
    begin, end = "<!-- begin: verbs -->\n", "<!-- end: verbs -->\n"
    first, last = page.index(begin) + len(begin), page.index(end)
    return page[:first] + "\n" + library_table(help_tree) + "\n" + page[last:]


# ---- files ----

def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--marelle", required=True)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()

    def ask(*words):
        return json.loads(subprocess.run([arguments.marelle, *words, "--json"], capture_output=True, check=True).stdout)

    help_tree, searches = ask("help"), ask("help", "searches")["searches"]
    completed = with_search_names(help_tree, [search["name"] for search in searches])
    files = {"completions/marelle.bash": bash(completed), "completions/_marelle": zsh(completed),
             "completions/marelle.fish": fish(completed),
             "docs/marelle.1": manual(help_tree, searches, read("docs/marelle.1")),
             "docs/reference/library.md": library_page(help_tree, read("docs/reference/library.md")),
             "docs/reference/searches.md": options_page(searches), "web/searches.js": page_list(searches)}
    if arguments.check:
        print(f"TAP version 13\n1..{len(files)}")
    for number, (path, text) in enumerate(files.items(), 1):
        if arguments.check:
            word = "ok" if read(path) == text else "not ok"
            print(f"{word} {number} - {path} says what the program says (else run tools/generate_reference.py)")
        else:
            with open(os.path.join(ROOT, path), "w", encoding="utf-8") as file:
                file.write(text)


if __name__ == "__main__":
    main()
