// SPDX-License-Identifier: Apache-2.0
#include "gputlm/config/yaml_document.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <unordered_set>
#include <utility>

#include "gputlm/config/plain_text.h"
#include "gputlm/config/regular_file.h"

namespace gputlm {

namespace {

/// Leaves the parser early; caught in parse_yaml.
struct Refused {
  unsigned line;
  unsigned column;
  std::string message;
  std::string found;
};

/// Put behind the text for the parser: a comment, unless a quote is still open there, which yaml-cpp would let pass.
/// The control character cannot come from the text itself.
constexpr std::string_view kSentinel = "#\x01";

unsigned from_one(int zero_based) {
  return zero_based < 0 ? 0 : static_cast<unsigned>(zero_based) + 1;
}

std::size_t cost(const YamlNode& node) {
  std::size_t sum = sizeof(YamlNode) + node.text.size();
  for (const YamlNode& key : node.keys) sum += cost(key);
  for (const YamlNode& item : node.items) sum += cost(item);
  return sum;
}

/// Builds the tree from the parser's events.
class TreeBuilder : public YAML::EventHandler {
 public:
  explicit TreeBuilder(const YamlLimits& limits) : limits_(limits) {}

  YamlNode take_root() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { add(make(YamlNode::Kind::null, mark), anchor); }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    YamlNode node = make(YamlNode::Kind::scalar, mark);
    node.text = value;
    node.quoted = tag == "!";
    if (!node.quoted) refuse_tag(tag, mark);
    refuse_wrong_text(node);
    add(std::move(node), anchor);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end())
      throw Refused{from_one(mark.line), from_one(mark.column), "an alias inside what it names", {}};
    spend(cost(found->second), mark);
    add(YamlNode(found->second), YAML::NullAnchor);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    refuse_tag(tag, mark);
    open(make(YamlNode::Kind::list, mark), anchor, mark);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    refuse_tag(tag, mark);
    open(make(YamlNode::Kind::map, mark), anchor, mark);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Level {
    YamlNode node;
    YAML::anchor_t anchor;
    std::unordered_set<std::string> names;
  };

  static YamlNode make(YamlNode::Kind kind, const YAML::Mark& mark) {
    YamlNode node;
    node.kind = kind;
    node.line = from_one(mark.line);
    node.column = from_one(mark.column);
    return node;
  }

  static void refuse_tag(const std::string& tag, const YAML::Mark& mark) {
    const bool none = tag.empty() || tag == "?";
    if (!none) throw Refused{from_one(mark.line), from_one(mark.column), "tags have no meaning here", excerpt(tag)};
  }

  static void refuse_wrong_text(const YamlNode& node) {
    const std::string_view text = node.text;
    if (node.quoted && text.find(kSentinel) != std::string_view::npos)
      throw Refused{node.line, node.column, "the quote that begins here has no end", {}};
    if (const TextFault fault = find_text_fault(text))
      throw Refused{node.line, node.column, std::string("not a text: ") + fault.problem, {}};
  }

  void spend(std::size_t bytes, const YAML::Mark& mark) {
    spent_ += bytes;
    if (spent_ > limits_.tree_bytes) {
      throw Refused{
          from_one(mark.line), from_one(mark.column), "the document is too large once its aliases are expanded", {}};
    }
  }

  void open(YamlNode node, YAML::anchor_t anchor, const YAML::Mark& mark) {
    if (open_.size() >= limits_.depth)
      throw Refused{node.line, node.column, fmt::format("nested deeper than {} levels", limits_.depth), {}};
    spend(sizeof(YamlNode), mark);
    open_.push_back({std::move(node), anchor, {}});
  }

  void close() {
    Level level = std::move(open_.back());
    open_.pop_back();
    attach(std::move(level.node), level.anchor);
  }

  void add(YamlNode node, YAML::anchor_t anchor) {
    YAML::Mark mark;
    mark.line = static_cast<int>(node.line) - 1;
    mark.column = static_cast<int>(node.column) - 1;
    spend(sizeof(YamlNode) + node.text.size(), mark);
    attach(std::move(node), anchor);
  }

  void attach(YamlNode node, YAML::anchor_t anchor) {
    if (anchor != YAML::NullAnchor) anchors_[anchor] = node;
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    Level& parent = open_.back();
    if (parent.node.kind == YamlNode::Kind::map && parent.node.keys.size() == parent.node.items.size()) {
      add_key(parent, std::move(node));
      return;
    }
    // The parser places an absent value at the token after it: its key says better where it is missing.
    if (parent.node.kind == YamlNode::Kind::map && node.kind == YamlNode::Kind::null) {
      node.line = parent.node.keys.back().line;
      node.column = parent.node.keys.back().column;
    }
    parent.node.items.push_back(std::move(node));
  }

  void add_key(Level& parent, YamlNode key) const {
    if (parent.node.keys.size() >= limits_.keys)
      throw Refused{key.line, key.column, fmt::format("more than {} keys in one map", limits_.keys), {}};
    if (key.kind != YamlNode::Kind::scalar) throw Refused{key.line, key.column, "a key must be a name", key.describe()};
    if (!parent.names.insert(key.text).second) {
      throw Refused{key.line, key.column, "the key is given twice", excerpt(key.text)};
    }
    parent.node.keys.push_back(std::move(key));
  }

  const YamlLimits& limits_;
  std::size_t spent_ = 0;
  std::vector<Level> open_;
  std::map<YAML::anchor_t, YamlNode> anchors_;
  YamlNode root_;
};

/// Line and column of a byte.
Place place_of(const std::string& file, std::string_view before) {
  const auto lines = std::count(before.begin(), before.end(), '\n');
  const std::size_t start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  return {file, static_cast<unsigned>(lines) + 1, static_cast<unsigned>(before.size() - start) + 1};
}

}  // namespace

const YamlNode* YamlNode::find(std::string_view key) const {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i].text == key) return &items[i];
  }
  return nullptr;
}

void YamlNode::place_at(unsigned at_line, unsigned at_column) {
  line = at_line;
  column = at_column;
  for (YamlNode& key : keys) key.place_at(at_line, at_column);
  for (YamlNode& item : items) item.place_at(at_line, at_column);
}

std::string YamlNode::describe() const {
  switch (kind) {
    case Kind::null:
      return "nothing";
    case Kind::list:
      return "a list";
    case Kind::map:
      return "a map";
    case Kind::scalar:
      break;
  }
  return text.empty() ? "an empty text" : excerpt(text);
}

bool parse_yaml(const std::string& text, const std::string& file, YamlNode& root, Diagnostics& diagnostics,
                const YamlLimits& limits) {
  if (text.size() > limits.file_bytes) {
    diagnostics.add({file}, {}, kFileTooLarge, {}, fmt::format("up to {} bytes", limits.file_bytes));
    return false;
  }
  if (const TextFault fault = find_text_fault(text)) {
    diagnostics.add(place_of(file, std::string_view(text).substr(0, fault.at)), {},
                    std::string("not a text file: ") + fault.problem);
    return false;
  }
  try {
    const bool whole_line = text.empty() || text.back() == '\n';
    std::istringstream in(text + (whole_line ? "" : "\n") + std::string(kSentinel));
    YAML::Parser parser(in);
    TreeBuilder builder(limits);
    const bool any = parser.HandleNextDocument(builder);
    root = builder.take_root();
    if (!any || root.kind == YamlNode::Kind::null) {
      diagnostics.add({file, 1, 1}, {}, "the file is empty", {}, "a map of keys and values");
      return false;
    }
    if (root.kind != YamlNode::Kind::map) {
      diagnostics.add({file, root.line, root.column}, {}, "the file must be a map of keys and values", root.describe());
      return false;
    }
    TreeBuilder second(limits);
    if (parser.HandleNextDocument(second)) {
      const YamlNode extra = second.take_root();
      diagnostics.add({file, extra.line, extra.column}, {}, "a second YAML document in one file");
      return false;
    }
    return true;
  } catch (const Refused& refused) {
    diagnostics.add({file, refused.line, refused.column}, {}, refused.message, refused.found);
  } catch (const YAML::Exception& error) {
    diagnostics.add({file, from_one(error.mark.line), from_one(error.mark.column)}, {}, "not YAML: " + error.msg);
  }
  return false;
}

bool load_yaml(const std::string& file, YamlNode& root, Diagnostics& diagnostics, const YamlLimits& limits) {
  std::string text, problem;
  if (read_regular_file(file, limits.file_bytes, text, problem))
    return parse_yaml(text, file, root, diagnostics, limits);
  diagnostics.add({file}, {}, problem, {},
                  problem == kFileTooLarge ? fmt::format("up to {} bytes", limits.file_bytes) : std::string());
  return false;
}

}  // namespace gputlm
