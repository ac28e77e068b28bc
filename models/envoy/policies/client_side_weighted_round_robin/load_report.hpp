// The load report of a host, from which client-side weighted round robin computes weights.
#pragma once

#include <map>
#include <string>

namespace spillway::envoy::policies::client_side_weighted_round_robin {

// An ORCA report of a host's load.
struct LoadReport {
  double rps_fractional = 0.0;  // requests per second
  double eps = 0.0;             // errors per second
  double application_utilization = 0.0;
  double cpu_utilization = 0.0;
  std::map<std::string, double> named_metrics = {};
};

}  // namespace spillway::envoy::policies::client_side_weighted_round_robin
