// The field slow_start_config in the messages of the policies that have slow start.
#pragma once

#include "models/config/slow_start.hpp"
#include "models/envoy/policies/message.hpp"

namespace spillway::envoy::policies {

// Describes the field slow_start_config.
template <class Fields>
void describe_slow_start(Fields& fields, config::SlowStartConfig& config) {
  fields.unless_default("slow_start_config", config, message::Of<config::SlowStartConfig>{}, "of new hosts");
}

// Adapts slow start to a release: before 1.22, hosts start at 0 % whatever min_weight_percent says.
template <class Release>
void slow_start_in_release(Release& release, config::SlowStartConfig& config) {
  if (release.before(22)) {
    config.min_weight_percent = config::Percent{0.0};
  }
}

}  // namespace spillway::envoy::policies
