#include "sim/scenario/messages/health_steps.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "models/documents/grammar/spelled.hpp"

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

std::optional<HealthStep> read_health(std::string_view text) {
  const auto amount = read_amount(text);
  return amount ? std::optional(HealthStep{*amount}) : std::nullopt;
}

// Reads the rates at the beginning and at the end.
std::optional<Phase> read_rates(std::string_view text) {
  const std::size_t dash = text.find('-');
  const auto from = grammar::read_rate(text.substr(0, dash));
  const auto to = dash == std::string_view::npos ? from : grammar::read_rate(text.substr(dash + 1));
  return from && to ? std::optional(Phase{*from, *to}) : std::nullopt;
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

// Reads `<step> <duration>`; the last step may lack its duration.
template <class Step, class Parse>
std::optional<Step> read_step(std::string_view text, bool last, const Parse& parse) {
  std::optional<Step> step = parse(take_until(text, ' '));
  skip_spaces(text);
  const auto lasts = last && text.empty() ? grammar::Nanoseconds{0} : grammar::read_duration(text);
  if (!step || !lasts) {
    return std::nullopt;
  }
  step->lasts = *lasts;
  return step;
}

template <class Step, class Parse>
std::optional<std::vector<Step>> read_steps(std::string_view text, const Parse& parse) {
  std::vector<Step> steps;
  for (bool last = false; !last;) {
    last = text.find(',') == std::string_view::npos;
    const std::string_view part = take_until(text, ',');
    // A trailing space would otherwise pass for an absent duration.
    const auto step = part.ends_with(' ') ? std::nullopt : read_step<Step>(part, last, parse);
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
  return {.any_of = {grammar::Whole{0, most_endpoints}.schema(definitions), grammar::pattern_schema(pattern)}};
}

// Reads a number of endpoints, or a text by `parse`.
template <class Value, class Made, class Parse>
bool read_count_or(const documents::Node& node, Value& into, std::string_view what, const char* expected,
                   const Made& made, const Parse& parse, Diagnostics& problems) {
  if (node.kind != documents::Kind::integer) {
    return grammar::read_spelled(node, into, what, expected, parse, problems);
  }
  std::uint64_t count = 0;
  const bool well = grammar::Whole{0, most_endpoints}.read(node, count, what, problems);
  into = made(static_cast<std::uint32_t>(count));
  return well;
}

}  // namespace

bool HealthSteps::read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
  const auto steps = [](std::string_view text) { return read_steps<HealthStep>(text, read_health); };
  return read_count_or(
      node, into, what, expected_steps, [](std::uint32_t count) { return Value{{count}}; }, steps, problems);
}

grammar::Schema HealthSteps::schema(grammar::Definitions& definitions) const {
  return number_or_pattern(steps_pattern(amount_pattern()), definitions);
}

bool PhaseSteps::read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
  return grammar::read_spelled(
      node, into, what, "phases such as \"10rps 10s, 10rps-50rps 20s, 0rps\"",
      [](std::string_view text) { return read_steps<Phase>(text, read_rates); }, problems);
}

grammar::Schema PhaseSteps::schema(grammar::Definitions& /*definitions*/) const {
  return grammar::pattern_schema(steps_pattern(grammar::rate_pattern() + "(-" + grammar::rate_pattern() + ")?"));
}

bool AmountShape::read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
  return read_count_or(
      node, into, what, expected_amount, [](std::uint32_t count) { return Value{count}; }, read_amount, problems);
}

grammar::Schema AmountShape::schema(grammar::Definitions& definitions) const {
  return number_or_pattern(amount_pattern(), definitions);
}

}  // namespace spillway::messages
