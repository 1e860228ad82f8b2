#!/bin/sh
# Builds the Debian packages from the last commit, asks lintian, installs them on
# this machine and uses them: program, C library, Python package.  On demand; needs
# root, so run it where nothing can be lost:
#
#   tests/tools/bare_machine.sh tests/tools/debian_packages.sh
#
# usage: tests/tools/debian_packages.sh [--no-install]

set -eu
root=$(readlink -f "$(dirname "$0")/../..")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
git clone -q "$root" "$scratch/marelle"
cd "$scratch/marelle"
if [ "${1:-}" != --no-install ]; then
    apt-get -q -y install dpkg-dev lintian >/dev/null
    apt-get -q -y build-dep . >/dev/null
fi
dpkg-buildpackage -us -uc -b >"$scratch/log" 2>&1 || {
    tail -n 40 "$scratch/log"
    exit 1
}
lintian --allow-root --fail-on error "$scratch"/marelle_*.changes
for name in marelle libmarelle0 libmarelle-dev python3-marelle; do
    echo "$name: $(dpkg-deb --contents "$scratch/${name}"_*.deb | wc -l) files"
done
[ "${1:-}" != --no-install ] || exit 0

apt-get -q -y install gcc "$scratch"/marelle_*.deb "$scratch"/libmarelle*.deb "$scratch"/python3-marelle_*.deb >/dev/null
cd /
marelle search tic_tac_toe --playouts 1000 --json | grep -q '"best"'
if ldd "$(command -v marelle)" | grep -q libmpi; then
    echo "the program loads MPI" >&2
    exit 1
fi
# shellcheck disable=SC2046
cc "$root/examples/search.c" $(pkg-config --cflags --libs marelle) -o "$scratch/search"
"$scratch/search" /usr/share/marelle/games/tic_tac_toe.kif >/dev/null
/usr/bin/python3 -c "
import marelle
game = marelle.Game.from_file('/usr/share/marelle/games/tic_tac_toe.kif')
assert marelle.search(game, 'x', playouts=100).best and game.initial().svg()"
echo "the packages work"
