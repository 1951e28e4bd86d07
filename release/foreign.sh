#!/usr/bin/env bash
# Other systems' loaders and C libraries, and an emulator of ARM, out of Debian's packages into a folder: nothing is installed and
# nobody needs to be root. Where this is no Debian the tests say what they could not run.
set -euo pipefail
mkdir -p "$1"
cd "$1"

# An apt of its own, which looks at one architecture and keeps its lists here.
packages() {
    local arch=$1
    shift
    mkdir -p "apt/$arch/lists/partial" "apt/$arch/archives/partial"
    local own=(-qq -o "APT::Architecture=$arch" -o "APT::Architectures=$arch" -o "Dir::State=$PWD/apt/$arch"
        -o "Dir::Cache=$PWD/apt/$arch" -o Dir::State::status=/dev/null -o APT::Sandbox::User=root)
    apt-get "${own[@]}" update
    (cd "apt/$arch" && apt-get "${own[@]}" download "$@")
    for package in "apt/$arch"/*.deb; do
        dpkg -x "$package" "$arch"
    done
}

packages amd64 musl qemu-user-static
packages arm64 musl libc6
