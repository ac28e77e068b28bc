#include "models/envoy/api/refused_listeners.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "models/envoy/api/api_tables.hpp"
#include "models/envoy/api/format_string.hpp"
#include "models/envoy/api/ip_text.hpp"

namespace spillway::api {
namespace {

void check_tcp_proxy(const MessageView& tcp, CheckedDocument& document) {
  for (const MessageView& tlv : tcp.items("proxy_protocol_tlvs")) {
    if (!tlv.has("value") && !tlv.has("format_string")) {
      document.refuse(tlv.node().span, "Invalid TLV configuration: one of 'value' or 'format_string' must be set.");
    }
  }
  if (!tcp.is("upstream_connect_mode", "IMMEDIATE", 0) && !tcp.has("max_early_data_bytes")) {
    document.refuse(tcp.place("upstream_connect_mode"),
                    "max_early_data_bytes must be set when upstream_connect_mode is not IMMEDIATE");
  }
  const MessageView back_off = tcp.message("backoff_options");
  if (back_off.has("max_interval") && back_off.seconds("max_interval") < back_off.seconds("base_interval")) {
    document.refuse(back_off.place("max_interval"),
                    "max_backoff_interval must be greater or equal to base_backoff_interval");
  }
}

void check_file_access_log(const MessageView& log, CheckedDocument& document) {
  if (const std::string fault = fault_of_format(log.text("format")); !fault.empty()) {
    document.refuse(log.place("format"), fault);
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
    if (text.find('*') != std::string::npos && !(text.starts_with("*.") && text.find('*', 1) == std::string::npos)) {
      document.refuse(name.node().span, "partial wildcards are not supported in \"server_names\"");
    }
  }
}

void check_chains(const MessageView& listener, CheckedDocument& document) {
  const auto chains = listener.items("filter_chains");
  const MessageView socket = listener.message("address").message("socket_address");
  if (socket.is("protocol", "UDP", 1)) {
    if (socket.exists() && !chains.empty() && !listener.message("udp_listener_config").has("quic_options")) {
      document.refuse(chains.front().node().span, "filter chain(s) specified for connection-less UDP listener.");
    }
    return;
  }
  if (chains.empty() && !listener.has("default_filter_chain")) {
    document.refuse(listener.node().span, "no filter chains specified");
  }
  bool has_any = false;
  for (const MessageView& chain : chains) {
    const MessageView match = chain.message("filter_chain_match");
    const bool takes_any = !match.exists() || match.node().members.empty();
    if (takes_any && has_any && !listener.has("filter_chain_matcher")) {
      document.refuse(chain.node().span,
                      "filter chain has the same matching rules defined as another. duplicate matcher is: {}");
    }
    has_any = has_any || takes_any;
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
  const MessageView socket = address.message("socket_address");
  check_chains(listener, document);
  if (socket.exists() && !is_ip(socket.text("address"))) {
    document.refuse(socket.place("address"), "malformed IP address: " + socket.text("address"));
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
      const std::string text =
          socket.text("address") + ":" + std::to_string(static_cast<std::uint64_t>(socket.number("port_value")));
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
      {"envoy.config.listener.v3.FilterChain", check_network_filters},
      {"envoy.config.listener.v3.FilterChainMatch", check_server_names},
      {"envoy.config.listener.v3.Listener", check_listener},
      {"envoy.extensions.access_loggers.file.v3.FileAccessLog", check_file_access_log},
  });
  return messages;
}

}  // namespace spillway::api
