#include "models/kuma/messages/shapes.hpp"

#include <algorithm>
#include <limits>
#include <string_view>

#include "models/documents/grammar/spelled.hpp"

namespace spillway::messages {
namespace {

constexpr const char* go_duration = "a duration such as 500ms or 1h30m";
constexpr int most_parts = 6;  // their sum fits 64 bits

// Returns the end of the first part: "1h30m" -> the end of "1h".
std::size_t part_end(std::string_view text) {
  std::size_t end = text.find_first_not_of("0123456789.");
  while (end < text.size() && text[end] >= 'a' && text[end] <= 'z') {
    ++end;
  }
  return std::min(end, text.size());
}

std::optional<std::chrono::nanoseconds> read_go_duration(std::string_view text) {
  std::chrono::nanoseconds sum{0};
  if (text == "0") {
    return sum;
  }
  for (int parts = 0; parts < most_parts; ++parts) {
    const std::size_t end = part_end(text);
    const auto part = grammar::read_duration(text.substr(0, end));
    if (!part) {
      return std::nullopt;
    }
    sum += *part;
    text.remove_prefix(end);
    if (text.empty()) {
      return sum;
    }
  }
  return std::nullopt;
}

}  // namespace

bool IntOrString::read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
  if (node.kind == documents::Kind::string) {
    std::string text;
    const bool read = any_text.read(node, text, what, problems);
    into = std::move(text);
    return read;
  }
  if (node.kind != documents::Kind::integer) {
    grammar::wrong_kind(node, what, "a whole number or a text", problems);
    if (node.kind == documents::Kind::number) {
      problems.back().help("put it into quotes: Kuma takes decimals as texts only");
    }
    return false;
  }
  constexpr std::uint64_t largest = std::numeric_limits<std::int32_t>::max();
  if (node.magnitude > largest) {
    grammar::wrong_spelling(node, what, "a whole number of 32 bits", problems);
    return false;
  }
  const auto value = static_cast<std::int32_t>(node.magnitude);
  into = node.negative ? -value : value;
  return true;
}

grammar::Schema IntOrString::schema(grammar::Definitions& definitions) const {
  grammar::Schema whole;
  whole.type = "integer";
  whole.minimum = -static_cast<double>(std::numeric_limits<std::int32_t>::max());
  whole.maximum = static_cast<double>(std::numeric_limits<std::int32_t>::max());
  grammar::Schema schema;
  schema.any_of = {whole, any_text.schema(definitions)};
  return schema;
}

bool Word::read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
  std::size_t position = 0;
  if (!grammar::Choice{words, not_simulated}.read(node, position, what, problems)) {
    return false;
  }
  into = words[position];
  return true;
}

grammar::Schema Word::schema(grammar::Definitions& definitions) const {
  return grammar::Choice{words, not_simulated}.schema(definitions);
}

bool TagMap::read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
  const grammar::MapOf<grammar::Text> shape{any_text};
  grammar::MapOf<grammar::Text>::Value entries;
  if (!shape.read(node, entries, what, problems)) {
    return false;
  }
  for (const auto& entry : entries) {
    into[entry.name] = *entry.value;
  }
  return true;
}

grammar::Schema TagMap::schema(grammar::Definitions& definitions) const {
  return grammar::MapOf<grammar::Text>{any_text}.schema(definitions);
}

bool GoDuration::read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
  return grammar::read_spelled(node, into, what, go_duration, read_go_duration, problems);
}

grammar::Schema GoDuration::schema(grammar::Definitions& /*definitions*/) const {
  grammar::Schema schema;
  schema.type = "string";
  schema.pattern = "^(0|(" + grammar::duration_pattern() + "){1," + std::to_string(most_parts) + "})$";
  return schema;
}

}  // namespace spillway::messages
