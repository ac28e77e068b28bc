// Texts of both syntaxes: read or refused, and a tree that is written as JSON is read as the same tree.
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "models/documents/diagnostic_pages.hpp"
#include "models/documents/parse.hpp"
#include "models/documents/problem.hpp"
#include "models/documents/render_diagnostics.hpp"
#include "models/documents/tree_builder.hpp"
#include "models/documents/utf8.hpp"
#include "tests/fuzz/targets/targets.hpp"

namespace spillway::fuzzing {
namespace {

using documents::Kind;
using documents::Node;

void write(const Node& node, std::string& text) {
  switch (node.kind) {
    case Kind::null:
      text += "null";
      break;
    case Kind::boolean:
      text += node.boolean ? "true" : "false";
      break;
    case Kind::integer:
      text += (node.negative ? "-" : "") + std::to_string(node.magnitude);
      break;
    case Kind::number:
      text += nlohmann::json(node.number).dump();
      break;
    case Kind::string:
      text += nlohmann::json(node.text).dump();
      break;
    case Kind::array:
      text += '[';
      for (std::size_t item = 0; item < node.items.size(); ++item) {
        text += item == 0 ? "" : ",";
        write(node.items[item], text);
      }
      text += ']';
      break;
    case Kind::object:
      text += '{';
      for (std::size_t member = 0; member < node.members.size(); ++member) {
        text += (member == 0 ? "" : ",") + nlohmann::json(node.members[member].key).dump() + ":";
        write(node.members[member].value, text);
      }
      text += '}';
  }
}

bool same(const Node& one, const Node& other) {
  if (one.kind != other.kind || one.boolean != other.boolean || one.magnitude != other.magnitude ||
      one.number != other.number || one.items.size() != other.items.size() ||
      one.members.size() != other.members.size() || (one.kind == Kind::string && one.text != other.text)) {
    return false;
  }
  for (std::size_t item = 0; item < one.items.size(); ++item) {
    if (!same(one.items[item], other.items[item])) {
      return false;
    }
  }
  for (std::size_t member = 0; member < one.members.size(); ++member) {
    if (one.members[member].key != other.members[member].key ||
        !same(one.members[member].value, other.members[member].value)) {
      return false;
    }
  }
  return true;
}

std::optional<Node> read(const std::string& name, const std::string& text, bool documents) {
  Sources sources = {{name, text}};
  Diagnostics problems;
  auto node = documents ? documents::parse_documents(sources, 0, problems) : documents::parse(sources, 0, problems);
  // After some errors, such as a key that stands twice, there is a tree as well, of which more is said.
  require(node.has_value() || has_errors(problems), "read or refused");
  for (const Diagnostic& problem : problems) {
    require(documents::find_diagnostic_code(problem.code) != nullptr, "every diagnostic has a code that is known");
    require(problem.where.line > 0 && problem.where.column > 0 && problem.where.length > 0, "and a place");
  }
  const std::string shown = documents::render_diagnostics(problems, sources);
  require(!documents::find_invalid_utf8(shown), "what is said is UTF-8");
  require(shown.find('\x1b') == std::string::npos, "what is said drives no terminal");
  return has_errors(problems) ? std::nullopt : std::move(node);
}

}  // namespace

// The first byte says in which syntax, and whether several documents may stand in it.
void read_syntax(std::string_view text) {
  const unsigned form = text.empty() ? 0 : static_cast<unsigned char>(text.front());
  const std::string rest(text.substr(text.empty() ? 0 : 1));
  const auto tree = read((form & 1U) != 0 ? "fuzzed.json" : "fuzzed.yaml", rest, (form & 2U) != 0);
  if (!tree) {
    return;
  }
  std::string written;
  write(*tree, written);
  // A few aliases make much text of little.
  if (written.size() > 20'000) {
    return;
  }
  const auto again = read("written.json", written, false);
  require(again && same(*tree, *again), "a tree that is written as JSON is read as the same tree");
}

}  // namespace spillway::fuzzing
