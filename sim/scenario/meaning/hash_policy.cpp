#include <chrono>

#include "sim/scenario/meaning/pick_policy.hpp"
#include "sim/scenario/meaning/refused.hpp"
#include "sim/scenario/problem.hpp"

namespace spillway::scenario::meaning {

namespace routes = envoy::routes;

std::optional<routes::RegexRewrite> read_regex_rewrite(const grammar::Field<written::RegexMatchAndSubstitute>& field,
                                                       Diagnostics& problems) {
  if (!field || !field->pattern || !field->pattern->regex) {
    return std::nullopt;
  }
  routes::RegexRewrite rewrite(*field->pattern->regex, field->substitution.value_or(""));
  const std::string wrong = rewrite.error();
  refuse(wrong.empty() ? std::nullopt : std::optional(wrong), {"this regular expression", nullptr, field.where},
         problems);
  return rewrite;
}

namespace {

routes::CookieHash cookie_of(const written::HashPolicy::Cookie& written) {
  routes::CookieHash cookie{written.name.value_or("")};
  if (written.ttl) {
    cookie.ttl_seconds = std::chrono::duration_cast<std::chrono::seconds>(*written.ttl).count();
  }
  cookie.path = written.path.value_or("");
  for (const auto& attribute : *written.attributes) {
    cookie.attributes.emplace_back(attribute->name.value_or(""), attribute->value.value_or(""));
  }
  return cookie;
}

}  // namespace

routes::HashPolicy read_hash_policy(const written::HashPolicy& written, Diagnostics& problems) {
  routes::HashPolicy policy{routes::ConnectionPropertiesHash{false}, written.terminal.value_or(false)};
  if (written.header) {
    policy.policy_specifier = routes::HeaderHash{written.header->header_name.value_or(""),
                                                 read_regex_rewrite(written.header->regex_rewrite, problems)};
  } else if (written.cookie) {
    policy.policy_specifier = cookie_of(*written.cookie);
  } else if (written.connection_properties) {
    policy.policy_specifier =
        routes::ConnectionPropertiesHash{written.connection_properties->source_ip.value_or(false)};
  } else if (written.query_parameter) {
    policy.policy_specifier = routes::QueryParameterHash{written.query_parameter->name.value_or("")};
  } else if (written.filter_state) {
    policy.policy_specifier = routes::FilterStateHash{written.filter_state->key.value_or("")};
  }
  return policy;
}

}  // namespace spillway::scenario::meaning
