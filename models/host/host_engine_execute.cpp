// SPDX-License-Identifier: Apache-2.0
#include "gputlm/host/host_engine.h"
#include "gputlm/host/little_endian.h"
#include "gputlm/host/semaphore.h"
#include "gputlm/hostformats/channel_methods.h"
#include "gputlm/hostformats/compute_methods.h"
#include "gputlm/hostformats/copy_methods.h"
#include "gputlm/hostformats/format_error.h"

namespace gputlm {
namespace {

using Registers = std::map<unsigned, std::uint32_t>;

std::uint32_t value_of(const Registers& registers, unsigned method) {
  const auto found = registers.find(method);
  return found == registers.end() ? 0 : found->second;
}

std::uint64_t address_of(const Registers& registers, unsigned upper, unsigned lower) {
  return std::uint64_t{value_of(registers, upper)} << 32 | value_of(registers, lower);
}

// Methods that do more than set a register.
bool acts(const MethodClass& executor, unsigned method) {
  namespace m = channel_method;
  if (executor.number == kComputeClass) return method == compute_method::last_inline_qmd_data;
  if (executor.number == kCopyClass) return method == copy_method::launch_dma;
  return method == m::sem_execute || method == m::mem_op_d || method == m::wfi || method == m::non_stall_interrupt;
}

bool holds(SemaphoreOperation operation, std::uint64_t memory, std::uint64_t payload, bool wide) {
  if (operation == SemaphoreOperation::acquire) return memory == payload;
  if (operation == SemaphoreOperation::acquire_geq) return memory >= payload;
  const std::uint64_t distance = memory - payload;
  return wide ? static_cast<std::int64_t>(distance) >= 0
              : static_cast<std::int32_t>(static_cast<std::uint32_t>(distance)) >= 0;
}

}  // namespace

// A channel's turn has come: after a wait, or when the time of the words decoded so far has passed.
void HostEngine::go_on(Channel& c) {
  if (c.state == ChannelState::failed) return;
  if (c.state == ChannelState::idle) {
    if (c.rung) read_put(c);
    return;
  }
  enter(c, ChannelState::executing);
  if (c.call) {
    const MethodCall call = *c.call;
    c.call.reset();
    perform(c, call);
  } else if (c.next_word < c.words.size()) {
    execute(c);
  } else {
    fetch(c);
  }
}

// Decodes up to a method that acts, or to the end of the words, and lets the time for that pass.
void HostEngine::execute(Channel& c) {
  Fs elapsed = 0;
  while (c.next_word < c.words.size() && !c.call) {
    elapsed += spec_.method_time;
    const auto call = c.reader.take(c.words[c.next_word++]);
    if (c.reader.ended()) {
      c.reader.reset();
      c.words.clear();
      c.span.words = 0;
    }
    if (call && take_call(c, *call)) c.call = call;
  }
  resume_at(now() + elapsed, c);
}

// Sets the method's register; true when it also acts. Throws FormatError.
bool HostEngine::take_call(Channel& c, const MethodCall& call) {
  ++counters_.methods;
  const auto [executor, info] = resolve_method(call.subchannel, call.method, c.bound[call.subchannel]);
  if (const std::uint32_t rest = info->unknown_bits(call.data); rest != 0)
    throw FormatError(info->name + ": bits that are not modelled", hex_word(rest), "0 there");
  if (executor->number == kChannelClass) {
    if (call.method == channel_method::set_object) c.bound[call.subchannel] = &class_to_bind(call.data);
    c.own[call.method] = call.data;
  } else if (call.method >= compute_method::load_inline_qmd_data && executor->number == kComputeClass) {
    c.qmd[(call.method - compute_method::load_inline_qmd_data) / 4] = call.data;
  } else {
    c.registers[call.subchannel][call.method] = call.data;
  }
  return acts(*executor, call.method);
}

void HostEngine::perform(Channel& c, const MethodCall& call) {
  if (call.method < kFirstClassMethod)
    perform_own(c, call);
  else if (c.bound[call.subchannel]->number == kComputeClass)
    launch(c);
  else
    copy(c, call);
}

void HostEngine::perform_own(Channel& c, const MethodCall& call) {
  switch (call.method) {
    case channel_method::sem_execute:
      return semaphore(c, call);
    case channel_method::mem_op_d:
      return memory_operation(c, call.data);
    case channel_method::non_stall_interrupt:
      interrupt(c.setup.number);
      return resume_at(now(), c);
    default:  // WFI
      if (!wait_for_work(c, call)) resume_at(now(), c);
  }
}

// True when the call has to wait until the channel's launches and copies have ended.
bool HostEngine::wait_for_work(Channel& c, const MethodCall& call) {
  if (c.work == 0) return false;
  enter(c, ChannelState::waiting);
  c.after_work = call;
  return true;
}

void HostEngine::semaphore(Channel& c, const MethodCall& call) {
  namespace m = channel_method;
  const std::uint32_t operation = sem_execute::operation.get(call.data);
  if (operation > static_cast<std::uint32_t>(SemaphoreOperation::acquire_circ_geq))
    throw FormatError("SEM_EXECUTE: OPERATION", std::to_string(operation),
                      "0 acquire, 1 release, 2 acquire if >=, 3 acquire if circular >=");
  const bool wide = sem_execute::payload_64.get(call.data) != 0;
  const bool stamped = sem_execute::release_timestamp.get(call.data) != 0;
  const std::uint64_t address = address_of(c.own, m::sem_addr_hi, m::sem_addr_lo);
  const unsigned alignment = stamped ? kSemaphoreBytes : wide ? 8 : 4;
  if (address % alignment != 0)
    throw FormatError("SEM_ADDR", hex_word(address), "a multiple of " + std::to_string(alignment));
  const std::uint64_t low = value_of(c.own, m::sem_payload_lo), high = value_of(c.own, m::sem_payload_hi);
  const std::uint64_t payload = wide ? high << 32 | low : low;
  if (static_cast<SemaphoreOperation>(operation) != SemaphoreOperation::release)
    acquire(c, call, address, payload);
  else if (sem_execute::release_wfi.get(call.data) == 0 || !wait_for_work(c, call))
    release(c, address, payload, call.data);
}

void HostEngine::release(Channel& c, std::uint64_t address, std::uint64_t payload, std::uint32_t execute) {
  ++counters_.releases;
  const bool stamped = sem_execute::release_timestamp.get(execute) != 0;
  const unsigned words = stamped ? 4 : sem_execute::payload_64.get(execute) != 0 ? 2 : 1;
  enter(c, ChannelState::waiting);
  dma.write(address, semaphore_bytes(payload, words, now()), [this, &c, address](bool ok) {
    if (!ok) return fail(c, ChannelErrorKind::mmu_fault, "semaphore at " + hex_word(address) + " cannot be written");
    resume_at(now(), c);
  });
}

void HostEngine::acquire(Channel& c, const MethodCall& call, std::uint64_t address, std::uint64_t payload) {
  if (c.acquire_since == kNever) {
    c.acquire_since = now();
    ++counters_.acquires;
  }
  ++counters_.acquire_looks;
  enter(c, ChannelState::waiting);
  const bool wide = sem_execute::payload_64.get(call.data) != 0;
  dma.read(address, wide ? 8 : 4, [this, &c, call, address, payload, wide](bool ok, const DmaMaster::Data& data) {
    if (c.state == ChannelState::failed) return;
    if (!ok) return fail(c, ChannelErrorKind::mmu_fault, "semaphore at " + hex_word(address) + " cannot be read");
    const auto operation = static_cast<SemaphoreOperation>(sem_execute::operation.get(call.data));
    const std::uint64_t memory = wide ? load_word<std::uint64_t>(data.data()) : load_word(data.data());
    look(c, call, holds(operation, memory, payload, wide));
  });
}

void HostEngine::look(Channel& c, const MethodCall& call, bool holds) {
  if (!holds && now() - c.acquire_since >= spec_.acquire_timeout)
    return fail(c, ChannelErrorKind::acquire_timeout,
                "semaphore waited for in vain since " + ns_text(c.acquire_since) + ", " +
                    ns_text(spec_.acquire_timeout) + " allowed");
  if (holds) {
    c.acquire_since = kNever;
    return resume_at(now(), c);
  }
  c.call = call;
  enter(c, ChannelState::acquiring);
  resume_at(now() + spec_.acquire_poll, c);
}

void HostEngine::memory_operation(Channel& c, std::uint32_t data) {
  const std::uint32_t operation = mem_op_d::operation.get(data);
  if (operation != mem_op_d::membar && operation != mem_op_d::l2_flush_dirty)
    throw FormatError("MEM_OP_D: OPERATION", hex_word(operation), "0x5 membar, 0x10 L2 flush dirty");
  const std::uint32_t type = mem_op_c::membar_type.get(value_of(c.own, channel_method::mem_op_c));
  if (operation == mem_op_d::membar && type != mem_op_c::system && type != mem_op_c::gpu)
    throw FormatError("MEM_OP_C: MEMBAR_TYPE", std::to_string(type), "0 sys, 1 gpu");
  ++counters_.memory_operations;
  enter(c, ChannelState::waiting);
  if (operation == mem_op_d::membar)
    memory->membar(type == mem_op_c::system, end_of_wait(c));
  else
    memory->flush_l2(end_of_wait(c));
}

void HostEngine::launch(Channel& c) {
  ++counters_.launches;
  const Qmd qmd(c.qmd);
  try {
    qmd.check_version();
  } catch (const FormatError& e) {
    return fail(c, ChannelErrorKind::graphics_exception, e.what());
  }
  ++c.work;
  compute->launch(c.setup.number, qmd, end_of_work(c));
  resume_at(now(), c);
}

void HostEngine::copy(Channel& c, const MethodCall& call) {
  namespace m = copy_method;
  namespace dma = launch_dma;
  ++counters_.copies;
  const Registers& r = c.registers[call.subchannel];
  const std::uint32_t how = call.data, type = dma::data_transfer_type.get(how);
  if (type > dma::transfer_non_pipelined)
    throw FormatError("LAUNCH_DMA: DATA_TRANSFER_TYPE", std::to_string(type), "0 none, 1 pipelined, 2 non-pipelined");
  if (dma::semaphore_type.get(how) > dma::semaphore_four_words)
    throw FormatError("LAUNCH_DMA: SEMAPHORE_TYPE", std::to_string(dma::semaphore_type.get(how)),
                      "0 none, 1 one word, 2 four words");
  CopyRequest request;
  request.transfer = type != dma::transfer_none;
  if (request.transfer && (dma::src_pitch.get(how) == 0 || dma::dst_pitch.get(how) == 0))
    throw FormatError("LAUNCH_DMA: SRC_MEMORY_LAYOUT, DST_MEMORY_LAYOUT", "0 blocklinear", "1 pitch, both");
  request.source = address_of(r, m::offset_in_upper, m::offset_in_lower);
  request.destination = address_of(r, m::offset_out_upper, m::offset_out_lower);
  request.source_physical = dma::src_physical.get(how) != 0;
  request.destination_physical = dma::dst_physical.get(how) != 0;
  request.line_length = value_of(r, m::line_length_in);
  request.line_count = dma::multi_line_enable.get(how) != 0 ? value_of(r, m::line_count) : 1;
  request.pitch_in = static_cast<std::int32_t>(value_of(r, m::pitch_in));
  request.pitch_out = static_cast<std::int32_t>(value_of(r, m::pitch_out));
  request.flush = dma::flush_enable.get(how) != 0;
  request.flush_system = dma::flush_type.get(how) == dma::flush_system;
  constexpr unsigned kWords[] = {0, 1, 4};
  request.semaphore_words = kWords[dma::semaphore_type.get(how)];
  request.semaphore = address_of(r, m::set_semaphore_a, m::set_semaphore_b);
  request.payload = value_of(r, m::set_semaphore_payload);
  request.interrupt = dma::interrupt_type.get(how) != dma::interrupt_none;
  ++c.work;
  copies->copy(c.setup.number, request, end_of_work(c, request.interrupt));
  resume_at(now(), c);
}

// A launch or copy has ended: the channel may be waiting for that.
WorkDone HostEngine::end_of_work(Channel& c, bool interrupts) {
  return [this, &c, interrupts, entry = c.entry, generation = generation_](const WorkResult& result) {
    if (generation != generation_) return;
    --c.work;
    if (!result.ok) return fail(c, result.kind, result.reason, entry);
    if (interrupts) interrupt(c.setup.number);
    if (c.work > 0 || !c.after_work || c.state == ChannelState::failed) return;
    c.call = c.after_work;
    c.after_work.reset();
    resume_at(now(), c);
  };
}

// The channel stands still until this is called.
WorkDone HostEngine::end_of_wait(Channel& c) {
  return [this, &c, generation = generation_](const WorkResult& result) {
    if (generation != generation_) return;
    if (!result.ok) return fail(c, result.kind, result.reason);
    resume_at(now(), c);
  };
}

}  // namespace gputlm
