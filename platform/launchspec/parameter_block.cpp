// SPDX-License-Identifier: Apache-2.0
#include "gputlm/launchspec/parameter_block.h"

namespace gputlm {

namespace {

unsigned parameter_size(const LaunchArgument& argument) {
  return argument.array ? size_of(ElementType::uint64) : size_of(argument.type);
}

std::uint64_t aligned(std::uint64_t offset, const LaunchArgument& argument) {
  const unsigned size = parameter_size(argument);
  return (offset + size - 1) / size * size;
}

}  // namespace

std::uint64_t parameter_bytes(const std::vector<LaunchArgument>& arguments) {
  std::uint64_t end = 0;
  for (const LaunchArgument& a : arguments) end = aligned(end, a) + parameter_size(a);
  return end;
}

std::vector<unsigned char> parameter_block(const std::vector<LaunchArgument>& arguments,
                                           const std::vector<std::uint64_t>& addresses) {
  std::vector<unsigned char> block(parameter_bytes(arguments));
  std::uint64_t offset = 0;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const LaunchArgument& a = arguments[i];
    offset = aligned(offset, a);
    if (a.array)
      store_element(ElementType::uint64, {addresses[i], 0}, block.data() + offset);
    else
      store_element(a.type, a.first, block.data() + offset);
    offset += parameter_size(a);
  }
  return block;
}

}  // namespace gputlm
