// Simulates a sweep: every setting of a space, on every side, several times.
//
//   auto read = read_sweep({.scenario = "shop.yaml", .space = {.over = {"clients[shop].workload.rate=100..500/5"}}});
//   const Sweep& sweep = std::get<Sweep>(read);
//   Store store("rates.sqlite", sweep.definition(version), {});
//   Simulated simulated = simulate(sweep, store, {.jobs = 2});
//
// Common random numbers: replication r uses the same seed for all settings and sides. Differences between them are
// therefore more precise than the single results.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sim/run/fork_pool.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "sim/sweep/side.hpp"
#include "sim/sweep/space.hpp"

namespace spillway::sweep {

class Store;        // store.hpp
struct Definition;  // store.hpp
struct Figures;     // figures.hpp
struct PointPlace;  // store.hpp

struct SweepText {
  std::string scenario;
  std::vector<std::string> variants = {};
  SpaceText space = {};                            // default: keys of the scenario's own `sweep:`
  std::optional<std::uint32_t> replications = {};  // default: of the `sweep:` that gives the keys, else one
  std::optional<std::uint64_t> seed = {};          // default: the scenario's own
  std::optional<scenario::Mode> mode = {};
};

class Sweep {
 public:
  Sweep(std::vector<Side> sides, Space space, Sources texts, const SweepText& text);

  [[nodiscard]] const std::vector<Side>& sides() const noexcept { return sides_; }
  [[nodiscard]] const Space& space() const noexcept { return space_; }
  [[nodiscard]] Definition definition(const std::string& version) const;

  // Returns the scenario of a point; simulate() returns its results.
  [[nodiscard]] scenario::Reading reading(std::size_t side, const std::vector<Value>& values) const {
    return with_values(sides_[side], space_, values, texts_);
  }
  [[nodiscard]] Figures simulate(const PointPlace& place) const;

  // Returns the mode of all points; nullopt if none was requested.
  [[nodiscard]] std::optional<scenario::Mode> mode() const noexcept { return mode_; }
  [[nodiscard]] const Sources& texts() const noexcept { return texts_; }
  [[nodiscard]] std::vector<double> parts_of(std::uint64_t setting) const;

 private:
  std::vector<Side> sides_;
  Space space_;
  Sources texts_;
  std::uint32_t replications_;
  std::optional<std::uint64_t> seed_;
  std::uint64_t design_seed_;
  std::optional<scenario::Mode> mode_;
};

// Reads everything and checks each value before anything is simulated: paths, values that the scenario rejects, and the
// number of points (SP952 above most_points). Returns a parse result without a scenario on errors. If neither the text
// nor the scenario names keys, the space has one setting without keys.
[[nodiscard]] std::variant<Sweep, scenario::Reading> read_sweep(const SweepText& text);

// Checks the scenario's own `sweep:`. Returns its diagnostics, with its sources among those of the parse result; no
// diagnostics if it is valid or missing.
[[nodiscard]] scenario::Reading check_block(const scenario::Reading& scenario);

struct Simulated {
  std::uint64_t points = 0;                // by this call
  bool stopped = false;                    // by request (run/stopping.hpp)
  std::vector<std::string> failures = {};  // processes that terminated early; their points are not done
};

struct SimulationOptions {
  std::size_t jobs = 1;
  std::function<void(std::uint64_t points)> simulated = {};  // by this call so far
  // Distributes points to workers; if empty, to processes of this machine.
  std::function<void(const run::ForkedStream&)> hand_out = {};
};

// Simulates until no point is left or a stop is requested. A stop request ends running simulations at once and keeps
// finished points. Throws StoreProblem.
[[nodiscard]] Simulated simulate(const Sweep& sweep, const Definition& definition, Store& store,
                                 const SimulationOptions& options);

}  // namespace spillway::sweep
