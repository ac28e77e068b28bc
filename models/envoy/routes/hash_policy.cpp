#include "models/envoy/routes/hash_policy.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "models/envoy/routes/address.hpp"
#include "models/envoy/routes/request.hpp"
#include "models/numeric/hash.hpp"

namespace spillway::envoy::routes {

namespace {

// Computes one policy's own hash, by its kind.
class Evaluation {
 public:
  Evaluation(const Request& request, const AddCookie& add_cookie, RequestHash& result)
      : request_(request), add_cookie_(add_cookie), result_(result) {}

  std::optional<std::uint64_t> operator()(const HeaderHash& header) const {
    std::vector<std::string> values = all_values(request_, header.header_name);
    if (values.empty()) {
      return std::nullopt;
    }
    if (header.regex_rewrite) {
      for (std::string& value : values) {
        value = header.regex_rewrite->apply(std::move(value));
      }
    }
    std::sort(values.begin(), values.end());
    return numeric::xxhash64_chain(values);
  }

  std::optional<std::uint64_t> operator()(const CookieHash& cookie) const {
    std::optional<std::string> value = cookie_value(request_, cookie.name);
    if ((!value || value->empty()) && cookie.ttl_seconds) {
      value = add_cookie_(cookie);
      if (value) {
        result_.set_cookies.push_back(set_cookie(cookie, *value));
      }
    }
    return value && !value->empty() ? std::optional(numeric::xxhash64(*value)) : std::nullopt;
  }

  std::optional<std::uint64_t> operator()(const ConnectionPropertiesHash& connection) const {
    if (!connection.source_ip || !request_.remote_address) {
      return std::nullopt;
    }
    const auto address = parse_ip_address(*request_.remote_address);
    return address ? std::optional(numeric::xxhash64(address->ip)) : std::nullopt;
  }

  std::optional<std::uint64_t> operator()(const QueryParameterHash& parameter) const {
    const auto value = query_parameter(request_, parameter.name);
    return value ? std::optional(numeric::xxhash64(*value)) : std::nullopt;
  }

  std::optional<std::uint64_t> operator()(const FilterStateHash& filter_state) const {
    const auto object = request_.filter_state.find(filter_state.key);
    return object == request_.filter_state.end() ? std::nullopt : std::optional(object->second);
  }

 private:
  const Request& request_;
  const AddCookie& add_cookie_;
  RequestHash& result_;
};

}  // namespace

std::optional<std::string> generated_cookie(const Request& request) {
  if (!request.remote_address || !request.local_address) {
    return std::nullopt;
  }
  constexpr std::array<char, 17> digits = {"0123456789abcdef"};
  std::uint64_t hash = numeric::xxhash64(*request.remote_address + *request.local_address);
  std::string value(16, '0');
  for (auto digit = value.rbegin(); digit != value.rend(); ++digit) {
    *digit = digits[hash % 16];
    hash /= 16;
  }
  return value;
}

std::string set_cookie(const CookieHash& cookie, const std::string& value) {
  std::string result = cookie.name + "=\"" + value + "\"";
  if (cookie.ttl_seconds.value_or(0) != 0) {
    result += "; Max-Age=" + std::to_string(*cookie.ttl_seconds);
  }
  if (!cookie.path.empty()) {
    result += "; Path=" + cookie.path;
  }
  for (const auto& [name, attribute] : cookie.attributes) {
    result += "; " + name + (attribute.empty() ? "" : "=" + attribute);
  }
  return result + "; HttpOnly";
}

std::uint64_t combine_hashes(std::optional<std::uint64_t> former, std::uint64_t next) noexcept {
  return (former ? std::rotl(*former, 1) : 0) ^ next;
}

RequestHash hash_of(std::span<const HashPolicy> policies, const Request& request) {
  return hash_of(policies, request, [&request](const CookieHash&) { return generated_cookie(request); });
}

RequestHash hash_of(std::span<const HashPolicy> policies, const Request& request, const AddCookie& add_cookie) {
  RequestHash result;
  bool random = false;
  for (const HashPolicy& policy : policies) {
    const auto* const header = std::get_if<HeaderHash>(&policy.policy_specifier);
    const auto* const connection = std::get_if<ConnectionPropertiesHash>(&policy.policy_specifier);
    random = random || (header != nullptr && is_generated_id(request, header->header_name)) ||
             (connection != nullptr && connection->source_ip && request.remote_address_unknown);
    if (const auto next = std::visit(Evaluation(request, add_cookie, result), policy.policy_specifier)) {
      result.hash = combine_hashes(result.hash, *next);
    }
    if (policy.terminal && result.hash) {
      break;
    }
  }
  result.hash = random ? std::nullopt : result.hash;
  return result;
}

}  // namespace spillway::envoy::routes
