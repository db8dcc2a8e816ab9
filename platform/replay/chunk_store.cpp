// SPDX-License-Identifier: Apache-2.0
#include "gputlm/replay/chunk_store.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

namespace gputlm {
namespace {

[[noreturn]] void fail(const char* what, int error) {
  throw std::runtime_error(std::string("the temporary file for long thread blocks, in TMPDIR, ") + what + ": " +
                           std::strerror(error));
}

}  // namespace

ChunkStore::~ChunkStore() {
  if (file_ >= 0) ::close(file_);
}

void ChunkStore::open_file() {
  std::error_code failed;
  std::string name = (std::filesystem::temp_directory_path(failed) / "gputlm-replay-XXXXXX").string();
  if (failed) fail("cannot be made", failed.value());
  file_ = ::mkstemp(name.data());
  if (file_ < 0) fail("cannot be made", errno);
  ::unlink(name.c_str());
}

void ChunkStore::write(Place& place, const Chunk& chunk) {
  if (file_ < 0) open_file();
  if (free_slots_.empty()) free_slots_.push_back(slots_++);
  place.slot = free_slots_.back();
  free_slots_.pop_back();
  const auto at = static_cast<off_t>(std::uint64_t{place.slot} * kChunkBytes);
  const ssize_t written = ::pwrite(file_, chunk.data(), chunk.size(), at);
  if (written != static_cast<ssize_t>(chunk.size())) fail("cannot be written", written < 0 ? errno : ENOSPC);
}

ChunkStore::Id ChunkStore::put(Chunk chunk) {
  if (free_places_.empty()) {
    free_places_.push_back(static_cast<Id>(places_.size()));
    places_.emplace_back();
  }
  const Id id = free_places_.back();
  Place& place = places_[id];
  place.bytes = static_cast<std::uint32_t>(chunk.size());
  if (used_ + chunk.size() > limit_) {
    write(place, chunk);
  } else {
    used_ += chunk.size();
    peak_ = std::max(peak_, used_);
    place.slot = kInMemory;
    place.chunk = std::move(chunk);
  }
  free_places_.pop_back();
  return id;
}

ChunkStore::Chunk ChunkStore::take(Id id) {
  Place& place = places_[id];
  Chunk chunk;
  if (place.slot == kInMemory) {
    chunk.swap(place.chunk);
    used_ -= chunk.size();
  } else {
    chunk.resize(place.bytes);
    const auto at = static_cast<off_t>(std::uint64_t{place.slot} * kChunkBytes);
    const ssize_t read = ::pread(file_, chunk.data(), chunk.size(), at);
    if (read != static_cast<ssize_t>(chunk.size())) fail("cannot be read", read < 0 ? errno : EIO);
    free_slots_.push_back(place.slot);
  }
  free_places_.push_back(id);
  return chunk;
}

void ChunkStore::drop(Id id) {
  Place& place = places_[id];
  if (place.slot == kInMemory)
    used_ -= std::exchange(place.chunk, {}).size();
  else
    free_slots_.push_back(place.slot);
  free_places_.push_back(id);
}

}  // namespace gputlm
