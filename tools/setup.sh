# shellcheck shell=sh
# Everything between a bare Debian and a built program, shared by ./run and
# ./test: install the packages that are missing, configure, compile.  The
# caller sets $root.  Success is silent but for one line where something slow
# happens; a failure shows the whole log of the step that failed.

: "${root:?the folder of the repository}"

say() {
    echo "marelle: $*" >&2
}

# run_logged LOGFILE COMMAND...: quiet unless the command fails.
run_logged() {
    log=$1
    shift
    if "$@" >"$log" 2>&1 </dev/null; then
        return 0
    fi
    cat "$log" >&2
    say "failed: $*"
    return 1
}

# packages_of SET...: the packages of these sets, one a line.
packages_of() {
    for set_name in "$@"; do
        sed -n "s/^$set_name: *//p" "$root/tools/packages.txt"
    done | tr -s ' ' '\n' | sort -u
}

missing_packages() {
    packages_of "$@" | while read -r package; do
        status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)
        [ "$status" = installed ] || echo "$package"
    done
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    else
        sudo "$@"
    fi
}

# need_packages SET...: does nothing, and needs no network, where all are
# installed.  A system without dpkg is left to its owner: meson names what
# it misses.
need_packages() {
    command -v dpkg-query >/dev/null 2>&1 || return 0
    missing=$(missing_packages "$@" | tr '\n' ' ')
    [ -n "$missing" ] || return 0
    if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null 2>&1; then
        say "these Debian packages are missing and neither root nor sudo is at hand: $missing"
        return 1
    fi
    say "installing Debian packages: $missing"
    apt_log=$(mktemp)
    # A stale mirror list of some third party must not stop us: what counts is
    # whether the installation succeeds.
    as_root apt-get -q -o DPkg::Lock::Timeout=600 update >"$apt_log" 2>&1 || say "apt-get update failed; trying to install anyway"
    # shellcheck disable=SC2086 # a list of words
    if ! run_logged "$apt_log.install" as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get -q -y -o DPkg::Lock::Timeout=600 install --no-install-recommends $missing; then
        cat "$apt_log" >&2
        rm -f "$apt_log" "$apt_log.install"
        return 1
    fi
    rm -f "$apt_log" "$apt_log.install"
}

# configure_and_build DIR "SET..." TARGETS [MESON-OPTION...]
#
# DIR is below $root.  DIR/.configured remembers where and for which package
# sets the folder was configured: a set that was installed since may bring
# new dependencies, so meson looks again; a folder that was moved starts
# afresh.  TARGETS is "" for everything.  The lock lets several ./run work
# side by side.
configure_and_build() (
    dir=$root/$1
    sets=$2
    targets=$3
    shift 3
    if [ -f "$dir/.configured" ] && [ "$(head -n 1 "$dir/.configured")" != "$root" ]; then
        rm -rf "$dir"
    fi
    mkdir -p "$dir" || exit 1
    if command -v flock >/dev/null 2>&1; then
        exec 9>"$dir/.lock"
        flock 9
    fi
    known=yes
    for set_name in $sets; do
        grep -qsx "$set_name" "$dir/.configured" || known=no
    done
    if [ ! -f "$dir/build.ninja" ]; then
        say "building in ${dir#"$root"/}/"
        rm -rf "$dir/meson-private" "$dir/meson-info"
        run_logged "$dir/.setup.log" meson setup "$@" "$dir" "$root" || exit 1
    elif [ "$known" = no ]; then
        run_logged "$dir/.setup.log" meson setup --reconfigure "$@" "$dir" "$root" || exit 1
    fi
    if [ "$known" = no ]; then
        # shellcheck disable=SC2086 # a list of words
        printf '%s\n' "$root" $sets >"$dir/.configured"
    fi
    # shellcheck disable=SC2086 # a list of words
    run_logged "$dir/.build.log" ninja -C "$dir" $targets
)
