#include "sim/run/traffic/traffic.hpp"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "models/envoy/cluster.hpp"
#include "models/envoy/cluster_state.hpp"
#include "models/envoy/policies/original_dst/original_dst.hpp"
#include "models/envoy/routes/hash_policy.hpp"
#include "models/envoy/routes/metadata_match.hpp"
#include "models/envoy/stateful_session/stateful_session.hpp"
#include "models/numeric/disjoint_sets.hpp"
#include "sim/run/traffic/traced_part.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/missing_cluster.hpp"
#include "sim/scenario/route.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"
#include "sim/scenario/workload.hpp"

namespace spillway::run {

namespace {

const envoy::policies::override_host::Config* override_host(const envoy::Cluster& cluster) {
  return std::get_if<envoy::policies::override_host::Config>(&cluster.lb_policy);
}

// Returns the hash of a request. A policy with its own hash policy ignores the route's. Returns nullopt if Envoy makes
// a cookie of the connection's ports: they are unknown, so any hash is possible, and the balancer draws one.
std::optional<std::uint64_t> hash_of(const scenario::Route& route, const envoy::Cluster& cluster,
                                     const envoy::routes::Request& request) {
  const auto* const hashing = envoy::policies::consistent_hashing(cluster.lb_policy);
  const bool own = hashing != nullptr && !hashing->hash_policy.empty();
  bool made_of_ports = false;
  const auto add_cookie = [&](const envoy::routes::CookieHash&) {
    std::optional<std::string> value = envoy::routes::generated_cookie(request);
    made_of_ports = made_of_ports || !value;
    return value;
  };
  const auto hash =
      envoy::routes::hash_of(own ? hashing->hash_policy : route.route.action.hash_policy, request, add_cookie).hash;
  return made_of_ports ? std::nullopt : hash;
}

std::optional<std::string> destination_of(const scenario::Service& service, const envoy::routes::Request& request) {
  return envoy::policies::original_dst::destination(*service.cluster.original_dst,
                                                    {.request_filter_state = {},
                                                     .connection_filter_state = {},
                                                     .request = &request,
                                                     .restored_local_address = request.local_address})
      .address;
}

}  // namespace

Traffic::Traffic(const scenario::Scenario& scenario, const Flows& flows)
    : scenario_(&scenario), clients_(scenario.clients.size()), mixtures_(flows.size()) {
  for (const scenario::Route& route : scenario.routes) {
    criteria_of_route_.emplace_back(route.clusters.size(), nullptr);
  }
  for (std::uint32_t index = 0; index < scenario.clients.size(); ++index) {
    const config::ClientEntryIndex entry{index};
    if (scenario.clients[index].workload.requests.empty()) {
      add_plain_client(entry, flows);
    } else {
      add_client(entry, flows);
    }
    double all = 0.0;
    for (const FlowIndex flow : flows.of_client(entry)) {
      all += mixtures_[flow.value].weight;
    }
    for (const FlowIndex flow : flows.of_client(entry)) {
      mixtures_[flow.value].part = mixtures_[flow.value].weight / all;
      mixtures_[flow.value].dropped =
          scenario.services[flows.at(flow).service.value].load_assignment.drop_overload.ratio();
    }
  }
  std::map<std::vector<std::uint64_t>, std::uint32_t> known;
  for (const Mixture& mixture : mixtures_) {
    const auto next = static_cast<std::uint32_t>(known.size());
    class_of_flow_.push_back(known.try_emplace(signature_of(mixture), next).first->second);
  }
}

std::vector<std::uint64_t> Traffic::signature_of(const Mixture& mixture) {
  const auto address = [](const void* of) { return static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(of)); };
  const auto bits = [](double number) { return std::bit_cast<std::uint64_t>(number); };
  std::vector<std::uint64_t> signature{
      mixture.sessions ? 1U : 0U,     mixture.original_dst ? 1U : 0U, address(mixture.unknown.data()),
      address(mixture.passed.data()), bits(mixture.weight),           bits(mixture.dropped),
      mixture.retry_policies.size()};
  for (const config::RetryPolicy* const policy : mixture.retry_policies) {
    signature.push_back(address(policy));
  }
  for (const Alike& part : mixture.parts) {
    signature.insert(signature.end(), {address(part.criteria), address(part.override_hosts),
                                       part.destination ? std::uint64_t{part.destination->value} + 1 : 0,
                                       number_of(part.brought), bits(part.weight), part.hashes.size()});
    for (const envoy::WeightedHash& hash : part.hashes) {
      signature.insert(signature.end(), {hash.hash, bits(hash.weight)});
    }
  }
  return signature;
}

void Traffic::add_plain_client(config::ClientEntryIndex entry, const Flows& flows) {
  Client& client = clients_[entry.value];
  client.first_demand = {static_cast<std::uint32_t>(demands_.size()), static_cast<std::uint32_t>(demands_.size() + 1)};
  Demand demand{.place = static_cast<std::uint32_t>(demands_.size()), .flow = *flows.of_client(entry).begin()};
  demand.original_dst = scenario_->services[flows.at(demand.flow).service.value].cluster.original_dst.has_value();
  demands_.push_back(demand);
  add_to_mixture(demands_.back());
  // A zone proxy sends nothing of its own: each of its services gets the requests forwarded for it.
  for (const FlowIndex flow : flows.of_client(entry)) {
    if (flow != demand.flow) {
      add_to_mixture({.flow = flow});
    }
  }
}

void Traffic::add_client(config::ClientEntryIndex entry, const Flows& flows) {
  Client& client = clients_[entry.value];
  std::vector<double> weights;
  std::uint32_t number = 0;
  for (const scenario::RequestKind& kind : scenario_->clients[entry.value].workload.requests) {
    weights.push_back(kind.weight);
    client.first_demand.push_back(static_cast<std::uint32_t>(demands_.size()));
    const scenario::Route& route = scenario_->routes[kind.route];
    double all = 0.0;
    for (const auto& cluster : route.route.action.clusters) {
      all += cluster.weight;
    }
    for (std::size_t cluster = 0; cluster < route.clusters.size(); ++cluster) {
      Demand demand = demand_of(kind, cluster);
      demand.place = static_cast<std::uint32_t>(demands_.size());
      demand.flow = flows.find(entry, route.clusters[cluster]);
      demand.session = number;
      demand.weight = kind.weight * route.route.action.clusters[cluster].weight / all;
      if (keeps_session(route, kind.request)) {
        const std::optional<std::string> session = session_of(*route.stateful_session, kind.request);
        demand.keeps_session = !session;
        demand.brought = session ? brought_session(scenario_->services[route.clusters[cluster].value],
                                                   *route.stateful_session, *session)
                                 : std::nullopt;
      }
      client.sessions = demand.keeps_session ? number + 1 : client.sessions;
      demands_.push_back(demand);
      mixtures_[demand.flow.value].service = route.clusters[cluster];
      add_to_mixture(demand);
    }
    ++number;
  }
  client.first_demand.push_back(static_cast<std::uint32_t>(demands_.size()));
  client.kinds = engine::AliasTable(weights);
}

Demand Traffic::demand_of(const scenario::RequestKind& kind, std::size_t cluster) {
  const scenario::Route& route = scenario_->routes[kind.route];
  const scenario::Service& service = scenario_->services[route.clusters[cluster].value];
  Demand demand;
  demand.kind = &kind;
  const envoy::routes::WeightedCluster& target = route.route.action.clusters[cluster];
  demand.request = &kind.request;
  if (!route.header_to_metadata.request_rules.empty()) {
    demand.request = &changed_.emplace_back(envoy::routes::filtered(route.header_to_metadata, *demand.request));
  }
  demand.criteria = criteria_of(kind, demand.request->dynamic_metadata, cluster);
  if (envoy::routes::rewrites(route.route, target)) {
    demand.request = &changed_.emplace_back(envoy::routes::rewritten(route.route, target, *demand.request));
  }
  demand.route = &route;
  // Children of an aggregate cluster get the hash of the route.
  demand.hash = hash_of(route, service.cluster, *demand.request);
  if (const auto* const config = override_host(service.cluster)) {
    override_hosts_.emplace_back(config->override_host_sources, *demand.request);
    demand.override_hosts = &override_hosts_.back();
  }
  demand.without_host = service.missing != nullptr ? service.missing->outcome : demand.without_host;
  if (service.cluster.original_dst) {
    demand.original_dst = true;
    const std::optional<std::string> address = destination_of(service, *demand.request);
    demand.destination = address ? endpoint_at(service, *address) : std::nullopt;
    demand.without_host = address ? scenario::Outcome::connect_failure : demand.without_host;
  }
  return demand;
}

const envoy::policies::subset::Criteria* Traffic::criteria_of(const scenario::RequestKind& kind,
                                                              const config::Struct& dynamic_metadata,
                                                              std::size_t cluster) {
  const envoy::routes::RouteAction& action = scenario_->routes[kind.route].route.action;
  const auto pointer = [](const std::optional<config::Struct>& part) { return part ? &*part : nullptr; };
  const bool own = !dynamic_metadata.empty();
  const envoy::policies::subset::Criteria*& shared = criteria_of_route_[kind.route][cluster];
  if (!own && shared != nullptr) {
    return shared;
  }
  auto merged =
      envoy::routes::merge_criteria({pointer(action.metadata_match), pointer(action.clusters[cluster].metadata_match),
                                     own ? &dynamic_metadata : nullptr});
  criteria_.push_back(merged ? envoy::policies::subset::Criteria(*std::move(merged))
                             : envoy::policies::subset::Criteria());
  if (!own) {
    shared = &criteria_.back();
  }
  return &criteria_.back();
}

void Traffic::add_to_mixture(const Demand& demand) {
  Mixture& mixture = mixtures_[demand.flow.value];
  mixture.weight += demand.weight;
  mixture.original_dst = demand.original_dst;
  mixture.sessions = mixture.sessions || demand.keeps_session;
  if (demand.route != nullptr && !demand.route->unknown_choice.empty()) {
    mixture.unknown = demand.route->unknown_choice;
  }
  if (demand.route != nullptr && !demand.route->passed.empty()) {
    mixture.passed = demand.route->passed;
  }
  if (demand.route != nullptr && demand.route->retry_policy && !demand.route->retry_policy->retry_on.empty()) {
    const config::RetryPolicy* const policy = &*demand.route->retry_policy;
    if (std::find(mixture.retry_policies.begin(), mixture.retry_policies.end(), policy) ==
        mixture.retry_policies.end()) {
      mixture.retry_policies.push_back(policy);
    }
  }
  const bool hashed = demand.hash.has_value();
  const std::int64_t destination = demand.destination ? std::int64_t{demand.destination->value} : -1;
  const auto [place, is_new] = mixture.places.try_emplace(
      std::tuple(demand.criteria, demand.override_hosts, destination, hashed, number_of(demand.brought)),
      mixture.parts.size());
  if (is_new) {
    mixture.parts.push_back({.criteria = demand.criteria,
                             .override_hosts = demand.override_hosts,
                             .destination = demand.destination,
                             .brought = demand.brought});
  }
  Alike& part = mixture.parts[place->second];
  part.weight += demand.weight;
  if (hashed) {
    part.hashes.push_back({*demand.hash, demand.weight});
  }
}

envoy::ExactShares Traffic::exact_shares(FlowIndex flow, const envoy::ClusterState& state,
                                         const envoy::Circumstances& circumstances,
                                         std::vector<TracedPart>* traced) const {
  using envoy::stateful_session::SessionChoice;
  const Mixture& mixture = mixtures_[flow.value];
  const auto by_balancer = [&](const Alike& part) {
    envoy::ShareTrace* trace = nullptr;
    if (traced != nullptr) {
      traced->push_back({.part = part.weight / mixture.weight});
      trace = &traced->back().trace;
    }
    return envoy::exact_shares(state,
                               {.hashes = part.hashes,
                                .criteria = part.criteria,
                                .override_hosts = part.override_hosts,
                                .circumstances = circumstances},
                               trace);
  };
  const auto of = [&](const Alike& part) {
    if (!part.brought) {
      return by_balancer(part);
    }
    const auto choice = choice_of(*part.brought, scenario_->services[mixture.service.value].cluster, state);
    envoy::ExactShares shares;
    if (choice == SessionChoice::override_host) {
      const envoy::Host& host = state.hosts.hosts[part.brought->host->value];
      shares.hosts.push_back({.host = *part.brought->host,
                              .priority = host.priority,
                              .availability = envoy::availability_of(host.flags),
                              .share = 1.0});
    } else if (choice != SessionChoice::no_host) {
      shares = by_balancer(part);
    }
    if (!choice) {
      shares.add_possible(state,
                          [&](std::uint32_t /*child*/, config::HostIndex host) { return host == part.brought->host; });
      shares.join_all("sessions that requests bring depend on the exact health of their hosts");
    }
    return shares;
  };
  // A single part keeps its exact doubles.
  envoy::ExactShares shares = mixture.original_dst        ? destinations(mixture)
                              : mixture.parts.size() == 1 ? of(mixture.parts.front())
                                                          : mix(mixture, of);
  if (mixture.sessions && !mixture.original_dst) {
    // Sessions of an aggregate cluster name no host.
    shares.add_possible(state, [&](std::uint32_t /*child*/, config::HostIndex host) {
      const envoy::Cluster& cluster = scenario_->services[mixture.service.value].cluster;
      const auto choice =
          state.aggregate ? std::optional(SessionChoice::load_balancer) : choice_of({host}, cluster, state);
      return !choice || *choice == SessionChoice::override_host;
    });
    shares.join_all("sessions keep their hosts");
  }
  if (!mixture.passed.empty()) {
    shares.basis.append(shares.basis.empty() ? "" : "; ").append(mixture.passed);
  }
  if (!mixture.unknown.empty()) {
    shares.add_all(state);
    shares.join_all(mixture.unknown);
  }
  if (mixture.dropped > 0.0) {
    shares.keep(1.0 - mixture.dropped);
  }
  return shares;
}

namespace {

// Rows of several mixtures' parts: rows with one joint share in a part share one in the whole too.
class JointOfParts {
 public:
  explicit JointOfParts(std::uint32_t envoy::HostShare::* joint) : joint_(joint) {}

  void begin_part() { first_of_joint_.clear(); }

  // `place`: of the row in the whole.
  void add(const envoy::HostShare& row, std::uint32_t place) {
    if (row.*joint_ != 0) {
      joined_.emplace_back(first_of_joint_.try_emplace(row.*joint_, place).first->second, place);
    }
  }

  void number(std::vector<envoy::HostShare>& rows) const {
    numeric::DisjointSets sets(static_cast<std::uint32_t>(rows.size()));
    for (const auto& [one, other] : joined_) {
      sets.join(one, other);
    }
    for (const auto& [one, other] : joined_) {
      rows[other].*joint_ = sets.find(other) + 1;
    }
  }

 private:
  std::uint32_t envoy::HostShare::* joint_;
  std::map<std::uint32_t, std::uint32_t> first_of_joint_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> joined_;
};

}  // namespace

envoy::ExactShares Traffic::mix(const Mixture& mixture, const std::function<envoy::ExactShares(const Alike&)>& of) {
  std::map<std::tuple<std::uint32_t, config::HostIndex, envoy::Availability>, std::uint32_t> places;
  std::vector<envoy::HostShare> rows;  // in order of insertion
  JointOfParts joint(&envoy::HostShare::joint);
  JointOfParts carried(&envoy::HostShare::joint_if_carried);
  envoy::ExactShares result;
  for (const Alike& part : mixture.parts) {
    const envoy::ExactShares own = of(part);
    result.basis = own.basis.empty() ? result.basis : own.basis;
    result.why_joint = own.why_joint.empty() ? result.why_joint : own.why_joint;
    joint.begin_part();
    carried.begin_part();
    for (envoy::HostShare share : own.hosts) {
      const double weighted = share.share * part.weight / mixture.weight;
      const auto [place, is_new] =
          places.try_emplace({share.child, share.host, share.availability}, static_cast<std::uint32_t>(rows.size()));
      joint.add(share, place->second);
      carried.add(share, place->second);
      if (is_new) {
        share.share = 0.0;
        share.joint = share.joint_if_carried = 0;
        rows.push_back(share);
      }
      rows[place->second].share += weighted;
    }
  }
  joint.number(rows);
  carried.number(rows);
  for (const auto& [key, place] : places) {
    result.hosts.push_back(rows[place]);
  }
  return result;
}

envoy::ExactShares Traffic::destinations(const Mixture& mixture) {
  return mix(mixture, [](const Alike& part) {
    envoy::ExactShares shares;
    if (part.destination) {
      shares.hosts.push_back({.host = *part.destination, .priority = {}, .share = 1.0});
    }
    return shares;
  });
}

}  // namespace spillway::run
