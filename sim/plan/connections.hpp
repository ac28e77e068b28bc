// What clients that share connections to zone proxies ask of the endpoints behind them. A zone proxy picks an endpoint
// when a connection opens, by round robin; all requests on it go there (docs/kuma.md, "Zone proxies").
//
//   Connections connections(still, exact, rates);
//   connections.shares()[row];     // of exact.shares: with each connection on one endpoint
//   connections.even();            // false: only a simulation tells how they fall
//
// Six connections over four endpoints: two endpoints have two of them, two have one, whichever come first. That is what
// every simulation shows, but for which endpoints these are, as long as the endpoints are alike, every connection
// carries as much, each opens once and no two zone proxies lead to the same endpoints. O(rows log rows).
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

namespace spillway::run {
struct Results;  // results.hpp
}  // namespace spillway::run

namespace spillway::scenario {
class ActualState;  // state_at.hpp
struct Scenario;    // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::plan {

// Requests a second, by client entry and service that is asked for.
using FlowRates = std::map<std::pair<std::uint32_t, std::uint32_t>, double>;

class Connections {
 public:
  // `exact`: of a run of `still` in mode exact.
  Connections(const scenario::Scenario& still, const run::Results& exact, const FlowRates& rates);

  // By row of exact.shares, as ExactRows has them: what is behind no zone proxy keeps its share.
  [[nodiscard]] const std::vector<double>& shares() const noexcept { return shares_; }
  [[nodiscard]] bool even() const noexcept { return even_; }

  // Whether any requests stay on the endpoint of their connection.
  [[nodiscard]] bool any_held() const noexcept { return !groups_.empty(); }

  // Client, service and zone proxies on the way, and the endpoints that their connections lead to.
  using Ways = std::map<std::tuple<std::uint32_t, std::uint32_t, std::string>, std::set<std::string>>;
  [[nodiscard]] const Ways& ways() const noexcept { return ways_; }

 private:
  struct Group {
    std::vector<std::size_t> rows;
    std::vector<std::uint32_t> endpoints;  // by row
    std::vector<double> parts;             // likewise: at rest
    std::uint32_t client = 0;
    std::uint32_t service = 0;
    std::string via;
    double rate = 0.0;  // of the client's requests for the service
  };

  void read(const run::Results& exact, const FlowRates& rates);
  void place(const Group& group, const scenario::ActualState& state);
  // One zone proxy on the way, whose endpoints all answer, and get as much each.
  [[nodiscard]] static bool is_plain(const Group& group, const scenario::ActualState& state);
  // Whether it does not matter which endpoints get one connection more.
  void compare_endpoints(const run::Results& exact, const FlowRates& rates);
  // By EndpointIndex: requests a second that do not come over the connections of `uneven_`.
  [[nodiscard]] std::vector<double> loads_beside(const run::Results& exact, const FlowRates& rates) const;

  const scenario::Scenario* still_;
  std::unordered_map<std::string, std::uint32_t> index_of_;  // of endpoints, by name
  std::vector<double> shares_;
  std::vector<Group> groups_;
  std::vector<const Group*> uneven_;                                   // with endpoints that get one more than others
  std::map<std::pair<std::string, std::uint32_t>, std::size_t> next_;  // of a zone proxy and service: whose turn it is
  std::map<std::pair<std::string, std::uint32_t>, double> carried_;    // likewise: by each connection
  std::map<std::uint32_t, std::string> proxy_of_;                      // of an endpoint: who leads one more there
  Ways ways_;
  bool even_ = true;
};

// Whether a connection that was there before has to open again, because of an endpoint that it led to.
[[nodiscard]] bool connections_reopen(const Connections& before, const Connections& after);

}  // namespace spillway::plan
