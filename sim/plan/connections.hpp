// Load that clients with shared connections to zone proxies put on the endpoints behind them. A zone proxy picks an
// endpoint when a connection opens, by round robin. All requests on the connection go there (docs/kuma.md, "Zone
// proxies").
//
//   Connections connections(still, exact, rates);
//   connections.shares()[row];     // of exact.shares: with each connection on one endpoint
//   connections.even();            // false: only a simulation tells how they fall
//
// Example: six connections over four endpoints. Two endpoints have two connections each and two have one, in order of
// opening. Every simulation shows this distribution, apart from which endpoints come first. Preconditions: the
// endpoints are alike, all connections carry the same load, each opens once, and no two zone proxies lead to the same
// endpoints. O(rows log rows).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/run/forward.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::plan {

// Rates [requests/s] by client entry and requested service.
using FlowRates = std::map<std::pair<std::uint32_t, std::uint32_t>, double>;

class Connections {
 public:
  // Precondition: `exact` is the result of a run of `still` in mode exact.
  Connections(const scenario::Scenario& still, const run::Results& exact, const FlowRates& rates);

  // By row of exact.shares, in the order of ExactRows. Rows without a zone proxy keep their share. Empty if no row has
  // one.
  [[nodiscard]] const std::vector<double>& shares() const noexcept { return shares_; }
  [[nodiscard]] bool even() const noexcept { return even_; }

  // True if any requests stay on the endpoint of their connection.
  [[nodiscard]] bool any_held() const noexcept { return !groups_.empty(); }

  // Client, service and zone proxies on the path, mapped to the endpoints that their connections lead to.
  using Ways = std::map<std::tuple<std::uint32_t, std::uint32_t, std::string>, std::set<std::string>>;
  [[nodiscard]] const Ways& ways() const noexcept { return ways_; }

 private:
  struct Group {
    std::vector<std::size_t> rows;
    std::vector<std::uint32_t> endpoints;  // by row
    std::vector<double> parts;             // by row: share at rest
    std::uint32_t client = 0;
    std::uint32_t service = 0;
    std::string via;
    double rate = 0.0;  // [1/s] of the client's requests for the service
  };

  void read(const run::Results& exact, const FlowRates& rates);
  void place(const Group& group, const scenario::ActualState& state);
  // True if the path has one zone proxy whose endpoints all answer and get equal shares.
  [[nodiscard]] static bool is_plain(const Group& group, const scenario::ActualState& state);
  // Clears `even_` if it matters which endpoints get one more connection than others.
  void compare_endpoints(const run::Results& exact, const FlowRates& rates);
  // By EndpointIndex: rate [requests/s] of requests that do not use the connections of `uneven_`.
  [[nodiscard]] std::vector<double> loads_beside(const run::Results& exact, const FlowRates& rates) const;

  const scenario::Scenario* still_;
  std::unordered_map<std::string, std::uint32_t> index_of_;  // endpoint index by name
  std::vector<double> shares_;
  std::vector<Group> groups_;
  std::vector<const Group*> uneven_;  // groups with endpoints that get one more connection than others
  std::map<std::pair<std::string, std::uint32_t>, std::size_t> next_;  // next in round robin, by zone proxy and service
  std::map<std::pair<std::string, std::uint32_t>, double> carried_;    // rate per connection, by zone proxy and service
  std::map<std::uint32_t, std::string> proxy_of_;  // by endpoint: the zone proxy with one more connection there
  Ways ways_;
  bool even_ = true;
};

// True if an existing connection must open again because of an endpoint that it led to.
[[nodiscard]] bool connections_reopen(const Connections& before, const Connections& after);

}  // namespace spillway::plan
