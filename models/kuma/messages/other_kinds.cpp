#include "models/kuma/messages/other_kinds.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace spillway::messages {
namespace {

constexpr const char* watches = "it only watches traffic";
constexpr const char* secures = "certificates and identities are taken to be in order";
constexpr const char* permits = "requests that it denies are simulated as answered";
constexpr const char* waits = "its timeouts are not supported";
constexpr const char* limits = "rate limits are not supported; requests that it limits are refused";
constexpr const char* retries = "its retries are not supported; first picks do not depend on it";
constexpr const char* injects = "faults are not supported; requests that it affects are refused";
constexpr const char* patches = "its patches are not simulated; requests of proxies that it changes are refused";
constexpr const char* reports = "it only reports what a control plane saw";

constexpr std::array passed_over = std::to_array<OtherKind>({
    {"MeshAccessLog", watches},
    {"MeshMetric", watches},
    {"MeshTrace", watches},
    {"MeshOpenTelemetryBackend", watches},
    {"TrafficLog", watches},
    {"TrafficTrace", watches},
    {"MeshTLS", secures},
    {"MeshIdentity", secures},
    {"MeshTrust", secures},
    {"Secret", secures},
    {"GlobalSecret", secures},
    {"MeshTrafficPermission", permits},
    {"TrafficPermission", permits},
    {"Timeout", waits},
    {"MeshRateLimit", limits},
    {"RateLimit", "requests that it limits are simulated as answered"},
    {"Retry", retries},
    {"MeshFaultInjection", injects},
    {"MeshProxyPatch", patches},
    {"FaultInjection", "its faults are not supported; picks do not depend on it"},
    {"MeshPassthrough", "it is about traffic out of the mesh only"},
    {"HostnameGenerator", "clients name destinations themselves"},
    {"Workload", reports},
    {"MeshInsight", reports},
    {"ServiceInsight", reports},
    {"DataplaneInsight", reports},
    {"DataplaneOverview", reports},
    {"ZoneInsight", reports},
    {"ZoneOverview", reports},
    {"ZoneIngressInsight", reports},
    {"ZoneIngressOverview", reports},
    {"ZoneEgressInsight", reports},
    {"ZoneEgressOverview", reports},
});

constexpr const char* anything = "it can change any part of a proxy's configuration";
constexpr const char* gateways = "builtin gateways are not supported";
constexpr const char* former = "policies without targetRef came before those of the name Mesh...";

constexpr std::array refused = std::to_array<OtherKind>({
    {"ProxyTemplate", anything},
    {"TrafficRoute", former},
    {"CircuitBreaker", former},
    {"HealthCheck", former},
    {"VirtualOutbound", "it makes destinations of tags"},
    {"MeshGateway", gateways},
    {"MeshGatewayRoute", gateways},
    {"MeshGatewayInstance", gateways},
    {"MeshGatewayConfig", gateways},
    {"Zone", "a zone that is not enabled serves no other"},
});

const OtherKind* find(std::span<const OtherKind> kinds, std::string_view kind) {
  const auto found =
      std::find_if(kinds.begin(), kinds.end(), [&](const OtherKind& other) { return other.kind == kind; });
  return found == kinds.end() ? nullptr : &*found;
}

std::vector<std::string> names(std::span<const OtherKind> kinds) {
  std::vector<std::string> all;
  for (const OtherKind& kind : kinds) {
    all.emplace_back(kind.kind);
  }
  return all;
}

}  // namespace

const OtherKind* find_passed_over(std::string_view kind) noexcept {
  return find(passed_over, kind);
}
bool is_inbound(std::string_view kind) noexcept {
  return kind == "MeshFaultInjection" || kind == "MeshRateLimit";
}
bool changes_proxies(std::string_view kind) noexcept {
  return kind == "MeshProxyPatch";
}
std::vector<std::string> passed_over_kinds() {
  return names(passed_over);
}
const OtherKind* find_refused(std::string_view kind) noexcept {
  return find(refused, kind);
}
std::vector<std::string> refused_kinds() {
  return names(refused);
}

}  // namespace spillway::messages
