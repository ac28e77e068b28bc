// The filter envoy.filters.http.header_to_metadata: before routing, it turns headers of a request into metadata by
// which subsets are chosen.
//
//   HeaderToMetadata filter{{{.header = "x-version", .on_present = {{"envoy.lb", "version"}}}}};
//   filtered(filter, request).dynamic_metadata;    // {version: v2}, for a request with x-version: v2
//
// Source: docs/behaviour/envoy-host-pick.md 13.3; Envoy's header_to_metadata_filter.cc. Verified on Envoy 1.40.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/config/refusal.hpp"
#include "models/envoy/routes/regex_rewrite.hpp"
#include "models/envoy/routes/request.hpp"

namespace spillway::envoy::routes {

struct HeaderToMetadata {
  struct KeyValuePair {
    enum class Type : std::uint8_t { string, number, protobuf_value };
    std::string metadata_namespace;
    std::string key;
    std::string value = {};  // the header's value if empty
    std::optional<RegexRewrite> regex_value_rewrite = {};
    Type type = Type::string;
    bool base64 = false;

    friend bool operator==(const KeyValuePair&, const KeyValuePair&) = default;
  };
  // A rule for a header, or for a cookie. An empty cookie counts as missing.
  struct Rule {
    std::string header = {};
    std::string cookie = {};
    std::optional<KeyValuePair> on_present = {};
    std::optional<KeyValuePair> on_missing = {};
    bool remove = false;  // removes the header if on_present was applied

    friend bool operator==(const Rule&, const Rule&) = default;
  };
  std::vector<Rule> request_rules = {};

  friend bool operator==(const HeaderToMetadata&, const HeaderToMetadata&) = default;
};

// Returns why Envoy refuses the rules, in its words; nullopt if it accepts them.
[[nodiscard]] config::Refusal refusal(const HeaderToMetadata& filter);

// Returns the request with the metadata of namespace "envoy.lb" that the rules add. Rules act in order; the last value
// of a key counts. Values that are empty, of 8 KiB or more, or of another type add nothing. Several values of a header
// are joined by commas.
[[nodiscard]] Request filtered(const HeaderToMetadata& filter, Request request);

}  // namespace spillway::envoy::routes
