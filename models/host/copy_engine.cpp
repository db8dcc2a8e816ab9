// SPDX-License-Identifier: Apache-2.0
#include "gputlm/host/copy_engine.h"

#include <algorithm>
#include <utility>

#include "gputlm/host/semaphore.h"

namespace gputlm {

CopyEngine::CopyEngine(const sc_core::sc_module_name& name, const CopyEngineSpec& spec, PayloadPool& pool,
                       const GpuAddressSpace& space)
    : Unit(name), dma(pool, space), spec_(spec), wakeup_("wakeup", [this] { run(); }) {}

void CopyEngine::end_of_elaboration() {
  if (memory == nullptr) SC_REPORT_FATAL(name(), "the copy engine needs the memory system's operations");
}

void CopyEngine::copy(std::uint32_t channel, const CopyRequest& request, WorkDone done) {
  Job job;
  job.request = request;
  job.done = std::move(done);
  job.channel = channel;
  job.since = now();
  waiting_.push_back(std::move(job));
  wakeup_.at(now());
}

bool CopyEngine::all_read() const {
  const CopyRequest& r = job_->request;
  return !r.transfer || r.line_length == 0 || job_->line == r.line_count || !job_->fault.empty();
}

void CopyEngine::run() {
  if (!job_) {
    if (waiting_.empty()) return;
    job_ = waiting_.pop_front();
    job_->start = now() + spec_.start_latency;
    ++copies_;
  }
  if (job_->start > now()) {
    wakeup_.at(job_->start);
    return;
  }
  while (!all_read() && job_->in_flight < spec_.chunks_in_flight) copy_chunk();
  if (!all_read() || job_->in_flight > 0) return;
  if (job_->fault.empty())
    flush();
  else
    finish({false, ChannelErrorKind::mmu_fault, job_->fault});
}

// Pitches may be negative, so a line's address is worked out in two's complement.
void CopyEngine::copy_chunk() {
  Job& job = *job_;
  const CopyRequest& r = job.request;
  const auto line_start = [&](std::uint64_t base, std::int32_t pitch) {
    return base + static_cast<std::uint64_t>(std::int64_t{pitch} * job.line);
  };
  const std::uint64_t source = line_start(r.source, r.pitch_in) + job.offset;
  const std::uint64_t destination = line_start(r.destination, r.pitch_out) + job.offset;
  const auto to_boundary = static_cast<std::uint32_t>(spec_.chunk_bytes - source % spec_.chunk_bytes);
  const std::uint32_t bytes = std::min(to_boundary, r.line_length - job.offset);
  job.offset += bytes;
  if (job.offset == r.line_length) {
    job.offset = 0;
    ++job.line;
  }
  ++job.in_flight;
  dma.read(
      source, bytes,
      [this, source, destination](bool ok, const DmaMaster::Data& data) {
        if (ok)
          write_chunk(destination, data);
        else
          chunk_failed("read", source);
      },
      r.source_physical);
}

void CopyEngine::write_chunk(std::uint64_t destination, const DmaMaster::Data& data) {
  bytes_ += data.size();
  dma.write(
      destination, data,
      [this, destination](bool ok) {
        if (ok)
          chunk_done();
        else
          chunk_failed("written", destination);
      },
      job_->request.destination_physical);
}

void CopyEngine::chunk_failed(const char* what, std::uint64_t address) {
  if (job_->fault.empty()) {
    ++faults_;
    job_->fault = "copy: " + hex_text(address) + " cannot be " + what + ": not mapped, or refused";
  }
  chunk_done();
}

void CopyEngine::chunk_done() {
  --job_->in_flight;
  wakeup_.at(now());
}

void CopyEngine::flush() {
  if (!job_->request.flush) return release();
  ++job_->in_flight;
  memory->membar(job_->request.flush_system, [this, generation = generation_](const WorkResult& result) {
    if (generation != generation_) return;
    --job_->in_flight;
    if (result.ok)
      release();
    else
      finish(result);
  });
}

void CopyEngine::release() {
  const CopyRequest& r = job_->request;
  if (r.semaphore_words == 0) return finish({});
  ++job_->in_flight;
  dma.write(r.semaphore, semaphore_bytes(r.payload, r.semaphore_words, now()), [this](bool ok) {
    --job_->in_flight;
    finish({ok, ChannelErrorKind::mmu_fault,
            "semaphore of a copy at " + hex_text(job_->request.semaphore) + " cannot be written"});
  });
}

void CopyEngine::finish(const WorkResult& result) {
  const Job ended = *std::exchange(job_, std::nullopt);
  duration_.add(now() - ended.since);
  if (!waiting_.empty()) wakeup_.at(now());
  if (observer != nullptr) observer->on_copy_ended(ended.request, ended.start, now());
  ended.done(result);
}

void CopyEngine::reset() {
  ++generation_;
  dma.reset();
  job_.reset();
  waiting_.clear();
  wakeup_.cancel();
  copies_ = bytes_ = faults_ = 0;
  duration_.reset();
}

void CopyEngine::report(StatisticsSink& sink) const {
  sink.count("copies", "copy", "copies begun", copies_);
  sink.count("bytes", "byte", "bytes read and handed on to be written", bytes_);
  sink.count("faults", "copy", "copies that met an address which is not mapped, or memory that refused", faults_);
  sink.histogram("duration", "copy taken to its end, its turn waited for included", duration_);
}

void CopyEngine::list_waits(WaitList& waits) const {
  if (job_)
    waits.add(*this,
              "copy of channel " + std::to_string(job_->channel) + ": line " + std::to_string(job_->line) + " of " +
                  std::to_string(job_->request.line_count) + ", " + std::to_string(job_->in_flight) +
                  " chunks or operations under way",
              job_->since);
  for (std::size_t i = 0; i < waiting_.size(); ++i)
    waits.add(*this, "copy of channel " + std::to_string(waiting_[i].channel) + " waits for its turn",
              waiting_[i].since);
  dma.list_waits(*this, waits);
}

}  // namespace gputlm
