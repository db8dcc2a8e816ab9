// SPDX-License-Identifier: Apache-2.0
//
// The project's sockets: 32-bit TLM-2.0 sockets that speak the four-phase base protocol for their owner, check it
// always, and show every call on an analysis port. The owner sees requests and responses, not phases:
//
//   initiator                                        target
//   request(p, delay) ---- BEGIN_REQ -------------->  owner.on_request(port, p, delay)
//     returns accepted/withheld/responded                returns accept, withhold or complete
//   owner.on_accepted(port, p, delay) <-- END_REQ ---  accept(p, delay)        (later, if withheld)
//   owner.on_response(port, p, delay) <-- BEGIN_RESP   respond(p, delay)
//     returns true: taken (COMPLETED)
//     returns false: withheld; later end_response() -- END_RESP -> owner.on_response_taken(port, p, delay)
//
// Delays are annotations in femtoseconds from now; on one arrow the effective times never decrease. A withheld END_REQ
// is the only back-pressure. Nobody calls back on the arrow it is being called on: on_request answers by its return
// value, on_response by its return value, everything else comes from an event of the owner's.
#pragma once

#include "gputlm/tlm/initiator_socket.h"
#include "gputlm/tlm/target_socket.h"
