// A part of a scenario: clients independent of all other clients (components.hpp), so that it can be simulated
// separately.
//
//   for (const Part& part : parts_of(scenario, 4)) {
//     const PartScenario own = part_scenario(scenario, part);
//     Results results = run_part(own.scenario, options, epoch_ends(scenario, options));
//     number_as_whole(part, own, results);
//   }
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/run/nanoseconds.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::run {

struct EventRecord;  // event_log.hpp
struct Options;      // run.hpp
struct Results;      // results.hpp

struct Part {
  std::vector<config::ClientEntryIndex> clients;  // ascending
  double requests = 0.0;                          // that they will send, approximately
};

// Splits a scenario into at most `most` parts of similar size, the largest one first. Depends only on the arguments.
[[nodiscard]] std::vector<Part> parts_of(const scenario::Scenario& scenario, std::size_t most);

// The scenario with only these clients. Everything else is unchanged, except that rate changes of other clients are
// removed.
struct PartScenario {
  scenario::Scenario scenario;
  std::vector<std::uint32_t> changes;  // position of each change in the whole scenario
};
[[nodiscard]] PartScenario part_scenario(const scenario::Scenario& whole, const Part& part);

// Returns the record of a part with the numbers that its client and its change have in the whole scenario.
[[nodiscard]] EventRecord number_as_whole(const Part& part, const PartScenario& own, EventRecord record);
void number_as_whole(const Part& part, const PartScenario& own, Results& results);

// Returns the ends of all tables' epochs, ascending: loads of endpoints are cut there, in every part alike. The last
// one is the end of the scenario.
[[nodiscard]] std::vector<Nanoseconds> epoch_ends(const scenario::Scenario& scenario, const Options& options);

// Runs a part as run() does, with loads of endpoints by these epochs; if empty, by those of the tables.
[[nodiscard]] Results run_part(const scenario::Scenario& scenario, const Options& options,
                               const std::vector<Nanoseconds>& load_epochs);

// Merges the results of parts, numbered as in the whole scenario. `most_events`: to keep individually.
[[nodiscard]] Results merge_parts(const scenario::Scenario& scenario, std::vector<Results> parts,
                                  std::uint64_t most_events);

}  // namespace spillway::run
