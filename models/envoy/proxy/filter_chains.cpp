#include "models/envoy/proxy/filter_chains.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "models/documents/grammar/fields.hpp"
#include "models/envoy/proxy/kinds.hpp"

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
  const auto never = [](const Node&) { return std::size_t{0}; };
  return {by("destination_port", connection.destination_port.has_value(),
             [&connection](const Node& port) { return port_of(port) == *connection.destination_port ? 2U : 0U; }),
          by("prefix_ranges", connection.destination_ip.has_value(),
             [&connection](const Node& ranges) { return suits_address(ranges, *connection.destination_ip); }),
          by("server_names", connection.server_name.has_value(),
             [&connection](const Node& names) { return suits_name(names, *connection.server_name); }),
          by("transport_protocol", connection.transport_protocol.has_value(),
             [&connection](const Node& name) { return name.text == *connection.transport_protocol ? 2U : 0U; }),
          by("application_protocols", false, never),
          by("direct_source_prefix_ranges", false, never),
          by("source_type", false, never),
          by("source_prefix_ranges", false, never),
          by("source_ports", false, never)};
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
  std::transform(host.begin(), host.end(), host.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return host;
}

std::optional<std::uint64_t> port_in(const std::string& authority) {
  const std::size_t colon = authority.find_last_of(':');
  const std::string digits = colon == std::string::npos ? "" : authority.substr(colon + 1);
  const bool port = !digits.empty() && digits.size() <= 5 &&
                    std::all_of(digits.begin(), digits.end(), [](char digit) { return digit >= '0' && digit <= '9'; });
  return port ? std::optional<std::uint64_t>(std::stoull(digits)) : std::nullopt;
}

}  // namespace

Connection connection_of(const envoy::routes::Request& request, const Node& listener) {
  Connection connection;
  const std::string host = host_of(request);
  const bool is_address = lies_within(host, "0.0.0.0", 0) || lies_within(host, "::", 0);
  if (is_address) {
    connection.destination_ip = host;
  } else if (!host.empty()) {
    connection.server_name = host;
  }
  const auto given = std::find_if(request.headers.begin(), request.headers.end(),
                                  [](const auto& header) { return header.first == ":scheme"; });
  if (given != request.headers.end()) {
    connection.transport_protocol = given->second == "https" ? "tls" : "raw_buffer";
  }
  // A listener that accepts connections for others has their port, which the host name may contain. Any other listener
  // has its own port.
  const Node* const takes = find_value(listener, "use_original_dst");
  const std::string* const authority = first_value(request, ":authority");
  const Node* const filters = find_value(listener, "listener_filters");
  const bool others =
      (takes != nullptr && takes->boolean) ||
      (filters != nullptr && std::any_of(filters->items.begin(), filters->items.end(), [](const Node& filter) {
         const std::string name = text_at(filter, "name");
         return name.ends_with("original_dst") || name.ends_with("proxy_protocol");
       }));
  const Node* const address = find_value(listener, "address");
  const Node* const socket = address == nullptr ? nullptr : find_value(*address, "socket_address");
  const Node* const own = socket == nullptr ? nullptr : find_value(*socket, "port_value");
  if (others) {
    connection.destination_port = authority == nullptr ? std::nullopt : port_in(*authority);
  } else if (own != nullptr && port_of(*own) > 0) {
    connection.destination_port = port_of(*own);
  }
  return connection;
}

Chains chains_for(const Node& listener, const envoy::routes::Request& request) {
  Chains chains;
  if (const Node* const list = find_value(listener, "filter_chains")) {
    for (const Node& chain : list->items) {
      chains.push_back(&chain);
    }
  }
  const Node* const otherwise = find_value(listener, "default_filter_chain");
  const Connection connection = connection_of(request, listener);
  Chains found;
  bool none = chains.empty();
  if (const Node* const matcher = find_value(listener, "filter_chain_matcher")) {
    const auto chain = matched_chain(*matcher, chains, request, connection);
    found = !chain ? chains : *chain == nullptr ? Chains{} : Chains{*chain};
    none = !chain || *chain == nullptr;
  } else {
    choose(chains, criteria_of(connection), 0, found, none);
  }
  if (none && otherwise != nullptr) {
    found.push_back(otherwise);
  }
  if (found.empty()) {
    return chains;
  }
  // Restores document order.
  Chains ordered;
  chains.push_back(otherwise);
  std::copy_if(chains.begin(), chains.end(), std::back_inserter(ordered), [&](const Node* chain) {
    return chain != nullptr && std::find(found.begin(), found.end(), chain) != found.end();
  });
  return ordered;
}

}  // namespace spillway::proxy
