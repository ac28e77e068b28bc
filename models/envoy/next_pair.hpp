// The two hosts that a balancer's next pick will compare, as far as its draws decide them.
#pragma once

#include "models/config/strong.hpp"
#include "models/envoy/availability.hpp"
#include "models/envoy/only_list.hpp"

namespace spillway::envoy {

// Valid until the balancer's next draw or update.
template <class Draw>
struct NextPair {
  DrawnHost first = {};
  DrawnHost second = {};
  Draw after;  // the generator after three draws
  config::Priority priority = {};
  Availability availability = Availability::healthy;
};

}  // namespace spillway::envoy
