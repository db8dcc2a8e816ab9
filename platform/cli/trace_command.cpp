// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "commands.h"
#include "gputlm/config/diagnostics.h"
#include "gputlm/config/quantity.h"
#include "gputlm/system/summary.h"
#include "gputlm/trace/trace_query.h"

namespace gputlm {
namespace {

struct QueryOptions {
  std::string file, question, address, format = "table";
  std::optional<std::int64_t> top;
};

std::uint64_t address_of(const QueryOptions& o) {
  const Parsed<std::uint64_t> address = parse_count(o.address);
  Diagnostics mistakes;
  if (!address)
    mistakes.add({}, "--address", o.address.empty() ? "the line's address is missing" : address.problem,
                 o.address.empty() ? std::string() : excerpt(o.address), "an address, e.g. 0x7f4000000000");
  mistakes.throw_if_any();
  return address.value;
}

constexpr std::uint64_t kTop = 20;

void check_question(const QueryOptions& o) {
  Diagnostics mistakes;
  if (o.top && o.question != "stalls")
    mistakes.add({}, "--top", "does not belong to this question", o.question, "stalls");
  if (o.top && *o.top < 1) mistakes.add({}, "--top", "is too small", std::to_string(*o.top), "1 or more");
  if (!o.address.empty() && o.question != "line")
    mistakes.add({}, "--address", "does not belong to this question", o.question, "line");
  mistakes.throw_if_any();
}

int query(const QueryOptions& o) {
  check_question(o);
  TraceQuery recording(o.file);
  const QueryTable table = o.question == "latency" ? recording.latency()
                           : o.question == "stalls"
                               ? recording.stalls(o.top ? static_cast<std::uint64_t>(*o.top) : kTop)
                           : o.question == "bandwidth" ? recording.bandwidth()
                                                       : recording.line(address_of(o));
  if (o.question == "line" && table.rows.empty()) std::cerr << "gputlm: nothing of this line is recorded\n";
  if (o.format == "json")
    std::cout << text_of(table.document());
  else
    table.print(std::cout);
  return kDone;
}

}  // namespace

void add_trace_command(CLI::App& app, Action& action) {
  auto options = std::make_shared<QueryOptions>();
  CLI::App* trace_app = app.add_subcommand("trace", "Work with recordings (see docs/trace.md)");
  trace_app->require_subcommand(1);
  CLI::App* query_app = trace_app->add_subcommand("query", "Ask a recording that --trace-db wrote");
  query_app->add_option("file", options->file, "The database")->required();
  query_app
      ->add_option(
          "question", options->question,
          "latency: percentiles per leg; stalls: where requests waited for END_REQ; bandwidth: over time; line: "
          "one line's history (--address)")
      ->required()
      ->check(CLI::IsMember({"latency", "stalls", "bandwidth", "line"}));
  query_app->add_option("--address", options->address, "Of the line: virtual or physical");
  query_app->add_option("--top", options->top, fmt::format("As many stalls (default: {})", kTop));
  query_app->add_option("--format", options->format, "What to print")->check(CLI::IsMember({"table", "json"}));
  query_app->callback([&action, options] { action = [options] { return query(*options); }; });
}

}  // namespace gputlm
