#!/usr/bin/env python3
"""Steps a second of environments on a GPU, from Python.

usage: bench/gpu_environments.py [--seconds 0.5] [--sizes 14,17,20] GAME-FILE...

Masks, observation bits, ends and rewards are delivered on the device in every step. Three loops, millions of steps of
single matches a second of the clock: `step` alone (the loop of draws and steps less the time of draws), `ours` (moves drawn
from the masks by our kernel), and `torch` (moves drawn by PyTorch from masks of bytes).
"""
import argparse
import os
import sys
import time

import torch

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(__file__))), "python"))
import marelle  # noqa: E402


def seconds_each(action, seconds):
    """Time of one call, from as many as fit."""
    for _ in range(20):
        action()
    torch.cuda.synchronize()
    calls, begun = 0, time.perf_counter()
    while True:
        for _ in range(20):
            action()
        torch.cuda.synchronize()
        calls += 20
        passed = time.perf_counter() - begun
        if passed >= seconds:
            return passed / calls


def measure(game, count, seconds):
    env = marelle.GpuVectorEnv(game, count)
    env.draw()

    def play():
        env.draw()
        env.step()
    loop = seconds_each(play, seconds)
    draw = seconds_each(env.draw, seconds)
    env = marelle.GpuVectorEnv(game, count, outputs=("ends", "rewards", "mask_bytes", "observations"))
    masks = torch.as_tensor(env.mask_bytes, device="cuda")

    def play_by_torch():
        scores = torch.rand(masks.shape, device="cuda", dtype=torch.float16) * masks
        env.step(scores.argmax(2).to(torch.int32))
    by_torch = seconds_each(play_by_torch, seconds)
    rate = lambda each: count / each / 1e6
    return rate(loop - draw), rate(loop), rate(by_torch)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--sizes", default="14,17,20", help="powers of two")
    parser.add_argument("games", nargs="+")
    options = parser.parse_args()
    print("| game | matches | step, M/s | ours, M/s | torch, M/s |\n|---|---:|---:|---:|---:|")
    for path in options.games:
        game = marelle.Game.from_file(path)
        for size in map(int, options.sizes.split(",")):
            figures = measure(game, 1 << size, options.seconds)
            print(f"| {os.path.basename(path)} | 2^{size} | " + " | ".join(f"{x:,.1f}" for x in figures) + " |", flush=True)


if __name__ == "__main__":
    main()
