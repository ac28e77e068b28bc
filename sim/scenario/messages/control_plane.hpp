// The grammar of a control plane in a scenario file.
#pragma once

#include <cstdint>
#include <string>

#include "models/documents/grammar/shapes.hpp"
#include "models/kuma/mesh_load_balancing_strategy.hpp"
#include "sim/scenario/messages/topology.hpp"

namespace spillway::messages {

struct XdsServer {
  static constexpr const char* definition = "kuma-cp.xdsServer";
  Field<grammar::Nanoseconds> refresh_interval;
};
void describe(Fields& fields, XdsServer& server);

struct StoreCache {
  static constexpr const char* definition = "kuma-cp.store.cache";
  Field<grammar::Nanoseconds> expiration;
};
void describe(Fields& fields, StoreCache& cache);

struct Store {
  static constexpr const char* definition = "kuma-cp.store";
  Field<StoreCache> cache;
};
void describe(Fields& fields, Store& store);

struct ControlPlaneRamp {
  static constexpr const char* definition = "control_plane_ramp";
  Field<grammar::Nanoseconds> from;
  Field<grammar::Nanoseconds> to;
};
void describe(Fields& fields, ControlPlaneRamp& ramp);

struct ControlPlaneChange {
  static constexpr const char* definition = "control_plane_change";
  Field<grammar::Nanoseconds> at;
  Field<std::size_t> what;
};
void describe(Fields& fields, ControlPlaneChange& change);

struct ControlPlanePolicy {
  static constexpr const char* definition = "control_plane_policy";
  Field<grammar::ExactPercent> services;
  Field<kuma::Conf> conf;
};
void describe(Fields& fields, ControlPlanePolicy& policy);

struct ControlPlaneCost {
  static constexpr const char* definition = "control_plane_cost";
  Field<grammar::Nanoseconds> mesh_context;
  Field<grammar::Nanoseconds> generation;
  Field<grammar::Nanoseconds> service;
  Field<grammar::Nanoseconds> assignment;
  Field<grammar::Nanoseconds> lookup;
  Field<grammar::Nanoseconds> proxy_certificate;
  Field<grammar::Nanoseconds> join;
};
void describe(Fields& fields, ControlPlaneCost& cost);

struct ControlPlaneReading {
  static constexpr const char* definition = "control_plane_reading";
  Field<grammar::Nanoseconds> at;
  Field<grammar::Nanoseconds> p50;
  Field<grammar::Nanoseconds> p90;
  Field<grammar::Nanoseconds> p99;
};
void describe(Fields& fields, ControlPlaneReading& reading);

// A reading that our results are known to miss.
struct ControlPlaneFigures {
  static constexpr const char* definition = "control_plane_figures";
  Field<grammar::Nanoseconds> documented;
  Field<grammar::Nanoseconds> ours;
};
void describe(Fields& fields, ControlPlaneFigures& figures);

struct ControlPlaneDifference {
  static constexpr const char* definition = "control_plane_difference";
  Field<grammar::Nanoseconds> at;
  Field<ControlPlaneFigures> p50;
  Field<ControlPlaneFigures> p90;
  Field<ControlPlaneFigures> p99;
};
void describe(Fields& fields, ControlPlaneDifference& difference);

struct ControlPlaneDifferences {
  static constexpr const char* definition = "control_plane_differences";
  Field<std::string> reason;
  FieldList<ControlPlaneDifference> rows;
};
void describe(Fields& fields, ControlPlaneDifferences& differences);

struct ControlPlaneReadings {
  static constexpr const char* definition = "control_plane_readings";
  Field<grammar::Nanoseconds> precision;
  FieldList<ControlPlaneReading> rows;
  FieldList<ControlPlaneDifferences> differences;
};
void describe(Fields& fields, ControlPlaneReadings& readings);

struct ControlPlaneOwnRatios {
  static constexpr const char* definition = "control_plane_own_ratios";
  Field<double> p50;
  Field<double> p90;
  Field<double> p99;
};
void describe(Fields& fields, ControlPlaneOwnRatios& ratios);

struct ControlPlaneRatio {
  static constexpr const char* definition = "control_plane_ratio";
  Field<std::string> to;
  Field<grammar::Nanoseconds> at;
  Field<grammar::Nanoseconds> to_at;
  Field<double> p50;
  Field<double> p90;
  Field<double> p99;
  Field<ControlPlaneOwnRatios> ours;
  Field<std::string> reason;
};
void describe(Fields& fields, ControlPlaneRatio& ratio);

// The keys that the control plane and its variations have in common.
struct ControlPlaneKeys {
  Field<std::string> name;
  Field<std::uint64_t> cores;
  Field<std::uint64_t> other_work;
  Field<grammar::Nanoseconds> time_slice;
  Field<double> speed;
  Field<std::size_t> cla_cache;
  Field<XdsServer> xds_server;
  Field<Store> store;
  Field<std::uint64_t> services;
  Field<std::uint64_t> instances;
  Field<std::uint64_t> zones;
  Field<std::uint64_t> reachable_services;
  Field<std::size_t> reach;
  FieldList<ControlPlanePolicy> policies;
  Field<ControlPlaneRamp> join;
  Field<ControlPlaneRamp> leave;
  FieldList<ControlPlaneChange> changes;
  Field<ControlPlaneCost> cost;
  Field<ControlPlaneReadings> readings;
  FieldList<ControlPlaneRatio> ratios;
};

struct ControlPlaneVariation : ControlPlaneKeys {
  static constexpr const char* definition = "control_plane_variation";
};
void describe(Fields& fields, ControlPlaneVariation& variation);

struct ControlPlane : ControlPlaneKeys {
  static constexpr const char* definition = "control_plane";
  FieldList<ControlPlaneVariation> variations;
};
void describe(Fields& fields, ControlPlane& plane);

}  // namespace spillway::messages
