#include "models/envoy/api/address.hpp"

namespace spillway::messages {

using grammar::ListOf;
using grammar::Record;
using grammar::Text;
using grammar::Whole;

void describe(Fields& fields, SocketAddress& address) {
  address.source.keep(fields);
  fields.message();
  fields.required("address", address.address, not_empty, "address or name");
  fields.optional("port_value", address.port_value, Whole{0, 65'535, "Envoy refuses a port above 65535", false},
                  "port");
  fields.optional("named_port", address.named_port, not_empty, "port by name");
  fields.exactly_one({"port_value", "named_port"});
  fields.optional("resolver_name", address.resolver_name, any_length, "what looks the address up");
  fields.without_influence({"protocol", "ipv4_compat", "network_namespace_filepath"});
}

void describe(Fields& fields, Pipe& pipe) {
  fields.message();
  fields.required("path", pipe.path, not_empty, "path");
  fields.idle("mode", Whole{0, 511, "Envoy refuses others: Mode: value must be less than or equal to 511", false});
}

void describe(Fields& fields, EnvoyInternalAddress& address) {
  fields.message();
  fields.required("server_listener_name", address.server_listener_name, not_empty, "listener");
  fields.optional("endpoint_id", address.endpoint_id, any_length, "endpoint");
}

void describe(Fields& fields, Address& address) {
  fields.message();
  fields.optional("socket_address", address.socket_address, Record<SocketAddress>{}, "address and port");
  fields.optional("pipe", address.pipe, Record<Pipe>{}, "a pipe");
  fields.optional("envoy_internal_address", address.envoy_internal_address, Record<EnvoyInternalAddress>{},
                  "an internal listener");
  fields.exactly_one({"socket_address", "pipe", "envoy_internal_address"});
}

std::string address_text(const Address& address) {
  if (address.pipe) {
    return address.pipe->path.value_or("");
  }
  if (address.envoy_internal_address) {
    return "envoy://" + address.envoy_internal_address->server_listener_name.value_or("") + "/" +
           address.envoy_internal_address->endpoint_id.value_or("");
  }
  const SocketAddress& socket = *address.socket_address;
  const std::string host = socket.address.value_or("");
  const std::string port = socket.named_port ? *socket.named_port : std::to_string(socket.port_value.value_or(0));
  return (host.find(':') == std::string::npos ? host : "[" + host + "]") + ":" + port;
}

bool AddressText::read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
  Address address;
  const bool read = Record<Address>{}.read(node, address, what, problems);
  into = address_text(address);
  return read;
}

documents::Node AddressText::write(const Value& value) const {
  const std::size_t colon = value.rfind(':');
  documents::Node socket = message_with("address", Text{}.write(value.substr(0, colon)));
  Fields(socket).write("port_value", Whole{}.write(std::stoul(value.substr(colon + 1))));
  return message_with("socket_address", std::move(socket));
}

void describe(Fields& fields, ExtraSourceAddress& extra) {
  fields.message();
  fields.required("address", extra.address, Record<SocketAddress>{}, "of the other version of IP");
  fields.without_influence({"socket_options"});
}

void describe(Fields& fields, BindConfig& config) {
  fields.message();
  fields.optional("source_address", config.source_address, Record<SocketAddress>{}, "source address of connections");
  fields.optional("extra_source_addresses", config.extra_source_addresses, ListOf<Record<ExtraSourceAddress>>{},
                  "or from here");
  fields.optional("additional_source_addresses", config.additional_source_addresses, ListOf<Record<SocketAddress>>{},
                  "the same, deprecated");
  fields.idle("freebind", grammar::Flag{true});
  fields.idle("validate_network_namespaces", grammar::Flag{});
  fields.without_influence({"socket_options", "local_address_selector"});
}

}  // namespace spillway::messages
