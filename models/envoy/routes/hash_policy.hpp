// The hash of a request, by which ring hash and maglev choose its host (RouteAction.HashPolicy).
//
//   const std::vector<HashPolicy> policies = {{HeaderHash{"x-user"}}, {ConnectionPropertiesHash{}}};
//   hash_of(policies, request).hash;      // none: no policy found anything, and the balancer draws a hash
//
// Policies act in order; each hash found is mixed into the former (rotated left by one, then xor). After a `terminal`
// policy the rest is not looked at once there is a hash, whichever policy it came from.
//
// Source: docs/behaviour/envoy-host-pick.md 11; Envoy's common/http/hash_policy.cc.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "models/envoy/routes/regex_rewrite.hpp"
#include "models/envoy/routes/request.hpp"

namespace spillway::envoy::routes {

// All values of a header, rewritten, sorted, and chained. A header without a value hashes "".
struct HeaderHash {
  std::string header_name;
  std::optional<RegexRewrite> regex_rewrite = std::nullopt;
  friend bool operator==(const HeaderHash&, const HeaderHash&) = default;
};

// A cookie's value. With a ttl, one that is absent or empty is made up and given to the client.
struct CookieHash {
  std::string name;
  std::optional<std::int64_t> ttl_seconds = std::nullopt;  // 0: a cookie of the session
  std::string path = {};
  std::vector<std::pair<std::string, std::string>> attributes = {};
  friend bool operator==(const CookieHash&, const CookieHash&) = default;
};

// The client's IP address without its port; `source_ip` false finds nothing.
struct ConnectionPropertiesHash {
  bool source_ip = true;
  friend bool operator==(const ConnectionPropertiesHash&, const ConnectionPropertiesHash&) = default;
};

struct QueryParameterHash {
  std::string name;
  friend bool operator==(const QueryParameterHash&, const QueryParameterHash&) = default;
};

struct FilterStateHash {
  std::string key;
  friend bool operator==(const FilterStateHash&, const FilterStateHash&) = default;
};

struct HashPolicy {
  std::variant<HeaderHash, CookieHash, ConnectionPropertiesHash, QueryParameterHash, FilterStateHash> policy_specifier;
  bool terminal = false;
  friend bool operator==(const HashPolicy&, const HashPolicy&) = default;
};

// Makes up the value of a cookie that is not there; none: it cannot.
using AddCookie = std::function<std::optional<std::string>(const CookieHash&)>;

// Envoy's own: 16 hexadecimal digits of the hash of both addresses of the connection.
[[nodiscard]] std::optional<std::string> generated_cookie(const Request& request);

// The Set-Cookie header that goes with a cookie made up.
[[nodiscard]] std::string set_cookie(const CookieHash& cookie, const std::string& value);

struct RequestHash {
  // None too where a policy hashes what is not known of the request, and may be anything as a hash that the balancer
  // draws: the request id that Envoy makes up, or an address that nobody told.
  std::optional<std::uint64_t> hash = std::nullopt;
  std::vector<std::string> set_cookies = {};  // headers that the answer gets
};

// Linear in policies and headers; allocates.
[[nodiscard]] RequestHash hash_of(std::span<const HashPolicy> policies, const Request& request);
[[nodiscard]] RequestHash hash_of(std::span<const HashPolicy> policies, const Request& request,
                                  const AddCookie& add_cookie);

// The former hash rotated left by one, xor the next; the next alone if there is no former one.
[[nodiscard]] std::uint64_t combine_hashes(std::optional<std::uint64_t> former, std::uint64_t next) noexcept;

}  // namespace spillway::envoy::routes
