// envoy.extensions.filters.http.header_to_metadata.v3.Config as it stands verbatim in a route's
// typed_per_filter_config.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/scenario/written/hash_policy.hpp"
#include "sim/scenario/written/proto.hpp"

namespace spillway::scenario::written {

struct HeaderToMetadata {
  struct KeyValuePair {
    static constexpr const char* definition = "envoy.extensions.filters.http.header_to_metadata.v3.Config.KeyValuePair";
    Field<std::string> metadata_namespace;
    Field<std::string> key;
    Field<std::string> value;
    Field<RegexMatchAndSubstitute> regex_value_rewrite;
    Field<std::size_t> type;
    Field<std::size_t> encode;
  };
  struct Rule {
    static constexpr const char* definition = "envoy.extensions.filters.http.header_to_metadata.v3.Config.Rule";
    Field<std::string> header;
    Field<std::string> cookie;
    Field<KeyValuePair> on_header_present;
    Field<KeyValuePair> on_header_missing;
    Field<bool> remove;
  };
  Source source;
  Field<std::vector<Field<Rule>>> request_rules;
  Field<const document::Node*> response_rules;
};
void describe(Fields& fields, HeaderToMetadata::KeyValuePair& pair);
void describe(Fields& fields, HeaderToMetadata::Rule& rule);
void describe(Fields& fields, HeaderToMetadata& config);

}  // namespace spillway::scenario::written
