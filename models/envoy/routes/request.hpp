// What routes, hash policies and sessions read of a request.
//
//   routes::Request request;
//   request.headers = {{":path", "/cart?user=7"}, {"x-user", "7"}};
//   request.remote_address = "10.0.0.1:40000";
//
// Header names are compared without regard to case; a name may repeat. Pseudo headers stand among the others; `host` is
// another name of :authority. :scheme, x-forwarded-proto and x-request-id are there in any case: Envoy's connection
// manager adds them to requests that bring none.
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
  std::optional<std::string> remote_address = std::nullopt;  // "ip:port", "[v6]:port" or something that is no IP
  std::optional<std::string> local_address = std::nullopt;
  bool remote_address_unknown = false;  // there is one, and nobody told which: what is hashed of it may be anything
  std::map<std::string, std::uint64_t, std::less<>> filter_state = {};  // the hash that each object gives itself
  config::Struct dynamic_metadata = {};                                 // of the namespace "envoy.lb"
};

[[nodiscard]] bool same_header_name(std::string_view left, std::string_view right) noexcept;

// The first value of a header; null: the request has none. Linear.
[[nodiscard]] const std::string* first_value(const Request& request, std::string_view header) noexcept;

// Whether the header is the request id that Envoy makes up: another one for each request.
[[nodiscard]] bool is_generated_id(const Request& request, std::string_view header) noexcept;

// All values of a header in order.
[[nodiscard]] std::vector<std::string> all_values(const Request& request, std::string_view header);

// The value of the first cookie of exactly that name, without quotes around it; none: there is no such cookie.
[[nodiscard]] std::optional<std::string> cookie_value(const Request& request, std::string_view name);

// The first value of a query parameter as it stands in :path, not decoded; "" if it has no "=".
[[nodiscard]] std::optional<std::string> query_parameter(const Request& request, std::string_view name);

}  // namespace spillway::envoy::routes
