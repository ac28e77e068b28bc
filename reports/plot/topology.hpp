// Draws which client requests which service, in the style of Kuma's documents. Zones are boxes with their nodes inside,
// clients above, endpoints below. Endpoints are colored by the health that EDS reported. An arrow leads from a client
// to each endpoint that it may use. Its width is the share, its color the priority, and both are written on it. It is
// dashed if it has no traffic now.
//
// Ingresses that no document describes are left out; other zone proxies are drawn between. Endpoints of a node or a
// zone share one box if there would be too many boxes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/config/strong.hpp"
#include "sim/run/forward.hpp"
#include "sim/run/nanoseconds.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::reports::plot {

// The grouping of endpoints into boxes.
enum class Detail { endpoint, node, zone };

struct TopologyView {
  std::optional<config::ClientEntryIndex> client = {};  // only this client's arrows
  std::optional<run::Nanoseconds> at = {};              // only this time
  std::optional<Detail> detail = {};                    // nullopt means the finest with at most nine boxes
};

// Returns graphs for Graphviz' dot: one for each period in which no drawn client begins a new epoch, or the one that
// contains the given time.
[[nodiscard]] std::vector<std::string> topology(const scenario::Scenario& scenario, const run::Results& results,
                                                const TopologyView& view);

}  // namespace spillway::reports::plot
