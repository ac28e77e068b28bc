// What the filter envoy.filters.http.header_to_metadata makes of a request before it is routed to a host: metadata that
// subsets are chosen by.
//
//   HeaderToMetadata filter{{{.header = "x-version", .on_present = {{"envoy.lb", "version"}}}}};
//   filtered(filter, request).dynamic_metadata;    // {version: v2}, for a request with x-version: v2
//
// Source: docs/behaviour/envoy-host-pick.md 13.3; Envoy's header_to_metadata_filter.cc, tried on Envoy 1.40.
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
    std::string value = {};  // empty: that of the header
    std::optional<RegexRewrite> regex_value_rewrite = {};
    Type type = Type::string;
    bool base64 = false;

    friend bool operator==(const KeyValuePair&, const KeyValuePair&) = default;
  };
  // Of a header, or of a cookie, which is missing if it is empty.
  struct Rule {
    std::string header = {};
    std::string cookie = {};
    std::optional<KeyValuePair> on_present = {};
    std::optional<KeyValuePair> on_missing = {};
    bool remove = false;  // the header, where on_present was applied

    friend bool operator==(const Rule&, const Rule&) = default;
  };
  std::vector<Rule> request_rules = {};

  friend bool operator==(const HeaderToMetadata&, const HeaderToMetadata&) = default;
};

// Why Envoy refuses the rules, in its words; none: it does not.
[[nodiscard]] config::Refusal refusal(const HeaderToMetadata& filter);

// The request with the metadata of namespace "envoy.lb" that the rules give, one after the other; the last value of a
// key counts. Values that are empty, of 8 KiB or more, or not of their type give none. Several values of a header are
// joined by commas.
[[nodiscard]] Request filtered(const HeaderToMetadata& filter, Request request);

}  // namespace spillway::envoy::routes
