#include "reports/import/yaml_text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace spillway::reports::importing {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t longest_line = 100;

// True for words that YAML does not read as text.
bool means_something_else(const std::string& text) {
  constexpr std::array words =
      std::to_array<std::string_view>({"true", "false", "null", "yes", "no", "on", "off", "y", "n", "~"});
  std::string lower = text;
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
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

}  // namespace

std::string yaml_scalar(const std::string& text) {
  return is_plain(text) ? text : Json(text).dump(-1, ' ', true, Json::error_handler_t::replace);
}

std::string yaml_flow(const Json& value) {
  if (value.is_string()) {
    return yaml_scalar(value.get<std::string>());
  }
  if (!value.is_structured()) {
    return value.dump();
  }
  if (value.empty()) {
    return value.is_array() ? "[]" : "{}";
  }
  std::string text;
  for (const auto& [key, member] : value.items()) {
    text += text.empty() ? "" : ", ";
    text += value.is_array() ? yaml_flow(member) : yaml_scalar(key) + ": " + yaml_flow(member);
  }
  return value.is_array() ? "[" + text + "]" : "{ " + text + " }";
}

std::string yaml_block(const Json& value, int indent) {
  const std::string pad(static_cast<std::size_t>(indent), ' ');
  const std::string flow = yaml_flow(value);
  if (!value.is_structured() || value.empty() || flow.size() + pad.size() <= longest_line) {
    return pad + flow + "\n";
  }
  std::string text;
  for (const auto& [key, member] : value.items()) {
    const std::string head = value.is_array() ? pad + "- " : pad + yaml_scalar(key) + ":";
    const std::string line = yaml_flow(member);
    if (!member.is_structured() || member.empty() || head.size() + line.size() < longest_line) {
      text += head + (value.is_array() ? "" : " ") + line + "\n";
    } else if (value.is_array()) {
      // The first line of the block follows the dash.
      std::string block = yaml_block(member, indent + 2);
      block.replace(0, pad.size() + 2, head);
      text += block;
    } else {
      text += head + "\n" + yaml_block(member, indent + 2);
    }
  }
  return text;
}

}  // namespace spillway::reports::importing
