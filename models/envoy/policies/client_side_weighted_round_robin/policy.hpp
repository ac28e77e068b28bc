// Registers the policy client-side weighted round robin: its names, and its fields in files, exports and explanations.
#pragma once

#include <span>
#include <string_view>

#include "models/envoy/policies/client_side_weighted_round_robin/config.hpp"
#include "models/envoy/policies/explained.hpp"
#include "models/envoy/policies/message.hpp"
#include "models/envoy/policies/slow_start_fields.hpp"
#include "models/envoy/policies/wrr_locality/policy.hpp"

namespace spillway::envoy::policies::client_side_weighted_round_robin {

class PickState;  // client_side_weighted_round_robin.hpp

void add_shares(const Config&, const ShareInput& input, double probability, std::span<double> shares);

// Reports outside of responses, which Envoy does not implement.
struct OutOfBandReporting {
  using DescribesItself = void;
  static constexpr const char* definition =
      "envoy.extensions.load_balancing_policies.client_side_weighted_round_robin.v3.OobReportingConfig";
  template <class Fields>
  static void describe(Fields& fields, OutOfBandReporting&) {
    fields.idle("authority", message::Text{});
    fields.idle("port_value", message::Uint32{});
  }
};

struct Policy {
  using Config = client_side_weighted_round_robin::Config;
  using PickState = client_side_weighted_round_robin::PickState;
  static constexpr std::string_view name = "envoy.load_balancing_policies.client_side_weighted_round_robin";
  static constexpr const char* definition =
      "envoy.extensions.load_balancing_policies.client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin";
  static constexpr Explained explained{"15", "client_side_weighted_round_robin_lb.cc"};
  static constexpr bool follows_load_reports = true;
  // It ignores localities; wrr_locality around it draws one.
  using OverLocalities = wrr_locality::Policy;
  static constexpr auto add_shares = &client_side_weighted_round_robin::add_shares;
  static constexpr std::string_view basis(bool) { return "host weights as last reported"; }
  static constexpr Memory memory(const Config&, const ShareInput&, bool) { return Memory::cursor; }
  static constexpr bool takes_turns(bool) { return true; }

  template <class Fields>
  static void describe(Fields& fields, Config& config) {
    fields.optional("blackout_period", config.blackout_period, message::Duration{},
                    "a host's first reports are not used for so long; default: 10s");
    fields.optional("weight_expiration_period", config.weight_expiration_period, message::Duration{},
                    "and its last one for so long; default: 180s");
    fields.optional("weight_update_period", config.weight_update_period, message::Duration{},
                    "between two calculations of the weights; default: 1s");
    fields.optional("error_utilization_penalty", config.error_utilization_penalty, message::Double{},
                    "by how much errors count as load; default: 0");
    fields.optional("metric_names_for_computing_utilization", config.metric_names_for_computing_utilization,
                    message::Texts{}, "which reported figures are the load");
    fields.idle("enable_oob_load_report", message::Flag{true});
    fields.idle("oob_reporting_period", message::Duration{});
    fields.idle("oob_reporting_config", message::Of<OutOfBandReporting>{});
    describe_slow_start(fields, config.slow_start_config);
  }
  template <class Release>
  static void in_release(Release& release, Config&) {
    release.refuse(true, 32, "client_side_weighted_round_robin");
  }
};

}  // namespace spillway::envoy::policies::client_side_weighted_round_robin
