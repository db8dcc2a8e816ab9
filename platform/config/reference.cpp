// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <ostream>

#include "gputlm/config/constraints.h"
#include "gputlm/config/schema.h"
#include "gputlm/config/show.h"

namespace gputlm {

namespace {

constexpr const char* kPreface = R"(# Configuration reference

Generated from the schema and `configs/rtx4090.yaml`; `cmake --build BUILD --target docs_configuration` writes it again.

A configuration is a YAML file. Each parameter is a value, or a map that also says how well it is known:

```yaml
base: rtx4090            # a name from configs/, or a path; everything not set here comes from there
l2:
  ways: 8
  janitor:
    dirty_threshold: {value: 4, confidence: assumed, source: mine, note: half of the ways}
```

`--set path=value` overrides one parameter, e.g. `--set l2.ways=8`, `--set "mmu.miss_latency=8.8 ns"`,
`--set "l1.index_masks=[0x80, 0x100]"`. Sizes, times and frequencies are written with their unit; cycles and counts are
plain numbers. Nothing has a default in code: a configuration without `base:` sets every parameter. All mistakes are
reported together.

`provenance: {confidence: assumed, source: mine, note: optional}` at the top of a file holds for all of its values that
say nothing of that kind themselves. A file with a `base` and a `name` of its own is another card: what it does not state
itself is *assumed* there, with a note of how well it is known of the card it comes from.

Confidence: *measured* on the device the source names; *published* by a vendor, standard, patent or configuration;
*computed* from published functions; *inferred* by arithmetic or from indirect evidence; *recalled* from a paper;
*assumed* because it is not public. The sources are listed at the top of `configs/rtx4090.yaml`; other cards
(`gputlm list configurations`, docs/cards.md) start from it and list theirs.
)";

std::string table_text(std::string text) {
  for (std::size_t at = text.find('|'); at != std::string::npos; at = text.find('|', at + 2)) text.insert(at, "\\");
  return text;
}

void write_rows(std::ostream& out, const Config& reference) {
  const auto& parameters = Schema::instance().parameters();
  std::string section;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Parameter& parameter = parameters[i];
    const EffectiveValue& effective = reference.effective.values()[i];
    if (parameter.kind == Kind::text) continue;
    const std::string concern = parameter.path.substr(0, parameter.path.find('.'));
    if (concern != section) {
      section = concern;
      out << fmt::format(
          "\n## {}\n\n| parameter | RTX 4090 | unit | allowed | confidence | source | description |\n"
          "|---|---|---|---|---|---|---|\n",
          section);
    }
    std::string description = parameter.description;
    if (!effective.note.empty()) description += " *" + effective.note + "*";
    out << fmt::format("| `{}` | {} | {} | {} | {} | {} | {} |\n", parameter.path, parameter.value_text(reference),
                       parameter.unit, table_text(parameter.allowed()), effective.confidence, effective.source,
                       table_text(description));
  }
}

}  // namespace

void generate_reference(std::ostream& out, const Config& reference) {
  out << kPreface;
  write_rows(out, reference);
  out << "\n## Relations between parameters\n\n";
  for (const Constraint& constraint : constraints()) out << "* " << constraint.rule << "\n";
}

}  // namespace gputlm
