#include "models/kuma/mesh_retry.hpp"

#include <catch2/catch.hpp>

#include "models/config/profile.hpp"
#include "models/kuma/envoy_retries.hpp"
#include "models/kuma/validation.hpp"

namespace kuma = spillway::kuma;
using spillway::config::KumaProfile;
using spillway::config::RetryOn;

namespace {

kuma::RetryConf http(kuma::HttpRetry retry) {
  kuma::RetryConf conf;
  conf.http = std::move(retry);
  return conf;
}

std::vector<kuma::Violation> violations_of(const kuma::RetryConf& conf) {
  kuma::MeshRetry policy{.name = "r"};
  policy.to.emplace().push_back({.targetRef = kuma::TargetRef{.kind = "Mesh"}, .default_ = conf});
  return kuma::validate(policy, KumaProfile::head);
}

}  // namespace

TEST_CASE("retries of http need an outbound of http, and numRetries 0 means none", "[kuma]") {
  const kuma::RetryConf conf = http({.numRetries = 3});
  REQUIRE(kuma::envoys_retries(conf, "http"));
  CHECK(kuma::envoys_retries(conf, "http")->config.num_retries == 3);
  CHECK(kuma::envoys_retries(conf, "http")->retry_on == "gateway-error,connect-failure,refused-stream");
  CHECK_FALSE(kuma::envoys_retries(conf, "http2"));
  CHECK_FALSE(kuma::envoys_retries(conf, "grpc"));
  CHECK_FALSE(kuma::envoys_retries(http({.numRetries = 0}), "http"));
}

TEST_CASE("statuses and methods in retryOn are settings of their own", "[kuma]") {
  kuma::HttpRetry retry;
  retry.retryOn = {"5xx", "503", "HttpMethodGet"};
  const auto found = kuma::envoys_retries(http(retry), "http");
  REQUIRE(found);
  CHECK(found->retry_on == "5xx,retriable-status-codes");
  CHECK(found->config.retriable_status_codes == std::vector<std::uint32_t>{503});
  REQUIRE(found->retriable_request_headers.size() == 1);
  CHECK(found->retriable_request_headers[0].value == "GET");
  CHECK(found->config.retry_on.has(RetryOn::on_5xx));
}

TEST_CASE("Kuma's word canceled is none that Envoy knows", "[kuma]") {
  kuma::RetryConf conf;
  conf.grpc = kuma::GrpcRetry{};
  conf.grpc->retryOn = {"Canceled", "Unavailable"};
  const auto found = kuma::envoys_retries(conf, "grpc");
  REQUIRE(found);
  CHECK(found->retry_on == "canceled,unavailable");
  CHECK_FALSE(found->config.retry_on.has(RetryOn::cancelled));
  CHECK(found->config.retry_on.has(RetryOn::unavailable));
}

TEST_CASE("Kuma refuses empty sections, unknown conditions and a second OmitPreviousPriorities", "[kuma]") {
  CHECK(violations_of({}).size() == 1);
  CHECK(violations_of(http({})).size() == 1);
  kuma::HttpRetry retry;
  retry.retryOn = {"5xx", "sometimes", "299"};
  const auto unknown = violations_of(http(retry));
  REQUIRE(unknown.size() == 2);
  CHECK(unknown[0].field == "spec.to[0].default.http.retryOn[1]");
  CHECK(unknown[0].message == "unknown item 'sometimes'");
  retry.retryOn.reset();
  retry.hostSelection.emplace(2, kuma::RetryPredicate{.predicate = "OmitPreviousPriorities"});
  CHECK(violations_of(http(retry)).size() == 1);
}
