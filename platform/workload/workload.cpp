// SPDX-License-Identifier: Apache-2.0
#include "gputlm/workload/workload.h"

#include <algorithm>

#include "gputlm/config/quantity.h"
#include "gputlm/config/regular_file.h"
#include "gputlm/workload/partial_source.h"
#include "gputlm/workload/pattern_data.h"

namespace gputlm {

namespace {

// Data of the image and of the kernels come from the same function; these keep their seeds apart.
constexpr std::uint64_t kImageSalt = 0x696d616765ULL;
constexpr std::uint64_t kKernelSalt = 0x6b65726e656cULL;

/// An image file is held in memory.
constexpr std::uint64_t kLargestImage = std::uint64_t{1} << 30;

std::uint64_t derived_seed(std::uint64_t experiment, std::uint64_t own, std::uint64_t salt) {
  return mix64(own, mix64(experiment, salt));
}

/// Sends a pattern's complaints to the diagnostics, at the kernel's keys.
class KernelProblems final : public PatternProblems {
 public:
  KernelProblems(const KernelSpec& kernel, Diagnostics& diagnostics) : kernel_(kernel), diagnostics_(diagnostics) {}
  void add(const char* key, std::string message, std::string found, std::string allowed) override {
    diagnostics_.add(kernel_.place_of(key), kernel_.path + "." + key, std::move(message), std::move(found),
                     std::move(allowed));
  }

 private:
  const KernelSpec& kernel_;
  Diagnostics& diagnostics_;
};

/// Path of an image file: as it is, or relative to the experiment's folder.
std::string image_path(const Experiment& experiment, const std::string& file) {
  const std::size_t slash = experiment.file.rfind('/');
  if (file.empty() || file[0] == '/' || slash == std::string::npos) return file;
  return experiment.file.substr(0, slash + 1) + file;
}

ByteSourcePtr file_source(const Experiment& experiment, const ImageSpec& spec, const Buffer& buffer,
                          Diagnostics& diagnostics) {
  const std::string path = image_path(experiment, spec.file);
  const std::uint64_t limit = std::min(buffer.size, kLargestImage);
  std::string data, problem;
  if (!read_regular_file(path, limit, data, problem)) {
    const bool too_large = problem == kFileTooLarge;
    diagnostics.add(spec.place, spec.path + ".file", problem, path,
                    too_large ? format_bytes(limit) + " or less" : std::string());
  }
  return std::make_shared<DataSource>(buffer.virtual_address, std::vector<unsigned char>(data.begin(), data.end()));
}

ByteSourcePtr image_source(const Experiment& experiment, const ImageSpec& spec, const Buffer& buffer,
                           Diagnostics& diagnostics) {
  const std::uint64_t seed = derived_seed(experiment.seed, spec.seed, kImageSalt);
  switch (spec.kind) {
    case ImageSpec::Kind::zeros:
      return std::make_shared<ZeroSource>();
    case ImageSpec::Kind::pattern:
      return std::make_shared<PatternSource>(seed);
    case ImageSpec::Kind::floats:
      return std::make_shared<FloatSource>(seed);
    case ImageSpec::Kind::file:
      return file_source(experiment, spec, buffer, diagnostics);
  }
  return nullptr;
}

void check_shape(const KernelSpec& kernel, const PlatformFacts& facts, Diagnostics& diagnostics) {
  const KernelShape& shape = kernel.shape;
  for (const SmRange& range : kernel.sms)
    if (const auto problem = range.problem_on(facts.sms); !problem.message.empty())
      diagnostics.add(kernel.place_of("sms"), kernel.path + ".sms", problem.message, range.text(), problem.allowed);
  if (shape.warps_per_cta() > facts.warps_per_sm)
    diagnostics.add(kernel.place_of("block"), kernel.path + ".block", "a CTA has more warps than an SM holds",
                    format_count(shape.block), "1 to " + format_count(facts.warps_per_sm * kLanes));
}

/// Memory as one of several kernels that run side by side finds it: what the others write is open.
ExpectedMemory seen_by(std::size_t self, const PhaseSpec& phase, const std::vector<Buffer>& buffers,
                       ExpectedMemory memory) {
  for (std::size_t other = 0; other < phase.kernels.size(); ++other) {
    if (other == self) continue;
    const KernelSpec& kernel = phase.kernels[other];
    for (const std::string& name : kernel.pattern->written())
      memory.lay(unknown_buffer(*find_buffer(buffers, name), kernel.shape.name + " writes it side by side"));
  }
  return memory;
}

bool overlap(const ExpectedRange& a, const ExpectedRange& b) {
  return a.begin < b.end && b.begin < a.end;
}

/// Memory after a phase.
ExpectedMemory after(const Phase& phase, ExpectedMemory memory) {
  std::vector<std::pair<const Kernel*, ExpectedRange>> ranges;
  for (const auto& kernel : phase.kernels)
    for (ExpectedRange& range : kernel->final_state()) ranges.emplace_back(kernel.get(), std::move(range));
  for (const auto& [kernel, range] : ranges) memory.lay(range);
  for (std::size_t i = 0; i < ranges.size(); ++i)
    for (std::size_t j = i + 1; j < ranges.size(); ++j) {
      const auto& [one, a] = ranges[i];
      const auto& [other, b] = ranges[j];
      if (one != other && overlap(a, b))
        memory.lay({std::max(a.begin, b.begin), std::min(a.end, b.end), 0, nullptr,
                    one->shape().name + " and " + other->shape().name + " write it side by side"});
    }
  return memory;
}

}  // namespace

std::uint64_t Phase::ctas() const {
  std::uint64_t sum = 0;
  for (const auto& k : kernels) sum += k->shape().grid;
  return sum;
}

std::uint64_t Phase::bytes_stored() const {
  std::uint64_t sum = 0;
  for (const auto& k : kernels) sum += k->counters.bytes_stored;
  return sum;
}

std::uint64_t Phase::bytes_loaded() const {
  std::uint64_t sum = 0;
  for (const auto& k : kernels) sum += k->counters.bytes_loaded;
  return sum;
}

Workload::Workload(const Experiment& experiment, const PlatformFacts& facts) {
  Diagnostics diagnostics;
  buffers_ = place_buffers(experiment.buffers, facts.page_bytes, facts.memory_bytes, diagnostics);
  for (const PhaseSpec& phase : experiment.phases)
    for (const KernelSpec& kernel : phase.kernels) check_shape(kernel, facts, diagnostics);
  diagnostics.throw_if_any();
  make_image(experiment, diagnostics);
  make_phases(experiment, facts, diagnostics);
  diagnostics.throw_if_any();
}

void Workload::make_image(const Experiment& experiment, Diagnostics& diagnostics) {
  ExpectedMemory contents;
  for (const ImageSpec& spec : experiment.images) {
    const Buffer& buffer = *find_buffer(buffers_, spec.buffer);
    contents.lay(expected_buffer(buffer, image_source(experiment, spec, buffer, diagnostics)));
  }
  image_ = MemoryImage(std::move(contents));
}

void Workload::make_phases(const Experiment& experiment, const PlatformFacts& facts, Diagnostics& diagnostics) {
  auto memory = std::make_shared<const ExpectedMemory>(image_.contents());
  for (const PhaseSpec& spec : experiment.phases) {
    Phase phase;
    phase.name = spec.name;
    for (std::size_t i = 0; i < spec.kernels.size(); ++i) {
      const KernelSpec& k = spec.kernels[i];
      const auto before = std::make_shared<const ExpectedMemory>(seen_by(i, spec, buffers_, *memory));
      KernelShape shape = k.shape;
      shape.sms = selected_sms(k.sms, facts.sms);
      const KernelSetup setup{
          shape, buffers_, before, derived_seed(experiment.seed, k.seed, kKernelSalt), facts.scoreboards, facts.oracle};
      KernelProblems problems(k, diagnostics);
      if (auto kernel = k.pattern->make(setup, problems)) phase.kernels.push_back(std::move(kernel));
    }
    if (diagnostics.empty()) memory = std::make_shared<const ExpectedMemory>(after(phase, *memory));
    phases_.push_back(std::move(phase));
  }
  expected_ = memory;
}

std::uint64_t Workload::ctas() const {
  std::uint64_t sum = 0;
  for (const Phase& phase : phases_) sum += phase.ctas();
  return sum;
}

CheckCounter Workload::load_checks() const {
  CheckCounter sum;
  for (const Phase& phase : phases_)
    for (const auto& kernel : phase.kernels) sum.add(kernel->checks);
  return sum;
}

void Workload::reset() {
  for (Phase& phase : phases_)
    for (const auto& kernel : phase.kernels) kernel->reset();
}

}  // namespace gputlm
