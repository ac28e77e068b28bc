// Routes the requests of one client by the outbound listeners that Kuma builds for it.
//
//   ClientRoutes routes(contents, policies, views, scenario, client, zone, document);
//   routes.plain_view(service, tags);           // the only view of its requests, if they need no routes
//   routes.route_of(request, route, tags);      // otherwise the route to views instead of services
//
// Source: docs/behaviour/kuma.md 6 (step 8), 11; Kuma's meshhttproute/plugin/v1alpha1.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/config/strong.hpp"
#include "sim/scenario/binding/kuma/outbound_listeners.hpp"
#include "sim/scenario/outbound_in_use.hpp"
#include "sim/scenario/route.hpp"

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::scenario::kuma_binding {

// By destination, the tags next to kuma.io/service of the outbound through which a client requests it. Requests go to
// the endpoints that have all these tags, unless a backendRef overrides them.
using OutboundTags = std::map<std::string, kuma::Tags>;

class ClientRoutes {
 public:
  // Lifetime: all arguments must outlive this object.
  ClientRoutes(const KumaMesh& contents, const Policies& policies, Views& views, Scenario& scenario,
               const kuma::Client& client, config::ZoneIndex zone, const kuma::DataplaneDocument* document);

  [[nodiscard]] std::optional<config::ServiceIndex> plain_view(config::ServiceIndex service, const OutboundTags& tags);

  // Returns the request as the client's listeners see it: Kuma normalises paths.
  [[nodiscard]] envoy::routes::Request forwarded(envoy::routes::Request request, std::uint32_t route,
                                                 const OutboundTags& tags);

  // Returns a new route, or an equal route of this client, for the next kind of its requests. nullopt if it routes to
  // nothing that exists; problem() has the reason.
  [[nodiscard]] std::optional<std::uint32_t> route_of(const envoy::routes::Request& request, std::uint32_t route,
                                                      const OutboundTags& tags);

  [[nodiscard]] const std::string& problem() const noexcept { return problem_; }
  [[nodiscard]] const OutboundListeners& listeners() const noexcept { return listeners_; }

  // Returns the listeners that requests use, in the order of first use.
  [[nodiscard]] std::vector<OutboundInUse> take_outbounds();

 private:
  [[nodiscard]] const Destination* destination_of(config::ServiceIndex service) const;
  [[nodiscard]] std::shared_ptr<const kuma::OutboundListener> listener_of(const Destination& destination);
  void note_entering(const kuma::OutboundListener& listener, std::uint32_t weight);
  [[nodiscard]] kuma::Tags tags_of(const Destination& destination) const;
  bool add_views(const Destination& destination, const envoy::routes::Request& request, std::uint32_t weight,
                 Route& route);
  void add_route(const Destination& destination, const kuma::OutboundListener& listener, const kuma::Taken& taken,
                 std::uint32_t weight, Route& route);
  void set_retries_and_timeouts(const kuma::OutboundListener& listener, const kuma::OutboundRoute& taken,
                                const envoy::routes::Request& request, Route& route) const;
  [[nodiscard]] config::ServiceIndex answered_500(const Destination& destination);
  [[nodiscard]] std::vector<RouteOrigin> origins_of(const Destination& destination, const kuma::OutboundRoute* route);

  const KumaMesh* contents_;
  const Policies* policies_;
  Views* views_;
  Scenario* scenario_;
  const kuma::Client* client_;
  OutboundListeners listeners_;
  using ListenerRoutes = std::vector<const kuma::OutboundRoute*>;
  std::vector<std::uint32_t> made_;                                    // positions of this client's routes
  std::map<std::uint32_t, ListenerRoutes> by_of_;                      // those that each is derived from
  ListenerRoutes by_;                                                  // of the route being made
  const OutboundTags* tags_ = nullptr;                                 // of the outbound in use
  std::map<config::ServiceIndex, config::ServiceIndex> answered_500_;  // by the service that is requested
  std::vector<OutboundInUse> in_use_;
  std::uint32_t kind_ = 0;        // of requests, that is being routed
  bool only_chooses_ = true;      // the scenario's route chooses services and does nothing else
  bool listeners_decide_ = true;  // of every kind so far
  std::string problem_;
};

}  // namespace spillway::scenario::kuma_binding
