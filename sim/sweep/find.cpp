#include "sim/sweep/find.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "models/documents/problem.hpp"
#include "sim/plan/failures.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "sim/sweep/searches.hpp"
#include "sim/sweep/side.hpp"
#include "sim/sweep/space.hpp"
#include "sim/sweep/trials.hpp"

namespace spillway::sweep {
namespace {

using scenario::Reading;

Reading no_search(Diagnostics problems, Sources sources) {
  return {std::nullopt, std::move(problems), std::move(sources)};
}

// Returns the names of the failures at both ends of the range, with the baseline first, or their diagnostics.
std::variant<std::vector<std::string>, Reading> failures_of_range(const Side& side, const Space& range,
                                                                  const Sources& texts) {
  std::vector<std::string> names{""};
  std::optional<Reading> wrong;
  const std::vector<std::vector<Value>> ends{range.values_of(0), range.values_of(range.settings() - 1)};
  for (const std::vector<Value>& values : ends) {
    const Reading reading = with_values(side, range, values, texts);
    const plan::Failures all = plan::failures_of(*reading.scenario);
    if (!all.problems.empty()) {
      wrong = no_search(all.problems, reading.sources);
      continue;
    }
    for (std::size_t failure = 1; failure < all.all.size(); ++failure) {
      if (std::find(names.begin(), names.end(), all.all[failure].name) == names.end()) {
        names.push_back(all.all[failure].name);
      }
    }
  }
  if (names.size() == 1 && wrong) {
    return *wrong;
  }
  return names;
}

// Returns the diagnostics of the first share of a zone that the scenario does not have.
std::optional<Reading> unknown_zone(const FindText& text, const scenario::Scenario& scenario) {
  std::vector<std::pair<std::string, Figure>> asked;
  for (const Condition& condition : text.conditions) {
    asked.emplace_back(condition.text, condition.figure);
  }
  if (text.goal) {
    asked.emplace_back(text.goal->name, *text.goal);
  }
  std::vector<std::string> zones;
  for (const scenario::Zone& zone : scenario.zones) {
    zones.push_back(zone.name);
  }
  for (const auto& [written, figure] : asked) {
    const auto zone = zone_of(figure);
    if (zone && std::find(zones.begin(), zones.end(), *zone) == zones.end()) {
      Diagnostics problems;
      problems.error("SP957", Span{0, 1, 1, 1}, "`{}` is not a zone of the scenario", "no zone of this name", {*zone})
          .help("there are {}", {fmt::format("{}", fmt::join(zones, ", "))});
      return no_search(std::move(problems), {{"condition", written}});
    }
  }
  return std::nullopt;
}

// True if the conditions limit what is bad and leave open how busy endpoints may be. A run that ends while a queue
// grows shows little of what follows.
bool needs_stability(const FindText& text) {
  return !text.goal && std::all_of(text.conditions.begin(), text.conditions.end(), [](const Condition& condition) {
    return condition.below && condition.figure.name != "utilisation";
  });
}

}  // namespace

std::variant<Found, Reading> find(const FindText& given, const std::function<void(std::size_t)>& progress) {
  FindText text = given;
  auto read = read_side(text.scenario);
  if (auto* wrong = std::get_if<Reading>(&read)) {
    return std::move(*wrong);
  }
  const Side& side = std::get<Side>(read);
  if (side.mode == scenario::Mode::exact) {
    text.replications = 1;  // nothing is random
  }
  constexpr std::string_view endpoints = "endpoints=";
  const std::string every_group =
      side.root.find("services") != nullptr ? "services[*].endpoints[*].count=" : "replicas.*=";
  const std::string key = text.key.starts_with(endpoints) ? every_group + text.key.substr(endpoints.size()) : text.key;
  Sources texts;
  auto space = read_space({.over = {key},
                           .over_option = text.goal       ? "--over"
                                          : text.maximise ? "--maximise"
                                                          : "--minimise"},
                          texts);
  if (auto* wrong = std::get_if<Diagnostics>(&space)) {
    return no_search(std::move(*wrong), std::move(texts));
  }
  const Space& range = std::get<Space>(space);
  if (!range.keys().front().range) {
    Diagnostics problems;
    problems.error("SP951", Span{0, 1, 1, 1}, "a search needs a range", "expected LOW..HIGH")
        .help("for example clients[shop].workload.rate=100..5000");
    return no_search(std::move(problems), std::move(texts));
  }
  for (const std::vector<Value>& values : range.look_at_all_values()) {
    Reading reading = with_values(side, range, values, texts);
    if (!reading.scenario) {
      return reading;
    }
    if (auto wrong = unknown_zone(text, *reading.scenario)) {
      return std::move(*wrong);
    }
  }
  std::vector<std::string> failures{""};
  if (text.under_failures) {
    auto named = failures_of_range(side, range, texts);
    if (auto* wrong = std::get_if<Reading>(&named)) {
      return std::move(*wrong);
    }
    failures = std::get<std::vector<std::string>>(std::move(named));
  }
  if (needs_stability(text)) {
    text.conditions.push_back(stability_condition());
  }
  Trials trials(text, side, range, texts, std::move(failures), progress);
  Found found = text.goal ? search_goal(text, trials) : search_threshold(text, trials);
  found.conditions = std::move(text.conditions);
  found.path = key.substr(0, key.rfind('='));
  return found;
}

}  // namespace spillway::sweep
