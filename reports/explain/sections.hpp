// The balancers that a flow's requests pass through, one section each.
#pragma once

#include <string>
#include <vector>

#include "models/documents/source.hpp"
#include "sim/run/traffic/flows.hpp"
#include "sim/run/traffic/traced_part.hpp"

namespace spillway::run {
class Snapshot;  // snapshot.hpp
}  // namespace spillway::run

namespace spillway::reports::explain {

struct Section;  // explanation.hpp

struct FlowToExplain {
  const run::Snapshot& snapshot;
  const Sources& sources;
  run::FlowIndex flow;
  const std::vector<run::TracedPart>& traced;  // from envoy::exact_shares
  double requests = 1.0;                       // fraction of the explained client's requests in this flow
  std::uint32_t depth = 0;
  std::string title;
};

// Appends the sections, nested ones after their parents.
void add_sections(const FlowToExplain& of, std::vector<Section>& into);

}  // namespace spillway::reports::explain
