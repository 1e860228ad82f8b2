#!/usr/bin/env python3
"""`marelle serve` over real sockets, on loopback alone: the API as docs/reference/api.md
promises it, what is refused, and what survives a kill."""
import argparse
import gzip
import http.client
import json
import os
import random
import re
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "tools"))
import scenario  # noqa: E402

GAMES = ["tic_tac_toe", "connect_four", "nim", "monty_hall", "rock_paper_scissors", "matching_pennies"]


with open(os.path.join(ROOT, "docs", "reference", "openapi.json"), encoding="utf-8") as _file:
    OPENAPI = json.load(_file)
SPECIFIED = [(method.upper(), re.compile(re.sub(r"{\w+}", "[^/]+", path)), operation, path)
             for path, methods in OPENAPI["paths"].items() for method, operation in methods.items()]
SPECIFIED.sort(key=lambda entry: entry[3].count("{"))
seen = set()
TYPES = {"string": str, "integer": int, "number": (int, float), "boolean": bool, "array": list, "object": dict, "null": type(None)}


def check_schema(schema, value, where):
    """As much of JSON Schema as docs/reference/openapi.json uses."""
    if "$ref" in schema:
        schema = OPENAPI["components"]["schemas"][schema["$ref"].split("/")[-1]]
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    fits = any(isinstance(value, TYPES[kind]) and not (isinstance(value, bool) and kind in ("integer", "number")) for kind in kinds)
    assert fits, f"{where}: {value!r} is no {kinds}"
    assert "enum" not in schema or value in schema["enum"], f"{where}: {value!r}"
    if isinstance(value, dict):
        missing = [key for key in schema.get("required", []) if key not in value]
        assert not missing, f"{where}: {missing} missing"
        for key, part in schema.get("properties", {}).items():
            if key in value:
                check_schema(part, value[key], f"{where}.{key}")
    if isinstance(value, list) and "items" in schema:
        for item in value:
            check_schema(schema["items"], item, where + "[]")


class Server:
    """A `marelle serve` process on a free port, with a few games and its own folder."""

    def __init__(self, program, *options, folder=None, limit=None):
        self.program, self.options = program, options
        self.limit = limit  # bytes of address space
        self.scratch = None if folder else tempfile.TemporaryDirectory(prefix="marelle-serve-")
        self.folder = folder or self.scratch.name
        games = os.path.join(self.folder, "games")
        if not os.path.isdir(games):
            os.makedirs(games)
            for name in GAMES:
                shutil.copy(os.path.join(ROOT, "games", name + ".kif"), games)
        self.database = os.path.join(self.folder, "page.db")
        self.start()

    def start(self):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.process = subprocess.Popen(
            [self.program, "serve", "--port", str(self.port), "--db", self.database, "--games",
             os.path.join(self.folder, "games"), *self.options],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            preexec_fn=(lambda: resource.setrlimit(resource.RLIMIT_AS, (self.limit, self.limit))) if self.limit else None)
        line = self.process.stdout.readline()
        assert "http://" in line, f"no address: {line!r} {self.process.stderr.read()}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.communicate(timeout=20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.communicate()
                raise AssertionError("the server does not end")
            assert self.process.returncode in (0, 143), f"status {self.process.returncode}"
        if self.scratch:
            self.scratch.cleanup()

    def kill(self):
        self.process.kill()
        self.process.communicate()

    def ask(self, method, path, body=None, headers=None, timeout=60, raw=False):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        data = body if isinstance(body, (bytes, type(None))) else json.dumps(body).encode()
        sent = {"Content-Type": "application/json"} if method == "POST" else {}
        connection.request(method, path, data, {**sent, **(headers or {})})
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        is_json = "json" in (answer.getheader("Content-Type") or "")
        if raw:
            return answer, text
        content = json.loads(text) if is_json and text else text
        if method in ("GET", "POST") and path.startswith("/api/") and answer.status < 400:
            self.fits(method, path, answer.status, content)
        elif answer.status >= 400 and is_json and text:
            check_schema({"$ref": "Refusal"}, content, f"{method} {path}")
        return answer, content

    def fits(self, method, path, status, body):
        """Compares an answer with what docs/reference/openapi.json promises."""
        found = [entry for entry in SPECIFIED if entry[0] == method and entry[1].fullmatch(path.split("?")[0])]
        assert found, f"{method} {path} is not specified"
        operation = found[0][2]
        seen.add((method, found[0][3]))
        responses = operation["responses"]
        described = responses.get(str(status), responses["default"])
        if not isinstance(body, bytes):
            check_schema(described["content"]["application/json"]["schema"], body, f"{method} {path}")

    def get(self, path):
        answer, body = self.ask("GET", path)
        equal(answer.status, 200, f"{path}: {body}")
        return body

    def post(self, path, body, status=None):
        answer, document = self.ask("POST", path, body)
        assert answer.status == status if status else answer.status in (200, 201), f"{path}: {answer.status} {document}"
        return document

    def look(self, game, look, seconds=60):
        """What a look inside a game finds."""
        path = f"/api/games/{game}/inside/{look}"
        answer = self.post(path, {})
        for _ in range(int(seconds * 20)):
            if answer["state"] == "done":
                return answer["found"]
            time.sleep(0.05)
            answer = self.get(path)
        raise AssertionError(f"{path}: {answer}")

    def think(self, match, turn, **body):
        """All that a search says while it thinks about a position."""
        answer, text = self.ask("POST", f"/api/matches/{match}/think", {"turn": turn, **body})
        equal(answer.status, 200, str(text))
        return [json.loads(piece[6:]) for piece in text.decode().split("\n\n") if piece.startswith("data: ")]

    def begin(self, game, *players, **more):
        return self.post("/api/matches", {"game": game, "players": list(players), "seconds": 0.1, "seed": 1, **more})

    def await_turn(self, match, key, seconds=20):
        """The document once it is our turn, or the match has ended."""
        end = time.time() + seconds
        while time.time() < end:
            document = self.get(f"/api/matches/{match}?key={key}")
            if document["legal"] or document["status"] in ("over", "broken"):
                return document
            time.sleep(0.02)
        raise AssertionError(f"nothing happens: {document['status']}")

    def play_out(self, match, key):
        while True:
            document = self.await_turn(match, key)
            if document["status"] != "waiting":
                return document
            self.post(f"/api/matches/{match}/move", {"key": key, "move": document["legal"][0]["move"]})


def equal(actual, expected, what=""):
    assert actual == expected, f"{what}: {actual!r} instead of {expected!r}"


def games_and_rules(program):
    with Server(program) as server:
        games = {game["id"]: game for game in server.get("/api/games")["games"]}
        equal(sorted(games), sorted(GAMES))
        equal(games["tic_tac_toe"]["roles"], ["x", "o"])
        assert games["monty_hall"]["chance"] and games["monty_hall"]["hidden"]
        server.look("connect_four", "opening")
        game = server.get("/api/games/connect_four")
        equal((game["board"]["grids"][0]["width"], game["board"]["grids"][0]["height"]), (7, 6))
        with open(os.path.join(ROOT, "games", "nim.kif"), "rb") as file:
            equal(server.get("/api/games/nim/rules"), file.read())
        equal(server.ask("GET", "/api/games/none")[0].status, 404)
        end = time.time() + 60
        while time.time() < end and not all((game["survey"] or {}).get("matches") for game in games.values()):
            games = {game["id"]: game for game in server.get("/api/games")["games"]}
            time.sleep(0.2)
        assert games["nim"]["survey"]["fluents"] > 0, "no survey"


def whole_match(program):
    with Server(program) as server:
        begun = server.begin("tic_tac_toe", "human", "auto")
        assert begun["keys"][1] is None and len(begun["keys"][0]) == 32
        document = server.play_out(begun["id"], begun["keys"][0])
        equal(document["status"], "over")
        equal(sum(document["goals"].values()), 100)
        assert document["goals"]["o"] >= 50, "the engine lost"
        assert document["thoughts"] and document["thoughts"][0]["role"] == "o"
        turn = server.get(f"/api/matches/{begun['id']}/turns/1")
        equal(turn["moves"], document["moves"][0])
        record = server.get(f"/api/matches/{begun['id']}/record")
        equal(record["goals"], document["goals"])
        equal(server.get("/api/matches")["ended"][0]["id"], begun["id"])


def refusals_in_a_match(program):
    with Server(program) as server:
        begun = server.begin("tic_tac_toe", "human", "random")
        path, key = f"/api/matches/{begun['id']}", begun["keys"][0]
        server.await_turn(begun["id"], key)
        server.post(path + "/move", {"key": key, "move": "(mark 9 9)"}, 409)
        server.post(path + "/move", {"key": "0" * 32, "move": "(mark 1 1)"}, 403)
        server.post(path + "/move", {"move": "(mark 1 1)"}, 403)
        server.post(path + "/move", {"key": key}, 400)
        server.post(path + "/back", {"key": key}, 409)
        server.post(path + "/think", {"key": key, "turn": 0, "seconds": 1e9}, 400)
        server.post(path + "/think", {"key": key}, 400)
        server.post(path + "/think", {"key": key, "turn": 99}, 403)
        server.post(path + "/hurry", {"key": "x"}, 403)
        server.post("/api/matches", {"game": "tic_tac_toe", "players": ["human"]}, 400)
        server.post("/api/matches", {"game": "tic_tac_toe", "players": ["human", "nobody"]}, 400)
        server.post("/api/matches", {"game": "tic_tac_toe", "players": ["human", "uct"], "seconds": -1}, 400)
        server.post("/api/matches", {"game": "none", "players": []}, 404)
        server.post("/api/matches", {"players": []}, 400)
        equal(server.ask("GET", "/api/matches/none")[0].status, 404)
        equal(server.ask("GET", path + "/turns/99")[0].status, 404)
        equal(server.ask("GET", path + "/record")[0].status, 404)
        server.post(path + "/end", {"key": "x"}, 403)
        server.post(path + "/end", {"key": begun["owner"]})


def take_back_and_hint(program):
    with Server(program) as server:
        begun = server.begin("tic_tac_toe", "human", "auto")
        path, key = f"/api/matches/{begun['id']}", begun["keys"][0]
        first = server.await_turn(begun["id"], key)
        hint = server.think(begun["id"], 0, key=key, seconds=0.2)[-1]
        equal((len(hint["moves"]), hint["role"]), (9, "x"))
        assert hint["line"] and hint["moves"][0]["squares"], hint
        server.post(path + "/move", {"key": key, "move": first["legal"][0]["move"]})
        time.sleep(0.1)
        document = server.await_turn(begun["id"], key)
        equal(document["turn"], 2)
        server.post(path + "/back", {"key": key})
        end = time.time() + 10
        while document["turn"] and time.time() < end:
            document = server.await_turn(begun["id"], key)
        equal((document["turn"], document["state"]), (0, first["state"]))
        played = server.play_out(begun["id"], key)
        equal(played["status"], "over")
        thought = server.think(begun["id"], played["turn"], key=key)[-1]
        assert thought["missing"].startswith("the match is over here"), thought


def people_meet(program):
    """Both choose at the same time, and neither sees what the other chose before."""
    with Server(program) as server:
        begun = server.begin("rock_paper_scissors", {"player": "human", "name": "Ann"}, "human")
        path, keys = f"/api/matches/{begun['id']}", begun["keys"]
        moves = [server.await_turn(begun["id"], key)["legal"][0]["move"] for key in keys]
        server.post(path + "/move", {"key": keys[1], "move": moves[1]})
        document = server.get(f"{path}?key={keys[0]}")
        equal((document["players"][0], document["turn"], len(document["waiting"])), ("Ann", 0, 1))
        server.post(path + "/move", {"key": keys[1], "move": moves[1]}, 409)
        server.post(path + "/move", {"key": keys[0], "move": moves[0]})
        for _ in range(100):
            if server.get(path)["turn"] or server.get(path)["status"] == "over":
                break
            time.sleep(0.02)
        equal(server.get(path)["moves"][0], moves)


def secrets(program):
    """What is hidden is shown to nobody before the end, and then to all."""
    with Server(program) as server:
        begun = server.begin("monty_hall", "human")
        path, key = f"/api/matches/{begun['id']}", begun["keys"][0]
        document = server.await_turn(begun["id"], key)
        server.post(path + "/move", {"key": key, "move": document["legal"][0]["move"]})
        for _ in range(200):
            document = server.get(f"{path}?key={key}")
            if document["turn"] > 0:
                break
            time.sleep(0.02)
        assert document["secrets"] and document["possible"] > 1, document
        assert "(car" not in (document["state"] or ""), document["state"]
        assert all(moves[document["roles"].index("random")] is None for moves in document["moves"])
        for who in (path, path + "?key=" + "0" * 32):
            spectator = server.get(who)
            equal((spectator["state"], spectator["view"], spectator["moves"], spectator["legal"]), (None, None, [], []))
        equal(server.ask("GET", path + "/turns/0")[0].status, 404)
        document = server.play_out(begun["id"], key)
        assert not document["secrets"] and None not in document["moves"][0]


def live_updates(program):
    with Server(program) as server:
        begun = server.begin("tic_tac_toe", "human", "random")
        path, key, seen = f"/api/matches/{begun['id']}", begun["keys"][0], []

        def watch():
            connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
            connection.request("GET", path + "/events")
            stream = connection.getresponse()
            equal(stream.getheader("Content-Type"), "text/event-stream")
            for line in stream:
                if line.startswith(b"data: "):
                    seen.append((time.time(), json.loads(line[6:])))
                    if seen[-1][1]["status"] == "over":
                        break
            connection.close()

        watcher = threading.Thread(target=watch)
        watcher.start()
        server.play_out(begun["id"], key)
        watcher.join(timeout=20)
        assert seen and seen[-1][1]["status"] == "over", "the spectator missed the end"
        turns = [document["turn"] for _, document in seen]
        equal(turns, sorted(turns))


def own_rules(program):
    nasty = "<script>alert(1)</script>"
    with open(os.path.join(ROOT, "games", "nim.kif"), encoding="utf-8") as file:
        rules = file.read()
    with Server(program, "--uploads", "2") as server:
        checked = server.post("/api/check", {"rules": "(role x)\n(init (at 1))\n(<= (legal x ?m) (not (done ?m)))\n"})
        assert not checked["ok"] and any(one["line"] == 3 and one["severity"] == "error" for one in checked["diagnostics"])
        server.post("/api/games", {"name": "bad", "rules": "(role x"}, 400)
        server.post("/api/games", {"name": "", "rules": rules}, 400)
        server.post("/api/games", {"name": "zero", "rules": "(role \0)"}, 400)
        one = server.post("/api/games", {"name": nasty, "rules": rules})["id"]
        equal(server.post("/api/games", {"name": nasty, "rules": rules})["id"], one, "the same again")
        equal(server.get(f"/api/games/{one}")["name"], nasty)
        server.post("/api/games", {"name": "b", "rules": rules})
        server.post("/api/games", {"name": "c", "rules": rules}, 429)
        begun = server.begin(one, "random", "random")
        equal(server.await_turn(begun["id"], "")["status"], "over")
        server.kill()
        server.start()
        equal(server.get(f"/api/games/{one}")["name"], nasty, "after a kill")
        equal(server.get(f"/api/matches/{begun['id']}")["status"], "over")


def kill_and_go_on(program):
    """kill -9 at any time loses the move in flight at most."""
    with Server(program) as server:
        begun = server.begin("connect_four", "human", "random")
        path, key, made = f"/api/matches/{begun['id']}", begun["keys"][0], 0
        for round_ in range(4):
            document = server.await_turn(begun["id"], key)
            assert document["turn"] >= made, f"{made} turns became {document['turn']}"
            server.post(path + "/move", {"key": key, "move": document["legal"][round_ % 3]["move"]})
            made = server.await_turn(begun["id"], key)["turn"]
            server.kill()
            server.start()
        server.post(path + "/move", {"key": key, "move": "(drop 7)"})
        document = server.await_turn(begun["id"], key)
        assert document["turn"] > made, "a move is taken without looking first"
        alone = server.begin("connect_four", "uct", "uct")
        server.kill()
        server.start()
        equal(server.await_turn(alone["id"], "", 60)["status"], "over", "it goes on by itself")


def damaged_database(program):
    with tempfile.TemporaryDirectory(prefix="marelle-serve-") as folder:
        with Server(program, folder=folder) as server:
            server.begin("tic_tac_toe", "random", "random")
            time.sleep(0.3)
            database = server.database
        for damage in (b"this is no database, but some text somebody wrote" * 40, None):
            with open(database, "r+b") as file:
                if damage:
                    content = file.read()
                    file.seek(0)
                    file.write(damage)
                    file.truncate()
                else:
                    file.write(content)
                    file.truncate()
                    file.seek(4096)
                    file.write(os.urandom(8192))
            with open(database, "rb") as file:
                before = file.read()
            done = subprocess.run([program, "serve", "--port", "1", "--db", database], capture_output=True, text=True, timeout=30)
            equal(done.returncode, 2)
            assert re.search(r"is no database|damaged|malformed", done.stderr), done.stderr
            with open(database, "rb") as file:
                equal(file.read() == before, True, "untouched")


def headers_and_paths(program):
    with Server(program) as server:
        answer, page = server.ask("GET", "/")
        equal(answer.status, 200)
        policy = answer.getheader("Content-Security-Policy")
        assert "default-src 'none'" in policy and "unsafe" not in policy, policy
        equal(answer.getheader("X-Content-Type-Options"), "nosniff")
        assert b"<script type=\"module\" src=" in page and b"onclick" not in page
        tag = answer.getheader("ETag")
        equal(server.ask("GET", "/", headers={"If-None-Match": tag})[0].status, 304)
        for path in ("/../../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/..%2fgames", "//etc/passwd", "/api/games/..%2f..%2fetc",
                     "/api/games/%00", "/index.html/", "/.git/config", "/api/", "/api/games/a/b/c/d", "/" + "a" * 5000):
            status = server.ask("GET", path)[0].status
            assert status in (400, 404), f"{path}: {status}"
        equal(server.ask("DELETE", "/api/games")[0].status, 405)
        equal(server.ask("PUT", "/")[0].status, 405)
        equal(server.ask("HEAD", "/api/games")[0].status, 200)
        equal(server.ask("GET", "/openapi.json")[1], OPENAPI)


def bodies(program):
    with Server(program) as server:
        for body in (b"", b"[]", b"null", b"{", b'{"a":1,"a":2}', b"\xff\xfe", b"{" * 100000, b'{"rules":5}'):
            equal(server.ask("POST", "/api/check", body)[0].status, 400, str(body[:20]))
        equal(server.ask("POST", "/api/check", b" " * (3 << 20))[0].status, 413)
        big = {"rules": "(role x) " * 150000}
        equal(server.ask("POST", "/api/check", big)[0].status, 413)
        equal(server.ask("POST", "/api/check", b"{}", {"Content-Type": "text/plain"})[0].status, 415)
        deep = {"rules": "(" * 200000}
        equal(server.ask("POST", "/api/check", deep)[0].status, 200)
        equal(server.get("/api/status")["searches"]["busy"], 0)


def strangers(program):
    """Other pages cannot make a browser ask us, nor other names for this machine."""
    with Server(program) as server:
        equal(server.ask("GET", "/api/games", headers={"Host": "evil.example"})[0].status, 403)
        equal(server.ask("POST", "/api/check", {"rules": ""}, {"Origin": "http://evil.example"})[0].status, 403)
        for site, status in (("cross-site", 403), ("same-site", 403), ("same-origin", 200), ("none", 200)):
            equal(server.ask("GET", "/api/games", headers={"Sec-Fetch-Site": site})[0].status, status, site)
        equal(server.ask("GET", "/", headers={"Sec-Fetch-Site": "cross-site"})[0].status, 200, "a link from elsewhere")
        own = {"Origin": f"http://127.0.0.1:{server.port}"}
        equal(server.ask("POST", "/api/check", {"rules": ""}, own)[0].status, 200)
    with Server(program, "--token", "secret") as server:
        body = {"game": "nim", "players": ["random", "random"]}
        for header in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": "Bearer secre"}, {"Authorization": "Bearer secrets"}):
            equal(server.ask("POST", "/api/matches", body, header)[0].status, 401)
        equal(server.ask("POST", "/api/matches", body, {"Authorization": "Bearer secret"})[0].status, 201)
        equal(server.ask("GET", "/api/matches")[0].status, 200)
    with Server(program, "--listen", "0.0.0.0") as server:
        equal(server.ask("GET", "/api/games", headers={"Host": "a.name.of.ours:80"})[0].status, 200)
        equal(server.get("/api/status")["trusted"], False)
        server.post("/api/matches", {"game": "nim", "players": ["random", "http://127.0.0.1:1"]}, 400)
        cup = {"name": "c", "format": "duel", "games": ["nim"], "players": ["random", "http://127.0.0.1:1"]}
        server.post("/api/tournaments", cup, 400)


def fuzzed(program):
    """Whatever is asked, the answer is one of ours, and no failure."""
    words = ["api", "games", "matches", "tournaments", "tic_tac_toe", "inside", "turns", "events", "record", "..", "%00", "%2e%2e", "", "-1",
             "99999999999999999999", "a" * 300, "\u00e9", "?key=", "move", "back", "hint", "end", "rules", "policy"]
    values = [None, True, 0, -1, 1e308, 1 << 63, "", "human", "uct:time=1e9", "random:x=y", [], {}, ["human"], {"player": 5}, "\x00", "(" * 50]
    draw = random.Random(1)
    with Server(program, "--rate", "100000") as server:
        for _ in range(400):
            path = "/" + "/".join(draw.choice(words) for _ in range(draw.randrange(1, 6)))
            if path.endswith("events"):
                continue
            keys = draw.sample(["game", "players", "seconds", "seed", "from", "name", "rules", "format", "games", "key", "move", "match"], 5)
            body = json.dumps({key: draw.choice(values) for key in keys}).encode()
            if draw.random() < 0.3:
                body = bytes(byte ^ (draw.random() < 0.02) * 255 for byte in body)
            connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
            connection.request(draw.choice(["GET", "POST", "POST"]), urllib.parse.quote(path, safe="/%?="), body, {"Content-Type": "application/json"})
            status = connection.getresponse().status
            connection.close()
            assert status < 500, f"{path} {body[:200]}: {status}"
        equal(server.get("/api/status")["searches"]["busy"], 0)


def two_on_one_file(program):
    """A second server on a file that one plays on is refused, and harms nothing."""
    with Server(program) as server:
        done = subprocess.run([program, "serve", "--port", "1", "--db", server.database, "--games", os.path.join(server.folder, "games")],
                              capture_output=True, text=True, timeout=30)
        equal(done.returncode, 2)
        assert "another process" in done.stderr, done.stderr
        begun = server.begin("nim", "random", "random")
        equal(server.await_turn(begun["id"], "")["status"], "over")


def looks_inside(program):
    with Server(program) as server:
        found = server.look("tic_tac_toe", "decomposition")
        equal(found["counts"]["ad"], 1)
        squares = [len(subgame["squares"]) for subgame in found["subgames"]]
        assert 9 in squares, squares
        assert len(found["graph"]["vertices"]) > 27
        symmetry = server.look("tic_tac_toe", "symmetry")
        equal(symmetry["order"], 8)
        equal(sorted({len(one) for one in symmetry["orbit_squares"] if one}), [1, 4])
        assert server.look("tic_tac_toe", "circuit")["ands"] > 50
        equal(server.look("tic_tac_toe", "analysis")["turns"], "alternating")
        policy = server.look("monty_hall", "policy")
        equal((policy["value"], policy["role"], policy["whole"]), ("2/3", "candidate", True))
        kinds = {node["node"]: node["kind"] for node in policy["policy"]["nodes"]}
        assert kinds[policy["policy"]["root"]] == "decision" and "end" in kinds.values(), kinds
        equal(server.look("matching_pennies", "policy")["missing"], "several roles choose at the same time")
        learnt = server.look("tic_tac_toe", "network")
        worth = dict((fact, values) for fact, values in learnt["worths"])
        assert worth["(cell 2 2 x)"][0] > 0 > worth["(cell 2 2 x)"][1], "the middle is worth something"
        network = learnt["network"]
        equal(len(network["outputs"]), 2)
        assert all(0 <= source < len(network["inputs"]) + len(network["nodes"]) for node in network["nodes"] for source, _ in node["edges"])
        server.post("/api/games/tic_tac_toe/inside/nothing", {}, 404)
        server.post("/api/games/nothing/inside/circuit", {}, 404)
        equal(server.get("/api/games/nim/inside/policy"), {"state": "none"}, "a GET begins nothing")
        with open(os.path.join(ROOT, "games", "nim.kif"), encoding="utf-8") as file:
            rules = file.read() + "; a draft\n"
        answer = server.post("/api/preview", {"rules": rules})
        while answer["state"] != "done":
            time.sleep(0.05)
            answer = server.post("/api/preview", {"rules": rules})
        assert answer["found"]["board"] and answer["found"]["start"], answer
        bad = server.post("/api/preview", {"rules": "(role x"})
        while bad["state"] != "done":
            time.sleep(0.05)
            bad = server.post("/api/preview", {"rules": "(role x"})
        assert bad["found"]["missing"], bad


# Terms double every turn: 109 bytes that once ended the server.
DOUBLING = "(role p)(init (s a))(<= (next (s (f ?x ?x))) (true (s ?x)))(legal p go)(<= terminal (true (s b)))(goal p 0)"
# A first position of a hundred million facts.
WIDE = ("(role p)" + "".join(f"(d {i})" for i in range(10)) +
        "(<= (init (s ?a ?b ?c ?d ?e ?f ?g ?h)) (d ?a)(d ?b)(d ?c)(d ?d)(d ?e)(d ?f)(d ?g)(d ?h)) (legal p go)"
        "(<= (next (s ?a ?b ?c ?d ?e ?f ?g ?h)) (true (s ?a ?b ?c ?d ?e ?f ?g ?h))) (<= terminal (true done)) (goal p 0)")


def too_large(program):
    """A game that takes all memory is refused, by name and reason, and the server goes on; also
    under a limit on its address space, where there is no sanitizer."""
    limit = None if scenario.is_sanitized(program) else 6 << 30
    with Server(program, "--memory", "512", limit=limit) as server:
        grows = server.post("/api/games", {"name": "doubling", "rules": DOUBLING})["id"]
        answer, begun = server.ask("POST", "/api/matches", {"game": grows, "players": ["random"]})
        if answer.status == 201:
            ended = server.await_turn(begun["id"], "", 60)
            assert ended["status"] == "over" or ended["faults"], ended["status"]
        bomb = server.post("/api/games", {"name": "wide", "rules": WIDE})
        refused = server.post("/api/matches", {"game": bomb["id"], "players": ["random"]}, 422)
        equal(refused["error"], "too-large")
        game = server.get(f"/api/games/{bomb['id']}")
        # Without a limit it comes to the bound on rows.
        reasons = ("memory", "longer", "too many rows")
        assert game["board"] is None and any(reason in game["refused"] for reason in reasons), game
        cup = {"name": "cup", "format": "round-robin", "games": [bomb["id"]], "players": ["random", "legal"]}
        server.post("/api/tournaments", cup, 422)
        server.post(f"/api/games/{bomb['id']}/delete", {"owner": "x"}, 403)
        server.post(f"/api/games/{bomb['id']}/delete", {"owner": bomb["owner"]})
        equal(server.ask("GET", f"/api/games/{bomb['id']}")[0].status, 404)
        for number in range(12):
            with open(os.path.join(ROOT, "games", "connect_four.kif"), encoding="utf-8") as file:
                rules = file.read() + f"; {number}\n"
            one = server.post("/api/games", {"name": f"many {number}", "rules": rules})["id"]
            begun = server.begin(one, "human", "random")
            server.post(f"/api/matches/{begun['id']}/end", {"key": begun["owner"]})
        status = server.get("/api/status")
        assert status["games_mb"] <= 128, f"open games take {status['games_mb']} MB"
        assert status["peak_mb"] < 512, status
        equal(server.process.poll(), None)


def nobody_looks_any_more(program):
    """A look ends when nobody asks for it, and with the server."""
    with Server(program) as server:
        with open(os.path.join(ROOT, "games", "connect_four.kif"), encoding="utf-8") as file:
            rules = file.read()
        games = [server.post("/api/games", {"name": f"game {i}", "rules": f"{rules}; {i}\n"})["id"] for i in range(8)]
        for game in games:
            server.post(f"/api/games/{game}/inside/policy", {})
        time.sleep(6.5)
        end = time.time() + 60
        while server.get("/api/status")["looks"]["waiting"] > 1 and time.time() < end:
            time.sleep(0.2)
        states = [server.get(f"/api/games/{game}/inside/policy")["state"] for game in games]
        assert "none" in states, f"all went on: {states}"
        server.post(f"/api/games/{games[0]}/inside/network", {})
        started = time.time()
        server.process.send_signal(signal.SIGTERM)
        server.process.communicate(timeout=20)
        assert time.time() - started < 5, "it took too long"


def cached(program):
    """The list is small and is sent once."""
    with Server(program) as server:
        answer, _ = server.ask("GET", "/api/games")
        tag = answer.getheader("ETag")
        assert answer.getheader("Content-Encoding") is None
        equal(server.ask("GET", "/api/games", headers={"If-None-Match": tag})[0].status in (200, 304), True)
        answer, text = server.ask("GET", "/page.css", headers={"Accept-Encoding": "gzip"}, raw=True)
        equal(answer.getheader("Content-Encoding"), "gzip")
        equal(gzip.decompress(text), server.ask("GET", "/page.css")[1])
        server.look("nim", "opening")
        tag = server.ask("GET", "/api/games/nim")[0].getheader("ETag")
        equal(server.ask("GET", "/api/games/nim", headers={"If-None-Match": tag})[0].status, 304)
        total = 0
        for path in ["/", *(f"/{name}" for name in os.listdir(os.path.join(ROOT, "web"))), "/api/games"]:
            total += len(server.ask("GET", path, headers={"Accept-Encoding": "gzip"}, raw=True)[1])
        assert total < 150_000, f"the first page is {total} bytes"


def without_help(program):
    """Nobody is helped against a friend, unless both know."""
    with Server(program) as server:
        begun = server.begin("connect_four", "human", "human")
        key = begun["keys"][0]
        equal(server.await_turn(begun["id"], key)["help"], False)
        for body in ({"turn": 0, "key": key}, {"turn": 0}):
            server.post(f"/api/matches/{begun['id']}/think", body, 403)
        open_ = server.begin("connect_four", "human", "human", help=True)
        equal(server.await_turn(open_["id"], open_["keys"][0])["help"], True)
        assert server.think(open_["id"], 0, seconds=0.2)[-1]["playouts"]
        secret = server.begin("monty_hall", "human")
        server.await_turn(secret["id"], secret["keys"][0])
        server.post(f"/api/matches/{secret['id']}/think", {"turn": 0}, 403)
        assert server.think(secret["id"], 0, key=secret["keys"][0], seconds=0.2)[-1]["moves"]
        found = server.get(f"/api/matches?ids={begun['id']},nothing,{open_['id']}")["matches"]
        equal([match["id"] for match in found], [begun["id"], open_["id"]])


def in_a_hurry(program):
    """Who wants to go on makes the engine move."""
    with Server(program) as server:
        begun = server.begin("connect_four", "human", "auto", seconds=60)
        path, key = f"/api/matches/{begun['id']}", begun["keys"][0]
        server.await_turn(begun["id"], key, 60)
        server.post(path + "/move", {"key": key, "move": "(drop 4)"})
        while server.get(path)["status"] != "thinking":
            time.sleep(0.02)
        time.sleep(0.5)
        server.post(path + "/hurry", {"key": key})
        document = server.await_turn(begun["id"], key, 30)
        equal(document["turn"], 2)
        assert document["spent"][1] < 40 and document["last"][1]["squares"], document["spent"]


def versions_grow(program):
    """A page that was open while the server was killed shows what is true afterwards."""
    with Server(program) as server:
        begun = server.begin("connect_four", "human", "random")
        key = begun["keys"][0]
        for _ in range(3):
            document = server.await_turn(begun["id"], key)
            server.post(f"/api/matches/{begun['id']}/move", {"key": key, "move": document["legal"][0]["move"]})
        before = server.await_turn(begun["id"], key)["version"]
        server.kill()
        server.start()
        assert server.await_turn(begun["id"], key)["version"] > before


def abandoned(program):
    """Matches that nobody looks at make room; those of others behind a proxy do not count."""
    with Server(program, "--matches", "2", "--abandoned", "1", "--client-header", "X-Forwarded-For") as server:
        body = {"game": "nim", "players": ["human", "human"]}

        def begin(client):
            return server.ask("POST", "/api/matches", body, {"X-Forwarded-For": f"10.9.9.9, {client}"})[0].status

        equal([begin("10.0.0.1") for _ in range(3)], [201, 201, 429])
        equal(begin("10.0.0.2"), 201)
    with Server(program, "--matches", "2") as server:
        answers = [server.ask("POST", "/api/matches", body, {"X-Forwarded-For": f"10.0.0.{i}"})[0].status for i in range(3)]
        equal(answers, [201, 201, 429], "a header that nobody was told to believe")


def expired(program):
    """A match that nobody visits makes room, and one that is visited does not; games that nobody
    plays leave the memory."""
    with Server(program, "--matches", "2", "--abandoned", "0.05") as server:
        left = server.begin("connect_four", "human", "human")
        kept = server.begin("connect_four", "human", "human")
        body, status, end = {"game": "nim", "players": ["human", "human"]}, 0, time.time() + 60
        while status != 201 and time.time() < end:
            server.get(f"/api/matches/{kept['id']}")
            status = server.ask("POST", "/api/matches", body)[0].status
            time.sleep(0.1)
        equal(status, 201, "room for a third match")
        equal(server.ask("GET", f"/api/matches/{left['id']}")[0].status, 404, "the abandoned match")
        equal(server.get(f"/api/matches/{kept['id']}")["status"], "waiting", "the visited match")
        both = server.get("/api/status")["games_mb"]
        server.post(f"/api/matches/{kept['id']}/end", {"key": kept["owner"]})
        while server.get("/api/status")["games_mb"] >= both and time.time() < end:
            server.ask("POST", "/api/matches", body)
            time.sleep(0.2)
        assert 0 < server.get("/api/status")["games_mb"] < both, "the game that nobody plays is still in memory"


def many_uploads(program):
    """64 games that people bring and open stay within the memory, also that of the process."""
    limit = None if scenario.is_sanitized(program) else 3 << 30
    with Server(program, "--memory", "512", "--rate", "100000", limit=limit) as server:
        with open(os.path.join(ROOT, "games", "connect_four.kif"), encoding="utf-8") as file:
            rules = file.read()
        for number in range(64):
            one = server.post("/api/games", {"name": f"upload {number}", "rules": f"{rules}; {number}\n"})["id"]
            begun = server.begin(one, "human", "random")
            server.post(f"/api/matches/{begun['id']}/end", {"key": begun["owner"]})
        status = server.get("/api/status")
        assert status["games_mb"] <= 128 and status["peak_mb"] < 512, status
        equal(len([game for game in server.get("/api/games")["games"] if game["uploaded"]]), 64)


def opened_at_once(program):
    """Who wants to play need not wait until others have looked inside their games."""
    with Server(program) as server:
        with open(os.path.join(ROOT, "games", "connect_four.kif"), encoding="utf-8") as file:
            rules = file.read()
        games = [server.post("/api/games", {"name": f"game {i}", "rules": f"{rules}; {i}\n"})["id"] for i in range(6)]
        states, answer = ["none"], {"state": "none"}
        for game in games[:5]:
            server.post(f"/api/games/{game}/inside/policy", {})
        while answer["state"] != "done":
            time.sleep(0.1)
            states = [server.post(f"/api/games/{game}/inside/policy", {})["state"] for game in games[:5]]
            answer = server.post(f"/api/games/{games[5]}/inside/opening", {})
        assert answer["found"]["board"], answer
        assert states.count("waiting") >= 2, f"it waited for the others: {states}"


def cheap_views(program):
    """What everybody asks for is little work: CPU time, whoever else is busy."""
    with Server(program, "--rate", "100000") as server:
        for name in GAMES:
            server.look(name, "opening")
        paths = ["/", "/app.js", "/page.css", "/api/games", "/api/games/tic_tac_toe", "/api/matches", "/api/tournaments"]

        def used():
            with open(f"/proc/{server.process.pid}/stat", encoding="utf-8") as file:
                return sum(map(int, file.read().rsplit(")", 1)[1].split()[11:13])) / os.sysconf("SC_CLK_TCK")

        before, rounds = used(), 20
        for _ in range(rounds):
            for path in paths:
                equal(server.ask("GET", path, headers={"Accept-Encoding": "gzip"}, raw=True)[0].status, 200)
        each = (used() - before) / rounds / len(paths)
        most = 0.1 if scenario.is_sanitized(program) else 0.01
        assert each < most, f"{1000 * each:.1f} ms of CPU time a request"


def tournaments(program):
    cup = {"name": "a cup", "format": "round-robin", "games": ["tic_tac_toe"], "playclock": 1,
           "players": ["uct:playouts=50", "random", "legal"]}
    with Server(program) as server:
        equal(server.post("/api/tournaments", cup)["name"], "a cup")
        server.post("/api/tournaments", cup, 409)
        long = server.post("/api/tournaments", {**cup, "name": "cancelled", "matches": 50, "players": ["uct:time=1", "mast:time=1"]})
        server.post("/api/tournaments/cancelled/cancel", {"owner": "x"}, 403)
        server.post("/api/tournaments/cancelled/cancel", {"owner": long["owner"]})
        server.post("/api/tournaments/none/cancel", {}, 404)
        server.post("/api/tournaments", {**cup, "name": "b", "games": ["none"]}, 404)
        server.post("/api/tournaments", {**cup, "name": "b/c"}, 400)
        server.post("/api/tournaments", {**cup, "name": "b", "matches": 1000}, 400)
        server.post("/api/tournaments", {**cup, "name": "b", "players": ["human", "random"]}, 400)
        server.post("/api/tournaments", {**cup, "name": "b", "format": "brawl"}, 400)
        longer = {**cup, "name": "longer", "matches": 20}
        server.post("/api/tournaments", longer)
        end = time.time() + 60
        while server.get("/api/tournaments/a%20cup")["state"] != "over" and time.time() < end:
            time.sleep(0.1)
        server.kill()
        server.start()
        table = server.get("/api/tournaments/a%20cup")
        equal((table["state"], table["results"]["played"]), ("over", 6))
        while server.get("/api/tournaments/longer")["state"] != "over" and time.time() < end:
            time.sleep(0.1)
        longer = server.get("/api/tournaments/longer")
        equal((longer["results"]["played"], len(longer["matches"]), longer["match"]), (60, 60, None))
        last = longer["matches"][-1]
        equal(server.get(f"/api/matches/{last['id']}")["status"], "over")
        equal(server.ask("GET", "/api/tournaments/none")[0].status, 404)
        equal([one["name"] for one in server.get("/api/tournaments")["tournaments"]], ["longer", "cancelled", "a cup"])
        equal(server.get("/api/tournaments/cancelled")["state"], "cancelled")


def tournaments_are_watched(program):
    """The match that a tournament plays is live like any other, and keeps what was thought."""
    cup = {"name": "slow", "format": "duel", "games": ["connect_four"], "playclock": 5, "players": ["uct:time=0.2", "mast:time=0.2"]}
    with Server(program, "--thinking", "1") as server:
        server.post("/api/tournaments", cup)
        match = None
        for _ in range(600):
            tournament = server.get("/api/tournaments/slow")
            match = tournament["match"]
            if match and server.get(f"/api/matches/{match}")["turn"] > 2:
                break
            time.sleep(0.02)
        assert match, tournament
        assert match in [one["id"] for one in server.get("/api/matches")["live"]]
        document = server.get(f"/api/matches/{match}")
        equal((document["status"], document["you"], document["legal"]), ("thinking", None, []))
        server.post(f"/api/matches/{match}/end", {"key": "0" * 32}, 403)
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
        connection.request("GET", f"/api/matches/{match}/events")
        documents = [json.loads(line[6:]) for line in connection.getresponse() if line.startswith(b"data: ")]
        connection.close()
        equal(documents[-1]["status"], "over", "the last that a spectator hears")
        assert documents[-1]["thoughts"] and documents[0]["turn"] < documents[-1]["turn"]
        server.post("/api/tournaments", {**cup, "name": "another"}, 429)
        server.kill()
        server.start()
        kept = server.get(f"/api/matches/{match}")
        equal((kept["status"], kept["goals"], len(kept["thoughts"])), ("over", documents[-1]["goals"], len(documents[-1]["thoughts"])))


def play_on(program):
    """A match from a turn of another."""
    with Server(program) as server:
        old = server.begin("connect_four", "random", "random")
        path = f"/api/matches/{old['id']}"
        equal(server.await_turn(old["id"], "")["status"], "over")
        past = server.get(path + "/turns/4")
        assert past["changed"], "a drop changes a square"
        for bad in ({"match": old["id"], "turn": 5000}, {"match": "nothing", "turn": 1}):
            server.post("/api/matches", {"game": "connect_four", "players": ["human", "random"], "from": bad}, 404)
        for bad in ("x", {}, {"match": old["id"], "turn": -1}, {"match": old["id"], "turn": 0.5}):
            server.post("/api/matches", {"game": "connect_four", "players": ["human", "random"], "from": bad}, 400)
        server.post("/api/matches", {"game": "tic_tac_toe", "players": ["human", "random"], "from": {"match": old["id"], "turn": 1}}, 400)
        begun = server.post("/api/matches", {"game": "connect_four", "players": ["human", "random"], "from": {"match": old["id"], "turn": 4}})
        key = begun["keys"][0]
        document = server.await_turn(begun["id"], key)
        equal((document["turn"], document["state"]), (4, past["state"]))
        server.post(f"/api/matches/{begun['id']}/back", {"key": key}, 409)
        server.kill()
        server.start()
        document = server.await_turn(begun["id"], key)
        equal((document["turn"], document["state"]), (4, past["state"]), "after a kill")
        document = server.play_out(begun["id"], key)
        equal((document["status"], document["moves"][:4]), ("over", server.get(path)["moves"][:4]))
        begun = server.begin("monty_hall", "human")
        server.await_turn(begun["id"], begun["keys"][0])
        server.post("/api/matches", {"game": "monty_hall", "players": ["random"], "from": {"match": begun["id"], "turn": 0}}, 404)


def players_on_the_network(program):
    """Matches with a player that is another process, as any GGP player would be."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    other = subprocess.Popen([program, "player", "--port", str(port), "--strategy", "random"],
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        other.stdout.readline()
        address = f"http://127.0.0.1:{port}"
        with Server(program) as server:
            begun = server.begin("tic_tac_toe", "human", address)
            document = server.play_out(begun["id"], begun["keys"][0])
            equal((document["status"], document["faults"]), ("over", []))
            equal(document["players"][1], address)
            server.post("/api/matches", {"game": "tic_tac_toe", "players": ["human", address], "from": {"match": begun["id"], "turn": 1}}, 400)
        with Server(program, "--token", "secret") as server:
            body = {"game": "nim", "players": ["random", address]}
            equal(server.ask("POST", "/api/matches", body, {"Authorization": "Bearer secret"})[0].status, 201)
    finally:
        other.terminate()
        other.communicate(timeout=20)


def limits(program):
    with Server(program, "--rate", "10") as server:
        statuses = [server.ask("GET", "/api/status")[0].status for _ in range(80)]
        assert 429 in statuses and statuses[0] == 200, statuses
        time.sleep(0.5)
        equal(server.ask("GET", "/api/status")[0].status, 200)
    with Server(program, "--matches", "2", "--thinking", "1") as server:
        server.begin("nim", "human", "human")
        server.begin("nim", "human", "human")
        server.post("/api/matches", {"game": "nim", "players": ["human", "human"]}, 429)
    with Server(program, "--thinking", "1", "--threads", "1") as server:
        begun = server.begin("connect_four", "human", "random")
        server.await_turn(begun["id"], begun["keys"][0])
        server.think(begun["id"], 0, key=begun["keys"][0], seconds=2)
        server.post(f"/api/matches/{begun['id']}/think", {"turn": 0, "seconds": 2}, 429)
        server.post("/api/matches", {"game": "nim", "players": ["uct", "uct"]}, 429)


def orderly_end(program):
    with Server(program) as server:
        begun = server.begin("connect_four", "uct", "uct", seconds=5)
        watchers = []
        for path in (f"/api/matches/{begun['id']}/events", "/api/events") * 5:
            connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
            connection.request("GET", path)
            watchers.append((connection, connection.getresponse()))
        started = time.time()
        server.process.send_signal(signal.SIGTERM)
        server.process.communicate(timeout=20)
        assert time.time() - started < 5, "it took too long"
        for connection, _ in watchers:
            connection.close()


def many_writers(program):
    """Many people at once: every match gets its own turns and no more."""
    with Server(program, "--rate", "100000") as server:
        ends = []

        def play():
            begun = server.begin("tic_tac_toe", "human", "random")
            ends.append(server.play_out(begun["id"], begun["keys"][0])["status"])

        players = [threading.Thread(target=play) for _ in range(12)]
        for player in players:
            player.start()
        for player in players:
            player.join()
        equal(ends, ["over"] * 12)


CASES = [games_and_rules, whole_match, refusals_in_a_match, take_back_and_hint, people_meet, secrets, live_updates, own_rules,
         kill_and_go_on, damaged_database, headers_and_paths, bodies, strangers, fuzzed, two_on_one_file, looks_inside,
         too_large, nobody_looks_any_more, cached, without_help, in_a_hurry, versions_grow, abandoned, expired,
         many_uploads, opened_at_once, cheap_views, tournaments,
         tournaments_are_watched, play_on, players_on_the_network, limits, orderly_end, many_writers]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--marelle", required=True)
    parser.add_argument("cases", nargs="*")
    arguments = parser.parse_args()
    results = []
    for case in CASES:
        name = case.__name__.replace("_", " ")
        if arguments.cases and not any(part in name for part in arguments.cases):
            continue
        try:
            case(arguments.marelle)
            results.append(scenario.Case(name, "ok"))
        except Exception as error:  # pylint: disable=broad-except
            results.append(scenario.Case(name, "not ok", f"{type(error).__name__}: {error}".split("\n")))
    if not arguments.cases:
        missed = sorted(f"{method} {path}" for method, _, _, path in SPECIFIED if (method, path) not in seen and not path.endswith("events"))
        results.append(scenario.Case("every request of openapi.json was answered as it says", "not ok" if missed else "ok", missed))
    scenario.print_tap(results)


main()
