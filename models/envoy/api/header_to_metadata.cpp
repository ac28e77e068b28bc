#include "models/envoy/api/header_to_metadata.hpp"

#include "models/envoy/api/hash_policy.hpp"

namespace spillway::messages {

using envoy::routes::HeaderToMetadata;
using grammar::Text;

void Grammar<HeaderToMetadata::KeyValuePair>::describe(Fields& fields, HeaderToMetadata::KeyValuePair& pair) {
  fields.message();
  optional(fields, "metadata_namespace", pair.metadata_namespace, any_length, "envoy.lb for subsets");
  required(fields, "key", pair.key, not_empty, "the key in it");
  optional(fields, "value", pair.value, any_length, "instead of the header's");
  optional(fields, "regex_value_rewrite", pair.regex_value_rewrite, RegexMatchAndSubstitute{},
           "what is done to the header's value before");
  optional(fields, "type", pair.type, grammar::Choice{{"STRING", "NUMBER", "PROTOBUF_VALUE"}}, "default: STRING");
  optional(fields, "encode", pair.base64, grammar::Choice{.words = {"NONE", "BASE64"}, .otherwise = 0},
           "encoding of the value; default: NONE");
}

void Grammar<HeaderToMetadata::Rule>::describe(Fields& fields, HeaderToMetadata::Rule& rule) {
  fields.message();
  optional(fields, "header", rule.header, any_length, "a header of the request");
  optional(fields, "cookie", rule.cookie, any_length, "or a cookie");
  optional(fields, "on_header_present", rule.on_present, Message<HeaderToMetadata::KeyValuePair>{},
           "where the request brings it");
  optional(fields, "on_header_missing", rule.on_missing, Message<HeaderToMetadata::KeyValuePair>{},
           "where it does not");
  optional(fields, "remove", rule.remove, grammar::Flag{}, "the header is removed afterwards; default: false");
}

void Grammar<HeaderToMetadata>::describe(Fields& fields, HeaderToMetadata& config) {
  fields.message();
  optional(fields, "request_rules", config.request_rules, Items<Message<HeaderToMetadata::Rule>>{},
           "rules, applied in order");
  fields.without_influence({"response_rules", "stat_prefix"});
  refuse(refusal(config), "these rules", fields);
}

}  // namespace spillway::messages
