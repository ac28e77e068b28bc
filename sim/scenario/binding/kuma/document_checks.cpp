#include "sim/scenario/binding/kuma/document_checks.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "models/documents/node.hpp"
#include "models/documents/problem.hpp"
#include "models/kuma/documents/documents.hpp"
#include "models/kuma/documents/field_path.hpp"
#include "models/kuma/merge.hpp"
#include "models/kuma/messages/other_kinds.hpp"
#include "models/kuma/policy_paths.hpp"
#include "models/kuma/targeting.hpp"
#include "sim/scenario/binding/kuma/policies.hpp"
#include "sim/scenario/binding/stages.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/messages/scenario.hpp"
#include "sim/scenario/service.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::scenario::kuma_binding {

namespace {

using binding::KumaClients;

void refuse_beside(KumaClients& so_far, Span where, const char* key, const char* help) {
  so_far.problems.error("SP640", where, "`{}` beside documents of Kuma", "Kuma's configuration replaces it", {key})
      .help("{}", {help});
}

// Returns the section of a policy's document for the requests that a proxy receives; null if there is none.
const documents::Member* inbound_section(const kuma::Origin& origin) {
  const documents::Member* const spec = origin.node->find("spec");
  for (const char* const name : {"rules", "from"}) {
    const documents::Member* const section = spec == nullptr ? nullptr : spec->value.find(name);
    if (section != nullptr && !section->value.items.empty()) {
      return section;
    }
  }
  return nullptr;
}

template <class Policy>
void name_inbound_sections(KumaClients& so_far, const std::vector<kuma::Document<Policy>>& documents) {
  for (const auto& document : documents) {
    const documents::Member* const section = inbound_section(document.origin);
    if (section == nullptr || document.origin.mesh != so_far.mesh.mesh.name) {
      continue;
    }
    const std::string text = document.origin.kind + " " + document.origin.name + ": `" + section->key +
                             "` is for requests that a proxy receives, and is not simulated";
    so_far.problems.warning("SP645", section->key_span, "a policy for the requests that a proxy receives", "{}",
                            {text});
    so_far.scenario.assumptions.push_back(text);
  }
}

void name_mirrors(KumaClients& so_far) {
  for (const auto& document : so_far.documents.http_routes) {
    for (const auto& item : document.value.to.value_or(std::vector<kuma::TargetedItem<kuma::HttpRouteConf>>{})) {
      const auto& rules = item.default_.rules;
      const bool mirrors = std::any_of(rules.begin(), rules.end(), [](const kuma::HttpRule& rule) {
        return std::any_of(rule.filters.begin(), rule.filters.end(),
                           [](const kuma::HttpFilter& filter) { return filter.has_mirror; });
      });
      if (mirrors && document.origin.mesh == so_far.mesh.mesh.name) {
        so_far.scenario.assumptions.push_back(document.origin.kind + " " + document.origin.name +
                                              ": copies of requests (`RequestMirror`) are not sent");
        break;
      }
    }
  }
}

// True if the document selects a dataplane that serves the destination.
bool touches(const KumaClients& so_far, const kuma::Policy& policy, const Destination& destination) {
  const auto& hosts = so_far.scenario.services[destination.service.value].hosts;
  return std::any_of(so_far.mesh.dataplanes.begin(), so_far.mesh.dataplanes.end(),
                     [&](const PlacedDataplane& dataplane) {
                       const bool serves = std::any_of(hosts.begin(), hosts.end(), [&](const Host& host) {
                         return std::find(dataplane.endpoints.begin(), dataplane.endpoints.end(), host.endpoint) !=
                                dataplane.endpoints.end();
                       });
                       const std::string& zone = so_far.scenario.zones[dataplane.zone.value].name;
                       return serves && kuma::selects(policy, proxy_of(dataplane.value, zone), so_far.mesh.profile);
                     });
}

// True if a client sends requests to the destination.
bool is_requested(const KumaClients& so_far, const Destination& destination) {
  const auto& clients = so_far.services_of_client;
  return std::any_of(clients.begin(), clients.end(), [&](const std::vector<config::ServiceIndex>& services) {
    return std::find(services.begin(), services.end(), destination.service) != services.end();
  });
}

void refuse_touched(KumaClients& so_far, const kuma::Document<kuma::Policy>& document,
                    std::span<const kuma::Client> clients) {
  for (const kuma::Client& client : clients) {
    if (messages::changes_proxies(document.origin.kind) && kuma::selects(document.value, client, so_far.mesh.profile)) {
      so_far.problems
          .error("SP643", document.origin.where, "requests that a {} affects", "it selects the client `{}`",
                 {document.origin.kind, client.name})
          .note("what it does to requests is not supported yet")
          .help("leave it out, or simulate other clients");
      return;
    }
  }
  for (const Destination& destination : so_far.mesh.destinations) {
    if (is_requested(so_far, destination) && touches(so_far, document.value, destination)) {
      so_far.problems
          .error("SP643", document.origin.where, "requests that a {} affects", "it selects proxies of `{}`",
                 {document.origin.kind, destination.name})
          .note("what it does to requests is not supported yet")
          .help("leave it out, or let clients request other services");
      return;
    }
  }
}

}  // namespace

void refuse_settings_beside(KumaClients& so_far) {
  for (const auto& cluster : so_far.file.clusters.value) {
    if (cluster->source.place_of("cluster_type")) {
      continue;  // an aggregate cluster is not one of Kuma's
    }
    for (const char* const key : {"lb_policy", "load_balancing_policy"}) {
      if (const auto place = cluster->source.place_of(key)) {
        refuse_beside(so_far, *place, key, "write `loadBalancer` in a MeshLoadBalancingStrategy");
      }
    }
  }
  for (const auto& assignment : so_far.file.load_assignments.value) {
    if (!assignment->policy) {
      continue;
    }
    if (const auto place = assignment->policy->source.place_of("overprovisioning_factor")) {
      refuse_beside(so_far, *place, "overprovisioning_factor",
                    "write `localityAwareness.crossZone.failoverThreshold` in a MeshLoadBalancingStrategy");
    }
  }
  for (const auto& service : so_far.file.services.value) {
    for (const auto& group : service->endpoints.value) {
      if (group->weight.present) {
        refuse_beside(so_far, group->weight.key, "weight", "Kuma weighs endpoints by itself: leave it out");
      }
    }
  }
}

void check_zones_of_clients(KumaClients& so_far) {
  for (const auto& written : so_far.file.clients.value) {
    if (!written->zone) {
      continue;
    }
    for (const kuma::DataplaneDocument& dataplane : so_far.documents.dataplanes) {
      if (dataplane.origin.name == written->name.value && dataplane.origin.mesh == so_far.mesh.mesh.name &&
          !dataplane.zone.empty() && dataplane.zone != *written->zone) {
        so_far.problems
            .error("SP642", written->zone.where, "a client in another zone than its Dataplane",
                   "its Dataplane is in `{}`", {dataplane.zone})
            .help("leave `zone` out of the client, or write the zone of its Dataplane");
      }
    }
  }
}

void check_inbound_policies(KumaClients& so_far, std::span<const kuma::Client> clients) {
  name_inbound_sections(so_far, so_far.documents.circuit_breakers);
  name_inbound_sections(so_far, so_far.documents.timeouts);
  name_mirrors(so_far);
  for (const kuma::Document<kuma::Policy>& document : so_far.documents.inbound) {
    if (document.origin.mesh != so_far.mesh.mesh.name) {
      continue;
    }
    so_far.scenario.assumptions.push_back(document.origin.kind + " " + document.origin.name + " is not simulated");
    refuse_touched(so_far, document, clients);
  }
}

}  // namespace spillway::scenario::kuma_binding
