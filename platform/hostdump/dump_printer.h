// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>
#include <string>

#include "gputlm/config/diagnostics.h"
#include "gputlm/hostdump/dump_file.h"

namespace gputlm {

/// Prints a dump as a person wants to read it. Words that the formats do not allow are marked where they stand, the
/// rest of their entry is left out, and each is returned as a diagnostic with its offset in `file`, where the dump was
/// read.
Diagnostics print_dump(std::ostream& out, const PushbufferDump& dump, const std::string& file);

}  // namespace gputlm
