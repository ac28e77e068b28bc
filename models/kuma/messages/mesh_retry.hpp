// The grammar of the spec of a MeshRetry, verbatim.
#pragma once

#include "models/envoy/api/grammar_of.hpp"
#include "models/kuma/mesh_retry.hpp"

namespace spillway::messages {

template <>
struct Grammar<kuma::TcpRetry> {
  static constexpr const char* definition = "MeshRetry.TCP";
  static void describe(Fields& fields, kuma::TcpRetry& object);
};
template <>
struct Grammar<kuma::RetryBackOff> {
  static constexpr const char* definition = "MeshRetry.BackOff";
  static void describe(Fields& fields, kuma::RetryBackOff& object);
};
template <>
struct Grammar<kuma::ResetHeader> {
  static constexpr const char* definition = "MeshRetry.ResetHeader";
  static void describe(Fields& fields, kuma::ResetHeader& object);
};
template <>
struct Grammar<kuma::RateLimitedBackOff> {
  static constexpr const char* definition = "MeshRetry.RateLimitedBackOff";
  static void describe(Fields& fields, kuma::RateLimitedBackOff& object);
};
template <>
struct Grammar<kuma::RetryPredicate> {
  static constexpr const char* definition = "MeshRetry.Predicate";
  static void describe(Fields& fields, kuma::RetryPredicate& object);
};
template <>
struct Grammar<kuma::HttpRetry> {
  static constexpr const char* definition = "MeshRetry.HTTP";
  static void describe(Fields& fields, kuma::HttpRetry& object);
};
template <>
struct Grammar<kuma::GrpcRetry> {
  static constexpr const char* definition = "MeshRetry.GRPC";
  static void describe(Fields& fields, kuma::GrpcRetry& object);
};
template <>
struct Grammar<kuma::RetryConf> {
  static constexpr const char* definition = "MeshRetry.Conf";
  static void describe(Fields& fields, kuma::RetryConf& object);
};
template <>
struct Grammar<kuma::TargetedItem<kuma::RetryConf>> {
  static constexpr const char* definition = "MeshRetry.To";
  static void describe(Fields& fields, kuma::TargetedItem<kuma::RetryConf>& object);
};
template <>
struct Grammar<kuma::MeshRetry> {
  static constexpr const char* definition = "MeshRetry.spec";
  static void describe(Fields& fields, kuma::MeshRetry& object);
};

}  // namespace spillway::messages
