// Playing a sweep: every setting of a space, on every side, several times.
//
//   auto read = read_sweep({.scenario = "shop.yaml", .space = {.over = {"clients[shop].workload.rate=100..500/5"}}});
//   const Sweep& sweep = std::get<Sweep>(read);
//   Store store("rates.sqlite", sweep.definition(version), {});
//   Simulated simulated = simulate(sweep, store, {.jobs = 2});
//
// Common random numbers: replication r draws from the same seed whatever the setting and side, so that differences
// between them are sharper than each by itself.
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
  SpaceText space = {};                            // without keys or a table: those of the scenario's own `sweep:`
  std::optional<std::uint32_t> replications = {};  // else those of the `sweep:` whose keys it has, else one
  std::optional<std::uint64_t> seed = {};          // else the scenario's own
  std::optional<scenario::Mode> mode = {};
};

class Sweep {
 public:
  Sweep(std::vector<Side> sides, Space space, Sources texts, const SweepText& text);

  [[nodiscard]] const std::vector<Side>& sides() const noexcept { return sides_; }
  [[nodiscard]] const Space& space() const noexcept { return space_; }
  [[nodiscard]] Definition definition(const std::string& version) const;

  // What a point is, as a scenario; and what came of it.
  [[nodiscard]] scenario::Reading reading(std::size_t side, const std::vector<Value>& values) const {
    return with_values(sides_[side], space_, values, texts_);
  }
  [[nodiscard]] Figures simulate(const PointPlace& place) const;

  // Of all points, where it was asked for.
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

// Where the text names no keys, nor the scenario, the space has one setting without keys.
// Everything is read and each value looked at before anything is simulated: paths, values that the scenario refuses,
// more points than most_points (SP952). What is wrong comes as a reading without a scenario.
[[nodiscard]] std::variant<Sweep, scenario::Reading> read_sweep(const SweepText& text);

// What is wrong with the scenario's own `sweep:`, its sources among those of the reading; no diagnostics: nothing is,
// or it has none.
[[nodiscard]] scenario::Reading check_block(const scenario::Reading& scenario);

struct Simulated {
  std::uint64_t points = 0;                // by this call
  bool stopped = false;                    // by request (run/stopping.hpp)
  std::vector<std::string> failures = {};  // processes that ended by themselves; their points are not done
};

struct SimulationOptions {
  std::size_t jobs = 1;
  std::function<void(std::uint64_t points)> simulated = {};  // by this call so far
  // Who works on the points; empty: processes of this machine.
  std::function<void(const run::ForkedStream&)> hand_out = {};
};

// Until nothing is left, or a request to stop: then what is being simulated is ended at once and what is done is kept.
// Throws StoreProblem.
[[nodiscard]] Simulated simulate(const Sweep& sweep, const Definition& definition, Store& store,
                                 const SimulationOptions& options);

}  // namespace spillway::sweep
