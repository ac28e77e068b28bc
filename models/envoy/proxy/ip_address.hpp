// Checks addresses that Envoy must be able to use without a lookup, with its messages for others.
#pragma once

#include <optional>
#include <string>

#include "models/documents/diagnostic.hpp"
#include "models/documents/grammar/field.hpp"

namespace spillway::messages {
struct BindConfig;     // address.hpp
struct Cluster;        // cluster.hpp
struct SocketAddress;  // address.hpp
}  // namespace spillway::messages

namespace spillway::proxy {

// The reason why Envoy cannot use an address as an IP address with a port, in its words, and the place of the error.
struct AddressRefusal {
  Span where;
  std::string reason;
  Severity severity = Severity::error;
};
[[nodiscard]] std::optional<AddressRefusal> refusal_as_ip(const messages::SocketAddress& address);

// Reports source addresses of connections that are not IP addresses, and a second one of the same IP version (SP139).
// `whose`: e.g. "cluster a".
void refuse_bind_config(const grammar::Field<messages::BindConfig>& field, const std::string& whose,
                        Diagnostics& problems);

// Reports DNS resolvers of a cluster that are not IP addresses (SP139), if the cluster resolves names. `type`: one of
// Cluster::types.
void refuse_dns_resolvers(const messages::Cluster& cluster, const std::string& type, Diagnostics& problems);

}  // namespace spillway::proxy
