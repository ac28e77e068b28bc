// Compares a request with an envoy.config.route.v3.RouteMatch.
#pragma once

#include <cstdint>
#include <optional>

#include "models/documents/diagnostic.hpp"
#include "models/documents/node.hpp"
#include "models/envoy/proxy/runtime_fraction.hpp"
#include "models/envoy/routes/request.hpp"

namespace spillway::proxy {

// Where a request was received; null where that is unknown.
struct Receiver {
  const documents::Node* manager = nullptr;  // HttpConnectionManager
  const documents::Node* chain = nullptr;    // FilterChain
};

enum class Answer : std::uint8_t { yes, no, unknown };

// Returns whether the request meets `match`, and rewrites `match` to a form that a scenario's route can have.
// `fraction` becomes the part of the requests that it takes; nullopt for all. Conditions that cannot be decided are
// reported (SP301). Source: Envoy's router/config_impl.cc, and a real Envoy 1.40 for conditions on certificates,
// metadata and ids.
[[nodiscard]] Answer match_request(documents::Node& match, std::optional<Fraction>& fraction,
                                   const envoy::routes::Request& request, const Receiver& receiver,
                                   Diagnostics& problems);

}  // namespace spillway::proxy
