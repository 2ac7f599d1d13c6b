#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# pkg-config.sh archive|shared PREFIX SOURCE COMPILER...: a program built from what pkg-config says, and run.
set -euo pipefail
kind=$1 prefix=$2 source=$(dirname "$0")/$3
shift 3
pc=("$prefix"/lib*/pkgconfig "$prefix"/lib/*/pkgconfig)
PKG_CONFIG_PATH=$(IFS=:; echo "${pc[*]}")
LD_LIBRARY_PATH=$(PKG_CONFIG_PATH=$PKG_CONFIG_PATH pkg-config --variable=libdir gelu)
export PKG_CONFIG_PATH LD_LIBRARY_PATH

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
read -ra flags <<<"$(pkg-config --cflags --libs gelu)"
"$@" "$source" "${flags[@]}" -o "$work/consumer"
"$work/consumer"

# A program without any shared library.
if [ "$kind" = archive ]; then
  read -ra flags <<<"$(pkg-config --static --cflags --libs gelu)"
  "$@" -static "$source" "${flags[@]}" -o "$work/consumer"
  "$work/consumer"
fi
