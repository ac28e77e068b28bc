// A part of a scenario: clients that have nothing to do with any other client (components.hpp), so that it can be
// simulated by itself.
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
  double requests = 0.0;                          // that they will send, about
};

// At most so many, of about the same size, the largest one first. Depends on the scenario and the number alone.
[[nodiscard]] std::vector<Part> parts_of(const scenario::Scenario& scenario, std::size_t most);

// The scenario with these clients alone. Everything else is as it was, but changes of the rates of others.
struct PartScenario {
  scenario::Scenario scenario;
  std::vector<std::uint32_t> changes;  // which one of the whole scenario each change is
};
[[nodiscard]] PartScenario part_scenario(const scenario::Scenario& whole, const Part& part);

// The record of a part with the numbers that its client and its change have in the whole scenario.
[[nodiscard]] EventRecord number_as_whole(const Part& part, const PartScenario& own, EventRecord record);
void number_as_whole(const Part& part, const PartScenario& own, Results& results);

// When an epoch of any table ends, ascending: what loads of endpoints are cut at, in every part alike. The last one is
// the end of the scenario.
[[nodiscard]] std::vector<Nanoseconds> epoch_ends(const scenario::Scenario& scenario, const Options& options);

// As run(), but that loads of endpoints are by these epochs; empty: by those of the tables.
[[nodiscard]] Results run_part(const scenario::Scenario& scenario, const Options& options,
                               const std::vector<Nanoseconds>& load_epochs);

// Results of the parts, numbered as the whole, become those of the whole scenario. `most_events`: to keep one by
// one.
[[nodiscard]] Results merge_parts(const scenario::Scenario& scenario, std::vector<Results> parts,
                                  std::uint64_t most_events);

}  // namespace spillway::run
