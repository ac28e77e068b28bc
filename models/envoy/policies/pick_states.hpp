// The state that one client has of a policy that picks from lists: a variant of all of them.
#pragma once

#include <variant>

#include "models/envoy/policies/client_side_weighted_round_robin/client_side_weighted_round_robin.hpp"
#include "models/envoy/policies/least_request/least_request.hpp"
#include "models/envoy/policies/random/random.hpp"
#include "models/envoy/policies/round_robin/round_robin.hpp"

namespace spillway::envoy::policies {

using PickState = std::variant<round_robin::PickState, random::PickState, least_request::PickState,
                               client_side_weighted_round_robin::PickState>;

}  // namespace spillway::envoy::policies
