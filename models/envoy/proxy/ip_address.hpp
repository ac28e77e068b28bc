// Addresses that Envoy takes as they stand, without looking names up, and what it says of others.
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

// Why Envoy cannot take it as an IP address with a port, in its words, and where that stands.
struct AddressRefusal {
  Span where;
  std::string reason;
  Severity severity = Severity::error;
};
[[nodiscard]] std::optional<AddressRefusal> refusal_as_ip(const messages::SocketAddress& address);

// From where connections come: IP addresses, a second one of the other version only (SP139). `whose`: "cluster a".
void refuse_bind_config(const grammar::Field<messages::BindConfig>& field, const std::string& whose,
                        Diagnostics& problems);

// Whom a cluster whose hosts are looked up asks for them: IP addresses (SP139). `type`: one of Cluster::types.
void refuse_dns_resolvers(const messages::Cluster& cluster, const std::string& type, Diagnostics& problems);

}  // namespace spillway::proxy
