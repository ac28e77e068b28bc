// Registers the policy least request: its names, and its fields in files, exports and explanations.
#pragma once

#include <span>
#include <string_view>

#include "models/envoy/policies/explained.hpp"
#include "models/envoy/policies/least_request/config.hpp"
#include "models/envoy/policies/message.hpp"
#include "models/envoy/policies/slow_start_fields.hpp"
#include "models/envoy/refusal.hpp"

namespace spillway::envoy::policies::least_request {

class PickState;  // least_request.hpp

// Adds probability * share to `shares`, one entry per host of the source, for fixed numbers of requests in flight. With
// n choices, the hosts with c in flight share P(all choices have at least c) - P(all have more) evenly. O(n log n).
void add_shares(const Config& config, const ShareInput& input, double probability, std::span<double> shares);

// Returns why Envoy refuses the configuration; nullopt if it accepts it.
[[nodiscard]] Refusal refusal(const Config& config, Form form);

// Returns the memory of picks. `loaded`: requests may be in flight when the next one arrives.
[[nodiscard]] Memory memory(const Config& config, const ShareInput& input, bool loaded);

struct Policy {
  using Config = least_request::Config;
  using PickState = least_request::PickState;
  static constexpr std::string_view name = "envoy.load_balancing_policies.least_request";
  static constexpr const char* definition = "envoy.extensions.load_balancing_policies.least_request.v3.LeastRequest";
  static constexpr message::Settings settings{"LEAST_REQUEST", 1, "least_request_lb_config",
                                              "envoy.config.cluster.v3.Cluster.LeastRequestLbConfig",
                                              "of lb_policy LEAST_REQUEST"};
  static constexpr Explained explained{"7", "least_request_lb.cc"};
  static constexpr bool blind_to_names = true;
  static constexpr bool reads_active_requests = true;
  static constexpr auto add_shares = &least_request::add_shares;
  static constexpr auto memory = &least_request::memory;
  static constexpr std::string_view basis(bool active_requests_given) {
    return active_requests_given ? "requests in flight frozen" : "no request in flight";
  }
  static constexpr bool takes_turns(bool weighted) { return weighted; }
  static constexpr auto refusal = &least_request::refusal;

  template <class Fields>
  static void describe_settings(Fields& fields, Config& config) {
    fields.optional("choice_count", config.choice_count, message::Uint32{},
                    "number of hosts drawn at random, the best of which is picked; default: 2");
    fields.optional("active_request_bias", config.active_request_bias, message::RuntimeDouble{},
                    "how much requests in flight count where weights differ; default: 1");
    describe_slow_start(fields, config.slow_start_config);
  }
  template <class Fields>
  static void describe(Fields& fields, Config& config) {
    describe_settings(fields, config);
    fields.optional("selection_method", config.selection_method,
                    message::Choice{.words = {"N_CHOICES", "FULL_SCAN"},
                                    .unnamed = "Envoy then picks none of several hosts with equal weights"},
                    "of a few hosts or of all; default: N_CHOICES");
    fields.locality();
    fields.not_simulated("enable_full_scan", "Envoy has replaced it by `selection_method: FULL_SCAN`");
  }
  template <class Release>
  static void in_release(Release& release, Config& config) {
    slow_start_in_release(release, config.slow_start_config);
    release.refuse(config.selection_method == SelectionMethod::full_scan, 30, "`FULL_SCAN`");
  }
};

}  // namespace spillway::envoy::policies::least_request
