// Settles what a described request decides of its route: which weighted cluster gets it, by a header or by its hash,
// and if it is retried.
#pragma once

#include <string>
#include <vector>

#include "models/documents/diagnostic.hpp"
#include "models/documents/node.hpp"

namespace spillway::envoy::routes {
struct Request;  // request.hpp
}  // namespace spillway::envoy::routes

namespace spillway::proxy {

// Applies and removes `header_name` and `use_hash_policy` of weighted clusters, and `retriable_request_headers`. A
// request without the header or without a hash leaves the choice to the weights. Adds what it decides to `notes`.
// Source: Envoy's router/weighted_cluster_specifier.cc and router/retry_state_impl.cc, and a live Envoy 1.40.
void settle_by_request(documents::Node& route, const envoy::routes::Request& request, std::vector<std::string>& notes,
                       Diagnostics& problems);

}  // namespace spillway::proxy
