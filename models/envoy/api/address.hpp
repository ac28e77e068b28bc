// Addresses in Envoy's messages: envoy.config.core.v3.Address with its alternatives, and BindConfig.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/envoy/api/proto.hpp"

namespace spillway::messages {

struct SocketAddress {
  static constexpr const char* definition = "envoy.config.core.v3.SocketAddress";
  Source source;
  Field<std::string> address;
  Field<std::uint64_t> port_value;
  Field<std::string> named_port;
  Field<std::string> resolver_name;
};
void describe(Fields& fields, SocketAddress& address);

struct Pipe {
  static constexpr const char* definition = "envoy.config.core.v3.Pipe";
  Field<std::string> path;
};
void describe(Fields& fields, Pipe& pipe);

struct EnvoyInternalAddress {
  static constexpr const char* definition = "envoy.config.core.v3.EnvoyInternalAddress";
  Field<std::string> server_listener_name;
  Field<std::string> endpoint_id;
};
void describe(Fields& fields, EnvoyInternalAddress& address);

struct Address {
  static constexpr const char* definition = "envoy.config.core.v3.Address";
  Field<SocketAddress> socket_address;
  Field<Pipe> pipe;
  Field<EnvoyInternalAddress> envoy_internal_address;
};
void describe(Fields& fields, Address& address);

// Returns the address in Envoy's notation: "10.0.0.1:80", "[::1]:80", "/path/of/pipe" or "envoy://listener/endpoint".
[[nodiscard]] std::string address_text(const Address& address);

// Reads an address as its address_text(); writes the text as a socket address.
struct AddressText {
  using Value = std::string;
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const {
    return grammar::Record<Address>{}.schema(definitions);
  }
  [[nodiscard]] documents::Node write(const Value& value) const;
};

struct ExtraSourceAddress {
  static constexpr const char* definition = "envoy.config.core.v3.ExtraSourceAddress";
  Field<SocketAddress> address;
};
void describe(Fields& fields, ExtraSourceAddress& extra);

// Source addresses of connections to hosts.
struct BindConfig {
  static constexpr const char* definition = "envoy.config.core.v3.BindConfig";
  Field<SocketAddress> source_address;
  Field<std::vector<Field<ExtraSourceAddress>>> extra_source_addresses;
  Field<std::vector<Field<SocketAddress>>> additional_source_addresses;
};
void describe(Fields& fields, BindConfig& config);

}  // namespace spillway::messages
