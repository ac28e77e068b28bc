#include "tests/conformance/policy_configs.hpp"

#include <stdexcept>

#include "tests/conformance/case_hosts.hpp"

namespace spillway::conformance {

namespace {

namespace policies = envoy::policies;
namespace routes = envoy::routes;
namespace subset = envoy::policies::subset;

[[noreturn]] void refuse_policy(const std::string& what, const json& value) {
  throw std::invalid_argument("cannot read " + what + ": " + value.dump());
}

template <class Enum>
Enum read_enum(const json& value, const std::map<std::string, Enum>& names) {
  const auto found = names.find(value.get<std::string>());
  if (found == names.end()) {
    refuse_policy("value", value);
  }
  return found->second;
}

// "60s" or "0.5s" in whole seconds.
std::int64_t read_seconds(const json& value) {
  return static_cast<std::int64_t>(std::stod(value.get<std::string>()));
}

// Fields that any hash policy may have beside its own, in the cases' short form or in Envoy's.
bool read_common_hash_field(const std::string& key, const json& value, policies::ConsistentHashingLbConfig& config) {
  if (key == "consistent_hashing_lb_config") {
    config = read_consistent_hashing(value);
  } else if (key == "use_hostname_for_hashing") {
    config.use_hostname_for_hashing = value.get<bool>();
  } else if (key == "hash_balance_factor") {
    config.hash_balance_factor = value.get<std::uint32_t>();
  } else {
    return key == "@type" || key == "locality_weighted" || key == "locality_weighted_lb_config";
  }
  return true;
}

subset::Selector read_selector(const json& object) {
  using Fallback = subset::SelectorFallbackPolicy;
  subset::Selector selector;
  for (const auto& [key, value] : object.items()) {
    if (key == "keys") {
      selector.keys = value.get<std::vector<std::string>>();
    } else if (key == "single_host_per_subset") {
      selector.single_host_per_subset = value.get<bool>();
    } else if (key == "fallback_policy") {
      selector.fallback_policy = read_enum<Fallback>(value, {{"NOT_DEFINED", Fallback::not_defined},
                                                             {"NO_FALLBACK", Fallback::no_fallback},
                                                             {"ANY_ENDPOINT", Fallback::any_endpoint},
                                                             {"DEFAULT_SUBSET", Fallback::default_subset},
                                                             {"KEYS_SUBSET", Fallback::keys_subset}});
    } else if (key == "fallback_keys_subset") {
      selector.fallback_keys_subset = value.get<std::vector<std::string>>();
    } else {
      refuse_policy("subset_selectors." + key, value);
    }
  }
  return selector;
}

routes::HeaderHash read_header_hash(const json& object) {
  routes::HeaderHash header{object.at("header_name").get<std::string>()};
  if (object.contains("regex_rewrite")) {
    const json& rewrite = object.at("regex_rewrite");
    header.regex_rewrite.emplace(rewrite.at("pattern").at("regex").get<std::string>(),
                                 rewrite.value("substitution", std::string()));
  }
  return header;
}

routes::CookieHash read_cookie_hash(const json& object) {
  routes::CookieHash cookie{object.at("name").get<std::string>()};
  if (object.contains("ttl")) {
    cookie.ttl_seconds = read_seconds(object.at("ttl"));
  }
  cookie.path = object.value("path", std::string());
  for (const json& attribute : object.value("attributes", json::array())) {
    cookie.attributes.emplace_back(attribute.at("name").get<std::string>(), attribute.value("value", std::string()));
  }
  return cookie;
}

}  // namespace

policies::ConsistentHashingLbConfig read_consistent_hashing(const json& object) {
  policies::ConsistentHashingLbConfig config;
  for (const auto& [key, value] : object.items()) {
    if (key == "hash_policy") {
      for (const json& policy : value) {
        config.hash_policy.push_back(read_hash_policy(policy));
      }
    } else if (key == "consistent_hashing_lb_config" || !read_common_hash_field(key, value, config)) {
      refuse_policy("consistent_hashing_lb_config." + key, value);
    }
  }
  return config;
}

policies::ring_hash::Config read_ring_hash(const json& object) {
  using policies::ring_hash::HashFunction;
  policies::ring_hash::Config config;
  for (const auto& [key, value] : object.items()) {
    if (key == "minimum_ring_size") {
      config.minimum_ring_size = value.get<std::uint64_t>();
    } else if (key == "maximum_ring_size") {
      config.maximum_ring_size = value.get<std::uint64_t>();
    } else if (key == "hash_function") {
      config.hash_function = read_enum<HashFunction>(value, {{"DEFAULT_HASH", HashFunction::xx_hash},
                                                             {"XX_HASH", HashFunction::xx_hash},
                                                             {"MURMUR_HASH_2", HashFunction::murmur_hash_2}});
    } else if (!read_common_hash_field(key, value, config.consistent_hashing_lb_config)) {
      refuse_policy("ring_hash." + key, value);
    }
  }
  return config;
}

policies::maglev::Config read_maglev(const json& object) {
  policies::maglev::Config config;
  for (const auto& [key, value] : object.items()) {
    if (key == "table_size") {
      config.table_size = value.get<std::uint64_t>();
    } else if (!read_common_hash_field(key, value, config.consistent_hashing_lb_config)) {
      refuse_policy("maglev." + key, value);
    }
  }
  return config;
}

subset::Config read_subset(const json& object) {
  using Fallback = subset::FallbackPolicy;
  using MetadataFallback = subset::MetadataFallbackPolicy;
  subset::Config config;
  const std::map<std::string, bool*> flags = {{"locality_weight_aware", &config.locality_weight_aware},
                                              {"scale_locality_weight", &config.scale_locality_weight},
                                              {"panic_mode_any", &config.panic_mode_any},
                                              {"list_as_any", &config.list_as_any},
                                              {"allow_redundant_keys", &config.allow_redundant_keys}};
  for (const auto& [key, value] : object.items()) {
    if (const auto flag = flags.find(key); flag != flags.end()) {
      *flag->second = value.get<bool>();
    } else if (key == "fallback_policy") {
      config.fallback_policy = read_enum<Fallback>(value, {{"NO_FALLBACK", Fallback::no_fallback},
                                                           {"ANY_ENDPOINT", Fallback::any_endpoint},
                                                           {"DEFAULT_SUBSET", Fallback::default_subset}});
    } else if (key == "default_subset") {
      config.default_subset = read_struct(value);
    } else if (key == "subset_selectors") {
      for (const json& selector : value) {
        config.subset_selectors.push_back(read_selector(selector));
      }
    } else if (key == "metadata_fallback_policy") {
      config.metadata_fallback_policy =
          read_enum<MetadataFallback>(value, {{"METADATA_NO_FALLBACK", MetadataFallback::metadata_no_fallback},
                                              {"FALLBACK_LIST", MetadataFallback::fallback_list}});
    } else if (key != "@type" && key != "subset_lb_policy") {
      refuse_policy("subset." + key, value);
    }
  }
  return config;
}

routes::HashPolicy read_hash_policy(const json& object) {
  routes::HashPolicy policy{routes::ConnectionPropertiesHash{false}, object.value("terminal", false)};
  for (const auto& [key, value] : object.items()) {
    if (key == "header") {
      policy.policy_specifier = read_header_hash(value);
    } else if (key == "cookie") {
      policy.policy_specifier = read_cookie_hash(value);
    } else if (key == "connection_properties") {
      policy.policy_specifier = routes::ConnectionPropertiesHash{value.value("source_ip", false)};
    } else if (key == "query_parameter") {
      policy.policy_specifier = routes::QueryParameterHash{value.at("name").get<std::string>()};
    } else if (key == "filter_state") {
      policy.policy_specifier = routes::FilterStateHash{value.at("key").get<std::string>()};
    } else if (key != "terminal") {
      refuse_policy("hash_policy." + key, value);
    }
  }
  return policy;
}

config::Struct read_metadata(const json& metadata) {
  return read_struct(metadata.value("filter_metadata", json::object()).value("envoy.lb", json::object()));
}

}  // namespace spillway::conformance
