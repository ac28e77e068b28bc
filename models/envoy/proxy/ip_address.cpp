#include "models/envoy/proxy/ip_address.hpp"

#include <arpa/inet.h>
#include <array>
#include <vector>

#include "models/documents/problem.hpp"
#include "models/envoy/api/address.hpp"
#include "models/envoy/api/cluster.hpp"

namespace spillway::proxy {
namespace {

// Returns 4 or 6; 0 if the text is not an IP address.
int ip_version(const std::string& text) {
  std::array<unsigned char, sizeof(in6_addr)> address{};
  if (inet_pton(AF_INET, text.c_str(), address.data()) == 1) {
    return 4;
  }
  const std::string without_scope = text.substr(0, text.find('%'));
  return inet_pton(AF_INET6, without_scope.c_str(), address.data()) == 1 ? 6 : 0;
}

Diagnostic refused(const char* what, AddressRefusal refusal) {
  Diagnostic problem = error("SP139", refusal.where, "Envoy refuses this {}", "{}", {what, refusal.reason});
  problem.severity = refusal.severity;
  return problem;
}

void refuse_bind(Span where, std::string reason, Diagnostics& problems) {
  problems.push_back(refused("upstream_bind_config", {where, std::move(reason)}));
}

}  // namespace

std::optional<AddressRefusal> refusal_as_ip(const messages::SocketAddress& address) {
  const std::string resolver = address.resolver_name.value_or("");
  if (!resolver.empty() && resolver != "envoy.ip") {
    return AddressRefusal{address.resolver_name.where, "Unknown address resolver: " + resolver};
  }
  if (address.named_port) {
    return AddressRefusal{address.named_port.where, "IP resolver can't handle port specifier type 4"};
  }
  if (address.address && ip_version(*address.address) == 0) {
    // A running proxy has accepted the addresses that it prints. A malformed one was most likely edited, e.g.
    // anonymised.
    return AddressRefusal{address.address.where, "malformed IP address: " + *address.address,
                          address.source.object->reported ? Severity::warning : Severity::error};
  }
  return std::nullopt;
}

void refuse_bind_config(const grammar::Field<messages::BindConfig>& field, const std::string& whose,
                        Diagnostics& problems) {
  if (!field) {
    return;
  }
  const messages::BindConfig& config = *field;
  const auto& extra = config.extra_source_addresses;
  const auto& additional = config.additional_source_addresses;
  std::vector<const messages::SocketAddress*> others;
  for (const auto& one : *extra) {
    others.push_back(&*one->address);
  }
  for (const auto& one : *additional) {
    others.push_back(&*one);
  }
  const std::string its = whose + "'s upstream binding config";
  const Span key = extra->empty() ? additional.key : extra.key;
  if (!extra->empty() && !additional->empty()) {
    refuse_bind(additional.key,
                "Can't specify both `extra_source_addresses` and `additional_source_addresses` in the " + its,
                problems);
    return;
  }
  if (!config.source_address.present && !others.empty()) {
    refuse_bind(key, its + " has extra/additional source addresses but no source_address", problems);
    return;
  }
  if (others.size() > 1) {
    refuse_bind(key, its + " has more than one extra/additional source addresses", problems);
    return;
  }
  others.insert(others.begin(), &*config.source_address);
  for (const messages::SocketAddress* const address : others) {
    if (const auto refusal = refusal_as_ip(*address)) {
      problems.push_back(refused("upstream_bind_config", *refusal));
      return;
    }
  }
  if (others.size() == 2 && others[0]->address && others[1]->address &&
      ip_version(*others[0]->address) == ip_version(*others[1]->address)) {
    refuse_bind(key, its + " has two same IP version source addresses", problems);
  }
}

void refuse_dns_resolvers(const messages::Cluster& cluster, const std::string& type, Diagnostics& problems) {
  if (type != "STRICT_DNS" && type != "LOGICAL_DNS") {
    return;
  }
  for (const auto& resolver : *cluster.dns_resolvers) {
    if (resolver->socket_address) {
      if (const auto refusal = refusal_as_ip(*resolver->socket_address)) {
        problems.push_back(refused("resolver", *refusal));
      }
    } else if (resolver->pipe || resolver->envoy_internal_address) {
      problems.push_back(refused("resolver", {resolver.where, "DNS resolver '" + messages::address_text(*resolver) +
                                                                  "' is not an IP address"}));
    }
  }
}

}  // namespace spillway::proxy
