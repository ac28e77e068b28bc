#include "sim/scenario/messages/events.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "sim/scenario/messages/planning.hpp"

namespace spillway::messages {

namespace {

const grammar::Whole failing_status{400, 599, "an answer with another status is no failure"};
const grammar::Choice failures{{"reset", "connect_failure", "no_answer"}, {}};
// In the order of scenario::CheckAnswer, without `status`.
const grammar::Choice check_answers{
    {"healthy", "degraded", "unhealthy", "immediate_health_check_fail", "reset", "connect_failure", "no_answer"}, {}};
const grammar::Whole checked_status{200, 599, "no answer to a request has another status"};

// Reads a status, or a word by its position. False if it is neither (reported).
bool read_status_or(const grammar::Whole& statuses, const grammar::Choice& words, const documents::Node& node,
                    std::optional<std::uint32_t>& status, std::size_t& word, std::string_view what,
                    Diagnostics& problems) {
  if (node.kind == documents::Kind::integer) {
    std::uint64_t number = 0;
    const bool well = statuses.read(node, number, what, problems);
    status = static_cast<std::uint32_t>(number);
    return well;
  }
  if (node.kind != documents::Kind::string) {
    grammar::wrong_kind(node, what,
                        "a status from " + std::to_string(statuses.minimum) + " to " +
                            std::to_string(statuses.maximum) + ", or " + grammar::listed(words.words),
                        problems);
    return false;
  }
  return words.read(node, word, what, problems);
}

// Returns 3 for "every 3rd"; 0 for any other form.
std::uint32_t number_of_turn(const std::string& text) {
  constexpr std::string_view begin = "every ";
  constexpr std::size_t most_digits = 9;
  if (!text.starts_with(begin) || text.size() < begin.size() + 3) {
    return 0;
  }
  const std::string ending = text.substr(text.size() - 2);
  const std::string digits = text.substr(begin.size(), text.size() - begin.size() - 2);
  const bool well = (ending == "st" || ending == "nd" || ending == "rd" || ending == "th") && digits.front() != '0' &&
                    digits.size() <= most_digits &&
                    std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
  return well ? static_cast<std::uint32_t>(std::stoul(digits)) : 0;
}

}  // namespace

bool AdditionShape::read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
  if (node.kind == documents::Kind::array) {
    return grammar::ListOf<grammar::Record<EndpointGroup>>{{}, 1}.read(node, into.groups, what, problems);
  }
  if (node.kind != documents::Kind::integer && node.kind != documents::Kind::string) {
    grammar::wrong_kind(node, what, "a list of endpoints, a percentage or a number", problems);
    return false;
  }
  Amount back;
  if (!AmountShape{}.read(node, back, what, problems)) {
    return false;
  }
  into.back = back;
  return true;
}

grammar::Schema AdditionShape::schema(grammar::Definitions& definitions) const {
  grammar::Schema schema = AmountShape{}.schema(definitions);
  schema.any_of.push_back(grammar::ListOf<grammar::Record<EndpointGroup>>{{}, 1}.schema(definitions));
  return schema;
}

bool FailureShape::read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
  std::optional<std::uint32_t> status;
  std::size_t word = 0;
  const bool well = read_status_or(failing_status, failures, node, status, word, what, problems);
  // The words are those of scenario::Failure, from its second one on.
  into = {status ? scenario::Failure::status : static_cast<scenario::Failure>(word + 1), status.value_or(0)};
  return well;
}

grammar::Schema FailureShape::schema(grammar::Definitions& definitions) const {
  return {.any_of = {failing_status.schema(definitions), failures.schema(definitions)}};
}

bool FailurePartShape::read(const documents::Node& node, Value& into, std::string_view what,
                            Diagnostics& problems) const {
  if (node.kind == documents::Kind::string && node.text.starts_with("every")) {
    into.every = number_of_turn(node.text);
    into.fraction = into.every == 0 ? 0.0 : 1.0 / into.every;
    if (into.every == 0) {
      grammar::wrong_spelling(node, what, "a percentage such as 25%, or `every 3rd`", problems);
    }
    return into.every > 0;
  }
  return FractionText{}.read(node, into.fraction, what, problems);
}

grammar::Schema FailurePartShape::schema(grammar::Definitions& definitions) const {
  return {.any_of = {grammar::PercentText{}.schema(definitions),
                     grammar::pattern_schema("every ([1-9][0-9]{0,8})(st|nd|rd|th)")}};
}

bool CheckAnswerShape::read(const documents::Node& node, Value& into, std::string_view what,
                            Diagnostics& problems) const {
  std::optional<std::uint32_t> status;
  std::size_t word = 0;
  const bool well = read_status_or(checked_status, check_answers, node, status, word, what, problems);
  into.answer = status ? scenario::CheckAnswer::status : static_cast<scenario::CheckAnswer>(word);
  into.status = status.value_or(into.status);
  return well;
}

grammar::Schema CheckAnswerShape::schema(grammar::Definitions& definitions) const {
  return {.any_of = {checked_status.schema(definitions), check_answers.schema(definitions)}};
}

}  // namespace spillway::messages
