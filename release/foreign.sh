#!/usr/bin/env bash
# Unpack the loaders and C libraries of other systems, and an ARM emulator, from Debian packages into a folder. Nothing is installed,
# and root is not needed. On other systems the tests skip what needs them, with a message.
set -euo pipefail
mkdir -p "$1"
cd "$1"

# A private apt for one architecture, with its lists in this folder.
packages() {
    local arch=$1
    shift
    mkdir -p "apt/$arch/lists/partial" "apt/$arch/archives/partial"
    local options=(-qq -o "APT::Architecture=$arch" -o "APT::Architectures=$arch" -o "Dir::State=$PWD/apt/$arch"
        -o "Dir::Cache=$PWD/apt/$arch" -o Dir::State::status=/dev/null -o APT::Sandbox::User=root)
    apt-get "${options[@]}" update
    (cd "apt/$arch" && apt-get "${options[@]}" download "$@")
    for package in "apt/$arch"/*.deb; do
        dpkg -x "$package" "$arch"
    done
}

packages amd64 musl qemu-user-static
packages arm64 musl libc6
