// The hash of a request, by which ring hash and maglev choose its host (RouteAction.HashPolicy).
//
//   const std::vector<HashPolicy> policies = {{HeaderHash{"x-user"}}, {ConnectionPropertiesHash{}}};
//   hash_of(policies, request).hash;      // none: no policy found anything, and the balancer draws a hash
//
// Policies act in order. Each hash found is combined with the previous result (rotated left by one, then xor). After a
// `terminal` policy, later policies are skipped if there is a hash, whichever policy it came from.
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

namespace spillway::envoy::routes {

struct Request;  // request.hpp

// Hashes all values of a header: rewritten, sorted, then chained. A header without a value hashes "".
struct HeaderHash {
  std::string header_name;
  std::optional<RegexRewrite> regex_rewrite = std::nullopt;
  friend bool operator==(const HeaderHash&, const HeaderHash&) = default;
};

// Hashes a cookie's value. With a ttl, an absent or empty cookie is generated and sent to the client.
struct CookieHash {
  std::string name;
  std::optional<std::int64_t> ttl_seconds = std::nullopt;  // 0 means a session cookie
  std::string path = {};
  std::vector<std::pair<std::string, std::string>> attributes = {};
  friend bool operator==(const CookieHash&, const CookieHash&) = default;
};

// Hashes the client's IP address without its port. With `source_ip` false there is no hash.
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

// Generates the value of an absent cookie; nullopt if that is impossible.
using AddCookie = std::function<std::optional<std::string>(const CookieHash&)>;

// Generates a value as Envoy does: 16 hexadecimal digits of the hash of both addresses of the connection.
[[nodiscard]] std::optional<std::string> generated_cookie(const Request& request);

// Returns the Set-Cookie header for a generated cookie.
[[nodiscard]] std::string set_cookie(const CookieHash& cookie, const std::string& value);

struct RequestHash {
  // nullopt if no policy found a value, or if a policy hashes something unknown: the generated request id, or an
  // unknown address. Such a hash is as arbitrary as the one that the balancer then draws.
  std::optional<std::uint64_t> hash = std::nullopt;
  std::vector<std::string> set_cookies = {};  // headers added to the response
};

// Computes the hash. Linear in policies and headers; allocates.
[[nodiscard]] RequestHash hash_of(std::span<const HashPolicy> policies, const Request& request);
[[nodiscard]] RequestHash hash_of(std::span<const HashPolicy> policies, const Request& request,
                                  const AddCookie& add_cookie);

// Returns the former hash rotated left by one, xor the next; only the next if there is no former hash.
[[nodiscard]] std::uint64_t combine_hashes(std::optional<std::uint64_t> former, std::uint64_t next) noexcept;

}  // namespace spillway::envoy::routes
