// Findings of admission about Sidecars.
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "models/istio/name_validation.hpp"
#include "models/istio/validation.hpp"

namespace spillway::istio {

namespace {

void check_egress_port(const Sidecar::Listener& listener, const std::string& path, std::vector<Finding>& findings) {
  const Sidecar::Port& port = *listener.port;
  if (port.targetPort != 0) {
    findings.push_back({true, "sidecar-target-port", path + ".targetPort", "targetPort has no impact on Sidecars"});
  }
  if (!port.name.empty() && !is_dns_label(port.name)) {
    findings.push_back({true, "port-name", path + ".name", "invalid port name: \"" + port.name + "\""});
  }
  if (!is_known_protocol(port.protocol)) {
    findings.push_back({true, "port-protocol", path + ".protocol", "unsupported protocol: " + port.protocol});
  }
  if (port.number != 0) {
    check_port_number(port.number, path + ".number", findings);
  } else if (!listener.bind.starts_with("unix://")) {
    findings.push_back(
        {true, "port-number", path + ".number", "ports with 0 value must have a unix domain socket bind address"});
  }
}

void check_egress_host(const std::string& host, const std::string& path, std::vector<Finding>& findings) {
  const std::size_t slash = host.find('/');
  if (slash == std::string::npos) {
    findings.push_back({true, "egress-host", path, "host must be of form namespace/dnsName"});
    return;
  }
  const std::string name_space = host.substr(host.starts_with('~') ? 1 : 0, slash - (host.starts_with('~') ? 1 : 0));
  const std::string name = host.substr(slash + 1);
  if (slash == 0 || name.empty()) {
    findings.push_back({true, "egress-host", path, "config namespace and dnsName in host entry cannot be empty"});
  }
  if (!name_space.empty() && name_space != "*" && name_space != "." && !is_dns_label(name_space)) {
    findings.push_back({true, "egress-namespace", path, "invalid namespace value \"" + host.substr(0, slash) + "\""});
  }
  if (name != "*" && name.find('.') == std::string::npos) {
    findings.push_back({true, "egress-short-name", path, "short names (non FQDN) are not allowed"});
  }
  if (!name.empty() && !is_domain(name, true)) {
    findings.push_back({true, "host-name", path, "\"" + name + "\" is no name of a host"});
  }
  if (name.size() != 1 && name.find('*') != std::string::npos && !name.starts_with("*.")) {
    findings.push_back({true, "egress-partial-wildcard", path, "partial wildcard \"" + name + "\" not allowed"});
  }
}

// Warns of hosts that earlier entries of the listener already name.
void warn_of_hosts(const Sidecar::Listener& listener, const std::string& own, const std::string& path,
                   std::vector<Finding>& findings) {
  std::map<std::string, std::set<std::string>> seen;
  for (const std::string& host : listener.hosts) {
    const std::size_t slash = host.find('/');
    if (slash == std::string::npos || host.starts_with('~')) {
      continue;
    }
    const std::string written = host.substr(0, slash);
    const std::string name = host.substr(slash + 1);
    std::set<std::string>& names = seen[written == "." ? own : written];
    if (name == "*" ? !names.empty() : names.contains(name) || names.contains("*")) {
      findings.push_back({false, "egress-host-twice", path, "duplicated egress host: " + host});
    }
    names.insert(name);
  }
  const auto all = seen.find("*");
  if (all != seen.end() && all->second.contains("*") && seen.size() != 1) {
    findings.push_back(
        {false, "egress-host-twice", path, "`*/*` host select all resources, no other hosts can be added"});
  }
}

}  // namespace

std::vector<Finding> validate(const Sidecar& sidecar) {
  std::vector<Finding> findings;
  check_selector(sidecar.workloadSelector, findings);
  if (is_refused(findings)) {
    return findings;
  }
  if (sidecar.egress.empty() && !sidecar.other) {
    findings.push_back({true, "empty-sidecar", "spec", "sidecar: empty configuration provided"});
    return findings;
  }
  std::set<std::uint32_t> numbers;
  for (std::size_t place = 0; place < sidecar.egress.size(); ++place) {
    const Sidecar::Listener& listener = sidecar.egress[place];
    const std::string path = "spec.egress[" + std::to_string(place) + "]";
    if (listener.port) {
      check_egress_port(listener, path + ".port", findings);
      if (listener.port->number != 0 && !numbers.insert(listener.port->number).second) {
        findings.push_back({true, "egress-port-twice", path + ".port", "ports on IP bound listeners must be unique"});
      }
    } else if (place + 1 != sidecar.egress.size()) {
      findings.push_back({true, "egress-without-port", path,
                          "the egress listener with empty port should be the last listener in the list"});
    }
    if (listener.hosts.empty()) {
      findings.push_back({true, "egress-without-hosts", path, "egress listener must contain at least one host"});
    }
    for (std::size_t host = 0; host < listener.hosts.size(); ++host) {
      check_egress_host(listener.hosts[host], path + ".hosts[" + std::to_string(host) + "]", findings);
    }
    warn_of_hosts(listener, sidecar.meta.name_space, path + ".hosts", findings);
  }
  return findings;
}

}  // namespace spillway::istio
