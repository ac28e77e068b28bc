// The pick states of all policies that have one, as complete types. registry.hpp has their variant, PickState.
#pragma once

#include "models/envoy/policies/client_side_weighted_round_robin/client_side_weighted_round_robin.hpp"
#include "models/envoy/policies/least_request/least_request.hpp"
#include "models/envoy/policies/random/random.hpp"
#include "models/envoy/policies/registry.hpp"
#include "models/envoy/policies/round_robin/round_robin.hpp"
