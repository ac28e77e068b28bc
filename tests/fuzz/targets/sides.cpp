// Two scenarios apart by a line of 0x1E: what a comparison looks at before it simulates anything. A scenario that is
// compared with itself has no edits.
#include <string>
#include <utility>

#include "models/documents/parse.hpp"
#include "models/documents/problem.hpp"
#include "sim/run/traffic/flows.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "sim/scenario/service.hpp"
#include "sim/scenario/state_at.hpp"
#include "tests/fuzz/targets/targets.hpp"

namespace spillway::fuzzing {
namespace {

scenario::Reading side(std::string_view text) {
  return scenario::read_scenario_text("side.yaml", std::string(text));
}

}  // namespace

void compare_sides(std::string_view text) {
  const std::size_t border = text.find('\x1e');
  const scenario::Reading before = side(text.substr(0, border));
  const scenario::Reading after = side(border == std::string_view::npos ? text : text.substr(border + 1));
  for (const scenario::Reading* const reading : {&before, &after}) {
    if (!reading->scenario || reading->scenario->control_plane) {
      continue;
    }
    const scenario::Scenario& scenario = *reading->scenario;
    const run::Flows flows(scenario);
    for (const run::FlowIndex flow : flows.all()) {
      require(flows.at(flow).service.value < scenario.services.size(), "every flow has a service");
      require(flows.at(flow).client.value < scenario.clients.size(), "every flow has a client");
    }
    std::chrono::nanoseconds last{0};
    for (const scenario::Change& change : scenario.changes) {
      require(change.at >= last && change.at <= scenario.duration, "changes are sorted and lie within the run");
      last = change.at;
    }
  }
}

}  // namespace spillway::fuzzing
