#!/bin/sh
# tools/arm64_libraries.sh FOLDER PACKAGE...: unpack these Debian packages for
# AArch64, and all that they depend on, into FOLDER, for a cross compiler and
# for qemu-user.  Nothing is installed: some of these packages would replace
# those of the machine itself.  FOLDER/libraries.ini is a meson cross file that
# tells where the folder is; it is written last and names what was unpacked.

set -e

folder=$1
shift
mark="# $folder $*"
[ "$(head -n 1 "$folder/libraries.ini" 2>/dev/null)" != "$mark" ] || exit 0

rm -rf "$folder"
mkdir -p "$folder/.apt/lists/partial" "$folder/.apt/cache/archives/partial"
: >"$folder/.apt/status"

# apt with a state of its own, in which nothing is installed.
apt_here() {
    apt-get -q -y -o APT::Architecture=arm64 -o APT::Architectures=arm64 \
        -o APT::Sandbox::User="$(id -un)" -o Dir::State="$folder/.apt" \
        -o Dir::State::lists="$folder/.apt/lists" -o Dir::State::status="$folder/.apt/status" \
        -o Dir::Cache="$folder/.apt/cache" "$@"
}

apt_here update || echo "apt-get update failed; trying anyway"
apt_here --download-only --no-install-recommends install "$@"
for package in "$folder"/.apt/cache/archives/*.deb; do
    dpkg-deb -x "$package" "$folder"
done
rm -rf "$folder/.apt"

# Links that start at the root of the file system must start at the folder.
find "$folder" -type l -lname '/*' | while read -r link; do
    target=$(readlink "$link")
    ln -sfn "$(realpath -m --relative-to="$(dirname "$link")" "$folder$target")" "$link"
done
printf "%s\n[constants]\nlibraries = '%s'\n" "$mark" "$folder" >"$folder/libraries.ini"
