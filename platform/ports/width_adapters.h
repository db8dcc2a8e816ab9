// SPDX-License-Identifier: Apache-2.0
//
// The width adapters of one module: one for each of its sockets at most, made when it is asked for.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "gputlm/ports/width_adapter.h"
#include "gputlm/tlm/hierarchy_scope.h"

namespace gputlm {

/// SC_REPORT_ERROR, and std::logic_error where the report's handler goes on: what was asked for would bind a socket
/// twice.
[[noreturn]] void refuse_second_binding(const std::string& who, const std::string& text);

class WidthAdapters {
 public:
  explicit WidthAdapters(sc_core::sc_module& owner) : owner_(owner) {}

  /// A socket of BUSWIDTH bits in front of the owner's, called NAME_of_BUSWIDTH; the same on every call. During
  /// elaboration. Refuses a socket that is bound to something else or has an adapter of another width.
  template <unsigned BUSWIDTH>
  tlm::tlm_target_socket<BUSWIDTH>& of(tlm::tlm_target_socket<32>& socket, const std::string& name) {
    using Adapter = WidthAdapter<BUSWIDTH, 32>;
    return get<Adapter>(socket, name, BUSWIDTH, [&socket](Adapter& a) { a.out.bind(socket); }).in;
  }
  /// The same behind one of the owner's initiator sockets.
  template <unsigned BUSWIDTH>
  tlm::tlm_initiator_socket<BUSWIDTH>& of(tlm::tlm_initiator_socket<32>& socket, const std::string& name) {
    using Adapter = WidthAdapter<32, BUSWIDTH>;
    return get<Adapter>(socket, name, BUSWIDTH, [&socket](Adapter& a) { socket.bind(a.in); }).out;
  }

 private:
  struct Made {
    std::unique_ptr<sc_core::sc_module> adapter;
    unsigned width = 0;
  };

  template <class Adapter, class Socket, class Bind>
  Adapter& get(Socket& socket, const std::string& name, unsigned width, Bind bind) {
    Made& made = made_[&socket];
    if (!made.adapter) {
      if (socket.get_base_port().bind_count() > 0)
        refuse_second_binding(socket.name(), "a socket of " + std::to_string(width) +
                                                 " bits is asked for, but the one of 32 bits is bound");
      const HierarchyScope scope(owner_);
      auto adapter = std::make_unique<Adapter>((name + "_of_" + std::to_string(width)).c_str());
      bind(*adapter);
      made = {std::move(adapter), width};
    } else if (made.width != width) {
      refuse_second_binding(socket.name(), "a socket of " + std::to_string(width) + " bits is asked for, but one of " +
                                               std::to_string(made.width) + " bits stands there");
    }
    return static_cast<Adapter&>(*made.adapter);
  }

  sc_core::sc_module& owner_;
  std::map<const sc_core::sc_object*, Made> made_;  ///< By the owner's socket.
};

}  // namespace gputlm
