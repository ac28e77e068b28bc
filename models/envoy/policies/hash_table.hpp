// The tables of the hash policies, as complete types.
#pragma once

#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "models/config/strong.hpp"
#include "models/envoy/policies/bounded_load.hpp"
#include "models/envoy/policies/maglev/maglev.hpp"
#include "models/envoy/policies/registry.hpp"
#include "models/envoy/policies/ring_hash/ring_hash.hpp"

namespace spillway::envoy::policies {

namespace detail {

template <class Policy>
struct TableOf {
  using Tuple = std::tuple<>;
};
template <class Policy>
  requires requires { typename Policy::Table; }
struct TableOf<Policy> {
  using Tuple = std::tuple<typename Policy::Table>;
};

template <class Tuple>
struct VariantOf;
template <class... T>
struct VariantOf<std::tuple<T...>> {
  using type = std::variant<T...>;
};

template <class Tuple>
struct Tables;
template <class... Policy>
struct Tables<std::tuple<Policy...>> {
  using Variant = VariantOf<decltype(std::tuple_cat(std::declval<typename TableOf<Policy>::Tuple>()...))>::type;
};

}  // namespace detail

// The table of one priority under a hash policy, and its bound on loads.
struct HashTable {
  detail::Tables<Policies>::Variant table;
  BoundedLoad bounded_load;                               // also stores the hosts
  std::vector<std::vector<config::HostIndex>> ties = {};  // hosts with equal keys; Envoy does not define their order
};

}  // namespace spillway::envoy::policies
