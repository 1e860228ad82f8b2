#!/usr/bin/env python3
"""Protocol matches in a row over real sockets, with faults.

    tests/tools/fault_matches.py --marelle build/marelle --matches 500 --workers 4

Two `marelle player` processes meet under `marelle match`, all clocks 1 s. Between the referee and each player stands a
proxy that answers late, drops and resets connections, sends garbage, half responses and bodies byte by byte, makes
illegal moves, loses requests, kills the player with -9 and starts it again, and troubles the player with wrong match
ids, repeated messages and nonsense of its own. After every match:

  - the record is complete, and `marelle` replays its moves from the rules to the same states and goals;
  - the faults recorded are exactly those that were made, with the codes of docs/reference/protocol.md (where a player was late of
    itself, since the machine is busy, a time-out is what must be recorded; more than one turn in twenty is too often);
  - it ended in time, the players live and answer, and no process is left over.
"""
import argparse
import concurrent.futures
import http.client
import json
import os
import random
import re
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "tools"))
import scenario  # noqa: E402

GAMES = ["tic_tac_toe", "nim", "nim_misere", "chomp", "connect_four"]
CLOCK = 1.0

# What the referee must record for a fault in the answer to PLAY.
ANSWER_FAULTS = {
    "late": "TO", "silent": "TO", "slow body": "TO",
    "dropped": "CE", "reset": "CE", "half response": "CE", "not http": "CE", "status 500": "CE", "huge": "CE",
    "garbage": "IL", "binary": "IL", "illegal move": "IL", "empty": "IL",
}
# These disturb the player, whose answer must be right all the same.
TROUBLES = ("wrong id", "start again", "abort of another", "nonsense", "play twice", "other form", "many connections",
            "half request", "info")
START_FAULTS = {"late": "TO", "dropped": "CE", "garbage": "CE"}


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Player:
    """A `marelle player` on a port of its own, that can be killed and started again."""

    def __init__(self, program, folder):
        self.program, self.port = program, free_port()
        self.log = open(os.path.join(folder, f"player-{self.port}.log"), "ab")  # pylint: disable=consider-using-with
        self.process = None
        self.start()

    def start(self):
        self.process = subprocess.Popen([self.program, "player", "--port", str(self.port)],
                                        stdout=subprocess.PIPE, stderr=self.log)
        line = self.process.stdout.readline()
        assert b"http://" in line, f"the player does not start: {line!r}"

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def say(self, body, timeout=10.0):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            connection.request("POST", "/", body, {"Content-Type": "text/acl"})
            return connection.getresponse().read()
        finally:
            connection.close()


def read_request(connection):
    data = b""
    while b"\r\n\r\n" not in data:
        piece = connection.recv(65536)
        if not piece:
            return None
        data += piece
    head, body = data.split(b"\r\n\r\n", 1)
    length = int(re.search(rb"content-length: *(\d+)", head, re.I).group(1))
    while len(body) < length:
        piece = connection.recv(65536)
        if not piece:
            return None
        body += piece
    return body


def respond(connection, body, status=b"200 OK"):
    connection.sendall(b"HTTP/1.1 " + status + b"\r\nContent-Type: text/acl\r\nContent-Length: %d\r\n"
                       b"Connection: close\r\n\r\n" % len(body) + body)


class Proxy:
    """Between the referee and one player. Knows which turn it is and what it did to it."""

    def __init__(self, player, seed, rate):
        self.player, self.random, self.rate = player, random.Random(seed), rate
        self.socket = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.address = f"http://127.0.0.1:{self.socket.getsockname()[1]}"
        self.begin()
        threading.Thread(target=self.accept, daemon=True).start()

    def begin(self):
        self.turn, self.made, self.lost_at, self.start_text, self.problems, self.seconds = 0, [], None, b"", [], {}

    def accept(self):
        while True:
            try:
                connection = self.socket.accept()[0]
            except OSError:
                return
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        with connection:
            try:
                body = read_request(connection)
                if body is not None:
                    self.handle(connection, body)
            except (OSError, http.client.HTTPException):
                pass  # the referee has hung up, or the player was killed

    def handle(self, connection, body):
        word = body[1:6].upper()
        if word == b"START":
            self.handle_start(connection, body)
        elif word[:4] == b"PLAY":
            self.handle_play(connection, body)
        else:
            respond(connection, self.player.say(body))

    def handle_start(self, connection, body):
        self.start_text = body
        fault = self.random.choice(list(START_FAULTS)) if self.random.random() < self.rate / 4 else None
        answer = self.player.say(body)
        if fault:
            self.made.append((0, START_FAULTS[fault]))
        if fault == "late":
            time.sleep(CLOCK + 0.3)
        if fault == "dropped":
            return
        respond(connection, b")(" if fault == "garbage" else answer)

    def handle_play(self, connection, body):
        turn, self.turn = self.turn, self.turn + 1
        came, chance = time.time(), self.random.random()
        if chance < self.rate / 12:
            self.lose(turn)
        elif chance < self.rate:
            fault = self.random.choice(list(ANSWER_FAULTS))
            self.made.append((turn, ANSWER_FAULTS[fault]))
            self.spoil(connection, fault, body)
        else:
            if chance < 2 * self.rate:
                body = self.trouble(body)
            answer = self.player.say(body)
            self.seconds[turn] = time.time() - came
            respond(connection, answer)

    def lose(self, turn):
        """The player never hears of the turn, or forgets the match: from then on it may be wrong, but never late."""
        self.made.append((turn, "CE"))
        self.lost_at = turn if self.lost_at is None else self.lost_at
        if self.random.random() < 0.5:
            self.player.kill()
            self.player.start()

    def spoil(self, connection, fault, body):
        """Asks the player as if nothing had happened, then answers badly."""
        came = time.time()
        answer = self.player.say(body)
        self.seconds[self.turn - 1] = time.time() - came
        if fault in ("late", "silent"):
            time.sleep(max(0, came + CLOCK + 0.3 - time.time()))
            if fault == "late":
                respond(connection, answer)
        elif fault == "slow body":
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 30\r\n\r\n")
            while time.time() < came + CLOCK + 0.3:
                connection.sendall(b" ")
                time.sleep(0.1)
        elif fault == "reset":
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        elif fault == "half response":
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n" + answer[:3])
        elif fault == "not http":
            connection.sendall(b"\x16\x03\x01 what is this\r\n\r\n")
        elif fault == "status 500":
            respond(connection, answer, b"500 Internal Server Error")
        elif fault == "huge":
            respond(connection, b"(" * (2 << 20))
        elif fault != "dropped":
            respond(connection, {"garbage": b"((((", "binary": bytes(range(256)), "empty": b"",
                                 "illegal move": b"(jump 99 99)"}[fault])

    def expect(self, what, answer, wanted):
        if self.lost_at is None and wanted not in answer:
            self.problems.append(f"{what} is answered with {answer[:80]!r}")

    def say_in_vain(self, body):
        try:
            self.player.say(body)
        except (OSError, http.client.HTTPException):
            pass

    def trouble(self, body):
        kind = self.random.choice(TROUBLES)
        match = re.match(rb"\(\w+ (\S+)", body).group(1)
        if kind == "wrong id":
            self.expect(kind, self.player.say(body.replace(match, b"another.1", 1)), b"busy")
        elif kind == "start again" and self.start_text:
            self.expect(kind, self.player.say(self.start_text), b"ready")
            other = self.start_text.replace(match, b"another.2", 1)
            self.expect(kind + " of another", self.player.say(other), b"busy")
        elif kind == "abort of another":
            self.expect(kind, self.player.say(b"(ABORT another.3)"), b"busy")
        elif kind == "nonsense":
            self.player.say(self.random.randbytes(100000))
            self.player.say(b"(PLAY " + match + b" " + b"(" * 100000)
        elif kind == "info":
            self.expect(kind, self.player.say(b"(info)"), b"busy")
        elif kind == "other form":
            return body.upper().replace(match.upper(), match).replace(b" ", b" \r\n\t")
        elif kind == "play twice":
            threading.Thread(target=self.say_in_vain, args=(body,), daemon=True).start()
            time.sleep(0.05)
        elif kind == "many connections":
            for one in [socket.create_connection(("127.0.0.1", self.player.port)) for _ in range(50)]:
                one.close()
        elif kind == "half request":
            with socket.create_connection(("127.0.0.1", self.player.port)) as raw:
                raw.sendall(b"POST / HTTP/1.1\r\nContent-Length: 1000\r\n\r\n(PLAY")
        return body


def split_facts(state):
    """`((true (cell 1 1 b)) (true x))` as ["(cell 1 1 b)", "x"]."""
    facts, depth, begun = [], 0, 0
    for i, c in enumerate(state):
        if c == "(":
            depth += 1
            begun = i if depth == 2 else begun
        elif c == ")":
            if depth == 2:
                facts.append(state[begun + len("(true "):i])
            depth -= 1
    return facts


def replay(program, game, record, folder):
    """The states and goals that follow from the moves, and whether all of them were legal."""
    path = os.path.join(folder, record["matchId"] + ".trace")
    with open(path, "w", encoding="ascii") as file:
        file.write(f"roles {' '.join(record['roles'])}\nmatch 1\n")
        for i, state in enumerate(record["states"]):
            file.write(" ".join(["state", *sorted(split_facts(state))]) + "\n")
            if i < len(record["moves"]):
                file.write(f"does {' '.join(record['moves'][i])}\n")
        file.write("terminal\n")
        for role, goal in record["goals"].items():
            file.write(f"goal {role} {goal}\n")
        file.write("end\n")
    run = subprocess.run([program, "trace-check", game, path, "--reasoner", "interpreter", "--json"],
                         capture_output=True, text=True, check=False, timeout=60)
    assert run.returncode == 0, f"the moves lead elsewhere: {run.stdout or run.stderr}"
    os.remove(path)
    moves = "; ".join(" ".join(joint) for joint in record["moves"])
    run = subprocess.run([program, "search", game, "--moves", moves, "--playouts", "1"],
                         capture_output=True, text=True, check=False, timeout=60)
    assert run.returncode == 1 and "match is over" in run.stderr, f"not legal, or not to the end: {run.stderr}"


def compare_faults(record, role, proxy):
    """Exactly what was done, except that a player which missed a turn may be wrong from then on."""
    found = sorted((fault["turn"], fault["code"]) for fault in record["faults"] if fault["role"] == role)
    made = sorted(fault for fault in proxy.made if fault[0] < len(record["moves"]))
    late = {turn for turn, code in found if code == "TO" and proxy.seconds.get(turn, 0 if turn == 0 else CLOCK) > 0.7 * CLOCK}
    found, made = ([fault for fault in faults if fault[0] not in late] for faults in (found, made))
    if proxy.lost_at is not None:
        done = {turn for turn, _ in made}
        found = [f for f in found if not (f[1] == "IL" and f[0] > proxy.lost_at and f[0] not in done)]
    assert found == made, f"{role}: recorded {found}, made {made}, lost at {proxy.lost_at}: {record['faults']}"
    assert not proxy.problems, f"{role}: {proxy.problems}"
    return len(late)


def check_record(program, game, record, proxies, folder):
    assert record["isCompleted"], "not completed"
    turns = len(record["moves"])
    assert len(record["states"]) == len(record["stateTimes"]) == turns + 1 and len(record["answerSeconds"]) == turns
    assert all(isinstance(goal, int) for goal in record["goalValues"]) and len(record["goalValues"]) == 2
    replay(program, game, record, folder)
    return sum(compare_faults(record, role, proxy) for role, proxy in zip(record["roles"], proxies))


class Worker:
    """A pair of players that play match after match."""

    def __init__(self, arguments, number, folder):
        self.arguments, self.folder = arguments, folder
        self.players = [Player(arguments.marelle, folder) for _ in range(2)]
        self.proxies = [Proxy(player, arguments.seed * 1000 + number * 2 + i, arguments.rate)
                        for i, player in enumerate(self.players)]

    def play(self, number):
        game = GAMES[number % len(GAMES)]
        for proxy in self.proxies:
            proxy.begin()
        addresses = [proxy.address for proxy in self.proxies]
        if number // len(GAMES) % 2:
            addresses.reverse()
        run = subprocess.run([self.arguments.marelle, "match", game, *addresses, "--startclock", str(CLOCK), "--playclock",
                              str(CLOCK), "--seed", str(number), "--json"],
                             capture_output=True, text=True, check=False, timeout=self.arguments.limit)
        assert run.returncode == 0, f"status {run.returncode}: {run.stderr}"
        record = json.loads(run.stdout)
        proxies = self.proxies if addresses[0] == self.proxies[0].address else self.proxies[::-1]
        late = check_record(self.arguments.marelle, game, record, proxies, self.folder)
        for proxy in self.proxies:
            self.check_player(proxy)
        return len(record["moves"]), len(record["faults"]), late

    @staticmethod
    def check_player(proxy):
        """It is free again, unless it was killed or a request was lost on the way."""
        assert proxy.player.process.poll() is None, "the player has died"
        answer = proxy.player.say(b"(INFO)")
        assert answer == b"available", f"after the match the player says {answer!r}"

    def close(self):
        for proxy in self.proxies:
            proxy.socket.close()
        for player in self.players:
            player.process.terminate()
            assert player.process.wait(timeout=20) in (0, 143), f"the player ends with {player.process.returncode}"
            player.process.stdout.close()
            player.log.close()


def run_worker(arguments, index, folder, counter):
    worker = Worker(arguments, index, folder)
    lines = []
    for number in range(index, arguments.matches, arguments.workers):
        began = time.time()
        try:
            counter.append((*worker.play(number), time.time() - began))
        except (AssertionError, subprocess.TimeoutExpired, OSError, ValueError) as problem:
            lines.append(f"match {number} ({GAMES[number % len(GAMES)]}): {type(problem).__name__}: {problem}"[:1500])
            print(lines[-1], file=sys.stderr, flush=True)
        if arguments.verbose and number % 10 == 0:
            print(f"{number} after {time.time() - began:.1f} s", file=sys.stderr, flush=True)
    worker.close()
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--marelle", required=True)
    parser.add_argument("--matches", type=int, default=6)
    parser.add_argument("--workers", type=int, default=3, help="pairs of players, one match each at a time")
    parser.add_argument("--rate", type=float, default=0.2, help="part of the turns with a fault")
    parser.add_argument("--limit", type=float, default=150, help="seconds after which a match counts as hung")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    counter = []
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(arguments.workers) as pool:
        workers = [pool.submit(run_worker, arguments, i, folder, counter) for i in range(arguments.workers)]
        problems = [line for worker in workers for line in worker.result()]
    turns, faults, late, _ = (sum(column) for column in zip(*counter, (0, 0, 0, 0)))
    longest = max([c[3] for c in counter] or [0])
    if late > turns / 20:
        problems.append(f"the players were late of themselves in {late} of {turns} turns")
    name = f"{arguments.matches} matches with faults"
    note = f"{len(counter)} matches went well: {turns} turns, {faults} faults recorded, " \
           f"{late} answers late of themselves, the longest match {longest:.1f} s"
    scenario.print_tap([scenario.Case(note, "note"), scenario.Case(name, "not ok" if problems else "ok", problems[:20])])


if __name__ == "__main__":
    main()
