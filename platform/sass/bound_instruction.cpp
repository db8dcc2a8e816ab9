// SPDX-License-Identifier: Apache-2.0
#include "gputlm/sass/bound_instruction.h"

namespace gputlm {

double latency_cycles(Latency latency, const SassSpec& spec) {
  switch (latency) {
    case Latency::fixed:
      return 0;
    case Latency::shared:
      return spec.shared_cycles;
    case Latency::shuffle:
      return spec.shuffle_cycles;
    case Latency::special_function:
      return spec.special_function_cycles;
    case Latency::fp64:
      return spec.double_cycles;
    case Latency::special_register:
      return spec.special_register_cycles;
    case Latency::constant:
      return spec.constant_cycles;
    case Latency::local:
      return spec.local_cycles;
  }
  return 0;
}

}  // namespace gputlm
