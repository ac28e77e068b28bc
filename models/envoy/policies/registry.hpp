// Every load-balancing policy. To add one: a folder beside these with a struct Policy, and one line here.
//
// A Policy offers
//   Config      what the cluster says of it, a plain struct
//   PickState   what one client keeps: PickState(config, input, draw), update(config, input), and
//               pick(config, input, draw) -> HostIndex, which neither allocates nor throws
//   add_shares  the closed form of its picks
//   basis       what that assumes, if anything, given whether requests in flight are known
//   name        Envoy's name of it
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <variant>

#include "models/envoy/policies/least_request/least_request.hpp"
#include "models/envoy/policies/random/random.hpp"
#include "models/envoy/policies/round_robin/round_robin.hpp"

namespace spillway::envoy::policies {

using Policies = std::tuple<  //
    round_robin::Policy,      // the first is the default
    random::Policy, least_request::Policy>;

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

}  // namespace spillway::envoy::policies
