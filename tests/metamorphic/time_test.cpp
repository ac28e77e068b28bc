// When things happen.
#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <set>
#include <string>

#include "tests/metamorphic/relation.hpp"
#include "tests/metamorphic/tree.hpp"

using namespace spillway::metamorphic;
using namespace std::chrono_literals;

namespace {

// Health that a group's own steps change is not shifted.
bool has_steps(Json& base) {
  bool steps = false;
  for_each_group(base, [&](const Json&, Json& group) {
    for (const char* key : {"healthy", "degraded"}) {
      steps = steps || (group.contains(key) && group[key].is_string() &&
                        group[key].get<std::string>().find(' ') != std::string::npos);
    }
  });
  return steps;
}

Nanoseconds time_in(const Json& text) {
  return duration_of(text.get<std::string>()).value();
}

// Rows of a run whose epochs are cut, as those of one where they are not.
Translation to_rows_of(const Answers& whole) {
  std::set<Row> rows;
  for (const auto& [place, level] : whole.levels) {
    rows.insert(place.row);
  }
  Translation translation;
  translation.row = [rows = std::move(rows)](Row row) {
    for (const Row& one : rows) {
      if (one.client == row.client && one.service == row.service && one.start <= row.start && row.end <= one.end) {
        return one;
      }
    }
    return row;
  };
  return translation;
}

}  // namespace

TEST_CASE("everything a second later gives the same shares") {
  check_relation(Promise::shares, [](Json& base, Dice&) -> std::optional<Variant> {
    if (has_steps(base) || mentions_any(base, {"slow_start", "\"users\"", "warmup"})) {
      return std::nullopt;
    }
    Variant variant{base};
    Json& later = variant.scenario;
    later["duration"] = text_of(time_in(base["duration"]) + 1s);
    for (Json& client : later["clients"]) {
      Json& workload = client["workload"];
      const std::string phases = workload.value("phases", "");
      const auto rate = rate_of(workload);
      if (phases.empty() && !rate) {
        return std::nullopt;
      }
      workload["phases"] = "0rps 1s, " + (phases.empty() ? text_of_rate(*rate) : phases);
      workload.erase("rate");
    }
    for (Json& event : timeline_of(later)) {
      event["at"] = text_of(time_in(event["at"]) + 1s);
    }
    variant.translation.row = [](Row row) {
      row.start = std::max<Nanoseconds>(row.start - 1s, 0s);
      row.end -= 1s;
      return row;
    };
    return variant;
  });
}

TEST_CASE("a longer run has the same rows before") {
  check_relation(Promise::everything, [](Json& base, Dice&) -> std::optional<Variant> {
    if (mentions_any(base, {"no_answer", "\"users\""}) || !base.contains("timeline")) {
      return std::nullopt;
    }
    const Nanoseconds end = time_in(base["duration"]);
    Variant variant{base};
    variant.scenario["duration"] = text_of(end + 1s);
    variant.compared = [end](const Row& row) { return row.end < end; };
    return variant;
  });
}

TEST_CASE("what happens later has no influence on rows before") {
  check_relation(Promise::everything, [](Json& base, Dice&) -> std::optional<Variant> {
    if (!base.contains("timeline") || !base.contains("services") || mentions(base, "no_answer")) {
      return std::nullopt;
    }
    const Nanoseconds at = time_in(base["duration"]) - 100ms;
    Variant variant{base};
    timeline_of(variant.scenario)
        .push_back({{"at", text_of(at)}, {"service", base["services"][0]["name"]}, {"healthy", "50%"}});
    variant.compared = [at](const Row& row) { return row.end < at; };
    return variant;
  });
}

TEST_CASE("rows cut at further moments add up to those of the epochs") {
  check_relation(Promise::counts, [](Json& base, Dice&) -> std::optional<Variant> {
    const Nanoseconds end = time_in(base["duration"]);
    Variant variant{base};
    variant.options.cuts = {end / 4, end / 2, end * 3 / 4};
    variant.translation = to_rows_of(answers_of(base));
    return variant;
  });
}

TEST_CASE("an event that tells proxies what they know changes nothing") {
  check_relation(Promise::counts, [](Json& base, Dice&) -> std::optional<Variant> {
    if (base.contains("policies") || base.contains("resources") || !write_one_by_one(base)) {
      return std::nullopt;
    }
    const Json& endpoint = base["services"][0]["endpoints"][0];
    base.erase("timeline");
    Variant variant{base};
    timeline_of(variant.scenario)
        .push_back({{"at", "1300ms"},
                    {"service", base["services"][0]["name"]},
                    {"endpoints", only(endpoint["id"])},
                    {"healthy", endpoint.value("healthy", 1)},
                    {"degraded", endpoint.value("degraded", 0)}});
    variant.translation = to_rows_of(answers_of(base));
    return variant;
  });
}
