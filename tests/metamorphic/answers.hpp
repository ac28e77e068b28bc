// What a scenario answers, by names instead of positions, so that answers of two scenarios can be compared.
//
//   Answers answers = answers_of(scenario);
//   for (const auto& [place, cell] : answers.cells) { place.endpoint; cell.exact; }
#pragma once

#include <array>
#include <chrono>
#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/run/run.hpp"
#include "sim/scenario/outcome.hpp"
#include "sim/scenario/scenario.hpp"
#include "tests/metamorphic/worlds.hpp"

namespace spillway::metamorphic {

using Nanoseconds = std::chrono::nanoseconds;

// A row of a client's table: an epoch.
struct Row {
  std::string client{};
  std::string service{};
  Nanoseconds start{0};
  Nanoseconds end{0};

  friend auto operator<=>(const Row&, const Row&) = default;
};

// What a cell of a row is the share of.
struct Place {
  Row row{};
  std::string cluster{};
  std::uint32_t priority = 0;
  int availability = 0;
  std::string region{};
  std::string zone{};
  std::string sub_zone{};
  std::string node{};
  std::string subset{};
  std::string via{};
  std::string endpoint{};

  friend auto operator<=>(const Place&, const Place&) = default;
};

struct Cell {
  std::optional<double> exact{};
  double at_rest = 0.0;
  std::uint64_t requests = 0;
  std::uint64_t attempts = 0;
};

// The results of a row's requests: sent, retries and the counts of run::Outcomes, then the quantiles of their latency
// where the row is not a sum of several.
struct Ended {
  std::array<std::uint64_t, 2 + scenario::outcome_names.size()> counts{};
  std::optional<std::array<double, 4>> latency{};

  friend bool operator==(const Ended&, const Ended&) = default;
};

// What proxies were told of a priority when an epoch began: hosts, healthy, degraded, load, degraded load, panic.
using Level = std::array<std::uint32_t, 6>;

struct LevelPlace {
  Row row{};
  std::string cluster{};
  std::uint32_t priority = 0;

  friend auto operator<=>(const LevelPlace&, const LevelPlace&) = default;
};

struct Answers {
  std::string refused{};  // why there are none; empty if there are
  std::map<Place, Cell> cells{};
  std::map<Row, Ended> ended{};
  std::map<LevelPlace, Level> levels{};
  std::string fingerprint{};
};

// Parses the scenario, under a name from which its syntax follows, and simulates it.
[[nodiscard]] Answers answers_of(const Json& scenario, const run::Options& options = {});
[[nodiscard]] Answers answers_of_text(const std::string& name, const std::string& text,
                                      const run::Options& options = {});
// The same of results that are there already.
[[nodiscard]] Answers answers_of(const scenario::Scenario& scenario, const run::Results& results);

// How a variant's names and times become those of the scenario that it was made of. Rows that become one are added up;
// an exact share that two of them differ in is not a number then.
struct Translation {
  std::map<std::string, std::string> names{};           // each occurrence of the first, wherever a name stands
  std::function<Row(Row)> row{};                        // after that; may be empty
  std::function<bool(const Row&)> keeps{};              // rows of the variant as it names them; empty: all
  std::map<std::uint32_t, std::uint32_t> priorities{};  // others stay
};

[[nodiscard]] Answers translated(const Answers& answers, const Translation& translation);

}  // namespace spillway::metamorphic
