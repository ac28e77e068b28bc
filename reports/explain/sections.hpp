// The balancers that a flow's requests come through, a section each.
#pragma once

#include <string>
#include <vector>

#include "models/documents/source.hpp"
#include "sim/run/traffic/traffic.hpp"

namespace spillway::run {
class Snapshot;  // snapshot.hpp
}  // namespace spillway::run

namespace spillway::reports::explain {

struct Section;  // explanation.hpp

struct FlowToExplain {
  const run::Snapshot& snapshot;
  const Sources& sources;
  run::FlowIndex flow;
  const std::vector<run::Traffic::TracedPart>& traced;  // of envoy::exact_shares
  double requests = 1.0;                                // of those of the explained client, that come here
  std::uint32_t depth = 0;
  std::string title;
};

// Appends the sections, those inside others behind them.
void add_sections(const FlowToExplain& of, std::vector<Section>& into);

}  // namespace spillway::reports::explain
