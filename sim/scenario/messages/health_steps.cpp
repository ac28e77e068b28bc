#include "sim/scenario/messages/health_steps.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace spillway::messages {
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

// Reads the rates at the beginning and at the end.
std::optional<std::pair<double, double>> read_rates(std::string_view text) {
  const std::size_t dash = text.find('-');
  const auto from = grammar::read_rate(text.substr(0, dash));
  const auto to = dash == std::string_view::npos ? from : grammar::read_rate(text.substr(dash + 1));
  return from && to ? std::optional(std::pair(*from, *to)) : std::nullopt;
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

template <class Value>
struct Step {
  Value value;
  grammar::Nanoseconds lasts{0};
};

// Reads `<value> <duration>`; the last step may lack its duration.
template <class Value, class Parse>
std::optional<Step<Value>> read_step(std::string_view text, bool last, Parse parse) {
  const std::string_view value_text = take_until(text, ' ');
  const std::optional<Value> value = parse(value_text);
  if (!value) {
    return std::nullopt;
  }
  skip_spaces(text);
  if (text.empty()) {
    return last ? std::optional(Step<Value>{*value}) : std::nullopt;
  }
  const auto lasts = grammar::read_duration(text);
  return lasts ? std::optional(Step<Value>{*value, *lasts}) : std::nullopt;
}

template <class Value, class Parse>
std::optional<std::vector<Step<Value>>> read_steps(std::string_view text, Parse parse) {
  std::vector<Step<Value>> steps;
  for (bool last = false; !last;) {
    last = text.find(',') == std::string_view::npos;
    const std::string_view part = take_until(text, ',');
    // A trailing space would otherwise pass for an absent duration.
    const auto step = part.ends_with(' ') ? std::nullopt : read_step<Value>(part, last, parse);
    if (!step) {
      return std::nullopt;
    }
    steps.push_back(*step);
    skip_spaces(text);
  }
  return steps;
}

std::string steps_pattern(const std::string& value) {
  const std::string& duration = grammar::duration_pattern();
  return "(" + value + " +" + duration + ", *)*" + value + "( +" + duration + ")?";
}

std::string amount_pattern() {
  return "(" + grammar::percent_pattern() + "|[0-9]{1,9})";
}

grammar::Schema number_or_pattern(const std::string& pattern, grammar::Definitions& definitions) {
  grammar::Schema text;
  text.type = "string";
  text.pattern = "^" + pattern + "$";
  return {.any_of = {grammar::Whole{0, most_endpoints}.schema(definitions), text}};
}

}  // namespace

bool HealthSteps::read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
  if (node.kind == documents::Kind::integer) {
    std::uint64_t count = 0;
    if (!grammar::Whole{0, most_endpoints}.read(node, count, what, problems)) {
      return false;
    }
    into = {HealthStep{static_cast<std::uint32_t>(count), grammar::Nanoseconds{0}}};
    return true;
  }
  if (node.kind != documents::Kind::string) {
    grammar::wrong_kind(node, what, expected_steps, problems);
    return false;
  }
  const auto steps = read_steps<Amount>(node.text, read_amount);
  if (!steps) {
    grammar::wrong_spelling(node, what, expected_steps, problems);
    return false;
  }
  for (const auto& step : *steps) {
    into.push_back({step.value, step.lasts});
  }
  return true;
}

grammar::Schema HealthSteps::schema(grammar::Definitions& definitions) const {
  return number_or_pattern(steps_pattern(amount_pattern()), definitions);
}

bool PhaseSteps::read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
  constexpr const char* expected = "phases such as \"10rps 10s, 10rps-50rps 20s, 0rps\"";
  if (node.kind != documents::Kind::string) {
    grammar::wrong_kind(node, what, expected, problems);
    return false;
  }
  const auto steps = read_steps<std::pair<double, double>>(node.text, read_rates);
  if (!steps) {
    grammar::wrong_spelling(node, what, expected, problems);
    return false;
  }
  for (const auto& step : *steps) {
    into.push_back({step.value.first, step.value.second, step.lasts});
  }
  return true;
}

grammar::Schema PhaseSteps::schema(grammar::Definitions& /*definitions*/) const {
  return {.type = "string",
          .pattern = "^" + steps_pattern(grammar::rate_pattern() + "(-" + grammar::rate_pattern() + ")?") + "$"};
}

bool AmountShape::read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
  if (node.kind == documents::Kind::integer) {
    std::uint64_t count = 0;
    if (!grammar::Whole{0, most_endpoints}.read(node, count, what, problems)) {
      return false;
    }
    into = static_cast<std::uint32_t>(count);
    return true;
  }
  if (node.kind != documents::Kind::string) {
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

}  // namespace spillway::messages
