// SPDX-License-Identifier: Apache-2.0
#include "gputlm/hostformats/channel_methods.h"
#include "gputlm/hostformats/method_table.h"

namespace gputlm {
namespace {

std::uint32_t number(SemaphoreOperation operation) {
  return static_cast<std::uint32_t>(operation);
}

MethodClass make_channel_methods() {
  namespace m = channel_method;
  using Op = SemaphoreOperation;
  return {
      kChannelClass,
      "AMPERE_CHANNEL_GPFIFO_A",
      {{"SET_OBJECT", m::set_object, 1, {{"CLASS", set_object::object_class, {}}, {"ENGINE", set_object::engine, {}}}},
       {"NOP", m::nop},
       {"NON_STALL_INTERRUPT", m::non_stall_interrupt},
       {"MEM_OP_A", m::mem_op_a},
       {"MEM_OP_B", m::mem_op_b},
       {"MEM_OP_C",
        m::mem_op_c,
        1,
        {{"MEMBAR_TYPE", mem_op_c::membar_type, {{mem_op_c::system, "sys"}, {mem_op_c::gpu, "gpu"}}}}},
       {"MEM_OP_D",
        m::mem_op_d,
        1,
        {{"OPERATION",
          mem_op_d::operation,
          {{mem_op_d::membar, "membar"}, {mem_op_d::l2_flush_dirty, "l2_flush_dirty"}}}}},
       {"SEM_ADDR_LO", m::sem_addr_lo},
       {"SEM_ADDR_HI", m::sem_addr_hi},
       {"SEM_PAYLOAD_LO", m::sem_payload_lo},
       {"SEM_PAYLOAD_HI", m::sem_payload_hi},
       {"SEM_EXECUTE",
        m::sem_execute,
        1,
        {{"OPERATION",
          sem_execute::operation,
          {{number(Op::acquire), "acquire"},
           {number(Op::release), "release"},
           {number(Op::acquire_geq), "acquire if >="},
           {number(Op::acquire_circ_geq), "acquire if circular >="}}},
         {"ACQUIRE_SWITCH", sem_execute::acquire_switch, {}},
         {"RELEASE_WFI", sem_execute::release_wfi, {}},
         {"PAYLOAD_64", sem_execute::payload_64, {}},
         {"RELEASE_TIMESTAMP", sem_execute::release_timestamp, {}}}},
       {"WFI", m::wfi}}};
}

}  // namespace

const MethodClass& channel_methods() {
  static const MethodClass methods = make_channel_methods();
  return methods;
}

}  // namespace gputlm
