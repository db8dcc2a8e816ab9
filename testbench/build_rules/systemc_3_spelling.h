// SPDX-License-Identifier: Apache-2.0
//
// SystemC 2.3.4 as far as a module's source sees 3.0 (IEEE 1666-2023): no SC_HAS_PROCESS, processes that find their
// module's type by themselves, a class for hierarchy scopes, 3.0's version macro. Forced in front of a source, it shows
// that nothing there needs what 3.0 deprecates. It is not SystemC 3.0.
#pragma once

#include <systemc>
#include <tlm>

#undef IEEE_1666_SYSTEMC
#define IEEE_1666_SYSTEMC 202301L
#undef SC_HAS_PROCESS
#undef SC_METHOD
#undef SC_THREAD
#define SPELLING_ENTRY(function) static_cast<sc_core::SC_ENTRY_FUNC>(&std::decay_t<decltype(*this)>::function)
#define SC_METHOD(function)                                                                     \
  this->sensitive << sc_core::sc_get_curr_simcontext()->create_method_process(#function, false, \
                                                                              SPELLING_ENTRY(function), this, nullptr)
#define SC_THREAD(function)                                                                     \
  this->sensitive << sc_core::sc_get_curr_simcontext()->create_thread_process(#function, false, \
                                                                              SPELLING_ENTRY(function), this, nullptr)
namespace sc_core {
struct sc_hierarchy_scope {
  explicit sc_hierarchy_scope(const char*) {}
};
}  // namespace sc_core
#define get_hierarchy_scope name
