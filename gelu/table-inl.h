// SPDX-License-Identifier: Apache-2.0
// The table [function][form][dtype] of the target that is being compiled.
#if defined(GELU_TABLE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GELU_TABLE_INL_H_
#undef GELU_TABLE_INL_H_
#else
#define GELU_TABLE_INL_H_
#endif
#include "gelu/kernels.h"
#include "gelu/map-inl.h"

// The path is not an expression:
// clang-format off
#define GELU_FOLDER(name) GELU_FOLDER_PATH(gelu/functions/name/name-inl.h)
// clang-format on
#define GELU_FUNCTION(...)
#include "gelu/family.def"

GELU_BEGIN

template <class Card, class Form, class... AllDtypes>
constexpr void Fill(Kernel* row, List<AllDtypes...>) {
  static_assert(sizeof...(AllDtypes) == gelu_dtype_count_);
  ((*row++ = &Map<Card, Form, AllDtypes>), ...);
}
template <class Card, class... AllForms>
constexpr void Fill(Kernel (*rows)[gelu_dtype_count_], List<AllForms...>) {
  static_assert(sizeof...(AllForms) == gelu_form_count_);
  (Fill<Card, AllForms>(*rows++, Dtypes()), ...);
}
constexpr KernelTable MakeTable() {
  KernelTable table{};
#define GELU_FUNCTION(name, Card, ...) Fill<Card>(table.at[gelu_fn_##name], Forms());
#include "gelu/family.def"
  return table;
}
inline constexpr KernelTable kTable = MakeTable();

GELU_END
#endif  // toggled guard
