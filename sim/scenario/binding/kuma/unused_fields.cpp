#include "sim/scenario/binding/kuma/unused_fields.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include "models/kuma/mesh_circuit_breaker.hpp"
#include "models/kuma/mesh_health_check.hpp"
#include "models/kuma/mesh_http_route.hpp"
#include "models/kuma/mesh_load_balancing_strategy.hpp"
#include "models/kuma/mesh_retry.hpp"
#include "models/kuma/mesh_tcp_route.hpp"
#include "models/kuma/mesh_timeout.hpp"
#include "models/kuma/policy_paths.hpp"
#include "models/kuma/protocol.hpp"

namespace spillway::scenario::kuma_binding {

namespace {

using kuma::value_of;

constexpr const char* switched_off = "`disabled` is true";

// Collects the fields that are written and not used.
class Unused {
 public:
  void add(std::string field, std::string why) { fields_.push_back({std::move(field), std::move(why)}); }

  template <class Value>
  void add_if(bool unused, const std::optional<Value>& written, std::string field, std::string why) {
    if (written && unused) {
      add(std::move(field), std::move(why));
    }
  }

  // Adds a section unless one of the services speaks one of the protocols.
  template <class Section>
  void add_unless(bool used, const std::optional<Section>& section, std::string field, const char* protocols) {
    add_if(!used, section, std::move(field), std::string("no service that this item means speaks ") + protocols);
  }

  [[nodiscard]] std::vector<UnusedField> take() { return std::move(fields_); }

 private:
  std::vector<UnusedField> fields_;
};

bool speaks_http(const Reach& reach) {
  return std::any_of(reach.protocols.begin(), reach.protocols.end(), kuma::is_http_based);
}

// True if a service speaks http or http2: the clusters of grpc get no timeouts of HTTP.
bool has_http_clusters(const Reach& reach) {
  return reach.protocols.contains("http") || reach.protocols.contains("http2");
}

void add_unused(const std::optional<std::vector<kuma::HashPolicy>>& policies, const std::string& path,
                const Reach& reach, Unused& unused) {
  unused.add_unless(speaks_http(reach), policies, path, "http, http2 or grpc");
  if (!policies || !speaks_http(reach)) {
    return;
  }
  unused.add_if(!reach.hashes, policies, path, "no service that this item means has a `loadBalancer` that hashes");
  for (std::size_t index = 0; index < policies->size(); ++index) {
    const kuma::HashPolicy& policy = (*policies)[index];
    const std::string at = path + "[" + std::to_string(index) + "].";
    const std::string_view type = value_of(policy.type);
    const auto of_type = [&](const auto& section, const char* field, bool fits) {
      unused.add_if(!fits, section, at + field, "`type` is " + std::string(type));
    };
    of_type(policy.header, "header", type == "Header");
    of_type(policy.cookie, "cookie", type == "Cookie");
    of_type(policy.connection, "connection", type == "Connection" || type == "SourceIP");
    of_type(policy.queryParameter, "queryParameter", type == "QueryParameter");
    of_type(policy.filterState, "filterState", type == "FilterState");
    if (type == "Connection" && policy.connection && !policy.connection->sourceIP.value_or(false)) {
      unused.add(at + "connection", "without `sourceIP: true` no connection has a hash");
    }
  }
}

void add_unused(const kuma::LoadBalancer& balancer, const Reach& reach, Unused& unused) {
  const std::string type(value_of(balancer.type));
  const auto of_type = [&](const auto& section, const char* field, const char* own) {
    unused.add_if(type != own, section, std::string("loadBalancer.") + field, "`type` is " + type);
  };
  of_type(balancer.leastRequest, "leastRequest", "LeastRequest");
  of_type(balancer.ringHash, "ringHash", "RingHash");
  of_type(balancer.maglev, "maglev", "Maglev");
  if (balancer.ringHash && type == "RingHash") {
    add_unused(balancer.ringHash->hashPolicies, "loadBalancer.ringHash.hashPolicies", reach, unused);
  }
  if (balancer.maglev && type == "Maglev") {
    add_unused(balancer.maglev->hashPolicies, "loadBalancer.maglev.hashPolicies", reach, unused);
  }
}

void add_unused(const std::vector<kuma::RetryPredicate>& hosts, Unused& unused) {
  for (std::size_t index = 0; index < hosts.size(); ++index) {
    const std::string at = "http.hostSelection[" + std::to_string(index) + "].";
    const std::string predicate(value_of(hosts[index].predicate));
    unused.add_if(predicate != "OmitPreviousPriorities", hosts[index].updateFrequency, at + "updateFrequency",
                  "`predicate` is " + predicate);
    unused.add_if(predicate != "OmitHostsWithTags", hosts[index].tags, at + "tags", "`predicate` is " + predicate);
  }
}

}  // namespace

std::vector<UnusedField> unused_fields(const kuma::Conf& conf, const Reach& reach) {
  Unused unused;
  add_unused(conf.hashPolicies, "hashPolicies", reach, unused);
  if (conf.loadBalancer) {
    add_unused(*conf.loadBalancer, reach, unused);
  }
  return unused.take();
}

std::vector<UnusedField> unused_fields(const kuma::CircuitBreakerConf& conf, const Reach& /*reach*/) {
  Unused unused;
  if (const auto& detection = conf.outlierDetection) {
    const bool off = detection->disabled.value_or(false);
    unused.add_if(off, detection->interval, "outlierDetection.interval", switched_off);
    unused.add_if(off, detection->baseEjectionTime, "outlierDetection.baseEjectionTime", switched_off);
    unused.add_if(off, detection->maxEjectionPercent, "outlierDetection.maxEjectionPercent", switched_off);
    unused.add_if(off, detection->splitExternalAndLocalErrors, "outlierDetection.splitExternalAndLocalErrors",
                  switched_off);
    unused.add_if(off, detection->detectors, "outlierDetection.detectors", switched_off);
    unused.add_if(off, detection->healthyPanicThreshold, "outlierDetection.healthyPanicThreshold", switched_off);
  }
  return unused.take();
}

std::vector<UnusedField> unused_fields(const kuma::HealthCheckConf& conf, const Reach& reach) {
  const auto checks = [&](kuma::CheckKind kind) {
    return std::any_of(reach.protocols.begin(), reach.protocols.end(),
                       [&](const std::string& protocol) { return kuma::kind_of_check(conf, protocol) == kind; });
  };
  Unused unused;
  unused.add_unless(has_http_clusters(reach), conf.http, "http", "http or http2");
  unused.add_unless(reach.protocols.contains("grpc"), conf.grpc, "grpc", "grpc");
  const bool tcp_off = conf.tcp && conf.tcp->disabled.value_or(false);
  unused.add_if(!tcp_off && !checks(kuma::CheckKind::tcp), conf.tcp, "tcp",
                "no service that this item means speaks tcp or has its own check switched off");
  if (tcp_off) {
    unused.add_if(true, conf.tcp->send, "tcp.send", switched_off);
    unused.add_if(true, conf.tcp->receive, "tcp.receive", switched_off);
  }
  if (conf.http && conf.http->disabled.value_or(false)) {
    unused.add_if(true, conf.http->path, "http.path", switched_off);
    unused.add_if(true, conf.http->expectedStatuses, "http.expectedStatuses", switched_off);
    unused.add_if(true, conf.http->requestHeadersToAdd, "http.requestHeadersToAdd", switched_off);
  }
  if (conf.grpc && conf.grpc->disabled.value_or(false)) {
    unused.add_if(true, conf.grpc->serviceName, "grpc.serviceName", switched_off);
    unused.add_if(true, conf.grpc->authority, "grpc.authority", switched_off);
  }
  return unused.take();
}

std::vector<UnusedField> unused_fields(const kuma::RetryConf& conf, const Reach& reach) {
  Unused unused;
  unused.add_unless(reach.protocols.contains("http"), conf.http, "http", "http");
  unused.add_unless(reach.protocols.contains("grpc"), conf.grpc, "grpc", "grpc");
  unused.add_unless(!reach.routes && reach.protocols.contains("tcp"), conf.tcp, "tcp", "tcp");
  if (conf.http) {
    unused.add_if(true, conf.http->retriableResponseHeaders, "http.retriableResponseHeaders",
                  "Envoy reads them under the condition `retriable-headers`, which Kuma never writes");
    add_unused(conf.http->hostSelection.value_or(std::vector<kuma::RetryPredicate>{}), unused);
  }
  return unused.take();
}

std::vector<UnusedField> unused_fields(const kuma::TimeoutConf& conf, const Reach& reach) {
  constexpr const char* of_routes = "of a MeshHTTPRoute only `requestTimeout` and `streamIdleTimeout` count";
  Unused unused;
  unused.add_unless(speaks_http(reach), conf.http, "http", "http, http2 or grpc");
  unused.add_if(reach.routes, conf.connectionTimeout, "connectionTimeout", of_routes);
  const bool only_grpc = reach.protocols.size() == 1 && reach.protocols.contains("grpc");
  const std::string why = reach.routes ? of_routes : "Kuma writes it for no service of grpc";
  unused.add_if(reach.routes || only_grpc, conf.idleTimeout, "idleTimeout", why);
  if (conf.http && speaks_http(reach)) {
    const bool no_cluster = reach.routes || !has_http_clusters(reach);
    unused.add_if(no_cluster, conf.http->maxStreamDuration, "http.maxStreamDuration", why);
    unused.add_if(no_cluster, conf.http->maxConnectionDuration, "http.maxConnectionDuration", why);
    unused.add_if(reach.routes, conf.http->requestHeadersTimeout, "http.requestHeadersTimeout", of_routes);
  }
  return unused.take();
}

std::vector<UnusedField> unused_fields(const kuma::HttpRouteConf& conf, const Reach& reach) {
  Unused unused;
  if (!conf.rules.empty() && !speaks_http(reach)) {
    unused.add("rules", "no service that this item means speaks http, http2 or grpc");
  }
  return unused.take();
}

std::vector<UnusedField> unused_fields(const kuma::TcpRouteConf& conf, const Reach& reach) {
  Unused unused;
  if (!conf.rules.empty() && reach.routed_by_http) {
    unused.add("rules", "MeshHTTPRoutes route the services that this item means");
  }
  return unused.take();
}

}  // namespace spillway::scenario::kuma_binding
