#include "sim/scenario/envoy/assemble.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "models/envoy/routes/address.hpp"
#include "sim/scenario/envoy/cluster_refusals.hpp"
#include "sim/scenario/grammar/suggestion.hpp"
#include "sim/scenario/meaning/cluster_config.hpp"
#include "sim/scenario/meaning/drop_overload.hpp"
#include "sim/scenario/meaning/locality_lints.hpp"
#include "sim/scenario/problem.hpp"

namespace spillway::scenario::envoy_documents {
namespace {

using ClusterCandidate = Candidate<written::WholeCluster>;

std::string name_of(const ClusterCandidate& cluster) {
  return cluster.written.name.value_or("");
}

// Zones and nodes for the localities, in the order in which they come up.
class Places {
 public:
  explicit Places(Scenario& scenario) : scenario_(scenario) {}

  config::NodeIndex node_of(const config::Locality& locality) {
    const auto known = nodes_.find(locality);
    if (known != nodes_.end()) {
      return known->second;
    }
    const config::NodeIndex index{static_cast<std::uint32_t>(scenario_.nodes.size())};
    scenario_.nodes.push_back({node_name(locality), zone_of(locality), locality.sub_zone});
    nodes_.emplace(locality, index);
    return index;
  }

  // Once all localities are there: no two zones and no two nodes have one name.
  void make_names_unique() {
    std::map<std::string, std::uint32_t> regions;  // by name, how many have a zone of it
    for (const Zone& zone : scenario_.zones) {
      ++regions[zone.name];
    }
    std::set<std::string> zone_names;
    for (Zone& zone : scenario_.zones) {
      if (regions[zone.name] > 1) {
        zone.name = name_with_region(zone.region, zone.name);
      }
      zone.name = not_in(zone_names, zone.name);
    }
    std::set<std::string> node_names;
    for (Node& node : scenario_.nodes) {
      node.name = not_in(node_names, node.name);
    }
  }

 private:
  config::ZoneIndex zone_of(const config::Locality& locality) {
    const config::ZoneIndex next{static_cast<std::uint32_t>(scenario_.zones.size())};
    const auto [zone, fresh] = zones_.emplace(std::pair(locality.region, locality.zone), next);
    if (fresh) {
      scenario_.zones.push_back({locality.zone, locality.region, locality.zone});
    }
    return zone->second;
  }
  // Names may hold slashes: `a/b` in region `c` meets `b` in region `c/a`.
  static std::string not_in(std::set<std::string>& names, const std::string& name) {
    std::string fresh = name;
    for (int number = 2; !names.insert(fresh).second; ++number) {
      fresh = name + " #" + std::to_string(number);
    }
    return fresh;
  }
  // "region/zone/sub_zone".
  static std::string node_name(const config::Locality& locality) {
    if (locality.empty()) {
      return "-";
    }
    return locality.region + "/" + locality.zone + (locality.sub_zone.empty() ? "" : "/" + locality.sub_zone);
  }

  Scenario& scenario_;
  std::map<config::Locality, config::NodeIndex> nodes_;
  std::map<std::pair<std::string, std::string>, config::ZoneIndex> zones_;
};

config::Locality plain(const written::Locality& locality) {
  return {locality.region.value_or(""), locality.zone.value_or(""), locality.sub_zone.value_or("")};
}

// Whether some address has to be looked up.
bool has_names(const config::ClusterLoadAssignment& assignment) {
  return std::any_of(assignment.endpoints.begin(), assignment.endpoints.end(), [](const auto& entry) {
    return std::any_of(entry.lb_endpoints.begin(), entry.lb_endpoints.end(),
                       [](const auto& endpoint) { return !envoy::routes::parse_ip_address(endpoint.address); });
  });
}

class Assembler {
 public:
  Assembler(const Documents& documents, Diagnostics& problems)
      : documents_(documents), problems_(problems), places_(scenario_) {}

  Scenario assemble(const std::string& cluster) {
    const std::optional<std::size_t> target = choose(cluster);
    scenario_.mode = Mode::exact;
    scenario_.duration = std::chrono::seconds{1};
    scenario_.runtime = documents_.runtime;
    ClientEntry client;
    const std::string id = documents_.node_id.value_or("");
    client.name = id.empty() ? "envoy" : id;
    client.workload.rate = 1.0;
    client.node = places_.node_of(plain(documents_.locality));
    if (target) {
      scenario_.name = name_of(documents_.clusters[*target]);
      client.workload.service = add_with_children(*target);
      add_local_cluster();
    }
    scenario_.clients.push_back(std::move(client));
    places_.make_names_unique();
    return std::move(scenario_);
  }

 private:
  [[nodiscard]] std::optional<std::size_t> find(const std::string& name) const {
    for (std::size_t i = 0; i < documents_.clusters.size(); ++i) {
      if (name_of(documents_.clusters[i]) == name) {
        return i;
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const ClusterCandidate& cluster : documents_.clusters) {
      all.push_back(name_of(cluster));
    }
    return all;
  }

  std::optional<std::size_t> choose(const std::string& cluster) {
    if (documents_.clusters.empty()) {
      problems_.push_back(with_help(error("SP136", "no cluster in the documents", Span{}, "holds no cluster"),
                                    "give the Cluster beside its ClusterLoadAssignment, or a Bootstrap"));
      return std::nullopt;
    }
    if (!cluster.empty()) {
      const auto found = find(cluster);
      if (!found) {
        Diagnostic problem = with_note(error("SP103", "unknown cluster " + in_ticks(cluster),
                                             documents_.clusters.front().where, "no cluster of this name"),
                                       "the clusters are " + grammar::listed(names(), "and"));
        if (const std::string meant = grammar::nearest(cluster, names()); !meant.empty()) {
          problem.helps.push_back("did you mean " + in_ticks(meant) + "?");
        }
        problems_.push_back(std::move(problem));
      }
      return found;
    }
    std::vector<std::size_t> others;
    for (std::size_t i = 0; i < documents_.clusters.size(); ++i) {
      if (!documents_.local_cluster || name_of(documents_.clusters[i]) != *documents_.local_cluster) {
        others.push_back(i);
      }
    }
    if (others.size() == 1 || documents_.clusters.size() == 1) {
      return others.empty() ? 0 : others.front();
    }
    problems_.push_back(with_help(error("SP135", "which cluster is not said", documents_.clusters[1].where,
                                        "one of " + std::to_string(documents_.clusters.size())),
                                  "write --cluster with " + grammar::listed(names())));
    return std::nullopt;
  }

  // The place that this cluster's service has, or will have; fills it in.
  config::ServiceIndex add(std::size_t position) {
    const auto known = added_.find(position);
    if (known != added_.end()) {
      return known->second;
    }
    const ClusterCandidate& candidate = documents_.clusters[position];
    problems_.insert(problems_.end(), candidate.problems.begin(), candidate.problems.end());
    for (std::size_t i = 0; i < documents_.clusters.size(); ++i) {
      if (i != position && name_of(documents_.clusters[i]) == name_of(candidate)) {
        problems_.push_back(
            with_note(error("SP101", "duplicate cluster " + in_ticks(name_of(candidate)),
                            documents_.clusters[std::max(i, position)].where, "this name is taken"),
                      "the first one is in " + place(documents_.clusters[std::min(i, position)].where)));
        break;
      }
    }
    const config::ServiceIndex index{static_cast<std::uint32_t>(scenario_.services.size())};
    added_.emplace(position, index);
    meaning::ClusterConfig config = meaning::read_cluster_config(
        candidate.written, problems_,
        candidate.written.load_assignment.present ? std::optional(candidate.written.load_assignment.key)
                                                  : std::nullopt);
    children_[position] = std::move(config.children);
    const std::string type = std::move(config.type);
    if (config.hosts_by_request) {
      problems_.push_back(warning("SP226", "a cluster without a balancer", *config.hosts_by_request,
                                  "each request names its own host, so there are no shares"));
    }
    Service service;
    service.name = name_of(candidate);
    service.cluster = std::move(config.cluster);
    service.load_assignment.cluster_name = service.name;
    refuse_cluster(candidate.written, type, problems_);
    if (config.aggregate || config.hosts_by_request) {
      // What its own load assignment drops is dropped; what those of its children drop is not (tried on Envoy 1.40).
      service.load_assignment.drop_overload =
          meaning::read_drop_overload(*candidate.written.load_assignment->policy, problems_);
    } else {
      read_endpoints(candidate, type, service);
      meaning::refuse_weight_sums(service.cluster, service.load_assignment, candidate.where, problems_);
      meaning::warn_of_equal_keys(service.cluster, service.load_assignment, candidate.where, problems_);
    }
    scenario_.services.push_back(std::move(service));
    return index;
  }

  config::ServiceIndex add_with_children(std::size_t position) {
    const config::ServiceIndex index = add(position);
    const auto children = children_[position];
    std::vector<std::string> there;
    for (const auto& child : children) {
      const auto found = find(child.value_or(""));
      if (found) {
        add(*found);
        there.push_back(*child);
      } else if (child) {
        problems_.push_back(with_note(
            warning("SP205", "a cluster that is not there", child.where, "no cluster is called " + in_ticks(*child)),
            "Envoy ignores it, and answers 503 if there is no other one"));
      }
    }
    scenario_.services[index.value].cluster.aggregate_clusters = std::move(there);
    return index;
  }

  void add_local_cluster() {
    const auto& name = documents_.local_cluster;
    if (!name || name->empty()) {
      return;
    }
    const auto found = find(*name);
    if (!found) {
      problems_.push_back(with_note(
          error("SP137", "unknown local cluster " + in_ticks(*name), name.where, "no static cluster of this name"),
          "Envoy refuses it"));
      return;
    }
    const config::ServiceIndex index = add(*found);
    const auto& localities = scenario_.services[index.value].load_assignment.endpoints;
    if (std::any_of(localities.begin(), localities.end(),
                    [](const auto& entry) { return entry.priority.value != 0; })) {
      problems_.push_back(with_note(error("SP129", "a local cluster with several priorities",
                                          documents_.clusters[*found].where, "has endpoints beyond priority 0"),
                                    "Envoy refuses it"));
    }
    scenario_.local_cluster = index;
  }

  [[nodiscard]] const Candidate<written::WholeLoadAssignment>* assignment_of(const ClusterCandidate& candidate) const {
    const std::string service_name = candidate.written.eds_cluster_config->service_name.value_or("");
    const std::string& wanted = service_name.empty() ? candidate.written.name.value : service_name;
    for (const auto& assignment : documents_.load_assignments) {
      if (assignment.written.cluster_name.value_or("") == wanted) {
        return &assignment;
      }
    }
    return nullptr;
  }

  void read_endpoints(const ClusterCandidate& candidate, const std::string& type, Service& service) {
    const written::WholeCluster& cluster = candidate.written;
    const bool eds = type == "EDS";
    const auto* const apart = assignment_of(candidate);
    const bool within = cluster.load_assignment.present && !(eds && cluster.load_assignment->endpoints->empty());
    if (apart != nullptr && (eds || !within)) {
      if (cluster.load_assignment.present) {
        problems_.push_back(
            with_note(warning("SP211", "a load assignment that Envoy does not look at", cluster.load_assignment.key,
                              "this EDS cluster takes its ClusterLoadAssignment document"),
                      "of an EDS cluster Envoy reads the ClusterLoadAssignment that EDS sends, its policy included"));
      }
      problems_.insert(problems_.end(), apart->problems.begin(), apart->problems.end());
      read_assignment(apart->written, candidate, type, service);
    } else if (within) {
      read_assignment(*cluster.load_assignment, candidate, type, service);
    } else if (eds) {
      problems_.push_back(
          with_help(error("SP136", "a cluster without its load assignment", candidate.where,
                          "no ClusterLoadAssignment of " + in_ticks(service.name) + " among the documents"),
                    "give the file with its ClusterLoadAssignment too"));
    }
  }

  void read_assignment(const written::WholeLoadAssignment& written, const ClusterCandidate& candidate,
                       const std::string& type, Service& service) {
    refuse_addresses(type, written, candidate.where, problems_);
    warn_of_ignored(written);
    config::ClusterLoadAssignment& assignment = service.load_assignment;
    const written::LoadAssignmentPolicy& policy = *written.policy;
    assignment.overprovisioning_factor = static_cast<std::uint32_t>(policy.overprovisioning_factor.value_or(140));
    assignment.weighted_priority_health = policy.weighted_priority_health.value_or(false);
    warn_of_staleness(policy, type);
    assignment.drop_overload = meaning::read_drop_overload(policy, problems_);
    meaning::LocalityPlaces places;
    places.weighting = meaning::weighting_place(candidate.written, service.cluster);
    places.typed_policy = candidate.written.load_balancing_policy.present;
    for (const auto& field : *written.endpoints) {
      config::LocalityLbEndpoints& entry = assignment.endpoints.emplace_back();
      entry.locality = plain(*field->locality);
      entry.priority.value = static_cast<std::uint32_t>(field->priority.value_or(0));
      places.priorities.emplace(entry.priority, field->priority ? field->priority.where : field.where);
      read_locality_weight(*field, entry, places);
      for (const auto& endpoint : *field->lb_endpoints) {
        const written::NetworkEndpoint& network = *endpoint->endpoint;
        entry.lb_endpoints.push_back(
            {.address = written::address_text(*network.address),
             .hostname = network.hostname.value_or(""),
             .health_status = static_cast<config::HealthStatus>(endpoint->health_status.value_or(0)),
             .load_balancing_weight = static_cast<std::uint32_t>(endpoint->load_balancing_weight.value_or(1)),
             .metadata = endpoint->metadata->filter_metadata.value,
             .disable_active_health_check = network.health_check_config->disable_active_health_check.value_or(false)});
      }
    }
    if (type == "EDS") {
      drop_repeated(assignment);
    } else if (type == "STRICT_DNS" && has_names(assignment)) {
      const auto& key = candidate.written.type;
      problems_.push_back(warning("SP204", "names that are resolved later",
                                  key.present ? key.where : candidate.written.cluster_type.key,
                                  "each name is counted as one host"));
    }
    meaning::warn_of_idle_localities(service.cluster, assignment, places, problems_);
    for (const config::LocalityLbEndpoints& entry : assignment.endpoints) {
      const config::NodeIndex node = places_.node_of(entry.locality);
      for (const config::LbEndpoint& endpoint : entry.lb_endpoints) {
        service.hosts.push_back({config::EndpointIndex{static_cast<std::uint32_t>(scenario_.endpoints.size())}});
        scenario_.endpoints.push_back({endpoint.address, node, Nanoseconds{0}});
      }
    }
  }

  void warn_of_staleness(const written::LoadAssignmentPolicy& policy, const std::string& type) {
    if (!policy.endpoint_stale_after) {
      return;
    }
    const Span where = policy.endpoint_stale_after.where;
    problems_.push_back(
        type == "EDS"
            ? with_note(warning("SP215", "a load assignment that goes stale", where,
                                "after this time without a new one the cluster has no endpoints"),
                        "shares are those before; a scenario with `load_assignments` simulates the time after")
            : with_note(warning("SP216", "`endpoint_stale_after` without effect", where, "no cluster of type EDS"),
                        "Envoy looks at it in clusters of type EDS alone"));
  }

  // Endpoints that Envoy takes and never uses (tried on Envoy 1.40).
  void warn_of_ignored(const written::WholeLoadAssignment& written) {
    const auto warn = [&](Span where, const char* what) {
      problems_.push_back(with_note(
          warning("SP225", "endpoints that Envoy does not look at", where, what),
          "Envoy takes its hosts from `lb_endpoints` with an `endpoint` in each entry, and from nowhere else"));
    };
    if (written.named_endpoints.present) {
      warn(written.named_endpoints.key, "no host comes of them");
    }
    for (const auto& entry : *written.endpoints) {
      if (entry->load_balancer_endpoints.present) {
        warn(entry->load_balancer_endpoints.key, "no host comes of them");
      }
    }
  }

  // Envoy takes the weight of an entry for its `locality`, which may be the empty one.
  void read_locality_weight(const written::LocalityLbEndpoints& written, config::LocalityLbEndpoints& entry,
                            meaning::LocalityPlaces& places) {
    const auto& weight = written.load_balancing_weight;
    if (!weight) {
      return;
    }
    if (!written.locality.present) {
      problems_.push_back(with_help(warning("SP208", "weights of localities without effect", weight.where,
                                            "the weight of an entry without a `locality`"),
                                    "write `locality: {}` beside it"));
      return;
    }
    places.weight = places.weight.value_or(weight.where);
    entry.load_balancing_weight = static_cast<std::uint32_t>(*weight);
  }

  // An EDS cluster keeps an address once, where it is listed first (docs/behaviour/envoy-before-pick.md 1.1).
  static void drop_repeated(config::ClusterLoadAssignment& assignment) {
    std::set<std::string> seen;
    for (auto& entry : assignment.endpoints) {
      std::erase_if(entry.lb_endpoints, [&](const auto& endpoint) { return !seen.insert(endpoint.address).second; });
    }
  }

  const Documents& documents_;
  Diagnostics& problems_;
  Scenario scenario_;
  Places places_;
  std::map<std::size_t, config::ServiceIndex> added_;
  std::map<std::size_t, std::vector<grammar::Field<std::string>>> children_;
};

}  // namespace

Scenario assemble(const Documents& documents, const std::string& cluster, Diagnostics& problems) {
  return Assembler(documents, problems).assemble(cluster);
}

}  // namespace spillway::scenario::envoy_documents
