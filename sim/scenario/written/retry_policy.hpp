// envoy.config.route.v3.RetryPolicy as it stands verbatim in files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/scenario/written/metadata.hpp"
#include "sim/scenario/written/proto.hpp"
#include "sim/scenario/written/route_match.hpp"

namespace spillway::scenario::written {

// envoy.config.route.v3.RetryPolicy.RetryHostPredicate and RetryPriority: an extension whose configuration may be left
// out.
struct RetryExtension {
  static constexpr const char* definition = "envoy.config.route.v3.RetryPolicy.RetryHostPredicate";
  Field<std::string> name;
  Field<AnyMessage> typed_config;
};
void describe(Fields& fields, RetryExtension& extension);

// envoy.extensions.retry.host.omit_host_metadata.v3.OmitHostMetadataConfig.
struct OmitHostMetadataConfig {
  Field<Metadata> metadata_match;
};
void describe(Fields& fields, OmitHostMetadataConfig& config);

// envoy.extensions.retry.priority.previous_priorities.v3.PreviousPrioritiesConfig.
struct PreviousPrioritiesConfig {
  Field<std::uint64_t> update_frequency;
};
void describe(Fields& fields, PreviousPrioritiesConfig& config);

struct RetryPolicy {
  static constexpr const char* definition = "envoy.config.route.v3.RetryPolicy";
  struct RetryBackOff {
    static constexpr const char* definition = "envoy.config.route.v3.RetryPolicy.RetryBackOff";
    Field<grammar::Nanoseconds> base_interval;
    Field<grammar::Nanoseconds> max_interval;
  };
  struct ResetHeader {
    static constexpr const char* definition = "envoy.config.route.v3.RetryPolicy.ResetHeader";
    Field<std::string> name;
    Field<std::size_t> format;
  };
  struct RateLimitedRetryBackOff {
    static constexpr const char* definition = "envoy.config.route.v3.RetryPolicy.RateLimitedRetryBackOff";
    Field<std::vector<Field<ResetHeader>>> reset_headers;
    Field<grammar::Nanoseconds> max_interval;
  };
  Source source;
  Field<std::string> retry_on;
  Field<std::uint64_t> num_retries;
  Field<grammar::Nanoseconds> per_try_timeout;
  Field<RetryExtension> retry_priority;
  Field<std::vector<Field<RetryExtension>>> retry_host_predicate;
  Field<std::uint64_t> host_selection_retry_max_attempts;
  Field<std::vector<Field<std::uint64_t>>> retriable_status_codes;
  Field<RetryBackOff> retry_back_off;
  Field<RateLimitedRetryBackOff> rate_limited_retry_back_off;
  Field<std::vector<Field<HeaderMatcher>>> retriable_headers;
};
void describe(Fields& fields, RetryPolicy::RetryBackOff& back_off);
void describe(Fields& fields, RetryPolicy::ResetHeader& header);
void describe(Fields& fields, RetryPolicy::RateLimitedRetryBackOff& back_off);
void describe(Fields& fields, RetryPolicy& policy);

}  // namespace spillway::scenario::written
