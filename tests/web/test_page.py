#!/usr/bin/env python3
"""The page in a real browser: starts `marelle serve` on a few games and runs
page.mjs against it with Chromium and playwright-core.

playwright-core and axe-core are installed into the build folder by npm, once; the
browser is the system's.  Where either cannot be had, everything is skipped and says so.
Screenshots are left in BUILD/screenshots.
"""
import argparse
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.realpath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "tests", "tools"))
import scenario  # noqa: E402

GAMES = ["tic_tac_toe", "connect_four", "breakthrough", "nim", "nonogram_chequers", "monty_hall",
         "incredible", "double_tic_tac_toe", "hex", "eight_puzzle", "orchard_light", "chess"]


def find_browser():
    for name in ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"):
        path = shutil.which(name)
        if path:
            return path
    return None


def install_packages(build):
    """The folder with node_modules; None and the reason where npm cannot get them."""
    folder = os.path.join(build, "browser")
    os.makedirs(folder, exist_ok=True)
    if all(os.path.isdir(os.path.join(folder, "node_modules", name)) for name in ("playwright-core", "axe-core")):
        return folder, ""
    for name in ("package.json", "package-lock.json"):
        shutil.copy(os.path.join(HERE, name), folder)
    try:
        done = subprocess.run(["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts"], cwd=folder, timeout=300,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    except subprocess.TimeoutExpired:
        return None, "npm did not answer within 300 s"
    if done.returncode:
        return None, "npm cannot install playwright-core and axe-core: " + done.stdout.strip().split("\n")[-1]
    return folder, ""


def copy_games(folder):
    os.makedirs(folder)
    for name in GAMES:
        shutil.copy(os.path.join(ROOT, "games", name + ".kif"), folder)
    return folder


class Process:
    """Something of ours that listens on a free port."""

    def __init__(self, *command):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.process = subprocess.Popen([*command, "--port", str(port)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.process.stdout.readline()
        self.address = f"http://127.0.0.1:{port}"

    def close(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.communicate(timeout=20)
        return self.process.returncode


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--marelle", required=True)
    parser.add_argument("--build", required=True)
    parser.add_argument("cases", nargs="*", help="names, or parts of them")
    arguments = parser.parse_args()
    browser, node, npm = find_browser(), shutil.which("node"), shutil.which("npm")
    missing = [name for name, path in (("Chromium", browser), ("node", node), ("npm", npm)) if not path]
    folder, reason = (None, " and ".join(missing) + " missing") if missing else install_packages(arguments.build)
    if not folder:
        scenario.print_tap([scenario.Case("the page in a browser", "skip", [reason])])
        return
    shots = os.path.join(arguments.build, "screenshots")
    os.makedirs(shots, exist_ok=True)
    # Modules are found beside the script, so the script goes where they are.
    shutil.copy(os.path.join(HERE, "page.mjs"), folder)
    with tempfile.TemporaryDirectory(prefix="marelle-page-") as scratch:
        games = copy_games(os.path.join(scratch, "games"))
        serve = [arguments.marelle, "serve", "--games", games, "--db"]
        server = Process(*serve, os.path.join(scratch, "page.db"))
        guarded = Process(*serve, os.path.join(scratch, "guarded.db"), "--token", "secret")
        player = Process(arguments.marelle, "player", "--strategy", "random")
        setup = {"address": server.address + "/", "guarded": guarded.address + "/", "player": player.address, "browser": browser, "shots": shots,
                 "serve": [*serve, os.path.join(scratch, "fragile.db")]}
        try:
            subprocess.run([node, os.path.join(folder, "page.mjs"), json.dumps(setup), *arguments.cases], timeout=900, check=False)
        finally:
            statuses = [process.close() for process in (server, guarded, player)]
    if any(status not in (0, 130, 143) for status in statuses):
        print(f"# the servers ended with statuses {statuses}")
        sys.exit(1)


main()
