# SPDX-License-Identifier: Apache-2.0
# Writes OUTPUT: for each function, the hash of the code under SOURCE that evaluates it, shared and its own. Comments and
# white space do not count.
cmake_minimum_required(VERSION 3.25)
file(GLOB shared LIST_DIRECTORIES false ${SOURCE}/core/*.h ${SOURCE}/*-inl.h)
list(APPEND shared ${SOURCE}/forms.h ${SOURCE}/kernels.h ${SOURCE}/kernels.cc ${SOURCE}/one_lane.cc ${SOURCE}/control_word.h)
file(GLOB folders ${SOURCE}/functions/*)
set(lines "")
foreach(folder IN LISTS folders)
  file(GLOB own ${folder}/*.h)
  list(REMOVE_ITEM own ${folder}/facts.h)
  set(files ${shared} ${own})
  list(SORT files)
  set(hashes "")
  foreach(file IN LISTS files)
    file(READ ${file} text)
    string(REGEX REPLACE "//[^\n]*" "" text "${text}")
    string(REGEX REPLACE "[ \t\n]+" "" text "${text}")
    string(SHA256 hash "${text}")
    string(APPEND hashes ${hash})
  endforeach()
  string(SHA256 hash "${hashes}")
  string(SUBSTRING ${hash} 0 16 hash)
  cmake_path(GET folder FILENAME name)
  string(APPEND lines "    {\"${name}\", \"${hash}\"},\n")
endforeach()
file(WRITE ${OUTPUT}
"// SPDX-License-Identifier: Apache-2.0
// Made by proof/prove_hash.cmake.
#pragma once
#include <string_view>

namespace gelu::proof {

struct FunctionHash {
  std::string_view function, hash;
};

inline constexpr FunctionHash kCodeHashes[] = {
${lines}};

}  // namespace gelu::proof
")
