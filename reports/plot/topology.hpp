// Who asks whom, as Kuma's documents draw it: zones as boxes with the nodes in them, clients above, endpoints below,
// colored by what the proxies are told of their health, and an arrow from a client to each endpoint that it may ask:
// as wide as its share, in the color of its priority, both written on it. Where nothing goes now the arrow is dashed.
//
// Ingresses that no document describes are left out; other zone proxies stand between. Endpoints of a node or a zone
// are one box where single ones would be too many.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/config/strong.hpp"
#include "sim/run/nanoseconds.hpp"

namespace spillway::run {
struct Results;  // results.hpp
}  // namespace spillway::run

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::reports::plot {

// What endpoints are boxes by.
enum class Detail { endpoint, node, zone };

struct TopologyView {
  std::optional<config::ClientEntryIndex> client = {};  // arrows from this one alone
  std::optional<run::Nanoseconds> at = {};              // this moment alone
  std::optional<Detail> detail = {};                    // none: the finest with at most nine boxes
};

// Graphs for Graphviz' dot: one for each stretch of time in which no client that is looked at begins a new epoch, or
// the one that holds the moment.
[[nodiscard]] std::vector<std::string> topology(const scenario::Scenario& scenario, const run::Results& results,
                                                const TopologyView& view);

}  // namespace spillway::reports::plot
