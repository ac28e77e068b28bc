#include "sim/scenario/binding/envoy/assemble.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "models/documents/grammar/suggestion.hpp"
#include "models/documents/problem.hpp"
#include "models/envoy/policies/registry.hpp"
#include "models/envoy/proxy/cluster_config.hpp"
#include "models/envoy/proxy/cluster_refusals.hpp"
#include "models/envoy/proxy/documents.hpp"
#include "models/envoy/proxy/drop_overload.hpp"
#include "models/envoy/proxy/listeners.hpp"
#include "models/envoy/proxy/locality_lints.hpp"
#include "models/envoy/proxy/options.hpp"
#include "models/envoy/proxy/resources.hpp"
#include "models/envoy/proxy/route_hashes.hpp"
#include "sim/scenario/binding/envoy/endpoints.hpp"
#include "sim/scenario/binding/envoy/places.hpp"
#include "sim/scenario/binding/envoy/read_cluster.hpp"
#include "sim/scenario/binding/envoy/requests.hpp"
#include "sim/scenario/binding/limits.hpp"
#include "sim/scenario/binding/made_clusters.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/lints/settings.hpp"
#include "sim/scenario/missing_cluster.hpp"
#include "sim/scenario/releases.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::scenario::envoy_binding {
namespace {

// The rate assumed for documents, which have none [requests/s]: high enough that shares are those of many requests, not
// of a first few.
constexpr double rate_of_documents = 1e6;

// Lists names; long lists are cut.
std::string some_names(std::vector<std::string> names, std::string_view last) {
  constexpr std::size_t most = 12;
  const std::size_t all = names.size();
  if (all <= most) {
    return grammar::listed(names, last);
  }
  names.resize(most);
  return grammar::listed(names, ",") + " and " + std::to_string(all - most) + " others";
}

class Assembler {
 public:
  Assembler(const proxy::Documents& documents, const proxy::Index& index, const proxy::EnvoyOptions& options,
            Diagnostics& problems)
      : documents_(documents),
        index_(index),
        options_(options),
        problems_(problems),
        places_(scenario_),
        endpoints_(index, options, scenario_, places_, problems) {}

  Scenario assemble() {
    scenario_.mode = Mode::exact;
    scenario_.duration = std::chrono::seconds{1};
    scenario_.runtime = documents_.runtime;
    ClientEntry client;
    const std::string id = documents_.node_id.value_or("");
    client.name = id.empty() ? "envoy" : id;
    client.workload.rate = rate_of_documents;
    client.node = places_.node_of(documents_.locality);
    if (options_.request) {
      add_request(client);
    } else {
      warn_of_listeners();
      if (const std::optional<std::size_t> target = choose(options_.cluster)) {
        scenario_.name = documents_.clusters[*target].name;
        target_ = documents_.clusters[*target].name;
        client.workload.service = add_with_children(*target);
      }
    }
    if (!scenario_.services.empty()) {
      add_local_cluster();
    }
    scenario_.clients.push_back(std::move(client));
    places_.make_names_unique();
    if (const auto profile = options_.profile ? options_.profile : profile_of_version(documents_.version)) {
      use_release(scenario_, *profile);
    }
    binding::refuse_large_clusters(
        scenario_, [this](config::ServiceIndex service) { return service_places_[service.value]; }, problems_);
    warn_of_settings();
    return std::move(scenario_);
  }

 private:
  // Warns of listeners. A request for a cluster bypasses them; documents written by a program may have hundreds.
  void warn_of_listeners() {
    for (const proxy::Resource& listener : documents_.listeners) {
      if (!listener.reported) {
        proxy::warn_of_listener(*listener.node, problems_);
      }
    }
  }

  void add_request(ClientEntry& client) {
    auto routed = route_request(documents_, index_, *options_.request, problems_);
    if (!routed) {
      return;
    }
    scenario_.name = routed->name;
    retry_policy_ = routed->retry_policy;
    for (const std::string& name : routed->clusters) {
      if (!routed->checks_clusters && !index_.clusters().empty() && !name.empty() && !index_.cluster(name)) {
        routed->route.clusters.push_back(add_missing(name, routed->where));
        continue;
      }
      const auto position = choose(name);
      routed->route.clusters.push_back(position ? add_with_children(*position) : config::ServiceIndex{0});
    }
    use_request_policies(*routed);
    find_unknown_choice(*routed);
    client.workload.requests.push_back({.name = routed->name, .request = std::move(routed->request), .route = 0});
    scenario_.routes.push_back(std::move(routed->route));
    scenario_.assumptions.insert(scenario_.assumptions.end(), routed->notes.begin(), routed->notes.end());
    scenario_.passed = std::move(routed->passed.notes);
  }

  // Policies of HttpProtocolOptions replace those of the route. Clusters of one route must agree about them.
  void use_request_policies(RoutedRequest& routed) {
    const proxy::RequestPolicies* first = nullptr;
    for (const config::ServiceIndex cluster : routed.route.clusters) {
      const auto found = request_policies_.find(cluster.value);
      if (found != request_policies_.end()) {
        first = &found->second;
      }
    }
    if (first == nullptr) {
      return;
    }
    if (std::any_of(routed.route.clusters.begin(), routed.route.clusters.end(),
                    [&](config::ServiceIndex cluster) { return cluster != routed.route.clusters.front(); })) {
      problems_.error("SP301", first->where, "policies of one of several clusters are not supported yet",
                      "write `hash_policy` and `retry_policy` in the route");
      return;
    }
    if (first->retry_policy) {
      routed.route.retry_policy = first->retry_policy;
      routed.notes.emplace_back("the cluster's `retry_policy` replaces the route's");
    }
    if (!first->hash_policy.empty()) {
      routed.route.route.action.hash_policy = first->hash_policy;
      routed.notes.emplace_back("the cluster's `hash_policy` replaces the route's");
    }
  }

  void find_unknown_choice(RoutedRequest& routed) {
    std::vector<const Service*> services;
    for (const config::ServiceIndex index : routed.route.clusters) {
      if (index.value < scenario_.services.size()) {
        services.push_back(&scenario_.services[index.value]);
        for (const config::ServiceIndex member : members_of(scenario_, index)) {
          services.push_back(&scenario_.services[member.value]);
        }
      }
    }
    for (const std::string& note : routed.passed.notes) {
      routed.route.passed += (routed.route.passed.empty() ? "" : "; ") + note;
    }
    routed.route.unknown_choice = unknown_choice(routed.passed, routed.route, services);
    if (!routed.route.unknown_choice.empty()) {
      const std::string note =
          "the request is unchanged, although " + routed.route.unknown_choice + "; so no share is exact";
      routed.notes.push_back(note);
      routed.passed.notes.push_back(note);
    }
  }

  // Warns of settings, unless there are errors: numbers about incompletely read clusters would be wrong.
  void warn_of_settings() {
    if (has_errors(problems_)) {
      return;
    }
    const lints::ClientsOfServices clients = lints::clients_of_services(scenario_);
    for (const auto& [service, places] : setting_places_) {
      lints::warn_of_cluster({places, scenario_, clients, service}, problems_);
    }
    for (std::uint32_t route = 0; route < scenario_.routes.size(); ++route) {
      lints::warn_of_retries(scenario_, route, retry_policy_, problems_);
    }
  }

  void report_unknown(const std::string& cluster) {
    const std::vector<std::string> names = index_.cluster_names();
    grammar::suggest(problems_
                         .error("SP103", documents_.clusters.front().node->span, "unknown cluster `{}`",
                                "no cluster of this name", {cluster})
                         .note("the clusters are {}", {some_names(names, "and")}),
                     cluster, names);
  }

  std::optional<std::size_t> choose(const std::string& cluster) {
    const std::vector<std::size_t>& order = index_.clusters();
    if (order.empty()) {
      problems_.error("SP136", Span{}, "no cluster in the documents", "contains no cluster")
          .help("give the Cluster with its ClusterLoadAssignment, a Bootstrap, or a config_dump");
      return std::nullopt;
    }
    if (!cluster.empty()) {
      const auto found = index_.cluster(cluster);
      if (!found) {
        report_unknown(cluster);
      }
      return found;
    }
    std::vector<std::size_t> others;
    std::copy_if(order.begin(), order.end(), std::back_inserter(others), [&](std::size_t position) {
      return !documents_.local_cluster || documents_.clusters[position].name != *documents_.local_cluster;
    });
    if (order.size() == 1 && !index_.rival(order.front())) {
      return order.front();
    }
    if (others.size() == 1) {
      return others.front();
    }
    problems_
        .error("SP135", documents_.clusters[order[std::min<std::size_t>(1, order.size() - 1)]].node->span,
               "several clusters, none is chosen", "one of {}", {order.size()})
        .help("write --cluster with {}", {some_names(index_.cluster_names(), "or")});
    return std::nullopt;
  }

  void report_rival(std::size_t position) {
    const auto rival = index_.rival(position);
    if (!rival) {
      return;
    }
    const proxy::Resource& again = documents_.clusters[*rival];
    Diagnostic& problem =
        problems_.error("SP101", again.node->span, "duplicate cluster `{}`", "this name is taken", {again.name})
            .note("the first one is in {}", {place(documents_.clusters[position].node->span)});
    if (again.reported) {
      problem.severity = Severity::warning;
      problem.help("the first one is taken; documents of one proxy contain a cluster once");
    }
  }

  // Adds a cluster that a route names but no document has: Envoy answers its requests with a 503.
  config::ServiceIndex add_missing(const std::string& name, Span route) {
    const auto known = std::find_if(scenario_.services.begin(), scenario_.services.end(),
                                    [&](const Service& service) { return service.name == name; });
    if (known != scenario_.services.end()) {
      return {static_cast<std::uint32_t>(known - scenario_.services.begin())};
    }
    grammar::suggest(
        problems_.warning("SP205", route, "a cluster that is not there", "its requests for `{}` fail", {name})
            .note("no cluster is called so: Envoy answers these requests with a 503 (flag NC)"),
        name, index_.cluster_names());
    service_places_.push_back(route);
    return binding::add_missing_cluster(scenario_, name, std::nullopt,
                                        {.reason = "no document has a cluster of this name", .where = route});
  }

  // Returns the position of this cluster's service, and adds it if it is missing.
  config::ServiceIndex add(std::size_t position) {
    const auto known = added_.find(position);
    if (known != added_.end()) {
      return known->second;
    }
    const proxy::Resource& resource = documents_.clusters[position];
    ReadCluster cluster{.where = resource.node->span};
    proxy::read_resource(resource, cluster.written, "clusters", problems_);
    report_rival(position);
    const config::ServiceIndex index{static_cast<std::uint32_t>(scenario_.services.size())};
    added_.emplace(position, index);
    service_places_.push_back(resource.node->span);
    proxy::ClusterConfig config =
        proxy::read_cluster_config(cluster.written, problems_, cluster.written.load_assignment.present);
    children_[position] = std::move(config.children);
    const bool is_never_hashed = !options_.request &&
                                 envoy::policies::consistent_hashing(config.cluster.lb_policy) != nullptr &&
                                 config.request_policies.hash_policy.empty() && gets_no_hash(resource.name);
    scenario_.routes_hash_nothing = scenario_.routes_hash_nothing || is_never_hashed;
    if (!config.request_policies.empty()) {
      request_policies_.emplace(index.value, std::move(config.request_policies));
    }
    cluster.type = std::move(config.type);
    if (config.hosts_by_request) {
      problems_.warning("SP226", *config.hosts_by_request, "a cluster without a balancer",
                        "each request names its own host, so there are no shares");
    }
    Service service;
    service.name = resource.name;
    service.cluster = std::move(config.cluster);
    service.load_assignment.cluster_name = service.name;
    proxy::refuse_cluster(cluster.written, cluster.type, problems_);
    if (config.aggregate || config.hosts_by_request) {
      // Requests dropped by its own load assignment are dropped; those of its children's assignments are not (tried on
      // Envoy 1.40).
      service.load_assignment.drop_overload =
          proxy::read_drop_overload(cluster.written.load_assignment->policy, problems_);
    } else {
      endpoints_.read(cluster, service);
      proxy::refuse_weight_sums(service.cluster, service.load_assignment, cluster.where, problems_);
      proxy::warn_of_equal_keys(service.cluster, service.load_assignment, cluster.where, problems_);
    }
    messages::SettingPlaces places = lints::places_of(cluster.written);
    places.routes_known = options_.request || is_never_hashed;
    places.names.no_local_cluster =
        "give the bootstrap that has `cluster_manager.local_cluster_name`, with that cluster";
    setting_places_.emplace_back(index, std::move(places));
    scenario_.services.push_back(std::move(service));
    return index;
  }

  // True if the documents' routes lead to the asked cluster, and none of them, nor one to this cluster, hashes
  // requests.
  [[nodiscard]] bool gets_no_hash(const std::string& cluster) {
    if (!route_hashes_) {
      route_hashes_.emplace(documents_, index_);
    }
    return route_hashes_->none_for(target_) && !route_hashes_->any_for(cluster);
  }

  config::ServiceIndex add_with_children(std::size_t position) {
    const config::ServiceIndex index = add(position);
    const auto children = children_[position];
    std::vector<std::string> there;
    for (const auto& child : children) {
      const auto found = index_.cluster(child.value_or(""));
      if (found) {
        add(*found);
        there.push_back(*child);
      } else if (child) {
        problems_.warning("SP205", child.where, "a cluster that is not there", "no cluster is called `{}`", {*child})
            .note("Envoy ignores it, and answers 503 if there is no other cluster");
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
    const auto found = index_.cluster(*name);
    if (!found) {
      problems_.error("SP137", name.where, "unknown local cluster `{}`", "no static cluster of this name", {*name})
          .note("Envoy refuses it");
      return;
    }
    const config::ServiceIndex index = add(*found);
    const auto& localities = scenario_.services[index.value].load_assignment.endpoints;
    if (std::any_of(localities.begin(), localities.end(),
                    [](const auto& entry) { return entry.priority.value != 0; })) {
      problems_
          .error("SP129", documents_.clusters[*found].node->span, "a local cluster with several priorities",
                 "has endpoints beyond priority 0")
          .note("Envoy refuses it");
    }
    scenario_.local_cluster = index;
  }

  const proxy::Documents& documents_;
  const proxy::Index& index_;
  const proxy::EnvoyOptions& options_;
  Diagnostics& problems_;
  Scenario scenario_;
  Places places_;
  EndpointReader endpoints_;
  std::map<std::size_t, config::ServiceIndex> added_;
  std::vector<Span> service_places_;  // by ServiceIndex
  messages::PlacesOfViews setting_places_;
  Span retry_policy_;  // of the described request's route
  std::map<std::size_t, std::vector<grammar::Field<std::string>>> children_;
  std::map<std::uint32_t, proxy::RequestPolicies> request_policies_;  // by ServiceIndex
  std::optional<proxy::RouteHashes> route_hashes_;                    // once it is needed
  std::string target_;                                                // the asked cluster; empty with a request
};

}  // namespace

Scenario assemble(const proxy::Documents& documents, const proxy::Index& index, const proxy::EnvoyOptions& options,
                  Diagnostics& problems) {
  return Assembler(documents, index, options, problems).assemble();
}

}  // namespace spillway::scenario::envoy_binding
