#include "sim/scenario/binding/kuma/outbound_listeners.hpp"

#include <algorithm>

#include "models/documents/node.hpp"
#include "models/kuma/documents/field_path.hpp"
#include "models/kuma/policy_paths.hpp"
#include "models/kuma/proxy/resource_names.hpp"
#include "models/kuma/proxy/route_matches.hpp"
#include "models/kuma/references.hpp"
#include "models/kuma/splits.hpp"
#include "sim/scenario/binding/kuma/kuma_mesh.hpp"
#include "sim/scenario/binding/kuma/places.hpp"
#include "sim/scenario/binding/kuma/policies.hpp"
#include "sim/scenario/binding/kuma/refusals.hpp"
#include "sim/scenario/binding/kuma/views.hpp"

namespace spillway::scenario::kuma_binding {

namespace {

using kuma::DestinationModel;
using kuma::OutboundListener;
using kuma::OutboundRoute;
using kuma::value_of;

// True if the split means the destination, whatever the port.
bool is_meant(const Destination& destination, const kuma::Split& split) {
  return kuma::refers_to({split.name, split.name_space, &split.labels}, split.origin, destination.name,
                         destination.labels) &&
         (split.labels.empty() || kuma::backend_is_in_namespace(split.labels, split.origin, destination.labels));
}

// True if the split means this port. A sectionName is a port's name or number, and `port` counts only without it.
bool is_meant_port(const Destination& destination, const kuma::Split& split) {
  const std::string number = std::to_string(destination.port);
  if (!split.sectionName.empty()) {
    return split.sectionName == destination.port_name || split.sectionName == number;
  }
  return !split.port || *split.port == destination.port;
}

bool is_meant_by_tag(const Destination& destination, const kuma::Split& split) {
  return split.name.empty() ? kuma::has_all(destination.labels, split.labels) : destination.name == split.name;
}

// Returns the section that a reference names: a port's name or number; "" if it names none.
std::string written_section(const kuma::Split& split) {
  return !split.sectionName.empty() ? split.sectionName : split.port ? std::to_string(*split.port) : std::string();
}

template <class Conf>
Span place_of_rules(const PoliciesOf<Conf>& policies, const kuma::MergedConf<Conf>& conf) {
  return conf.origins.empty() ? Span() : policies.place_of(conf.origins.back(), ".rules");
}

std::string_view short_kind(DestinationModel model) {
  return model == DestinationModel::mesh_multi_zone_service ? "mzsvc"
         : model == DestinationModel::mesh_external_service ? "extsvc"
                                                            : "msvc";
}

}  // namespace

OutboundListeners::OutboundListeners(const KumaMesh& contents, const Policies& policies, Views& views,
                                     const kuma::Client& client, config::ZoneIndex zone,
                                     const kuma::DataplaneDocument* document)
    : contents_(&contents), policies_(&policies), views_(&views), client_(&client), zone_(zone), document_(document) {}

std::shared_ptr<const OutboundListener> OutboundListeners::of(const Destination& destination, const kuma::Tags& tags) {
  const auto key = std::pair(destination.service, tags);
  if (const auto known = built_.find(key); known != built_.end()) {
    return known->second;
  }
  tags_ = tags;
  problem_.clear();
  OutboundListener listener = frame(destination);
  const auto http = policies_->http_routes.merged(*client_, destination);
  const auto tcp = policies_->tcp_routes.merged(*client_, destination);
  const bool divides_connections = tcp && !tcp->conf.rules.empty();
  listener.is_http = destination.speaks_http() && (http || !divides_connections);
  bool built = false;
  if (listener.is_http) {
    if (http) {
      views_->refusals().look_at_routes(http->origins);
    }
    built = add_http_routes(destination, http ? &*http : nullptr, listener);
  } else {
    built = add_tcp_clusters(destination, listener);
  }
  apply_policies(destination, listener);
  return built_[key] = built ? std::make_shared<const OutboundListener>(std::move(listener)) : nullptr;
}

Span OutboundListeners::rules_of(const Destination& destination) const {
  const auto http = policies_->http_routes.merged(*client_, destination);
  if (http && destination.speaks_http()) {
    return place_of_rules(policies_->http_routes, *http);
  }
  const auto tcp = policies_->tcp_routes.merged(*client_, destination);
  return tcp ? place_of_rules(policies_->tcp_routes, *tcp) : Span();
}

// Returns the section of the outbound: the port as a Dataplane's outbound writes it, else the port's name.
std::string OutboundListeners::section_of(const Destination& destination) const {
  const std::string number = std::to_string(destination.port);
  const bool is_written = document_ != nullptr && !document_->transparent && !document_->outbounds.empty();
  return is_written || destination.port_name.empty() ? number : destination.port_name;
}

std::string OutboundListeners::name_of(const Destination& destination, const std::string& section) const {
  const std::string_view display_name = value_of(destination.labels, kuma::display_name_label);
  return kuma::kri(short_kind(destination.model),
                   {.mesh = contents_->mesh.name,
                    .zone = destination.zone,
                    .name_space = value_of(destination.labels, kuma::namespace_label),
                    .name = display_name.empty() ? std::string_view(destination.name) : display_name,
                    .section = section});
}

// Returns the labels of the client's Dataplane as written (head), or all values of the tags of its inbounds (2.14).
kuma::Tags OutboundListeners::tags_of_client() const {
  kuma::Tags tags;
  if (document_ == nullptr) {
    return tags;
  }
  if (contents_->profile != config::KumaProfile::head) {
    for (const kuma::Tags& inbound : client_->inbounds) {
      for (const auto& [key, value] : inbound) {
        std::string& values = tags[key];
        values += values.empty() ? value : values.find(value) == std::string::npos ? "," + value : "";
      }
    }
    return tags;
  }
  const documents::Member* labels = document_->origin.node->find("labels");
  if (const documents::Member* const metadata = document_->origin.node->find("metadata");
      labels == nullptr && metadata) {
    labels = metadata->value.find("labels");
  }
  for (const documents::Member& label : labels == nullptr ? std::vector<documents::Member>{} : labels->value.members) {
    tags.emplace(label.key, label.value.text);
  }
  return tags;
}

OutboundListener OutboundListeners::frame(const Destination& destination) const {
  OutboundListener listener{.client_tags = tags_of_client(), .protocol = destination.protocol};
  const bool by_tag = destination.model == DestinationModel::tag;
  for (const kuma::Outbound& outbound : document_ == nullptr ? std::vector<kuma::Outbound>{} : document_->outbounds) {
    if (listener.port == 0 && binding::leads_to(*document_, outbound, destination)) {
      listener.port = outbound.port;
      listener.address = outbound.address.empty() ? listener.address : outbound.address;
    }
  }
  if (by_tag) {
    listener.name = "outbound:" + listener.address + ":" + std::to_string(listener.port);
    listener.route_config = "outbound:" + destination.name;
    listener.virtual_host = destination.name;
    listener.tags = {{std::string(kuma::service_tag), destination.name}};
    return listener;
  }
  listener.name = name_of(destination, section_of(destination));
  listener.stat_prefix = listener.route_config = listener.virtual_host = listener.name;
  listener.tags = {{"kuma.io/unified-name", listener.name}};
  return listener;
}

kuma::OutboundCluster OutboundListeners::cluster_of(const Destination& destination, const kuma::Tags& tags,
                                                    const std::string& section, std::uint32_t weight) {
  const bool by_tag = destination.model == DestinationModel::tag;
  return {.name = by_tag ? kuma::subset_name(destination.name, tags) : name_of(destination, section),
          .weight = weight,
          .view = views_->of_client(*client_, zone_, destination, tags),
          .external = destination.model == DestinationModel::mesh_external_service};
}

const Destination* OutboundListeners::destination_of(const kuma::Split& split) const {
  if (split.model == DestinationModel::tag) {
    const auto found =
        std::find_if(contents_->destinations.begin(), contents_->destinations.end(), [&](const Destination& candidate) {
          return candidate.model == split.model && is_meant_by_tag(candidate, split);
        });
    return found == contents_->destinations.end() ? nullptr : &*found;
  }
  const Destination* resource = nullptr;  // one port of it
  for (const Destination& candidate : contents_->destinations) {
    if (candidate.model != split.model || !is_meant(candidate, split)) {
      continue;
    }
    const bool own_zone = candidate.model != DestinationModel::mesh_service || candidate.zone == client_->zone;
    if (resource == nullptr || (own_zone && resource->zone != candidate.zone)) {
      resource = &candidate;
    }
  }
  const Destination* port = nullptr;
  std::size_t ports = 0;
  for (const Destination& candidate : contents_->destinations) {
    if (resource != nullptr && candidate.model == resource->model && candidate.name == resource->name &&
        candidate.zone == resource->zone && candidate.labels == resource->labels) {
      ++ports;
      port = port == nullptr && is_meant_port(candidate, split) ? &candidate : port;
    }
  }
  // A reference without a port means a service with one port.
  return written_section(split).empty() && ports > 1 ? nullptr : port;
}

// True if the reference resolves. Labels must match a resource; names and values of kuma.io/service are resolved later.
bool OutboundListeners::resolves(const kuma::Split& split) const {
  return !split.name.empty() ||
         std::any_of(contents_->destinations.begin(), contents_->destinations.end(), [&](const Destination& candidate) {
           return candidate.model == split.model && is_meant(candidate, split);
         });
}

// Notes a dropped backend, since it is missing from the printed shares.
void OutboundListeners::note_dropped(const Destination& destination, const kuma::Split& split, const std::string& why) {
  std::string name = split.name;
  for (const auto& [key, value] : split.labels) {
    name.append(name.empty() ? "" : ", ").append(key).append("=").append(value);
  }
  const std::string section = written_section(split);
  name += section.empty() ? "" : ":" + section;
  dropped_.push_back({rules_at_, "of the routes of " + destination.name + ": " + name + ", " + why});
}

OutboundListeners::Backends OutboundListeners::resolved(std::span<const kuma::BackendRef> references,
                                                        const Destination& destination, bool http, bool& any_resolved) {
  Backends result;
  for (const kuma::BackendRef& reference : references) {
    const auto parts = kuma::splits({&reference, 1}, {}, contents_->profile);
    any_resolved = any_resolved || parts.empty() || resolves(parts.front());
    if (parts.empty()) {
      continue;  // of weight 0
    }
    const kuma::Split& part = parts.front();
    const Destination* const backend = destination_of(part);
    const bool fits =
        backend != nullptr && kuma::takes_split(backend->protocol, http ? kuma::SplitKind::http : kuma::SplitKind::tcp);
    if (fits) {
      const std::string section = written_section(part);
      const std::string port = backend->port_name.empty() ? std::to_string(backend->port) : backend->port_name;
      result.clusters.push_back(cluster_of(*backend, part.tags, section.empty() ? port : section, part.weight));
      continue;
    }
    result.unresolved_weight += part.weight;
    note_dropped(destination, part,
                 backend != nullptr ? "whose protocol is " + backend->protocol
                 : resolves(part)   ? "which is not there"
                                    : "which nothing has");
    if (!http && part.model == DestinationModel::tag && backend == nullptr) {
      problem_ = "a MeshTCPRoute leads to " + part.name + ", which has no endpoints";
    }
  }
  return result;
}

OutboundListeners::Backends OutboundListeners::backends_of(std::span<const kuma::BackendRef> references,
                                                           const Destination& destination, bool http) {
  const auto itself = [&] {
    const kuma::Tags tags = destination.model == DestinationModel::tag ? tags_ : kuma::Tags();
    return Backends{.clusters = {cluster_of(destination, tags, section_of(destination), 1)}};
  };
  if (references.empty()) {
    return itself();
  }
  bool any_resolved = false;
  Backends result = resolved(references, destination, http, any_resolved);
  if (http && contents_->profile == config::KumaProfile::head) {
    result.all_unresolved = result.clusters.empty();
    return result;
  }
  result.unresolved_weight = 0;  // 2.14: the other backends get it
  if (!any_resolved && http) {
    return itself();
  }
  if (result.clusters.empty() && problem_.empty()) {
    problem_ = "no backendRef of its rule gets a part: they are not there, have the weight 0 or another protocol";
  }
  return result;
}

std::optional<OutboundRoute::Origin> OutboundListeners::origin_of(const HttpConf* conf,
                                                                  const kuma::HttpRoute& route) const {
  for (std::size_t position = conf == nullptr ? 0 : conf->origins.size(); position > 0; --position) {
    const kuma::RuleOrigin& item = conf->origins[position - 1];
    const auto& rules = policies_->http_routes.item(item).default_.rules;
    for (std::size_t rule = 0; rule < rules.size(); ++rule) {
      if (rules[rule].matches == route.matches) {
        return OutboundRoute::Origin{item, rule};
      }
    }
  }
  return std::nullopt;
}

// Returns the identity of a route: head names the rule of a MeshHTTPRoute, 2.14 only for real destinations.
std::string OutboundListeners::route_name(const Destination& destination, const kuma::HttpRoute& route,
                                          const std::optional<OutboundRoute::Origin>& origin) const {
  if (!origin) {
    return kuma::matches_name({&route.match, 1});
  }
  if (destination.model == DestinationModel::tag) {
    return kuma::matches_name(route.matches);
  }
  const bool head = contents_->profile == config::KumaProfile::head;
  const kuma::Origin& document = policies_->http_routes.documents()[origin->item.policy];
  const std::string section = head ? "rule_" + std::to_string(origin->item.item) : std::string();
  return kuma::kri("mhttpr", {.mesh = contents_->mesh.name,
                              .zone = document.zone(),
                              .name_space = document.name_space(),
                              .name = document.display_name(),
                              .section = section});
}

void OutboundListeners::add_routes(const Destination& destination, const HttpConf* conf, const kuma::HttpRoute& route,
                                   const Backends& backends, OutboundListener& into) {
  const auto origin = route.matches.empty() ? std::nullopt : origin_of(conf, route);
  const std::string name = route_name(destination, route, origin);
  std::uint64_t sum = backends.unresolved_weight;
  for (const kuma::OutboundCluster& cluster : backends.clusters) {
    sum += cluster.weight;
  }
  for (envoy::routes::RouteMatch& match : kuma::route_matches(route.match)) {
    OutboundRoute made{.name = name, .match = std::move(match), .origin = origin};
    if (backends.all_unresolved || backends.unresolved_weight > 0) {
      OutboundRoute answered = made;
      answered.answers_500 = true;
      if (!backends.all_unresolved) {
        answered.runtime_fraction = kuma::fractional_percent(backends.unresolved_weight, sum);
      }
      into.routes.push_back(std::move(answered));
    }
    if (!backends.all_unresolved) {
      made.clusters = backends.clusters;
      into.routes.push_back(std::move(made));
    }
  }
}

bool OutboundListeners::add_http_routes(const Destination& destination, const HttpConf* conf, OutboundListener& into) {
  rules_at_ = conf == nullptr ? Span() : place_of_rules(policies_->http_routes, *conf);
  for (const kuma::HttpRoute& route : kuma::http_routes(conf == nullptr ? kuma::HttpRouteConf{} : conf->conf)) {
    // In 2.14 a route without a backend is left out, so the next matching route takes the request.
    const Backends backends = backends_of(route.backendRefs, destination, true);
    if (!backends.clusters.empty() || backends.all_unresolved) {
      add_routes(destination, conf, route, backends, into);
    }
  }
  return !into.routes.empty();
}

bool OutboundListeners::add_tcp_clusters(const Destination& destination, OutboundListener& into) {
  std::vector<kuma::BackendRef> references;
  if (const auto tcp = policies_->tcp_routes.merged(*client_, destination); tcp && !tcp->conf.rules.empty()) {
    references = tcp->conf.rules.front().backendRefs.value_or(references);
    rules_at_ = place_of_rules(policies_->tcp_routes, *tcp);
  }
  into.clusters = backends_of(references, destination, false).clusters;
  return !into.clusters.empty() && problem_.empty();
}

}  // namespace spillway::scenario::kuma_binding
