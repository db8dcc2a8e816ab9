// SPDX-License-Identifier: Apache-2.0
//
// Figures in print, in the same form wherever a run is summed up.
#pragma once

#include <ostream>
#include <string>
#include <string_view>

namespace gputlm {

/// `44.00 MiB`, `4 B`: the largest unit that leaves at least 1.
std::string size_text(double bytes);

/// A field of a CSV file, in quotes where it needs them.
std::string csv_text(const std::string& text);

/// A line: a name, a figure and what it means.
void print_figure(std::ostream& out, std::string_view name, std::string_view value, std::string_view meaning);

}  // namespace gputlm
