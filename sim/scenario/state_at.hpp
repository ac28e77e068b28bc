// The scenario at one moment: what its endpoints, nodes, links and clients really do, and what the proxies of one zone
// have been told of endpoints. The one place that says what each Effect does to either.
//
//   ActualState actual = actual_at(scenario, 25s);
//   actual.answers(endpoint);                          // it exists, and its node is on
//   actual.rate(client, 25s);                          // requests a second of one client
//   EdsState told = eds_state_at(scenario, zone, 25s);
//   told.of(service).health[host.value];
//
// Changes up to and including the moment count, in the order of Scenario::changes; effects of different kinds do not
// depend on each other's order. What requests cause (ejections, checks, queues) is no part of it. O(scenario + changes)
// to build, a change costs its hosts (a EdsState's service first), questions are constant time.
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
  std::uint32_t check_status = 200;  // where the answer is a status
  Failing failing = {};
  double slowness = 1.0;  // times its service time
};

struct LinkState {
  Nanoseconds latency{0};  // one way: the mean
  bool on = true;
};

// Of one client: a straight line.
struct ClientRate {
  double rate = 0.0;  // requests a second at `since`
  double slope = 0.0;
  Nanoseconds since{0};

  [[nodiscard]] double at(Nanoseconds time) const noexcept;
};

class ActualState {
 public:
  // Before any change. The scenario must outlive this.
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
  // Requests a second of one client, not negative: the mean over those that send and those whose node is off.
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

// By HostIndex of one service.
struct EdsHosts {
  std::vector<config::HealthStatus> health;
  std::vector<std::uint8_t> absent;    // not 0: no member of the endpoint set
  std::vector<std::uint32_t> weights;  // empty: those of the load assignment
  // By position in the load assignment's `endpoints`; empty: as they stand there.
  std::vector<std::optional<std::uint32_t>> locality_weights = {};
  // Of a service with other_places, by HostIndex of the others: which one is the member, or will be when it joins.
  std::vector<config::HostIndex> places = {};

  // Where the host stands; of one of the other_places: that itself.
  [[nodiscard]] config::HostIndex place_of(config::HostIndex host) const noexcept {
    return host.value < places.size() ? places[host.value] : host;
  }
};

class EdsState {
 public:
  // Before any change. `zone`: where the proxies are; none: only what proxies of every zone are told at once. The
  // scenario must outlive this.
  EdsState(const Scenario& scenario, std::optional<config::ZoneIndex> zone);
  // Of these services only; of() is asked for no other.
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

// Whether what a change tells reaches proxies of the zone; an empty audience is everybody.
[[nodiscard]] bool reaches(const std::vector<config::ZoneIndex>& audience, config::ZoneIndex zone);

// Whether such an effect is one of what proxies are told; all others are of what really is.
template <class Effect>
inline constexpr bool is_reported = std::is_same_v<Effect, EdsHealth> || std::is_same_v<Effect, EdsMembership> ||
                                    std::is_same_v<Effect, EdsWeights> || std::is_same_v<Effect, EdsPriority>;

// Each as the last of what happens at its moment. Linear in the changes for each.
void add_changes(Scenario& scenario, const std::vector<Change>& changes);

// What every proxy's runtime holds.
[[nodiscard]] config::Runtime runtime_at(const Scenario& scenario, Nanoseconds at);

[[nodiscard]] ActualState actual_at(const Scenario& scenario, Nanoseconds at);
[[nodiscard]] EdsState eds_state_at(const Scenario& scenario, std::optional<config::ZoneIndex> zone, Nanoseconds at);

// What changes at some time of the scenario, whatever it becomes; by index.
struct EverChanged {
  std::vector<bool> reported;  // services whose proxies are told something
  std::vector<bool> rate;      // client entries
  std::vector<bool> node;      // that go away or come back
  std::vector<bool> speed;     // endpoints
};
[[nodiscard]] EverChanged ever_changed(const Scenario& scenario);

}  // namespace spillway::scenario
