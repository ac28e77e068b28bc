// Warns of what no proxy is told: items of `to` that name nothing (SP641), and settings of an item that none of the
// services that it means takes (SP646), such as `grpc` of a MeshRetry for a service of http.
#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "models/documents/node.hpp"
#include "models/documents/problem.hpp"
#include "models/kuma/documents/documents.hpp"
#include "models/kuma/documents/field_path.hpp"
#include "models/kuma/merge.hpp"
#include "models/kuma/mesh_health_check.hpp"
#include "models/kuma/mesh_load_balancing_strategy.hpp"
#include "models/kuma/mesh_retry.hpp"
#include "models/kuma/mesh_timeout.hpp"
#include "models/kuma/policy_paths.hpp"
#include "models/kuma/protocol.hpp"
#include "sim/scenario/binding/kuma/document_checks.hpp"
#include "sim/scenario/binding/kuma/policies.hpp"
#include "sim/scenario/binding/stages.hpp"

namespace spillway::scenario::kuma_binding {

namespace {

using binding::KumaClients;

// A field below `default` that no service takes, and why.
struct Unused {
  std::string field;
  std::string why;
};

using Protocols = std::set<std::string, std::less<>>;

bool speaks_http(const Protocols& protocols) {
  return std::any_of(protocols.begin(), protocols.end(), kuma::is_http_based);
}

// A policy with one item, for every client.
template <class Conf>
kuma::TargetedPolicy<Conf> alone(const kuma::TargetedPolicy<Conf>& policy, std::size_t item) {
  kuma::TargetedPolicy<Conf> result{.name = policy.name, .labels = policy.labels};
  result.labels.erase(std::string(kuma::policy_role_label));
  result.labels.erase(std::string(kuma::origin_label));
  result.to.emplace().push_back((*policy.to)[item]);
  return result;
}

bool names_a_route(const kuma::TargetRef& target, const kuma::Documents& documents) {
  return std::any_of(documents.http_routes.begin(), documents.http_routes.end(), [&](const auto& route) {
    return target.labels ? kuma::has_all(route.value.labels, *target.labels)
                         : kuma::value_of(target.name) == route.origin.display_name();
  });
}

// Returns the protocols of the services that an item means; of a MeshHTTPRoute, all that have routes.
template <class Conf>
Protocols protocols_meant(const KumaClients& so_far, const kuma::TargetedPolicy<Conf>& policy, std::size_t item) {
  const kuma::TargetRef target = (*policy.to)[item].targetRef.value_or(kuma::TargetRef{});
  const std::string_view kind = kuma::value_of(target.kind);
  if (kind == "MeshHTTPRoute") {
    return names_a_route(target, so_far.documents) ? Protocols{"http", "http2", "grpc"} : Protocols{};
  }
  const kuma::PolicySet<Conf> one({alone(policy, item)});
  Protocols protocols;
  for (const Destination& destination : so_far.mesh.destinations) {
    const bool meant = kind.empty() || kind == "Mesh" ||
                       (destination.model == kuma::DestinationModel::tag
                            ? one.of_tag({}, destination.name, so_far.mesh.profile).has_value()
                            : one.of_resource({}, resource_of(destination), so_far.mesh.profile).has_value());
    if (meant) {
      protocols.insert(destination.protocol);
    }
  }
  return protocols;
}

template <class Section>
void add_unless(bool used, const std::optional<Section>& section, const char* field, const char* protocol,
                std::vector<Unused>& into) {
  if (section && !used) {
    into.push_back({field, std::string("no service that this item means speaks ") + protocol});
  }
}

std::vector<Unused> unused_of(const kuma::RetryConf& conf, const Protocols& protocols) {
  std::vector<Unused> unused;
  add_unless(protocols.contains("http"), conf.http, "http", "http", unused);
  add_unless(protocols.contains("grpc"), conf.grpc, "grpc", "grpc", unused);
  add_unless(protocols.contains("tcp"), conf.tcp, "tcp", "tcp", unused);
  if (conf.http && conf.http->retriableResponseHeaders) {
    unused.push_back({"http.retriableResponseHeaders",
                      "Envoy reads them under the condition `retriable-headers`, which Kuma never writes"});
  }
  return unused;
}

std::vector<Unused> unused_of(const kuma::TimeoutConf& conf, const Protocols& protocols) {
  std::vector<Unused> unused;
  add_unless(speaks_http(protocols), conf.http, "http", "http, http2 or grpc", unused);
  return unused;
}

std::vector<Unused> unused_of(const kuma::HealthCheckConf& conf, const Protocols& protocols) {
  const auto checks = [&](kuma::CheckKind kind) {
    return std::any_of(protocols.begin(), protocols.end(),
                       [&](const std::string& protocol) { return kuma::kind_of_check(conf, protocol) == kind; });
  };
  const bool http = protocols.contains("http") || protocols.contains("http2");
  std::vector<Unused> unused;
  add_unless(http, conf.http, "http", "http or http2", unused);
  add_unless(protocols.contains("grpc"), conf.grpc, "grpc", "grpc", unused);
  if (conf.tcp && !checks(kuma::CheckKind::tcp) && !conf.tcp->disabled.value_or(false)) {
    unused.push_back({"tcp", "no service that this item means speaks tcp or has its own check switched off"});
  }
  return unused;
}

std::vector<Unused> unused_of(const kuma::Conf& conf, const Protocols& protocols) {
  std::vector<Unused> unused;
  add_unless(speaks_http(protocols), conf.hashPolicies, "hashPolicies", "http, http2 or grpc", unused);
  if (conf.loadBalancer) {
    const std::string type = kuma::value_of(conf.loadBalancer->type).empty() ? "" : *conf.loadBalancer->type;
    const auto of_type = [&](bool written, const char* field, const char* other) {
      if (written && type != other) {
        unused.push_back({std::string("loadBalancer.") + field, "`type` is " + type});
      }
    };
    of_type(conf.loadBalancer->leastRequest.has_value(), "leastRequest", "LeastRequest");
    of_type(conf.loadBalancer->ringHash.has_value(), "ringHash", "RingHash");
    of_type(conf.loadBalancer->maglev.has_value(), "maglev", "Maglev");
  }
  return unused;
}

// Circuit breakers and routes: each of their settings is in the configuration of every service.
template <class Conf>
std::vector<Unused> unused_of(const Conf& /*conf*/, const Protocols& /*protocols*/) {
  return {};
}

// Returns what an item says of requests that is not simulated; empty if there is nothing.
std::string not_simulated(const kuma::RetryConf& conf, const Protocols& protocols) {
  const std::uint32_t attempts = conf.tcp ? conf.tcp->maxConnectAttempt.value_or(1) : 1;
  return attempts > 1 && protocols.contains("tcp")
             ? "a proxy tries " + std::to_string(attempts) +
                   " times to connect for services of tcp; simulated is one attempt"
             : std::string();
}

template <class Conf>
std::string not_simulated(const Conf& /*conf*/, const Protocols& /*protocols*/) {
  return {};
}

template <class Conf>
void warn_of_items(KumaClients& so_far, const std::vector<kuma::Document<kuma::TargetedPolicy<Conf>>>& documents) {
  for (const auto& document : documents) {
    const std::size_t items = document.value.to ? document.value.to->size() : 0;
    for (std::size_t item = 0; document.origin.mesh == so_far.mesh.mesh.name && item < items; ++item) {
      const auto& written = (*document.value.to)[item];
      const std::string_view kind = written.targetRef ? kuma::value_of(written.targetRef->kind) : "";
      const Protocols protocols = protocols_meant(so_far, document.value, item);
      const std::string path = kuma::at("spec", "to", item);
      if (protocols.empty() && !kind.empty() && kind != "Mesh") {
        so_far.problems
            .warning("SP641", kuma::place_of(*document.origin.node, path + ".targetRef"),
                     "an item of `to` that names nothing", "no service of the mesh is meant by this")
            .note("Kuma takes it, and it has no effect");
        continue;
      }
      if (const std::string text = not_simulated(written.default_, protocols); !text.empty()) {
        so_far.scenario.assumptions.push_back(document.origin.kind + " " + document.origin.name + ": " + text);
      }
      for (const Unused& unused : unused_of(written.default_, protocols)) {
        so_far.problems
            .warning("SP646", kuma::place_of(*document.origin.node, path + ".default." + unused.field),
                     "a setting that no proxy uses", "{}", {unused.why})
            .note("Kuma takes it, and it has no effect");
      }
    }
  }
}

// The strategies have a type of their own, of the same shape.
std::vector<kuma::Document<kuma::TargetedPolicy<kuma::Conf>>> as_targeted(
    const std::vector<kuma::Document<kuma::Policy>>& strategies) {
  std::vector<kuma::Document<kuma::TargetedPolicy<kuma::Conf>>> result;
  for (const auto& document : strategies) {
    kuma::TargetedPolicy<kuma::Conf> policy{.name = document.value.name, .labels = document.value.labels};
    policy.to.emplace();
    for (const kuma::To& item : document.value.spec.to.value_or(std::vector<kuma::To>{})) {
      policy.to->push_back({.targetRef = item.targetRef, .default_ = item.default_});
    }
    result.push_back({document.origin, std::move(policy)});
  }
  return result;
}

}  // namespace

void warn_of_unused_items(KumaClients& so_far) {
  warn_of_items(so_far, as_targeted(so_far.documents.strategies));
  warn_of_items(so_far, so_far.documents.http_routes);
  warn_of_items(so_far, so_far.documents.tcp_routes);
  warn_of_items(so_far, so_far.documents.circuit_breakers);
  warn_of_items(so_far, so_far.documents.health_checks);
  warn_of_items(so_far, so_far.documents.retries);
  warn_of_items(so_far, so_far.documents.timeouts);
}

}  // namespace spillway::scenario::kuma_binding
