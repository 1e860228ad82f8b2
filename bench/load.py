#!/usr/bin/env python3
"""Many people on the page at once: so many play matches against `random` and so
many look on, each over a stream of its own.  Says how long an update takes from
the move to the last spectator, how many requests failed, and how much memory
the server held.  With --corpus, visitors press every "Look inside" of the games
in a folder as well, under a limit on the address space, and views are timed.

    bench/load.py --marelle build/marelle --spectators 200 --games 50 --seconds 20
    bench/load.py --corpus ../shared/corpus/base --visitors 20 --limit 6 --seconds 600
"""
import argparse
import asyncio
import collections
import http.client
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
GAMES = ["connect_four", "breakthrough", "tic_tac_toe", "reversi"]
LOOKS = ["decomposition", "symmetry", "analysis", "circuit", "policy", "network"]
LOOK_SECONDS = 30  # what docs/reference/api.md promises


async def request(port, method, path, body=None, raw=False):
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 24)
    data = json.dumps(body).encode() if body is not None else b""
    writer.write(f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n"
                 f"Content-Length: {len(data)}\r\n\r\n".encode() + data)
    await writer.drain()
    answer = await reader.read()
    writer.close()
    head, _, content = answer.partition(b"\r\n\r\n")
    status = int(head.split()[1])
    if b"chunked" in head.lower():
        content = b"".join(re.split(rb"(?:^|\r\n)[0-9a-fA-F]+\r\n", content))
    return status, json.loads(content) if content and not raw else None


async def lines_of_chunks(reader):
    """The lines of a chunked answer, which end anywhere in its chunks."""
    rest = b""
    while True:
        size = int(await reader.readline() or b"0", 16)
        if not size:
            return
        *lines, rest = (rest + await reader.readexactly(size)).split(b"\n")
        await reader.readline()
        for line in lines:
            yield line


class Load:
    def __init__(self, port):
        self.port = port
        self.matches = {}   # by player
        self.moved = {}     # (match, version) -> when the answer to the move came back
        self.delays = []
        self.answers = []
        self.failures = collections.Counter()
        self.events = 0
        self.looks = collections.Counter()  # by how they ended
        self.views = []                     # seconds until a view was answered, and which
        self.process = [0, 0]               # most MB and seconds of a process that looks

    async def play(self, number, end):
        """Match after match, a move about every second, as people do."""
        dice = random.Random(number)
        while time.time() < end:
            status, begun = await request(self.port, "POST", "/api/matches", {"game": GAMES[number % len(GAMES)], "players": ["human", "random"], "seconds": 0.05})
            if status != 201:
                self.failures[f"begin {status}"] += 1
                await asyncio.sleep(1)
                continue
            self.matches[number] = begun["id"]
            while time.time() < end:
                status, match = await request(self.port, "GET", f"/api/matches/{begun['id']}?key={begun['keys'][0]}")
                if status != 200:
                    self.failures[f"look {status}"] += 1
                elif match["status"] in ("over", "broken"):
                    break
                elif match["legal"]:
                    started = time.time()
                    self.moved[begun["id"], match["turn"] + 1] = started
                    status, _ = await request(self.port, "POST", f"/api/matches/{begun['id']}/move",
                                              {"key": begun["keys"][0], "move": dice.choice(match["legal"])["move"]})
                    self.answers.append(time.time() - started)
                    if status != 200:
                        self.failures[f"move {status}"] += 1
                await asyncio.sleep(dice.uniform(0.5, 1.5))

    async def watch(self, number, end):
        while time.time() < end:
            match = self.matches.get(number % len(self.matches)) if self.matches else None
            if not match:
                await asyncio.sleep(0.2)
                continue
            await asyncio.sleep(0.5)
            try:
                await asyncio.wait_for(self.follow(match), max(0.1, end - time.time()))
            except asyncio.TimeoutError:
                return
            except OSError as error:
                self.failures[f"watch {error}"] += 1

    async def follow(self, match):
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 24)
        try:
            writer.write(f"GET /api/matches/{match}/events HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            await writer.drain()
            status = await reader.readline()
            if b" 200 " not in status:
                self.failures[f"watch {status!r}"] += 1
                return
            while await reader.readline() not in (b"\r\n", b""):
                pass
            last = None
            async for line in lines_of_chunks(reader):
                if not line.startswith(b"data: {"):
                    continue
                document = json.loads(line[6:])
                self.events += 1
                for turn in range(last + 1, document["turn"] + 1) if last is not None else ():
                    sent = self.moved.get((match, turn))
                    if sent:
                        self.delays.append(time.time() - sent)
                last = document["turn"]
                if document["status"] in ("over", "broken"):
                    return
        finally:
            writer.close()

    async def press(self, number, games, end):
        """Presses every look of one game after the other, as the page does; one visitor in three goes away early."""
        dice = random.Random(number)
        while time.time() < end:
            game = dice.choice(games)
            leaves = time.time() + (dice.uniform(1, 10) if dice.random() < 1 / 3 else 200)
            await asyncio.gather(*(self.look(f"/api/games/{game}/inside/{look}", min(end, leaves)) for look in LOOKS))

    async def look(self, path, end):
        method = "POST"
        while time.time() < end:
            status, answer = await request(self.port, method, path, {} if method == "POST" else None)
            if status == 429:
                self.looks["line was full"] += 1
                await asyncio.sleep(3)
                continue
            if status != 200:
                self.failures[f"look {status}"] += 1
                return
            if answer["state"] == "done":
                found = answer["found"]
                self.looks["missing: " + re.sub(r"[0-9]+", "N", found["missing"])[:60] if "missing" in found else "found"] += 1
                return
            method = "POST" if answer["state"] == "none" else "GET"
            await asyncio.sleep(0.6)
        self.looks["left"] += 1

    async def hear_views(self, end):
        """What somebody sees who just walks about, in a process of its own: the time that this one
        takes to play for the others is not the server's."""
        walker = await asyncio.create_subprocess_exec(sys.executable, __file__, "--walk", str(self.port), str(end), stdout=asyncio.subprocess.PIPE)
        for line in (await walker.stdout.read()).decode().splitlines():
            seconds, status, path = line.split()
            self.views.append((float(seconds), path))
            if status != "200":
                self.failures[f"view {status}"] += 1
        await walker.wait()

    async def watch_processes(self, pid, end):
        while time.time() < end:
            for child in children(pid):
                try:
                    self.process = [max(self.process[0], memory_mb(child)), max(self.process[1], age_seconds(child))]
                except (OSError, AttributeError):
                    pass  # it has ended
            await asyncio.sleep(0.5)

    async def weigh(self, pid, seconds):
        """Memory half-way, to be compared with that at the end."""
        await asyncio.sleep(seconds / 2)
        self.half = memory_mb(pid)

    async def run(self, pid, spectators, games, seconds, visitors, names):
        end = time.time() + seconds
        jobs = [self.weigh(pid, seconds), *(self.play(i, end) for i in range(games)), *(self.watch(i, end) for i in range(spectators))]
        if names:
            jobs += [self.hear_views(end), self.watch_processes(pid, end), *(self.press(i, names, end) for i in range(visitors))]
        await asyncio.gather(*jobs)


def walk(port, end):
    """Prints for view after view its seconds, status and path."""
    dice, games = random.Random(0), []
    while time.time() < end:
        for path in ("/", "/api/games", f"/api/games/{dice.choice(games or ['connect_four'])}", "/api/matches", "/api/tournaments"):
            started, body = time.time(), b""
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
            try:
                connection.request("GET", path)
                answer = connection.getresponse()
                body, status = answer.read(), answer.status
            except OSError as error:
                status = type(error).__name__
            connection.close()
            print(f"{time.time() - started:.4f} {status} {path}")
            if path == "/api/games" and status == 200:
                games = [game["id"] for game in json.loads(body)["games"]]
        time.sleep(0.3)


def memory_mb(pid):
    with open(f"/proc/{pid}/status", encoding="utf-8") as file:
        return int(re.search(r"VmHWM:\s+(\d+)", file.read()).group(1)) / 1024


def children(pid):
    with open(f"/proc/{pid}/task/{pid}/children", encoding="utf-8") as file:
        own = file.read().split()
    for task in os.listdir(f"/proc/{pid}/task"):
        try:
            with open(f"/proc/{pid}/task/{task}/children", encoding="utf-8") as file:
                own += file.read().split()
        except OSError:
            pass
    return set(own)


def age_seconds(pid):
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        started = int(file.read().rsplit(")", 1)[1].split()[19]) / os.sysconf("SC_CLK_TCK")
    with open("/proc/uptime", encoding="utf-8") as file:
        return float(file.read().split()[0]) - started


def cpu_seconds(pid):
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def share(values, part):
    return sorted(values)[min(len(values) - 1, int(len(values) * part))] if values else float("nan")


def main():
    if sys.argv[1:2] == ["--walk"]:
        walk(int(sys.argv[2]), float(sys.argv[3]))
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--marelle", default=os.path.join(ROOT, "build", "marelle"))
    parser.add_argument("--spectators", type=int, default=200)
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--corpus", help="a folder of games to look into")
    parser.add_argument("--visitors", type=int, default=20, help="who look inside games of the corpus")
    parser.add_argument("--limit", type=float, help="address space of the server, in GB")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="marelle-load-") as folder:
        os.makedirs(os.path.join(folder, "games"))
        for name in GAMES:
            shutil.copy(os.path.join(ROOT, "games", name + ".kif"), os.path.join(folder, "games"))
        names = sorted(name[:-4] for name in os.listdir(arguments.corpus) if name.endswith(".kif")) if arguments.corpus else []
        for name in names:
            shutil.copy(os.path.join(arguments.corpus, name + ".kif"), os.path.join(folder, "games"))
        limit = int((arguments.limit or 0) * (1 << 30))
        server = subprocess.Popen([arguments.marelle, "serve", "--port", "8479", "--db", os.path.join(folder, "load.db"), "--games",
                                   os.path.join(folder, "games"), "--rate", "100000", "--matches", "100000", "--thinking", "1000000"],
                                  stdout=subprocess.PIPE, text=True,
                                  preexec_fn=(lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit))) if limit else None)
        if "http" not in server.stdout.readline():
            sys.exit("the server does not start")
        load = Load(8479)
        asyncio.run(load.run(server.pid, arguments.spectators, arguments.games, arguments.seconds, arguments.visitors, names))
        if server.poll() is not None:
            print(f"THE SERVER ENDED with status {server.returncode}")
            sys.exit(1)
        memory, processor = memory_mb(server.pid), cpu_seconds(server.pid)
        server.send_signal(signal.SIGTERM)
        server.wait(timeout=20)
    print(f"spectators {arguments.spectators}, games {arguments.games}, {arguments.seconds:g} s")
    print(f"moves      {len(load.answers)}, answered in {share(load.answers, .5) * 1000:.0f} ms (median), {share(load.answers, .99) * 1000:.0f} ms (99 %)")
    print(f"events     {load.events}; from a move to a spectator {share(load.delays, .5) * 1000:.0f} ms (median), "
          f"{share(load.delays, .99) * 1000:.0f} ms (99 %), {max(load.delays, default=0) * 1000:.0f} ms (most) over {len(load.delays)}")
    print(f"failures   {sum(load.failures.values())} {dict(load.failures) or ''}")
    if names:
        times = [seconds for seconds, _ in load.views]
        slow = collections.Counter(re.sub(r"games/.*", "games/ID", path) for seconds, path in load.views if seconds > 1)
        print(f"looks      {sum(load.looks.values())} at {len(names)} games: " + ", ".join(f"{count} {end}" for end, count in load.looks.most_common()))
        print(f"views      {len(times)}, answered in {share(times, .5) * 1000:.0f} ms (median), {share(times, .99) * 1000:.0f} ms (99 %), "
              f"{max(times) * 1000:.0f} ms (most); above a second {dict(slow) or 0}")
        print(f"processes  {load.process[0]:.0f} MB and {load.process[1]:.1f} s at most, of {LOOK_SECONDS} s")
    print(f"server     {memory:.0f} MB at most ({load.half:.0f} half-way), {processor:.1f} CPU seconds")
    sys.exit(1 if load.failures else 0)


main()
