// SPDX-License-Identifier: Apache-2.0
#include "gputlm/config/schema_builder.h"

namespace gputlm {

void describe_host(SchemaBuilder& t) {
  t.time("host.ordering_round_trip", kLatency,
         "System barrier from the crossbar to the host's ordering point and back.",
         {at(&Config::host, &HostSpec::ordering_round_trip)});
}

}  // namespace gputlm
