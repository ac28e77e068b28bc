#include "models/documents/grammar/shapes.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "models/config/lower_ascii.hpp"
#include "models/documents/grammar/spelled.hpp"
#include "models/documents/grammar/suggestion.hpp"
#include "models/documents/grammar/unit_suggestions.hpp"
#include "models/documents/node_edit.hpp"
#include "models/documents/number.hpp"
#include "models/documents/problem.hpp"
#include "models/documents/utf8.hpp"

namespace spillway::grammar {
namespace {

using documents::Kind;
using documents::Node;

void out_of_bounds(const Node& node, std::string_view what, const std::string& bounds, const std::string& why,
                   Diagnostics& problems) {
  Diagnostic& problem = problems.error("SP023", node.span, "`{}` is out of bounds", "must be {}", {what, bounds});
  if (!why.empty()) {
    problem.notes.push_back(why);
  }
}

std::string upper_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  return text;
}

bool read_as(Kind kind, const std::string& text, Node& into) {
  if (kind != Kind::boolean) {
    return documents::read_number(text, into) == documents::NumberVerdict::fine;
  }
  const std::optional<bool> value = boolean_of(text);
  into.kind = Kind::boolean;
  into.boolean = value.value_or(false);
  return value.has_value();
}

// Reads a google.protobuf.Duration written as a message.
bool read_duration_message(const Node& node, Nanoseconds& into, Diagnostics& problems) {
  constexpr std::uint64_t most_seconds = 999'999'999;
  constexpr std::uint64_t most_nanos = 999'999'999;
  Field<std::uint64_t> seconds;
  Field<std::uint64_t> nanos;
  Fields fields(node, problems);
  const std::size_t before = problems.size();
  fields.optional("seconds", seconds, Whole{0, most_seconds, {}, false}, "");
  fields.optional("nanos", nanos, Whole{0, most_nanos, {}, false}, "");
  fields.finish();
  into = std::chrono::seconds{seconds.value_or(0)} + Nanoseconds{nanos.value_or(0)};
  return problems.size() == before;
}

// Finds an enum value in a document for Envoy itself: by number, or by name in any case. Returns its position in
// `words`.
std::optional<std::size_t> position_in(const std::vector<std::string>& words, const std::vector<std::uint64_t>& numbers,
                                       const Node& written) {
  Node room;
  const Node& node = plain_value(written, Kind::integer, false, room);
  for (std::size_t position = 0; position < words.size(); ++position) {
    const std::uint64_t number = numbers.empty() ? position : numbers[position];
    if (node.kind == Kind::integer
            ? !node.negative && node.magnitude == number
            : node.kind == Kind::string && upper_case(node.text) == upper_case(words[position])) {
      return position;
    }
  }
  return std::nullopt;
}

// True for the numbers that a Protocol Buffers enum can have, named or not.
bool is_int32(const Node& written) {
  constexpr std::uint64_t below_zero = 1ULL << 31U;
  Node room;
  const Node& node = plain_value(written, Kind::integer, false, room);
  return node.kind == Kind::integer && node.magnitude < below_zero + (node.negative ? 1 : 0);
}

}  // namespace

Schema pattern_schema(const std::string& pattern) {
  return {.type = "string", .pattern = "^" + pattern + "$"};
}

bool Text::read(const Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
  if (node.kind != Kind::string) {
    wrong_kind(node, what, "a text", problems);
    if (node.kind == Kind::integer || node.kind == Kind::number || node.kind == Kind::boolean) {
      problems.back().help("put it into quotes to make it a text");
    }
    return false;
  }
  const std::size_t length = documents::count_characters(node.text);
  if (length < min_length || length > max_length) {
    if (max_length == any_number) {
      problems.error("SP024", node.span, "`{}` is empty", "must have {} or more characters", {what, min_length});
    } else {
      problems.error("SP024", node.span, "`{}`{}", "must have {} to {} characters",
                     {what, length < min_length ? " is empty" : " is too long", min_length, max_length});
    }
    return false;
  }
  into = node.text;
  return true;
}

Schema Text::schema(Definitions& /*definitions*/) const {
  Schema schema;
  schema.type = "string";
  schema.min_length = min_length;
  if (max_length != any_number) {
    schema.max_length = max_length;
  }
  return schema;
}

Node Text::write(const Value& value) const {
  return documents::make_node(value);
}

const Node& plain_value(const Node& node, Kind kind, bool wrapper, Node& room) {
  if (!node.protobuf) {
    return node;
  }
  const bool message = node.kind == Kind::object && wrapper;
  if (message && node.members.size() == 1 && node.members.front().key == "value") {
    return plain_value(node.members.front().value, kind, false, room);
  }
  if (message && node.members.empty()) {
    room.kind = kind;
  } else if (node.kind != Kind::string || !read_as(kind, node.text, room)) {
    return node;
  }
  room.span = node.span;
  return room;
}

bool Flag::read(const Node& written, Value& into, std::string_view what, Diagnostics& problems) const {
  Node room;
  const Node& node = plain_value(written, Kind::boolean, wrapper, room);
  if (node.kind != Kind::boolean) {
    wrong_kind(node, what, "true or false", problems);
    return false;
  }
  into = node.boolean;
  return true;
}

Schema Flag::schema(Definitions& /*definitions*/) const {
  return {.type = "boolean"};
}

Node Flag::write(const Value& value) const {
  Node node;
  node.kind = Kind::boolean;
  node.boolean = value;
  return node;
}

bool Whole::read(const Node& written, Value& into, std::string_view what, Diagnostics& problems) const {
  Node room;
  const Node& node = plain_value(written, Kind::integer, wrapper, room);
  if (node.kind != Kind::integer) {
    wrong_kind(node, what, "a whole number", problems);
    return false;
  }
  if (node.negative || node.magnitude < minimum || node.magnitude > maximum) {
    out_of_bounds(node, what, "a whole number from " + std::to_string(minimum) + " to " + std::to_string(maximum), why,
                  problems);
    return false;
  }
  into = node.magnitude;
  return true;
}

Schema Whole::schema(Definitions& /*definitions*/) const {
  return {.type = "integer", .minimum = static_cast<double>(minimum), .maximum = static_cast<double>(maximum)};
}

Node Whole::write(const Value& value) const {
  Node node;
  node.kind = Kind::integer;
  node.magnitude = value;
  node.number = static_cast<double>(value);
  return node;
}

bool Number::read(const Node& written, Value& into, std::string_view what, Diagnostics& problems) const {
  Node room;
  const Node& node = plain_value(written, Kind::number, wrapper, room);
  if (node.kind != Kind::integer && node.kind != Kind::number) {
    wrong_kind(node, what, "a number", problems);
    return false;
  }
  if (node.number < minimum || node.number > maximum) {
    out_of_bounds(node, what, "from " + number_text(minimum) + " to " + number_text(maximum), why, problems);
    return false;
  }
  into = node.number;
  return true;
}

Schema Number::schema(Definitions& /*definitions*/) const {
  return {.type = "number", .minimum = minimum, .maximum = maximum};
}

Node Number::write(const Value& value) const {
  Node node;
  node.kind = Kind::number;
  node.number = value;
  return node;
}

bool DurationText::read(const Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
  return read_spelled(node, into, what, "a duration such as 20ms or 1.5s", read_duration, problems);
}

Schema DurationText::schema(Definitions& /*definitions*/) const {
  return pattern_schema(duration_pattern());
}

bool ProtoDuration::read(const Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
  const bool read = node.protobuf && node.kind == Kind::object
                        ? read_duration_message(node, into, problems)
                        : read_spelled(node, into, what, "a duration in seconds such as 0.5s, as Envoy writes it",
                                       read_proto_duration, problems);
  if (read && above && into <= *above) {
    out_of_bounds(node, what, "above " + number_text(std::chrono::duration<double>(*above).count()) + "s", why,
                  problems);
    return false;
  }
  return read;
}

Schema ProtoDuration::schema(Definitions& /*definitions*/) const {
  return pattern_schema((above ? "(?!" + too_short + "$)" : std::string()) + proto_duration_pattern());
}

Node ProtoDuration::write(const Value& value) const {
  return documents::make_node(proto_duration_text(value));
}

bool Rate::read(const Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
  if (node.kind == Kind::string) {
    return read_spelled(node, into, what, "a rate such as 200rps", read_rate, problems);
  }
  return Number{0.0, 1e9, "requests a second"}.read(node, into, what, problems);
}

Schema Rate::schema(Definitions& definitions) const {
  return {.any_of = {Number{0.0, 1e9}.schema(definitions), pattern_schema(rate_pattern())}};
}

bool Bandwidth::read(const Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
  return read_spelled(node, into, what, "a bandwidth such as 1Gbps or 50Mbps", read_bandwidth, problems);
}

Schema Bandwidth::schema(Definitions& /*definitions*/) const {
  return pattern_schema(bandwidth_pattern());
}

bool Price::read(const Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
  const std::string expected = "a price such as 0.01/" + unit;
  return read_spelled(
      node, into, what, expected.c_str(), [&](std::string_view text) { return read_price(text, unit); }, problems);
}

Schema Price::schema(Definitions& /*definitions*/) const {
  return pattern_schema(price_pattern(unit));
}

bool PercentText::read(const Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
  return read_spelled(node, into, what, "a percentage such as 70%", read_percent, problems);
}

Schema PercentText::schema(Definitions& /*definitions*/) const {
  return pattern_schema(percent_pattern());
}

bool Choice::read(const Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
  if (const auto position = node.protobuf ? position_in(words, numbers, node) : std::nullopt) {
    into = *position;
    return true;
  }
  if (node.protobuf && otherwise && is_int32(node)) {
    into = *otherwise;
    return true;
  }
  if (node.protobuf && unnamed != nullptr && is_int32(node)) {
    problems.error("SP302", node.span, "a number of `{}` without a name is not supported yet", "{}", {what, unnamed});
    return false;
  }
  if (node.kind != Kind::string) {
    wrong_kind(node, what, listed(words), problems);
    return false;
  }
  // Envoy accepts names of its enums in any case.
  const auto found = std::find_if(words.begin(), words.end(), [&](const std::string& word) {
    return word == node.text || (node.envoys_own && config::to_lower_ascii(word) == config::to_lower_ascii(node.text));
  });
  if (found != words.end()) {
    into = static_cast<std::size_t>(found - words.begin());
    return true;
  }
  if (std::find(not_simulated.begin(), not_simulated.end(), node.text) != not_simulated.end()) {
    problems.error("SP302", node.span, "`{}`: `{}` is not supported yet", "must be {} for now",
                   {what, node.text, listed(words)});
    return false;
  }
  const auto old =
      std::find_if(formerly.begin(), formerly.end(), [&](const auto& entry) { return entry.first == node.text; });
  if (old != formerly.end()) {
    problems.error("SP028", node.span, "`{}` is a word of an older Envoy", "today: `{}`", {node.text, old->second})
        .help("did you mean `{}`?", {old->second});
    return false;
  }
  std::vector<std::string> candidates = words;
  candidates.insert(candidates.end(), not_simulated.begin(), not_simulated.end());
  suggest(
      problems.error("SP025", node.span, "unknown value `{}` for `{}`", "must be {}", {node.text, what, listed(words)}),
      node.text, candidates);
  return false;
}

Schema Choice::schema(Definitions& /*definitions*/) const {
  return {.enumeration = words};
}

Node Choice::write(const Value& value) const {
  return documents::make_node(words.at(value));
}

bool check_length(const Node& node, std::uint64_t min_items, std::uint64_t max_items, std::string_view what,
                  Diagnostics& problems) {
  const std::uint64_t items = node.items.size();
  if (items >= min_items && items <= max_items) {
    return true;
  }
  const std::string bounds = min_items == max_items ? std::to_string(min_items)
                             : items < min_items    ? "at least " + std::to_string(min_items)
                                                    : "at most " + std::to_string(max_items);
  problems.error("SP026", node.span, "`{}`{}", "must have {}, has {}",
                 {what, items < min_items ? " has too few items" : " has too many items", bounds, items});
  return false;
}

Schema list_schema(Schema items, std::uint64_t min_items, std::uint64_t max_items) {
  Schema schema;
  schema.type = "array";
  schema.items = {std::move(items)};
  if (min_items > 0) {
    schema.min_items = min_items;
  }
  if (max_items != any_number) {
    schema.max_items = max_items;
  }
  return schema;
}

}  // namespace spillway::grammar
