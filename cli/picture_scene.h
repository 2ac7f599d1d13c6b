// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cli/picture.h"
#include "cli/picture_panel.h"

namespace gelu::cli {

// What a request asks for, as panels with their values; size and terminal are left to the caller. Throws Failure on a
// request that cannot be drawn.
Sheet MakeSheet(const PictureRequest& request);

}  // namespace gelu::cli
