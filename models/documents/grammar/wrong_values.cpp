#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "models/documents/grammar/shapes.hpp"
#include "models/documents/grammar/unit_suggestions.hpp"
#include "models/documents/number.hpp"
#include "models/documents/problem.hpp"

namespace spillway::grammar {
namespace {

using documents::Kind;
using documents::Node;

// Formats the value of a number; its notation in the file may differ.
std::string written_number(const Node& node) {
  return (node.negative ? "-" : "") +
         (node.kind == Kind::integer ? std::to_string(node.magnitude) : number_text(node.number));
}

// True for the keys of latencies, whose numbers without a unit are in milliseconds.
bool is_latency(std::string_view what) {
  return what == "latency" || what == "jitter" || what == "p50" || what == "p90" || what == "p95" || what == "p99" ||
         what == "p999";
}

bool is_bare_number(std::string_view text) {
  return text.find_first_not_of("0123456789.") == std::string_view::npos;
}

// Returns the likely intended spelling of a text or number; empty if none is likely.
std::string meant_spelling(const Node& node, std::string_view what, std::string_view expected) {
  if (node.kind != Kind::string && node.kind != Kind::integer && node.kind != Kind::number) {
    return {};
  }
  const std::string text = node.kind == Kind::string ? node.text : written_number(node);
  const bool in_seconds = expected.starts_with("a duration in seconds");
  if (expected.starts_with("a duration")) {
    std::string meant = meant_duration(is_latency(what) && is_bare_number(text) ? text + "ms" : text);
    const auto read = in_seconds ? read_duration(meant) : std::nullopt;
    return !read || read_proto_duration(meant) ? meant : number_text(static_cast<double>(read->count()) / 1e9) + "s";
  }
  if (expected.starts_with("a rate") || expected.starts_with("phases")) {
    return meant_rate(text);
  }
  return expected.starts_with("a percentage") || expected.starts_with("a health timeline") ? meant_percent(text) : "";
}

// True for the lists of a scenario's own keys.
bool one_of_ours(std::string_view what) {
  for (const char* const name :
       {"zones", "nodes", "links", "services", "endpoints", "clusters", "load_assignments", "clients", "timeline",
        "expect", "objectives", "failures", "between", "link", "columns", "rows"}) {
    if (what == name) {
      return true;
    }
  }
  return false;
}

// Returns advice on a value of another kind; empty if there is none.
std::string suggestion_of_kind(const Node& node, std::string_view what, std::string_view expected) {
  if (const std::string meant = meant_spelling(node, what, expected); !meant.empty()) {
    return "did you mean " + in_ticks(meant) + "?";
  }
  const bool amount = expected.starts_with("a percentage") || expected.starts_with("a health timeline");
  if (amount && node.kind == Kind::boolean) {
    return "`100%` means all of them, `0%` none";
  }
  const bool all_objects =
      !node.members.empty() && std::all_of(node.members.begin(), node.members.end(), [](const auto& member) {
        return member.value.kind == Kind::object || member.value.kind == Kind::null;
      });
  // Documents of Envoy, Kuma and Istio have advice of their own.
  const bool own = one_of_ours(what);
  if (expected == "a list" && own && node.kind == Kind::object) {
    return all_objects ? "each is an item of the list with its name in it: `- name: " + node.members.front().key + "`"
                       : "put it into brackets, or write `- ` before its first key: a list of one";
  }
  if (expected == "a list" && what == "endpoints") {
    return "their number belongs into the list: `endpoints: [{ count: " +
           (node.kind == Kind::integer ? written_number(node) : "2") + ", zone: NAME }]`";
  }
  if (expected == "a list" && own && (node.kind == Kind::string || node.kind == Kind::integer)) {
    return "put it into brackets: a list of one";
  }
  if (expected == "true or false" && what == "outage") {
    return "`true` begins it, and an event with `false` at a later `at` ends it";
  }
  if (expected == "an object" && what == "the scenario") {
    return "a scenario is an object with keys such as `duration: 60s` and `zones: [{ name: a }]`: `spillway docs "
           "tutorial`";
  }
  if (expected == "an object" && node.kind == Kind::array && node.items.size() == 1) {
    return "it is one object, not a list: remove the brackets or the `- `";
  }
  if (expected == "an object" && what == "workload" && node.kind != Kind::array) {
    return "for example `workload: { service: NAME, rate: 100rps }`";
  }
  const bool number = expected.starts_with("a whole number") || expected.starts_with("a number");
  Node room;
  if (number && node.kind == Kind::string &&
      documents::read_number(node.text, room) == documents::NumberVerdict::fine) {
    return "remove the quotes to make it a number";
  }
  return expected == "true or false" && node.kind == Kind::string && boolean_of(node.text)
             ? std::string("did you mean `") + (*boolean_of(node.text) ? "true" : "false") + "`?"
             : std::string();
}

}  // namespace

std::string number_text(double value) {
  constexpr double exact = 1e15;
  const bool is_whole = std::abs(value) < exact && std::trunc(value) == value;
  return is_whole ? std::to_string(static_cast<std::int64_t>(value)) : fmt::format("{}", value);
}

std::optional<bool> boolean_of(const std::string& text) {
  std::string word = text;
  std::transform(word.begin(), word.end(), word.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  for (const auto& [yes, no] : {std::pair("TRUE", "FALSE"), {"T", "F"}, {"YES", "NO"}, {"Y", "N"}, {"1", "0"}}) {
    if (word == yes || word == no) {
      return word == yes;
    }
  }
  return std::nullopt;
}

void wrong_kind(const Node& node, std::string_view what, std::string_view expected, Diagnostics& problems) {
  const std::string found(documents::describe_kind(node.kind));
  problems.error("SP022", node.span, "`{0}`: expected {1}, found {2}", "expected {1}", {what, expected, found});
  if (std::string suggestion = suggestion_of_kind(node, what, expected); !suggestion.empty()) {
    problems.back().helps.push_back(std::move(suggestion));
  }
}

void wrong_object(const Node& node, std::string_view what, const Schema& object, Diagnostics& problems) {
  wrong_kind(node, what, "an object", problems);
  const bool has_name = std::any_of(object.properties.begin(), object.properties.end(),
                                    [](const Property& property) { return property.name == "name"; });
  if (node.kind == Kind::string && has_name && what != "the scenario") {
    problems.back().helps.push_back("did you mean `{ name: " + node.text + " }`?");
  }
}

void wrong_spelling(const Node& node, std::string_view what, std::string_view expected, Diagnostics& problems) {
  problems.error("SP024", node.span, "cannot read `{}`", "must be {}", {what, expected});
  if (const std::string meant = meant_spelling(node, what, expected); !meant.empty()) {
    problems.back().helps.push_back("did you mean " + in_ticks(meant) + "?");
  }
}

}  // namespace spillway::grammar
