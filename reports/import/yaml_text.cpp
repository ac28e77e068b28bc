#include "reports/import/yaml_text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "models/config/lower_ascii.hpp"
#include "models/documents/json_writer.hpp"

namespace spillway::reports::importing {
namespace {

using documents::JsonText;
using documents::Kind;
using documents::Member;
using documents::Node;

constexpr std::size_t longest_line = 100;

// True for words that YAML does not read as text.
bool means_something_else(const std::string& text) {
  constexpr std::array words =
      std::to_array<std::string_view>({"true", "false", "null", "yes", "no", "on", "off", "y", "n", "~"});
  const std::string lower = config::to_lower_ascii(text);
  return std::find(words.begin(), words.end(), lower) != words.end();
}

bool is_plain(const std::string& text) {
  if (text.empty() || means_something_else(text) || std::isalpha(static_cast<unsigned char>(text.front())) == 0) {
    return false;
  }
  return std::all_of(text.begin(), text.end(), [](unsigned char letter) {
    return std::isalnum(letter) != 0 ||
           std::string_view("-_./").find(static_cast<char>(letter)) != std::string_view::npos;
  });
}

bool has_elements(const Node& value) {
  return !value.items.empty() || !value.members.empty();
}

}  // namespace

std::string yaml_scalar(const std::string& text) {
  return is_plain(text) ? text : documents::ascii_text(JsonText(text));
}

std::string yaml_flow(const Node& value) {
  if (value.kind == Kind::string) {
    return yaml_scalar(value.text);
  }
  if (!has_elements(value)) {
    return JsonText::of(value).text();
  }
  std::string text;
  for (const Node& item : value.items) {
    text += (text.empty() ? "" : ", ") + yaml_flow(item);
  }
  for (const Member& member : value.members) {
    text += (text.empty() ? "" : ", ") + yaml_scalar(member.key) + ": " + yaml_flow(member.value);
  }
  return value.kind == Kind::array ? "[" + text + "]" : "{ " + text + " }";
}

std::string yaml_block(const Node& value, int indent) {
  const std::string pad(static_cast<std::size_t>(indent), ' ');
  const std::string flow = yaml_flow(value);
  if (!has_elements(value) || flow.size() + pad.size() <= longest_line) {
    return pad + flow + "\n";
  }
  std::string text;
  for (const Node& item : value.items) {
    const std::string head = pad + "- ";
    const std::string line = yaml_flow(item);
    if (!has_elements(item) || head.size() + line.size() < longest_line) {
      text += head + line + "\n";
    } else {
      // The first line of the block follows the dash.
      std::string block = yaml_block(item, indent + 2);
      block.replace(0, head.size(), head);
      text += block;
    }
  }
  for (const Member& member : value.members) {
    const std::string head = pad + yaml_scalar(member.key) + ":";
    const std::string line = yaml_flow(member.value);
    const bool fits = !has_elements(member.value) || head.size() + line.size() < longest_line;
    text += head;
    text += fits ? " " + line : "\n" + yaml_block(member.value, indent + 2);
    text += fits ? "\n" : "";
  }
  return text;
}

}  // namespace spillway::reports::importing
