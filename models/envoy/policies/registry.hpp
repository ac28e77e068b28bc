// The list of load-balancing policies. To add one, create a folder next to the others with a Config and a struct
// Policy, and add it here, in policy_config.hpp and, by what it has, in pick_states.hpp or hash_table.hpp.
//
// A Policy has
//   Config      its settings, a plain struct (its config.hpp)
//   PickState   of a policy that picks from lists, the state per client (pick_states.hpp), which has
//               PickState(config, input, draw); update(config, input);
//               pick(config, input, draw) -> HostIndex, which neither allocates nor throws; and
//               peek(config, input) -> optional HostIndex, the next pick (for preconnecting), or nullopt if it is not
//               known in advance
//   add_shares  the closed form of its picks
//   basis       the assumption behind the closed form, if any, given whether requests in flight are known
//   name        its name in Envoy
//   memory      the state on which picks from a list depend besides new draws, given whether requests may be in flight;
//               optional if there is none
//   reads_active_requests   true if picks use the requests in flight; optional
//
// and, for files, exports and explanations (message.hpp):
//   definition  the typed message; describe(fields, config) names its fields
//   settings    its lb_policy and its field in the cluster, if any; describe_settings(fields, config)
//   refusal     why Envoy refuses it; optional: refusal(config, form), or refusal(config, found child)
//   explained   its sources
//   in_release(release, config)   removes what older releases do not have; optional
//   blind_to_names, one_draw_for_priority_and_host, follows_load_reports   properties, optional; default: false
//   takes_turns(weighted)   true if picks follow an order instead of independent draws; optional
//   child(config)           the policy inside it, if any
//
// A hash policy has no state per client but a Table (hash_table.hpp), of which the cluster state contains one per
// priority: Table(config, HashTableInput), pick(hash, attempt) -> optional HostIndex,
// add_shares(residues, probability, shares), words for explanations (kind, entry, entries(), place_of(hash)) and
// moved_part(); table_entries(config) returns its size. Subset and override host contain other policies; the cluster
// state contains a state for each.
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include "models/envoy/policies/client_side_weighted_round_robin/policy.hpp"
#include "models/envoy/policies/least_request/policy.hpp"
#include "models/envoy/policies/maglev/policy.hpp"
#include "models/envoy/policies/override_host/policy.hpp"
#include "models/envoy/policies/policy_config.hpp"
#include "models/envoy/policies/random/policy.hpp"
#include "models/envoy/policies/ring_hash/policy.hpp"
#include "models/envoy/policies/round_robin/policy.hpp"
#include "models/envoy/policies/subset/policy.hpp"
#include "models/envoy/policies/wrr_locality/policy.hpp"

namespace spillway::envoy::policies {

using Policies = std::tuple<  //
    round_robin::Policy,      // the first is the default
    random::Policy, least_request::Policy, ring_hash::Policy, maglev::Policy, subset::Policy, override_host::Policy,
    client_side_weighted_round_robin::Policy>;

// Policies that contain another one and have no state of their own.
using Wrappers = std::tuple<wrr_locality::Policy>;

namespace detail {

template <class Tuple>
struct ConfigOf;

template <class... Policy>
struct ConfigOf<std::tuple<Policy...>> {
  using type = std::variant<typename Policy::Config...>;
};

}  // namespace detail

// The alternatives of Config must have the same order.
static_assert(std::is_same_v<Config, detail::ConfigOf<Policies>::type>,
              "policy_config.hpp and registry.hpp list the same policies in the same order");

// The policy to which this Config or PickState belongs.
template <class Part, std::size_t index = 0>
struct PolicyOf {
  using Candidate = std::tuple_element_t<index, Policies>;
  static constexpr bool matches = std::is_same_v<Part, typename Candidate::Config> ||
                                  requires { requires std::is_same_v<Part, typename Candidate::PickState>; };
  using type = typename std::conditional_t<matches, std::type_identity<Candidate>, PolicyOf<Part, index + 1>>::type;
};
template <class Part>
struct PolicyOf<Part, std::tuple_size_v<Policies>> {
  using type = void;
};

// Calls a function with the policy of the variant's current alternative: visit_policy(config, []<class Policy>(const
// auto& own) {...}).
template <class Variant, class Visit>
decltype(auto) visit_policy(Variant& config, const Visit& visit) {
  return std::visit(
      [&](auto& own) -> decltype(auto) {
        return visit.template operator()<typename PolicyOf<std::decay_t<decltype(own)>>::type>(own);
      },
      config);
}

namespace detail {

template <class Visit, class... Policy>
void for_each(const Visit& visit, std::type_identity<std::tuple<Policy...>> /*all*/) {
  (visit.template operator()<Policy>(), ...);
}

}  // namespace detail

// Calls visit.operator()<Policy>() for each policy, in order.
template <class Visit>
void for_each_policy(const Visit& visit) {
  detail::for_each(visit, std::type_identity<Policies>{});
}
template <class Visit>
void for_each_wrapper(const Visit& visit) {
  detail::for_each(visit, std::type_identity<Wrappers>{});
}

// The kinds of policies.
template <class Policy>
concept IsHashPolicy = requires { typename Policy::Table; };
template <class Policy>
concept IsListPolicy = requires { Policy::add_shares; };  // picks from a list of hosts, with state per client
template <class Policy>
concept HoldsPolicy = requires(typename Policy::Config& config) { Policy::child(config); };
template <class Policy>
concept HasLbPolicy = requires { requires Policy::settings.lb_policy != nullptr; };
template <class Policy>
concept HasField = requires { requires Policy::settings.field != nullptr; };  // has settings in a field of the cluster

}  // namespace spillway::envoy::policies
