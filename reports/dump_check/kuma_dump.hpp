// Compares the configuration of a Kuma sidecar with the one compiled from the mesh's documents, field by field
// (docs/compare.md).
//
//   const Beside beside = check_kuma_dump(scenario, client, dump, {});
//
// Compared are the listeners that the client's requests enter, with their routes, the clusters behind them and their
// load assignments, host by host. Certificates, names of statistics, logs and metadata are not compared. Pure; linear
// in the size of both sides.
#pragma once

#include <optional>
#include <string>

#include "reports/dump_check/dump_check.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::reports::held {

// Compares everything, or if `cluster` is set only that cluster and no listeners.
[[nodiscard]] Beside check_kuma_dump(const scenario::Scenario& scenario, const scenario::ClientEntry& client,
                                     const scenario::ProxyConfiguration& dump,
                                     const std::optional<std::string>& cluster);

}  // namespace spillway::reports::held
