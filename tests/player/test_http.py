#!/usr/bin/env python3
"""`marelle player` and `marelle match` over real sockets, on loopback alone.

A manager made of urllib talks to players as real managers do, well and badly;
then two players meet under `marelle match`.
"""
import concurrent.futures
import http.client
import json
import os
import re
import resource
import signal
import socket
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "tools"))
import scenario  # noqa: E402


class Player:
    """A `marelle player` process on a free port."""

    def __init__(self, program, *options):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.process = subprocess.Popen(
            [program, "player", "--port", str(self.port), *options],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.address = re.search(r"http://\S+", self.process.stdout.readline()).group(0)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            self.log = self.process.communicate(timeout=10)[1]
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.log = self.process.communicate()[1]
            raise AssertionError("the player does not end")
        assert self.process.returncode in (0, 143), f"status {self.process.returncode}: {self.log}"

    def ask(self, method, body=b"", headers=None, timeout=20):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        connection.request(method, "/", body, headers or {})
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        return answer, text

    def say(self, message, timeout=20):
        headers = {"Content-Type": "text/acl", "Accept": "text/delim", "Sender": "GAMESERVER", "Receiver": "p"}
        answer, text = self.ask("POST", message.encode(), headers, timeout)
        assert answer.status == 200, f"{answer.status} to {message[:60]}: {text!r}"
        return text.decode()


def rules(game):
    with open(os.path.join(ROOT, "games", game + ".kif"), encoding="utf-8") as file:
        return file.read()


def start(player, match, game, role, startclock, playclock):
    return player.say(f"(START {match} {role} ({rules(game)}\n) {startclock} {playclock})")


def equal(actual, expected):
    assert actual == expected, f"{actual!r} instead of {expected!r}"


def whole_match(program):
    with Player(program, "--strategy", "legal") as player:
        equal(player.say("(INFO)"), "available")
        equal(player.say("( info )\r\n"), "available")
        equal(start(player, "m1", "tic_tac_toe", "x", 5, 1), "ready")
        equal(player.say("(INFO)"), "busy")
        first = player.say("(PLAY m1 NIL)")
        assert first.startswith("(mark "), first
        equal(player.say(f"(PLAY m1 ({first}\n NOOP))"), "noop")
        free = "(MARK 2 2)" if first != "(mark 2 2)" else "(MARK 1 1)"
        second = player.say(f"(PLAY m1 (NOOP {free}))")
        assert second.startswith("(mark ") and second not in (first, free.lower()), second
        equal(player.say(f"(STOP m1 ({second} noop))"), "done")
        equal(player.say("(INFO)"), "available")
    processors = len(os.sched_getaffinity(0))
    assert f"clocks 5 and 1 s, threads: {processors}\n" in player.log, player.log
    assert len(re.findall(r"turn \d+: depth \d+, \d+ playouts, value .*, move .*, .* s left", player.log)) == 3, player.log


def browser_headers(program):
    with Player(program, "--strategy", "legal") as player:
        answer, _ = player.ask("OPTIONS", headers={"Origin": "http://example.org"})
        equal(answer.status, 200)
        equal(answer.getheader("Access-Control-Allow-Origin"), "*")
        assert "POST" in answer.getheader("Access-Control-Allow-Methods")
        answer, text = player.ask("POST", b"(INFO)", {"Content-Type": "application/x-www-form-urlencoded"})
        equal((answer.status, text), (200, b"available"))
        equal(answer.getheader("Content-Type"), "text/acl")
        equal(player.ask("GET")[0].status, 200)
        equal(player.ask("DELETE")[0].status, 405)


def java_headers(program):
    """As ggp-base and other Java managers write it: odd order, extra headers, one line or many, any case."""
    with Player(program, "--strategy", "legal") as player:
        text = rules("tic_tac_toe").upper()
        body = f"( Start M.7 X ({text}\r\n)\r\n 1\t1 )".encode()
        for message, expected in (body, b"ready"), (b"(play M.7 NIL)\r\n", b"(mark "), (b"( PLAY\nm.7\n( (MARK 1 1)\nNOOP ) )", b"noop"), \
                (b"(STOP m.7 (NOOP (Mark 2 2)))", b"done"):
            with socket.create_connection(("127.0.0.1", player.port), timeout=20) as raw:
                raw.sendall(b"POST / HTTP/1.0\r\nAccept: text/delim\r\nHost: www.example.org\r\nSender: GAMECONTROLLER\r\nReceiver: GAMEPLAYER\r\n"
                            b"Content-type: text/acl\r\nUser-Agent: Java/1.8.0_292\r\nConnection: keep-alive\r\ncontent-LENGTH: %d\r\n\r\n" % len(message))
                for i in range(0, len(message), 1000):  # in pieces, as it comes over a slow line
                    raw.sendall(message[i:i + 1000])
                answer = b""
                while expected not in answer:
                    piece = raw.recv(4096)
                    assert piece, answer
                    answer += piece
                assert answer.startswith(b"HTTP/1") and b" 200 " in answer.split(b"\r\n")[0], answer


# Grounding the rule of `lucky` takes long; the interpreter looks at what holds alone.
SLOW = """(role x) (init (step 0)) (next-step 0 1) (next-step 1 2) (next-step 2 3) (next-step 3 4)
(<= (d ?n) (digit ?a) (digit ?b) (pair ?a ?b ?n)) (<= (legal x (go ?a)) (d ?a))
(<= (next (p ?a)) (does x (go ?a))) (<= (next (p ?a)) (true (p ?a))) (<= (next (step ?n)) (true (step ?m)) (next-step ?m ?n))
(<= lucky (true (p ?a)) (true (p ?b)) (true (p ?c)) (true (p ?e)) (true (p ?f)) (distinct ?a ?b) (distinct ?a ?c) (distinct ?a ?e)
 (distinct ?a ?f) (distinct ?b ?c) (distinct ?b ?e) (distinct ?b ?f) (distinct ?c ?e) (distinct ?c ?f) (distinct ?e ?f))
(<= terminal (true (step 4))) (<= (goal x 100) lucky) (<= (goal x 50) (not lucky))
""" + " ".join(f"(digit {i})" for i in range(10)) + " ".join(f"(pair {i} {j} n{i}{j})" for i in range(10) for j in range(10))


def huge_start(program):
    """Where reading the rules takes longer than the clock there is an honest refusal; the player is free for another
    match in any case."""
    facts = " ".join(f"(f a{i} b)" for i in range(900000))
    with Player(program) as player:
        answer = player.say(f"(START m1 x ({SLOW} {facts}) 1 1)", timeout=100)
        assert answer in ("busy", "ready"), answer
        if answer == "ready":
            player.say("(ABORT m1)", timeout=100)
        equal(player.say("(INFO)"), "available")
        equal(start(player, "m2", "tic_tac_toe", "x", 1, 1), "ready")
    assert answer == "ready" or "m1: refused: " in player.log, player.log


def refused_rules(program):
    """A START that is refused for its rules says in the log which line is wrong, and why."""
    with Player(program) as player:
        equal(player.say("(START m1 x ((role x)\n(legal x go)\n(<= (next ?y) (true a))\n(goal x 0) terminal) 1 1)"), "busy")
        equal(player.say("(INFO)"), "available")
    assert re.search(r"m1: refused, line 3 of the rules: .*[?]y", player.log), player.log


def slow_grounding(program):
    """The circuit is not ready in time; the player is, and moves with the interpreter."""
    with Player(program) as player:
        began = time.time()
        equal(player.say(f"(START m1 x ({SLOW}) 1 1)"), "ready")
        assert time.time() - began < 1, "START takes longer than the clock"
        moves = "NIL"
        for _ in range(4):
            began = time.time()
            moves = f"({player.say(f'(PLAY m1 {moves})')})"
            assert moves.startswith("((go n") and time.time() - began < 1, moves
        equal(player.say(f"(STOP m1 {moves})"), "done")
    assert "interpreter, strategy" in player.log and "circuit" not in player.log, player.log


def loaded_machine(program):
    """Before the deadline, by the player's own clock, with every core taken by others."""
    hogs = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2)]
    try:
        with Player(program, "--margin", "0.6") as player:
            equal(start(player, "m1", "connect_four", "red", 1, 1.5), "ready")
            moves = "NIL"
            for turn in range(6):
                answer = player.say(f"(PLAY m1 {moves})")
                moves = f"({answer} noop)" if turn % 2 == 0 else f"(noop (drop {turn}))"
        left = [float(x) for x in re.findall(r"([\d.-]+) s left", player.log)]
        assert len(left) == 6 and min(left) >= 0.5, left
    finally:
        for hog in hogs:
            hog.kill()
            hog.wait()


def abort_while_thinking(program):
    with Player(program, "--strategy", "uct") as player:
        equal(start(player, "m1", "connect_four", "red", 1, 30), "ready")
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            thinking = pool.submit(player.say, "(PLAY m1 NIL)")
            time.sleep(0.3)
            began = time.time()
            equal(player.say("(INFO)"), "busy")
            equal(player.say("(ABORT m1)"), "done")
            assert time.time() - began < 3, "ABORT waits for the search"
            thinking.result(timeout=5)
        equal(player.say("(INFO)"), "available")


def garbage(program):
    with Player(program, "--strategy", "legal") as player:
        equal(start(player, "m1", "tic_tac_toe", "x", 2, 1), "ready")
        for body in (b"", b"\0" * 1000, b"(" * (10 << 20), b"(PLAY m1 " + b"(" * (10 << 20), os.urandom(10 << 20)):
            answer, text = player.ask("POST", body)
            equal(answer.status, 400)
            assert text.startswith(b"error"), text[:100]
        equal(player.ask("POST", b"(PLAY m1 " + b"a " * (11 << 20) + b")")[0].status, 413)
        with socket.create_connection(("127.0.0.1", player.port)) as raw:
            raw.sendall(b"POST / HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n(INFO")
        with socket.create_connection(("127.0.0.1", player.port)) as raw:
            raw.sendall(b"\x16\x03\x01nonsense\r\n\r\n")
        assert player.say("(PLAY m1 NIL)").startswith("(mark ")


def many_connections(program):
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1]),) * 2)
    with Player(program, "--strategy", "legal") as player:
        idle = [socket.create_connection(("127.0.0.1", player.port)) for _ in range(1000)]
        equal(player.say("(INFO)"), "available")
        for one in idle:
            one.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 6\r\n\r\n(INFO)")
        for one in idle:
            one.settimeout(10)
            text = b""
            while b"available" not in text:
                piece = one.recv(4096)
                assert piece, text
                text += piece
            one.close()


def deadlines(program):
    """Every answer comes before the clock, while the manager injects moves the player did not make."""
    with Player(program, "--strategy", "uct") as player:
        for match in range(2):
            equal(start(player, f"m{match}", "tic_tac_toe", "x", 2, 0.4), "ready")
            moves = "NIL"
            board = [f"(mark {r} {c})" for r in (1, 2, 3) for c in (1, 2, 3)]
            for turn in range(4):
                began = time.time()
                player.say(f"(PLAY m{match} {moves})")
                took = time.time() - began
                assert took < 0.4, f"{took:.3f} s of 0.4"
                mark = board.pop(match * 3 % len(board))
                moves = f"({mark} noop)" if turn % 2 == 0 else f"(noop {mark})"
            equal(player.say(f"(STOP m{match} {moves})"), "done")


def match(program, *arguments):
    run = subprocess.run([program, "match", *arguments, "--json"], capture_output=True, text=True, timeout=50)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def complete(record, game):
    assert record["isCompleted"] and record["game"] == game
    equal(len(record["states"]), len(record["moves"]) + 1)
    equal(len(record["stateTimes"]), len(record["states"]))
    equal(len(record["goalValues"]), len(record["roles"]))
    for row in record["answerSeconds"]:
        assert max(row) <= record["playClock"], row


def two_players(program):
    with Player(program, "--strategy", "uct", "--rest") as one, Player(program, "--strategy", "random") as two:
        for game in "tic_tac_toe", "connect_four":
            record = match(program, game, one.address, two.address, "--startclock", "2", "--playclock", "1")
            complete(record, game)
            equal(record["errors"], [])
            assert record["goals"][record["roles"][0]] >= 50, record["goals"]
        equal(one.say("(INFO)"), "available")


class Bad:
    """A player that answers whatever it is told to, perhaps late."""

    def __init__(self, answer, delay=0.0):
        self.answer, self.delay = answer, delay
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self.socket.getsockname()[1]}"
        self.pool = concurrent.futures.ThreadPoolExecutor(20)
        self.pool.submit(self.accept)

    def accept(self):
        while True:
            try:
                self.pool.submit(self.serve, self.socket.accept()[0])
            except (OSError, RuntimeError):
                return

    def serve(self, connection):
        with connection:
            text = connection.recv(1 << 20)
            if b"START" in text:
                connection.sendall(b"HTTP/1.0 200 OK\r\n\r\nready")
                return
            time.sleep(self.delay)
            if self.answer is not None:
                connection.sendall(b"HTTP/1.0 200 OK\r\n\r\n" + self.answer)

    def close(self):
        self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()
        self.pool.shutdown(wait=False)


def bad_players(program):
    for answer, delay, code in (b"(jump)", 0, "IL"), (b"((", 0, "IL"), (b"\xff\0", 0, "IL"), (None, 0, "CE"), (b"noop", 0.6, "TO"):
        bad = Bad(answer, delay)
        began = time.time()
        record = match(program, "tic_tac_toe", "random", bad.address, "--startclock", "0.3", "--playclock", "0.3", "--seed", "4")
        bad.close()
        complete({**record, "answerSeconds": []}, "tic_tac_toe")
        equal({fault["code"] for fault in record["faults"]}, {code})
        equal(len(record["faults"]), len(record["moves"]))
        equal([row[0] for row in record["errors"]], [""] * len(record["moves"]))
        assert all(row[1].startswith(code + " ") for row in record["errors"]), record["errors"]
        assert time.time() - began < 9, "clocks are not kept"


def deceptive_player(program):
    """What another player sends is shown on a terminal with its control characters as escapes."""
    bad = Bad(b"(mark \x1b]0;evil\x07 \xe2\x80\xae\x7f 1)", 0)
    on_terminal = [sys.executable, "-c", "import pty, sys; pty.spawn(sys.argv[1:])", program]
    shown = subprocess.run([*on_terminal, "match", "tic_tac_toe", "random", bad.address, "--startclock", "1", "--playclock", "1"],
                           capture_output=True, stdin=subprocess.DEVNULL, timeout=100, check=False).stdout
    bad.close()
    assert b"evil" in shown, shown
    for deceptive in (b"\x1b]", b"\x07", b"\x7f", b"\xe2\x80\xae"):
        assert deceptive not in shown, shown


def interrupt(program):
    with Player(program, "--strategy", "uct") as player:
        equal(start(player, "m1", "connect_four", "red", 1, 20), "ready")
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            thinking = pool.submit(player.say, "(PLAY m1 NIL)")
            time.sleep(0.3)
            began = time.time()
            player.process.send_signal(signal.SIGINT)
            player.process.wait(timeout=5)
            assert time.time() - began < 4
            thinking.exception(timeout=5)
        equal(player.process.returncode, 130)
        player.process.returncode = 0


CASES = [whole_match, browser_headers, java_headers, slow_grounding, huge_start, loaded_machine, abort_while_thinking, garbage, many_connections, deadlines, two_players,
         bad_players, refused_rules, deceptive_player, interrupt]


if __name__ == "__main__":
    scenario.run_functions(CASES, __doc__)
