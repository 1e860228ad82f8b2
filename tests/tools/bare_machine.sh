#!/bin/sh
# Prove that the front door works on a bare Debian 12: make one with
# debootstrap, put a clone of this repository into it, and run ./run and
# ./test there.  For maintainers; needs root, a Debian mirror and debootstrap.
#
# usage: tests/tools/bare_machine.sh [--working-tree] [--base DIR] [--keep] [COMMAND...]
#
#   --working-tree  copy the files as they are, instead of cloning the last commit
#   --base DIR      a debootstrapped folder to copy from, made there if missing
#                   (saves the download the next time)
#   --keep          leave the folder behind and say where it is
#   COMMAND         run these shell commands in the clone (default: tests/tools/first_start.sh, ./test)
#
# The mirror is $MIRROR, or the first one this machine's apt uses.

set -eu
root=$(readlink -f "$(dirname "$0")/../..")
working_tree=no
keep=no
base=
while [ $# -gt 0 ]; do
    case $1 in
    --working-tree) working_tree=yes ;;
    --keep) keep=yes ;;
    --base)
        base=$2
        shift
        ;;
    --*)
        sed -n '2,/^$/s/^# \{0,1\}//p' "$0" >&2
        exit 2
        ;;
    *) break ;;
    esac
    shift
done
[ $# -gt 0 ] || set -- tests/tools/first_start.sh ./test

if [ "$(id -u)" -ne 0 ]; then
    echo "bare_machine.sh: must be root (chroot, mount)" >&2
    exit 2
fi

# Mounts made below vanish with this mount namespace, whatever happens.
if [ "${MARELLE_BARE_INSIDE:-}" != yes ]; then
    [ "$working_tree" = no ] || set -- --working-tree "$@"
    [ "$keep" = no ] || set -- --keep "$@"
    [ -z "$base" ] || set -- --base "$base" "$@"
    MARELLE_BARE_INSIDE=yes exec unshare --mount "$0" "$@"
fi

mirror=${MIRROR:-$(sed -n 's/^URIs: *//p; s/^deb \(\[[^]]*\] \)\{0,1\}\([^ ]*\) .*/\2/p' \
    /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list 2>/dev/null | head -n 1)}
mirror=${mirror:-http://deb.debian.org/debian}

make_base() {
    command -v debootstrap >/dev/null || apt-get -q -y install debootstrap
    debootstrap --variant=minbase bookworm "$1" "$mirror" >/dev/null
    # What this machine needs to reach its mirror: proxies, certificates, names.
    cp /etc/resolv.conf "$1/etc/resolv.conf"
    for file in /etc/apt/apt.conf /etc/apt/apt.conf.d/*; do
        if [ -f "$file" ] && grep -Eqi 'proxy|check-valid|verify' "$file"; then
            cp "$file" "$1/etc/apt/apt.conf.d/"
        fi
    done
    if [ -d /usr/local/share/ca-certificates ]; then
        mkdir -p "$1/usr/local/share/ca-certificates" "$1/etc/ssl/certs"
        cp -r /usr/local/share/ca-certificates/. "$1/usr/local/share/ca-certificates/"
        [ ! -f /etc/ssl/certs/ca-certificates.crt ] || cp /etc/ssl/certs/ca-certificates.crt "$1/etc/ssl/certs/"
    fi
}

bare=$(mktemp -d /tmp/marelle-bare.XXXXXX)
leave() {
    umount -l "$bare/proc" "$bare/dev" 2>/dev/null || true
    if [ "$keep" = yes ]; then
        echo "bare_machine.sh: kept $bare"
    else
        rm -rf --one-file-system "$bare"
    fi
}
trap leave EXIT
trap 'exit 130' INT TERM

if [ -n "$base" ]; then
    [ -x "$base/usr/bin/apt-get" ] || make_base "$base"
    cp -a "$base/." "$bare"
else
    make_base "$bare"
fi
mount -t proc proc "$bare/proc"
mount --rbind /dev "$bare/dev"
mount --make-rslave "$bare/dev"

mkdir -p "$bare/root/marelle"
if [ "$working_tree" = yes ]; then
    git -C "$root" ls-files -z --cached --others --exclude-standard |
        tar -C "$root" --null --ignore-failed-read -T - -c | tar -C "$bare/root/marelle" -x
else
    git clone -q "$root" "$bare/root/marelle"
fi

for command in "$@"; do
    echo "=== bare machine: $command"
    env -i HOME=/root TERM=dumb PATH=/usr/sbin:/usr/bin:/sbin:/bin \
        http_proxy="${http_proxy:-}" https_proxy="${https_proxy:-}" \
        chroot "$bare" sh -c "cd /root/marelle && $command"
done
echo "=== bare machine: all commands succeeded"
