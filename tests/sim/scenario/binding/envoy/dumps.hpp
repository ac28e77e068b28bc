// Documents as proxies print them, for tests.
#pragma once

#include <string>

#include "models/documents/render_diagnostics.hpp"
#include "sim/scenario/binding/envoy/proxy_configuration.hpp"

namespace spillway::scenario::test {

inline const std::string type_of_cluster = R"("@type": "type.googleapis.com/envoy.config.cluster.v3.Cluster")";

// {"@type": ..., "name": name, extra}.
inline std::string dumped_cluster(const std::string& name, const std::string& extra) {
  return "{" + type_of_cluster + ", \"name\": \"" + name + "\"" + (extra.empty() ? "" : ", " + extra) + "}";
}

inline std::string dumped_endpoint(const std::string& address, const std::string& extra = "") {
  return R"({"endpoint": {"address": {"socket_address": {"address": ")" + address +
         R"(", "port_value": 80}}, "health_check_config": {}}, "metadata": {}, "load_balancing_weight": 1)" +
         (extra.empty() ? "" : ", " + extra) + "}";
}

// A /config_dump: sections of clusters, of endpoints, and others.
inline std::string config_dump(const std::string& clusters, const std::string& endpoints = "",
                               const std::string& others = "") {
  return R"({"configs": [{"@type": "type.googleapis.com/envoy.admin.v3.BootstrapConfigDump", "bootstrap": {"node": {)"
         R"("id": "sidecar~10.0.0.9", "cluster": "web.shop", "locality": {"region": "eu", "zone": "eu-1"},)"
         R"( "user_agent_build_version": {"version": {"major_number": 1, "minor_number": 36, "patch": 2}}}},)"
         R"( "last_updated": "2026-11-01T00:00:00Z"}, {"@type": "type.googleapis.com/envoy.admin.v3.ClustersConfigDump",)"
         R"( "version_info": "7", )" +
         clusters + "}" +
         (endpoints.empty()
              ? ""
              : R"(, {"@type": "type.googleapis.com/envoy.admin.v3.EndpointsConfigDump", )" + endpoints + "}") +
         (others.empty() ? "" : ", " + others) + "]}";
}

inline std::string active(const std::string& clusters) {
  return "\"dynamic_active_clusters\": [" + clusters + "]";
}

inline std::string as_entry(const std::string& cluster) {
  return R"({"version_info": "7", "cluster": )" + cluster + R"(, "last_updated": "2026-11-01T00:00:00Z"})";
}

inline ProxyConfiguration proxy_of(const std::string& text, const std::string& name = "dump.json",
                                   const proxy::EnvoyOptions& options = {}) {
  return ProxyConfiguration::read(Sources{{name, text}}, options);
}

inline std::string rendered(const ProxyConfiguration& proxy, const ProxyConfiguration::ClusterReading& reading) {
  return documents::render_diagnostics(proxy.diagnostics(), proxy.sources()) +
         documents::render_diagnostics(reading.diagnostics, proxy.sources());
}

}  // namespace spillway::scenario::test
