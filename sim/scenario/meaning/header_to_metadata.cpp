#include "sim/scenario/meaning/header_to_metadata.hpp"

#include <utility>

#include "sim/scenario/meaning/pick_policy.hpp"
#include "sim/scenario/meaning/refused.hpp"
#include "sim/scenario/written/header_to_metadata.hpp"

namespace spillway::scenario::meaning {
namespace {

using envoy::routes::HeaderToMetadata;
using Pair = HeaderToMetadata::KeyValuePair;

std::optional<Pair> read_pair(const grammar::Field<written::HeaderToMetadata::KeyValuePair>& field,
                              Diagnostics& problems) {
  if (!field.present) {
    return std::nullopt;
  }
  return Pair{.metadata_namespace = field->metadata_namespace.value_or(""),
              .key = field->key.value_or(""),
              .value = field->value.value_or(""),
              .regex_value_rewrite = read_regex_rewrite(field->regex_value_rewrite, problems),
              .type = static_cast<Pair::Type>(field->type.value_or(0)),
              .base64 = field->encode.value_or(0) == 1};
}

}  // namespace

HeaderToMetadata read_header_to_metadata(const written::AnyMessage& message, Span where, Diagnostics& problems) {
  written::HeaderToMetadata written;
  written::read_any(message, written, problems);
  HeaderToMetadata filter;
  for (const auto& rule : *written.request_rules) {
    filter.request_rules.push_back({.header = rule->header.value_or(""),
                                    .cookie = rule->cookie.value_or(""),
                                    .on_present = read_pair(rule->on_header_present, problems),
                                    .on_missing = read_pair(rule->on_header_missing, problems),
                                    .remove = rule->remove.value_or(false)});
  }
  if (!filter.request_rules.empty() || !written.response_rules.present) {
    refuse(envoy::routes::refusal(filter), {"these rules", message.node, where}, problems);
  }
  return filter;
}

}  // namespace spillway::scenario::meaning
