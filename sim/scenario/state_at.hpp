// The scenario at one time: the actual state of endpoints, nodes, links and clients, and the EDS state of the proxies
// of one zone. The only place that defines the result of each Effect for either.
//
//   ActualState actual = actual_at(scenario, 25s);
//   actual.answers(endpoint);                          // it exists, and its node is on
//   actual.rate(client, 25s);                          // requests a second of one client
//   EdsState told = eds_state_at(scenario, zone, 25s);
//   told.of(service).health[host.value];
//
// Changes up to and including that time count, in the order of Scenario::changes; effects of different kinds are
// independent of each other's order. Results of requests (ejections, checks, queues) are not included. O(scenario +
// changes) to build; a change costs O(its hosts) (the first EdsWeights of a service costs O(the service));
// queries are O(1).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "sim/scenario/change.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::scenario {

struct Failing {
  double fraction = 0.0;  // of the requests
  Failure failure = Failure::status;
  std::uint32_t status = 503;
  std::uint32_t every = 0;  // as in Fails
  bool checks = true;
};

struct EndpointState {
  bool exists = true;
  CheckAnswer check_answer = CheckAnswer::healthy;
  std::uint32_t check_status = 200;  // if the answer is a status
  Failing failing = {};
  double slowness = 1.0;  // factor on its service time
};

struct LinkState {
  Nanoseconds latency{0};  // one way: the mean
  bool on = true;
};

// The rate of one client as a linear function of time.
struct ClientRate {
  double rate = 0.0;  // requests a second at `since`
  double slope = 0.0;
  Nanoseconds since{0};

  [[nodiscard]] double at(Nanoseconds time) const noexcept;
};

class ActualState {
 public:
  // Creates the state before any change. Lifetime: the scenario must outlive this object.
  explicit ActualState(const Scenario& scenario);

  void apply(const Existence& effect, Nanoseconds at);
  void apply(const NodeOutage& effect, Nanoseconds at);
  void apply(const LinkChange& effect, Nanoseconds at);
  void apply(const Fails& effect, Nanoseconds at);
  void apply(const AnswersChecks& effect, Nanoseconds at);
  void apply(const Slow& effect, Nanoseconds at);
  void apply(const RateChange& effect, Nanoseconds at);
  void apply(const EdsHealth& /*effect*/, Nanoseconds /*at*/) noexcept {}
  void apply(const EdsMembership& /*effect*/, Nanoseconds /*at*/) noexcept {}
  void apply(const EdsWeights& /*effect*/, Nanoseconds /*at*/) noexcept {}
  void apply(const EdsPriority& /*effect*/, Nanoseconds /*at*/) noexcept {}
  void apply(const config::RuntimeChange& /*effect*/, Nanoseconds /*at*/) noexcept {}

  [[nodiscard]] const EndpointState& of(config::EndpointIndex endpoint) const noexcept {
    return endpoints_[endpoint.value];
  }
  [[nodiscard]] const LinkState& of(config::LinkIndex link) const noexcept { return links_[link.value]; }
  [[nodiscard]] const ClientRate& of(config::ClientEntryIndex client) const noexcept { return rates_[client.value]; }
  [[nodiscard]] bool is_on(config::NodeIndex node) const noexcept { return nodes_on_[node.value]; }

  [[nodiscard]] bool answers(config::EndpointIndex endpoint) const noexcept {
    return of(endpoint).exists && is_on(scenario_->endpoints[endpoint.value].node);
  }
  // Returns the requests per second of one client, not negative: the mean over clients on running nodes and those whose
  // node is off.
  [[nodiscard]] double rate(config::ClientEntryIndex client, Nanoseconds time) const noexcept;

 private:
  template <class OfHosts>
  void for_each(const OfHosts& effect, auto change);

  const Scenario* scenario_;
  std::vector<EndpointState> endpoints_;
  std::vector<bool> nodes_on_;
  std::vector<LinkState> links_;
  std::vector<ClientRate> rates_;  // by client entry
};

// The EDS state of one service, by HostIndex.
struct EdsHosts {
  std::vector<config::HealthStatus> health;
  std::vector<std::uint8_t> absent;    // not 0 if not a member of the endpoint set
  std::vector<std::uint32_t> weights;  // empty means those of the load assignment
  // By position in the load assignment's `endpoints`; empty if they are as in the load assignment.
  std::vector<std::optional<std::uint32_t>> locality_weights = {};
  // For a service with other_places, by HostIndex of the others: the place that is the member, or will be when it
  // joins.
  std::vector<config::HostIndex> places = {};

  // Returns the current place of the host; one of the other_places returns itself.
  [[nodiscard]] config::HostIndex place_of(config::HostIndex host) const noexcept {
    return host.value < places.size() ? places[host.value] : host;
  }
};

class EdsState {
 public:
  // Creates the state before any change, for proxies of `zone`. With nullopt, only pushes to the proxies of all zones
  // count. Lifetime: the scenario must outlive this object.
  EdsState(const Scenario& scenario, std::optional<config::ZoneIndex> zone);
  // Creates the state of these services only. Precondition: of() is called for no others.
  EdsState(const Scenario& scenario, std::optional<config::ZoneIndex> zone,
           std::span<const config::ServiceIndex> services);

  void apply(const EdsHealth& effect);
  void apply(const EdsMembership& effect);
  void apply(const EdsWeights& effect);
  void apply(const EdsPriority& effect);

  [[nodiscard]] const EdsHosts& of(config::ServiceIndex service) const noexcept { return services_[service.value]; }

 private:
  [[nodiscard]] bool reached_by(const std::vector<config::ZoneIndex>& audience) const;
  template <class Push>
  [[nodiscard]] bool takes(const Push& push) const;

  const Scenario* scenario_;
  std::optional<config::ZoneIndex> zone_;
  std::vector<EdsHosts> services_;
};

// True if a push to the audience reaches proxies of the zone; an empty audience means all.
[[nodiscard]] bool reaches(const std::vector<config::ZoneIndex>& audience, config::ZoneIndex zone);

// True for effects that EDS reports to proxies; all other effects change the actual state.
template <class Effect>
inline constexpr bool is_reported = std::is_same_v<Effect, EdsHealth> || std::is_same_v<Effect, EdsMembership> ||
                                    std::is_same_v<Effect, EdsWeights> || std::is_same_v<Effect, EdsPriority>;

// Adds each change as the last one of its time. Linear in the changes for each.
void add_changes(Scenario& scenario, const std::vector<Change>& changes);

// Returns every proxy's runtime values.
[[nodiscard]] config::Runtime runtime_at(const Scenario& scenario, Nanoseconds at);

[[nodiscard]] ActualState actual_at(const Scenario& scenario, Nanoseconds at);
[[nodiscard]] EdsState eds_state_at(const Scenario& scenario, std::optional<config::ZoneIndex> zone, Nanoseconds at);

// The objects that ever change in the scenario, by index.
struct EverChanged {
  std::vector<bool> reported;  // services with EDS reports
  std::vector<bool> rate;      // client entries
  std::vector<bool> node;      // nodes that fail or recover
  std::vector<bool> speed;     // endpoints
};
[[nodiscard]] EverChanged ever_changed(const Scenario& scenario);

}  // namespace spillway::scenario
