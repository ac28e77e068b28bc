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

// The config cluster's name unless istiod is told another.
inline constexpr const char* default_cluster = "Kubernetes";

// "" for a label that is not there.
[[nodiscard]] const std::string& value_of(const Labels& labels, const std::string& name);

// Whether all of `wanted` are on `labels`.
[[nodiscard]] bool has_all(const Labels& labels, const Labels& wanted);

// The locality label of a workload, the new one before the old one; "" if there is none.
[[nodiscard]] const std::string& locality_of(const Labels& labels);

// "r1.z1" -> "r1/z1": dots separate where there is no slash. Not done for the labels of a proxy without a pod.
[[nodiscard]] std::string with_slashes(std::string locality);

// The first three parts at slashes.
[[nodiscard]] config::Locality split_locality(std::string_view locality);

// `labels` with what istiod knows of the place: region, zone, subzone, cluster and node where they are not empty, and
// the network unless a label says it.
[[nodiscard]] Labels augmented(Labels labels, const std::string& cluster, const std::string& locality,
                               const std::string& node, const std::string& network);

[[nodiscard]] inline bool is_wildcard(std::string_view host) {
  return host.starts_with('*');
}

// Whether a host is one that a pattern (`*.example`, `*`, or a host) stands for.
[[nodiscard]] bool host_matches(std::string_view host, std::string_view pattern);

// Whether it is made of the letters of IPv4 or IPv6 addresses alone.
[[nodiscard]] bool is_ip_address(std::string_view address);

// As Envoy writes an address with its port: "10.0.0.1:80", "[2001:db8::1]:80"; a name stays as it is, "a.example:80".
[[nodiscard]] std::string address_text(const std::string& address, std::uint32_t port);

// A name without a dot, completed with a namespace; others are taken as complete.
[[nodiscard]] std::string resolve_short_name(std::string_view host, std::string_view name_space);

// "outbound|80|v1|web.default.svc.cluster.local".
[[nodiscard]] std::string cluster_name(std::uint32_t port, std::string_view subset, std::string_view host);

}  // namespace spillway::istio
