// SPDX-License-Identifier: Apache-2.0
#include "gputlm/workload/buffer.h"

#include <algorithm>

#include "gputlm/config/quantity.h"

namespace gputlm {

namespace {

/// Taken ranges of one address space, each with the name of who took it.
class AddressSpace {
 public:
  struct Taken {
    std::uint64_t begin, end;
    const std::string* name;
  };

  const Taken* overlap(std::uint64_t begin, std::uint64_t end) const {
    for (const Taken& t : taken_)
      if (begin < t.end && t.begin < end) return &t;
    return nullptr;
  }

  void take(std::uint64_t begin, std::uint64_t end, const std::string& name) {
    const auto place = std::find_if(taken_.begin(), taken_.end(), [&](const Taken& t) { return t.begin > begin; });
    taken_.insert(place, {begin, end, &name});
  }

  /// The lowest free address from `first` on that has `bytes` free.
  std::uint64_t free(std::uint64_t first, std::uint64_t bytes) const {
    for (const Taken& t : taken_)
      if (t.begin < first + bytes && first < t.end) first = t.end;
    return first;
  }

 private:
  std::vector<Taken> taken_;
};

/// Puts buffers into both address spaces.
class Placement {
 public:
  Placement(std::uint64_t page_bytes, std::uint64_t memory_bytes, Diagnostics& diagnostics)
      : page_bytes_(page_bytes), memory_bytes_(memory_bytes), diagnostics_(diagnostics) {}

  Buffer start(const BufferSpec& spec, std::uint64_t size) const {
    Buffer b;
    b.name = spec.name;
    b.size = size;
    b.mapped_bytes = (size + page_bytes_ - 1) / page_bytes_ * page_bytes_;
    b.mapped = spec.mapped;
    b.alias = !spec.alias_of.empty();
    return b;
  }

  void fix_virtual(const BufferSpec& spec, Buffer& b) {
    const std::uint64_t end = std::uint64_t{1} << kVirtualAddressBits;
    if (b.mapped_bytes > end || spec.at > end - b.mapped_bytes) {
      report(spec, "at", "does not end within the virtual address space", spec.at, "below " + format_hex(end));
    } else if (spec.at % page_bytes_ != 0) {
      report(spec, "at", "is no page boundary", spec.at, "a multiple of " + format_bytes(page_bytes_));
    } else {
      take(spec, "at", virtual_space_, spec.at, b);
    }
    b.virtual_address = spec.at;
  }

  void fix_physical(const BufferSpec& spec, Buffer& b) {
    if (b.mapped_bytes > memory_bytes_ || spec.physical > memory_bytes_ - b.mapped_bytes) {
      report(spec, "physical", "does not end within device memory", spec.physical,
             "below " + format_bytes(memory_bytes_));
    } else if (spec.physical % page_bytes_ != 0) {
      report(spec, "physical", "is no page boundary", spec.physical, "a multiple of " + format_bytes(page_bytes_));
    } else {
      take(spec, "physical", physical_space_, spec.physical, b);
    }
    b.physical_address = spec.physical;
  }

  void choose_virtual(const BufferSpec& spec, Buffer& b) {
    b.virtual_address = virtual_space_.free(kFirstVirtualAddress, b.mapped_bytes);
    virtual_space_.take(b.virtual_address, b.virtual_address + b.mapped_bytes, spec.name);
  }

  void choose_physical(const BufferSpec& spec, Buffer& b) {
    const std::uint64_t begin = physical_space_.free(0, b.mapped_bytes);
    if (b.mapped_bytes > memory_bytes_ || begin > memory_bytes_ - b.mapped_bytes) {
      diagnostics_.add(spec.place, spec.path + ".size", "does not fit into device memory", format_bytes(spec.size),
                       "at most " + format_bytes(begin < memory_bytes_ ? memory_bytes_ - begin : 0) + " here, of " +
                           format_bytes(memory_bytes_) + " in all");
      return;
    }
    b.physical_address = begin;
    physical_space_.take(begin, begin + b.mapped_bytes, spec.name);
  }

 private:
  void report(const BufferSpec& spec, const char* key, std::string message, std::uint64_t found, std::string allowed) {
    diagnostics_.add(spec.place, spec.path + "." + key, std::move(message), format_hex(found), std::move(allowed));
  }

  void take(const BufferSpec& spec, const char* key, AddressSpace& space, std::uint64_t begin, const Buffer& b) {
    if (const AddressSpace::Taken* other = space.overlap(begin, begin + b.mapped_bytes))
      report(spec, key, "overlaps buffer " + *other->name, begin, {});
    else
      space.take(begin, begin + b.mapped_bytes, spec.name);
  }

  std::uint64_t page_bytes_, memory_bytes_;
  Diagnostics& diagnostics_;
  AddressSpace virtual_space_, physical_space_;
};

std::size_t index_of(const std::vector<BufferSpec>& specs, const std::string& name) {
  const auto at = std::find_if(specs.begin(), specs.end(), [&](const BufferSpec& s) { return s.name == name; });
  return static_cast<std::size_t>(at - specs.begin());
}

}  // namespace

std::vector<Buffer> place_buffers(const std::vector<BufferSpec>& specs, std::uint64_t page_bytes,
                                  std::uint64_t memory_bytes, Diagnostics& diagnostics) {
  Placement placement(page_bytes, memory_bytes, diagnostics);
  std::vector<Buffer> buffers;
  for (const BufferSpec& s : specs) {
    const BufferSpec& owner = s.alias_of.empty() ? s : specs[index_of(specs, s.alias_of)];
    buffers.push_back(placement.start(s, owner.size));
    if (s.at != BufferSpec::kAnywhere) placement.fix_virtual(s, buffers.back());
    if (s.physical != BufferSpec::kAnywhere) placement.fix_physical(s, buffers.back());
  }
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const BufferSpec& s = specs[i];
    if (s.at == BufferSpec::kAnywhere) placement.choose_virtual(s, buffers[i]);
    if (s.alias_of.empty() && s.physical == BufferSpec::kAnywhere) placement.choose_physical(s, buffers[i]);
  }
  for (std::size_t i = 0; i < specs.size(); ++i)
    if (!specs[i].alias_of.empty())
      buffers[i].physical_address = buffers[index_of(specs, specs[i].alias_of)].physical_address;
  return buffers;
}

const Buffer* find_buffer(const std::vector<Buffer>& buffers, std::string_view name) {
  const auto at = std::find_if(buffers.begin(), buffers.end(), [&](const Buffer& b) { return b.name == name; });
  return at == buffers.end() ? nullptr : &*at;
}

}  // namespace gputlm
