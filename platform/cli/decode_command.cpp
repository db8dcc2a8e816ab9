// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <memory>
#include <string>

#include "commands.h"
#include "gputlm/hostdump/dump_printer.h"

namespace gputlm {
namespace {

int decode(const std::string& file) {
  print_dump(std::cout, PushbufferDump::read(file), file).throw_if_any();
  return kDone;
}

}  // namespace

void add_decode_command(CLI::App& app, Action& action) {
  auto file = std::make_shared<std::string>();
  CLI::App* decode_app = app.add_subcommand(
      "decode", "Print a dumped pushbuffer: GPFIFO entries, methods and QMD fields by name (format: docs/host.md)");
  decode_app->add_option("file", *file, "Dump that a driver wrote")->required();
  decode_app->callback([&action, file] { action = [file] { return decode(*file); }; });
}

}  // namespace gputlm
