#!/usr/bin/env python3
"""The program under siege: every verb with hostile input, little memory, interrupts and little time.

    tests/tools/siege.py --marelle build/marelle [--sample] [--strict] [--only WORD] [--jobs N]

Four kinds of cases, each one process whose wall time, peak memory and exit status go into a table:

  input      every verb on some twenty hostile files (binary, endless, growing for ever, a million facts ...), --time 1
  memory     every verb under `ulimit -v` of 150, 350, 700 and 1400 MB on large games, --time 4
  interrupt  SIGINT or SIGTERM after 0.1 to 3 s: the verb ends within a second, with 128 + signal unless it was done
             before; on a small game it prints what it has found
  server     a player and a page under hostile input and interrupts: they answer, and end within a second
  time       --time 1 on the largest games

A case fails if the status is none that the command line promises (a crash, an abort, a second signal), if there is
neither output nor a sentence on standard error, or if it took longer than its time + 1 s + 10 %. That last limit is
judged as it stands with --strict, on a quiet machine; else with a generous guard against hanging, since a loaded
machine may let a process wait. Without a corpus (MARELLE_SHARED) the largest of our own games take its place.
--summary writes the table of docs/results/siege.md.
"""
import argparse
import concurrent.futures
import glob
import gzip
import http.client
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
STATUSES = {0, 1, 2, 3}
GUARD_FACTOR, GUARD_SECONDS = 6, 20  # without --strict: so much longer may a case take on a loaded machine
SAMPLE_STEP = 23  # of the cases in a fixed order, every so many belong to the sample; a prime, so that all kinds do

# Verbs with the words that follow the game; OUT is a scratch file, MODEL a model of another game.
VERBS = [
    ["check"], ["check", "--simulate", "20"], ["format"], ["translate", "--to", "infix"], ["info"], ["ground"],
    ["circuit"], ["simulate"], ["bench"], ["perft", "--depth", "3"], ["analyze"], ["symmetry"], ["decompose"],
    ["decompose", "--method", "stats"], ["decompose", "--method", "rules"], ["search"], ["solve"], ["show"],
    ["scsp", "--horizon", "3"], ["learn data", "--output", "OUT"],
    ["learn train", "--output", "OUT", "--learner", "ga"], ["match", "random", "random"],
    ["learn test", "MODEL"], ["learn audit"], ["learn selfplay", "--output", "OUT"], ["look analysis"],
]
# Verbs that read something else than rules: hostile files alone.
FILE_VERBS = [["tournament", "--db", "OUT"], ["replay"], ["trace-check tic_tac_toe"], ["learn test tic_tac_toe"]]
# What these find on a small game before an interrupt is printed.
FINDERS = [
    ["simulate", "--playouts", "1000000000"], ["bench"], ["perft", "--depth", "20"], ["solve"],
    ["decompose", "--method", "stats", "--playouts", "100000000"], ["search", "--playouts", "1000000000"],
    ["check", "--simulate", "100000000"], ["learn data", "--output", "OUT", "--matches", "100000000"],
]


def command_of(program, verb, game, scratch, seconds, model="nosuch"):
    words = verb[0].split() + [game] + [{"OUT": scratch, "MODEL": model}.get(w, w) for w in verb[1:]]
    if seconds:
        words += ["--time", str(seconds)]
    return [program] + words


def write(path, data):
    with open(path, "wb") as file:
        file.write(data.encode() if isinstance(data, str) else data)
    return path


def hostile_inputs(folder, program):
    """Files by name."""
    game = open(os.path.join(ROOT, "games", "tic_tac_toe.kif"), "rb").read()
    frame = "(role x)(init (s a))(legal x go)(<= terminal (true end))(goal x 50)\n"
    facts = "".join("(fact a%d b%d)\n" % (i, i * 7 % 1000003) for i in range(1000000))
    made = {
        "empty": b"",
        "zeros": bytes(1 << 20),
        "random": bytes((i * 7919 ^ i >> 3) & 255 for i in range(200000)),
        "gzip_bomb": gzip.compress(b"(a) " * (80 << 20), 1),
        "gzip_game": gzip.compress(game),
        "zip": b"PK\3\4" + game,
        "program": open(program, "rb").read(1 << 16),
        "utf16": "\ufeff".encode("utf-16-le") + game.decode().encode("utf-16-le"),
        "facts": frame + facts,
        "deep": "(" * 200000 + "a" + ")" * 200000,
        "doubling": frame + "(<= (next (s (f ?x ?x))) (true (s ?x)))\n",
        "growing": frame + "(<= (next (s (f ?x))) (true (s ?x)))\n",
        "growing_moves": frame + "(<= (legal x (f ?x ?x)) (true (s ?x)))(<= (next (s ?m)) (does x ?m))\n",
        "unclosed": game + b"(<= (a ?x) (b ?x)",
        "long_name": "(role %s)" % ("x" * 1000000),
        "typing_errors": "(rolle x) ]\n" * 20000,
        "controls": "(role x\u0085\u202e)(init (a \x7f))(legal x\u0085\u202e go)(terminal)".encode(),
        "slip": "legal(?x, go) => true\n" * 1000,
        "join": frame + "".join("(d %d)" % i for i in range(60)) +
                "(<= (next (s ?a)) (d ?a) (d ?b) (d ?c) (d ?d) (d ?e) (d ?f) (not (true (t ?b ?c ?d ?e ?f))))",
        "one_line": ("(init (cell %s))" % " ".join("c%d" % i for i in range(50))) * 20000,
    }
    paths = {name: write(os.path.join(folder, name), data) for name, data in made.items()}
    paths["folder"] = folder
    paths["missing"] = os.path.join(folder, "nosuch")
    paths["endless"] = "/dev/zero"
    return paths


def large_games(count):
    """The largest games of the corpus, by what is known to be hard, then by size; else of our own."""
    corpus = os.path.join(os.environ.get("MARELLE_SHARED") or "/nonexistent", "corpus")
    files = [f for f in glob.glob(os.path.join(corpus, "*", "*.kif")) if os.path.getsize(f) < 1 << 20]
    hard = ["dresden/chess_v0.kif", "base/amazons_10x10_v0.kif", "stanford/hex_v0.kif", "dresden/quarto_v0.kif",
            "base/ruleDepthExponential_v0.kif", "dresden/skirmish_v0.kif"]
    games = [os.path.join(corpus, h) for h in hard if os.path.exists(os.path.join(corpus, h))]
    files = [f for f in sorted(files, key=os.path.getsize, reverse=True) if f not in games]
    games += files
    if not games:
        games = ["reversi", "hex", "checkers", "pickomino", "breakthrough"]
    return games[:count]


def interrupt(process, number):
    """Sends a signal once the program catches it: on a loaded machine it may take a while to be started."""
    for _ in range(1000):
        try:
            with open("/proc/%d/status" % process.pid) as status:
                caught = [line for line in status if line.startswith("SigCgt")]
        except OSError:
            return
        if caught and int(caught[0].split()[1], 16) >> (number - 1) & 1:
            break
        time.sleep(0.01)
    process.send_signal(number)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def ask(port, method, path, body, headers):
    """One request, as soon as the server listens. Its status, or None if there was no answer."""
    for _ in range(100):
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            connection.request(method, path, body, headers)
            return connection.getresponse().status
        except ConnectionRefusedError:
            time.sleep(0.1)
        except (OSError, http.client.HTTPException):
            return None
    return None


def start_of(path):
    with open(path, "rb") as file:
        return file.read(24 << 20)


def talk_to_player(port, rules):
    """A START with hostile rules; then the player still answers."""
    headers = {"Content-Type": "text/acl", "Sender": "GAMESERVER", "Receiver": "p"}
    ask(port, "POST", "/", b"(START m1 x (" + rules + b") 2 2)", headers)
    return ask(port, "POST", "/", b"(INFO)", headers) == 200


def talk_to_page(port, rules):
    """An upload of hostile rules; then the page still answers."""
    body = json.dumps({"name": "hostile", "rules": rules.decode("utf-8", "replace")}).encode()
    ask(port, "POST", "/api/games", body, {"Content-Type": "application/json"})
    return ask(port, "GET", "/api/games", None, {}) == 200


class Case:
    def __init__(self, kind, label, command, seconds=1.0, kill_after=None, megabytes=0, number=signal.SIGINT,
                 must_print=False, talk=None):
        self.kind, self.label, self.command = kind, label, command
        self.seconds, self.kill_after, self.megabytes = seconds, kill_after, megabytes
        self.number, self.must_print, self.talk = number, must_print, talk
        self.wall = self.peak = 0.0
        self.status, self.trouble = None, None

    def name(self):
        return "%s: %s" % (self.kind, self.label)

    def limit(self, strict):
        """Seconds from the start; for a server, from the signal."""
        if self.talk:
            return 1.0 if strict else GUARD_FACTOR + GUARD_SECONDS
        allowed = self.kill_after + 1 if self.kill_after is not None else self.seconds + 1 + 0.1 * self.seconds
        return allowed if strict else GUARD_FACTOR * allowed + GUARD_SECONDS

    def prepare(self):
        os.setsid()
        if self.megabytes:
            resource.setrlimit(resource.RLIMIT_AS, (self.megabytes << 20, self.megabytes << 20))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    def run(self, strict):
        limit = self.limit(strict)
        started = time.monotonic()
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                       preexec_fn=self.prepare)
            timers = [threading.Timer(300 if self.talk else max(4 * limit, 60), process.kill)]
            if self.talk:
                answers = self.talk()
                started = time.monotonic()
                interrupt(process, self.number)
            elif self.kill_after is not None:
                timers.append(threading.Timer(self.kill_after, interrupt, [process, self.number]))
            for timer in timers:
                timer.daemon = True
                timer.start()
            _, wait_status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(wait_status)
            self.wall = time.monotonic() - started
            for timer in timers:
                timer.cancel()
            self.status, self.peak = process.returncode, usage.ru_maxrss / 1024
            err.seek(0)
            said = err.read(400).decode("utf-8", "replace").strip()
            printed = os.fstat(out.fileno()).st_size
        allowed = STATUSES | ({128 + self.number} if self.kill_after is not None or self.talk else set())
        if self.status not in allowed:
            self.trouble = "status %d: %s" % (self.status, said[-200:])
        elif self.talk and not answers:
            self.trouble = "no answer"
        elif self.status and not self.talk and not said and not printed:
            self.trouble = "status %d without a sentence" % self.status
        elif self.must_print and not printed:
            self.trouble = "what was found is not printed"
        elif self.wall > limit:
            self.trouble = "%.1f s, %.1f allowed" % (self.wall, limit)


def cases_of(program, folder):
    inputs, scratch = hostile_inputs(folder, program), 0
    large = large_games(15)
    model = os.path.join(folder, "model")
    subprocess.run([program, "learn", "train", "maze", "--matches", "20", "--source", "random", "--output", model],
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    result = []

    def add(kind, label, verb, game, seconds, **more):
        nonlocal scratch
        scratch += 1
        command = command_of(program, verb, game, os.path.join(folder, "out%d" % scratch), seconds, model)
        result.append(Case(kind, label, command, seconds, **more))

    def add_server(verb, words, name, number, talk):
        port = free_port()
        result.append(Case("server", "%s %s %s" % (verb, name, signal.Signals(number).name),
                           [program, verb, "--port", str(port)] + words, number=number,
                           talk=lambda: talk(port, start_of(inputs[name]))))

    for verb in VERBS:
        verb_name = " ".join(verb).replace(" --output OUT", "")
        for name, path in inputs.items():
            add("input", "%s %s" % (verb_name, name), verb, path, 1)
        for megabytes in (150, 350, 700, 1400):
            for game in large[:3] + [inputs["facts"]]:
                add("memory", "%s %s %d MB" % (verb_name, os.path.basename(game), megabytes), verb, game, 4,
                    megabytes=megabytes)
        for moment, number in ((0.1, signal.SIGINT), (0.3, signal.SIGTERM), (0.7, signal.SIGINT),
                               (1.5, signal.SIGTERM), (3, signal.SIGINT)):
            for game in large[:2] + [inputs["facts"]]:
                add("interrupt", "%s %s %s %g s" % (verb_name, os.path.basename(game), number.name, moment), verb,
                    game, 0, kill_after=moment, number=number)
        for game in large:
            add("time", "%s %s" % (verb_name, os.path.basename(game)), verb, game, 1)
    for verb in FILE_VERBS:
        for name, path in inputs.items():
            add("input", "%s %s" % (verb[0], name), verb, path, 1)
    for verb in FINDERS:
        for number in (signal.SIGINT, signal.SIGTERM):
            add("interrupt", "%s hex %s 3 s" % (verb[0], number.name), verb, "hex", 0, kill_after=3, number=number,
                must_print=True)
    for name, path in inputs.items():
        if os.path.isfile(path):
            add_server("player", [], name, signal.SIGTERM, talk_to_player)
            add_server("serve", ["--db", os.path.join(folder, name + ".db"), "--quiet"], name, signal.SIGINT,
                       talk_to_page)
    return result


def summary_of(cases):
    """A row for each kind and verb: the cases, those that failed, those that took more than a second and a tenth over
    their time, the longest time, and the most memory."""
    rows = {}
    for c in cases:
        action = c.command[2] if c.command[1] == "learn" else ""
        rows.setdefault((c.kind, (c.command[1] + " " + action).strip()), []).append(c)
    text = "| kind | verb | cases | failed | late | most seconds over | most MB |\n|---|---|---:|---:|---:|---:|---:|\n"
    for (kind, verb), group in sorted(rows.items()):
        over = max(c.wall - (0 if c.talk else c.kill_after if c.kill_after is not None else c.seconds) for c in group)
        late = sum(1 for c in group if c.wall > c.limit(True))
        text += "| %s | `%s` | %d | %d | %d | %.2f | %.0f |\n" % (
            kind, verb, len(group), sum(1 for c in group if c.trouble), late, max(over, 0), max(c.peak for c in group))
    return text


def main():
    signal.signal(signal.SIGINT, signal.default_int_handler)  # programs would inherit that it is ignored (nohup, &)
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--marelle", default=os.path.join(ROOT, "build", "marelle"))
    parser.add_argument("--sample", action="store_const", const=SAMPLE_STEP, default=1, dest="every",
                        help="a fixed part of the cases, for a few minutes")
    parser.add_argument("--every", type=int, help="every so many of the cases; a prime")
    parser.add_argument("--strict", action="store_true", help="hold everything to 1 s + 10 %%: on a quiet machine")
    parser.add_argument("--only", default="", help="cases whose name contains this")
    parser.add_argument("--jobs", type=int, default=1, help="cases at once")
    parser.add_argument("--table", help="write the table to this file")
    parser.add_argument("--summary", help="write the table of kinds and verbs to this file, in Markdown")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="siege") as folder:
        cases = cases_of(os.path.realpath(args.marelle), folder)
        cases = cases[::args.every]
        cases = [c for c in cases if args.only in c.name()]
        print("1..%d" % len(cases), flush=True)
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            done = pool.map(lambda c: (c.run(args.strict), c)[1], cases)
            for number, case in enumerate(done, 1):
                print("%s %d - %s # %.2f s, %.0f MB, status %d%s" %
                      ("not ok" if case.trouble else "ok", number, case.name(), case.wall, case.peak, case.status,
                       ": " + case.trouble.replace("\n", " ") if case.trouble else ""), flush=True)
    if args.table:
        with open(args.table, "w") as file:
            for c in cases:
                file.write("%-9s %6.2f s %6.0f MB %4d  %s\n" % (c.kind, c.wall, c.peak, c.status, c.label))
    if args.summary:
        with open(args.summary, "w") as file:
            file.write(summary_of(cases))
    failed = sum(1 for c in cases if c.trouble)
    worst = max(cases, key=lambda c: c.wall - c.limit(True), default=None)
    if worst:
        print("# %d of %d cases failed; slowest against its limit: %s, %.2f s (%.2f allowed)" %
              (failed, len(cases), worst.name(), worst.wall, worst.limit(True)))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
