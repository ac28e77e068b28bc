#include "models/envoy/cluster_shares.hpp"

#include <numeric>
#include <utility>
#include <variant>

#include "models/envoy/cluster_state.hpp"
#include "models/envoy/exact_shares.hpp"
#include "models/envoy/host_health.hpp"
#include "models/envoy/policies/hash_table.hpp"
#include "models/envoy/policies/override_host/override_host.hpp"
#include "models/envoy/policies/registry.hpp"
#include "models/envoy/policies/subset/subset.hpp"
#include "models/envoy/share_rows.hpp"
#include "models/envoy/share_trace.hpp"
#include "models/envoy/subset_state.hpp"

namespace spillway::envoy {

namespace {

using policies::ResidueRange;

constexpr ResidueRange any_residue{0, residues};

template <class Policy>
constexpr bool reads_requests() {
  if constexpr (requires { Policy::reads_active_requests; }) {
    return Policy::reads_active_requests;
  }
  return false;
}

// Computes the shares of a class of requests, or of those with one hash, at a balancer and the balancers inside it.
// Every function adds to the rows and returns the probability added, which is less than `probability` if some requests
// find no host.
class Part {
 public:
  Part(const ClusterState& state, const RequestClass& requests, std::optional<std::uint64_t> hash, ShareRows& rows,
       ShareTrace* trace)
      : state_(state), requests_(requests), hash_(hash), rows_(rows), trace_(trace) {}

  // `forced` is the level that an aggregate chose. Its child makes a new draw, which is not confined to a residue
  // range.
  double add(const std::optional<PriorityChoice>& forced, double probability) {
    return traced({.kind = Kind::balancer, .probability = probability, .hash = hash_},
                  [&] { return add_at_balancer(forced, probability); });
  }

 private:
  using Kind = ShareStep::Kind;

  // Runs `add` as one step of the trace, if there is one.
  template <class Add>
  double traced(ShareStep step, Add add) {
    if (trace_ == nullptr) {
      return add();
    }
    step.state = &state_;
    const std::size_t position = trace_->begin(std::move(step));
    const double added = add();
    trace_->end(position, added);
    return added;
  }

  double add_at_balancer(const std::optional<PriorityChoice>& forced, double probability) {
    if (state_.subsets != nullptr) {
      return add_subsets(forced, probability);
    }
    if (state_.fallback != nullptr) {
      return add_overridden(forced, probability);
    }
    if (!state_.hash_tables.empty()) {
      return hash_ ? add_hash(probability) : add_all_hashes(probability);
    }
    if (forced) {
      return add_choice(*forced, any_residue, probability);
    }
    double added = 0.0;
    for_each_choice(state_.priority_table, [&](PriorityChoice choice, ResidueRange range) {
      added += add_choice(choice, range, probability * chance(range));
    });
    return added;
  }

  // Adds a pick from a list, the last step of the plans below.
  double add_list(SourceIndex source, Availability availability, ResidueRange range, double probability) {
    if (probability <= 0.0) {
      return 0.0;
    }
    return traced({.kind = Kind::list,
                   .probability = probability,
                   .choice = {state_.sources.describe(source).priority, availability},
                   .residues = {range.begin, range.end},
                   .source = source},
                  [&] { return add_hosts(source, availability, range, probability); });
  }

  double add_hosts(SourceIndex source, Availability availability, ResidueRange range, double probability) {
    const auto hosts = state_.sources.hosts(source);
    if (hosts.empty()) {
      return 0.0;
    }
    std::vector<double> shares(hosts.size(), 0.0);
    const policies::ShareInput input{state_.sources, source, range, requests_.active_requests,
                                     requests_.circumstances.slow_start_factors};
    join_list(rows_, state_, requests_, input, availability);
    std::visit(
        [&](const auto& config) {
          using Policy = typename policies::PolicyOf<std::decay_t<decltype(config)>>::type;
          if constexpr (policies::IsListPolicy<Policy>) {
            // Under load, equal hosts have equal shares, whatever is in flight.
            if (!reads_requests<Policy>() || !requests_.circumstances.loaded) {
              rows_.assume(Policy::basis(!requests_.active_requests.empty()));
            }
            if constexpr (requires { config.slow_start_config; }) {
              const bool configured = config.slow_start_config.slow_start_window.count() > 0;
              const bool known = !requests_.circumstances.slow_start_factors.empty();
              rows_.assume(!configured ? "" : known ? "schedules follow slow start" : "no host in slow start");
            }
            Policy::add_shares(config, input, probability, shares);
          }
        },
        state_.lb_policy);
    if (state_.sources.weighted(source)) {
      assume_mean_turn();
    }
    if (trace_ == nullptr) {
      rows_.add(hosts, availability, shares);
    } else {
      for (std::size_t position = 0; position < hosts.size(); ++position) {
        add_host(hosts[position], availability, shares[position]);
      }
    }
    return probability;
  }

  void add_host(config::HostIndex host, Availability availability, double share) {
    rows_.add(host, availability, share);
    if (trace_ != nullptr) {
      trace_->add_host(host, share);
    }
  }

  // Records the assumption needed before Envoy 1.30, where a schedule starts at a fixed turn.
  void assume_mean_turn() {
    if (config::before(state_.profile, 30)) {
      rows_.assume("the mean over a schedule's turns");
    }
  }

  [[nodiscard]] SourceIndex locality_list(Availability availability, config::Priority priority,
                                          std::uint32_t locality) const {
    const auto list = availability == Availability::degraded ? HostSources::List::degraded : HostSources::List::healthy;
    return state_.sources.of_locality(priority, locality, list);
  }

  double add_locality(Availability availability, config::Priority priority, std::uint32_t locality, ResidueRange range,
                      double probability) {
    return add_list(locality_list(availability, priority, locality), availability, range, probability);
  }

  // Adds all picks of this priority and availability.
  double add_choice(PriorityChoice choice, ResidueRange range, double probability) {
    return traced(
        {.kind = Kind::priority, .probability = probability, .choice = choice, .residues = {range.begin, range.end}},
        [&] { return add_plan(choice, range, probability); });
  }

  double add_plan(PriorityChoice choice, ResidueRange range, double probability) {
    const PickPlan& plan = state_.plan(choice.priority, choice.availability);
    switch (plan.step) {
      case PickPlan::Step::no_host:
        break;
      case PickPlan::Step::list:
        return add_list(plan.list, plan.availability, range, probability);
      case PickPlan::Step::localities:
        return add_localities(plan, choice.priority, range, probability);
      case PickPlan::Step::zones:
        return add_zones(plan, choice.priority, range, probability);
    }
    return 0.0;
  }

  double add_localities(const PickPlan& plan, config::Priority priority, ResidueRange range, double probability) {
    assume_mean_turn();
    double sum = 0.0;
    for (const double weight : plan.schedule.weights) {
      sum += weight;
    }
    if (plan.schedule.localities.size() > 1) {
      // The localities take turns by a schedule too.
      join_localities(plan, priority);
    }
    double added = 0.0;
    for (std::size_t entry = 0; entry < plan.schedule.localities.size(); ++entry) {
      added += add_locality(plan.availability, priority, plan.schedule.localities[entry], range,
                            probability * plan.schedule.weights[entry] / sum);
    }
    return added;
  }

  void join_localities(const PickPlan& plan, config::Priority priority) {
    std::vector<config::HostIndex> all;
    for (const std::uint32_t locality : plan.schedule.localities) {
      const auto hosts = state_.sources.hosts(locality_list(plan.availability, priority, locality));
      all.insert(all.end(), hosts.begin(), hosts.end());
    }
    rows_.join(all, plan.availability,
               requests_.circumstances.retries ? ShareRows::When::always : ShareRows::When::if_carried,
               "retries move the turn of the schedule");
  }

  double add_zones(const PickPlan& plan, config::Priority priority, ResidueRange range, double probability) {
    const double enabled = static_cast<double>(state_.zone_settings.routing_enabled) / 100.0;
    double added = add_list(plan.list, plan.availability, range, probability * (1.0 - enabled));
    if (state_.local_cluster_in_panic) {
      if (!state_.zone_settings.fail_traffic_on_panic) {
        added += add_list(plan.list, plan.availability, range, probability * enabled);
      }
      return added;
    }
    const std::vector<double> zones = zone_shares(state_.zone_routing);
    for (std::uint32_t locality = 0; locality < zones.size(); ++locality) {
      added += add_locality(plan.availability, priority, locality, range, probability * enabled * zones[locality]);
    }
    return added;
  }

  [[nodiscard]] Availability hash_availability(config::Priority priority) const {
    return state_.priorities.panic[priority.value] ? Availability::all : Availability::healthy;
  }

  double add_hash(double probability) {
    const config::Priority chosen = state_.priority_table[*hash_ % residues].priority;
    return traced({.kind = Kind::table,
                   .probability = probability,
                   .choice = {chosen, hash_availability(chosen)},
                   .residues = {0, residues},
                   .hash = hash_},
                  [&] { return add_host_of_hash(probability); });
  }

  double add_host_of_hash(double probability) {
    const config::Priority priority = state_.priority_table[*hash_ % residues].priority;
    const policies::HashTable& table = *state_.hash_tables[priority.value];
    auto host = std::visit([&](const auto& own) { return own.pick(*hash_, 0); }, table.table);
    if (!host) {
      return 0.0;
    }
    join_table(rows_, requests_, table, hash_availability(priority), host);
    if (table.bounded_load.bounds()) {
      std::vector<std::uint32_t> scratch(table.bounded_load.hosts().size());
      host = table.bounded_load.pick(*host, *hash_, requests_.active_requests, scratch);
    }
    add_host(*host, hash_availability(priority), probability);
    return probability;
  }

  double add_all_hashes(double probability) {
    rows_.assume("hashes uniform over 64 bits");
    double added = 0.0;
    for_each_choice(state_.priority_table, [&](PriorityChoice choice, ResidueRange range) {
      const double part = probability * chance(range);
      const auto add_table = [&] {
        double of_table = 0.0;
        add_hashes_of(choice.priority, range, part, [&](double share) {
          added += share;
          of_table += share;
        });
        return of_table;
      };
      traced({.kind = Kind::table,
              .probability = part,
              .choice = {choice.priority, hash_availability(choice.priority)},
              .residues = {range.begin, range.end}},
             add_table);
    });
    return added;
  }

  template <class Count>
  void add_hashes_of(config::Priority priority, ResidueRange range, double probability, Count count) {
    const policies::HashTable& table = *state_.hash_tables[priority.value];
    join_table(rows_, requests_, table, hash_availability(priority));
    std::vector<double> shares(state_.hosts.hosts.size(), 0.0);
    std::visit([&](const auto& own) { own.add_shares(range, probability, shares); }, table.table);
    if (table.bounded_load.bounds() && !requests_.active_requests.empty()) {
      table.bounded_load.redistribute(shares, requests_.active_requests);
    }
    for (const NormalizedHost& entry : table.bounded_load.hosts()) {
      const double share = std::exchange(shares[entry.host.value], 0.0);
      add_host(entry.host, hash_availability(priority), share);
      count(share);
    }
  }

  double add_named(config::HostIndex host, double probability) {
    const Availability availability = availability_of(state_.hosts.hosts[host.value].flags);
    return traced({.kind = Kind::named_host,
                   .probability = probability,
                   .choice = {state_.hosts.hosts[host.value].priority, availability}},
                  [&] {
                    add_host(host, availability, probability);
                    return probability;
                  });
  }

  double add_overridden(const std::optional<PriorityChoice>& forced, double probability) {
    if (requests_.override_hosts != nullptr) {
      policies::override_host::OverrideHosts named = *requests_.override_hosts;
      if (const auto host = named.next(state_.host_map)) {
        return add_named(*host, probability);
      }
    }
    return Part(*state_.fallback, requests_, hash_, rows_, trace_).add(forced, probability);
  }

  // Returns the rest of `probability` after `added`; 0 if only rounding error is left.
  static double rest(double probability, double added) {
    constexpr double rounding = 1e-12;
    const double left = probability - added;
    return left > rounding * probability ? left : 0.0;
  }

  double add_subsets(const std::optional<PriorityChoice>& forced, double probability) {
    const auto& config = std::get<policies::subset::Config>(state_.lb_policy);
    if (requests_.criteria == nullptr || !requests_.criteria->requested()) {
      return add_criteria(forced, {}, probability);
    }
    const bool by_list = config.metadata_fallback_policy == policies::subset::MetadataFallbackPolicy::fallback_list;
    if (!by_list || !requests_.criteria->fallback_list()) {
      return add_criteria(forced, {&*requests_.criteria->requested()}, probability);
    }
    double added = 0.0;
    for (const config::Struct& attempt : *requests_.criteria->fallback_list()) {
      added += add_criteria(forced, {&attempt}, rest(probability, added));
    }
    return added;
  }

  double add_criteria(const std::optional<PriorityChoice>& forced, policies::subset::CriteriaView criteria,
                      double probability) {
    return traced({.kind = Kind::criteria, .probability = probability, .criteria = criteria.values},
                  [&] { return add_resolved(forced, criteria, probability); });
  }

  double add_resolved(const std::optional<PriorityChoice>& forced, policies::subset::CriteriaView criteria,
                      double probability) {
    using Leads = policies::subset::Resolution::Kind;
    const auto& config = std::get<policies::subset::Config>(state_.lb_policy);
    const SubsetState& parts = *state_.subsets;
    const auto add_part = [&](const SubsetState::Part& part, double of) {
      return of > 0.0 ? Part(*part.state, requests_, hash_, rows_, trace_).add(forced, of) : 0.0;
    };
    const auto resolution = policies::subset::resolve(config, parts.selectors, parts.directory, criteria);
    if (resolution.kind == Leads::subset) {
      const auto& found = parts.directory.subsets()[resolution.index.value];
      return found.single_host ? add_named(found.hosts.front(), probability)
                               : add_part(parts.subsets[resolution.index.value], probability);
    }
    if (resolution.kind == Leads::any || resolution.kind == Leads::default_subset) {
      return add_part(resolution.kind == Leads::any ? *parts.any : *parts.default_subset, probability);
    }
    if (resolution.kind == Leads::none || config.fallback_policy == policies::subset::FallbackPolicy::no_fallback) {
      return 0.0;
    }
    const bool any = config.fallback_policy == policies::subset::FallbackPolicy::any_endpoint;
    const double added = add_part(any ? *parts.any : *parts.default_subset, probability);
    return config.panic_mode_any ? added + add_part(*parts.any, rest(probability, added)) : added;
  }

  const ClusterState& state_;
  const RequestClass& requests_;
  std::optional<std::uint64_t> hash_;
  ShareRows& rows_;
  ShareTrace* trace_;
};

}  // namespace

void add_cluster_shares(const ClusterState& state, const RequestClass& requests,
                        const std::optional<PriorityChoice>& forced, double probability, ShareRows& rows,
                        ShareTrace* trace) {
  if (requests.hashes.empty() || policies::consistent_hashing(state.lb_policy) == nullptr) {
    Part(state, requests, std::nullopt, rows, trace).add(forced, probability);
    return;
  }
  const double all = std::accumulate(requests.hashes.begin(), requests.hashes.end(), 0.0,
                                     [](double sum, const WeightedHash& key) { return sum + key.weight; });
  for (const WeightedHash& key : requests.hashes) {
    Part(state, requests, key.hash, rows, trace).add(forced, probability * key.weight / all);
  }
}

}  // namespace spillway::envoy
