// SPDX-License-Identifier: Apache-2.0
#include "gputlm/replay/replay_trace.h"

#include <utility>

#include <fmt/format.h>

#include "gputlm/config/quantity.h"
#include "gputlm/replay/trace_words.h"

namespace gputlm {
namespace {

/// How many instructions are read before somebody is asked whether to go on.
constexpr std::uint64_t kBetweenQuestions = 1 << 14;

class Survey final : public TracegSink {
 public:
  Survey(ReplayTrace& trace, Damage& damage, std::uint64_t most_pages, const KeepSurveying& keep_going)
      : trace_(trace), damage_(damage), most_pages_(most_pages), keep_going_(keep_going) {}

  void read(const std::string& file) {
    progress_.file = file;
    TracegReader reader(open_trace_lines(file), opcodes_, damage_);
    reader_ = &reader;
    kernel_ = {file, reader.header(), 0, 0, false};
    ask();
    while (reader.read_block(*this)) {
    }
    before_ += reader.lines().bytes_read();
    kernel_.blocks = reader.blocks();
    if (kernel_.blocks != 0) trace_.kernels.push_back(std::move(kernel_));
  }

  void on_warp(unsigned) override {}
  void on_instruction(const TracegInstruction& i) override {
    if (++kernel_.instructions % kBetweenQuestions == 0) ask();
    kernel_.async_copies |= i.opcode->kind == TracegOpcode::Kind::async_copy;
    const bool writes = i.opcode->access.operation != Operation::load;
    for_each_lane_of(global_lanes(i, reader_->header()), [&](unsigned lane) {
      const std::uint64_t page = i.address[lane] / trace_.page_bytes;
      if (page != last_page_ || last_ == nullptr) last_ = &use_of(page);
      last_page_ = page;
      last_->stored |= writes;
    });
  }

 private:
  PageUse& use_of(std::uint64_t page) {
    PageUse& use = trace_.pages[page];
    if (trace_.pages.size() > most_pages_) {
      Diagnostics d;
      d.add(reader_->lines().place(), {}, "the trace touches more memory than the card has", {},
            fmt::format("{} pages of {}", most_pages_, format_bytes(trace_.page_bytes)));
      d.throw_if_any();
    }
    return use;
  }

  void ask() {
    progress_.bytes = before_ + reader_->lines().bytes_read();
    if (keep_going_ && !keep_going_(progress_)) throw SurveyStopped();
  }

  ReplayTrace& trace_;
  Damage& damage_;
  const std::uint64_t most_pages_;
  const KeepSurveying& keep_going_;
  TracegOpcodes opcodes_;
  TracegReader* reader_ = nullptr;
  ReplayedKernel kernel_;
  SurveyProgress progress_;
  std::uint64_t before_ = 0, last_page_ = 0;
  PageUse* last_ = nullptr;
};

/// The first line that says something decides: a kernel's header begins with a dash.
bool is_kernel(const std::string& file) {
  TraceLines lines(file, open_trace(file));
  std::string_view line;
  while (lines.next(line))
    if (line = trimmed(line); !line.empty()) return line[0] == '-';
  return false;
}

KernelList files_of(const std::string& file, Damage& damage) {
  if (is_kernel(file)) return {{}, {{file, {file, 0, 0}}}};
  TraceLines lines(file, open_trace(file));
  return read_kernel_list(lines, damage);
}

/// Copies fill the pages that kernels touch; no other page is ever asked for.
void mark_copied(ReplayTrace& trace) {
  for (const ReplayCopy& copy : trace.copies) {
    if (copy.bytes == 0) continue;
    const std::uint64_t last = (copy.address + copy.bytes - 1) / trace.page_bytes;
    for (auto p = trace.pages.lower_bound(copy.address / trace.page_bytes); p != trace.pages.end() && p->first <= last;
         ++p)
      p->second.copied = true;
  }
}

void read_kernels(const std::vector<ReplayFile>& files, Survey& survey, Damage& damage) {
  for (const ReplayFile& f : files) {
    try {
      survey.read(f.path);
    } catch (const ConfigError& e) {
      damage.note(e);  // lenient: without this kernel
    }
    damage.throw_if_strict();
  }
}

}  // namespace

std::unique_ptr<TraceLines> open_trace_lines(const std::string& file) {
  return std::make_unique<TraceLines>(file, open_trace(file));
}

ReplayTrace survey_trace(const std::string& file, bool lenient, const ReplayMemory& memory,
                         const KeepSurveying& keep_going) {
  ReplayTrace trace;
  trace.page_bytes = memory.page_bytes;
  trace.lenient = lenient;
  Damage damage(lenient);
  KernelList list = files_of(file, damage);
  trace.copies = std::move(list.copies);
  Survey survey(trace, damage, memory.bytes / memory.page_bytes, keep_going);
  read_kernels(list.kernels, survey, damage);
  mark_copied(trace);
  trace.skipped = damage.count();
  trace.damage = damage.first();
  if (trace.kernels.empty()) {
    Diagnostics d = damage.first();
    d.add({file}, {}, "no thread block could be read");
    d.throw_if_any();
  }
  return trace;
}

}  // namespace gputlm
