#include "sim/scenario/written/header_to_metadata.hpp"

namespace spillway::scenario::written {

using grammar::Record;
using grammar::Text;

void describe(Fields& fields, HeaderToMetadata::KeyValuePair& pair) {
  fields.message();
  fields.optional("metadata_namespace", pair.metadata_namespace, Text{0, 1'000}, "envoy.lb for subsets");
  fields.required("key", pair.key, Text{1, 1'000}, "the key in it");
  fields.optional("value", pair.value, Text{0, 10'000}, "instead of the header's");
  fields.optional("regex_value_rewrite", pair.regex_value_rewrite, Record<RegexMatchAndSubstitute>{},
                  "what is done to the header's value before");
  fields.optional("type", pair.type, grammar::Choice{{"STRING", "NUMBER", "PROTOBUF_VALUE"}}, "default: STRING");
  fields.optional("encode", pair.encode, grammar::Choice{{"NONE", "BASE64"}}, "how the value comes; default: NONE");
}

void describe(Fields& fields, HeaderToMetadata::Rule& rule) {
  fields.message();
  fields.optional("header", rule.header, Text{0, 1'000}, "a header of the request");
  fields.optional("cookie", rule.cookie, Text{0, 1'000}, "or a cookie");
  fields.optional("on_header_present", rule.on_header_present, Record<HeaderToMetadata::KeyValuePair>{},
                  "where the request brings it");
  fields.optional("on_header_missing", rule.on_header_missing, Record<HeaderToMetadata::KeyValuePair>{},
                  "where it does not");
  fields.optional("remove", rule.remove, grammar::Flag{}, "the header is removed afterwards; default: false");
}

void describe(Fields& fields, HeaderToMetadata& config) {
  fields.message();
  config.source.keep(fields);
  fields.optional("request_rules", config.request_rules, grammar::ListOf<Record<HeaderToMetadata::Rule>>{},
                  "what becomes of requests, one rule after the other");
  fields.optional("response_rules", config.response_rules, Unread{}, "no influence on where requests go");
  fields.without_influence({"stat_prefix"});
}

}  // namespace spillway::scenario::written
