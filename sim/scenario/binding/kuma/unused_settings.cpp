// Warns of what no proxy is told: policies that select no proxy (SP649), items of `to` that name nothing (SP641), and
// settings of an item that none of the services that it means takes (SP646).
#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "models/documents/node.hpp"
#include "models/documents/problem.hpp"
#include "models/kuma/documents/documents.hpp"
#include "models/kuma/documents/field_path.hpp"
#include "models/kuma/merge.hpp"
#include "models/kuma/policy_paths.hpp"
#include "models/kuma/protocol.hpp"
#include "models/kuma/targeting.hpp"
#include "sim/scenario/binding/kuma/document_checks.hpp"
#include "sim/scenario/binding/kuma/policies.hpp"
#include "sim/scenario/binding/kuma/unused_fields.hpp"
#include "sim/scenario/binding/stages.hpp"

namespace spillway::scenario::kuma_binding {

namespace {

using binding::KumaClients;
using Destinations = std::vector<const Destination*>;

constexpr std::array balancers_that_hash = {"RingHash", "Maglev"};

// Returns a policy with one item, for every client.
template <class Conf>
kuma::TargetedPolicy<Conf> alone(const kuma::TargetedPolicy<Conf>& policy, std::size_t item) {
  kuma::TargetedPolicy<Conf> result{.name = policy.name, .labels = policy.labels};
  result.labels.erase(std::string(kuma::policy_role_label));
  result.labels.erase(std::string(kuma::origin_label));
  result.to.emplace().push_back((*policy.to)[item]);
  return result;
}

bool is_by_tag(const Destination* destination) {
  return destination->model == kuma::DestinationModel::tag;
}

bool has_resource(const Destinations& destinations) {
  return !std::all_of(destinations.begin(), destinations.end(), is_by_tag);
}

// Returns what an item says of requests that is not simulated; empty if there is nothing.
std::string not_simulated(const kuma::RetryConf& conf, const Reach& reach) {
  const std::uint32_t attempts = conf.tcp ? conf.tcp->maxConnectAttempt.value_or(1) : 1;
  return attempts > 1 && reach.protocols.contains("tcp")
             ? "a proxy tries " + std::to_string(attempts) +
                   " times to connect for services of tcp; simulated is one attempt"
             : std::string();
}

template <class Conf>
std::string not_simulated(const Conf& /*conf*/, const Reach& /*reach*/) {
  return {};
}

class UnusedItems {
 public:
  UnusedItems(KumaClients& so_far, std::span<const kuma::Client> proxies, bool ports_have_names)
      : so_far_(so_far), proxies_(proxies), strategies_(as_targeted(so_far.documents.strategies)) {
    any_client_.outbounds_by_number = !ports_have_names;
  }

  void warn() {
    const kuma::Documents& documents = so_far_.documents;
    warn_of(strategies_);
    warn_of(documents.http_routes);
    warn_of(documents.tcp_routes);
    warn_of(documents.circuit_breakers);
    warn_of(documents.health_checks);
    warn_of(documents.retries);
    warn_of(documents.timeouts);
  }

 private:
  template <class Conf>
  using PolicyDocument = kuma::Document<kuma::TargetedPolicy<Conf>>;

  template <class Conf>
  void warn_of(const std::vector<PolicyDocument<Conf>>& documents) {
    for (const auto& document : documents) {
      const bool counts = document.origin.mesh == so_far_.mesh.mesh.name && has_effect(document);
      for (std::size_t item = 0; counts && document.value.to && item < document.value.to->size(); ++item) {
        warn_of(document, item);
      }
    }
  }

  // Reports a policy that selects no proxy.
  template <class Conf>
  bool has_effect(const PolicyDocument<Conf>& document) {
    const kuma::Policy policy{.name = document.value.name,
                              .labels = document.value.labels,
                              .spec = {.targetRef = document.value.targetRef, .to = {}}};
    if (kuma::is_shadow(policy)) {
      so_far_.scenario.assumptions.push_back(document.origin.kind + " " + document.origin.name +
                                             " is labelled `kuma.io/effect: shadow` and has no effect");
      return false;
    }
    const bool selects = std::any_of(proxies_.begin(), proxies_.end(), [&](const kuma::Client& proxy) {
      return kuma::selects(policy, proxy, so_far_.mesh.profile);
    });
    if (!selects) {
      so_far_.problems
          .warning("SP649", kuma::place_of(*document.origin.node, "spec.targetRef"),
                   "a policy that selects no proxy: `{}`", "no Dataplane and no client of the mesh is selected by it",
                   {document.origin.name})
          .note("Kuma takes it, and it has no effect");
    }
    return selects;
  }

  template <class Conf>
  void warn_of(const PolicyDocument<Conf>& document, std::size_t item) {
    const auto& written = (*document.value.to)[item];
    const kuma::TargetRef target = written.targetRef.value_or(kuma::TargetRef{});
    const bool is_route = kuma::value_of(target.kind) == "MeshHTTPRoute";
    const Destinations reached = is_route ? of_routes(target) : of_item(document.value, item, any_client_);
    const std::string path = kuma::at("spec", "to", item);
    if (!kuma::value_of(target.sectionName).empty() && !has_resource(reached) &&
        warn_of_section(document, item, !reached.empty()) && reached.empty()) {
      return;
    }
    if (reached.empty() && target.kind != "Mesh") {
      so_far_.problems
          .warning("SP641", kuma::place_of(*document.origin.node, path + ".targetRef"),
                   "an item of `to` that names nothing", "{}",
                   {is_route ? "no service that is a resource has routes of such a MeshHTTPRoute"
                             : "no service of the mesh is meant by this"})
          .note("Kuma takes it, and it has no effect");
      return;
    }
    const Reach reach = reach_of(written.default_, reached, is_route);
    if (const std::string text = not_simulated(written.default_, reach); !text.empty()) {
      so_far_.scenario.assumptions.push_back(document.origin.kind + " " + document.origin.name + ": " + text);
    }
    constexpr bool without_default =
        std::is_same_v<Conf, kuma::HttpRouteConf> || std::is_same_v<Conf, kuma::TcpRouteConf>;
    for (const UnusedField& unused : unused_fields(written.default_, reach)) {
      so_far_.problems
          .warning("SP646",
                   kuma::place_of(*document.origin.node, path + (without_default ? "." : ".default.") + unused.field),
                   "a setting that no proxy uses", "{}", {unused.why})
          .note("Kuma takes it, and it has no effect");
    }
  }

  // Reports a sectionName that reaches no port of a resource. Returns false if the reference names no resource at all.
  template <class Conf>
  bool warn_of_section(const PolicyDocument<Conf>& document, std::size_t item, bool by_tag) {
    const bool has_port = has_resource(of_item(document.value, item, {}));
    kuma::TargetedPolicy<Conf> any_port = document.value;
    (*any_port.to)[item].targetRef->sectionName.reset();
    if (!has_resource(of_item(any_port, item, {}))) {
      return false;
    }
    so_far_.problems
        .warning("SP641",
                 kuma::place_of(*document.origin.node, kuma::at("spec", "to", item) + ".targetRef.sectionName"),
                 "a `sectionName` that means no port", "{}",
                 {has_port ? "the outbounds of the clients write the number of this port, and only its name is meant"
                           : "the service has no port of this name"})
        .note("{}", {by_tag ? "Kuma takes it, and applies the item to the value of `kuma.io/service` only"
                            : "Kuma takes it, and it has no effect"});
    return true;
  }

  // Returns the destinations that an item reaches for this client.
  template <class Conf>
  [[nodiscard]] Destinations of_item(const kuma::TargetedPolicy<Conf>& policy, std::size_t item,
                                     const kuma::Client& client) const {
    const kuma::PolicySet<Conf> one({alone(policy, item)});
    const config::KumaProfile profile = so_far_.mesh.profile;
    Destinations reached;
    for (const Destination& destination : so_far_.mesh.destinations) {
      if (is_by_tag(&destination) ? one.of_tag(client, destination.name, profile).has_value()
                                  : one.of_resource(client, resource_of(destination, client), profile).has_value()) {
        reached.push_back(&destination);
      }
    }
    return reached;
  }

  // Returns the destinations of which a route may be one of this MeshHTTPRoute. Values of kuma.io/service are none:
  // policies of a MeshHTTPRoute do not reach their routes.
  [[nodiscard]] Destinations of_routes(const kuma::TargetRef& target) const {
    Destinations reached;
    for (const auto& route : so_far_.documents.http_routes) {
      const bool named = target.labels ? kuma::has_all(route.value.labels, *target.labels)
                                       : kuma::value_of(target.name) == route.origin.display_name();
      for (std::size_t item = 0; named && route.value.to && item < route.value.to->size(); ++item) {
        const Destinations of_rules = of_item(route.value, item, any_client_);
        std::copy_if(of_rules.begin(), of_rules.end(), std::back_inserter(reached),
                     [](const Destination* destination) { return !is_by_tag(destination); });
      }
    }
    return reached;
  }

  template <class Conf>
  [[nodiscard]] Reach reach_of(const Conf& /*conf*/, const Destinations& reached, bool is_route) const {
    Reach reach{.routes = is_route};
    for (const Destination* const destination : reached) {
      reach.protocols.insert(destination->protocol);
    }
    if constexpr (std::is_same_v<Conf, kuma::Conf>) {
      reach.hashes =
          is_route || reaches_any(strategies_, reached, [](const kuma::Conf& other) {
            const std::string_view type = other.loadBalancer ? kuma::value_of(other.loadBalancer->type) : "";
            return std::find(balancers_that_hash.begin(), balancers_that_hash.end(), type) != balancers_that_hash.end();
          });
    } else if constexpr (std::is_same_v<Conf, kuma::TcpRouteConf>) {
      reach.routed_by_http = std::all_of(reached.begin(), reached.end(), [&](const Destination* destination) {
        return destination->speaks_http() && reaches_any(so_far_.documents.http_routes, {destination},
                                                         [](const kuma::HttpRouteConf& /*conf*/) { return true; });
      });
    }
    return reach;
  }

  // True if an item with such a conf reaches one of these destinations.
  template <class Conf, class Wanted>
  [[nodiscard]] bool reaches_any(const std::vector<PolicyDocument<Conf>>& documents, const Destinations& wanted,
                                 Wanted is_wanted) const {
    return std::any_of(documents.begin(), documents.end(), [&](const auto& document) {
      const std::size_t items = document.value.to ? document.value.to->size() : 0;
      for (std::size_t item = 0; item < items; ++item) {
        if (!is_wanted((*document.value.to)[item].default_)) {
          continue;
        }
        const Destinations reached = of_item(document.value, item, any_client_);
        if (std::find_first_of(reached.begin(), reached.end(), wanted.begin(), wanted.end()) != reached.end()) {
          return true;
        }
      }
      return false;
    });
  }

  KumaClients& so_far_;
  std::span<const kuma::Client> proxies_;
  std::vector<PolicyDocument<kuma::Conf>> strategies_;
  kuma::Client any_client_ = {};
};

}  // namespace

void warn_of_unused_items(KumaClients& so_far, std::span<const kuma::Client> proxies, bool ports_have_names) {
  UnusedItems(so_far, proxies, ports_have_names).warn();
}

}  // namespace spillway::scenario::kuma_binding
