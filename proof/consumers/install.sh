#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# install.sh BUILD PREFIX: installs the library and moves the tree, since an installed tree may be moved.
set -euo pipefail
build=$1 prefix=$2
rm -rf "$prefix" "$prefix.first"
cmake --install "$build" --prefix "$prefix.first" --component gelu
mv "$prefix.first" "$prefix"
