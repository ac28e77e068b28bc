// Registers the policy maglev: its names, and its fields in files, exports and explanations.
#pragma once

#include <cstdint>
#include <string_view>

#include "models/envoy/policies/consistent_hashing_config.hpp"
#include "models/envoy/policies/explained.hpp"
#include "models/envoy/policies/maglev/config.hpp"
#include "models/envoy/policies/message.hpp"
#include "models/envoy/refusal.hpp"

namespace spillway::envoy::policies::maglev {

class Table;  // maglev.hpp

// Returns why Envoy refuses the configuration; nullopt if it accepts it.
[[nodiscard]] Refusal refusal(const Config& config, Form form);

struct Policy {
  using Config = maglev::Config;
  using Table = maglev::Table;
  static constexpr std::string_view name = "envoy.load_balancing_policies.maglev";
  static constexpr const char* definition = "envoy.extensions.load_balancing_policies.maglev.v3.Maglev";
  static constexpr message::Settings settings{"MAGLEV", 5, "maglev_lb_config",
                                              "envoy.config.cluster.v3.Cluster.MaglevLbConfig", "of lb_policy MAGLEV"};
  static constexpr Explained explained{"10.4", "maglev_lb.cc"};
  static constexpr auto refusal = &maglev::refusal;
  static constexpr std::uint64_t table_entries(const Config& config) { return config.table_size; }

  template <class Fields>
  static void describe_settings(Fields& fields, Config& config) {
    fields.optional("table_size", config.table_size, message::Uint64{}, "slots, a prime; default: 65537");
  }
  template <class Fields>
  static void describe(Fields& fields, Config& config) {
    describe_settings(fields, config);
    fields.optional("consistent_hashing_lb_config", config.consistent_hashing_lb_config,
                    message::Of<ConsistentHashingLbConfig>{}, "what hash policies have in common");
    fields.locality_weights();
  }
  template <class Release>
  static void in_release(Release& release, Config& config) {
    hashing_in_release(release, config.consistent_hashing_lb_config);
  }
};

}  // namespace spillway::envoy::policies::maglev
