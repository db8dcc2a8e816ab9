// SPDX-License-Identifier: Apache-2.0
#include "gputlm/replay/replay_trace.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "gputlm/config/quantity.h"
#include "gputlm/replay/text_trace.h"
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
    lines_ = &reader.lines();
    kernel_ = {};
    kernel_.file = file;
    kernel_.header = reader.header();
    ask();
    while (reader.read_block(*this)) {
    }
    before_ += reader.lines().bytes_read();
    kernel_.blocks = reader.blocks();
    if (kernel_.blocks != 0) trace_.kernels.push_back(std::move(kernel_));
  }

  /// A text of accesses: its kernels one after the other, in the order in which they are met.
  void read_text(const std::string& file) {
    progress_.file = file;
    TextTraceReader reader(open_trace_lines(file), opcodes_, damage_);
    lines_ = &reader.lines();
    std::vector<TextKernel> kernels;
    for (TextAccess a; reader.next(a);) {
      TextKernel& k = text_kernel(kernels, a, file);
      if (++k.kernel.instructions % kBetweenQuestions == 0) ask();
      k.blocks.insert(a.block);
      k.warps = std::max(k.warps, a.warp + 1);
      note_use(a.instruction, k.kernel);
    }
    for (TextKernel& k : kernels) {
      k.kernel.blocks = k.blocks.size();
      k.kernel.header.grid.x = static_cast<std::uint32_t>(k.blocks.size());
      k.kernel.header.block.x = k.warps * kWarpLanes;
      trace_.kernels.push_back(std::move(k.kernel));
    }
  }

  void on_warp(unsigned) override {}
  void on_instruction(const TracegInstruction& i) override {
    if (++kernel_.instructions % kBetweenQuestions == 0) ask();
    note_use(i, kernel_);
  }

 private:
  struct TextKernel {
    ReplayedKernel kernel;
    std::set<std::array<std::uint32_t, 3>> blocks;
    unsigned warps = 1;
  };

  static TextKernel& text_kernel(std::vector<TextKernel>& kernels, const TextAccess& a, const std::string& file) {
    // The last one, as long as a kernel's lines stand together.
    const auto found = std::find_if(kernels.rbegin(), kernels.rend(),
                                    [&](const TextKernel& k) { return k.kernel.launch == a.launch; });
    if (found != kernels.rend()) return *found;
    TextKernel k;
    k.kernel.file = file;
    k.kernel.form = ReplayedKernel::Form::text;
    k.kernel.launch = a.launch;
    k.kernel.header.id = a.launch;
    k.kernel.header.kernel = "launch " + std::to_string(a.launch);
    kernels.push_back(std::move(k));
    return kernels.back();
  }

  void note_use(const TracegInstruction& i, ReplayedKernel& kernel) {
    kernel.async_copies |= i.opcode->kind == TracegOpcode::Kind::async_copy;
    const bool writes = i.opcode->access.operation != Operation::load;
    for_each_lane_of(global_lanes(i, kernel.header), [&](unsigned lane) {
      const std::uint64_t page = i.address[lane] / trace_.page_bytes;
      if (page != last_page_ || last_ == nullptr) last_ = &use_of(page);
      last_page_ = page;
      last_->stored |= writes;
    });
  }

  PageUse& use_of(std::uint64_t page) {
    PageUse& use = trace_.pages[page];
    if (trace_.pages.size() > most_pages_) {
      Diagnostics d;
      d.add(lines_->place(), {}, "the trace touches more memory than the card has", {},
            fmt::format("{} pages of {}", most_pages_, format_bytes(trace_.page_bytes)));
      d.throw_if_any();
    }
    return use;
  }

  void ask() {
    progress_.bytes = before_ + lines_->bytes_read();
    if (keep_going_ && !keep_going_(progress_)) throw SurveyStopped();
  }

  ReplayTrace& trace_;
  Damage& damage_;
  const std::uint64_t most_pages_;
  const KeepSurveying& keep_going_;
  TracegOpcodes opcodes_;
  const TraceLines* lines_ = nullptr;
  ReplayedKernel kernel_;
  SurveyProgress progress_;
  std::uint64_t before_ = 0, last_page_ = 0;
  PageUse* last_ = nullptr;
};

enum class FileForm : std::uint8_t { kernel, list, text };

/// The first line that says something decides.
FileForm form_of(const std::string& file) {
  TraceLines lines(file, open_trace(file));
  std::string_view line;
  while (lines.next(line)) {
    line = trimmed(line);
    if (line.empty() || line[0] == '#') continue;
    if (line[0] == '-') return FileForm::kernel;
    const bool text = begins(line, "MEMTRACE:") || (line[0] >= '0' && line[0] <= '9');
    return text ? FileForm::text : FileForm::list;
  }
  return FileForm::list;
}

/// The kernels' files; of a text, which is read by itself, none.
KernelList files_of(const std::string& file, FileForm form, Damage& damage) {
  if (form == FileForm::kernel) return {{}, {{file, {file, 0, 0}}}};
  if (form == FileForm::text) return {};
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
    } catch (const TraceDamaged&) {
      throw;
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
  const FileForm form = form_of(file);
  KernelList list = files_of(file, form, damage);
  trace.copies = std::move(list.copies);
  Survey survey(trace, damage, memory.bytes / memory.page_bytes, keep_going);
  if (form == FileForm::text) survey.read_text(file);
  damage.throw_if_strict();
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
