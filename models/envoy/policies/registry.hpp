// Every load-balancing policy. To add one: a folder beside these with a Config and a struct Policy, and one line
// here and in policy_config.hpp each.
//
// A Policy offers
//   Config      what the cluster says of it, a plain struct (its config.hpp)
//   PickState   what one client keeps: PickState(config, input, draw), update(config, input), and
//               pick(config, input, draw) -> HostIndex, which neither allocates nor throws; and
//               peek(config, input) -> optional HostIndex, the pick to come (preconnecting): none where it cannot be
//               known. Whatever picks from a list has to have it
//   add_shares  the closed form of its picks
//   basis       what that assumes, if anything, given whether requests in flight are known
//   name        Envoy's name of it
//   memory      what picks from a list depend on besides fresh draws, given whether requests may be in flight; may be
//               left out where they depend on nothing else
//   reads_active_requests   true if picks look at requests in flight; may be left out
//
// and, for files, exports and explanations (message.hpp):
//   definition  the typed message; describe(fields, config) names its fields
//   settings    its lb_policy and the cluster's field for it, if there are; describe_settings(fields, config)
//   refusal     why Envoy refuses it, if it ever does: refusal(config, form), or refusal(config, found child)
//   explained   where to read what it does
//   in_release(release, config)   what older releases did not know of it; may be left out
//   blind_to_names, one_draw_for_priority_and_host, follows_load_reports   true where that is so; may be left out
//   takes_turns(weighted)   whether picks follow an order and are not drawn anew each; may be left out
//   child(config)           the policy inside it, if there is one
//
// A hash policy keeps nothing for a client (its PickState is an empty struct) but offers a Table, of which the cluster
// state holds one for each priority: Table(config, HashTableInput), pick(hash, attempt) -> optional HostIndex,
// add_shares(residues, probability, shares), its words (kind, entry, entries(), place_of(hash)) and moved_part();
// table_entries(config) says how large one gets. Subset and override host hold other policies; the cluster state holds
// a state for each of those.
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

// Policies that wrap another one and keep no state of their own.
using Wrappers = std::tuple<wrr_locality::Policy>;

namespace detail {

template <class Tuple>
struct VariantsOf;

template <class... Policy>
struct VariantsOf<std::tuple<Policy...>> {
  using Config = std::variant<typename Policy::Config...>;
  using PickState = std::variant<typename Policy::PickState...>;
};

}  // namespace detail

// The alternatives stand in the same order in Config.
static_assert(std::is_same_v<Config, detail::VariantsOf<Policies>::Config>,
              "policy_config.hpp and registry.hpp list the same policies in the same order");
using PickState = detail::VariantsOf<Policies>::PickState;  // pick_states.hpp has the classes

// The policy whose Config or PickState this is.
template <class Part, std::size_t index = 0>
struct PolicyOf {
  using Candidate = std::tuple_element_t<index, Policies>;
  static constexpr bool matches =
      std::is_same_v<Part, typename Candidate::Config> || std::is_same_v<Part, typename Candidate::PickState>;
  using type = typename std::conditional_t<matches, std::type_identity<Candidate>, PolicyOf<Part, index + 1>>::type;
};
template <class Part>
struct PolicyOf<Part, std::tuple_size_v<Policies>> {
  using type = void;
};

// Calls a function with the policy that the variant holds: visit_policy(config, []<class Policy>(const auto& own)
// {...}).
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

// Calls visit.operator()<Policy>() for each, in their order.
template <class Visit>
void for_each_policy(const Visit& visit) {
  detail::for_each(visit, std::type_identity<Policies>{});
}
template <class Visit>
void for_each_wrapper(const Visit& visit) {
  detail::for_each(visit, std::type_identity<Wrappers>{});
}

// How a policy's picks come about.
template <class Policy>
concept IsHashPolicy = requires { typename Policy::Table; };
template <class Policy>
concept IsListPolicy = requires { Policy::add_shares; };  // picks from a list of hosts with a state of each client
template <class Policy>
concept HoldsPolicy = requires(typename Policy::Config& config) { Policy::child(config); };
template <class Policy>
concept HasLbPolicy = requires { requires Policy::settings.lb_policy != nullptr; };
template <class Policy>
concept HasField = requires { requires Policy::settings.field != nullptr; };  // of a cluster

}  // namespace spillway::envoy::policies
