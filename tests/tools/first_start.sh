#!/bin/sh
# What a stranger does first: ./run without a word.  Waits for the address it
# prints, reads the page there, and stops it again.
#
# usage: tests/tools/first_start.sh [SECONDS]    (for all of it, default 1500)

set -eu
cd "$(dirname "$(readlink -f "$0")")/../.."
left=${1:-1500}
log=$(mktemp)
./run >"$log" 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null || true; cat "$log"; rm -f "$log"' EXIT

until address=$(grep -o 'http://[0-9.:]*[0-9]' "$log"); do
    kill -0 "$server" || exit 1
    [ "$left" -gt 0 ] || exit 1
    sleep 1
    left=$((left - 1))
done
python3 -c '
import sys, urllib.request
page = urllib.request.urlopen(sys.argv[1] + "/", timeout=30).read().decode()
games = urllib.request.urlopen(sys.argv[1] + "/api/games", timeout=30).read()
assert "<title>" in page and len(games) > 1000
print("a page of", len(page), "characters at", sys.argv[1])
' "$address"
