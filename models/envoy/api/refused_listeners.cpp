#include "models/envoy/api/refused_listeners.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "models/envoy/api/api_tables.hpp"
#include "models/envoy/api/format_string.hpp"
#include "models/envoy/api/ip_text.hpp"
#include "models/envoy/api/refused_chains.hpp"

namespace spillway::api {
namespace {

void check_tcp_proxy(const MessageView& tcp, CheckedDocument& document) {
  for (const MessageView& tlv : tcp.items("proxy_protocol_tlvs")) {
    if (!tlv.has("value") && !tlv.has("format_string")) {
      document.refuse(tlv.node().span, "Invalid TLV configuration: one of 'value' or 'format_string' must be set.");
    } else if (tlv.has("value") && tlv.has("format_string")) {
      document.refuse(tlv.node().span, "Invalid TLV configuration: only one of 'value' or 'format_string' may be set.");
    }
  }
  if (!tcp.is("upstream_connect_mode", "IMMEDIATE", 0) && !tcp.has("max_early_data_bytes")) {
    document.refuse(tcp.place("upstream_connect_mode"),
                    "max_early_data_bytes must be set when upstream_connect_mode is not IMMEDIATE");
  }
  document.check_back_off(tcp.message("backoff_options"),
                          "max_backoff_interval must be greater or equal to base_backoff_interval");
  if (tcp.has("access_log_options") &&
      (tcp.has("access_log_flush_interval") || tcp.flag("flush_access_log_on_connected"))) {
    document.refuse(tcp.place("access_log_options"),
                    "Only one of access_log_flush_interval or access_log_options can be specified.");
  }
}

void check_tunnel(const MessageView& tunnel, CheckedDocument& document) {
  if (const std::string fault = fault_of_format(tunnel.text("hostname")); !fault.empty()) {
    document.refuse(tunnel.place("hostname"), fault);
  }
  if (!tunnel.text("post_path").empty() && !tunnel.flag("use_post")) {
    document.refuse(tunnel.place("post_path"), "Can't set a post path when POST method isn't used");
  }
}

// True for network filters that take the connection. Source: Envoy 1.40, asked for each filter of
// tables/extensions.txt.
bool is_terminal_network_filter(const std::string& type) {
  constexpr std::array terminal = std::to_array<std::string_view>(
      {"http_connection_manager.", "tcp_proxy.", "redis_proxy.", "thrift_proxy.", "dubbo_proxy.", "generic_proxy.",
       "direct_response.", "echo.", "reverse_tunnel."});
  constexpr std::string_view package = "envoy.extensions.filters.network.";
  return type.starts_with(package) && std::any_of(terminal.begin(), terminal.end(), [&](std::string_view name) {
           return std::string_view(type).substr(package.size()).starts_with(name);
         });
}

// True for network filters that cannot end a chain. Others may end a chain or not, or are unknown.
bool is_inner_network_filter(const std::string& type) {
  return find_extension("envoy.filters.network", type).taken && !is_terminal_network_filter(type) &&
         type.find(".dynamic_modules.") == std::string::npos;
}

// Checks that the filter that takes the connection is the last one of a chain.
void check_network_filters(const MessageView& chain, CheckedDocument& document) {
  const auto filters = chain.items("filters");
  for (std::size_t i = 0; i < filters.size(); ++i) {
    const std::string type = filters[i].message("typed_config").any_type();
    const bool is_last = i + 1 == filters.size();
    if (!is_last && is_terminal_network_filter(type)) {
      document.refuse(filters[i].node().span, "Error: terminal filter named " + filters[i].text("name") + " of type " +
                                                  type + " must be the last filter in a network filter chain.");
    } else if (is_last && is_inner_network_filter(type)) {
      document.refuse(filters[i].node().span, "Error: non-terminal filter named " + filters[i].text("name") +
                                                  " of type " + type +
                                                  " is the last filter in a network filter chain.");
    }
  }
}

void check_cidr_range(const MessageView& range, CheckedDocument& document) {
  const std::string address = range.text("address_prefix");
  if (!is_ip(address)) {
    document.refuse(range.place("address_prefix"), "malformed IP address: " + address);
  }
}

void check_filter_chain_match(const MessageView& match, CheckedDocument& document) {
  for (const char* const field : {"address_suffix", "suffix_len"}) {
    if (match.has(field) && !(match.text(field).empty() && match.number(field) == 0)) {
      document.refuse(match.place(field), "the filter chain contains unimplemented fields");
    }
  }
}

void check_server_names(const MessageView& match, CheckedDocument& document) {
  check_filter_chain_match(match, document);
  for (const MessageView& name : match.items("server_names")) {
    const std::string& text = name.node().text;
    if (text.find('*') != std::string::npos && !text.starts_with("*.")) {
      document.refuse(name.node().span, "partial wildcards are not supported in \"server_names\"");
    }
  }
}

void check_chains(const MessageView& listener, CheckedDocument& document) {
  const auto chains = listener.items("filter_chains");
  const MessageView socket = listener.message("address").message("socket_address");
  if (socket.is("protocol", "UDP", 1) && !listener.message("udp_listener_config").has("quic_options")) {
    if (socket.exists() && !chains.empty()) {
      document.refuse(chains.front().node().span, "filter chain(s) specified for connection-less UDP listener.");
    }
    return;
  }
  if (chains.empty() && !listener.has("default_filter_chain")) {
    document.refuse(listener.node().span, "no filter chains specified");
  }
  check_filter_chains(listener, document);
}

// Checks the socket of a chain of a listener for QUIC.
void check_quic_socket(const MessageView& chain, CheckedDocument& document) {
  const MessageView socket = chain.message("transport_socket");
  const MessageView config = socket.message("typed_config");
  const MessageView context = config.any_message().message("downstream_tls_context");
  const MessageView common = context.message("common_tls_context");
  if (!socket.exists()) {
    document.refuse(chain.node().span, "no transport socket specified for connection oriented UDP listener");
  } else if (!config.any_type().ends_with(".QuicDownstreamTransport")) {
    document.refuse(socket.node().span, "Use QuicDownstreamTransport instead.");
  } else if (context.flag("require_client_certificate") && !common.has("validation_context") &&
             !common.has("combined_validation_context") && !common.has("validation_context_sds_secret_config")) {
    document.refuse(
        context.place("require_client_certificate"),
        "QUIC downstream TLS context sets require_client_certificate but configures no validation context.");
  }
}

// Checks the filters of a listener for QUIC, and that the others do not speak HTTP/3.
void check_codecs(const MessageView& listener, CheckedDocument& document) {
  const bool is_quic = listener.message("udp_listener_config").has("quic_options");
  const bool is_udp = listener.message("address").message("socket_address").is("protocol", "UDP", 1);
  std::vector<MessageView> chains = listener.items("filter_chains");
  if (listener.has("default_filter_chain")) {
    chains.push_back(listener.message("default_filter_chain"));
  }
  for (const MessageView& chain : chains) {
    const auto filters = chain.items("filters");
    const MessageView last = filters.empty() ? MessageView() : filters.back().message("typed_config");
    if (is_quic && is_udp) {
      check_quic_socket(chain, document);
    }
    const bool is_manager = last.any_type().find(".http_connection_manager.") != std::string::npos;
    if (is_quic && is_udp && !is_manager) {
      document.refuse(chain.node().span,
                      "error building network filter chain for quic listener: requires http_connection_manager filter "
                      "to be last in the chain.");
    }
    const MessageView manager = last.any_message();
    if (is_manager && is_quic && is_udp && !manager.is("codec_type", "HTTP3", 3)) {
      document.refuse(manager.place("codec_type"), "Non-HTTP/3 codec configured on QUIC listener.");
    } else if (is_manager && !is_quic && manager.is("codec_type", "HTTP3", 3)) {
      document.refuse(manager.place("codec_type"), "HTTP/3 codec configured on non-QUIC listener.");
    }
  }
}

// Checks that filters before the chains are those of a listener of this protocol.
void check_listener_filters(const MessageView& listener, CheckedDocument& document) {
  const bool is_udp = listener.message("address").message("socket_address").is("protocol", "UDP", 1);
  for (const MessageView& filter : listener.items("listener_filters")) {
    const std::string type = filter.message("typed_config").any_type();
    const char* const other = is_udp ? "envoy.filters.listener" : "envoy.filters.udp_listener";
    if (find_extension(other, type).taken) {
      document.refuse(filter.node().span, "Didn't find a registered implementation for '" + filter.text("name") +
                                              "' with type URL: '" + type + "'");
    }
  }
}

void check_listener_address(const MessageView& address, CheckedDocument& document) {
  const MessageView socket = address.message("socket_address");
  document.check_ip(socket);
  const std::string text = canonical_ip(socket.text("address"));
  if (socket.flag("ipv4_compat") && text != "::" && !text.starts_with("::ffff:")) {
    document.refuse(socket.place("ipv4_compat"),
                    "Only IPv6 address '::' or valid IPv4-mapped IPv6 address can set ipv4_compat: " + text);
  }
}

void check_balance(const MessageView& balance, CheckedDocument& document) {
  const std::string type = balance.message("extend_balance").message("typed_config").any_type();
  if (type.starts_with("envoy.extensions.filters.")) {
    document.refuse(balance.place("extend_balance"),
                    "Didn't find a registered implementation for type: '" + type + "'");
  }
}

// True if the bootstrap has an extension of this kind, or the document is none.
bool may_have_bootstrap_extension(std::string_view kind, const CheckedDocument& document) {
  const auto extensions = document.bootstrap.items("bootstrap_extensions");
  return !document.bootstrap.exists() ||
         std::any_of(extensions.begin(), extensions.end(), [&](const MessageView& extension) {
           return extension.message("typed_config").any_type().find(kind) != std::string::npos;
         });
}

void check_reverse_tunnel(const MessageView& tunnel, CheckedDocument& document) {
  if (!may_have_bootstrap_extension("UpstreamReverseConnectionSocketInterface", document)) {
    document.refuse(tunnel.node().span,
                    "reverse_tunnel: the upstream reverse_tunnel socket interface bootstrap extension "
                    "(UpstreamReverseConnectionSocketInterface) is not configured");
  }
  const MessageView validation = tunnel.message("validation");
  for (const char* const format : {"node_id_format", "cluster_id_format"}) {
    if (const std::string fault = fault_of_format(validation.text(format)); !fault.empty()) {
      document.refuse(validation.place(format), std::string("Failed to parse ") + format + ": " + fault);
    }
  }
}

void check_redis(const MessageView& proxy, CheckedDocument& document) {
  const MessageView routes = proxy.message("prefix_routes");
  if (routes.items("routes").empty() && !routes.has("catch_all_route")) {
    document.refuse(proxy.node().span, "cannot configure a redis-proxy without any upstream");
  }
  std::set<std::string> seen;
  for (const MessageView& route : routes.items("routes")) {
    if (!seen.insert(route.text("prefix")).second) {
      document.refuse(route.place("prefix"), "prefix `" + route.text("prefix") + "` already exists.");
    }
  }
}

void check_udp_proxy(const MessageView& proxy, CheckedDocument& document) {
  if (proxy.flag("use_per_packet_load_balancing") && proxy.has("tunneling_config")) {
    document.refuse(proxy.place("tunneling_config"),
                    "Only one of use_per_packet_load_balancing or tunneling_config can be used.");
  }
}

void check_udp_tunnel(const MessageView& tunnel, CheckedDocument& document) {
  const std::string path = tunnel.text("post_path");
  if (!path.empty() && !tunnel.flag("use_post")) {
    document.refuse(tunnel.place("post_path"), "Can't set a post path when POST method isn't used");
  } else if (!path.empty() && !path.starts_with('/')) {
    document.refuse(tunnel.place("post_path"), "Path must start with '/'");
  }
  for (const char* const host : {"proxy_host", "target_host"}) {
    if (const std::string fault = fault_of_format(tunnel.text(host)); !fault.empty()) {
      document.refuse(tunnel.place(host), fault);
    }
  }
}

void check_proxy_protocol(const MessageView& filter, CheckedDocument& document) {
  const auto versions = filter.items("disallowed_versions");
  constexpr std::size_t all = 2;
  std::set<std::string> named;
  for (const MessageView& version : versions) {
    named.insert(version.node().text);
  }
  if (named.size() >= all) {
    document.refuse(filter.place("disallowed_versions"),
                    "Proxy Protocol filter is misconfigured: all proxy protocol versions are disallowed.");
  }
}

void check_listener(const MessageView& listener, CheckedDocument& document) {
  if (listener.has("api_listener")) {
    const std::string type = listener.message("api_listener").message("api_listener").any_type();
    if (!type.starts_with("envoy.extensions.filters.network.http_connection_manager.")) {
      document.refuse(listener.place("api_listener"), "missing the API listener extension");
    }
    return;
  }
  if (listener.has("fcds_config") && !listener.has("filter_chain_matcher")) {
    document.refuse(listener.place("fcds_config"), "FCDS requires a filter chain matcher.");
  }
  const MessageView address = listener.message("address");
  if (!address.exists() && !listener.has("internal_listener")) {
    document.refuse(listener.node().span, "address is necessary");
    return;
  }
  if (address.exists() && listener.has("internal_listener")) {
    document.refuse(listener.place("address"),
                    "address should not be used when an internal listener config is provided");
  } else if (address.has("envoy_internal_address")) {
    document.refuse(address.place("envoy_internal_address"),
                    "use internal_listener field instead of address for internal listeners");
  }
  if (listener.has("internal_listener") && !may_have_bootstrap_extension("InternalListener", document)) {
    document.refuse(listener.place("internal_listener"), "error adding listener named '" + listener.text("name") +
                                                             "': InternalListener bootstrap extension is mandatory");
  }
  check_chains(listener, document);
  check_codecs(listener, document);
  check_listener_filters(listener, document);
  check_listener_address(address, document);
  for (const MessageView& more : listener.items("additional_addresses")) {
    check_listener_address(more.message("address"), document);
  }
}

}  // namespace

void check_listener_addresses(const MessageView& resources, CheckedDocument& document) {
  std::map<std::string, std::size_t> owners;
  const std::vector<MessageView> listeners = resources.items("listeners");
  for (std::size_t i = 0; i < listeners.size(); ++i) {
    std::vector<MessageView> addresses = {listeners[i].message("address")};
    for (const MessageView& more : listeners[i].items("additional_addresses")) {
      addresses.push_back(more.message("address"));
    }
    for (const MessageView& address : addresses) {
      const MessageView socket = address.message("socket_address");
      if (!socket.exists() || socket.number("port_value") == 0) {
        continue;
      }
      const std::string text = canonical_ip(socket.text("address")) + ":" +
                               std::to_string(static_cast<std::uint64_t>(socket.number("port_value")));
      const bool udp = socket.is("protocol", "UDP", 1);
      const auto [owner, is_new] = owners.emplace((udp ? "udp " : "") + text, i);
      const std::string name = listeners[i].text("name");
      if (!is_new && owner->second != i && (name.empty() || name != listeners[owner->second].text("name"))) {
        document.refuse(socket.node().span, "error adding listener: '" + name + "' has duplicate address '" + text +
                                                "' as existing listener");
      }
    }
  }
}

std::span<const RefusedMessage> refused_in_listeners() noexcept {
  static constexpr auto messages = std::to_array<RefusedMessage>({
      {"envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy", check_tcp_proxy},
      {"envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy.TunnelingConfig", check_tunnel},
      {"envoy.config.core.v3.CidrRange", check_cidr_range},
      {"envoy.config.listener.v3.Listener.ConnectionBalanceConfig", check_balance},
      {"envoy.extensions.filters.listener.proxy_protocol.v3.ProxyProtocol", check_proxy_protocol},
      {"envoy.extensions.filters.network.redis_proxy.v3.RedisProxy", check_redis},
      {"envoy.extensions.filters.network.reverse_tunnel.v3.ReverseTunnel", check_reverse_tunnel},
      {"envoy.extensions.filters.udp.udp_proxy.v3.UdpProxyConfig", check_udp_proxy},
      {"envoy.extensions.filters.udp.udp_proxy.v3.UdpProxyConfig.UdpTunnelingConfig", check_udp_tunnel},
      {"envoy.config.listener.v3.FilterChain", check_network_filters},
      {"envoy.config.listener.v3.FilterChainMatch", check_server_names},
      {"envoy.config.listener.v3.Listener", check_listener},
  });
  return messages;
}

}  // namespace spillway::api
