// Stateful sessions that requests bring with them: which host they name, and what becomes of a request with one.
//
//   if (const auto value = session_of(*route.stateful_session, request)) {
//     std::optional<BroughtSession> session = brought_session(service, *route.stateful_session, *value);
//   }
//
// Source: Envoy's filters/http/stateful_session and load_balancing_policies/override_host;
// docs/behaviour/envoy-host-pick.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/config/strong.hpp"

namespace spillway::envoy {
struct Cluster;          // cluster.hpp
struct ClusterState;     // cluster_state.hpp
struct StatefulSession;  // filter.hpp
}  // namespace spillway::envoy

namespace spillway::envoy::routes {
struct Request;  // request.hpp
}  // namespace spillway::envoy::routes

namespace spillway::envoy::stateful_session {
enum class SessionChoice : std::uint8_t;  // stateful_session.hpp
}  // namespace spillway::envoy::stateful_session

namespace spillway::scenario {
struct Route;    // route.hpp
struct Service;  // service.hpp
}  // namespace spillway::scenario

namespace spillway::run {

// A session that a request brings in its own header or cookie, each time.
struct BroughtSession {
  std::optional<config::HostIndex> host = {};  // none: the cluster has no such address
  bool strict = false;

  friend bool operator==(const BroughtSession&, const BroughtSession&) = default;
};

// Different for different sessions of one cluster; 0: there is none.
[[nodiscard]] std::uint64_t number_of(const std::optional<BroughtSession>& session);

// Whether the route keeps sessions of such a request.
[[nodiscard]] bool keeps_session(const scenario::Route& route, const envoy::routes::Request& request);

// What the request brings as its session; none: it brings none.
[[nodiscard]] std::optional<std::string> session_of(const envoy::StatefulSession& session,
                                                    const envoy::routes::Request& request);

// The host that a session of this value names; none: it names none, and is as good as no session.
[[nodiscard]] std::optional<BroughtSession> brought_session(const scenario::Service& service,
                                                            const envoy::StatefulSession& session,
                                                            const std::string& value);

// What becomes of a request with such a session, by the state of the balancers; none: that does not tell all that
// override_host_status asks about.
[[nodiscard]] std::optional<envoy::stateful_session::SessionChoice> choice_of(const BroughtSession& session,
                                                                              const envoy::Cluster& cluster,
                                                                              const envoy::ClusterState& state);

// The endpoint of the service with this address.
[[nodiscard]] std::optional<config::HostIndex> endpoint_at(const scenario::Service& service,
                                                           const std::string& address);

}  // namespace spillway::run
