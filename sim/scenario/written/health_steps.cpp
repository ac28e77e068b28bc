#include "sim/scenario/written/health_steps.hpp"

#include <algorithm>
#include <optional>

namespace spillway::scenario::written {
namespace {

constexpr std::uint64_t most_endpoints = 999'999'999;
constexpr const char* expected_steps = "a health timeline such as \"100% 10s, 80% 10s, 0%\"";
constexpr const char* expected_amount = "a percentage such as 60%, or a number of endpoints";

std::optional<Amount> read_amount(std::string_view text) {
  if (const auto percent = grammar::read_percent(text)) {
    return Amount{*percent};
  }
  if (const auto count = grammar::read_count(text)) {
    return Amount{*count};
  }
  return std::nullopt;
}

std::string_view take_until(std::string_view& text, char separator) {
  const std::size_t at = std::min(text.find(separator), text.size());
  const std::string_view part = text.substr(0, at);
  text.remove_prefix(std::min(at + 1, text.size()));
  return part;
}

void skip_spaces(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
}

std::optional<HealthStep> read_step(std::string_view text, bool last) {
  const std::string_view amount_text = take_until(text, ' ');
  const auto amount = read_amount(amount_text);
  if (!amount) {
    return std::nullopt;
  }
  skip_spaces(text);
  if (text.empty()) {
    return last ? std::optional(HealthStep{*amount, grammar::Nanoseconds{0}}) : std::nullopt;
  }
  const auto lasts = grammar::read_duration(text);
  return lasts ? std::optional(HealthStep{*amount, *lasts}) : std::nullopt;
}

std::optional<std::vector<HealthStep>> read_steps(std::string_view text) {
  std::vector<HealthStep> steps;
  for (bool last = false; !last;) {
    last = text.find(',') == std::string_view::npos;
    const std::string_view part = take_until(text, ',');
    // A trailing space would otherwise pass for an absent duration.
    const auto step = part.ends_with(' ') ? std::nullopt : read_step(part, last);
    if (!step) {
      return std::nullopt;
    }
    steps.push_back(*step);
    skip_spaces(text);
  }
  return steps;
}

std::string amount_pattern() {
  return "(" + grammar::percent_pattern() + "|[0-9]{1,9})";
}

grammar::Schema number_or_pattern(const std::string& pattern, grammar::Definitions& definitions) {
  grammar::Schema text;
  text.type = "string";
  text.pattern = "^" + pattern + "$";
  grammar::Schema schema;
  schema.any_of = {grammar::Whole{0, most_endpoints}.schema(definitions), text};
  return schema;
}

}  // namespace

bool HealthSteps::read(const document::Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
  if (node.kind == document::Kind::integer) {
    std::uint64_t count = 0;
    if (!grammar::Whole{0, most_endpoints}.read(node, count, what, problems)) {
      return false;
    }
    into = {HealthStep{static_cast<std::uint32_t>(count), grammar::Nanoseconds{0}}};
    return true;
  }
  if (node.kind != document::Kind::string) {
    grammar::wrong_kind(node, what, expected_steps, problems);
    return false;
  }
  auto steps = read_steps(node.text);
  if (!steps) {
    grammar::wrong_spelling(node, what, expected_steps, problems);
    return false;
  }
  into = std::move(*steps);
  return true;
}

grammar::Schema HealthSteps::schema(grammar::Definitions& definitions) const {
  const std::string& duration = grammar::duration_pattern();
  return number_or_pattern(
      "(" + amount_pattern() + " +" + duration + ", *)*" + amount_pattern() + "( +" + duration + ")?", definitions);
}

bool AmountShape::read(const document::Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
  if (node.kind == document::Kind::integer) {
    std::uint64_t count = 0;
    if (!grammar::Whole{0, most_endpoints}.read(node, count, what, problems)) {
      return false;
    }
    into = static_cast<std::uint32_t>(count);
    return true;
  }
  if (node.kind != document::Kind::string) {
    grammar::wrong_kind(node, what, expected_amount, problems);
    return false;
  }
  const auto amount = read_amount(node.text);
  if (!amount) {
    grammar::wrong_spelling(node, what, expected_amount, problems);
    return false;
  }
  into = *amount;
  return true;
}

grammar::Schema AmountShape::schema(grammar::Definitions& definitions) const {
  return number_or_pattern(amount_pattern(), definitions);
}

}  // namespace spillway::scenario::written
