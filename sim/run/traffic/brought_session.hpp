// Stateful sessions that requests bring with them: the host that a session names, and where such a request goes.
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
#include "models/envoy/forward.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::envoy::routes {
struct Request;  // request.hpp
}  // namespace spillway::envoy::routes

namespace spillway::envoy::stateful_session {
enum class SessionChoice : std::uint8_t;  // stateful_session.hpp
}  // namespace spillway::envoy::stateful_session

namespace spillway::run {

// A session that every request brings in its own header or cookie.
struct BroughtSession {
  std::optional<config::HostIndex> host = {};  // nullopt if the cluster has no such address
  bool strict = false;

  friend bool operator==(const BroughtSession&, const BroughtSession&) = default;
};

// Returns a number that differs between sessions of one cluster; 0 if there is no session.
[[nodiscard]] std::uint64_t number_of(const std::optional<BroughtSession>& session);

// True if the route keeps a session for this request.
[[nodiscard]] bool keeps_session(const scenario::Route& route, const envoy::routes::Request& request);

// Returns the value of the session that the request brings; nullopt if it brings none.
[[nodiscard]] std::optional<std::string> session_of(const envoy::StatefulSession& session,
                                                    const envoy::routes::Request& request);

// Returns the host that a session value names; nullopt if it names none and therefore is ignored.
[[nodiscard]] std::optional<BroughtSession> brought_session(const scenario::Service& service,
                                                            const envoy::StatefulSession& session,
                                                            const std::string& value);

// Returns the host that a request with this session gets, by the balancers' state; nullopt if the state lacks something
// that override_host_status depends on.
[[nodiscard]] std::optional<envoy::stateful_session::SessionChoice> choice_of(const BroughtSession& session,
                                                                              const envoy::Cluster& cluster,
                                                                              const envoy::ClusterState& state);

// Returns the endpoint of the service with this address; nullopt if there is none.
[[nodiscard]] std::optional<config::HostIndex> endpoint_at(const scenario::Service& service,
                                                           const std::string& address);

}  // namespace spillway::run
