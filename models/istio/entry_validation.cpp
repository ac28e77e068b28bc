// Findings of admission about ServiceEntries.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "models/config/lower_ascii.hpp"
#include "models/istio/name_validation.hpp"
#include "models/istio/validation.hpp"

namespace spillway::istio {

namespace {

template <std::size_t count>
bool is_protocol_of(const std::array<std::string_view, count>& names, const std::string& protocol) {
  return std::find(names.begin(), names.end(), config::to_lower_ascii(protocol)) != names.end();
}

constexpr std::array<std::string_view, 12> known_protocols{"tcp",        "udp",   "grpc", "grpc-web", "http",  "http2",
                                                           "http_proxy", "https", "tls",  "mongo",    "redis", "mysql"};
// The protocols whose requests name the host, so that a proxy can distinguish hosts.
constexpr std::array<std::string_view, 7> protocols_with_hosts{"grpc",       "grpc-web", "http", "http2",
                                                               "http_proxy", "https",    "tls"};

void check_entry_hosts(const ServiceEntry& entry, std::vector<Finding>& findings) {
  if (entry.hosts.empty()) {
    findings.push_back({true, "entry-without-hosts", "spec", "a service entry must have at least one host"});
  }
  for (std::size_t host = 0; host < entry.hosts.size(); ++host) {
    if (entry.hosts[host] == "*" || !is_domain(entry.hosts[host], true)) {
      findings.push_back({true, "host-name", "spec.hosts[" + std::to_string(host) + "]",
                          "\"" + entry.hosts[host] + "\" is no name of a host"});
    }
  }
}

void check_entry_ports(const ServiceEntry& entry, std::vector<Finding>& findings) {
  std::set<std::string> names;
  std::set<std::uint32_t> numbers;
  for (std::size_t place = 0; place < entry.ports.size(); ++place) {
    const ServiceEntry::Port& port = entry.ports[place];
    const std::string path = "spec.ports[" + std::to_string(place) + "]";
    if (!names.insert(port.name).second) {
      findings.push_back({true, "port-twice", path + ".name", "port name \"" + port.name + "\" is already defined"});
    }
    if (!numbers.insert(port.number).second) {
      findings.push_back(
          {true, "port-twice", path + ".number", "port " + std::to_string(port.number) + " is already defined"});
    }
    if (port.targetPort != 0) {
      check_port_number(port.targetPort, path + ".targetPort", findings);
    }
    if (!is_dns_label(port.name)) {
      findings.push_back({true, "port-name", path + ".name", "invalid port name: \"" + port.name + "\""});
    }
    if (!is_known_protocol(port.protocol)) {
      findings.push_back({true, "port-protocol", path + ".protocol", "unsupported protocol: " + port.protocol});
    }
    check_port_number(port.number, path + ".number", findings);
  }
}

bool is_of_dns(const ServiceEntry& entry) {
  return entry.resolution == EntryResolution::dns || entry.resolution == EntryResolution::dns_round_robin;
}

void check_entry_address(const ServiceEntry& entry, const std::string& address, const std::string& path,
                         std::vector<Finding>& findings) {
  if (entry.resolution == EntryResolution::none) {
    findings.push_back(
        {true, "endpoints-without-resolution", path, "no endpoints should be provided for resolution type NONE"});
  } else if (entry.resolution == EntryResolution::static_addresses && !is_ip_address(address) &&
             !address.starts_with("unix://")) {
    findings.push_back({true, "static-with-host-name", path,
                        "the endpoint address must be an IP address or a unix domain socket for resolution STATIC"});
  } else if (is_of_dns(entry) && !is_ip_address(address) && !is_domain(address, false)) {
    findings.push_back(
        {true, "endpoint-address", path, "endpoint address \"" + address + "\" is not a valid FQDN or an IP address"});
  }
}

void check_entry_endpoint(const ServiceEntry& entry, const WorkloadEntry& endpoint, const std::string& path,
                          std::vector<Finding>& findings) {
  check_entry_address(entry, endpoint.address, path + ".address", findings);
  if (entry.resolution == EntryResolution::none) {
    return;
  }
  for (const auto& [name, number] : endpoint.ports) {
    const bool known = std::any_of(entry.ports.begin(), entry.ports.end(),
                                   [&, &wanted = name](const auto& port) { return port.name == wanted; });
    if (!known) {
      findings.push_back(
          {true, "endpoint-port", path + ".ports", "endpoint port " + name + " is not defined by the service entry"});
    }
    check_port_number(number, path + ".ports", findings);
  }
  check_labels(endpoint.labels, path + ".labels", findings);
}

// Checks the hosts that DNS looks up: without endpoints, those are the hosts themselves.
void check_resolved_hosts(const ServiceEntry& entry, std::vector<Finding>& findings) {
  if (!is_of_dns(entry) || !entry.endpoints.empty()) {
    return;
  }
  const auto unresolved =
      std::find_if(entry.hosts.begin(), entry.hosts.end(), [](const auto& host) { return !is_domain(host, false); });
  if (unresolved != entry.hosts.end()) {
    findings.push_back({true, "wildcard-without-endpoints", "spec.hosts",
                        "hosts must be FQDN if no endpoints are provided for resolution by DNS: " + *unresolved});
  }
}

}  // namespace

bool is_known_protocol(const std::string& protocol) {
  return protocol.empty() || is_protocol_of(known_protocols, protocol);
}

std::vector<Finding> validate(const ServiceEntry& entry) {
  std::vector<Finding> findings;
  check_selector(entry.workloadSelector, findings);
  if (is_refused(findings)) {
    return findings;
  }
  if (entry.workloadSelector && !entry.endpoints.empty()) {
    findings.push_back({true, "selector-and-endpoints", "spec.endpoints",
                        "only one of workloadSelector or endpoints is allowed in a service entry"});
  }
  check_entry_hosts(entry, findings);
  check_entry_ports(entry, findings);
  check_resolved_hosts(entry, findings);
  if (entry.resolution == EntryResolution::dns_round_robin && entry.endpoints.size() > 1) {
    findings.push_back({true, "round-robin-endpoints", "spec.endpoints",
                        "there must only be 0 or 1 endpoint for resolution mode DNS_ROUND_ROBIN"});
  }
  for (std::size_t endpoint = 0; endpoint < entry.endpoints.size(); ++endpoint) {
    check_entry_endpoint(entry, entry.endpoints[endpoint], "spec.endpoints[" + std::to_string(endpoint) + "]",
                         findings);
  }
  // Only the host in a request distinguishes the hosts of a port.
  const bool blind = std::any_of(entry.ports.begin(), entry.ports.end(),
                                 [](const auto& port) { return !is_protocol_of(protocols_with_hosts, port.protocol); });
  if (entry.resolution != EntryResolution::none && entry.hosts.size() > 1 && blind) {
    findings.push_back(
        {true, "hosts-of-tcp", "spec.hosts", "several hosts are provided with ports that are neither HTTP nor TLS"});
  }
  check_exports(entry.exportTo, entry.meta.name_space, Exported::entry, findings);
  return findings;
}

}  // namespace spillway::istio
