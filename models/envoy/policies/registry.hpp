// Every load-balancing policy. To add one: a folder beside these with a struct Policy, and one line here.
//
// A Policy offers
//   Config      what the cluster says of it, a plain struct
//   PickState   what one client keeps: PickState(config, input, draw), update(config, input), and
//               pick(config, input, draw) -> HostIndex, which neither allocates nor throws; where it can be asked
//               ahead (preconnecting), also peek(config, input) -> optional HostIndex
//   add_shares  the closed form of its picks
//   basis       what that assumes, if anything, given whether requests in flight are known
//   name        Envoy's name of it
//   memory      what picks from a list depend on besides fresh draws, given whether requests may be in flight; may be
//               left out where they depend on nothing else
//   reads_active_requests   true if picks look at requests in flight; may be left out
//
// A hash policy keeps nothing for a client (its PickState is an empty struct) but offers a Table, of which the cluster
// state holds one for each priority: Table(config, HashTableInput), pick(hash, attempt) -> optional HostIndex, and
// add_shares(residues, probability, shares). Subset and override host hold other policies; the cluster state holds a
// state for each of those.
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <variant>
#include <vector>

#include "models/envoy/policies/bounded_load.hpp"
#include "models/envoy/policies/client_side_weighted_round_robin/client_side_weighted_round_robin.hpp"
#include "models/envoy/policies/least_request/least_request.hpp"
#include "models/envoy/policies/maglev/maglev.hpp"
#include "models/envoy/policies/override_host/override_host.hpp"
#include "models/envoy/policies/random/random.hpp"
#include "models/envoy/policies/ring_hash/ring_hash.hpp"
#include "models/envoy/policies/round_robin/round_robin.hpp"
#include "models/envoy/policies/subset/subset.hpp"

namespace spillway::envoy::policies {

using Policies = std::tuple<  //
    round_robin::Policy,      // the first is the default
    random::Policy, least_request::Policy, ring_hash::Policy, maglev::Policy, subset::Policy, override_host::Policy,
    client_side_weighted_round_robin::Policy>;

namespace detail {

template <class Tuple>
struct VariantsOf;

template <class... Policy>
struct VariantsOf<std::tuple<Policy...>> {
  using Config = std::variant<typename Policy::Config...>;
  using PickState = std::variant<typename Policy::PickState...>;
};

}  // namespace detail

// The alternatives stand in the same order in both.
using Config = detail::VariantsOf<Policies>::Config;
using PickState = detail::VariantsOf<Policies>::PickState;

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

// Whether picks under this configuration look at requests in flight, so that somebody has to count them: the policy
// itself, a bound on loads, or a policy inside it.
[[nodiscard]] bool reads_active_requests(const Config& config);

// How a policy's picks come about.
template <class Policy>
concept IsHashPolicy = requires { typename Policy::Table; };
template <class Policy>
concept IsListPolicy = requires { Policy::add_shares; };  // picks from a list of hosts with a state of each client

// What ChildPolicy holds.
struct PolicyConfig {
  Config config;
};

// The table of one priority under a hash policy, and its bound on loads.
struct HashTable {
  std::variant<ring_hash::Ring, maglev::Table> table;
  BoundedLoad bounded_load;                               // holds the hosts too
  std::vector<std::vector<config::HostIndex>> ties = {};  // hosts of equal keys, whose order Envoy leaves open
};

// What the hash policy says of hashing, wherever in this configuration it is; null: there is none.
[[nodiscard]] const ConsistentHashingLbConfig* consistent_hashing(const Config& config);

}  // namespace spillway::envoy::policies
