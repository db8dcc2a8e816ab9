// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace gputlm {

/// Wall time of one raw SystemC event, in nanoseconds: a method process that notifies its own event, and nothing else.
/// The unit in which the cost of a simulated line is told, since machines differ. Elaborates; once per process.
double raw_event_ns();

}  // namespace gputlm
