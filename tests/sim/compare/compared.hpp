// A cluster's documents and two moments of it, in few words.
#pragma once

#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <vector>

#include "models/envoy/host_health.hpp"
#include "sim/compare/compare.hpp"
#include "sim/compare/comparison.hpp"
#include "sim/observed/clusters.hpp"
#include "sim/scenario/binding/envoy/read_envoy_documents.hpp"

namespace test_compare {

using namespace spillway;

struct EdsHost {
  std::string address;
  std::string zone;
  std::uint64_t requests = 0;
  envoy::HostFlags flags = {};
  std::uint32_t weight = 1;
  std::uint64_t connect_failures = 0;
  std::uint32_t priority = 0;
};

inline observed::Clusters moment(const std::string& name, const std::vector<EdsHost>& hosts) {
  observed::Clusters clusters{{observed::Cluster{name}}};
  for (const EdsHost& host : hosts) {
    observed::Host reported{host.address};
    reported.locality.zone = host.zone;
    reported.flags = host.flags;
    reported.weight = host.weight;
    reported.priority.value = host.priority;
    reported.counters.rq_total = host.requests;
    reported.counters.cx_connect_fail = host.connect_failures;
    clusters.clusters.front().hosts.push_back(reported);
  }
  return clusters;
}

// A cluster `backend` with these fields beside its name and type; hosts are `ip zone weight priority`.
inline std::string backend(const std::string& fields, const std::vector<EdsHost>& hosts) {
  std::string text = "clusters:\n- name: backend\n  type: STATIC\n" + fields +
                     "  load_assignment:\n    cluster_name: backend\n    endpoints:\n";
  for (const EdsHost& host : hosts) {
    const std::size_t colon = host.address.rfind(':');
    text += "    - { locality: { zone: " + host.zone + " }, priority: " + std::to_string(host.priority) +
            ", lb_endpoints: [{ load_balancing_weight: " + std::to_string(host.weight) +
            ", endpoint: { address: { socket_address: { address: " + host.address.substr(0, colon) +
            ", port_value: " + host.address.substr(colon + 1) + " } } } }] }\n";
  }
  return text;
}

inline compare::Comparison compared(const std::string& documents, const compare::Observed& seen) {
  compare::Input input{.names = {"backend"}, .observed = seen};
  input.read = [&](const std::string& name) {
    auto reading = scenario::read_envoy_texts({{"backend.yaml", documents}}, {.cluster = name});
    REQUIRE(reading.scenario.has_value());
    return compare::ClusterReading{std::move(reading.scenario)};
  };
  return compare::compare(input);
}

inline const compare::Reason* reason(const compare::ClusterComparison& cluster, compare::ReasonKind kind) {
  for (const compare::Reason& one : cluster.reasons) {
    if (one.kind == kind) {
      return &one;
    }
  }
  return nullptr;
}

}  // namespace test_compare
