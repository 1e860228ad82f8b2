#!/usr/bin/env python3
"""The page in a real browser: starts `marelle serve` on a few games and runs
page.mjs against it with Chromium and playwright-core.

playwright-core is installed into the build folder by npm, once; the browser is
the system's.  Where either cannot be had, everything is skipped and says so.
Screenshots are left in BUILD/screenshots.
"""
import argparse
import os
import re
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
         "incredible", "double_tic_tac_toe", "hex", "eight_puzzle"]


def find_browser():
    for name in ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"):
        path = shutil.which(name)
        if path:
            return path
    return None


def install_playwright(build):
    """The folder with node_modules; None and the reason where npm cannot get it."""
    folder = os.path.join(build, "browser")
    os.makedirs(folder, exist_ok=True)
    if os.path.isdir(os.path.join(folder, "node_modules", "playwright-core")):
        return folder, ""
    for name in ("package.json", "package-lock.json"):
        shutil.copy(os.path.join(HERE, name), folder)
    try:
        done = subprocess.run(["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts"], cwd=folder, timeout=300,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    except subprocess.TimeoutExpired:
        return None, "npm did not answer within 300 s"
    if done.returncode:
        return None, "npm cannot install playwright-core: " + done.stdout.strip().split("\n")[-1]
    return folder, ""


class Server:
    def __init__(self, marelle, folder):
        games = os.path.join(folder, "games")
        os.makedirs(games)
        for name in GAMES:
            shutil.copy(os.path.join(ROOT, "games", name + ".kif"), games)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.process = subprocess.Popen(
            [marelle, "serve", "--port", str(port), "--db", os.path.join(folder, "page.db"), "--games", games],
            stdout=subprocess.PIPE, text=True)
        self.address = re.search(r"http://\S+", self.process.stdout.readline()).group(0)

    def close(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=20)
        return self.process.returncode


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--marelle", required=True)
    parser.add_argument("--build", required=True)
    parser.add_argument("cases", nargs="*", help="names, or parts of them")
    arguments = parser.parse_args()
    browser, node, npm = find_browser(), shutil.which("node"), shutil.which("npm")
    missing = [name for name, path in (("Chromium", browser), ("node", node), ("npm", npm)) if not path]
    folder, reason = (None, " and ".join(missing) + " missing") if missing else install_playwright(arguments.build)
    if not folder:
        scenario.print_tap([scenario.Case("the page in a browser", "skip", [reason])])
        return
    shots = os.path.join(arguments.build, "screenshots")
    os.makedirs(shots, exist_ok=True)
    # Modules are found beside the script, so the script goes where they are.
    shutil.copy(os.path.join(HERE, "page.mjs"), folder)
    with tempfile.TemporaryDirectory(prefix="marelle-page-") as scratch:
        server = Server(arguments.marelle, scratch)
        try:
            subprocess.run([node, os.path.join(folder, "page.mjs"), server.address, browser, shots, *arguments.cases],
                           timeout=600, check=False)
        finally:
            status = server.close()
    if status not in (0, 143):
        print(f"# the server ended with status {status}")
        sys.exit(1)


main()
