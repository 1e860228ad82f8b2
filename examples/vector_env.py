#!/usr/bin/env python3
"""Steps 4,096 matches with moves drawn from the masks: PYTHONPATH=python examples/vector_env.py GAME.kif [STEPS]"""
import sys
import time

import marelle

env = marelle.VectorEnv(marelle.Game.from_file(sys.argv[1]), 4096)
steps = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
ended = 0
env.reset()
begun = time.process_time()
for _ in range(steps):
    env.draw()
    env.step()
    ended += 4096 - bytes(env.ends).count(0)
seconds = time.process_time() - begun
print(f"{ended} matches ended, {steps * 4096 / seconds / 1e6:.2f} M steps per CPU second")
