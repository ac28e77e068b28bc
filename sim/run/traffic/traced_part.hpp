// A part of a flow's requests, with the trace of how its shares were derived.
#pragma once

#include "models/envoy/share_trace.hpp"

namespace spillway::run {

struct TracedPart {
  double part = 1.0;  // of the flow's requests
  envoy::ShareTrace trace = {};
};

}  // namespace spillway::run
