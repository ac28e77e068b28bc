// Hosts as the cases of pick policies list them, and metadata values.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "models/config/cluster_load_assignment.hpp"
#include "models/config/metadata.hpp"
#include "models/envoy/cluster_state.hpp"
#include "models/envoy/routes/request.hpp"
#include "tests/conformance/check.hpp"

namespace spillway::conformance {

[[nodiscard]] config::Value read_value(const json& value);
[[nodiscard]] config::Struct read_struct(const json& object);

// A list of names and values, or an object of them.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> read_headers(const json& headers);

// Hosts by name ("id" of a case), in one priority.
struct CaseHosts {
  config::ClusterLoadAssignment assignment;
  std::vector<std::string> ids;  // by HostIndex

  [[nodiscard]] std::shared_ptr<const envoy::ClusterState> state(
      const envoy::policies::Config& policy, bool locality_weighted,
      config::EnvoyProfile profile = config::EnvoyProfile::current) const;
};

// `input`: hosts, and where given localities with their locality_weights; both either spelt out or in the short form
// "1024 hosts 127.0.0.1:0..1023 weight 1", "{host 0}, {hosts 1..1023}".
[[nodiscard]] CaseHosts read_hosts(const json& input);

}  // namespace spillway::conformance
