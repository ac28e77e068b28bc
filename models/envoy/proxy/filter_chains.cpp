#include "models/envoy/proxy/filter_chains.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "models/config/lower_ascii.hpp"
#include "models/documents/grammar/fields.hpp"
#include "models/envoy/proxy/kinds.hpp"
#include "models/envoy/routes/address.hpp"

namespace spillway::proxy {
namespace {

using documents::Node;
using Chains = std::vector<const Node*>;

const Node* match_field(const Node& chain, std::string_view key) {
  const Node* const match = find_value(chain, "filter_chain_match");
  return match == nullptr ? nullptr : find_value(*match, key);
}

// Rates how well a chain meets one criterion: 0 not at all, 1 without a condition, more for closer matches. Returns
// nullopt if the connection's property is unknown.
using Suits = std::function<std::optional<std::size_t>(const Node& chain)>;

struct Criterion {
  const char* field;
  Suits suits;
};

// Returns the number of a port, which proto's JSON may write as a string.
std::uint64_t port_of(const Node& node) {
  if (node.kind != documents::Kind::string) {
    return node.magnitude;
  }
  std::uint64_t port = 0;
  for (const char digit : node.text) {
    port = digit >= '0' && digit <= '9' && port < 100'000 ? 10 * port + static_cast<std::uint64_t>(digit - '0') : 0;
  }
  return port;
}

std::size_t suits_address(const Node& ranges, const std::string& address) {
  std::size_t best = 0;
  for (const Node& range : ranges.items) {
    const Node* const length = find_value(range, "prefix_len");
    const std::uint64_t bits = length == nullptr ? 0 : length->magnitude;
    if (lies_within(address, text_at(range, "address_prefix"), bits)) {
      best = std::max<std::size_t>(best, 2 + bits);
    }
  }
  return best;
}

std::size_t suits_name(const Node& names, const std::string& name) {
  constexpr std::size_t the_name = 1'000;
  std::size_t best = 0;
  for (const Node& one : names.items) {
    if (one.text == name) {
      best = the_name;
    } else if (one.text.starts_with("*.") && name.ends_with(std::string_view(one.text).substr(1))) {
      best = std::max(best, 1 + one.text.size());
    }
  }
  return best;
}

// Rates a FilterChainMatch.ConnectionSourceType.
std::size_t suits_type(const Node& type, bool is_local) {
  const std::string word = config::to_lower_ascii(type.text);
  if (type.kind == documents::Kind::string ? word == "any" : type.magnitude == 0) {
    return 1;
  }
  const bool asks_local = type.kind == documents::Kind::string ? word.starts_with("same") : type.magnitude == 1;
  return asks_local == is_local ? 2 : 0;
}

std::vector<Criterion> criteria_of(const Connection& connection) {
  const auto by = [](const char* field, bool reported, std::function<std::size_t(const Node&)> well) {
    return Criterion{field, [field, reported, well = std::move(well)](const Node& chain) -> std::optional<std::size_t> {
                       const Node* const asked = match_field(chain, field);
                       const bool asks =
                           asked != nullptr && (asked->kind != documents::Kind::array || !asked->items.empty());
                       if (!asks) {
                         return 1;
                       }
                       return reported ? std::optional(well(*asked)) : std::nullopt;
                     }};
  };
  return {by("destination_port", connection.destination_port.has_value(),
             [&connection](const Node& port) { return port_of(port) == *connection.destination_port ? 2U : 0U; }),
          by("prefix_ranges", connection.destination_ip.has_value(),
             [&connection](const Node& ranges) { return suits_address(ranges, *connection.destination_ip); }),
          by("server_names", connection.server_name.has_value(),
             [&connection](const Node& names) { return suits_name(names, *connection.server_name); }),
          by("transport_protocol", connection.transport_protocol.has_value(),
             [&connection](const Node& name) { return name.text == *connection.transport_protocol ? 2U : 0U; }),
          by("application_protocols", connection.names_no_application, [](const Node&) { return std::size_t{0}; }),
          by("direct_source_prefix_ranges", connection.direct_source_ip.has_value(),
             [&connection](const Node& ranges) { return suits_address(ranges, *connection.direct_source_ip); }),
          by("source_type", connection.is_local.has_value(),
             [&connection](const Node& type) { return suits_type(type, *connection.is_local); }),
          by("source_prefix_ranges", connection.source_ip.has_value(),
             [&connection](const Node& ranges) { return suits_address(ranges, *connection.source_ip); }),
          by("source_ports", connection.source_port.has_value(), [&connection](const Node& ports) {
            return std::any_of(ports.items.begin(), ports.items.end(),
                               [&](const Node& port) { return port_of(port) == *connection.source_port; })
                       ? 2U
                       : 0U;
          })};
}

// Returns a chain's condition as a text that is equal for equal conditions.
std::string wish_of(const Node& chain, const char* field) {
  const Node* const asked = match_field(chain, field);
  std::string text;
  for (std::size_t i = 0; asked != nullptr && i < asked->items.size(); ++i) {
    const Node& item = asked->items[i];
    text += "|" + item.text + std::to_string(item.magnitude) + text_at(item, "address_prefix") + "/" +
            text_at(item, "prefix_len");
  }
  return asked == nullptr ? "" : text + asked->text + std::to_string(asked->magnitude);
}

// Adds the chains that may remain to `found`. Sets `none` if it is possible that none remains.
void choose(const Chains& chains, const std::vector<Criterion>& criteria, std::size_t position, Chains& found,
            bool& none) {
  if (chains.empty()) {
    none = true;
    return;
  }
  if (position == criteria.size()) {
    found.insert(found.end(), chains.begin(), chains.end());
    return;
  }
  const Criterion& criterion = criteria[position];
  bool reported = true;
  std::size_t best = 0;
  std::map<std::string, Chains> by_wish;
  for (const Node* const chain : chains) {
    const auto well = criterion.suits(*chain);
    reported = reported && well.has_value();
    best = std::max(best, well.value_or(0));
    by_wish[wish_of(*chain, criterion.field)].push_back(chain);
  }
  if (reported) {
    Chains left;
    std::copy_if(chains.begin(), chains.end(), std::back_inserter(left),
                 [&](const Node* chain) { return best > 0 && criterion.suits(*chain) == best; });
    choose(left, criteria, position + 1, found, none);
    return;
  }
  none = none || !by_wish.contains("");
  for (const auto& [wish, of] : by_wish) {
    choose(of, criteria, position + 1, found, none);
  }
}

// Returns the chain that a filter_chain_matcher names; nullopt if it uses inputs that are unknown.
std::optional<const Node*> matched_chain(const Node& matcher, const Chains& chains,
                                         const envoy::routes::Request& request, const Connection& connection) {
  Diagnostics undecided;
  const MatchResult result = evaluate(matcher, {request, connection}, undecided);
  if (result.unknown) {
    return std::nullopt;
  }
  const std::string name = result.action == nullptr ? "" : text_at(*result.action, "value");
  const auto found =
      std::find_if(chains.begin(), chains.end(), [&](const Node* chain) { return text_at(*chain, "name") == name; });
  return found == chains.end() || name.empty() ? nullptr : *found;
}

std::string host_of(const envoy::routes::Request& request) {
  const std::string* const authority = first_value(request, ":authority");
  std::string host = authority == nullptr ? "" : *authority;
  if (host.starts_with('[')) {
    return host.substr(1, host.find(']') == std::string::npos ? 0 : host.find(']') - 1);
  }
  host.resize(std::min(host.find(':'), host.size()));
  return config::to_lower_ascii(std::move(host));
}

bool is_ip(const std::string& host) {
  return lies_within(host, "0.0.0.0", 0) || lies_within(host, "::", 0);
}

std::optional<std::uint64_t> port_in(const std::string& authority) {
  const std::size_t colon = authority.find_last_of(':');
  const std::string digits = colon == std::string::npos ? "" : authority.substr(colon + 1);
  const bool port = !digits.empty() && digits.size() <= 5 &&
                    std::all_of(digits.begin(), digits.end(), [](char digit) { return digit >= '0' && digit <= '9'; });
  return port ? std::optional<std::uint64_t>(std::stoull(digits)) : std::nullopt;
}

// The findings of a listener's filters about a connection, before it chooses a chain.
struct Inspection {
  bool tls = false;              // whether it is TLS, and for which server name
  bool http = false;             // the version of HTTP, as an application protocol
  bool restores_source = false;  // the source address is that of a client behind a proxy
  bool restores_destination = false;
  bool other = false;  // a filter that may set anything, or acts on some connections only
};

Inspection inspection_of(const Node& listener) {
  Inspection found;
  for (const Node* const filter : items_at(listener, "listener_filters")) {
    const Node* const config = find_value(*filter, "typed_config");
    const std::string kind = config == nullptr ? text_at(*filter, "name") : type_of(*config);
    const auto is = [&](std::string_view part) { return kind.find(part) != std::string::npos; };
    const bool always_runs = find_value(*filter, "filter_disabled") == nullptr;
    if (always_runs && is("tls_inspector")) {
      found.tls = true;
    } else if (always_runs && is("http_inspector")) {
      found.http = true;
    } else if (always_runs && is("proxy_protocol")) {
      found.restores_source = true;
      found.restores_destination = true;
    } else if (always_runs && is("original_dst")) {
      found.restores_destination = true;
    } else if (!always_runs || (!is("original_src") && !is("local_ratelimit"))) {
      found.other = true;
    }
  }
  return found;
}

void add_destination(const envoy::routes::Request& request, const Node& listener, const Inspection& inspection,
                     Connection& connection) {
  if (const std::string host = host_of(request); is_ip(host)) {
    connection.destination_ip = host;
  }
  // A listener that accepts connections for others has their port, which the host name may contain. Any other listener
  // has its own port.
  const std::string* const authority = first_value(request, ":authority");
  const Node* const address = find_value(listener, "address");
  const Node* const socket = address == nullptr ? nullptr : find_value(*address, "socket_address");
  const Node* const own = socket == nullptr ? nullptr : find_value(*socket, "port_value");
  if (is_true(listener, "use_original_dst") || inspection.restores_destination) {
    connection.destination_port = authority == nullptr ? std::nullopt : port_in(*authority);
  } else if (own != nullptr && port_of(*own) > 0) {
    connection.destination_port = port_of(*own);
  }
}

void add_source(const envoy::routes::Request& request, const Node& listener, const Inspection& inspection,
                Connection& connection) {
  const auto source = request.remote_address ? envoy::routes::parse_ip_address(*request.remote_address) : std::nullopt;
  if (!source) {
    return;
  }
  connection.source_ip = source->ip;
  if (!inspection.restores_source) {
    connection.direct_source_ip = source->ip;
  }
  if (source->port > 0) {
    connection.source_port = source->port;
  }
  const Node* const address = find_value(listener, "address");
  const Node* const socket = address == nullptr ? nullptr : find_value(*address, "socket_address");
  const std::string own = socket == nullptr ? "" : text_at(*socket, "address");
  if (lies_within(source->ip, "127.0.0.0", 8) || source->ip == "::1" || source->ip == own) {
    connection.is_local = true;
  } else if (is_ip(own) && own != "0.0.0.0" && own != "::" && !inspection.restores_destination) {
    connection.is_local = false;
  }
}

// True if a chain can serve such a connection: a chain without TLS reads no requests that come over TLS, but may
// forward the connection.
bool can_serve(const Node& chain, const Connection& connection) {
  const std::vector<const Node*> filters = items_at(chain, "filters");
  const bool reads_requests = std::any_of(filters.begin(), filters.end(), [](const Node* filter) {
    const Node* const config = find_value(*filter, "typed_config");
    return config != nullptr && type_of(*config).ends_with(".HttpConnectionManager");
  });
  return connection.transport_protocol == "raw_buffer" ? !has_tls(chain) : has_tls(chain) || !reads_requests;
}

// Adds the chains that may take the connection.
void add_chains(const Node& listener, const Chains& chains, const envoy::routes::Request& request,
                const Connection& connection, Chains& found) {
  const Node* const otherwise = find_value(listener, "default_filter_chain");
  bool none = chains.empty();
  if (const Node* const matcher = find_value(listener, "filter_chain_matcher")) {
    const auto chain = matched_chain(*matcher, chains, request, connection);
    const Chains taken = !chain ? chains : *chain == nullptr ? Chains{} : Chains{*chain};
    found.insert(found.end(), taken.begin(), taken.end());
    none = !chain || *chain == nullptr;
  } else {
    choose(chains, criteria_of(connection), 0, found, none);
  }
  if (none && otherwise != nullptr) {
    found.push_back(otherwise);
  }
}

}  // namespace

bool has_tls(const Node& chain) {
  const Node* socket = find_value(chain, "transport_socket");
  while (socket != nullptr) {
    const Node* const config = find_value(*socket, "typed_config");
    const std::string type = config == nullptr ? "" : type_of(*config);
    if (type.ends_with(".DownstreamTlsContext") || type.ends_with(".QuicDownstreamTransport") ||
        (type.empty() && text_at(*socket, "name").ends_with("tls"))) {
      return true;
    }
    socket = config == nullptr ? nullptr : find_value(*config, "transport_socket");  // of one that only listens
  }
  return find_value(chain, "tls_context") != nullptr;
}

std::vector<Connection> connections_of(const envoy::routes::Request& request, const Node& listener) {
  const Inspection inspection = inspection_of(listener);
  Connection secure;
  add_destination(request, listener, inspection, secure);
  add_source(request, listener, inspection, secure);
  const std::string host = host_of(request);
  if (!host.empty() && !is_ip(host)) {
    secure.server_name = host;
  }
  Connection plain = secure;
  plain.transport_protocol = "raw_buffer";
  plain.server_name = "";
  plain.names_no_application = !inspection.http;
  const bool over_udp = find_value(listener, "udp_listener_config") != nullptr;
  secure.transport_protocol = over_udp ? "quic" : "tls";
  const auto scheme = std::find_if(request.headers.begin(), request.headers.end(),
                                   [](const auto& header) { return header.first == ":scheme"; });
  const bool has_scheme = scheme != request.headers.end();
  if (over_udp || (has_scheme && scheme->second == "https" && (inspection.tls || inspection.other))) {
    return {secure};
  }
  if (has_scheme && inspection.other) {
    plain.names_no_application = false;
    return {plain};
  }
  if (!has_scheme && (inspection.other || host.empty())) {
    secure.transport_protocol = std::nullopt;
    return {secure};
  }
  return has_scheme || !inspection.tls ? std::vector{plain} : std::vector{plain, secure};
}

Chains chains_for(const Node& listener, const envoy::routes::Request& request) {
  Chains chains = items_at(listener, "filter_chains");
  const std::vector<Connection> connections = connections_of(request, listener);
  Chains found;
  Chains serving;
  for (const Connection& connection : connections) {
    Chains own;
    add_chains(listener, chains, request, connection, own);
    found.insert(found.end(), own.begin(), own.end());
    std::copy_if(own.begin(), own.end(), std::back_inserter(serving),
                 [&](const Node* chain) { return connections.size() == 1 || can_serve(*chain, connection); });
  }
  found = serving.empty() ? found : serving;
  const bool may_have_name =
      std::any_of(connections.begin(), connections.end(), [](const Connection& one) { return one.server_name != ""; });
  if (found.empty() && may_have_name) {
    return chains;
  }
  // Restores document order.
  Chains ordered;
  chains.push_back(find_value(listener, "default_filter_chain"));
  std::copy_if(chains.begin(), chains.end(), std::back_inserter(ordered), [&](const Node* chain) {
    return chain != nullptr && std::find(found.begin(), found.end(), chain) != found.end();
  });
  return ordered;
}

}  // namespace spillway::proxy
