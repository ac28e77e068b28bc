// Metamorphic relations: a scenario is changed in a way whose effect is known without knowing the answer, and both are
// simulated. No expected value is needed, so every scenario that can be drawn is a test.
//
//   TEST_CASE("describing a scenario otherwise changes nothing") {
//     check_relation(Promise::everything, [](Json& base, Dice&) -> std::optional<Variant> {
//       Variant variant{base};
//       variant.scenario["description"] = "other words";
//       return variant;
//     });
//   }
//
// A relation is tried on drawn worlds, of other numbers for each relation, and on those of the folder scenarios/.
// SPILLWAY_METAMORPHIC=N tries N drawn worlds instead of a sample, and every committed one; scripts/metamorphic does
// so.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tests/metamorphic/answers.hpp"
#include "tests/metamorphic/worlds.hpp"

namespace spillway::metamorphic {

enum class Promise {
  everything,    // every figure of every row: shares, counts, outcomes, latencies, reported health
  counts,        // requests and attempts by host, outcomes, reported health; rows may be sums of others
  shares,        // shares in mode exact, the same of them known; counts of rows whose shares are known by a G-test
  known_shares,  // the same of shares that are known on both sides
};

struct Variant {
  Json scenario;
  std::string text = {};         // the same as a file of YAML; empty: it is read as JSON
  Translation translation = {};  // back to the names and times of the base
  run::Options options = {};
  std::function<bool(const Row&)> compared = {};  // rows of the base; empty: all
};

// Makes a variant of a scenario, which it may prepare before; nullopt if the relation says nothing of it.
using Change = std::function<std::optional<Variant>(Json& base, Dice& dice)>;

using Draw = std::function<Json(std::uint64_t number)>;

// Fails if a variant breaks its promise, if the relation applied to too few scenarios to say anything, or if it cannot
// fail: variants of the first scenarios are also spoilt (another seed, another weight or health of some endpoints),
// which must break the promise once at least.
void check_relation(Promise promise, const Change& change, const Draw& draw = drawn_world);

// Two samples of the requests of one row, and how likely they are to stray as far if their shares are the same.
struct RowChance {
  double chance = 1.0;
  std::string row = {};
};

struct Comparison {
  std::string difference = {};  // the first one; empty: none
  std::vector<RowChance> chances = {};
};

[[nodiscard]] Comparison compare(Promise promise, const Answers& base, const Answers& variant);

// How many drawn worlds are tried, and where their numbers begin: a relation's own.
struct Trials {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
  std::size_t committed_stride = 1;  // of committed worlds every so many is tried
};

[[nodiscard]] Trials trials_of(const std::string& relation);

// Calls try_it(words for it, scenario, dice) for the worlds of the running test case, until it returns false.
using TryIt = std::function<bool(const std::string& world, const Json& scenario, Dice dice)>;
void for_each_world(const TryIt& try_it, const Draw& draw = drawn_world);

}  // namespace spillway::metamorphic
