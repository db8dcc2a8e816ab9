// SPDX-License-Identifier: Apache-2.0
#include "gputlm/launch/cpu_port.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

namespace gputlm {

CpuPort::CpuPort(const sc_core::sc_module_name& name, PayloadPool& pool)
    : Unit(name), out("out", *this), pool_(pool), wakeup_("send", [this] { send(); }) {}

void CpuPort::write(std::uint64_t address, const void* data, std::size_t bytes) {
  for (std::size_t done = 0; done < bytes;) {
    const std::uint64_t at = address + done;
    const auto first = static_cast<unsigned>(at & kLineOffsetMask);
    const auto n = static_cast<unsigned>(std::min<std::size_t>(bytes - done, kLineBytes - first));
    PayloadRef p = pool_.line(tlm::TLM_WRITE_COMMAND, line_of(at), Operation::store);
    std::memcpy(p->get_data_ptr() + first, static_cast<const unsigned char*>(data) + done, n);
    set_enables(*p, ByteMask::range(first, n));
    waiting_.push_back(std::move(p));
    ++writes_;
    done += n;
  }
  wakeup_.at(now());
}

void CpuPort::read(std::uint64_t address, std::size_t bytes, ReadDone done) {
  const std::uint64_t cookie = next_read_++, end = address + bytes;
  Read& r = reads_[cookie] = {address, std::vector<unsigned char>(bytes), 0, true, std::move(done)};
  for (std::uint64_t line = line_of(address); line < end; line += kLineBytes) {
    PayloadRef p = pool_.line(tlm::TLM_READ_COMMAND, line, Operation::load);
    find_sideband(*p)->cookie = cookie;
    waiting_.push_back(std::move(p));
    ++r.lines_left;
    ++loads_;
  }
  wakeup_.at(now());
}

void CpuPort::send() {
  while (!waiting_.empty() && !out.busy()) {
    const PayloadRef p = waiting_.pop_front();
    under_way_.emplace(p.get(), p);
    Fs delay = 0;
    if (out.request(*p, delay) == Sent::responded) answered(*p);
  }
}

void CpuPort::on_accepted(std::size_t, Payload&, Fs delay) {
  wakeup_.at(now() + delay);
}

bool CpuPort::on_response(std::size_t, Payload& p, Fs) {
  answered(p);
  wakeup_.at(now());
  return true;
}

void CpuPort::answered(const Payload& p) {
  const PayloadRef kept = std::move(under_way_.at(&p));
  under_way_.erase(&p);
  const auto read = reads_.find(find_sideband(p)->cookie);
  if (read == reads_.end()) return;
  Read& r = read->second;
  r.ok = r.ok && p.is_response_ok();
  const std::uint64_t first = std::max<std::uint64_t>(p.get_address(), r.address);
  const std::uint64_t end = std::min<std::uint64_t>(p.get_address() + kLineBytes, r.address + r.data.size());
  std::memcpy(r.data.data() + (first - r.address), p.get_data_ptr() + (first - p.get_address()), end - first);
  if (--r.lines_left > 0) return;
  const Read ended = std::move(r);
  reads_.erase(read);
  ended.done(ended.ok, ended.data);
}

void CpuPort::reset() {
  waiting_.clear();
  under_way_.clear();
  reads_.clear();
  wakeup_.cancel();
  out.reset();
  writes_ = loads_ = 0;
}

void CpuPort::report(StatisticsSink& sink) const {
  sink.count("writes", "line", "stores of the CPU to the card's apertures", writes_);
  sink.count("reads", "line", "loads of the CPU from the card's apertures", loads_);
}

void CpuPort::list_waits(WaitList& waits) const {
  if (!waiting_.empty())
    waits.add(*this, std::to_string(waiting_.size()) + " accesses of the CPU wait for END_REQ from the link");
  for (const auto& [payload, ref] : under_way_) waits.add(*this, *ref, " of the CPU is not answered", kNever);
}

}  // namespace gputlm
