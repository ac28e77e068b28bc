#include "sim/scenario/grammar/shapes.hpp"

#include <algorithm>
#include <cmath>

#include "sim/scenario/document/utf8.hpp"
#include "sim/scenario/grammar/suggestion.hpp"
#include "sim/scenario/problem.hpp"

namespace spillway::scenario::grammar {
namespace {

using document::Kind;
using document::Node;

std::string number_text(double value) {
  const auto whole = static_cast<std::int64_t>(value);
  return static_cast<double>(whole) == value ? std::to_string(whole) : std::to_string(value);
}

void out_of_bounds(const Node& node, std::string_view what, const std::string& bounds, const std::string& why,
                   Diagnostics& problems) {
  Diagnostic problem = error("SP023", in_ticks(what) + " is out of bounds", node.span, "must be " + bounds);
  if (!why.empty()) {
    problem.notes.push_back(why);
  }
  problems.push_back(std::move(problem));
}

Schema pattern_schema(const std::string& pattern) {
  Schema schema;
  schema.type = "string";
  schema.pattern = "^" + pattern + "$";
  return schema;
}

// What durations, percentages and rates have in common: a text that one function reads.
template <class Value, class Parse>
bool read_text(const Node& node, Value& into, std::string_view what, const char* expected, Parse parse,
               Diagnostics& problems) {
  if (node.kind != Kind::string) {
    wrong_kind(node, what, expected, problems);
    return false;
  }
  const auto value = parse(node.text);
  if (!value) {
    wrong_spelling(node, what, expected, problems);
    return false;
  }
  into = *value;
  return true;
}

}  // namespace

void wrong_kind(const Node& node, std::string_view what, std::string_view expected, Diagnostics& problems) {
  const std::string found(document::describe_kind(node.kind));
  problems.push_back(error("SP022", in_ticks(what) + " is of the wrong type", node.span,
                           "must be " + std::string(expected) + ", not " + found));
}

void wrong_spelling(const Node& node, std::string_view what, std::string_view expected, Diagnostics& problems) {
  problems.push_back(error("SP024", "cannot read " + in_ticks(what), node.span, "must be " + std::string(expected)));
}

bool Text::read(const Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
  if (node.kind != Kind::string) {
    wrong_kind(node, what, "a text", problems);
    if (node.kind == Kind::integer || node.kind == Kind::number || node.kind == Kind::boolean) {
      problems.back().helps.emplace_back("put it into quotes to make a text of it");
    }
    return false;
  }
  const std::size_t length = document::count_characters(node.text);
  if (length < min_length || length > max_length) {
    problems.push_back(
        error("SP024", in_ticks(what) + (length < min_length ? " is empty" : " is too long"), node.span,
              "must have " + std::to_string(min_length) + " to " + std::to_string(max_length) + " characters"));
    return false;
  }
  into = node.text;
  return true;
}

Schema Text::schema(Definitions& /*definitions*/) const {
  Schema schema;
  schema.type = "string";
  schema.min_length = min_length;
  schema.max_length = max_length;
  return schema;
}

bool Flag::read(const Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
  if (node.kind != Kind::boolean) {
    wrong_kind(node, what, "true or false", problems);
    return false;
  }
  into = node.boolean;
  return true;
}

Schema Flag::schema(Definitions& /*definitions*/) const {
  Schema schema;
  schema.type = "boolean";
  return schema;
}

bool Whole::read(const Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
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
  Schema schema;
  schema.type = "integer";
  schema.minimum = static_cast<double>(minimum);
  schema.maximum = static_cast<double>(maximum);
  return schema;
}

bool Number::read(const Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
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
  Schema schema;
  schema.type = "number";
  schema.minimum = minimum;
  schema.maximum = maximum;
  return schema;
}

bool DurationText::read(const Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
  return read_text(node, into, what, "a duration such as 20ms or 1.5s", read_duration, problems);
}

Schema DurationText::schema(Definitions& /*definitions*/) const {
  return pattern_schema(duration_pattern());
}

bool ProtoDuration::read(const Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
  return read_text(node, into, what, "a duration in seconds such as 0.5s, as Envoy writes it", read_proto_duration,
                   problems);
}

Schema ProtoDuration::schema(Definitions& /*definitions*/) const {
  return pattern_schema(proto_duration_pattern());
}

bool Rate::read(const Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
  if (node.kind == Kind::string) {
    return read_text(node, into, what, "a rate such as 200rps", read_rate, problems);
  }
  return Number{0.0, 1e9, "requests a second"}.read(node, into, what, problems);
}

Schema Rate::schema(Definitions& definitions) const {
  Schema schema;
  schema.any_of = {Number{0.0, 1e9}.schema(definitions), pattern_schema(rate_pattern())};
  return schema;
}

bool Bandwidth::read(const Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
  return read_text(node, into, what, "a bandwidth such as 1Gbps or 50Mbps", read_bandwidth, problems);
}

Schema Bandwidth::schema(Definitions& /*definitions*/) const {
  return pattern_schema(bandwidth_pattern());
}

bool Price::read(const Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
  const std::string expected = "a price such as 0.01/" + unit;
  return read_text(
      node, into, what, expected.c_str(), [&](std::string_view text) { return read_price(text, unit); }, problems);
}

Schema Price::schema(Definitions& /*definitions*/) const {
  return pattern_schema(price_pattern(unit));
}

bool PercentText::read(const Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
  return read_text(node, into, what, "a percentage such as 70%", read_percent, problems);
}

Schema PercentText::schema(Definitions& /*definitions*/) const {
  return pattern_schema(percent_pattern());
}

bool Choice::read(const Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
  if (node.kind != Kind::string) {
    wrong_kind(node, what, listed(words), problems);
    return false;
  }
  const auto found = std::find(words.begin(), words.end(), node.text);
  if (found != words.end()) {
    into = static_cast<std::size_t>(found - words.begin());
    return true;
  }
  if (std::find(not_played.begin(), not_played.end(), node.text) != not_played.end()) {
    problems.push_back(error("SP302", in_ticks(what) + ": " + in_ticks(node.text) + " is not played by this version",
                             node.span, "must be " + listed(words) + " for now"));
    return false;
  }
  const auto old =
      std::find_if(formerly.begin(), formerly.end(), [&](const auto& entry) { return entry.first == node.text; });
  if (old != formerly.end()) {
    problems.push_back(with_help(error("SP028", in_ticks(node.text) + " is a word of an older Envoy", node.span,
                                       "today: " + in_ticks(old->second)),
                                 "did you mean " + in_ticks(old->second) + "?"));
    return false;
  }
  Diagnostic problem = error("SP025", "unknown value " + in_ticks(node.text) + " for " + in_ticks(what), node.span,
                             "must be " + listed(words));
  std::vector<std::string> candidates = words;
  candidates.insert(candidates.end(), not_played.begin(), not_played.end());
  if (const std::string meant = nearest(node.text, candidates); !meant.empty()) {
    problem.helps.push_back("did you mean " + in_ticks(meant) + "?");
  }
  problems.push_back(std::move(problem));
  return false;
}

Schema Choice::schema(Definitions& /*definitions*/) const {
  Schema schema;
  schema.enumeration = words;
  return schema;
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
  problems.push_back(error("SP026", in_ticks(what) + (items < min_items ? " has too few items" : " has too many items"),
                           node.span, "must have " + bounds + ", has " + std::to_string(items)));
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

}  // namespace spillway::scenario::grammar
