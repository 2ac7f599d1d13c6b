#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# contents.sh archive|shared PREFIX: what is installed holds the interface, all of it, and nothing else.
set -euo pipefail
kind=$1 prefix=$2
failed=0
expect_none() {  # expect_none WHAT < LINES: complains about each line
  local lines
  lines=$(cat)
  if [ -n "$lines" ]; then
    printf '%s:\n%s\n' "$1" "$lines"
    failed=1
  fi
}

root=$(cd "$(dirname "$0")/../.." && pwd)
headers=$(cd "$root" && ls gelu/gelu.h gelu/*.hpp gelu/family.def gelu/functions/*/facts.h)
expect_none "headers that differ from the interface (< missing, > too many)" \
  < <(diff <(sort <<<"$headers") <(cd "$prefix/include" && find . -type f -printf '%P\n' | sort))
expect_none "files that name a fixed folder" \
  < <(grep -rl "$root\|$prefix" "$prefix" --include='*.cmake' --include='*.pc')
declared=$(grep -o '\bgelu_[a-z_]*(' "$root/gelu/gelu.h" | tr -d '(' | sort -u)

if [ "$kind" = archive ]; then
  library=$(find "$prefix" -name libgelu.a)
  # A weak symbol gives way to another of its name; a strong one outside of gelu would clash with it.
  symbols=$(nm -g --defined-only "$library" | awk 'NF == 3 && $2 !~ /[WVu]/ {print $3}')
  expect_none "strong symbols outside of gelu" < <(c++filt <<<"$symbols" | grep -v '^gelu_\|\bgelu::')
else
  library=$(find "$prefix" -name libgelu.so)
  symbols=$(nm -D --defined-only "$library" | awk '{print $3}')
  dynamic=$(readelf -d "$library")
  expect_none "exported symbols beside gelu_*" < <(grep -v '^gelu_' <<<"$symbols")
  expect_none "libraries needed beside libc, libm and libstdc++" \
    < <(grep NEEDED <<<"$dynamic" | grep -v '\[\(libc\|libm\|libstdc++\|libgcc_s\|ld-linux[-a-z0-9]*\)\.so')
  expect_none "search paths and text relocations" < <(grep -E 'RPATH|RUNPATH|TEXTREL' <<<"$dynamic")
  size=$(stat -L -c %s "$library")
  if [ "$size" -ge $((2 << 20)) ]; then
    echo "the shared library has $size bytes; the bar is $((2 << 20))"
    failed=1
  fi
fi
expect_none "declared in gelu.h but not in the library" < <(comm -23 <(echo "$declared") <(sort -u <<<"$symbols"))
exit $failed
