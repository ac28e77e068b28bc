// hash.*, hash_policy*, hashlb.key, hashlb.priority; the tables of hash policies are in hash_tables.cpp.
#include <stdexcept>
#include <string>
#include <vector>

#include "models/envoy/hash_balancer.hpp"
#include "models/envoy/policies/hash_table_input.hpp"
#include "models/envoy/routes/hash_policy.hpp"
#include "models/numeric/hash.hpp"
#include "tests/conformance/case_hosts.hpp"

namespace spillway::conformance {

namespace {

namespace routes = envoy::routes;

void replay_xxh64(const json& input, Check& check) {
  check.equal_whole(numeric::xxhash64(input.at("data").get<std::string>(), input.at("seed").get<std::uint64_t>()));
}

void replay_xxh64_chain(const json& input, Check& check) {
  const auto values = input.at("values").get<std::vector<std::string>>();
  check.equal_whole(numeric::xxhash64_chain(values, input.at("seed").get<std::uint64_t>()));
}

void replay_murmur2(const json& input, Check& check) {
  const json& given = input.at("seed");  // a number, or "0x..."
  const std::uint64_t seed =
      given.is_string() ? std::stoull(given.get<std::string>(), nullptr, 0) : given.get<std::uint64_t>();
  check.equal_whole(numeric::murmur2_64(input.at("data").get<std::string>(), seed));
}

std::optional<std::string> optional_text(const json& object, const char* field) {
  return object.contains(field) && !object.at(field).is_null() ? std::optional(object.at(field).get<std::string>())
                                                               : std::nullopt;
}

routes::Request read_request(const json& object) {
  routes::Request request;
  for (const auto& [field, value] : object.items()) {
    if (field == "headers") {
      request.headers = read_headers(value);
    } else if (field == "filter_state") {
      for (const auto& [name, hash] : value.items()) {
        request.filter_state[name] = hash.get<std::uint64_t>();
      }
    } else if (field != "path" && field != "remote_address" && field != "local_address" &&
               field != "generated_cookie") {
      throw std::invalid_argument("unknown field of a request: " + field);
    }
  }
  if (const auto path = optional_text(object, "path")) {
    request.headers.emplace_back(":path", *path);
  }
  request.remote_address = optional_text(object, "remote_address");
  request.local_address = optional_text(object, "local_address");
  return request;
}

// A policy in the short form of the cases: {"header": "x"}, {"cookie": "c", "ttl_s": 60}, {"source_ip": true}, ...
routes::HashPolicy read_route_hash_policy(const json& object) {
  routes::HashPolicy policy{routes::ConnectionPropertiesHash{}, object.value("terminal", false)};
  if (object.contains("header")) {
    routes::HeaderHash header{object.at("header").get<std::string>()};
    if (object.contains("regex_rewrite")) {
      const json& rewrite = object.at("regex_rewrite");
      header.regex_rewrite.emplace(rewrite.at("regex").get<std::string>(),
                                   rewrite.at("substitution").get<std::string>());
    }
    policy.policy_specifier = header;
  } else if (object.contains("cookie")) {
    routes::CookieHash cookie{object.at("cookie").get<std::string>()};
    if (object.contains("ttl_s")) {
      cookie.ttl_seconds = object.at("ttl_s").get<std::int64_t>();
    }
    policy.policy_specifier = cookie;
  } else if (object.contains("source_ip")) {
    policy.policy_specifier = routes::ConnectionPropertiesHash{object.at("source_ip").get<bool>()};
  } else if (object.contains("query_parameter")) {
    policy.policy_specifier = routes::QueryParameterHash{object.at("query_parameter").get<std::string>()};
  } else if (object.contains("filter_state")) {
    policy.policy_specifier = routes::FilterStateHash{object.at("filter_state").get<std::string>()};
  } else {
    throw std::invalid_argument("unknown hash policy " + object.dump());
  }
  return policy;
}

void replay_hash_policy(const json& input, Check& check) {
  std::vector<routes::HashPolicy> policies;
  for (const json& policy : input.at("policies")) {
    policies.push_back(read_route_hash_policy(policy));
  }
  const json& object = input.at("request");
  const routes::Request request = read_request(object);
  const auto given = optional_text(object, "generated_cookie");
  const auto result = given ? routes::hash_of(policies, request, [&](const routes::CookieHash&) { return given; })
                            : routes::hash_of(policies, request);
  check.equal_whole(result.hash ? json(*result.hash) : json(nullptr));
}

void replay_combine(const json& input, Check& check) {
  std::optional<std::uint64_t> hash;
  for (const json& next : input) {
    hash = routes::combine_hashes(hash, next.get<std::uint64_t>());
  }
  check.equal_whole(hash ? json(*hash) : json(nullptr));
}

void replay_generated_cookie(const json& input, Check& check) {
  const routes::Request request = read_request(input);
  const std::string value = routes::generated_cookie(request).value_or("");
  check.equal("cookie_value", value);
  const std::vector<routes::HashPolicy> policies = {{routes::CookieHash{"c", 0}}};
  check.equal("hash", routes::hash_of(policies, request).hash.value_or(0));
}

void replay_key(const json& input, Check& check) {
  config::LbEndpoint endpoint{.address = input.at("address").get<std::string>(),
                              .hostname = input.value("hostname", std::string())};
  if (input.contains("metadata_hash_key")) {
    endpoint.metadata.set("hash_key", read_value(input.at("metadata_hash_key")));
  }
  check.equal_whole(envoy::policies::hash_key(endpoint, input.at("use_hostname").get<bool>()));
}

void replay_hash_priority(const json& input, Check& check) {
  std::vector<envoy::PriorityCounts> counts;
  for (const json& priority : input.at("priorities")) {
    envoy::PriorityCounts entry;
    entry.hosts.all = priority.at("hosts").get<std::uint64_t>();
    entry.hosts.healthy = priority.at("healthy").get<std::uint64_t>();
    entry.hosts.degraded = priority.value("degraded", std::uint64_t{0});
    counts.push_back(entry);
  }
  const auto state = envoy::initial_priority_state(counts, 50, config::EnvoyProfile::current);
  check.equal_whole(envoy::hash_priority(input.at("hash").get<std::uint64_t>(), state.load).value);
}

}  // namespace

const Replays& hash_replays() {
  static const Replays replays = {
      {"hash.xxh64", replay_xxh64},
      {"hash.xxh64_chain", replay_xxh64_chain},
      {"hash.murmur2", replay_murmur2},
      {"hash_policy", replay_hash_policy},
      {"hash_policy.combine", replay_combine},
      {"hash_policy.generated_cookie", replay_generated_cookie},
      {"hashlb.key", replay_key},
      {"hashlb.priority", replay_hash_priority},
  };
  return replays;
}

}  // namespace spillway::conformance
