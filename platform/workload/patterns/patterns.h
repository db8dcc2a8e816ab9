// SPDX-License-Identifier: Apache-2.0
//
// The makers of all patterns, one file each; pattern.cpp lists them with their names.
#pragma once

#include <memory>

#include "gputlm/workload/pattern.h"

namespace gputlm {

std::unique_ptr<Pattern> make_stream_store();
std::unique_ptr<Pattern> make_stream_load();
std::unique_ptr<Pattern> make_stride();
std::unique_ptr<Pattern> make_random();
std::unique_ptr<Pattern> make_byte_per_sector();
std::unique_ptr<Pattern> make_byte_masks();
std::unique_ptr<Pattern> make_hammer();
std::unique_ptr<Pattern> make_copy();
std::unique_ptr<Pattern> make_vadd();
std::unique_ptr<Pattern> make_mix();
std::unique_ptr<Pattern> make_fenced_stores();
std::unique_ptr<Pattern> make_atomics();
std::unique_ptr<Pattern> make_lanes();
std::unique_ptr<Pattern> make_chase();
std::unique_ptr<Pattern> make_gather();
std::unique_ptr<Pattern> make_script();
std::unique_ptr<Pattern> make_one_set();
std::unique_ptr<Pattern> make_single_store();

}  // namespace gputlm
