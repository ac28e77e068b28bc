#include "models/health/retry_host_predicates.hpp"

#include <catch2/catch.hpp>

using spillway::config::OmitCanaryHosts;
using spillway::config::OmitHostMetadata;
using spillway::config::PreviousHosts;
using spillway::config::RetryHostPredicate;
using spillway::config::Struct;
using spillway::config::Value;
using spillway::envoy::Pick;
using spillway::health::RetryHostPredicates;

namespace {

Struct metadata(const char* name, Value value) {
  Struct result;
  result.set(name, std::move(value));
  return result;
}

Pick pick(std::uint32_t host, std::uint32_t child = 0) {
  Pick result;
  result.host = {host};
  result.child = child;
  return result;
}

}  // namespace

TEST_CASE("previous_hosts rejects the hosts that the request has been sent to") {
  const std::vector<RetryHostPredicate> config = {PreviousHosts{}};
  RetryHostPredicates predicates(config);
  CHECK_FALSE(predicates.rejects(pick(1), nullptr));
  predicates.on_host_attempted(pick(1));
  CHECK(predicates.rejects(pick(1), nullptr));
  CHECK_FALSE(predicates.rejects(pick(2), nullptr));
  CHECK_FALSE(predicates.rejects(pick(1, 1), nullptr));
}

TEST_CASE("omit_canary_hosts rejects hosts that are marked as canaries") {
  const std::vector<RetryHostPredicate> config = {OmitCanaryHosts{}};
  const RetryHostPredicates predicates(config);
  const Struct canary = metadata("canary", true);
  const Struct text = metadata("canary", "true");
  CHECK(predicates.rejects(pick(0), &canary));
  CHECK_FALSE(predicates.rejects(pick(0), &text));
  CHECK_FALSE(predicates.rejects(pick(0), nullptr));
}

TEST_CASE("omit_host_metadata rejects hosts that have all of it, a list matching by any element") {
  Struct match = metadata("stage", "prod");
  match.set("version", "1");
  const std::vector<RetryHostPredicate> config = {OmitHostMetadata{match}};
  const RetryHostPredicates predicates(config);
  Struct host = metadata("stage", Value::List{"dev", "prod"});
  CHECK_FALSE(predicates.rejects(pick(0), &host));
  host.set("version", "1");
  CHECK(predicates.rejects(pick(0), &host));
}

TEST_CASE("omit_host_metadata without metadata rejects nobody") {
  const std::vector<RetryHostPredicate> config = {OmitHostMetadata{}};
  const Struct host = metadata("stage", "prod");
  CHECK_FALSE(RetryHostPredicates(config).rejects(pick(0), &host));
}
