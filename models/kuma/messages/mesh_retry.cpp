#include "models/kuma/messages/mesh_retry.hpp"

#include "models/kuma/messages/routes.hpp"
#include "models/kuma/messages/shapes.hpp"
#include "models/kuma/messages/target_ref.hpp"

namespace spillway::messages {

namespace {

// The fields that http and grpc have in common.
template <class Retry>
void describe_common(Fields& fields, Retry& retry) {
  optional(fields, "numRetries", retry.numRetries, Uint32{}, "default: 1; 0: no retries");
  optional(fields, "perTryTimeout", retry.perTryTimeout, GoDuration{}, "of each attempt; default: none");
  optional(fields, "backOff", retry.backOff, Message<kuma::RetryBackOff>{}, "how long a retry waits");
  optional(fields, "rateLimitedBackOff", retry.rateLimitedBackOff, Message<kuma::RateLimitedBackOff>{},
           "wait of a retry whose answer says when; no endpoint here does");
}

}  // namespace

void Grammar<kuma::TcpRetry>::describe(Fields& fields, kuma::TcpRetry& retry) {
  optional(fields, "maxConnectAttempt", retry.maxConnectAttempt, Uint32{}, "attempts to connect; default: 1");
}

void Grammar<kuma::RetryBackOff>::describe(Fields& fields, kuma::RetryBackOff& back_off) {
  optional(fields, "baseInterval", back_off.baseInterval, GoDuration{}, "default: 25ms");
  optional(fields, "maxInterval", back_off.maxInterval, GoDuration{}, "default: ten times the base");
}

void Grammar<kuma::ResetHeader>::describe(Fields& fields, kuma::ResetHeader& header) {
  required(fields, "name", header.name, any_text, "a header of the answer");
  required(fields, "format", header.format, Word{.words = {"Seconds", "UnixTimestamp"}}, "of its value");
}

void Grammar<kuma::RateLimitedBackOff>::describe(Fields& fields, kuma::RateLimitedBackOff& back_off) {
  optional(fields, "resetHeaders", back_off.resetHeaders, Items<Message<kuma::ResetHeader>>{}, "tried in order");
  optional(fields, "maxInterval", back_off.maxInterval, GoDuration{}, "default: 300s");
}

void Grammar<kuma::RetryPredicate>::describe(Fields& fields, kuma::RetryPredicate& predicate) {
  constexpr Uint32 any_frequency{0, 2'147'483'647};
  std::optional<std::uint32_t> frequency;
  required(fields, "predicate", predicate.predicate,
           Word{.words = {"OmitPreviousHosts", "OmitHostsWithTags", "OmitPreviousPriorities"}}, "what a retry avoids");
  optional(fields, "tags", predicate.tags, TagMap{}, "of OmitHostsWithTags");
  optional(fields, "updateFrequency", frequency, any_frequency, "of OmitPreviousPriorities; default: 2");
  if (frequency) {
    predicate.updateFrequency = static_cast<std::int32_t>(*frequency);
  }
}

void Grammar<kuma::HttpRetry>::describe(Fields& fields, kuma::HttpRetry& retry) {
  using Headers = Items<Message<kuma::HeaderMatch>>;
  describe_common(fields, retry);
  optional(
      fields, "retryOn", retry.retryOn, Items<grammar::Text>{any_text},
      "5xx, GatewayError, Reset, a status, HttpMethodGet ...; default: GatewayError, ConnectFailure, RefusedStream");
  optional(fields, "retriableResponseHeaders", retry.retriableResponseHeaders, Headers{},
           "headers of an answer that is retried");
  optional(fields, "retriableRequestHeaders", retry.retriableRequestHeaders, Headers{},
           "one of them must match a request for it to be retried");
  optional(fields, "hostSelection", retry.hostSelection, Items<Message<kuma::RetryPredicate>>{}, "what a retry avoids");
  optional(fields, "hostSelectionMaxAttempts", retry.hostSelectionMaxAttempts, Uint32{},
           "new picks when a retry picks a host to avoid; default: 1");
}

void Grammar<kuma::GrpcRetry>::describe(Fields& fields, kuma::GrpcRetry& retry) {
  describe_common(fields, retry);
  optional(fields, "retryOn", retry.retryOn, Items<grammar::Text>{any_text},
           "Canceled, DeadlineExceeded, Internal, ResourceExhausted, Unavailable");
}

void Grammar<kuma::RetryConf>::describe(Fields& fields, kuma::RetryConf& conf) {
  optional(fields, "tcp", conf.tcp, Message<kuma::TcpRetry>{}, "of destinations of tcp");
  optional(fields, "http", conf.http, Message<kuma::HttpRetry>{}, "of destinations of http");
  optional(fields, "grpc", conf.grpc, Message<kuma::GrpcRetry>{}, "of destinations of grpc");
}

void Grammar<kuma::TargetedItem<kuma::RetryConf>>::describe(Fields& fields, kuma::TargetedItem<kuma::RetryConf>& item) {
  optional(fields, "targetRef", item.targetRef, Message<kuma::TargetRef>{}, "the destination");
  optional(fields, "default", item.default_, Message<kuma::RetryConf>{}, "what is set for it");
}

void Grammar<kuma::MeshRetry>::describe(Fields& fields, kuma::MeshRetry& policy) {
  optional(fields, "targetRef", policy.targetRef, Message<kuma::TargetRef>{}, "whose; default: the whole mesh");
  optional(fields, "to", policy.to, Items<Message<kuma::TargetedItem<kuma::RetryConf>>>{.help = to_is_a_list},
           "what is set for which destinations");
}

}  // namespace spillway::messages
