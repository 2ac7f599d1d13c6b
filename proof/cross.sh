#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# cross.sh FINGERPRINT EMULATOR [COMPILER HIGHWAY_INCLUDE_DIR]: does FINGERPRINT print on the emulated machine what it
# prints on this one? With a compiler for that machine it is built anew, the library with it.
set -euo pipefail
fingerprint=$1
read -ra emulator <<<"$2"
for tool in "${emulator[0]}" ${3:+"$3"}; do
  command -v "$tool" >/dev/null || { echo "cross: not checked: $tool is not installed; tools/packages names the packages"; exit 77; }
done

root=$(cd "$(dirname "$0")/.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
emulated=$fingerprint
if [ $# -gt 2 ]; then
  # Highway alone: beside it in the system's folder are the headers of this machine.
  ln -s "$4/hwy" "$folder/hwy"
  emulated=$folder/fingerprint
  "$3" -std=c++20 -O2 -ffp-contract=off -static -DGELU_VERSION='"cross"' -I"$root" -isystem "$folder" \
    "$root"/gelu/*.cc "$root/proof/fingerprint.cc" -o "$emulated"
fi
"$fingerprint" >"$folder/here"
"${emulator[@]}" "$emulated" >"$folder/there"
cmp "$folder/here" "$folder/there"
echo "cross: $(wc -l <"$folder/there") hashes are the same by ${emulator[*]}"
