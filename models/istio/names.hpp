// Labels, hosts and localities as istiod reads them.
//
//   resolve_short_name("web", "shop");          // "web.shop.svc.cluster.local"
//   host_matches("web.shop.svc.cluster.local", "*.shop.svc.cluster.local");
//   split_locality("r1/z1").zone;               // "z1"; later parts may be missing
//
// Source: docs/behaviour/istio.md 1, 3; istiod's pkg/config/host, pilot/pkg/serviceregistry/util/label.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "models/config/locality.hpp"

namespace spillway::istio {

using Labels = std::map<std::string, std::string>;

inline constexpr const char* region_label = "topology.kubernetes.io/region";
inline constexpr const char* old_region_label = "failure-domain.beta.kubernetes.io/region";
inline constexpr const char* zone_label = "topology.kubernetes.io/zone";
inline constexpr const char* old_zone_label = "failure-domain.beta.kubernetes.io/zone";
inline constexpr const char* subzone_label = "topology.istio.io/subzone";
inline constexpr const char* cluster_label = "topology.istio.io/cluster";
inline constexpr const char* network_label = "topology.istio.io/network";
inline constexpr const char* hostname_label = "kubernetes.io/hostname";
inline constexpr const char* locality_label = "topology.istio.io/locality";
inline constexpr const char* old_locality_label = "istio-locality";
inline constexpr const char* draining_label = "istio.io/draining";
inline constexpr const char* session_label = "istio.io/persistent-session";
inline constexpr const char* session_header_label = "istio.io/persistent-session-header";
inline constexpr const char* tls_mode_label = "security.istio.io/tlsMode";
inline constexpr const char* service_name_label = "kubernetes.io/service-name";
inline constexpr const char* traffic_distribution_annotation = "networking.istio.io/traffic-distribution";
inline constexpr const char* export_to_annotation = "networking.istio.io/exportTo";

// The name of the config cluster by default.
inline constexpr const char* default_cluster = "Kubernetes";

// Returns the value of a label, or "" if it is missing.
[[nodiscard]] const std::string& value_of(const Labels& labels, const std::string& name);

// True if `labels` have all of `wanted`.
[[nodiscard]] bool has_all(const Labels& labels, const Labels& wanted);

// Returns the locality label of a workload, the new one before the old one; "" if there is none.
[[nodiscard]] const std::string& locality_of(const Labels& labels);

// Converts "r1.z1" to "r1/z1": dots separate if there is no slash. Not applied to the labels of a proxy without a pod.
[[nodiscard]] std::string with_slashes(std::string locality);

// Splits at slashes and returns the first three parts.
[[nodiscard]] config::Locality split_locality(std::string_view locality);

// Returns `labels` with the topology that istiod knows: region, zone, subzone, cluster and node if they are not empty,
// and the network unless a label has it.
[[nodiscard]] Labels augmented(Labels labels, const std::string& cluster, const std::string& locality,
                               const std::string& node, const std::string& network);

[[nodiscard]] inline bool is_wildcard(std::string_view host) {
  return host.starts_with('*');
}

// True if a host matches a pattern (`*.example`, `*`, or a host).
[[nodiscard]] bool host_matches(std::string_view host, std::string_view pattern);

// True if it consists only of characters of IPv4 or IPv6 addresses.
[[nodiscard]] bool is_ip_address(std::string_view address);

// Returns an address with its port as Envoy writes it: "10.0.0.1:80", "[2001:db8::1]:80"; a name is unchanged,
// "a.example:80".
[[nodiscard]] std::string address_text(const std::string& address, std::uint32_t port);

// Completes a name without a dot with a namespace; other names count as complete.
[[nodiscard]] std::string resolve_short_name(std::string_view host, std::string_view name_space);

// Returns "outbound|80|v1|web.default.svc.cluster.local".
[[nodiscard]] std::string cluster_name(std::uint32_t port, std::string_view subset, std::string_view host);

}  // namespace spillway::istio
