// SPDX-License-Identifier: Apache-2.0
//
// A probe as written in YAML: an experiment with values left open, the parameters of its cases, and what silicon (or
// whatever it is to be compared with) gives. docs/probes.md describes the format.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gputlm/config/document_overrides.h"
#include "gputlm/config/range.h"
#include "gputlm/config/yaml_document.h"

namespace gputlm {

/// Whether the configuration was fitted to a reference, or the value comes out.
enum class RowKind { input, prediction };
const char* name_of(RowKind kind);

/// The least and the most of the figures that were measured on silicon; above 0.
struct PublishedRange {
  double least = 0, most = 0;
};

/// What a figure and its tolerance may be: any that a probe could measure.
inline constexpr Range<double> kFigures{-1e15, 1e15}, kTolerances{0, 1e6};

/// What a case should give.
struct Reference {
  std::string pattern;   ///< Case name; `*` stands for any text.
  double value = 0;      ///< In the case's unit.
  double tolerance = 0;  ///< Share of the value; absolute where the value is 0.
  std::string source;
  RowKind kind = RowKind::prediction;
  std::optional<PublishedRange> published;  ///< Where more than one figure was measured.
  std::vector<std::string> fits;            ///< Configuration values fitted to it.
  std::string note;
  Place place;

  bool names(const std::string& case_name) const;
  bool met_by(double measured) const;
  /// How far the value lies outside of what was published, as a share of the nearest figure; 0: inside.
  double share_outside(double measured) const;
};

/// What a probe's file says of a card other than the probe's own.
struct ProbeCard {
  std::string name;     ///< As the card's configuration says under `name`.
  YamlNode parameters;  ///< A map, laid over the probe's.
  std::vector<Reference> references;
};

/// One probe's file.
class ProbeFile {
 public:
  std::string name, description, file;
  std::string config;  ///< Name or path of the configuration; default rtx4090.
  YamlNode experiment;
  YamlNode parameters;  ///< A map: the file's, full-size ones where asked for, the card's, the user's; later ones hold.
  std::vector<Reference> references;
  bool every_card = false;  ///< The references follow from a rule alone and hold on any card.
  std::vector<ProbeCard> cards;

  /// Takes what the file says of another card in place of what holds for its own: figures measured on one card are no
  /// reference for another.
  void adapt_to(const std::string& card);
  /// The parameters alone: for whoever brings figures to compare with.
  void take_parameters_of(const std::string& card);
  /// The first reference that names the case.
  const Reference* reference(const std::string& case_name) const;
  /// Gives one of the parameters another value, as a user does: whatever card is adapted to, it holds.
  void set_parameter(const std::string& parameter, const YamlNode& value);

 private:
  friend ProbeFile read_probe_file(const std::string& file, bool full, const DocumentOverrides& overrides);
  const ProbeCard* find_card(const std::string& card) const;
  void lay_parameters();

  YamlNode document_;            ///< The file as it stands.
  YamlNode full_, card_;         ///< Maps of parameters over the file's; empty: none.
  DocumentOverrides overrides_;  ///< The user's.
};

/// Reads a probe's file, with values in place of the file's. Throws ConfigError with every mistake found.
ProbeFile read_probe_file(const std::string& file, bool full, const DocumentOverrides& overrides = {});

}  // namespace gputlm
