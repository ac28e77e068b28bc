// The way of one part of a flow to its shares.
#pragma once

#include "models/envoy/share_trace.hpp"

namespace spillway::run {

struct TracedPart {
  double part = 1.0;  // of the flow's requests
  envoy::ShareTrace trace = {};
};

}  // namespace spillway::run
