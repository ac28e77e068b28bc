#include "models/envoy/proxy/manager_options.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "models/envoy/api/message_view.hpp"
#include "models/envoy/proxy/kinds.hpp"
#include "models/envoy/proxy/match_tree.hpp"
#include "models/envoy/proxy/request_headers.hpp"
#include "models/envoy/routes/address.hpp"

namespace spillway::proxy {
namespace {

using documents::Node;
using envoy::routes::Request;

bool is_port(std::string_view text) {
  return !text.empty() && text.size() <= 5 &&
         std::all_of(text.begin(), text.end(), [](char digit) { return digit >= '0' && digit <= '9'; });
}

// Returns the position of the colon before a port; npos if there is none.
std::size_t port_of(std::string_view host) {
  const std::size_t colon = host.rfind(':');
  if (colon == std::string_view::npos || !is_port(host.substr(colon + 1))) {
    return std::string_view::npos;
  }
  // An IPv6 address contains colons itself.
  const std::size_t bracket = host.rfind(']');
  const bool literal = host.find(':') != colon && bracket == std::string_view::npos;
  return literal || (bracket != std::string_view::npos && bracket > colon) ? std::string_view::npos : colon;
}

std::string stripped_host(const Node& manager, const std::string& listener_port, std::string host) {
  std::size_t colon = port_of(host);
  if (is_true(manager, "strip_trailing_host_dot")) {
    const std::size_t end = std::min(colon, host.size());
    if (end > 0 && host[end - 1] == '.') {
      host.erase(end - 1, 1);
      colon = port_of(host);
    }
  }
  if (colon != std::string::npos &&
      (is_true(manager, "strip_any_host_port") ||
       (is_true(manager, "strip_matching_host_port") && host.substr(colon + 1) == listener_port))) {
    host.erase(colon);
  }
  return host;
}

std::size_t trusted_hops(const Node& manager) {
  const Node* const hops = find_value(manager, "xff_num_trusted_hops");
  return hops == nullptr ? 0 : static_cast<std::size_t>(hops->magnitude);
}

// Returns the address in x-forwarded-for that precedes `later` others; nullopt if there is none.
std::optional<std::string> forwarded_address(const Request& request, std::size_t later) {
  const std::string* const header = first_value(request, "x-forwarded-for");
  if (header == nullptr) {
    return std::nullopt;
  }
  std::string_view rest = *header;
  for (; later > 0; --later) {
    const std::size_t comma = rest.rfind(',');
    if (comma == std::string_view::npos) {
      return std::nullopt;
    }
    rest = rest.substr(0, comma);
  }
  std::string_view own = rest.substr(rest.rfind(',') + 1);
  while (!own.empty() && std::isspace(static_cast<unsigned char>(own.front())) != 0) {
    own.remove_prefix(1);
  }
  while (!own.empty() && std::isspace(static_cast<unsigned char>(own.back())) != 0) {
    own.remove_suffix(1);
  }
  return proxy::address_of(std::string(own));
}

void find_client(const Node& manager, Request& request) {
  const std::size_t hops = trusted_hops(manager);
  std::optional<std::string> found;
  if (!is_true(manager, "use_remote_address")) {
    found = forwarded_address(request, hops);
  } else {
    found = hops > 0 ? forwarded_address(request, hops - 1) : std::nullopt;
    const auto own = is_true(manager, "skip_xff_append") ? std::nullopt : appended_address(request);
    if (own) {
      const std::string* const before = first_value(request, "x-forwarded-for");
      proxy::set_header(request, "x-forwarded-for", {before == nullptr ? *own : *before + "," + *own});
    }
  }
  if (found) {
    request.remote_address = found;
    request.remote_address_unknown = false;
  }
}

bool has_underscore(const std::pair<std::string, std::string>& header) {
  return header.first.find('_') != std::string::npos;
}

}  // namespace

std::optional<Answered> apply_manager_options(const Node& manager, const std::string& listener_port, Request& request) {
  const api::MessageView options = api::MessageView(manager).message("common_http_protocol_options");
  if (options.is("headers_with_underscores_action", "REJECT_REQUEST", 1)) {
    if (std::any_of(request.headers.begin(), request.headers.end(), has_underscore)) {
      return Answered{options.place("headers_with_underscores_action"),
                      "a header of it has an underscore in its name, which is answered with a 400"};
    }
  } else if (options.is("headers_with_underscores_action", "DROP_HEADER", 2)) {
    std::erase_if(request.headers, has_underscore);
  }
  for (auto& [name, value] : request.headers) {
    if (name == ":authority" || envoy::routes::same_header_name(name, "host")) {
      value = stripped_host(manager, listener_port, value);
    }
  }
  find_client(manager, request);
  if (const Node* const scheme = find_value(manager, "scheme_header_transformation")) {
    const std::string to = text_at(*scheme, "scheme_to_overwrite");
    for (const char* const header : {":scheme", "x-forwarded-proto"}) {
      if (!to.empty()) {
        set_header(request, header, {to});
      }
    }
  }
  return std::nullopt;
}

std::optional<std::string> appended_address(const Request& request) {
  const auto address = request.remote_address ? envoy::routes::parse_ip_address(*request.remote_address) : std::nullopt;
  const bool loopback = address && (address->ip.starts_with("127.") || address->ip == "::1");
  return address && !loopback ? std::optional(address->ip) : std::nullopt;
}

std::optional<bool> is_internal(const Node& manager, const Request& request) {
  const Node* const config = find_value(manager, "internal_address_config");
  if (config == nullptr) {
    return false;
  }
  const std::string* const forwarded = first_value(request, "x-forwarded-for");
  std::optional<std::string> address;
  if (is_true(manager, "use_remote_address")) {
    if (forwarded != nullptr) {
      return false;
    }
    const auto own = request.remote_address ? envoy::routes::parse_ip_address(*request.remote_address) : std::nullopt;
    if (!own) {
      return std::nullopt;
    }
    address = own->ip;
  } else if (forwarded != nullptr && forwarded->find(',') == std::string::npos && trusted_hops(manager) == 0) {
    const auto own = forwarded_address(request, 0);
    const auto parsed = own ? envoy::routes::parse_ip_address(*own) : std::nullopt;
    address = parsed ? std::optional(parsed->ip) : std::nullopt;
  }
  if (!address) {
    return false;
  }
  const Node* const ranges = find_value(*config, "cidr_ranges");
  if (ranges != nullptr && !ranges->items.empty()) {
    return std::any_of(ranges->items.begin(), ranges->items.end(), [&](const Node& range) {
      const Node* const bits = find_value(range, "prefix_len");
      return lies_within(*address, text_at(range, "address_prefix"),
                         bits == nullptr ? 0 : static_cast<std::uint64_t>(bits->magnitude));
    });
  }
  constexpr std::array usual = std::to_array<std::pair<const char*, std::uint64_t>>(
      {{"10.0.0.0", 8}, {"172.16.0.0", 12}, {"192.168.0.0", 16}, {"127.0.0.0", 8}, {"fd00::", 8}, {"::1", 128}});
  return std::any_of(usual.begin(), usual.end(),
                     [&](const auto& range) { return lies_within(*address, range.first, range.second); });
}

bool counts_as_https(const Node& manager, const Node* filter_chain, const Request& request) {
  if (const Node* const scheme = find_value(manager, "scheme_header_transformation")) {
    if (const std::string to = text_at(*scheme, "scheme_to_overwrite"); !to.empty()) {
      return to == "https";
    }
  }
  // A proxy sets x-forwarded-proto by its connection; a `:scheme` in the request does not count. Verified on Envoy
  // 1.40: `GET https://a.com/` over a plain connection is answered with a 301.
  const auto forwarded = all_values(request, "x-forwarded-proto");
  if (!forwarded.empty() && !is_true(manager, "use_remote_address")) {
    return forwarded.front() == "https";
  }
  const Node* const socket = filter_chain == nullptr ? nullptr : find_value(*filter_chain, "transport_socket");
  return socket != nullptr && text_at(*socket, "name").find("raw_buffer") == std::string::npos;
}

}  // namespace spillway::proxy
