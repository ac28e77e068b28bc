// envoy.config.cluster.v3.OutlierDetection.
#pragma once

#include "models/config/outlier_detection.hpp"
#include "models/envoy/api/message_shapes.hpp"

namespace spillway::messages {

template <>
struct Grammar<config::OutlierDetection> {
  static constexpr const char* definition = "envoy.config.cluster.v3.OutlierDetection";
  static void describe(Fields& fields, config::OutlierDetection& detection);
};

}  // namespace spillway::messages
