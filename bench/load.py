#!/usr/bin/env python3
"""Many people on the page at once: so many play matches against `random` and so
many look on, each over a stream of its own.  Says how long an update takes from
the move to the last spectator, how many requests failed, and how much memory
the server held.

    bench/load.py --marelle build/marelle --spectators 200 --games 50 --seconds 20
"""
import argparse
import asyncio
import collections
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
GAMES = ["connect_four", "breakthrough", "tic_tac_toe", "reversi"]


async def request(port, method, path, body=None):
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
    return status, json.loads(content) if content else None


class Load:
    def __init__(self, port):
        self.port = port
        self.matches = {}   # by player
        self.moved = {}     # (match, version) -> when the answer to the move came back
        self.delays = []
        self.answers = []
        self.failures = collections.Counter()
        self.events = 0

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
            last = None
            while True:
                line = await reader.readline()
                if not line:
                    return
                if not line.startswith(b"data: "):
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

    async def weigh(self, pid, seconds):
        """Memory half-way, to be compared with that at the end."""
        await asyncio.sleep(seconds / 2)
        self.half = memory_mb(pid)

    async def run(self, pid, spectators, games, seconds):
        end = time.time() + seconds
        await asyncio.gather(self.weigh(pid, seconds), *(self.play(i, end) for i in range(games)), *(self.watch(i, end) for i in range(spectators)))


def memory_mb(pid):
    with open(f"/proc/{pid}/status", encoding="utf-8") as file:
        return int(re.search(r"VmHWM:\s+(\d+)", file.read()).group(1)) / 1024


def cpu_seconds(pid):
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def share(values, part):
    return sorted(values)[min(len(values) - 1, int(len(values) * part))] if values else float("nan")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--marelle", default=os.path.join(ROOT, "build", "marelle"))
    parser.add_argument("--spectators", type=int, default=200)
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=20)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="marelle-load-") as folder:
        os.makedirs(os.path.join(folder, "games"))
        for name in GAMES:
            shutil.copy(os.path.join(ROOT, "games", name + ".kif"), os.path.join(folder, "games"))
        server = subprocess.Popen([arguments.marelle, "serve", "--port", "8479", "--db", os.path.join(folder, "load.db"), "--games",
                                   os.path.join(folder, "games"), "--rate", "100000", "--matches", "100000", "--thinking", "1000000"],
                                  stdout=subprocess.PIPE, text=True)
        server.stdout.readline()
        load = Load(8479)
        asyncio.run(load.run(server.pid, arguments.spectators, arguments.games, arguments.seconds))
        memory, processor = memory_mb(server.pid), cpu_seconds(server.pid)
        server.send_signal(signal.SIGTERM)
        server.wait(timeout=20)
    print(f"spectators {arguments.spectators}, games {arguments.games}, {arguments.seconds:g} s")
    print(f"moves      {len(load.answers)}, answered in {share(load.answers, .5) * 1000:.0f} ms (median), {share(load.answers, .99) * 1000:.0f} ms (99 %)")
    print(f"events     {load.events}; from a move to a spectator {share(load.delays, .5) * 1000:.0f} ms (median), "
          f"{share(load.delays, .99) * 1000:.0f} ms (99 %), {max(load.delays, default=0) * 1000:.0f} ms (most) over {len(load.delays)}")
    print(f"failures   {sum(load.failures.values())} {dict(load.failures) or ''}")
    print(f"server     {memory:.0f} MB at most ({load.half:.0f} half-way), {processor:.1f} CPU seconds")
    sys.exit(1 if load.failures else 0)


main()
