// SPDX-License-Identifier: Apache-2.0
#include "gputlm/workload/experiment_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "gputlm/workload/parameter_reader.h"

namespace gputlm {

namespace {

constexpr std::uint64_t kMaxBuffer = std::uint64_t{1} << 48;  ///< Half of the virtual address space.
constexpr std::uint32_t kMaxGrid = 0x7fffffff;                ///< CTAs of one kernel (CUDA's limit on gridDim.x).
constexpr unsigned kMaxBlock = 1024;                          ///< Threads of one CTA (CUDA).
constexpr Fs kShortestSample = kFsPerNs;

/// Sends a pattern's complaints to the reader of its kernel.
class ReaderProblems final : public PatternProblems {
 public:
  explicit ReaderProblems(YamlReader& reader) : reader_(reader) {}
  void add(const char* key, std::string message, std::string found, std::string allowed) override {
    reader_.error(key, std::move(message), std::move(found), std::move(allowed));
  }

 private:
  YamlReader& reader_;
};

}  // namespace

ExperimentReader::ExperimentReader(const YamlNode& root, const std::string& file, Diagnostics& diagnostics)
    : root_(root, "", file, diagnostics), file_(file), diagnostics_(diagnostics) {}

Experiment ExperimentReader::read() {
  read_experiment_head(root_, file_, experiment_);
  read_course();
  read_buffers();
  read_image();
  read_phases();
  root_.finish();
  return std::move(experiment_);
}

void ExperimentReader::read_course() {
  root_.time("sample_interval", experiment_.sample_interval, {kShortestSample, kNever}, kOptional);
  std::string end = "drain", report = "default";
  root_.choice("end", end, {"drain", "flush"}, kOptional);
  experiment_.end = end == "flush" ? EndKind::flush : EndKind::drain;
  root_.choice("report", report, {"default", "one-set", "store-journey"}, kOptional);
  experiment_.report = report == "one-set"         ? ReportKind::one_set
                       : report == "store-journey" ? ReportKind::store_journey
                                                   : ReportKind::standard;
}

void ExperimentReader::read_buffers() {
  const std::size_t before = diagnostics_.count();
  YamlReader buffers = root_.map("buffers");
  std::vector<BufferSpec> specs;
  for (const std::string& name : buffers.keys()) {
    YamlReader reader = buffers.map(name);
    BufferSpec b;
    b.name = name;
    b.path = reader.path();
    b.place = buffers.place_of(name);
    if (reader.has("alias_of")) {
      if (read_buffer_name(reader, "alias_of", specs, b.alias_of)) {
        const auto owner =
            std::find_if(specs.begin(), specs.end(), [&](const BufferSpec& s) { return s.name == b.alias_of; });
        b.size = owner->size;
        if (!owner->alias_of.empty()) reader.error("alias_of", "is an alias itself", b.alias_of, owner->alias_of);
      }
    } else {
      reader.bytes("size", b.size, {1, kMaxBuffer});
      reader.count("physical", b.physical, {0, kMaxBuffer}, kOptional);
    }
    reader.boolean("mapped", b.mapped, kOptional);
    reader.count("at", b.at, {0, (std::uint64_t{1} << kVirtualAddressBits) - 1}, kOptional);
    reader.finish();
    specs.push_back(std::move(b));
  }
  experiment_.buffers = std::move(specs);
  buffers_read_ = diagnostics_.count() == before;
}

void ExperimentReader::read_image() {
  static const std::vector<std::string> kinds{"zeros", "pattern", "floats"};  // in the order of ImageSpec::Kind
  YamlReader image = root_.map("image", kOptional);
  for (const std::string& name : image.keys()) {
    ImageSpec spec;
    spec.seed = experiment_.images.size();
    spec.path = image.path_of(name);
    spec.place = image.place_of(name);
    spec.buffer = name;
    const auto owner = std::find_if(experiment_.buffers.begin(), experiment_.buffers.end(),
                                    [&](const BufferSpec& b) { return b.name == name; });
    const YamlNode& value = *image.node(name);
    std::string kind = "zeros";
    if (value.kind == YamlNode::Kind::map) {
      YamlReader reader = image.map(name);
      if (reader.text("file", spec.file, kOptional)) {
        spec.kind = ImageSpec::Kind::file;
        spec.place = reader.place_of("file");
      } else {
        reader.choice("kind", kind, kinds);
        reader.count("seed", spec.seed, YamlReader::kAnyCount, kOptional);
      }
      reader.finish();
    } else {
      image.choice(name, kind, kinds);
    }
    if (spec.kind != ImageSpec::Kind::file)
      spec.kind = static_cast<ImageSpec::Kind>(std::find(kinds.begin(), kinds.end(), kind) - kinds.begin());
    if (owner == experiment_.buffers.end()) {
      std::vector<std::string> names;
      for (const BufferSpec& b : experiment_.buffers) names.push_back(b.name);
      image.error(name, "is no buffer", name, join_names(names));
    } else if (!owner->alias_of.empty()) {
      image.error(name, "is an alias", name, owner->alias_of);
    }
    experiment_.images.push_back(std::move(spec));
  }
}

void ExperimentReader::read_phases() {
  std::vector<YamlReader> phases = root_.maps("phases");
  for (YamlReader& phase : phases) read_phase(phase);
}

void ExperimentReader::read_phase(YamlReader& reader) {
  PhaseSpec phase;
  phase.name = fmt::format("phase-{}", experiment_.phases.size() + 1);
  reader.text("name", phase.name, kOptional);
  for (const PhaseSpec& other : experiment_.phases)
    if (other.name == phase.name) reader.error("name", "is another phase's name", phase.name, "a name of its own");
  if (reader.has("kernels")) {
    std::vector<YamlReader> kernels = reader.maps("kernels");
    for (YamlReader& kernel : kernels) {
      phase.kernels.push_back(read_kernel(kernel, fmt::format("kernel-{}", kernels_ + 1)));
      kernel.finish();
    }
  } else {
    phase.kernels.push_back(read_kernel(reader, phase.name));
  }
  reader.finish();
  experiment_.phases.push_back(std::move(phase));
}

KernelSpec ExperimentReader::read_kernel(YamlReader& reader, const std::string& default_name) {
  KernelSpec kernel;
  KernelShape& shape = kernel.shape;
  shape.name = default_name;
  shape.number = kernels_++;
  kernel.seed = shape.number;
  kernel.path = reader.path();
  kernel.place = reader.place_of("");
  for (const std::string& key : reader.keys()) kernel.key_places.emplace_back(key, reader.place_of(key));
  reader.text("name", shape.name, kOptional);
  reader.count("grid", shape.grid, {1, kMaxGrid}, kOptional);
  reader.count("block", shape.block, {1, kMaxBlock}, kOptional);
  reader.count("seed", kernel.seed, YamlReader::kAnyCount, kOptional);
  kernel.sms = read_sms(reader);
  read_pattern(reader, kernel);
  return kernel;
}

void ExperimentReader::read_pattern(YamlReader& reader, KernelSpec& kernel) {
  const PatternInfo* info = reader.text("pattern", kernel.pattern_name) ? find_pattern(kernel.pattern_name) : nullptr;
  if (info == nullptr) {
    for (const std::string& key : reader.keys()) reader.node(key);  // without its pattern no key can be judged
    if (kernel.pattern_name.empty()) return;
    std::vector<std::string> names;
    for (const PatternInfo& p : patterns()) names.emplace_back(p.name);
    reader.error("pattern", "is no pattern" + did_you_mean(kernel.pattern_name, names), kernel.pattern_name,
                 join_names(names));
    return;
  }
  kernel.pattern = info->create();
  const std::size_t before = diagnostics_.count();
  ParameterReader parameters(reader, experiment_.buffers);
  kernel.pattern->parameters(parameters);
  ReaderProblems problems(reader);
  if (buffers_read_ && parameters.complete() && diagnostics_.count() == before)
    kernel.pattern->check({kernel.shape, experiment_.buffers}, problems);
}

}  // namespace gputlm
