// A request as seen by routes, hash policies and sessions.
//
//   routes::Request request;
//   request.headers = {{":path", "/cart?user=7"}, {"x-user", "7"}};
//   request.remote_address = "10.0.0.1:40000";
//
// Header names are compared case-insensitively; a name may repeat. Pseudo headers are stored with the others; `host` is
// an alias of :authority. :scheme, x-forwarded-proto and x-request-id always exist, because Envoy's connection manager
// adds them to requests without them.
// Source: Envoy's conn_manager_utility.cc and header_map_impl.cc.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/config/metadata.hpp"

namespace spillway::envoy::routes {

struct Request {
  std::vector<std::pair<std::string, std::string>> headers = {};
  std::optional<std::string> remote_address = std::nullopt;  // "ip:port", "[v6]:port" or another text
  std::optional<std::string> local_address = std::nullopt;
  bool remote_address_unknown = false;  // the address exists but is unknown: its hash is arbitrary
  std::map<std::string, std::uint64_t, std::less<>> filter_state = {};  // the hash that each object provides
  config::Struct dynamic_metadata = {};                                 // of the namespace "envoy.lb"
};

[[nodiscard]] bool same_header_name(std::string_view left, std::string_view right) noexcept;

// Returns the first value of a header; null if the request has none. Linear.
[[nodiscard]] const std::string* first_value(const Request& request, std::string_view header) noexcept;

// True if the header is the request id that Envoy generates, which differs for each request.
[[nodiscard]] bool is_generated_id(const Request& request, std::string_view header) noexcept;

// Returns all values of a header in order.
[[nodiscard]] std::vector<std::string> all_values(const Request& request, std::string_view header);

// Returns the value of the first cookie of exactly this name, without surrounding quotes; nullopt if there is none.
[[nodiscard]] std::optional<std::string> cookie_value(const Request& request, std::string_view name);

// Returns the first value of a query parameter as written in :path, not decoded; "" if it has no "=".
[[nodiscard]] std::optional<std::string> query_parameter(const Request& request, std::string_view name);

}  // namespace spillway::envoy::routes
