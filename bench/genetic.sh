#!/bin/sh
# Whole runs of the genetic algorithm on the ends of Tictactoe that were published with the thesis,
# its first role: 1,000 generations, the best of the sixteen settings, as published and repaired.
#
#     bench/genetic.sh [MARELLE [SEED...]] > bench/genetic.txt
#
# Prints the fitness of each run. Expected: 89.3 to 90.2 as published, at least
# 90.7 repaired. About 8 CPU seconds a run.
set -eu
marelle=${1:-build/marelle}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- 0 1 2
data=$(mktemp)
trap 'rm -f "$data"' EXIT
sed -E 's/^\(\(([0-9]+) [0-9]+\)/((\1)/' \
    "${MARELLE_SHARED:?where data/terminal-states is}/data/terminal-states/tictactoe_P1.txt" >"$data"
for learner in ga-published ga; do
    for seed in "$@"; do
        printf '%s, seed %s: ' "$learner" "$seed"
        "$marelle" learn train "$data" --all --learner "$learner" --effort 1000 --seed "$seed" \
            --threads 1 --json | sed -E 's/.*"fitness": *([0-9.]+).*/\1/'
    done
done
