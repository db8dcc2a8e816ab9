// SPDX-License-Identifier: Apache-2.0
#include "gputlm/report/sweep_folder.h"

#include <stdexcept>
#include <string>

#include "gputlm/config/diagnostics.h"
#include "gputlm/config/regular_file.h"
#include "gputlm/report/json_document.h"

namespace gputlm {
namespace {

constexpr int kFormat = 1;

[[noreturn]] void refuse(const std::string& what) {
  throw std::invalid_argument(what);
}

const Json& member(const Json& object, const char* key, const std::string& of) {
  if (!object.is_object()) refuse(of + " is no object");
  const auto found = object.find(key);
  if (found == object.end()) refuse(of + " has no " + key);
  return *found;
}

void check_texts(const Json& object, std::initializer_list<const char*> keys, const std::string& of) {
  for (const char* key : keys)
    if (!member(object, key, of).is_string()) refuse(of + ": " + key + " is no text");
}

/// What the page works with: the rest of the document is shown as it is, or not at all.
void check_parameter(const Json& p, const std::string& of) {
  check_texts(p, {"path", "unit", "scale", "description"}, of);
  if (!member(p, "numeric", of).is_boolean()) refuse(of + ": numeric is neither true nor false");
  const Json& values = member(p, "values", of);
  if (!values.is_array() && !values.is_object()) refuse(of + ": values are neither a list nor a range");
}

void check_point(const Json& p, const Json& parameters, const std::string& of) {
  if (!member(p, "point", of).is_number_unsigned()) refuse(of + ": point is no number");
  check_texts(p, {"folder", "state", "problem"}, of);
  const Json& given = member(p, "parameters", of);
  for (const Json& parameter : parameters) {
    const auto& path = parameter["path"].get_ref<const std::string&>();
    const Json& value = member(given, path.c_str(), of + "'s parameters");
    if (parameter["numeric"].get<bool>() ? !value.is_number() : !value.is_primitive())
      refuse(of + ": " + path + " is no value of the parameter");
  }
  const Json& statistics = member(p, "statistics", of);
  if (!statistics.is_object()) refuse(of + ": statistics are no object");
  for (const Json& value : statistics)
    if (!value.is_number() && !value.is_null()) refuse(of + ": a statistic is no number");
}

const Json& list(const Json& document, const char* key) {
  const Json& all = member(document, key, "the sweep");
  if (!all.is_array()) refuse(std::string(key) + " are no list");
  return all;
}

void check(const Json& document) {
  check_texts(document, {"sweep", "description", "version", "kind", "target", "config", "method"}, "the sweep");
  member(document, "seed", "the sweep");
  const Json& parameters = list(document, "parameters");
  for (const Json& p : parameters) check_parameter(p, "a parameter");
  for (const Json& s : list(document, "statistics"))
    check_texts(s, {"name", "unit", "better", "description"}, "a statistic");
  std::size_t number = 0;
  for (const Json& p : list(document, "points"))
    check_point(p, parameters, "entry " + std::to_string(++number) + " of points");
}

}  // namespace

Json parse_sweep(const std::string& text, const std::string& file) {
  Diagnostics mistakes;
  Json document = parse_json_object(text, file);
  if (document.value("format", Json()) != kFormat)
    mistakes.add({file}, {}, "is of another form than this version's", {}, std::to_string(kFormat));
  mistakes.throw_if_any();
  try {
    check(document);
  } catch (const std::invalid_argument& e) {
    mistakes.add({file}, {}, std::string("is no whole sweep: ") + e.what());
  }
  mistakes.throw_if_any();
  return document;
}

Json read_sweep_folder(const std::filesystem::path& folder) {
  const std::string file = (folder / kSweepFile).string();
  Json sweep = parse_sweep(read_input_file(file, kLargestReportInput), file);
  sweep["directory"] = folder.string();
  sweep["seed"] = sweep["seed"].dump();  // beyond what a page's numbers hold
  return sweep;
}

}  // namespace gputlm
