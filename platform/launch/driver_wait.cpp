// SPDX-License-Identifier: Apache-2.0
//
// HostDriver: what the host hears of the device.
#include <algorithm>
#include <cstring>

#include "gputlm/launch/host_driver.h"

namespace gputlm {

std::uint32_t HostDriver::semaphore_value(const Stream& s) const {
  std::uint32_t value = 0;
  host_read(s.semaphore, 0, &value, sizeof value);
  return value;
}

// Values only grow, and wrap: the difference tells.
bool HostDriver::reached(const Ticket& ticket) const {
  return static_cast<std::int32_t>(semaphore_value(streams_[ticket.stream]) - ticket.value) >= 0;
}

void HostDriver::throw_if_failed(const Stream& s) const {
  if (s.failed) throw DriverError(s.error);
}

void HostDriver::synchronize(const Ticket& ticket) {
  const Stream& s = streams_[ticket.stream];
  clock_.run_until([&] { return s.failed || reached(ticket); });
  throw_if_failed(s);
}

void HostDriver::synchronize() {
  await_all();
  for (const Stream& s : streams_) throw_if_failed(s);
}

// Until each stream has come to its end, good or bad.
void HostDriver::await_all() {
  clock_.run_until([this] {
    return std::all_of(streams_.begin(), streams_.end(), [this](const Stream& s) {
      return s.failed || reached({static_cast<StreamId>(&s - streams_.data()), s.last});
    });
  });
}

HostDriver::CommandTimes* HostDriver::find_times(std::uint64_t semaphore, std::uint32_t value) {
  for (StreamId i = 0; i < streams_.size(); ++i)
    if (streams_[i].semaphore.address == semaphore)
      if (const auto found = times_.find({i, value}); found != times_.end()) return &found->second;
  return nullptr;
}

// The CPU polls its caches: it sees a semaphore in the moment in which it is in memory.
void HostDriver::on_device_write(std::uint64_t line, ByteMask) {
  if (line == line_of(interrupt_word_.physical)) ++interrupts_;
  for (const Stream& s : streams_) {
    if (line != line_of(s.semaphore.physical)) continue;
    if (CommandTimes* t = find_times(s.semaphore.address, semaphore_value(s))) t->seen = now();
    sc_core::sc_pause();
  }
}

void HostDriver::on_channel_error(const ChannelError& error) {
  errors_.push_back(error);
  if (error.channel < streams_.size()) {
    Stream& s = streams_[error.channel];
    s.failed = true;
    s.error = error.text();
  }
  sc_core::sc_pause();
}

void HostDriver::on_launch_ended(const LaunchTimes& times, const LaunchShape& shape) {
  if (CommandTimes* t = find_times(shape.semaphore, shape.payload)) t->launch = times;
  if (on_kernel_end) on_kernel_end(times);
}

void HostDriver::on_copy_ended(const CopyRequest& request, Fs start, Fs end) {
  if (CommandTimes* t = find_times(request.semaphore, request.payload)) {
    t->copy_start = start;
    t->copy_end = end;
  }
}

}  // namespace gputlm
