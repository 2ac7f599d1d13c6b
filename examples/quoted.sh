#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# quoted.sh README: every block of C or C++ in it is a passage of an example, so that it compiles and runs.
set -euo pipefail
examples=$(dirname "$0")
failed=0 block='' language=''
while IFS= read -r line; do
  case $line in
    '```c' | '```cpp') language=${line#'```'} block='' ;;
    '```')
      [[ -n $language ]] || continue
      found=no
      for example in "$examples"/*."$language"; do
        [[ $(<"$example")$'\n' != *"$block"* ]] || found=yes
      done
      if [[ $found == no ]]; then
        printf '%s: a %s block that no example has; quote examples/*.%s:\n%s' "$1" "$language" "$language" "$block"
        failed=1
      fi
      language=''
      ;;
    *) [[ -z $language ]] || block+=$line$'\n' ;;
  esac
done <"$1"
exit $failed
