// SPDX-License-Identifier: Apache-2.0
//
// The configuration for Python. Runs are made by the command in processes of their own, so that this module needs the
// configuration's library and nothing of the simulator; gputlm/*.py builds on it.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <sstream>
#include <variant>

#include "gputlm/config/config_loader.h"
#include "gputlm/config/data_dir.h"
#include "gputlm/config/parameter_view.h"
#include "gputlm/config/schema.h"
#include "gputlm/config/show.h"
#include "gputlm/version.h"

namespace py = pybind11;
using namespace gputlm;

// SystemC's library asks for it when it is loaded; nobody calls it here.
extern "C" [[gnu::visibility("default")]] int sc_main(int /*argc*/, char** /*argv*/) {
  return 0;
}

namespace {

const Parameter& schema_of(const std::string& path) {
  return Schema::instance().parameters()[Schema::instance().find(path)];
}

/// What Python writes behind a number, which it has in that unit; empty where none belongs there.
std::string written_unit_of(const Parameter& parameter) {
  switch (parameter.kind) {
    case Kind::time:
      return "ns";
    case Kind::bytes:
      return "B";
    case Kind::frequency:
      return "Hz";
    default:
      return {};
  }
}

std::string unit_of(const Parameter& parameter) {
  const std::string written = written_unit_of(parameter);
  return written.empty() ? parameter.unit : written;
}

/// A value as Python has it: times in ns, bytes and frequencies in their base units.
py::object python_value(const std::string& path, const std::string& text) {
  const Parameter& parameter = schema_of(path);
  if (parameter.kind == Kind::text) return py::str(text);
  Diagnostics diagnostics;
  YamlNode root;
  parse_yaml("value: " + text, path, root, diagnostics);
  diagnostics.throw_if_any();
  Value value;
  const YamlNode* wrong = nullptr;
  std::string problem;
  parameter.parse(root.items.front(), value, wrong, problem);
  if (parameter.kind == Kind::time) return py::float_(to_ns(std::get<Fs>(value)));
  return std::visit([](const auto& v) { return py::object(py::cast(v)); }, value);
}

/// The whole file, as `gputlm config show --format yaml` prints it.
std::string yaml_of(const ParameterView& view) {
  std::ostringstream out;
  show_yaml(out, view.config());
  return out.str();
}

std::string file_of(const std::string& name_or_path) {
  return find_yaml(name_or_path, kConfigFolder);
}

/// The exception's type lives as long as the interpreter.
py::object& config_error_type() {
  static auto* type = new py::object();  // destroyed after the interpreter it would be a crash
  return *type;
}

void translate(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const ConfigError& e) {
    py::object exception = config_error_type()(e.what());
    exception.attr("diagnostics") = py::cast(e.diagnostics());
    PyErr_SetObject(config_error_type().ptr(), exception.ptr());
  }
}

void bind_diagnostics(py::module_& m) {
  py::class_<Diagnostic>(m, "Diagnostic", "One mistake in an input, and where it is.")
      .def(py::init([](std::string file, unsigned line, unsigned column, std::string path, std::string message,
                       std::string found, std::string allowed) {
             return Diagnostic{std::move(file),   line, column, std::move(path), std::move(found), std::move(allowed),
                               std::move(message)};
           }),
           py::arg("file") = "", py::arg("line") = 0, py::arg("column") = 0, py::arg("path") = "",
           py::arg("message") = "", py::arg("found") = "", py::arg("allowed") = "")
      .def_readonly("file", &Diagnostic::file, "The file, or who gave the value.")
      .def_readonly("line", &Diagnostic::line, "From 1; 0: none.")
      .def_readonly("column", &Diagnostic::column, "From 1; 0: none.")
      .def_readonly("path", &Diagnostic::path, "The parameter or key, e.g. l2.ways; empty when it concerns none.")
      .def_readonly("message", &Diagnostic::message)
      .def_readonly("found", &Diagnostic::found, "What stood there; empty when nothing did.")
      .def_readonly("allowed", &Diagnostic::allowed, "What would be right; empty when the message says it.")
      .def("__str__", &Diagnostic::text)
      .def("__repr__", [](const Diagnostic& d) { return "<Diagnostic " + d.text() + ">"; });
  py::module_ builtins = py::module_::import("builtins");
  config_error_type() = builtins.attr("type")(
      "ConfigError", py::make_tuple(py::handle(PyExc_ValueError)),
      py::dict(py::arg("__module__") = "gputlm", py::arg("diagnostics") = py::list(),
               py::arg("__doc__") =
                   "An input that is wrong. `diagnostics` lists every mistake with file, line, column, "
                   "path, message, what was found and what is allowed."));
  m.attr("ConfigError") = config_error_type();
  py::register_exception_translator(&translate);
}

void bind_parameters(py::module_& m) {
  py::class_<ParameterText>(m, "Parameter", "A configuration value with what is known of it.")
      .def_readonly("path", &ParameterText::path, "E.g. l2.janitor.dirty_threshold.")
      .def_readonly("text", &ParameterText::value, "The value as one writes it in YAML: 64, 1.5 ns, rrip, [1, 2].")
      .def_property_readonly(
          "value", [](const ParameterText& p) { return python_value(p.path, p.value); },
          "The value as a number (times in ns, sizes in bytes, frequencies in Hz), bool, str or list.")
      .def_property_readonly(
          "unit", [](const ParameterText& p) { return unit_of(schema_of(p.path)); }, "Of `value`; empty: none.")
      .def_property_readonly(
          "written_unit", [](const ParameterText& p) { return written_unit_of(schema_of(p.path)); },
          "What a number is written with: ns, B or Hz; empty: nothing.")
      .def_readonly("allowed", &ParameterText::allowed, "What it may be, in words.")
      .def_readonly("description", &ParameterText::description)
      .def_readonly("confidence", &ParameterText::confidence,
                    "measured, published, computed, inferred, recalled or assumed; empty: not said.")
      .def_readonly("source", &ParameterText::source, "Key of the source, explained in the configuration's head.")
      .def_readonly("note", &ParameterText::note)
      .def_readonly("origin", &ParameterText::origin, "File, line and column, or who set it.")
      .def("__repr__", [](const ParameterText& p) { return "<Parameter " + p.path + " = " + p.value + ">"; });
  py::class_<ParameterView>(m, "ParameterView", "All parameters of one configuration; gputlm.Config is built on it.")
      .def(py::init<const std::string&>(), py::arg("name_or_path"))
      .def(py::init<const ParameterView&>(), py::arg("other"))
      .def("parameters", &ParameterView::parameters, "Copies, in the order of docs/configuration.md.")
      .def(
          "find",
          [](const ParameterView& v, const std::string& path) -> py::object {
            const ParameterText* found = v.find(path);
            return found == nullptr ? py::object(py::none()) : py::cast(*found);
          },
          py::arg("path"), "None when there is no such parameter.")
      .def("set", &ParameterView::set, py::arg("path"), py::arg("value"), py::arg("origin"))
      .def(
          "check", [](const ParameterView& v) { v.config(); }, "Raises ConfigError where values do not fit together.")
      .def("yaml", &yaml_of, "A complete configuration file that loads to the same values.");
}

}  // namespace

PYBIND11_MODULE(_core, m) {
  m.doc() = "Configurations of gputlm, from C++.";
  m.attr("__version__") = GPUTLM_VERSION_STRING;
  bind_diagnostics(m);
  bind_parameters(m);
  m.def("find_config", &file_of, py::arg("name_or_path"), "The file that a configuration's name or path means.");
  m.def("shipped", &list_yaml, py::arg("folder"), "Names of the shipped files in a folder, e.g. configs/probes.");
}
